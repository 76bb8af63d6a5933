//===- Text.cpp - problems as CSV -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Text/Text.h"
#include "lib/Memory/Text/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace tenon::mem;
using llvm::SmallVector;
using llvm::StringRef;

static constexpr int64_t mostOffset = int64_t(1) << 60;
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
                                                 : place ? -mostOffset
                                                         : INT64_MIN,
                                                 small   ? 65535
                                                 : place ? mostOffset
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

void tenon::mem::writeProblem(const Problem &problem, const Solution *solution,
                              llvm::raw_ostream &stream) {
  bool scopes = llvm::any_of(problem.buffers,
                             [](const Buffer &b) { return b.scope != 0; });
  bool streams = llvm::any_of(problem.buffers,
                              [](const Buffer &b) { return b.stream != 0; });
  bool fixed = llvm::any_of(
      problem.buffers, [](const Buffer &b) { return b.fixed.has_value(); });
  stream << "id,lower,upper,size,alignment" << (scopes ? ",scope" : "")
         << (streams ? ",stream" : "") << (fixed ? ",fixed" : "")
         << (solution ? ",offset\n" : "\n");
  for (size_t i = 0; i < problem.buffers.size(); ++i) {
    const Buffer &buffer = problem.buffers[i];
    stream << nameText(buffer.id) << ',' << clockText(buffer.lower) << ','
           << clockText(buffer.upper) << ',' << buffer.size << ','
           << buffer.alignment;
    if (scopes)
      stream << ',' << buffer.scope;
    if (streams)
      stream << ',' << buffer.stream;
    if (fixed)
      stream << ',';
    if (buffer.fixed)
      stream << *buffer.fixed;
    if (solution)
      stream << ',' << solution->offsets[i];
    stream << '\n';
  }
}

/// The first line that is neither blank nor a comment.
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
  bool plain = !instance.program && !instance.symbolic &&
               instance.problem.lists.empty() &&
               instance.problem.overlays.empty();
  if (plain)
    writeProblem(instance.problem,
                 instance.solution ? &*instance.solution : nullptr, stream);
  else
    writeProgramText(instance, stream);
}
