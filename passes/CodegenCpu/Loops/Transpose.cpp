//===- Transpose.cpp - squares transposed in registers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file handles nests whose results are contiguous along one loop and some
// operands along another: a square of both is loaded along the second,
// transposed, and used along the first.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "passes/CodegenCpu/Loops/Kernel.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

bool LoopsKernel::isTransposed(unsigned node) const {
  return codegen::isTransposed(nest.loads[node], schedule.vector,
                               *schedule.transposed);
}

/// Interleaving rows i and i + n/2 for log2 n rounds is a transposition.
static Values transpose(KernelBuilder &b, Values rows) {
  int64_t lanes = rows.size();
  SmallVector<int64_t> low, high;
  for (int64_t i = 0; i < lanes / 2; ++i) {
    low.append({i, i + lanes});
    high.append({i + lanes / 2, i + lanes / 2 + lanes});
  }
  for (int64_t round = 1; round < lanes; round *= 2) {
    Values next;
    for (int64_t i = 0; i < lanes / 2; ++i) {
      Value x = rows[i], y = rows[i + lanes / 2];
      for (ArrayRef<int64_t> mask : {ArrayRef(low), ArrayRef(high)})
        next.push_back(b.permute(x, y, mask));
    }
    rows = next;
  }
  return rows;
}

Values LoopsKernel::loadSquare(unsigned node, LoopScope &scope, Value i,
                               LiveLanes liveI, Value j, LiveLanes liveJ) {
  Type element = nest.loads[node].element;
  Type type = body.registerTypeOf(node);
  Values rows;
  for (int64_t lane = 0; lane < schedule.lanes; ++lane) {
    if (liveI.areKnown() && lane >= liveI.known()) {
      rows.push_back(b.constantOf(type, 0));
      continue;
    }
    LoopScope point(&scope);
    point.index[schedule.vector] = i;
    point.index[*schedule.transposed] = j;
    if (liveI.areKnown()) {
      point.shift = lane;
    } else {
      // Past the last row, that one again.
      Value last = b.sub(liveI.get(b), b.index(1));
      point.index[schedule.vector] = b.add(i, b.min(b.index(lane), last));
    }
    Value pointer = body.address(node, point);
    rows.push_back(liveJ.are(schedule.lanes)
                       ? b.load(pointer, type, element)
                       : b.loadPart(pointer, type, liveJ.get(b), element));
  }
  return transpose(b, rows);
}

/// One square: lanes x lanes points, fewer of each at the edges.
void LoopsKernel::square(LoopScope &scope, Value i, LiveLanes liveI, Value j,
                         LiveLanes liveJ) {
  auto makePoint = [&](Value second) {
    LoopScope point(&scope);
    point.index[schedule.vector] = i;
    point.index[*schedule.transposed] = second;
    point.live = liveI;
    return point;
  };
  llvm::DenseMap<unsigned, Values> loaded;
  size_t nodes = nest.program.nodes.size();
  for (unsigned node = 0; node < nodes; ++node)
    if (isTransposed(node))
      loaded[node] = loadSquare(node, scope, i, liveI, j, liveJ);
  if (nodes <= 3 && liveJ.areKnown()) {
    for (int64_t k = 0; k < liveJ.known(); ++k) {
      LoopScope point = makePoint(b.add(j, k));
      for (unsigned node = 0; node < nodes; ++node)
        if (isTransposed(node))
          point.values[node] = loaded[node][k];
      storeFull(point);
    }
    return;
  }
  // Long bodies, and those of which it is not known how many there are, are
  // built once, in a loop that reads the square back.
  int64_t lanes = schedule.lanes;
  int64_t most = liveJ.areKnown() ? liveJ.known() : lanes;
  for (unsigned node = 0; node < nodes; ++node)
    if (isTransposed(node))
      for (int64_t k = 0; k < most; ++k)
        b.store(loaded[node][k],
                b.at(squares[node], k * lanes, nest.loads[node].element),
                nest.loads[node].element);
  b.loop(b.index(0), liveJ.get(b), 1, [&](Value k) {
    LoopScope point = makePoint(b.add(j, k));
    for (unsigned node = 0; node < nodes; ++node) {
      if (!isTransposed(node))
        continue;
      Type element = nest.loads[node].element;
      Value pointer = b.at(squares[node], b.mul(k, lanes), element);
      point.values[node] = b.load(pointer, body.registerTypeOf(node), element);
    }
    storeFull(point);
  });
}

/// Squares that fill lines of results together. What goes past the caches is
/// written line by line, so they come one after the other.
int64_t LoopsKernel::squaresOfLine() const {
  if (!body.stream)
    return 1;
  int64_t squares = 1;
  for (const LoopAccess &store : nest.stores)
    squares = std::max(
        squares, tile::lineBytes /
                     (schedule.lanes * graph::elementBytes(store.element)));
  return squares;
}

void LoopsKernel::transposedRow(LoopScope &scope, Value low, Value high) {
  int64_t lanes = schedule.lanes;
  for (unsigned node = 0; node < nest.program.nodes.size(); ++node)
    if (isTransposed(node) && !squares.count(node))
      squares[node] = b.scratch(lanes * lanes, nest.loads[node].element);
  // Along the shorter loop in strips, whose results are long runs.
  unsigned cut = schedule.cut;
  bool cutsVector = cut == schedule.vector;
  auto squareAt = [&](Value inStrip, LiveLanes live, Value strip,
                      LiveLanes width) {
    if (cutsVector)
      square(scope, inStrip, live, strip, width);
    else
      square(scope, strip, width, inStrip, live);
  };
  int64_t beside = cutsVector ? 1 : squaresOfLine();
  auto squaresAt = [&](Value inStrip, LiveLanes live, Value at,
                       LiveLanes width) {
    for (int64_t i = 0; i < beside; ++i)
      squareAt(inStrip, live, b.add(at, i * lanes), width);
  };
  auto strip = [&](Value at, LiveLanes width) {
    Value end = b.add(low, b.mul(b.div(b.sub(high, low), lanes), lanes));
    b.loop(low, end, lanes, [&](Value i) { squaresAt(i, lanes, at, width); });
    tail(nest.extent(cut), end, high,
         [&](LiveLanes live) { squaresAt(end, live, at, width); });
  };
  const Size &extent =
      nest.extent(cutsVector ? *schedule.transposed : schedule.vector);
  Size whole = extent.floorDiv(lanes) * lanes;
  b.loop(b.index(0), b.index(whole), beside * lanes,
         [&](Value i) { strip(i, lanes); });
  Size left = extent - whole;
  if (left.is(0))
    return;
  if (left.isFixed())
    return strip(b.index(whole), left.fixed());
  b.ifThen(b.less(b.index(0), b.index(left)),
           [&] { strip(b.index(whole), b.index(left)); });
}
