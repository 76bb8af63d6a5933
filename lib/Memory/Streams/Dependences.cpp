//===- Dependences.cpp - what holds whatever the streams ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Blocks.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Memory/Streams/Streams.h"
#include "lib/Support/SortUnique.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon;
using namespace tenon::mem;

namespace {
/// Bytes whose place is settled, within a block or in a whole scope.
struct Spot {
  int64_t group; ///< a block, or a scope for fixed ones
  int64_t begin, end;
  unsigned tensor;
};

class Collector {
public:
  explicit Collector(const Program &program)
      : program(program), problem(problemOf(program)),
        before(program.nodes.size()) {}

  std::vector<std::vector<unsigned>> run() {
    for (unsigned t = 0; t < program.tensors.size(); ++t)
      for (unsigned writer : program.producersOf(t))
        for (unsigned reader : program.tensors[t].consumers)
          before[reader].push_back(writer);
    addSpots();
    addOverlaps();
    addInPlace();
    for (std::vector<unsigned> &nodes : before)
      sortUnique(nodes);
    return std::move(before);
  }

private:
  const Program &program;
  Problem problem;
  std::vector<std::vector<unsigned>> before;
  std::vector<Spot> spots;

  void addSpots() {
    Blocks blocks = llvm::cantFail(buildBlocks(problem));
    for (size_t i = 0; i < blocks.blocks.size(); ++i) {
      const Block &block = blocks.blocks[i];
      if (block.pieces.size() < 2 && !block.fixed)
        continue;
      int64_t group = block.fixed ? -1 - int64_t(block.scope) : int64_t(i);
      int64_t start = block.fixed.value_or(0);
      for (const Piece &piece : block.pieces)
        spots.push_back({group, start + piece.delta,
                         start + piece.delta + piece.size, piece.buffer});
    }
    llvm::stable_sort(spots, [](const Spot &a, const Spot &b) {
      return std::pair(a.group, a.begin) < std::pair(b.group, b.begin);
    });
  }

  void addOverlaps() {
    std::vector<const Spot *> open;
    for (const Spot &spot : spots) {
      llvm::erase_if(open, [&](const Spot *other) {
        return other->group != spot.group || other->end <= spot.begin;
      });
      for (const Spot *other : open) {
        keepOrder(other->tensor, spot.tensor);
        keepOrder(spot.tensor, other->tensor);
      }
      open.push_back(&spot);
    }
  }

  /// If a is done before b, it stays so.
  void keepOrder(unsigned a, unsigned b) {
    if (a != b && problem.buffers[a].upper <= problem.buffers[b].lower)
      for (unsigned writer : program.producersOf(b))
        addUses(a, writer);
  }

  void addUses(unsigned tensor, unsigned node) {
    for (unsigned use : program.usesOf(tensor))
      if (use != node)
        before[node].push_back(use);
  }

  /// The one order between tensors that meet: all other uses come before the
  /// node that overwrites.
  void addInPlace() {
    for (const Overlay &overlay : program.overlays)
      if (overlay.kind == Overlay::InPlace)
        addUses(overlay.whole, *program.tensors[overlay.part].producer);
  }
};
} // namespace

std::vector<std::vector<unsigned>>
tenon::mem::dependences(const Program &program) {
  return Collector(program).run();
}
