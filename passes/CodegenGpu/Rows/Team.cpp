//===- Team.cpp - threads that reduce together ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Rows/Team.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::Reduction;

Team::Team(codegen::KernelBuilder &kernel, ThreadBuilder &t,
           const ThreadNest &nest, const RowPlan &plan, Value shared)
    : kernel(kernel), t(t), nest(nest), plan(plan), shared(shared) {
  ownThread = t.thread(plan.threads());
  bool isRow = nest.vectorReduced();
  ownMember =
      isRow ? t.rem(ownThread, plan.team) : t.div(ownThread, plan.units);
  Value inBlock =
      isRow ? t.div(ownThread, plan.team) : t.rem(ownThread, plan.units);
  ownUnit = t.add(t.mul(t.block(), plan.units), inBlock);
}

//===-- In a warp ---------------------------------------------------------===//

/// Of columns, members are as many lanes apart as there are columns.
int64_t Team::lanesOfTeam() const {
  if (nest.vectorReduced())
    return std::min(plan.team, tile::warpLanes);
  int64_t lanes = std::max<int64_t>(1, tile::warpLanes / plan.units);
  bool isWhole = lanes * plan.units == tile::warpLanes;
  return isWhole && plan.team % lanes == 0 ? lanes : 1;
}

/// Registers of 32 bits travel.
Value Team::exchangeScalar(Value value, int64_t distance) {
  OpBuilder &b = t.builder();
  Location loc = t.loc();
  Type type = value.getType(), i32 = b.getI32Type(), i64 = b.getI64Type();
  unsigned bits = type.getIntOrFloatBitWidth();
  if (bits == 32)
    return t.exchange(value, distance);
  Value number = t.bitcast(value, b.getIntegerType(bits));
  if (bits < 32) {
    Value word = arith::ExtUIOp::create(b, loc, i32, number);
    word = t.exchange(word, distance);
    number = arith::TruncIOp::create(b, loc, b.getIntegerType(bits), word);
    return t.bitcast(number, type);
  }
  Value half = kernel.constantInt(i64, 32);
  Value low = arith::TruncIOp::create(b, loc, i32, number);
  Value high = arith::ShRUIOp::create(b, loc, number, half);
  high = arith::TruncIOp::create(b, loc, i32, high);
  low = arith::ExtUIOp::create(b, loc, i64, t.exchange(low, distance));
  high = arith::ExtUIOp::create(b, loc, i64, t.exchange(high, distance));
  high = arith::ShLIOp::create(b, loc, high, half);
  return t.bitcast(arith::OrIOp::create(b, loc, low, high), type);
}

/// The value of the lane whose number differs in that bit.
Value Team::exchange(Value value, int64_t distance) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return exchangeScalar(value, distance);
  Values lanes;
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    lanes.push_back(exchangeScalar(kernel.lane(value, i), distance));
  return vector::FromElementsOp::create(t.builder(), t.loc(), type, lanes);
}

/// What the members in a warp have together.
Value Team::combineWarp(const Reduction &reduce, Value value) {
  int64_t apart = nest.vectorReduced() ? 1 : plan.units;
  for (int64_t i = 1; i < lanesOfTeam(); i *= 2)
    value =
        codegen::accumulate(kernel, reduce, value, exchange(value, i * apart));
  return value;
}

//===-- In a block --------------------------------------------------------===//

int64_t Team::regionBytes() const {
  int64_t reductions = 0;
  for (const kernel::LoopNode &node : nest.nest.program.nodes)
    reductions += node.kind == kernel::LoopNode::Reduce;
  return sharedBytes(nest, plan) / reductions;
}

static int64_t bytesOf(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  int64_t lanes = vector ? vector.getNumElements() : 1;
  int64_t bits = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  return lanes * std::max<int64_t>(1, bits / 8);
}

static int64_t wholeAlignment(Type type) {
  return std::min<int64_t>(16, bytesOf(type));
}

Value Team::placeOf(Value index, int64_t region, Type type) {
  Value place = t.at(shared, region * regionBytes());
  return t.at(place, t.mul(index, bytesOf(type)));
}

/// Bits lie as bytes; everything else moves as a whole.
void Team::put(Value value, Value place) {
  Type element = getElementTypeOrSelf(value.getType());
  if (element.isInteger(1))
    return kernel.store(value, place, element);
  t.store(value, place, wholeAlignment(value.getType()));
}

Value Team::get(Type type, Value place) {
  if (getElementTypeOrSelf(type).isInteger(1))
    return kernel.load(place, type);
  return t.load(place, type, wholeAlignment(type));
}

Value Team::offer(const Reduction &reduce, Value accumulator) {
  Value value = accumulator;
  if (nest.vectorReduced())
    value = codegen::combineLanes(kernel, reduce, value);
  value = combineWarp(reduce, value);
  if (inWarp() || isAlone())
    return value;
  // All of a team's lanes in a warp have the same: the first one says so.
  int64_t lanes = lanesOfTeam();
  Value says, index;
  if (nest.vectorReduced()) {
    says = t.equal(t.rem(ownThread, lanes), 0);
    index = t.div(ownThread, lanes);
  } else {
    says = lanes > 1 ? t.equal(t.rem(ownMember, lanes), 0) : Value();
    index = t.add(t.mul(t.div(ownMember, lanes), plan.units),
                  t.rem(ownThread, plan.units));
  }
  int64_t region = offers++;
  t.ifThen(says, [&] { put(value, placeOf(index, region, value.getType())); });
  return value;
}

void Team::meet() {
  if (!inWarp() && !isAlone())
    t.barrier();
}

Value Team::take(const Reduction &reduce, Value offered) {
  if (inWarp() || isAlone())
    return offered;
  bool isRow = nest.vectorReduced();
  int64_t count = plan.team / lanesOfTeam();
  Value first = isRow ? t.mul(t.div(ownThread, plan.team), count)
                      : t.rem(ownThread, plan.units);
  int64_t region = takes++;
  Value total;
  for (int64_t i = 0; i < count; ++i) {
    Value index = t.add(first, i * (isRow ? 1 : plan.units));
    Value part =
        get(offered.getType(), placeOf(index, region, offered.getType()));
    total = total ? codegen::accumulate(kernel, reduce, total, part) : part;
  }
  return total;
}
