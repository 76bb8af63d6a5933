//===- TensorProto.cpp - onnx's tensor files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a serialised TensorProto, SequenceProto or OptionalProto.
// Field numbers are those of onnx.proto.
//===----------------------------------------------------------------------===//
#include "lib/Run/Tensor.h"
#include "lib/Run/Wire.h"

#include <cstring>
#include <optional>
#include <string_view>

using namespace tenon;
using namespace tenon::run;

namespace {

enum Field : uint32_t {
  Dims = 1,
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  DataLocation = 14
};

/// The fields of the message, undecoded. Values of repeated fields are
/// collected as 64-bit words, floats and doubles as their bits.
struct Message {
  std::vector<int64_t> dims;
  uint64_t dataType = 0;
  std::string name;
  std::optional<std::string_view> raw;
  std::vector<uint64_t> words;
  std::vector<std::string> strings;
  bool isExternal = false;
};

} // namespace

/// A repeated number field, packed or not.
static void readWords(WireReader &reader, uint32_t wire, uint32_t element,
                      std::vector<uint64_t> &words) {
  WireReader values = reader;
  if (wire == Bytes)
    values = {reader.take(reader.varint())};
  do {
    if (wire == Bytes && values.bytes.empty())
      break;
    uint64_t word = 0;
    if (element == Varint) {
      word = values.varint();
    } else {
      std::string_view bits = values.take(element == Fixed64 ? 8 : 4);
      std::memcpy(&word, bits.data(), bits.size());
    }
    words.push_back(word);
  } while (wire == Bytes && !values.failed);
  bool failed = reader.failed || values.failed;
  if (wire != Bytes)
    reader = values;
  reader.failed = failed;
}

static void readField(WireReader &reader, uint32_t field, uint32_t wire,
                      Message &message) {
  std::vector<uint64_t> dims;
  switch (field) {
  case Dims:
    readWords(reader, wire, Varint, dims);
    message.dims.insert(message.dims.end(), dims.begin(), dims.end());
    return;
  case DataType:
    message.dataType = reader.varint();
    return;
  case Name:
    message.name = reader.take(reader.varint());
    return;
  case RawData:
    message.raw = reader.take(reader.varint());
    return;
  case FloatData:
    return readWords(reader, wire, Fixed32, message.words);
  case DoubleData:
    return readWords(reader, wire, Fixed64, message.words);
  case Int32Data:
  case Int64Data:
  case Uint64Data:
    return readWords(reader, wire, Varint, message.words);
  case DataLocation:
    message.isExternal = reader.varint() == 1;
    return;
  case StringData:
    message.strings.emplace_back(reader.take(reader.varint()));
    return;
  default:
    reader.skip(wire);
  }
}

static Result<Message> readMessage(std::string_view bytes) {
  WireReader reader{bytes};
  Message message;
  while (reader.more()) {
    uint64_t key = reader.varint();
    readField(reader, key >> 3, key & 7, message);
  }
  if (reader.failed)
    return Error{"malformed"};
  return message;
}

/// onnx's TensorProto.DataType; element bits of 0 for what has no equivalent.
static tenon_dtype typeOf(uint64_t dataType) {
  static constexpr tenon_dtype types[] = {{},
                                          {TENON_FLOAT, 32, 1},
                                          {TENON_UINT, 8, 1},
                                          {TENON_INT, 8, 1},
                                          {TENON_UINT, 16, 1},
                                          {TENON_INT, 16, 1},
                                          {TENON_INT, 32, 1},
                                          {TENON_INT, 64, 1},
                                          {TENON_STRING, 64, 1},
                                          {TENON_BOOL, 8, 1},
                                          {TENON_FLOAT, 16, 1},
                                          {TENON_FLOAT, 64, 1},
                                          {TENON_UINT, 32, 1},
                                          {TENON_UINT, 64, 1},
                                          {TENON_COMPLEX, 64, 1},
                                          {TENON_COMPLEX, 128, 1},
                                          {TENON_BFLOAT, 16, 1},
                                          {TENON_FLOAT8_E4M3FN, 8, 1},
                                          {TENON_FLOAT8_E4M3FNUZ, 8, 1},
                                          {TENON_FLOAT8_E5M2, 8, 1},
                                          {TENON_FLOAT8_E5M2FNUZ, 8, 1},
                                          {TENON_UINT, 4, 1},
                                          {TENON_INT, 4, 1},
                                          {TENON_FLOAT4_E2M1FN, 4, 1},
                                          {TENON_FLOAT8_E8M0FNU, 8, 1},
                                          {TENON_UINT, 2, 1},
                                          {TENON_INT, 2, 1}};
  return dataType < std::size(types) ? types[dataType] : tenon_dtype{};
}

/// Copies elements below a byte, packed in bytes with the low bits first.
static void unpack(Tensor &tensor, const Message &message) {
  size_t bits = tensor.spec.type.bits;
  for (size_t i = 0; i < size_t(tensor.elements); ++i) {
    size_t at = i * bits / 8;
    uint8_t byte = message.raw ? (*message.raw)[at] : message.words[at];
    tensor.data()[i] = byte >> (i * bits % 8) & ((1 << bits) - 1);
  }
}

