//===- Tensor.cpp - tensors on the command line ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements element types, storage and made-up contents.
//===----------------------------------------------------------------------===//
#include "lib/Run/Tensor.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <sstream>

using namespace tenon;
using namespace tenon::run;

bool tenon::run::sameType(tenon_dtype a, tenon_dtype b) {
  return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes;
}

std::string tenon::run::typeName(tenon_dtype type) {
  static const char *const names[] = {"int",    "uint",    "float", "handle",
                                      "bfloat", "complex", "bool"};
  if (type.code == TENON_BOOL)
    return "bool";
  if (type.code == TENON_STRING)
    return "string";
  if (isSmallFloat(type))
    return smallFloatName(type);
  std::string name = type.code < std::size(names) ? names[type.code] : "type";
  return name + std::to_string(type.bits);
}

bool TensorSpec::isOpen() const {
  return std::any_of(shape.begin(), shape.end(),
                     [](int64_t dim) { return dim < 0; });
}

const char *tenon::run::kindName(tenon_value_kind kind) {
  return kind == TENON_VALUE_TENSOR     ? "tensor"
         : kind == TENON_VALUE_SEQUENCE ? "sequence"
                                        : "optional";
}

/// In front of what holds for the tensors.
static std::string kindText(tenon_value_kind kind) {
  return kind == TENON_VALUE_TENSOR     ? ""
         : kind == TENON_VALUE_SEQUENCE ? "sequence of "
         : kind == TENON_VALUE_OPTIONAL ? "optional "
                                        : "optional sequence of ";
}

std::string TensorSpec::str() const {
  const char *separator = isOpen() ? ", " : "x";
  std::string text = kindText(kind) + typeName(type) + " [";
  if (hasAnyRank)
    return text + "...]";
  for (size_t i = 0; i < shape.size(); ++i) {
    text += i ? separator : "";
    if (shape[i] >= 0)
      text += std::to_string(shape[i]);
    else
      text += i < dimNames.size() && !dimNames[i].empty() ? dimNames[i] : "?";
  }
  return text + "]";
}

std::string Tensor::str() const {
  if (isTensor())
    return spec.str();
  if (spec.kind == TENON_VALUE_OPTIONAL)
    return "nothing";
  std::string text = "sequence of " + std::to_string(items.size());
  return items.empty() ? text : text + " " + typeName(spec.type);
}

Result<int64_t> tenon::run::countElements(const std::vector<int64_t> &shape) {
  int64_t count = 1;
  for (int64_t dim : shape)
    if (dim < 0 || __builtin_mul_overflow(count, dim, &count))
      return Error{"the shape has unknown or too large dimensions"};
  return count;
}

Result<Tensor> Tensor::make(TensorSpec spec) {
  Tensor tensor;
  Result<int64_t> count = countElements(spec.shape);
  if (!count)
    return Error{"'" + spec.name + "': " + count.error().message};
  tensor.elements = *count;
  if (spec.type.code == TENON_STRING) {
    if (*count > PTRDIFF_MAX / int64_t(sizeof(std::string)))
      return Error{"'" + spec.name + "' is too large"};
    tensor.strings.resize(*count);
    tensor.spec = std::move(spec);
    return tensor;
  }
  size_t width = elementBytes(spec.type), size;
  if (__builtin_mul_overflow(width, size_t(*count), &size) ||
      size > PTRDIFF_MAX - 64)
    return Error{"'" + spec.name + "' is too large"};
  size = (size / 64 + 1) * 64;
  tensor.bytes.reset(static_cast<uint8_t *>(std::aligned_alloc(64, size)));
  if (!tensor.bytes)
    return Error{"no memory for '" + spec.name + "' of " +
                 std::to_string(size) + " bytes"};
  std::memset(tensor.data(), 0, size);
  tensor.spec = std::move(spec);
  return tensor;
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

template <typename T> static T load(const uint8_t *bytes) {
  T value;
  std::memcpy(&value, bytes, sizeof value);
  return value;
}

static double fromHalf(uint16_t bits) {
  int exponent = bits >> 10 & 31, fraction = bits & 1023;
  double value;
  if (exponent == 31)
    value = fraction ? NAN : INFINITY;
  else if (exponent)
    value = std::ldexp(1024 + fraction, exponent - 25);
  else
    value = std::ldexp(fraction, -24);
  return bits >> 15 ? -value : value;
}

uint16_t tenon::run::toHalf(float value) {
  uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  double size = std::fabs(double(value));
  if (std::isnan(value))
    return sign | 0x7e00;
  if (size >= 65520)
    return sign | 0x7c00;
  int exponent = size > 0 ? std::max(std::ilogb(size), -14) : -14;
  // nearbyint rounds ties to even; a carry moves on to the next exponent.
  int scaled = int(std::nearbyint(std::ldexp(size, 10 - exponent)));
  return sign | (scaled + ((exponent + 14) << 10));
}

uint16_t tenon::run::toBFloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (std::isnan(value))
    return bits >> 16 | 0x40;
  return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}

static double intAt(const uint8_t *bytes, int bits) {
  switch (bits) {
  case 8:
    return load<int8_t>(bytes);
  case 16:
    return load<int16_t>(bytes);
  case 32:
    return load<int32_t>(bytes);
  default:
    return double(load<int64_t>(bytes));
  }
}

