//===- ArenaOrder.cpp - plans for every size ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/ArenaOrder.h"

#include "dialects/Graph/Bounds.h"
#include "dialects/Kernel/Buffers.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

static graph::Size bytesOf(const LiveBuffer &buffer) {
  AllocOp alloc = buffer.alloc;
  return kernel::bytesOf(alloc.getBuffer().getType());
}

bool memory::hasSymbols(func::FuncOp main) {
  return llvm::any_of(main.getOps(), [](Operation &op) {
    return llvm::any_of(op.getResultTypes(), [](Type type) {
      auto buffer = dyn_cast<BufferType>(type);
      return buffer && buffer.getSizes();
    });
  });
}

static bool meet(const LiveBuffer &a, const LiveBuffer &b) {
  return a.first <= b.last && b.first <= a.last;
}

//===-- Writing -----------------------------------------------------------===//

/// The first of the allocations whose place each one shares.
static std::vector<unsigned> placesOf(const mem::Problem &problem,
                                      const mem::Solution &solution) {
  std::vector<unsigned> places(problem.buffers.size());
  std::iota(places.begin(), places.end(), 0u);
  for (const mem::Overlay &overlay : problem.overlays) {
    if (solution.offsets[overlay.whole] != solution.offsets[overlay.part])
      continue;
    unsigned a = places[overlay.whole], b = places[overlay.part];
    for (unsigned &place : places)
      if (place == a || place == b)
        place = std::min(a, b);
  }
  return places;
}

namespace {
/// Places as rows of bits: which lie below which.
class OrderWriter {
public:
  OrderWriter(ArrayRef<LiveBuffer> buffers, const mem::Problem &problem,
              const mem::Solution &solution)
      : buffers(buffers), places(placesOf(problem, solution)),
        offsets(solution.offsets),
        neighbours(buffers.size(), llvm::BitVector(buffers.size())),
        below(neighbours) {}

  void write() {
    for (unsigned i = 0; i < buffers.size(); ++i)
      for (unsigned j = 0; j < buffers.size(); ++j)
        if (places[i] != places[j] && meet(buffers[i], buffers[j]))
          neighbours[places[i]].set(places[j]);
    std::vector<unsigned> order;
    for (unsigned i = 0; i < buffers.size(); ++i)
      if (places[i] == i)
        order.push_back(i);
    llvm::stable_sort(
        order, [&](unsigned a, unsigned b) { return offsets[a] < offsets[b]; });
    for (size_t k = 0; k < order.size(); ++k)
      place(order[k], ArrayRef(order).take_front(k));
    for (unsigned i = 0; i < buffers.size(); ++i)
      if (places[i] != i)
        inPlaceOf(buffers[i].alloc, places[i]);
  }

private:
  /// From the highest down: what lies below one that is named is not named.
  void place(unsigned buffer, ArrayRef<unsigned> lower) {
    SmallVector<int64_t> named;
    llvm::BitVector &reached = below[buffer];
    for (unsigned other : llvm::reverse(lower)) {
      if (!neighbours[buffer].test(other) || reached.test(other))
        continue;
      named.push_back(other);
      reached.set(other);
      reached |= below[other];
    }
    llvm::sort(named);
    AllocOp alloc = buffers[buffer].alloc;
    alloc.setAbove(named);
  }

  static void inPlaceOf(AllocOp alloc, unsigned other) {
    alloc.setInPlaceOf(other);
  }

  ArrayRef<LiveBuffer> buffers;
  std::vector<unsigned> places;
  const std::vector<int64_t> &offsets;
  std::vector<llvm::BitVector> neighbours, below;
};
} // namespace

void memory::writeOrder(ArrayRef<LiveBuffer> buffers,
                        const mem::Problem &problem,
                        const mem::Solution &solution) {
  OrderWriter(buffers, problem, solution).write();
}

//===-- Proving -----------------------------------------------------------===//

static ArrayRef<int64_t> aboveOf(const LiveBuffer &buffer) {
  AllocOp alloc = buffer.alloc;
  return alloc.getAbove().value_or(ArrayRef<int64_t>());
}

