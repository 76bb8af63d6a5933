//===- Footprint.cpp - what a tile needs of each stage --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Footprint.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

/// Whether an operation on a part of its result is the same operation on parts
/// of its operands, but for zeros around them.
static bool worksOnParts(Operation *op) {
  return op->hasTrait<graph::Elementwise>() ||
         isa<graph::MatmulOp, graph::ConvOp, graph::TransposeOp,
             graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
             graph::ReduceMinOp>(op);
}

/// The whole of a dimension.
static BoxDim whole(int64_t extent) { return {-1, 0, 0, extent}; }

static BoxMap wholeOf(Value value) {
  BoxMap box;
  for (int64_t extent : cast<RankedTensorType>(value.getType()).getShape())
    box.push_back(whole(extent));
  return box;
}

//===-- Through an access -------------------------------------------------===//

/// `box` moved and stretched by a positive factor; none if a tile would have to
/// be mirrored.
static std::optional<BoxDim> times(BoxDim box, int64_t factor) {
  if (factor == 0)
    return BoxDim{-1, 0, 0, 1};
  if (factor < 0 && box.tileDim >= 0)
    return std::nullopt;
  if (factor < 0)
    return BoxDim{-1, 0, factor * (box.offset + box.span - 1),
                  -factor * (box.span - 1) + 1};
  return BoxDim{box.tileDim, factor * box.scale, factor * box.offset,
                factor * (box.span - 1) + 1};
}

/// All sums of an element of each; none if both follow the tile.
static std::optional<BoxDim> plus(BoxDim x, BoxDim y) {
  if (x.tileDim >= 0 && y.tileDim >= 0)
    return std::nullopt;
  if (y.tileDim >= 0)
    std::swap(x, y);
  x.offset += y.offset;
  x.span += y.span - 1;
  return x;
}

/// What `expr` reaches over the box of an iteration domain.
static std::optional<BoxDim> image(AffineExpr expr, ArrayRef<BoxDim> domain) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return BoxDim{-1, 0, constant.getValue(), 1};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return domain[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<BoxDim> left = image(binary.getLHS(), domain);
  if (!left)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Mul) {
    auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    return factor ? times(*left, factor.getValue()) : std::nullopt;
  }
  std::optional<BoxDim> right = image(binary.getRHS(), domain);
  if (expr.getKind() != AffineExprKind::Add || !right)
    return std::nullopt;
  return plus(*left, *right);
}

//===-- Stages ------------------------------------------------------------===//

namespace {
/// The boxes of the values of a group, from the last one to the first.
class Footprints {
public:
  Footprints(GroupOp group, bool cuts) : group(group), cuts(cuts) {}

  /// `tile`: along the tiled dimensions. With cuts, `any` is what holds for any
  /// tile.
  FailureOr<SmallVector<StageFootprint>>
  run(ArrayRef<BoxDim> tile, ArrayRef<StageFootprint> any = {}) {
    placeResults(tile);
    auto ops = group.getBlock().getOps<StageOp>();
    SmallVector<StageOp> order(ops.begin(), ops.end());
    SmallVector<StageFootprint> stages(order.size());
    for (size_t i = order.size(); i-- > 0;) {
      if (cuts && !any[i].owned.empty())
        keepPart(order[i].getResult(), any[i].owned, tile, stages[i]);
      if (failed(visit(order[i], stages[i])))
        return failure();
    }
    return stages;
  }

private:
  /// The tile of each result that no stage reads.
  void placeResults(ArrayRef<BoxDim> tile) {
    auto yield = cast<YieldOp>(group.getBlock().getTerminator());
    for (Value result : yield.getValues()) {
      if (!result.hasOneUse()) {
        kept.insert(result);
        continue;
      }
      BoxMap box = wholeOf(result);
      extents.clear();
      for (auto [number, dim] : llvm::enumerate(group.getTile()->getDims())) {
        extents.push_back(box[dim].span);
        box[dim] = tile[number];
      }
      needs[result] = box;
    }
  }

