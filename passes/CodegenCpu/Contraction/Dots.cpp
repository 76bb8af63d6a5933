//===- Dots.cpp - contractions to one column ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenCpu/Contraction/Dots.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/Unfold.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Contraction/Place.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using tile::EvenSplit;

static Type elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

namespace {
class DotEmitter {
public:
  DotEmitter(const StageRequest &request, const ContractionOperands &at,
             const ContractionNest &nest, Epilogue epilogue)
      : at(at), nest(nest),
        plan(fromAttribute<tile::ContractionPlan>(request.plan)),
        epilogue(std::move(epilogue)), result(this->epilogue.sumType()),
        lhsType(elementOf(at.anchor->getOperand(0))),
        rhsType(elementOf(at.anchor->getOperand(1))), b(request.b) {
    chooseRow();
    if (!alongRows)
      fixStep();
  }

  FailureOr<StageInfo> emit();

private:
  void chooseRow();
  void fixStep();
  void emitBlock(Value number);
  void emitPieceOf(const Place &origin, Value piece, Value count);
  void rowBlock(const Place &place, int64_t height);
  void laneBlock(const Place &place, int64_t rows);
  Values dots(Value lhs, Value rhs, ValueRange init, unsigned depth,
              int64_t height);
  Values run(Value lhs, Value rhs, Values sums, int64_t height);
  Values step(Value lhs, Value rhs, Values sums, int64_t height, int64_t chain,
              int64_t existing);
  Values lanesAlongRows(Value lhs, Value rhs, ValueRange init, unsigned depth,
                        int64_t last);
  Value load(Value pointer, int64_t stride, int64_t existing, Type element);
  void store(const Place &place, Value sums, int64_t first, int64_t existing);

  Type accumulator() { return accumulatorType(lhsType); }
  Type wide() { return b.vectorType(accumulator(), plan.lanes); }
  /// Independent sums of one row: enough to hide the latency of adding.
  int64_t chains(int64_t height) const {
    return std::max<int64_t>(1, 8 / height);
  }

  ContractionOperands at;
  ContractionNest nest;
  tile::ContractionPlan plan;
  Epilogue epilogue;
  Type result, lhsType, rhsType;
  KernelBuilder &b;
  SmallVector<NestDim> outer; ///< all others
  NestDim row;                ///< the dimension that a block is cut from
  bool alongRows = false;     ///< what lanes are
  EvenSplit split;            ///< of rows that are counted
  Size pieces;                ///< of `row`
  bool broken = false;
};
} // namespace

//===-- Loops -------------------------------------------------------------===//

/// The innermost row, or what is contiguous in A where k is not, or a longer
/// batch dimension.
void DotEmitter::chooseRow() {
  outer.append(nest.batch.begin(), nest.batch.end());
  outer.append(nest.rows.begin(), nest.rows.end());
  bool strided = !nest.k.back().lhs.is(1);
  auto rank = [&](const NestDim &dim) {
    int64_t rows = dim.extent.isFixed() ? dim.extent.fixed() : plan.mr;
    return std::pair(strided && dim.lhs.is(1), std::min(rows, plan.mr));
  };
  NestDim *best = nullptr;
  for (NestDim &dim : llvm::reverse(outer))
    if (!best || rank(*best) < rank(dim))
      best = &dim;
  if (best) {
    row = *best;
    outer.erase(best);
  } else {
    row.result.assign(epilogue.tensors().size(), 0);
  }
  pieces = row.extent.ceilDiv(plan.mr);
  if (!row.extent.isFixed())
    return;
  int64_t extent = row.extent.fixed();
  alongRows = strided && row.lhs.is(1) && row.rhs.isFixed() && extent > 1;
  int64_t most = plan.mr;
  if (alongRows)
    most =
        plan.lanes * std::min<int64_t>(8, llvm::divideCeil(extent, plan.lanes));
  split = EvenSplit::of(extent, most);
  if (alongRows)
    split = {extent, int64_t(llvm::divideCeil(extent, most)), most, 0};
  pieces = split.count;
}

/// Lanes are a known number of elements apart: where only the run knows it,
/// each has a step of its own.
void DotEmitter::fixStep() {
  const NestDim &last = nest.k.back();
  if (last.lhs.isFixed() && last.rhs.isFixed())
    return;
  NestDim one;
  one.lhs = one.rhs = 1;
  nest.k.push_back(one);
}