std::vector<unsigned> memory::bottomUp(ArrayRef<LiveBuffer> buffers) {
  std::vector<unsigned> order;
  std::vector<bool> isPlaced(buffers.size());
  auto isReady = [&](int64_t other) {
    return other >= 0 && other < int64_t(buffers.size()) && isPlaced[other];
  };
  for (bool moves = true; moves;) {
    moves = false;
    for (auto [i, buffer] : llvm::enumerate(buffers)) {
      AllocOp alloc = buffer.alloc;
      if (isPlaced[i] || alloc.getInPlaceOf() ||
          !llvm::all_of(aboveOf(buffer), isReady))
        continue;
      order.push_back(i);
      moves = isPlaced[i] = true;
    }
  }
  bool isComplete = true;
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    AllocOp alloc = buffer.alloc;
    isComplete &= alloc.getInPlaceOf() ? isReady(int64_t(*alloc.getInPlaceOf()))
                                       : bool(isPlaced[i]);
  }
  return isComplete ? order : std::vector<unsigned>();
}

LogicalResult memory::verifyOrder(func::FuncOp main,
                                  ArrayRef<LiveBuffer> buffers,
                                  const mem::Problem &problem) {
  std::vector<unsigned> order = bottomUp(buffers);
  if (order.empty() && !buffers.empty())
    return main.emitOpError("has allocations that lie above each other in a "
                            "circle, or above none that exists");
  std::vector<llvm::BitVector> below(buffers.size(),
                                     llvm::BitVector(buffers.size()));
  for (unsigned i : order)
    for (int64_t other : aboveOf(buffers[i])) {
      below[i].set(other);
      below[i] |= below[other];
    }
  auto placeOf = [&](unsigned i) {
    AllocOp alloc = buffers[i].alloc;
    return unsigned(alloc.getInPlaceOf().value_or(i));
  };
  auto mayShare = [&](unsigned i, unsigned j) {
    return llvm::any_of(problem.overlays, [&](const mem::Overlay &overlay) {
      return (overlay.whole == i && overlay.part == j) ||
             (overlay.whole == j && overlay.part == i);
    });
  };
  for (unsigned i = 0; i < buffers.size(); ++i) {
    if (bytesOf(buffers[i]) != bytesOf(buffers[placeOf(i)]))
      return main.emitOpError("has an allocation in the place of another one "
                              "of another size: ")
             << i;
    for (unsigned j = 0; j < i; ++j) {
      unsigned a = placeOf(i), b = placeOf(j);
      bool isApart = a != b && (below[a].test(b) || below[b].test(a));
      if (meet(buffers[i], buffers[j]) && !isApart &&
          !(a == b && mayShare(i, j)))
        return main.emitOpError("has allocations that live at the same time "
                                "without an order: ")
               << j << " and " << i;
    }
  }
  return success();
}

/// The most bytes of a buffer, in whole lines; INT64_MAX where there is no end.
static int64_t mostBytes(const memory::LiveBuffer &buffer,
                         const graph::ConstraintStore &constraints) {
  graph::Size bytes = bytesOf(buffer);
  int64_t most = bytes.isFixed()
                     ? bytes.fixed()
                     : graph::boundsOf(bytes.symbolic(), constraints).max;
  constexpr int64_t line = 64;
  return most > INT64_MAX - line ? INT64_MAX : llvm::alignTo(most, line);
}

std::optional<int64_t>
memory::arenaBound(func::FuncOp main,
                   const graph::ConstraintStore &constraints) {
  auto buffers = computeLiveness(main);
  std::vector<int64_t> ends(buffers.size());
  int64_t bound = 0;
  for (unsigned i : bottomUp(buffers)) {
    int64_t start = 0, bytes = mostBytes(buffers[i], constraints);
    AllocOp alloc = buffers[i].alloc;
    for (int64_t below : alloc.getAbove().value_or(ArrayRef<int64_t>()))
      start = std::max(start, ends[below]);
    if (llvm::AddOverflow(start, bytes, ends[i]))
      return std::nullopt;
    bound = std::max(bound, ends[i]);
  }
  constexpr int64_t countable = INT64_MAX / 2;
  return bound < countable ? std::optional(bound) : std::nullopt;
}
