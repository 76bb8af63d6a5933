//===- Wire.cpp - taking the weights out of a serialised model ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks the messages that can hold tensors and copies everything
// else. Field numbers are those of onnx.proto.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Wire.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace tenon::onnximport;
using llvm::StringRef;

namespace {
enum class Kind { None, Model, Function, Graph, Node, Attribute, Tensor, Drop };

enum WireType { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct Field {
  uint32_t number;
  uint32_t type;
  StringRef whole; ///< tag, length and content
  StringRef value; ///< the content of a Bytes field
  uint64_t integer = 0;
};

/// Reads the fields of one message from front to back.
class FieldReader {
public:
  explicit FieldReader(StringRef message) : rest(message) {}
  bool atEnd() const { return rest.empty(); }
  /// The next field, or none if the wire format is violated.
  std::optional<Field> next();

private:
  bool varint(uint64_t &value);
  bool skip(uint64_t bytes);
  StringRef rest;
};
} // namespace

bool FieldReader::varint(uint64_t &value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !rest.empty(); shift += 7) {
    uint8_t byte = rest.front();
    rest = rest.drop_front();
    value |= uint64_t(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return true;
  }
  return false;
}

bool FieldReader::skip(uint64_t bytes) {
  if (bytes > rest.size())
    return false;
  rest = rest.drop_front(bytes);
  return true;
}

std::optional<Field> FieldReader::next() {
  const char *begin = rest.data();
  uint64_t tag, length;
  if (!varint(tag) || tag > UINT32_MAX || tag >> 3 == 0)
    return std::nullopt;
  Field field{uint32_t(tag >> 3), uint32_t(tag & 7), {}, {}};
  switch (field.type) {
  case Varint:
    if (!varint(field.integer))
      return std::nullopt;
    break;
  case Fixed64:
    if (!skip(8))
      return std::nullopt;
    break;
  case Fixed32:
    if (!skip(4))
      return std::nullopt;
    break;
  case Bytes:
    if (!varint(length) || length > rest.size())
      return std::nullopt;
    field.value = rest.take_front(length);
    rest = rest.drop_front(length);
    break;
  default: // groups, which onnx.proto does not use
    return std::nullopt;
  }
  field.whole = StringRef(begin, rest.data() - begin);
  return field;
}

/// What message the field `number` of a message of kind `kind` holds.
static Kind childKind(Kind kind, uint32_t number) {
  switch (kind) {
  case Kind::Model: // graph, training_info, functions
    return number == 7    ? Kind::Graph
           : number == 20 ? Kind::Drop
           : number == 25 ? Kind::Function
                          : Kind::None;
  case Kind::Function: // node
    return number == 7 ? Kind::Node : Kind::None;
  case Kind::Graph: // node, initializer
    return number == 1 ? Kind::Node : number == 5 ? Kind::Tensor : Kind::None;
  case Kind::Node: // attribute
    return number == 5 ? Kind::Attribute : Kind::None;
  case Kind::Attribute: // t, g, tensors, graphs
    return number == 5 || number == 10   ? Kind::Tensor
           : number == 6 || number == 11 ? Kind::Graph
                                         : Kind::None;
  default:
    return Kind::None;
  }
}

namespace {
/// Rewrites a model; `error` says why it stopped.
class Stripper {
public:
  Stripper(StringRef input, uint64_t maxBytes)
      : input(input), maxBytes(maxBytes) {}
  bool message(StringRef body, Kind kind, unsigned depth);

  StrippedModel result;
  std::string error;

private:
  bool tensor(StringRef body);
  bool copy(StringRef bytes);
  bool fail(const char *why, StringRef where);
  bool nested(const Field &field, Kind kind, unsigned depth);
  void appendVarint(uint64_t value);
  void appendSlice(StringRef payload);