FailureOr<StageInfo> DotEmitter::emit() {
  Size blocks = pieces;
  for (const NestDim &dim : outer)
    blocks *= dim.extent;
  // Blocks along rows are larger.
  int64_t height = pieces.isFixed() ? split.height : plan.mr;
  int64_t perTile = std::max<int64_t>(1, plan.rowTiles * plan.mr /
                                             std::max<int64_t>(1, height));
  epilogue.runAlong(row.result);
  if (row.extent.is(0))
    return StageInfo();
  b.forTiles([&](Value tile) {
    Value first = b.mul(tile, perTile);
    Value last = b.min(b.add(first, perTile), b.index(blocks));
    b.loop(first, last, 1, [&](Value number) { emitBlock(number); });
  });
  if (broken)
    return failure();
  Size tiles = blocks.ceilDiv(perTile);
  return StageInfo{tiles.is(0) ? Size(1) : tiles};
}

void DotEmitter::emitBlock(Value number) {
  Place all = originOf(b, nest, epilogue.tensors());
  if (!pieces.isFixed()) {
    Value count = b.index(pieces);
    return emitPieceOf(moveOver(b, all, outer, b.div(number, count)),
                       b.rem(number, count), count);
  }
  Place origin = moveOver(b, all, outer, b.div(number, split.count));
  Value piece = b.rem(number, split.count);
  if (alongRows) {
    Place place = moveAlong(b, origin, row, b.mul(piece, split.height));
    int64_t rest = row.extent.fixed() - (split.count - 1) * split.height;
    return b.ifThen(
        b.less(piece, b.index(split.count - 1)),
        [&] { laneBlock(place, split.height); },
        [&] { laneBlock(place, rest); });
  }
  Place place = moveAlong(b, origin, row, b.startOf(split, piece));
  if (split.uniform())
    return rowBlock(place, split.height);
  b.ifThen(
      b.less(piece, b.index(split.tall)),
      [&] { rowBlock(place, split.height); },
      [&] { rowBlock(place, split.height - 1); });
}

/// Of rows that only the run can count: cut as tile::EvenSplit does it, with
/// code for each height.
void DotEmitter::emitPieceOf(const Place &origin, Value piece, Value count) {
  Value extent = b.index(row.extent);
  Value height = b.div(b.add(extent, b.sub(count, b.index(1))), count);
  Value low = b.sub(height, b.index(1));
  Value tall = b.sub(extent, b.mul(count, low));
  Value start = b.add(b.mul(piece, low), b.min(piece, tall));
  Place place = moveAlong(b, origin, row, start);
  Value own = b.choose(b.less(piece, tall), height, low);
  emitAnyNumber(b, own, 1, plan.mr,
                [&](int64_t rows) { rowBlock(place, rows); });
}

//===-- Lanes along k -----------------------------------------------------===//

void DotEmitter::rowBlock(const Place &place, int64_t height) {
  Value lhs = b.at(b.buffer(at.lhs), place.lhs, lhsType);
  Value rhs = b.at(b.buffer(at.rhs), place.rhs, rhsType);
  Values zeros(height * chains(height), b.constantOf(wide(), 0));
  Values sums = dots(lhs, rhs, zeros, 0, height);
  Values total(sums.begin(), sums.begin() + height);
  for (size_t i = height; i < sums.size(); ++i)
    total[i % height] = b.plus(total[i % height], sums[i]);
  store(place, unfold(b, total, plan.lanes).front(), 0, height);
}

/// The outer dimensions of k are loops around the innermost.
Values DotEmitter::dots(Value lhs, Value rhs, ValueRange init, unsigned depth,
                        int64_t height) {
  const NestDim &dim = nest.k[depth];
  if (depth + 1 == nest.k.size())
    return run(lhs, rhs, Values(init), height);
  return b.loop(b.index(0), b.index(dim.extent), 1, init,
                [&](Value i, ValueRange sums) {
                  return dots(b.at(lhs, b.mul(i, dim.lhs), lhsType),
                              b.at(rhs, b.mul(i, dim.rhs), rhsType), sums,
                              depth + 1, height);
                });
}

/// The innermost: several vectors per row, single ones, a partial one.
Values DotEmitter::run(Value lhs, Value rhs, Values sums, int64_t height) {
  const NestDim &dim = nest.k.back();
  int64_t lanes = plan.lanes, stride = chains(height) * lanes;
  int64_t extent = dim.extent.fixed(), whole = extent / stride * stride;
  auto at = [&](Value i, int64_t chain, int64_t existing, Values from) {
    Value a = b.at(lhs, b.mul(b.add(i, chain * lanes), dim.lhs), lhsType);
    Value x = b.at(rhs, b.mul(b.add(i, chain * lanes), dim.rhs), rhsType);
    return step(a, x, std::move(from), height, chain, existing);
  };
  sums = b.loop(b.index(0), b.index(whole), stride, sums,
                [&](Value i, ValueRange carried) {
                  Values next(carried);
                  for (int64_t chain = 0; chain < chains(height); ++chain)
                    next = at(i, chain, lanes, next);
                  return next;
                });
  for (int64_t chain = 0; whole + chain * lanes < extent; ++chain)
    sums = at(b.index(whole), chain,
              std::min(lanes, extent - whole - chain * lanes), sums);
  return sums;
}

