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
  const LoopAccess &load = nest.loads[node];
  return nest.program.nodes[node].kind == LoopNode::Load &&
         load.strides[*schedule.transposed] == 1 &&
         load.strides[schedule.vector] > 1;
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
                               int64_t liveI, Value j, int64_t liveJ) {
  Type element = nest.loads[node].element;
  Type type = body.registerTypeOf(node);
  Values rows;
  for (int64_t lane = 0; lane < schedule.lanes; ++lane) {
    if (lane >= liveI) {
      rows.push_back(b.constantOf(type, 0));
      continue;
    }
    LoopScope point(&scope);
    point.index[schedule.vector] = i;
    point.index[*schedule.transposed] = j;
    point.shift = lane;
    Value pointer = body.address(node, point);
    rows.push_back(liveJ == schedule.lanes
                       ? b.load(pointer, type, element)
                       : b.loadPart(pointer, type, b.index(liveJ), element));
  }
  return transpose(b, rows);
}

/// One square: lanes x lanes points, fewer of each at the edges.
void LoopsKernel::square(LoopScope &scope, Value i, int64_t liveI, Value j,
                         int64_t liveJ) {
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
  if (nodes <= 3) {
    for (int64_t k = 0; k < liveJ; ++k) {
      LoopScope point = makePoint(b.add(j, k));
      for (unsigned node = 0; node < nodes; ++node)
        if (isTransposed(node))
          point.values[node] = loaded[node][k];
      storeFull(point);
    }
    return;
  }
  // Long bodies are built once, in a loop that reads the square back.
  int64_t lanes = schedule.lanes;
  for (unsigned node = 0; node < nodes; ++node)
    if (isTransposed(node))
      for (int64_t k = 0; k < liveJ; ++k)
        b.store(loaded[node][k],
                b.at(squares[node], k * lanes, nest.loads[node].element),
                nest.loads[node].element);
  b.loop(b.index(0), b.index(liveJ), 1, [&](Value k) {
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
  unsigned cut = cutLoop(nest, schedule);
  bool cutsVector = cut == schedule.vector;
  auto squareAt = [&](Value inStrip, int64_t live, Value strip, int64_t width) {
    if (cutsVector)
      square(scope, inStrip, live, strip, width);
    else
      square(scope, strip, width, inStrip, live);
  };
  int64_t tail = nest.extent(cut) % lanes;
  int64_t beside = cutsVector ? 1 : squaresOfLine();
  auto squaresAt = [&](Value inStrip, int64_t live, Value at, int64_t width) {
    for (int64_t i = 0; i < beside; ++i)
      squareAt(inStrip, live, b.add(at, i * lanes), width);
  };
  auto strip = [&](Value at, int64_t width) {
    Value end = b.add(low, b.mul(b.div(b.sub(high, low), lanes), lanes));
    b.loop(low, end, lanes, [&](Value i) { squaresAt(i, lanes, at, width); });
    if (tail)
      b.ifThen(b.less(end, high), [&] { squaresAt(end, tail, at, width); });
  };
  int64_t extent =
      nest.extent(cutsVector ? *schedule.transposed : schedule.vector);
  int64_t whole = extent / lanes * lanes;
  b.loop(b.index(0), b.index(whole), beside * lanes,
         [&](Value i) { strip(i, lanes); });
  if (extent > whole)
    strip(b.index(whole), extent - whole);
}