  /// Where a tile begins along a dimension, what it has of a result that leaves
  /// the group begins, and ends where the next one's does.
  LogicalResult keep(StageOp stage, BoxMap &box, BoxMap &owned) {
    llvm::SmallBitVector followed(extents.size());
    owned = wholeOf(stage.getResult());
    for (auto [dim, mine] : llvm::zip_equal(box, owned)) {
      if (dim.tileDim < 0) {
        join(dim, mine);
        continue;
      }
      int64_t end = std::max(dim.offset + dim.span, dim.scale);
      bool isCut = dim.scale * (extents[dim.tileDim] - 1) + end < mine.span;
      // Squares along a diagonal are not all either.
      if (isCut || followed.test(dim.tileDim))
        return stage.emitOpError("has a result that its tiles do not cover");
      followed.set(dim.tileDim);
      dim.offset = std::min<int64_t>(dim.offset, 0);
      dim.span = end - dim.offset;
      mine = {dim.tileDim, dim.scale, 0, dim.scale};
    }
    return success();
  }

  /// The same for one tile, which needs what it stores.
  void keepPart(Value result, const BoxMap &any, ArrayRef<BoxDim> tile,
                StageFootprint &footprint) {
    BoxMap all = wholeOf(result);
    footprint.owned = all;
    for (auto [dim, mine, whole] : llvm::zip_equal(any, footprint.owned, all)) {
      if (dim.tileDim < 0)
        continue;
      const BoxDim &along = tile[dim.tileDim];
      int64_t last = along.offset + along.span;
      bool isLast = last == extents[dim.tileDim];
      int64_t end =
          isLast ? whole.span : std::min(dim.scale * last, whole.span);
      mine.offset = std::min(dim.scale * along.offset, whole.span);
      mine.span = end - mine.offset;
    }
    BoxMap &box = needs.try_emplace(result, footprint.owned).first->second;
    for (auto [known, mine] : llvm::zip_equal(box, footprint.owned))
      join(known, mine);
  }

  static void join(BoxDim &known, const BoxDim &dim) {
    int64_t end = std::max(known.offset + known.span, dim.offset + dim.span);
    known.offset = std::min(known.offset, dim.offset);
    known.span = end - known.offset;
  }

  /// What of a box lies inside of a tensor.
  BoxMap cut(BoxMap box, Value tensor) {
    auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
    for (auto [dim, size] : llvm::zip_equal(box, shape)) {
      int64_t end = std::min(dim.offset + dim.span, size);
      dim.offset = std::max<int64_t>(dim.offset, 0);
      dim.span = std::max<int64_t>(end - dim.offset, 0);
    }
    return box;
  }

  LogicalResult visit(StageOp stage, StageFootprint &footprint) {
    auto found = needs.find(stage.getResult());
    if (found == needs.end())
      return stage.emitOpError("has a result that no later stage reads");
    if (!cuts && kept.contains(stage.getResult()) &&
        failed(keep(stage, found->second, footprint.owned)))
      return failure();
    footprint.needed = footprint.result = found->second;
    if (cuts)
      footprint.result = cut(footprint.needed, stage.getResult());
    inner.clear();
    auto yield = cast<YieldOp>(stage.getBlock().getTerminator());
    inner[yield.getValues().front()] = footprint.result;
    for (Operation &op : llvm::reverse(stage.getBlock().without_terminator()))
      if (failed(visit(stage, &op)))
        return failure();
    for (auto [argument, operand] :
         llvm::zip_equal(stage.getBlock().getArguments(), stage.getInputs())) {
      auto box = inner.find(argument);
      footprint.operands.push_back(box == inner.end() ? wholeOf(argument)
                                                      : box->second);
      bool isLocal = !isa<BlockArgument>(operand);
      if (isLocal && failed(need(stage, operand, footprint.operands.back())))
        return failure();
    }
    return success();
  }

