//===- ValidateProgram.cpp - prove a plan against the program -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file must stay independent of clocks, solvers and their normal form.
// Only tensors whose bytes overlap are compared: they are swept by address.
//===----------------------------------------------------------------------===//
#include "lib/Memory/Sharing.h"
#include "lib/Memory/Streams/Closure.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::mem;

namespace {
/// Bytes that are taken while `tensor` is in use: its own, or a guard's.
struct Span {
  int64_t begin, end;
  unsigned tensor, scope;
  bool guard;
};

class ProgramValidator {
public:
  ProgramValidator(const Program &program, const Solution &solution)
      : program(program), solution(solution), closure(program),
        order(program, closure),
        sharing(program.overlays, program.tensors.size(),
                [this](unsigned part, unsigned whole) {
                  return madeBefore(part, whole);
                }) {}

  llvm::Error run() {
    if (closure.cyclic())
      return llvm::createStringError("the program is cyclic");
    for (unsigned t = 0; t < program.tensors.size(); ++t) {
      if (llvm::Error error = checkReaders(t))
        return error;
      if (llvm::Error error = checkPlace(t))
        return error;
    }
    for (const Contiguous &list : program.lists)
      if (llvm::Error error = checkList(list))
        return error;
    for (const Overlay &overlay : program.overlays)
      if (llvm::Error error = checkOverlay(overlay))
        return error;
    return checkSpans();
  }

private:
  const Program &program;
  const Solution &solution;
  Closure closure;
  TensorOrder order;
  Sharing sharing;
  std::vector<Span> spans;

  const char *id(unsigned t) const { return program.tensors[t].id.c_str(); }
  int64_t begin(unsigned t) const { return solution.offsets[t]; }
  int64_t end(unsigned t) const {
    return solution.offsets[t] + program.tensors[t].size;
  }

  /// Whether `part` is written before `whole` exists, or may be.
  bool madeBefore(unsigned part, unsigned whole) const {
    const Tensor &a = program.tensors[part], &b = program.tensors[whole];
    if (part == whole || !b.producer || b.lifelong)
      return false;
    if (!a.producer)
      return true;
    return llvm::any_of(program.producersOf(whole), [&](unsigned writer) {
      return !closure.precedes(writer, *a.producer);
    });
  }

  llvm::Error checkReaders(unsigned t) const {
    std::vector<unsigned> writers = program.producersOf(t);
    for (unsigned reader : program.tensors[t].consumers)
      if (!llvm::all_of(writers, [&](unsigned writer) {
            return closure.precedes(writer, reader);
          }))
        return llvm::createStringError(
            "node '%s' may read '%s' before it is written",
            program.nodes[reader].id.c_str(), id(t));
    return llvm::Error::success();
  }

  llvm::Error checkPlace(unsigned t) {
    const Tensor &tensor = program.tensors[t];
    // Written so that no sum can overflow.
    if (begin(t) < 0 || tensor.size < 0 || tensor.alignment < 1 ||
        tensor.scope >= solution.arenas.size() ||
        tensor.size > solution.arenas[tensor.scope] ||
        begin(t) > solution.arenas[tensor.scope] - tensor.size)
      return llvm::createStringError("tensor '%s' is outside its arena", id(t));
    if (begin(t) % tensor.alignment)
      return llvm::createStringError("tensor '%s' is misaligned", id(t));
    if (tensor.fixed && *tensor.fixed != begin(t))
      return llvm::createStringError("tensor '%s' is not at its fixed offset",
                                     id(t));
    addSpan(begin(t), end(t), t, false);
    return llvm::Error::success();
  }

  void addSpan(int64_t from, int64_t to, unsigned t, bool guard) {
    if (from < to)
      spans.push_back({from, to, t, program.tensors[t].scope, guard});
  }

  llvm::Error checkList(const Contiguous &list) {
    for (size_t k = 1; k < list.buffers.size(); ++k) {
      unsigned a = list.buffers[k - 1], b = list.buffers[k];
      if (end(a) != begin(b) ||
          program.tensors[a].scope != program.tensors[b].scope)
        return llvm::createStringError("tensor '%s' is not directly after '%s'",
                                       id(b), id(a));
    }
    if (list.buffers.empty() || !list.guardBytes)
      return llvm::Error::success();
    unsigned first = list.buffers.front(), last = list.buffers.back();
    if (list.guardBytes < 0 || begin(first) < list.guardBytes ||
        end(last) >
            solution.arenas[program.tensors[last].scope] - list.guardBytes)
      return llvm::createStringError(
          "the guard of tensor '%s' is outside its arena", id(first));
    addSpan(begin(first) - list.guardBytes, begin(first), first, true);
    addSpan(end(last), end(last) + list.guardBytes, last, true);
    return llvm::Error::success();
  }

  llvm::Error checkOverlay(const Overlay &overlay) const {
    const Tensor &whole = program.tensors[overlay.whole];
    const Tensor &part = program.tensors[overlay.part];
    if (begin(overlay.part) - begin(overlay.whole) != overlay.delta ||
        whole.scope != part.scope)
      return llvm::createStringError("tensor '%s' is not at its place in '%s'",
                                     part.id.c_str(), whole.id.c_str());
    if (overlay.kind == Overlay::View) {
      if (overlay.delta < 0 || end(overlay.part) > end(overlay.whole))
        return llvm::createStringError("view '%s' leaves its whole '%s'",
                                       part.id.c_str(), whole.id.c_str());
      return llvm::Error::success();
    }
    bool last = part.producer && !whole.lifelong && !whole.output;
    for (unsigned use : program.usesOf(overlay.whole))
      last &= use == part.producer || closure.precedes(use, *part.producer);
    if (last)
      return llvm::Error::success();
    return llvm::createStringError(
        "tensor '%s' is overwritten by '%s' while it is still in use",
        whole.id.c_str(), part.id.c_str());
  }

  llvm::Error checkSpans() {
    llvm::stable_sort(spans, [](const Span &a, const Span &b) {
      return std::pair(a.scope, a.begin) < std::pair(b.scope, b.begin);
    });
    std::vector<const Span *> open;
    for (const Span &span : spans) {
      llvm::erase_if(open, [&](const Span *other) {
        return other->scope != span.scope || other->end <= span.begin;
      });
      for (const Span *other : open)
        if (llvm::Error error = checkPair(*other, span))
          return error;
      open.push_back(&span);
    }
    return llvm::Error::success();
  }

  llvm::Error checkPair(const Span &a, const Span &b) const {
    if (a.tensor == b.tensor || !order.meet(a.tensor, b.tensor))
      return llvm::Error::success();
    if (a.guard || b.guard)
      return llvm::createStringError("the guard of tensor '%s' is not free of "
                                     "'%s'",
                                     id(a.guard ? a.tensor : b.tensor),
                                     id(a.guard ? b.tensor : a.tensor));
    if (sharing.allowed(a.tensor, b.tensor))
      return llvm::Error::success();
    return llvm::createStringError(
        "tensors '%s' and '%s' share bytes while both are in use", id(a.tensor),
        id(b.tensor));
  }
};
} // namespace

llvm::Error tenon::mem::validateProgram(const Program &program,
                                        const Solution &solution) {
  if (solution.offsets.size() != program.tensors.size())
    return llvm::createStringError(
        "the solution has another number of tensors");
  return ProgramValidator(program, solution).run();
}
