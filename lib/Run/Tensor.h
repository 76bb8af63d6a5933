//===- Tensor.h - tensors on the command line -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the values that tenon-run reads, makes up, compares and
// writes: tensors, contiguous, row-major, aligned to cache lines; sequences of
// them; and what is absent.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_TENSOR_H
#define TENON_RUN_TENSOR_H

#include "lib/Run/SmallTypes.h"
#include "lib/Support/Result.h"
#include "tenon-c/Runtime.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace tenon::run {

/// Name, element type (DLPack's terms) and shape, of a tensor or of those that
/// a sequence or optional may hold. A negative extent is one that inputs
/// decide.
struct TensorSpec {
  std::string name;
  tenon_dtype type = {};
  std::vector<int64_t> shape;
  /// What the model calls its dimensions, "" for none; or nothing.
  std::vector<std::string> dimNames = {};
  tenon_value_kind kind = TENON_VALUE_TENSOR;
  bool hasAnyRank = false;

  /// "float32 [1x3x224x224]", "float32 [batch, 3, ?, 224]".
  std::string str() const;

  /// Whether inputs decide an extent.
  bool isOpen() const;
};

/// "tensor", "sequence", "optional".
const char *kindName(tenon_value_kind kind);

bool sameType(tenon_dtype a, tenon_dtype b);

/// "float32"; bool is "bool".
std::string typeName(tenon_dtype type);

/// Elements of a shape; nothing when a dimension is unknown (negative) or the
/// product overflows.
Result<int64_t> countElements(const std::vector<int64_t> &shape);

/// A value: a tensor that owns its bytes or strings; or, as `spec.kind` says, a
/// sequence of tensors, or TENON_VALUE_OPTIONAL for nothing. An optional that
/// holds something is that itself.
struct Tensor {
  TensorSpec spec;
  int64_t elements = 0;
  std::vector<std::string> strings;
  std::vector<Tensor> items; ///< of a sequence

  /// A tensor of zeroes, or of empty strings.
  static Result<Tensor> make(TensorSpec spec);

  bool isTensor() const { return spec.kind == TENON_VALUE_TENSOR; }
  bool isOfStrings() const { return spec.type.code == TENON_STRING; }

  /// "float32 [2x3]", "sequence of 3 float32", "nothing".
  std::string str() const;

  /// Of numbers.
  size_t byteSize() const { return elements * elementBytes(spec.type); }
  uint8_t *data() { return bytes.get(); }
  const uint8_t *data() const { return bytes.get(); }

  /// Element `i` as a double; of a complex element, the real part.
  double at(int64_t i) const;

private:
  struct Free {
    void operator()(uint8_t *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<uint8_t, Free> bytes;
};

/// The bits of the nearest float16 or bfloat16, ties to even.
uint16_t toHalf(float value);
uint16_t toBFloat(float value);

/// Reads a whole file.
Result<std::string> readFile(const std::string &path);
Status writeText(const std::string &path, const std::string &text);

/// numpy's .npy, versions 1 to 3. bfloat16, which numpy lacks, is written as
/// uint16 and read from uint16 or "V2" where `expected` says so. Elements of
/// fewer than eight bits, and floats of eight, are written as a byte each:
/// integers as numbers, floats as their bits.
Result<Tensor> readNpy(const std::string &path);
Status writeNpy(const Tensor &tensor, const std::string &path);

/// onnx's TensorProto (.pb), as in the test data of onnx.
Result<Tensor> readTensorProto(const std::string &path);

/// A SequenceProto or OptionalProto as well.
Result<Tensor> readProto(const std::string &path, tenon_value_kind kind);

/// By the suffix of the path. Bytes in a file of numpy's are taken for elements
/// of `wanted` where that is a type that numpy lacks and a byte holds.
Result<Tensor> readTensor(const std::string &path, tenon_dtype wanted = {});

/// The same for any kind of value; sequences and optionals are .pb files.
Result<Tensor> readValue(const std::string &path, const TensorSpec &wanted);

/// Made-up contents, the same on every machine. Element i of the input `name`
/// comes from the 64 bits
///   z = mix(seed ^ fnv1a(name) + (i + 1) * 0x9e3779b97f4a7c15)
/// where mix is that of splitmix64. Floating-point: (z >> 40) / 2^23 - 1, so
/// uniform in [-1, 1), but see randomSmallFloat; integers: (z >> 32) % limit;
/// bool: z >> 63. Complex elements take two. Strings: "s" and such an integer.
void fillRandom(Tensor &tensor, uint64_t seed, uint64_t limit = 100);

} // namespace tenon::run

#endif // TENON_RUN_TENSOR_H