  /// Of an operation's operands, given those of its result.
  LogicalResult visit(StageOp stage, Operation *op) {
    if (isa<graph::ConstantOp>(op)) {
      auto box = inner.find(op->getResult(0));
      bool isWhole =
          box == inner.end() || box->second == wholeOf(op->getResult(0));
      return isWhole ? success()
                     : LogicalResult(op->emitError(
                           "is read in parts: it must be an operand"));
    }
    if (!worksOnParts(op))
      return op->emitError("'")
             << op->getName() << "' cannot be computed in parts";
    auto found = inner.find(op->getResult(0));
    if (found == inner.end())
      return stage.emitOpError("has operations that its result does not need");
    auto tensorOp = cast<graph::TensorOpInterface>(op);
    BoxMap domain = domainFor(tensorOp, found->second);
    for (const graph::Access &access : tensorOp.getAccesses()) {
      if (access.writes)
        continue;
      Value operand = access.valueIn(op);
      BoxMap box;
      for (AffineExpr expr : access.map.getResults()) {
        std::optional<BoxDim> dim = image(expr, domain);
        if (!dim)
          return op->emitError("'")
                 << op->getName() << "' reads no box of an operand for a tile";
        box.push_back(*dim);
      }
      auto [known, isNew] = inner.try_emplace(operand, box);
      if (!isNew && known->second != box)
        return stage.emitOpError("reads a value in two ways: it must be an "
                                 "operand for each");
    }
    return success();
  }

  /// The box of an operation's iteration domain: what is not a dimension of the
  /// result is all of it.
  static BoxMap domainFor(graph::TensorOpInterface op, const BoxMap &result) {
    BoxMap domain;
    for (const graph::IterationDim &dim : op.getIterationDomain().dims)
      domain.push_back(whole(cast<IntegerAttr>(dim.extent).getInt()));
    for (const graph::Access &access : op.getAccesses())
      if (access.writes)
        for (auto [expr, dim] : llvm::zip(access.map.getResults(), result))
          if (auto along = dyn_cast<AffineDimExpr>(expr))
            domain[along.getPosition()] = dim;
    return domain;
  }

  /// Adds what one more stage needs of a stage's result.
  LogicalResult need(StageOp stage, Value value, const BoxMap &box) {
    auto [found, isNew] = needs.try_emplace(value, box);
    if (isNew)
      return success();
    for (auto [known, dim] : llvm::zip_equal(found->second, box)) {
      if (known.tileDim != dim.tileDim || known.scale != dim.scale)
        return stage.emitOpError("moves along an operand in other steps than "
                                 "the stages after it");
      join(known, dim);
    }
    return success();
  }

  GroupOp group;
  bool cuts;
  llvm::DenseMap<Value, BoxMap> needs, inner;
  llvm::DenseSet<Value> kept;   ///< results that stages read, too
  SmallVector<int64_t> extents; ///< of what is tiled
};
} // namespace

FailureOr<SmallVector<StageFootprint>> kernel::footprintsOf(GroupOp group) {
  SmallVector<BoxDim> tile;
  for (size_t dim = 0; dim < group.getTile()->getDims().size(); ++dim)
    tile.push_back({int(dim), 1, 0, 1});
  return Footprints(group, /*cuts=*/false).run(tile);
}

FailureOr<SmallVector<StageFootprint>>
kernel::footprintsOf(GroupOp group, ArrayRef<int64_t> origins,
                     ArrayRef<int64_t> extents) {
  FailureOr<SmallVector<StageFootprint>> any = footprintsOf(group);
  if (failed(any))
    return failure();
  SmallVector<BoxDim> tile;
  for (auto [origin, extent] : llvm::zip_equal(origins, extents))
    tile.push_back({-1, 0, origin, extent});
  return Footprints(group, /*cuts=*/true).run(tile, *any);
}
