//===- Weights.cpp - each constant once -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Weights.h"

#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Interpreter.h"
#include "passes/Emit/Pack.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace mlir;
using namespace tenon;
using emit::StoredConstant;

StoredConstant StoredConstant::of(memory::ConstantOp constant) {
  return {constant.getValue(), constant.getPackAttr(),
          uint64_t(constant.getBuffer().getType().getBytes())};
}

//===-- Bytes -------------------------------------------------------------===//

/// The only element of a splat that is to be packed; such constants can be
/// large and are not worth expanding.
static ArrayRef<char> splatElement(const StoredConstant &constant) {
  auto dense = dyn_cast<DenseElementsAttr>(constant.value);
  if (!constant.pack || !dense || !dense.isSplat() ||
      dense.getElementType().isInteger(1))
    return {};
  return dense.getRawData();
}

llvm::Error StoredConstant::stream(artifact::WeightSink sink) const {
  auto send = [&](ArrayRef<char> bytes) {
    sink({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
  };
  auto type = cast<RankedTensorType>(value.getShapedType());
  if (ArrayRef<char> element = splatElement(*this); !element.empty()) {
    emit::pack(type, pack, element, send);
    return llvm::Error::success();
  }
  FailureOr<interp::Tensor> tensor = interp::Tensor::viewElements(value);
  if (failed(tensor))
    return llvm::createStringError("a constant's elements cannot be read");
  if (pack)
    emit::pack(type, pack, tensor->bytes(), send);
  else
    send(tensor->bytes());
  return llvm::Error::success();
}

//===-- Equality ----------------------------------------------------------===//

/// Spreads the bits of a word; zero stays zero.
static uint64_t mix(uint64_t word) {
  word *= 0x9e3779b97f4a7c15;
  word ^= word >> 29;
  return word * 0xbf58476d1ce4e5b9;
}

template <typename Word> static uint64_t sumOfWords(ArrayRef<char> bytes) {
  uint64_t sum = 0;
  size_t whole = bytes.size() / sizeof(Word) * sizeof(Word);
  for (size_t i = 0; i < whole; i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, &bytes[i], sizeof word);
    sum += mix(word);
  }
  uint64_t rest = 0;
  if (whole != bytes.size())
    std::memcpy(&rest, &bytes[whole], bytes.size() - whole);
  return sum + mix(rest);
}

/// Packs move elements; those that change them are compared among each other.
uint64_t StoredConstant::fingerprint() const {
  auto type = cast<RankedTensorType>(value.getShapedType());
  ArrayRef<char> bytes = splatElement(*this);
  uint64_t times = bytes.empty() ? 1 : type.getNumElements();
  FailureOr<interp::Tensor> tensor = failure();
  if (bytes.empty()) {
    tensor = interp::Tensor::viewElements(value);
    if (failed(tensor))
      return 0;
    bytes = tensor->bytes();
  }
  uint64_t salt = 0;
  if (pack && (pack.contains("winograd") || pack.contains("element")))
    salt = hash_value(Attribute(pack));
  int64_t element = graph::elementBytes(type.getElementType());
  if (!pack || element >= 4)
    return salt + times * sumOfWords<uint32_t>(bytes);
  return salt + (element == 2 ? times * sumOfWords<uint16_t>(bytes)
                              : times * sumOfWords<uint8_t>(bytes));
}

bool StoredConstant::equals(const StoredConstant &other) const {
  if (size != other.size)
    return false;
  std::vector<uint8_t> bytes;
  bytes.reserve(size);
  bool isReadable = !errorToBool(stream([&](ArrayRef<uint8_t> piece) {
    bytes.insert(bytes.end(), piece.begin(), piece.end());
  }));
  size_t done = 0;
  bool isSame = isReadable && bytes.size() == size;
  bool isOtherReadable =
      !errorToBool(other.stream([&](ArrayRef<uint8_t> piece) {
        isSame = isSame && piece.size() <= bytes.size() - done &&
                 std::equal(piece.begin(), piece.end(), bytes.begin() + done);
        done += piece.size();
      }));
  return isSame && isOtherReadable && done == size;
}

std::optional<size_t>
emit::WeightPool::findEqual(const StoredConstant &constant,
                            std::optional<uint64_t> &fingerprint) {
  auto others = bySize.find(constant.size);
  if (others == bySize.end())
    return std::nullopt;
  fingerprint = constant.fingerprint();
  for (Entry &entry : others->second) {
    const StoredConstant &other = constants[entry.index];
    if (!entry.fingerprint)
      entry.fingerprint = other.fingerprint();
    if (entry.fingerprint == fingerprint && other.equals(constant))
      return entry.index;
  }
  return std::nullopt;
}

/// Adds a constant behind the others, where it stays; returns its index.
static size_t append(artifact::WeightDesc weight,
                     std::vector<artifact::WeightDesc> &weights) {
  uint64_t end =
      weights.empty() ? 0 : weights.back().offset + weights.back().size;
  weight.offset = llvm::alignTo(end, weight.alignment);
  weights.push_back(std::move(weight));
  return weights.size() - 1;
}

size_t emit::WeightPool::add(const StoredConstant &constant,
                             std::vector<artifact::WeightDesc> &weights) {
  auto [entry, isNew] = known.try_emplace(
      {constant.value, constant.pack, constant.size}, weights.size());
  if (!isNew)
    return entry->second;
  std::optional<uint64_t> fingerprint;
  if (std::optional<size_t> equal = findEqual(constant, fingerprint))
    return entry->second = *equal;
  bySize[constant.size].push_back({weights.size(), fingerprint});
  constants.push_back(constant);
  artifact::WeightDesc weight;
  weight.size = constant.size;
  weight.stream = [constant](artifact::WeightSink sink) {
    return constant.stream(sink);
  };
  return append(std::move(weight), weights);
}

size_t emit::WeightPool::addBytes(std::string bytes,
                                  std::vector<artifact::WeightDesc> &weights) {
  artifact::WeightDesc weight;
  weight.size = bytes.size();
  weight.stream = [bytes = std::move(bytes)](artifact::WeightSink sink) {
    sink({reinterpret_cast<const uint8_t *>(bytes.data()), bytes.size()});
    return llvm::Error::success();
  };
  return append(std::move(weight), weights);
}
