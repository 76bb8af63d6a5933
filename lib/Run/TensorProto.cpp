//===- TensorProto.cpp - onnx's tensor files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a serialised TensorProto: protobuf's wire format by hand, so
// that tenon-run needs no protobuf. Field numbers are those of onnx.proto.
//===----------------------------------------------------------------------===//
#include "lib/Run/Tensor.h"

#include <cstring>
#include <optional>
#include <string_view>

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

enum WireType : uint32_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

/// Reads wire-format values off the front of a range of bytes. After an error
/// `failed` is set and all values are zero.
struct Reader {
  std::string_view bytes;
  bool failed = false;

  uint64_t varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
      uint8_t byte = bytes.front();
      bytes.remove_prefix(1);
      value |= uint64_t(byte & 127) << shift;
      if (byte < 128)
        return value;
    }
    failed = true;
    return 0;
  }

  std::string_view take(uint64_t size) {
    if (size > bytes.size()) {
      failed = true;
      size = 0;
      bytes = {};
    }
    std::string_view taken = bytes.substr(0, size);
    bytes.remove_prefix(size);
    return taken;
  }

  void skip(uint32_t wire) {
    if (wire == Varint)
      varint();
    else if (wire == Bytes)
      take(varint());
    else if (wire == Fixed64 || wire == Fixed32)
      take(wire == Fixed64 ? 8 : 4);
    else
      failed = true;
  }
};

/// The fields of the message, undecoded. Values of repeated fields are
/// collected as 64-bit words, floats and doubles as their bits.
struct Message {
  std::vector<int64_t> dims;
  uint64_t dataType = 0;
  std::string name;
  std::optional<std::string_view> raw;
  std::vector<uint64_t> words;
  bool hasStrings = false;
  bool isExternal = false;
};

} // namespace

/// A repeated number field, packed or not.
static void readWords(Reader &reader, uint32_t wire, uint32_t element,
                      std::vector<uint64_t> &words) {
  Reader values = reader;
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

static void readField(Reader &reader, uint32_t field, uint32_t wire,
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
    message.hasStrings = true;
    [[fallthrough]];
  default:
    reader.skip(wire);
  }
}

static Result<Message> readMessage(std::string_view bytes) {
  Reader reader{bytes};
  Message message;
  while (!reader.bytes.empty() && !reader.failed) {
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
                                          {},
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

static Result<Tensor> makeTensor(const Message &message) {
  tenon_dtype type = typeOf(message.dataType);
  if (message.hasStrings || !type.bits)
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

Result<Tensor> tenon::run::readTensorProto(const std::string &path) {
  Result<std::string> file = readFile(path);
  if (!file)
    return file.error();
  Result<Message> message = readMessage(*file);
  Result<Tensor> tensor =
      message ? makeTensor(*message) : Result<Tensor>(message.error());
  if (!tensor)
    return Error{"'" + path + "' is not a tensor that can be read: " +
                 tensor.error().message};
  return tensor;
}
