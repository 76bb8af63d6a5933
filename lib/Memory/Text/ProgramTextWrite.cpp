//===- ProgramTextWrite.cpp - write the program form ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Text/Text.h"
#include "lib/Memory/Text/Words.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::mem;
using llvm::raw_ostream;

namespace {
class Writer {
public:
  Writer(const Instance &instance, raw_ostream &stream)
      : instance(instance), problem(instance.problem), stream(stream) {}

  void write() {
    if (instance.program)
      stream << "streams " << instance.program->streams << '\n';
    for (unsigned i = 0; i < problem.buffers.size(); ++i)
      writeBuffer(i);
    if (instance.program)
      writeProgram(*instance.program);
    writeTies();
    if (instance.solution)
      for (unsigned i = 0; i < problem.buffers.size(); ++i)
        stream << "place " << id(i) << ' ' << instance.solution->offsets[i]
               << '\n';
  }

private:
  const Instance &instance;
  const Problem &problem;
  raw_ostream &stream;

  std::string id(unsigned i) const { return nameText(problem.buffers[i].id); }

  void writeBuffer(unsigned i) {
    const Buffer &buffer = problem.buffers[i];
    stream << (instance.program ? "tensor " : "buffer ") << id(i) << ' '
           << buffer.size;
    if (!instance.program) {
      stream << " lives " << clockText(buffer.lower) << ' '
             << clockText(buffer.upper);
      if (buffer.stream)
        stream << " on " << buffer.stream;
    }
    if (buffer.alignment != 1)
      stream << " align " << buffer.alignment;
    if (buffer.scope)
      stream << " scope " << buffer.scope;
    if (buffer.fixed)
      stream << " at " << *buffer.fixed;
    stream << '\n';
  }

  void writeNames(const char *keyword, llvm::ArrayRef<unsigned> tensors) {
    if (tensors.empty())
      return;
    stream << keyword;
    for (unsigned tensor : tensors)
      stream << ' ' << id(tensor);
  }

  void writeMarks(const Program &program, const char *keyword,
                  bool Tensor::*mark) {
    std::vector<unsigned> marked;
    for (unsigned t = 0; t < program.tensors.size(); ++t)
      if (program.tensors[t].*mark)
        marked.push_back(t);
    writeNames(keyword, marked);
    if (!marked.empty())
      stream << '\n';
  }

  void writeProgram(const Program &program) {
    std::vector<std::vector<unsigned>> reads(program.nodes.size());
    std::vector<std::vector<unsigned>> writes(program.nodes.size());
    std::vector<std::vector<unsigned>> joins(program.nodes.size());
    for (unsigned t = 0; t < program.tensors.size(); ++t) {
      for (unsigned reader : program.tensors[t].consumers)
        reads[reader].push_back(t);
      if (program.tensors[t].producer)
        writes[*program.tensors[t].producer].push_back(t);
      for (unsigned writer : program.tensors[t].coproducers)
        joins[writer].push_back(t);
    }
    for (unsigned n = 0; n < program.nodes.size(); ++n) {
      const Node &node = program.nodes[n];
      stream << "node " << nameText(node.id) << " on " << node.stream;
      if (node.cost != 1)
        stream << " cost " << node.cost;
      writeNames(" reads", reads[n]);
      writeNames(" writes", writes[n]);
      writeNames(" joins", joins[n]);
      stream << '\n';
    }
    for (const Event &event : program.events)
      stream << "wait " << nameText(program.nodes[event.before].id) << " for "
             << nameText(program.nodes[event.after].id) << '\n';
    writeMarks(program, "input", &Tensor::input);
    writeMarks(program, "output", &Tensor::output);
    writeMarks(program, "lifelong", &Tensor::lifelong);
  }

  void writeTies() {
    for (const Contiguous &list : problem.lists) {
      writeNames("contiguous", list.buffers);
      if (list.guardBytes)
        stream << " guard " << list.guardBytes;
      stream << '\n';
    }
    for (const Overlay &overlay : problem.overlays)
      if (overlay.kind == Overlay::InPlace)
        stream << "inplace " << id(overlay.part) << " over "
               << id(overlay.whole) << '\n';
      else
        stream << "view " << id(overlay.part) << " of " << id(overlay.whole)
               << " at " << overlay.delta << '\n';
  }
};
} // namespace

void tenon::mem::writeProgramText(const Instance &instance,
                                  raw_ostream &stream) {
  Writer(instance, stream).write();
}
