//===- PointKernel.cpp - element-wise nests, a vector a thread ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Rows/PointKernel.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Bodies/Overwrite.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::LoopScope;
using kernel::LoopNode;

/// Elements between columns of a square: neighbours along both edges are in
/// different banks.
static constexpr int64_t squarePitch = squareEdge + 1;

PointKernel::PointKernel(const StageRequest &request, const ThreadNest &nest,
                         std::optional<unsigned> transposed, int64_t threads)
    : request(request), kernel(request.b), t(kernel.builder(), kernel.loc()),
      nest(nest), transposed(transposed), threads(threads),
      body(kernel, nest.nest, nest.schedule) {
  body.alignments = nest.alignments;
}

Value PointKernel::wide(Value number) {
  return t.builder().createOrFold<arith::ExtUIOp>(t.loc(), kernel.i64Type(),
                                                  number);
}

static SmallVector<int64_t> extentsOf(const ThreadNest &nest,
                                      std::optional<unsigned> but) {
  SmallVector<int64_t> extents;
  for (unsigned loop : nest.rowLoops)
    if (loop != but)
      extents.push_back(nest.extent(loop));
  return extents;
}

void PointKernel::storeAll(LoopScope &point) {
  for (unsigned node = 0; node < nest.nest.program.nodes.size(); ++node)
    if (nest.nest.program.nodes[node].kind == LoopNode::Load)
      body.get(node, point);
  for (const kernel::LoopResult &result : nest.nest.program.results)
    body.getVector(result.node, point);
  for (size_t i = 0; i < nest.nest.program.results.size(); ++i)
    body.store(i, point);
}

//===-- Vectors -----------------------------------------------------------===//

void PointKernel::vectors(LoopScope &entry) {
  Value number = t.add(t.mul(t.block(), threads), t.thread(threads));
  Value exists;
  if (nest.units() % threads != 0)
    exists = t.less(number, nest.units());
  t.ifThen(exists, [&] {
    SmallVector<int64_t> extents = extentsOf(nest, std::nullopt);
    extents.push_back(nest.vectors());
    Values indices = t.delinearize(number, extents);
    LoopScope point(&entry);
    for (auto [loop, index] : llvm::zip(nest.rowLoops, indices))
      point.index[loop] = wide(index);
    point.index[nest.vector()] = wide(t.mul(indices.back(), nest.lanes()));
    storeAll(point);
  });
}

//===-- Squares -----------------------------------------------------------===//

static void forEachTransposed(
    const ThreadNest &nest, unsigned transposed,
    function_ref<void(unsigned node, int64_t offset, Type element)> visit) {
  int64_t offset = 0;
  for (auto [node, load] : llvm::enumerate(nest.nest.loads)) {
    if (!codegen::isTransposed(load, nest.vector(), transposed))
      continue;
    visit(node, offset, load.element);
    int64_t bytes =
        squareEdge * squarePitch * int64_t(graph::elementBytes(load.element));
    offset += int64_t(llvm::alignTo(bytes, 16));
  }
}

int64_t tenon::gpu::squareBytes(const ThreadNest &nest, unsigned transposed) {
  constexpr int64_t widest = 8;
  int64_t bytes = 0;
  forEachTransposed(nest, transposed, [&](unsigned, int64_t offset, Type) {
    bytes =
        offset + int64_t(llvm::alignTo(squareEdge * squarePitch * widest, 16));
  });
  return bytes;
}

Value PointKernel::placeOf(unsigned load, Value u, Value v) {
  Value place;
  forEachTransposed(nest, *transposed,
                    [&](unsigned node, int64_t offset, Type element) {
                      if (node != load)
                        return;
                      Value shared = t.shared(sharedArray(moduleOf(request)));
                      Value index = t.add(t.mul(v, squarePitch), u);
                      place = t.at(t.at(shared, offset),
                                   t.mul(index, graph::elementBytes(element)));
                    });
  return place;
}

LoopScope PointKernel::pointAt(LoopScope &row, Value u, Value v) {
  LoopScope point(&row);
  point.index[*transposed] = wide(u);
  point.index[nest.vector()] = wide(v);
  return point;
}

