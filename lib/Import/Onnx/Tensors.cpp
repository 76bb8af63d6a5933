//===- Tensors.cpp - elements attributes from tensors ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns TensorProtos into attributes, without a copy where the bytes
// lie in a mapped file.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Session.h"
#include "lib/Import/Onnx/Wire.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon::onnximport;
using llvm::createStringError;

/// Tensors of at most this many bytes are spelled out in the IR.
static constexpr uint64_t denseBytes = 64;

/// Bits of one element in ONNX's raw layout; 0 for strings.
static uint64_t elementBits(Type element) {
  if (element.isInteger(1))
    return 8;
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * elementBits(complex.getElementType());
  if (!element.isIntOrFloat())
    return 0;
  return element.getIntOrFloatBitWidth();
}

/// Bytes of one element in the attribute: the same, but one for elements
/// narrower than that.
static uint64_t elementSize(Type element) {
  return llvm::divideCeil(elementBits(element), 8);
}

llvm::Expected<RankedTensorType>
tenon::onnximport::tensorType(Session &session, ArrayRef<int64_t> dims,
                              int64_t dataType) {
  Type element = tenon::onnx::elementType(dataType, &session.context);
  if (!element)
    return createStringError("data type " + llvm::Twine(dataType) +
                             " is unknown");
  // Strings count as one byte: the bound is for overflow.
  uint64_t bytes = std::max<uint64_t>(elementSize(element), 1);
  for (int64_t dim : dims) {
    if (dim < 0 && dim != ShapedType::kDynamic)
      return createStringError("dimension " + llvm::Twine(dim) +
                               " is negative");
    bool overflow = false;
    if (dim > 0)
      bytes = llvm::SaturatingMultiply<uint64_t>(bytes, dim, &overflow);
    if (overflow || bytes > session.options.maxTensorBytes)
      return createStringError("the type takes more than " +
                               llvm::Twine(session.options.maxTensorBytes) +
                               " bytes");
  }
  return RankedTensorType::get(dims, element);
}

namespace {
/// Bytes in memory layout: a view (of a mapping when `file` is set, otherwise
/// of the message) or a buffer of converted elements.
struct RawBytes {
  StringRef bytes;
  std::shared_ptr<Mapping> file;
  std::string buffer;
};
} // namespace

/// Narrows the repeated integer field to elements of `size` bytes.
template <typename Field>
static void narrow(const Field &values, uint64_t size, std::string &out) {
  out.reserve(values.size() * size);
  for (auto value : values)
    out.append(reinterpret_cast<const char *>(&value), size);
}

/// The typed fields in memory layout. Little-endian hosts only, like ONNX's
/// raw data.
static void convertTyped(const proto::TensorProto &tensor, uint64_t size,
                         std::string &out) {
  using proto::TensorProto;
  switch (tensor.data_type()) {
  case TensorProto::FLOAT:
  case TensorProto::COMPLEX64:
    return narrow(tensor.float_data(), sizeof(float), out);
  case TensorProto::DOUBLE:
  case TensorProto::COMPLEX128:
    return narrow(tensor.double_data(), sizeof(double), out);
  case TensorProto::INT64:
    return narrow(tensor.int64_data(), sizeof(int64_t), out);
  case TensorProto::UINT32:
  case TensorProto::UINT64:
    return narrow(tensor.uint64_data(), size, out);
  default:
    return narrow(tensor.int32_data(), size, out);
  }
}

/// The slice that stands for the payload of `tensor`, if there is one.
static const WeightSlice *sliceOf(const Session &session,
                                  const proto::TensorProto &tensor) {
  for (const auto &entry : tensor.external_data()) {
    size_t index;
    if (entry.key() == sliceKey &&
        !StringRef(entry.value()).getAsInteger(10, index) &&
        index < session.weights.size())
      return &session.weights[index];
  }
  return nullptr;
}

static RawBytes rawBytes(const Session &session,
                         const proto::TensorProto &tensor, uint64_t size) {
  if (const WeightSlice *slice = sliceOf(session, tensor))
    return {slice->bytes(), slice->file, {}};
  if (tensor.has_raw_data())
    return {tensor.raw_data(), nullptr, {}};
  RawBytes raw;
  convertTyped(tensor, size, raw.buffer);
  raw.bytes = raw.buffer;
  return raw;
}

