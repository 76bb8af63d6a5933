//===- ProgramText.cpp - read the program form ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads in three rounds, so that statements may come in any order:
// first the streams, then what has a name, then what refers to names.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Text/Statement.h"
#include "lib/Memory/Text/Text.h"
#include "lib/Memory/Text/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace tenon::mem;
using llvm::StringRef;

namespace {
class Reader {
public:
  llvm::Expected<Instance> read(StringRef text) {
    llvm::Expected<std::vector<Statement>> found = statementsOf(text);
    if (!found)
      return found.takeError();
    statements = std::move(*found);
    for (int round = 0; round < 3; ++round)
      for (Statement &statement : statements)
        if (llvm::Error error = readStatement(statement, round))
          return error;
    return finish();
  }

private:
  using Handler = void (Reader::*)(Statement &);
  struct Form {
    int round;
    Handler handler;
  };

  std::vector<Statement> statements;
  Lines lines;
  Instance instance;
  Program program;
  llvm::StringMap<unsigned> tensors, nodes;
  std::vector<std::optional<int64_t>> offsets;
  std::vector<size_t> tensorLines;
  size_t placeLine = 0;
  bool hasStreams = false, bare = false;

  static Form formOf(StringRef keyword) {
    return llvm::StringSwitch<Form>(keyword)
        .Case("streams", {0, &Reader::readStreams})
        .Case("tensor", {1, &Reader::readTensor})
        .Case("buffer", {1, &Reader::readBuffer})
        .Case("node", {1, &Reader::readNode})
        .Case("wait", {2, &Reader::readWait})
        .Case("input", {2, &Reader::readMarks})
        .Case("output", {2, &Reader::readMarks})
        .Case("lifelong", {2, &Reader::readMarks})
        .Case("contiguous", {2, &Reader::readContiguous})
        .Case("inplace", {2, &Reader::readInPlace})
        .Case("view", {2, &Reader::readView})
        .Case("place", {2, &Reader::readPlace})
        .Default({0, nullptr});
  }

  llvm::Error readStatement(Statement &statement, int round) {
    auto [when, handler] = formOf(statement.keyword());
    if (!handler)
      return atLine(statement.lineNumber(), statement.keyword(),
                    "is not a statement");
    // A node is named in one round and wired in the next.
    bool wire = statement.keyword() == "node" && round == 2;
    if (wire)
      readUses(statement);
    else if (when == round)
      (this->*handler)(statement);
    else
      return llvm::Error::success();
    bool half = statement.keyword() == "node" && !wire;
    return half ? statement.failed() : statement.finish();
  }

  void readStreams(Statement &s) {
    if (hasStreams)
      s.fail("the number of streams is given twice");
    program.streams = unsigned(s.number(1, 1024));
    hasStreams = true;
  }

  /// The part of a tensor or buffer that follows its size and life.
  void readAttributes(Statement &s, Tensor &tensor) {
    if (s.accept("align"))
      tensor.alignment = s.number(1, mostBytes);
    if (s.accept("scope"))
      tensor.scope = unsigned(s.number(0, 255));
    if (s.accept("at"))
      tensor.fixed = s.number(0, mostBytes);
  }

  void readIdAndSize(Statement &s, Tensor &tensor) {
    tensor.id = readName(s.word());
    tensor.size = s.number(0, mostBytes);
    if (!tensors.try_emplace(tensor.id, unsigned(tensors.size())).second)
      s.fail(tensor.id, "appears twice");
    lines.define(tensor.id, /*node=*/false, s.lineNumber());
    tensorLines.push_back(s.lineNumber());
  }

  void readTensor(Statement &s) {
    Tensor tensor;
    readIdAndSize(s, tensor);
    readAttributes(s, tensor);
    if (bare)
      s.fail("a tensor stands beside buffers that have lives");
    program.tensors.push_back(std::move(tensor));
  }

  Clock readMoment(Statement &s) {
    llvm::Expected<Clock> clock = readClock(s.word(), s.lineNumber());
    if (clock)
      return *clock;
    llvm::consumeError(clock.takeError());
    s.fail("a moment is a number, or numbers with colons between them");
    return 0;
  }

  void readBuffer(Statement &s) {
    Tensor tensor;
    readIdAndSize(s, tensor);
    Buffer buffer;
    s.expect("lives");
    buffer.lower = readMoment(s);
    buffer.upper = readMoment(s);
    if (s.accept("on"))
      buffer.stream = unsigned(s.number(0, 1023));
    readAttributes(s, tensor);
    if (!program.tensors.empty() || !program.nodes.empty())
      s.fail("a buffer with a life stands beside a program");
    bare = true;
    buffer.id = tensor.id;
    buffer.size = tensor.size;
    buffer.alignment = tensor.alignment;
    buffer.scope = tensor.scope;
    buffer.fixed = tensor.fixed;
    instance.problem.buffers.push_back(std::move(buffer));
  }