static double uintAt(const uint8_t *bytes, int bits) {
  switch (bits) {
  case 8:
    return load<uint8_t>(bytes);
  case 16:
    return load<uint16_t>(bytes);
  case 32:
    return load<uint32_t>(bytes);
  default:
    return double(load<uint64_t>(bytes));
  }
}

static double floatAt(const uint8_t *bytes, int bits) {
  switch (bits) {
  case 16:
    return fromHalf(load<uint16_t>(bytes));
  case 32:
    return load<float>(bytes);
  default:
    return load<double>(bytes);
  }
}

double Tensor::at(int64_t i) const {
  int bits = spec.type.bits;
  const uint8_t *element = data() + i * elementBytes(spec.type);
  if (isSmall(spec.type))
    return smallAt(spec.type, *element);
  switch (spec.type.code) {
  case TENON_INT:
    return intAt(element, bits);
  case TENON_FLOAT:
    return floatAt(element, bits);
  case TENON_COMPLEX:
    return floatAt(element, bits / 2);
  case TENON_BFLOAT:
    return std::bit_cast<float>(uint32_t(load<uint16_t>(element)) << 16);
  default:
    return uintAt(element, bits);
  }
}

//===----------------------------------------------------------------------===//
// Made-up contents
//===----------------------------------------------------------------------===//

static uint64_t hashName(const std::string &name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (unsigned char c : name)
    hash = (hash ^ c) * 0x100000001b3u;
  return hash;
}

static uint64_t randomBits(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

template <typename T> static void store(uint8_t *bytes, T value) {
  std::memcpy(bytes, &value, sizeof value);
}

static void storeFloat(uint8_t *bytes, tenon_dtype type, float value) {
  if (type.code == TENON_BFLOAT)
    store(bytes, toBFloat(value));
  else if (type.bits == 16)
    store(bytes, toHalf(value));
  else if (type.bits == 32)
    store(bytes, value);
  else
    store(bytes, double(value));
}

void tenon::run::fillRandom(Tensor &tensor, uint64_t seed, uint64_t limit) {
  tenon_dtype type = tensor.spec.type;
  int64_t count = tensor.elements;
  if (type.code == TENON_COMPLEX) {
    type = {TENON_FLOAT, uint8_t(type.bits / 2), 1};
    count *= 2;
  }
  seed ^= hashName(tensor.spec.name);
  for (size_t i = 0; i < tensor.strings.size(); ++i)
    tensor.strings[i] =
        "s" + std::to_string((randomBits(seed, i) >> 32) % limit);
  if (tensor.isOfStrings())
    return;
  size_t width = elementBytes(type);
  for (int64_t i = 0; i < count; ++i) {
    uint64_t bits = randomBits(seed, i);
    uint8_t *element = tensor.data() + i * width;
    uint64_t whole =
        type.code == TENON_BOOL ? bits >> 63 : (bits >> 32) % limit;
    if (isSmallFloat(type))
      *element = randomSmallFloat(type, bits);
    else if (type.bits < 8)
      *element = whole & ((1 << type.bits) - 1);
    else if (type.code == TENON_FLOAT || type.code == TENON_BFLOAT)
      storeFloat(element, type, float(bits >> 40) / (1 << 23) - 1);
    else
      std::memcpy(element, &whole, width);
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

Result<std::string> tenon::run::readFile(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream contents;
  if (!file || !(contents << file.rdbuf()))
    return Error{"cannot read '" + path + "'"};
  return std::move(contents).str();
}

Status tenon::run::writeText(const std::string &path, const std::string &text) {
  FILE *file = fopen(path.c_str(), "w");
  bool good = file && fwrite(text.data(), 1, text.size(), file) == text.size();
  // Closing writes what is left: its result counts too.
  if (file)
    good = fclose(file) == 0 && good;
  if (!good)
    return Error{"cannot write '" + path + "': " + strerror(errno)};
  return Done{};
}

/// Takes bytes for elements of `type`.
static void takeBytes(Tensor &tensor, tenon_dtype type) {
  bool areBytes =
      tensor.spec.type.bits == 8 && (tensor.spec.type.code == TENON_INT ||
                                     tensor.spec.type.code == TENON_UINT);
  if (!areBytes || !isSmall(type))
    return;
  tensor.spec.type = type;
  for (int64_t i = 0; i < tensor.elements; ++i)
    tensor.data()[i] &= (1 << type.bits) - 1;
}

Result<Tensor> tenon::run::readTensor(const std::string &path,
                                      tenon_dtype wanted) {
  if (path.ends_with(".npy")) {
    Result<Tensor> tensor = readNpy(path);
    if (tensor && wanted.bits)
      takeBytes(*tensor, wanted);
    return tensor;
  }
  if (path.ends_with(".pb"))
    return readTensorProto(path);
  return Error{"'" + path + "' is neither .npy nor .pb"};
}

Result<Tensor> tenon::run::readValue(const std::string &path,
                                     const TensorSpec &wanted) {
  if (path.ends_with(".pb"))
    return readProto(path, wanted.kind);
  if (wanted.kind == TENON_VALUE_TENSOR || wanted.kind == TENON_VALUE_OPTIONAL)
    return readTensor(path, wanted.type);
  return Error{"'" + path + "' is no .pb file: only these hold sequences"};
}