  StringRef input;
  uint64_t maxBytes;
};
} // namespace

bool Stripper::fail(const char *why, StringRef where) {
  error = (llvm::Twine(why) + " at byte " +
           llvm::Twine(uint64_t(where.data() - input.data())))
              .str();
  return false;
}

bool Stripper::copy(StringRef bytes) {
  if (result.bytes.size() + bytes.size() > maxBytes)
    return fail("the graph without weights is too large", bytes);
  result.bytes.append(bytes.begin(), bytes.end());
  return true;
}

void Stripper::appendVarint(uint64_t value) {
  for (; value >= 0x80; value >>= 7)
    result.bytes.push_back(char(value | 0x80));
  result.bytes.push_back(char(value));
}

/// Writes `field` with its content rewritten. The new length is not known
/// before, so it is a varint padded to five bytes.
bool Stripper::nested(const Field &field, Kind kind, unsigned depth) {
  appendVarint(field.number << 3 | Bytes);
  size_t lengthAt = result.bytes.size();
  result.bytes.append(5, '\0');
  bool done = kind == Kind::Tensor ? tensor(field.value)
                                   : message(field.value, kind, depth + 1);
  if (!done)
    return false;
  uint64_t length = result.bytes.size() - lengthAt - 5;
  for (unsigned i = 0; i < 5; ++i)
    result.bytes[lengthAt + i] =
        char((length >> (7 * i) & 0x7f) | (i < 4 ? 0x80 : 0));
  return true;
}

bool Stripper::message(StringRef body, Kind kind, unsigned depth) {
  if (depth > 100)
    return fail("messages are nested too deeply", body);
  for (FieldReader reader(body); !reader.atEnd();) {
    std::optional<Field> field = reader.next();
    if (!field)
      return fail("malformed or truncated message", body);
    Kind child = childKind(kind, field->number);
    if (child == Kind::Drop)
      continue;
    bool done = child == Kind::None || field->type != Bytes
                    ? copy(field->whole)
                    : nested(*field, child, depth);
    if (!done)
      return false;
  }
  return true;
}

namespace {
/// What a first look over a TensorProto finds.
struct TensorFacts {
  uint64_t dataType = 0;
  unsigned payloads = 0; ///< fields that hold elements
  Field payload{};       ///< the last of them
};
} // namespace

/// Fields of TensorProto.
enum TensorField {
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  ExternalEntry = 13
};

static bool isPayload(uint32_t number) {
  return (number >= FloatData && number <= Int64Data) ||
         (number >= RawData && number <= Uint64Data);
}

/// Whether the payload's bytes are the tensor's elements in memory: raw data,
/// and packed floating-point fields. Types narrower than a byte stay: onnx's
/// checker looks at the size of their data.
static bool isCuttable(const TensorFacts &facts) {
  const Field &payload = facts.payload;
  if (facts.payloads != 1 || payload.type != Bytes ||
      payload.value.size() <= inlineBytes)
    return false;
  uint64_t type = facts.dataType;
  switch (payload.number) {
  case RawData:
    return type != 8 && (type < 21 || type == 24) && type != 0;
  case FloatData: // float, complex64
    return type == 1 || type == 14;
  case DoubleData: // double, complex128
    return type == 11 || type == 15;
  default:
    return false;
  }
}

/// Whether an external_data entry claims to be one of ours.
static bool isForged(const Field &field) {
  return field.number == ExternalEntry && field.value.contains(sliceKey);
}

void Stripper::appendSlice(StringRef payload) {
  std::string index = llvm::utostr(result.ranges.size());
  result.ranges.push_back(
      {uint64_t(payload.data() - input.data()), payload.size()});
  appendVarint(RawData << 3 | Bytes);
  result.bytes.append({'\1', '\0'});
  appendVarint(ExternalEntry << 3 | Bytes);
  appendVarint(2 + sliceKey.size() + 2 + index.size());
  appendVarint(1 << 3 | Bytes); // key
  appendVarint(sliceKey.size());
  result.bytes += sliceKey;
  appendVarint(2 << 3 | Bytes); // value
  appendVarint(index.size());
  result.bytes += index;
}

bool Stripper::tensor(StringRef body) {
  TensorFacts facts;
  for (FieldReader reader(body); !reader.atEnd();) {
    std::optional<Field> field = reader.next();
    if (!field)
      return fail("malformed or truncated tensor", body);
    if (field->number == DataType && field->type == Varint)
      facts.dataType = field->integer;
    if (isPayload(field->number)) {
      ++facts.payloads;
      facts.payload = *field;
    }
  }
  bool cut = isCuttable(facts);
  for (FieldReader reader(body); !reader.atEnd();) {
    Field field = *reader.next();
    bool skip =
        isForged(field) ||
        (cut && (isPayload(field.number) || field.number == ExternalEntry));
    if (!skip && !copy(field.whole))
      return false;
  }
  if (cut)
    appendSlice(facts.payload.value);
  return true;
}

llvm::Expected<StrippedModel>
tenon::onnximport::stripWeights(StringRef model, uint64_t maxBytes) {
  Stripper stripper(model, maxBytes);
  if (!stripper.message(model, Kind::Model, 0))
    return llvm::createStringError(stripper.error);
  return std::move(stripper.result);
}
