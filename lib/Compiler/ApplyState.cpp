//===- ApplyState.cpp - models with what was trained ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/ApplyState.h"

#include "lib/Import/Onnx/Export.h"
#include "lib/Import/Onnx/Import.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tenon;
using llvm::createStringError;
using llvm::StringRef;
using onnximport::NewValue;

static llvm::Error damaged(StringRef state) {
  return createStringError("--apply-state: '" + state +
                           "' is cut off, or no file of tensors");
}

/// Whether a text has few brackets inside of each other, as headers do: who
/// reads it takes some of the stack for each.
static bool isFlat(StringRef header) {
  constexpr int most = 64;
  int depth = 0;
  bool isName = false;
  for (size_t i = 0; i < header.size() && depth <= most; ++i) {
    char c = header[i];
    if (c == '"')
      isName = !isName;
    else if (isName)
      i += c == '\\';
    else
      depth += (c == '[' || c == '{') - (c == ']' || c == '}');
  }
  return depth <= most;
}

/// One member of the header, whose elements lie in `data`; false: it is none.
static bool readValue(const llvm::json::Object &fields, StringRef data,
                      NewValue &value) {
  auto type = fields.getString("dtype");
  const llvm::json::Array *shape = fields.getArray("shape");
  const llvm::json::Array *offsets = fields.getArray("data_offsets");
  if (!type || !shape || !offsets || offsets->size() != 2)
    return false;
  auto begin = (*offsets)[0].getAsInteger(), end = (*offsets)[1].getAsInteger();
  if (!begin || !end || *begin < 0 || *end < *begin ||
      uint64_t(*end) > data.size())
    return false;
  value.type = type->str();
  value.bytes = data.slice(*begin, *end);
  for (const llvm::json::Value &extent : *shape) {
    auto number = extent.getAsInteger();
    if (!number)
      return false;
    value.shape.push_back(*number);
  }
  return true;
}

/// The tensors of a safetensors file, in the order of their names.
static llvm::Expected<std::vector<NewValue>> readValues(StringRef bytes,
                                                        StringRef state) {
  uint64_t size = 0;
  if (bytes.size() >= sizeof size)
    size = llvm::support::endian::read64le(bytes.data());
  if (bytes.size() < sizeof size || size > bytes.size() - sizeof size)
    return damaged(state);
  StringRef text = bytes.substr(sizeof size, size).rtrim(' ');
  if (!isFlat(text))
    return damaged(state);
  auto header = llvm::json::parse(text);
  const llvm::json::Object *members = nullptr;
  if (header)
    members = header->getAsObject();
  else
    llvm::consumeError(header.takeError());
  if (!members)
    return damaged(state);
  std::vector<NewValue> values;
  for (const auto &[name, member] : *members) {
    if (StringRef(name) == "__metadata__")
      continue;
    values.emplace_back();
    values.back().name = StringRef(name).str();
    const llvm::json::Object *fields = member.getAsObject();
    if (!fields || !readValue(*fields, bytes.drop_front(sizeof size + size),
                              values.back()))
      return damaged(state);
  }
  llvm::sort(values, [](const NewValue &a, const NewValue &b) {
    return a.name < b.name;
  });
  return values;
}

llvm::Expected<std::string> tenon::applyState(StringRef path, StringRef state) {
  if (!onnximport::isOnnxFile(path))
    return createStringError("--apply-state takes ONNX models");
  auto file = llvm::MemoryBuffer::getFile(state);
  if (!file)
    return createStringError("--apply-state: cannot read '" + state +
                             "': " + file.getError().message());
  auto values = readValues((*file)->getBuffer(), state);
  if (!values)
    return values.takeError();
  return onnximport::withValues(path, *values);
}
