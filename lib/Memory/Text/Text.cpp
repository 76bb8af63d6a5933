//===- Text.cpp - problems as CSV -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Text/Text.h"
#include "lib/Memory/Text/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace tenon::mem;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr StringRef required[] = {"id", "lower", "upper", "size"};
static constexpr StringRef optional[] = {"alignment", "offset", "scope",
                                         "fixed", "stream"};

static SmallVector<StringRef> fields(StringRef line) {
  SmallVector<StringRef> result;
  line.split(result, ',');
  for (StringRef &field : result)
    field = field.trim();
  return result;
}

static llvm::Error checkHeader(llvm::ArrayRef<StringRef> columns, size_t line) {
  for (StringRef column : columns) {
    if (!llvm::is_contained(required, column) &&
        !llvm::is_contained(optional, column))
      return atLine(line, "unknown column '" + column.str() + "'");
    if (llvm::count(columns, column) > 1)
      return atLine(line, "two columns '" + column.str() + "'");
  }
  for (StringRef column : required)
    if (!llvm::is_contained(columns, column))
      return atLine(line, "no column '" + column.str() + "'");
  return llvm::Error::success();
}

namespace {
/// One line below the header.
struct Row {
  Buffer buffer;
  int64_t offset = 0;

  llvm::Error readClockOf(Clock &clock, StringRef value, size_t line) {
    llvm::Expected<Clock> read = readClock(value, line);
    if (!read)
      return read.takeError();
    clock = *read;
    return llvm::Error::success();
  }

  llvm::Error read(StringRef column, StringRef value, size_t line) {
    if (column == "id") {
      buffer.id = readName(value);
      return value.empty() ? atLine(line, "the id is empty")
                           : llvm::Error::success();
    }
    if (column == "lower")
      return readClockOf(buffer.lower, value, line);
    if (column == "upper")
      return readClockOf(buffer.upper, value, line);
    if (column == "fixed" && value.empty())
      return llvm::Error::success();
    bool small = column == "scope" || column == "stream";
    bool place = column == "offset";
    llvm::Expected<int64_t> number = readInteger(value, line,
                                                 small   ? 0
                                                 : place ? -mostBytes
                                                         : INT64_MIN,
                                                 small   ? 65535
                                                 : place ? mostBytes
                                                         : INT64_MAX);
    if (!number)
      return number.takeError();
    set(column, *number);
    return llvm::Error::success();
  }

  void set(StringRef column, int64_t number) {
    if (column == "size")
      buffer.size = number;
    else if (column == "alignment")
      buffer.alignment = number;
    else if (column == "scope")
      buffer.scope = unsigned(number);
    else if (column == "stream")
      buffer.stream = unsigned(number);
    else if (column == "fixed")
      buffer.fixed = number;
    else
      offset = number;
  }
};
} // namespace

static llvm::Error readRow(llvm::ArrayRef<StringRef> columns, StringRef text,
                           size_t line, Row &row) {
  SmallVector<StringRef> values = fields(text);
  if (values.size() != columns.size())
    return atLine(line, "another number of fields than the header");
  for (auto [column, value] : llvm::zip(columns, values))
    if (llvm::Error error = row.read(column, value, line))
      return error;
  return llvm::Error::success();
}

llvm::Expected<Instance> tenon::mem::readCsv(StringRef text) {
  SmallVector<StringRef> lines, columns;
  text.split(lines, '\n');
  Instance instance;
  Lines known;
  std::vector<int64_t> offsets;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].trim().empty())
      continue;
    if (columns.empty()) {
      columns = fields(lines[i]);
      if (llvm::Error error = checkHeader(columns, i + 1))
        return error;
      continue;
    }
    Row row;
    if (llvm::Error error = readRow(columns, lines[i], i + 1, row))
      return error;
    known.define(row.buffer.id, /*node=*/false, i + 1);
    instance.problem.buffers.push_back(std::move(row.buffer));
    offsets.push_back(row.offset);
  }
  if (columns.empty())
    return atLine(1, "no column 'id'");
  if (llvm::Error error = known.locate(instance.problem.check()))
    return error;
  if (llvm::is_contained(columns, "offset")) {
    std::vector<int64_t> arenas = arenasOf(instance.problem, offsets);
    instance.solution = Solution{std::move(offsets), std::move(arenas)};
  }
  return instance;
}