/// A warp has 32 neighbours along the loop that is transposed.
void PointKernel::readSquare(LoopScope &row, Value u, Value v, Value thread) {
  Value across = t.rem(thread, squareEdge), first = t.div(thread, squareEdge);
  Value from = t.min(t.add(u, across), nest.extent(*transposed) - 1);
  int64_t warps = threads / squareEdge;
  std::vector<LoopScope> points;
  for (int64_t turn = 0; turn < squareEdge / warps; ++turn) {
    Value down = t.add(t.add(v, first), turn * warps);
    points.push_back(
        pointAt(row, from, t.min(down, nest.extent(nest.vector()) - 1)));
    forEachTransposed(nest, *transposed, [&](unsigned node, int64_t, Type) {
      body.get(node, points.back());
    });
  }
  for (auto [turn, point] : llvm::enumerate(points)) {
    Value down = t.add(first, int64_t(turn) * warps);
    forEachTransposed(nest, *transposed,
                      [&](unsigned node, int64_t, Type element) {
                        kernel.store(body.get(node, point),
                                     placeOf(node, across, down), element);
                      });
  }
}

/// And along the vector loop.
void PointKernel::writeSquare(LoopScope &row, Value u, Value v, Value thread) {
  Value across = t.rem(thread, squareEdge), first = t.div(thread, squareEdge);
  int64_t warps = threads / squareEdge;
  int64_t width = nest.extent(nest.vector());
  int64_t height = nest.extent(*transposed);
  Value to = t.add(v, across);
  Value isInside = width % squareEdge ? t.less(to, width) : Value();
  for (int64_t turn = 0; turn < squareEdge / warps; ++turn) {
    Value down = t.add(first, turn * warps), at = t.add(u, down);
    Value exists = isInside;
    if (height % squareEdge)
      exists = t.both(exists, t.less(at, height));
    t.ifThen(exists, [&] {
      LoopScope point = pointAt(row, at, to);
      forEachTransposed(
          nest, *transposed, [&](unsigned node, int64_t, Type element) {
            point.values[node] =
                kernel.load(placeOf(node, down, across),
                            kernel.registerType(element), element);
          });
      storeAll(point);
    });
  }
}

void PointKernel::squares(LoopScope &entry) {
  Value thread = t.thread(threads);
  SmallVector<int64_t> extents = extentsOf(nest, transposed);
  extents.push_back(llvm::divideCeil(nest.extent(*transposed), squareEdge));
  extents.push_back(llvm::divideCeil(nest.extent(nest.vector()), squareEdge));
  Values indices = t.delinearize(t.block(), extents);
  Value v = t.mul(indices.pop_back_val(), squareEdge);
  Value u = t.mul(indices.pop_back_val(), squareEdge);
  LoopScope row(&entry);
  auto *index = indices.begin();
  for (unsigned loop : nest.rowLoops)
    if (loop != transposed)
      row.index[loop] = wide(*index++);
  body.prepare(row, 0);
  readSquare(row, u, v, thread);
  t.barrier();
  if (targetOf(request.device).programmatic)
    t.launchDependents();
  writeSquare(row, u, v, thread);
}

int64_t tenon::gpu::blocksOf(const ThreadNest &nest,
                             std::optional<unsigned> transposed,
                             int64_t threads) {
  if (!transposed)
    return llvm::divideCeil(nest.units(), threads);
  int64_t count = 1;
  for (int64_t extent : extentsOf(nest, transposed))
    count *= extent;
  return count * llvm::divideCeil(nest.extent(*transposed), squareEdge) *
         llvm::divideCeil(nest.extent(nest.vector()), squareEdge);
}

FailureOr<StageInfo> PointKernel::emit() {
  if (targetOf(request.device).programmatic)
    t.waitForGrids();
  LoopScope entry(nest.nest.program.loops.size());
  entry.live = nest.lanes();
  body.prepare(entry, 0);
  transposed ? squares(entry) : vectors(entry);
  if (body.failed())
    return failure();
  StageInfo device =
      launchOf(request, blocksOf(nest, transposed, threads), threads,
               transposed ? squareBytes(nest, *transposed) : 0);
  codegen::LoopSchedule schedule = nest.schedule;
  schedule.transposed = transposed;
  device.inPlace = codegen::overwritesOf(nest.nest, schedule);
  return device;
}