/// Lanes that do not exist are zero, of an operand that does not move along k
/// (which has one element then), too.
Value DotEmitter::load(Value pointer, int64_t stride, int64_t existing,
                       Type element) {
  Type vector = b.vectorType(element, plan.lanes);
  Value loaded = loadLanes(b, pointer, vector, stride, existing, element);
  if (stride == 0 && existing < plan.lanes)
    loaded = arith::SelectOp::create(b.builder(), b.loc(),
                                     b.mask(b.index(existing), plan.lanes),
                                     loaded, b.constantOf(vector, 0));
  return widenFloat(b, loaded);
}

Values DotEmitter::step(Value lhs, Value rhs, Values sums, int64_t height,
                        int64_t chain, int64_t existing) {
  const NestDim &dim = nest.k.back();
  Value x;
  for (int64_t i = 0; i < height; ++i) {
    if (i == 0 || !row.rhs.is(0))
      x = load(atSteps(b, rhs, i, row.rhs, rhsType), dim.rhs.fixed(), existing,
               rhsType);
    Value a = load(atSteps(b, lhs, i, row.lhs, lhsType), dim.lhs.fixed(),
                   existing, lhsType);
    Value &sum = sums[chain * height + i];
    sum = b.fma(a, x, sum);
  }
  return sums;
}

//===-- Lanes along rows --------------------------------------------------===//

void DotEmitter::laneBlock(const Place &place, int64_t rows) {
  int64_t vectors = llvm::divideCeil(rows, plan.lanes);
  int64_t last = rows - (vectors - 1) * plan.lanes;
  Value lhs = b.at(b.buffer(at.lhs), place.lhs, lhsType);
  Value rhs = b.at(b.buffer(at.rhs), place.rhs, rhsType);
  Values zeros(vectors, b.constantOf(wide(), 0));
  Values sums = lanesAlongRows(lhs, rhs, zeros, 0, last);
  for (auto [v, sum] : llvm::enumerate(sums))
    store(place, sum, int64_t(v) * plan.lanes,
          int64_t(v) + 1 == vectors ? last : plan.lanes);
}

Values DotEmitter::lanesAlongRows(Value lhs, Value rhs, ValueRange init,
                                  unsigned depth, int64_t last) {
  if (depth == nest.k.size()) {
    Values sums(init);
    for (auto [v, sum] : llvm::enumerate(sums)) {
      int64_t first = int64_t(v) * plan.lanes;
      int64_t existing = v + 1 == sums.size() ? last : plan.lanes;
      Value x = load(atSteps(b, rhs, first, row.rhs, rhsType), row.rhs.fixed(),
                     existing, rhsType);
      Value a = load(b.at(lhs, first, lhsType), 1, existing, lhsType);
      sum = b.fma(a, x, sum);
    }
    return sums;
  }
  const NestDim &dim = nest.k[depth];
  return b.loop(b.index(0), b.index(dim.extent), 1, init,
                [&](Value i, ValueRange sums) {
                  return lanesAlongRows(b.at(lhs, b.mul(i, dim.lhs), lhsType),
                                        b.at(rhs, b.mul(i, dim.rhs), rhsType),
                                        sums, depth + 1, last);
                });
}

//===-- Results -----------------------------------------------------------===//

void DotEmitter::store(const Place &place, Value sums, int64_t first,
                       int64_t existing) {
  auto pointer = [&](unsigned t) {
    const IndexedTensor &tensor = epilogue.tensors()[t];
    Value start =
        b.at(b.buffer(tensor.buffer), place.result[t], tensor.element);
    return atSteps(b, start, first, row.result[t], tensor.element);
  };
  Value value = isa<FloatType>(result) ? narrowFloat(b, sums, result) : sums;
  epilogue.clearLoads();
  if (failed(epilogue.apply(b, value, {plan.lanes, existing, 0, 0, pointer})))
    broken = true;
  epilogue.clearLoads();
}

FailureOr<StageInfo> codegen::emitDots(const StageRequest &request,
                                       const ContractionOperands &at,
                                       const ContractionNest &nest,
                                       Epilogue epilogue) {
  return DotEmitter(request, at, nest, std::move(epilogue)).emit();
}