static Result<Tensor> makeStrings(Message &message) {
  Result<Tensor> tensor =
      Tensor::make({message.name, typeOf(message.dataType), message.dims});
  if (!tensor)
    return tensor;
  if (tensor->strings.size() != message.strings.size())
    return Error{std::to_string(message.strings.size()) +
                 " strings instead of " +
                 std::to_string(tensor->strings.size())};
  tensor->strings = std::move(message.strings);
  return tensor;
}

static Result<Tensor> makeTensor(Message &message) {
  tenon_dtype type = typeOf(message.dataType);
  if (type.code == TENON_STRING)
    return makeStrings(message);
  if (!message.strings.empty() || !type.bits)
    return Error{"element type " + std::to_string(message.dataType)};
  if (message.isExternal)
    return Error{"its data lie in another file"};
  Result<int64_t> count = countElements(message.dims);
  if (!count)
    return count.error();
  // Complex elements are two words each in the typed fields.
  size_t width = elementBytes(type);
  size_t parts = type.code == TENON_COMPLEX ? 2 : 1;
  size_t given =
      message.raw ? message.raw->size() / width : message.words.size() / parts;
  size_t wanted = *count;
  if (type.bits < 8)
    wanted = wanted / (8 / type.bits) + (wanted % (8 / type.bits) != 0);
  if (given != wanted)
    return Error{std::to_string(given) +
                 (type.bits < 8 ? " packed bytes" : " elements") +
                 " instead of " + std::to_string(wanted)};
  Result<Tensor> tensor = Tensor::make({message.name, type, message.dims});
  if (!tensor)
    return tensor.error();
  if (type.bits < 8)
    unpack(*tensor, message);
  else if (message.raw)
    std::memcpy(tensor->data(), message.raw->data(), tensor->byteSize());
  else
    for (size_t i = 0; i < message.words.size(); ++i)
      std::memcpy(tensor->data() + i * (width / parts), &message.words[i],
                  width / parts);
  return tensor;
}

static Result<Tensor> parseTensor(std::string_view bytes) {
  Result<Message> message = readMessage(bytes);
  return message ? makeTensor(*message) : Result<Tensor>(message.error());
}

//===----------------------------------------------------------------------===//
// Sequences and optionals
//===----------------------------------------------------------------------===//

/// Their fields have the same numbers up to here: a repeated one in sequences,
/// at most one in optionals.
enum ValueField : uint32_t { TensorValue = 3, SequenceValue = 5 };

/// The fields of a message that hold a value, in order.
static Result<std::vector<std::pair<uint32_t, std::string_view>>>
readValueFields(std::string_view bytes) {
  std::vector<std::pair<uint32_t, std::string_view>> fields;
  WireReader reader{bytes};
  while (reader.more()) {
    uint64_t key = reader.varint();
    if ((key & 7) == Bytes && key >> 3 >= TensorValue)
      fields.push_back({uint32_t(key >> 3), reader.take(reader.varint())});
    else
      reader.skip(key & 7);
  }
  if (reader.failed)
    return Error{"malformed"};
  return fields;
}

static Result<Tensor> parseSequence(std::string_view bytes) {
  auto fields = readValueFields(bytes);
  if (!fields)
    return fields.error();
  Tensor sequence;
  sequence.spec.kind = TENON_VALUE_SEQUENCE;
  for (auto [field, value] : *fields) {
    if (field != TensorValue)
      return Error{"a sequence of something else than tensors"};
    Result<Tensor> tensor = parseTensor(value);
    if (!tensor)
      return tensor;
    sequence.spec.type = tensor->spec.type;
    sequence.items.push_back(std::move(*tensor));
  }
  return sequence;
}

static Result<Tensor> parseOptional(std::string_view bytes) {
  auto fields = readValueFields(bytes);
  if (!fields)
    return fields.error();
  if (fields->empty()) {
    Tensor nothing;
    nothing.spec.kind = TENON_VALUE_OPTIONAL;
    return nothing;
  }
  auto [field, value] = fields->front();
  if (field == TensorValue)
    return parseTensor(value);
  if (field == SequenceValue)
    return parseSequence(value);
  return Error{"an optional of something else than a tensor or a sequence"};
}

Result<Tensor> tenon::run::readProto(const std::string &path,
                                     tenon_value_kind kind) {
  Result<std::string> file = readFile(path);
  if (!file)
    return file.error();
  Result<Tensor> value = kind == TENON_VALUE_TENSOR     ? parseTensor(*file)
                         : kind == TENON_VALUE_SEQUENCE ? parseSequence(*file)
                                                        : parseOptional(*file);
  if (!value)
    return Error{"'" + path + "' is not a " + kindName(kind) +
                 " that can be read: " + value.error().message};
  return value;
}

Result<Tensor> tenon::run::readTensorProto(const std::string &path) {
  return readProto(path, TENON_VALUE_TENSOR);
}
