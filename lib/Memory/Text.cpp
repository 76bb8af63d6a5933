//===- Text.cpp - problems as CSV -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Text.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon::mem;
using llvm::SmallVector;
using llvm::StringRef;

/// The number that a column fills; null for `id`.
static int64_t *columnOf(Buffer &buffer, StringRef name) {
  if (name == "lower")
    return &buffer.lower[0];
  if (name == "upper")
    return &buffer.upper[0];
  if (name == "size")
    return &buffer.size;
  return name == "alignment" ? &buffer.alignment : nullptr;
}

static SmallVector<StringRef> fields(StringRef line) {
  SmallVector<StringRef> result;
  line.split(result, ',');
  for (StringRef &field : result)
    field = field.trim();
  return result;
}

static llvm::Error badLine(size_t line, StringRef why) {
  return llvm::createStringError("line %zu: %s", line, why.str().c_str());
}

static llvm::Error readBuffer(llvm::ArrayRef<StringRef> columns, StringRef text,
                              size_t line, Buffer &buffer) {
  SmallVector<StringRef> values = fields(text);
  if (values.size() != columns.size())
    return badLine(line, "another number of fields than the header");
  for (auto [column, value] : llvm::zip(columns, values)) {
    if (column == "id")
      buffer.id = value.str();
    else if (value.getAsInteger(10, *columnOf(buffer, column)))
      return badLine(line, "'" + value.str() + "' is not an integer");
  }
  return llvm::Error::success();
}

llvm::Expected<Problem> tenon::mem::readProblem(StringRef text) {
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  SmallVector<StringRef> columns = fields(lines.front());
  Buffer any;
  for (StringRef column : columns)
    if (column != "id" && !columnOf(any, column))
      return badLine(1, "unknown column '" + column.str() + "'");
  for (StringRef column : {"id", "lower", "upper", "size"})
    if (!llvm::is_contained(columns, column))
      return badLine(1, "no column '" + column.str() + "'");
  Problem problem;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].trim().empty())
      continue;
    Buffer buffer;
    if (llvm::Error error = readBuffer(columns, lines[i], i + 1, buffer))
      return error;
    problem.buffers.push_back(std::move(buffer));
  }
  if (llvm::Error error = problem.check())
    return error;
  return problem;
}

void tenon::mem::writeProblem(const Problem &problem, const Solution *solution,
                              llvm::raw_ostream &stream) {
  stream << "id,lower,upper,size,alignment" << (solution ? ",offset\n" : "\n");
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    stream << buffer.id << ',' << buffer.lower[0] << ',' << buffer.upper[0]
           << ',' << buffer.size << ',' << buffer.alignment;
    if (solution)
      stream << ',' << solution->offsets[i];
    stream << '\n';
  }
}