  void readNode(Statement &s) {
    Node node;
    node.id = readName(s.word());
    s.expect("on");
    node.stream = unsigned(s.number(0, program.streams - 1));
    if (s.accept("cost"))
      node.cost = s.number(0, int64_t(1) << 40);
    if (bare)
      s.fail("a node stands beside buffers that have lives");
    if (!nodes.try_emplace(node.id, unsigned(nodes.size())).second)
      s.fail(node.id, "appears twice");
    lines.define(node.id, /*node=*/true, s.lineNumber());
    program.nodes.push_back(std::move(node));
  }

  void readUses(Statement &s) {
    unsigned node = wired++;
    if (s.accept("reads"))
      for (unsigned tensor : s.references(tensors, "tensor")) {
        std::vector<unsigned> &consumers = program.tensors[tensor].consumers;
        if (consumers.empty() || consumers.back() != node)
          consumers.push_back(node);
      }
    if (s.accept("writes"))
      for (unsigned tensor : s.references(tensors, "tensor")) {
        std::optional<unsigned> &producer = program.tensors[tensor].producer;
        if (producer)
          s.fail(program.tensors[tensor].id, "is written twice");
        producer = node;
      }
    if (s.accept("joins"))
      for (unsigned tensor : s.references(tensors, "tensor"))
        program.tensors[tensor].coproducers.push_back(node);
  }
  unsigned wired = 0;

  void readWait(Statement &s) {
    Event event;
    event.before = s.reference(nodes, "node");
    s.expect("for");
    event.after = s.reference(nodes, "node");
    program.events.push_back(event);
  }

  void readMarks(Statement &s) {
    bool Tensor::*mark = s.keyword() == "input"    ? &Tensor::input
                         : s.keyword() == "output" ? &Tensor::output
                                                   : &Tensor::lifelong;
    if (bare)
      return s.fail(s.keyword(), "needs a program");
    for (unsigned tensor : s.references(tensors, "tensor"))
      program.tensors[tensor].*mark = true;
  }

  void readContiguous(Statement &s) {
    Contiguous list;
    list.buffers = s.references(tensors, "tensor");
    if (list.buffers.empty())
      s.fail("a list needs a tensor");
    if (s.accept("guard"))
      list.guardBytes = s.number(0, mostBytes);
    program.lists.push_back(std::move(list));
  }

  void readInPlace(Statement &s) {
    Overlay overlay;
    overlay.kind = Overlay::InPlace;
    overlay.part = s.reference(tensors, "tensor");
    s.expect("over");
    overlay.whole = s.reference(tensors, "tensor");
    program.overlays.push_back(overlay);
  }

  void readView(Statement &s) {
    Overlay overlay;
    overlay.part = s.reference(tensors, "tensor");
    s.expect("of");
    overlay.whole = s.reference(tensors, "tensor");
    s.expect("at");
    overlay.delta = s.number(0, mostBytes);
    program.overlays.push_back(overlay);
  }

  void readPlace(Statement &s) {
    unsigned tensor = s.reference(tensors, "tensor");
    offsets.resize(tensors.size());
    int64_t offset = s.number(-mostBytes, mostBytes);
    if (tensor < offsets.size()) {
      if (offsets[tensor])
        s.fail("a tensor has two places");
      offsets[tensor] = offset;
    }
    placeLine = placeLine ? placeLine : s.lineNumber();
  }

  llvm::Expected<Instance> finish() {
    if (bare) {
      instance.problem.lists = program.lists;
      instance.problem.overlays = program.overlays;
    } else {
      if (llvm::Error error = lines.locate(program.check()))
        return error;
      instance.problem = problemOf(program);
      instance.program = std::move(program);
    }
    if (llvm::Error error = lines.locate(instance.problem.check()))
      return error;
    if (llvm::Error error = addSolution())
      return error;
    return std::move(instance);
  }

  llvm::Error addSolution() {
    if (!placeLine)
      return llvm::Error::success();
    Solution solution;
    for (size_t i = 0; i < offsets.size(); ++i) {
      if (!offsets[i])
        return atLine(placeLine, instance.problem.buffers[i].id,
                      "has no place, others have");
      solution.offsets.push_back(*offsets[i]);
    }
    solution.arenas = arenasOf(instance.problem, solution.offsets);
    instance.solution = std::move(solution);
    return llvm::Error::success();
  }
};
} // namespace

llvm::Expected<Instance> tenon::mem::readProgramText(StringRef text) {
  return Reader().read(text);
}