/// A byte for each element of elements packed in bytes, the low bits first.
static std::string unpack(StringRef packed, uint64_t bits, uint64_t count) {
  std::string bytes(count, 0);
  for (uint64_t i = 0; i < count; ++i)
    bytes[i] =
        uint8_t(packed[i * bits / 8]) >> (i * bits % 8) & ((1 << bits) - 1);
  return bytes;
}

/// Whether all elements have the same bytes. Ends at the first difference.
static bool isSplat(StringRef bytes, uint64_t size) {
  return bytes.size() > size && bytes.drop_front(size) == bytes.drop_back(size);
}

static ElementsAttr denseBools(RankedTensorType type, StringRef bytes) {
  SmallVector<bool> values;
  for (char byte : bytes)
    values.push_back(byte != 0);
  return DenseElementsAttr::get(type, ArrayRef<bool>(values));
}

static ElementsAttr dense(RankedTensorType type, StringRef bytes) {
  if (type.getElementType().isInteger(1))
    return denseBools(type, bytes);
  // The attribute wants aligned elements; these few are copied anyway.
  SmallVector<uint64_t> aligned(llvm::divideCeil(bytes.size(), 8) + 1);
  llvm::copy(bytes, reinterpret_cast<char *>(aligned.data()));
  return DenseElementsAttr::getFromRawBuffer(
      type, ArrayRef(reinterpret_cast<char *>(aligned.data()), bytes.size()));
}

/// The bytes of a mapped file may lie at any address, and say so: who reads
/// numbers from them goes through interp::Tensor.
static AsmResourceBlob makeBlob(const RawBytes &raw, uint64_t alignment) {
  ArrayRef<char> data(raw.bytes.data(), raw.bytes.size());
  if (!raw.file)
    return HeapAsmResourceBlob::allocateAndCopyWithAlign(
        data, /*align=*/64, /*dataIsMutable=*/false);
  bool isAligned = uintptr_t(data.data()) % alignment == 0;
  return AsmResourceBlob(
      data, isAligned ? alignment : 1,
      [file = raw.file](void *, size_t, size_t) {}, /*dataIsMutable=*/false);
}

static llvm::Expected<ElementsAttr>
stringTensor(RankedTensorType type, const proto::TensorProto &tensor) {
  if (tensor.string_data_size() != type.getNumElements())
    return createStringError(
        "it has " + llvm::Twine(tensor.string_data_size()) +
        " strings but a type of " + llvm::Twine(type.getNumElements()));
  SmallVector<StringRef> values(tensor.string_data().begin(),
                                tensor.string_data().end());
  return DenseStringElementsAttr::get(type, values);
}

llvm::Expected<ElementsAttr> tenon::onnximport::importTensor(
    Session &session, const proto::TensorProto &tensor, StringRef name) {
  SmallVector<int64_t> dims = llvm::map_to_vector(tensor.dims(), staticDim);
  auto type = tensorType(session, dims, tensor.data_type());
  if (!type)
    return type.takeError();
  if (tensor.data_type() == proto::TensorProto::STRING)
    return stringTensor(*type, tensor);
  uint64_t size = elementSize(type->getElementType());
  uint64_t bits = elementBits(type->getElementType());
  uint64_t count = type->getNumElements();
  RawBytes raw = rawBytes(session, tensor, size);
  uint64_t expected =
      bits < 8 ? llvm::divideCeil(count * bits, 8) : count * size;
  if (raw.bytes.size() != expected)
    return createStringError("it has " + llvm::Twine(raw.bytes.size()) +
                             " bytes of data but its type takes " +
                             llvm::Twine(expected));
  if (bits < 8) {
    std::string bytes = unpack(raw.bytes, bits, count);
    raw = {{}, nullptr, std::move(bytes)};
    raw.bytes = raw.buffer;
  }
  if (isSplat(raw.bytes, size))
    return dense(*type, raw.bytes.take_front(size));
  if (raw.bytes.size() <= denseBytes)
    return dense(*type, raw.bytes);
  return DenseResourceElementsAttr::get(*type, name, makeBlob(raw, size));
}