llvm::Expected<Problem> tenon::mem::readProblem(StringRef text) {
  llvm::Expected<Instance> instance = readCsv(text);
  if (!instance)
    return instance.takeError();
  return std::move(instance->problem);
}

static void writeCell(StringRef column, const Buffer &buffer, int64_t offset,
                      llvm::raw_ostream &stream) {
  if (column == "id")
    stream << nameText(buffer.id);
  else if (column == "lower")
    stream << clockText(buffer.lower);
  else if (column == "upper")
    stream << clockText(buffer.upper);
  else if (column == "size")
    stream << buffer.size;
  else if (column == "alignment")
    stream << buffer.alignment;
  else if (column == "scope")
    stream << buffer.scope;
  else if (column == "stream")
    stream << buffer.stream;
  else if (column == "offset")
    stream << offset;
  else if (buffer.fixed)
    stream << *buffer.fixed;
}

static void writeTable(llvm::ArrayRef<StringRef> columns,
                       const Problem &problem, const Solution *solution,
                       llvm::raw_ostream &stream) {
  stream << llvm::join(columns, ",") << '\n';
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    for (StringRef column : columns) {
      if (column != columns.front())
        stream << ',';
      writeCell(column, problem.buffers[i], solution ? solution->offsets[i] : 0,
                stream);
    }
    stream << '\n';
  }
}

/// Whether some buffer needs a column that has a default.
template <typename Differs>
static bool any(const Problem &problem, Differs differs) {
  return llvm::any_of(problem.buffers, differs);
}

static bool hasFixed(const Buffer &buffer) { return buffer.fixed.has_value(); }

void tenon::mem::writeProblem(const Problem &problem, const Solution *solution,
                              llvm::raw_ostream &stream) {
  SmallVector<StringRef> columns = {"id", "lower", "upper", "size",
                                    "alignment"};
  if (problem.scopes() > 1)
    columns.push_back("scope");
  if (any(problem, [](const Buffer &b) { return b.stream != 0; }))
    columns.push_back("stream");
  if (any(problem, hasFixed))
    columns.push_back("fixed");
  if (solution)
    columns.push_back("offset");
  writeTable(columns, problem, solution, stream);
}

void tenon::mem::writePlacement(const Problem &problem,
                                const Solution &solution,
                                llvm::raw_ostream &stream) {
  SmallVector<StringRef> columns = {"id", "lower", "upper", "size", "offset"};
  if (any(problem, [](const Buffer &b) { return b.alignment != 1; }))
    columns.push_back("alignment");
  if (problem.scopes() > 1)
    columns.push_back("scope");
  if (any(problem, hasFixed))
    columns.push_back("fixed");
  writeTable(columns, problem, &solution, stream);
}

static StringRef firstLine(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.split('#').first.trim();
    if (!line.empty())
      return line;
    text = rest;
  }
  return text;
}

llvm::Expected<Instance> tenon::mem::readInstance(StringRef text) {
  // Statements of the program form hold no commas: names code them.
  return firstLine(text).contains(',') ? readCsv(text) : readProgramText(text);
}

void tenon::mem::writeInstance(const Instance &instance,
                               llvm::raw_ostream &stream) {
  bool plain = !instance.program && instance.problem.lists.empty() &&
               instance.problem.overlays.empty();
  if (plain)
    writeProblem(instance.problem,
                 instance.solution ? &*instance.solution : nullptr, stream);
  else
    writeProgramText(instance, stream);
}
