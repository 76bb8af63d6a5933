//===- Footprint.cpp - what a tile needs of each stage --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Footprint.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/OperandBoxes.h"

#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

//===-- Stages ------------------------------------------------------------===//

namespace {
struct Refusal {
  Operation *op;
  std::string text;

  std::string name() const {
    return "'" + op->getName().getStringRef().str() + "' ";
  }
};

/// The boxes of the values of a group, from the last one to the first.
class Footprints {
public:
  Footprints(GroupOp group, ArrayRef<TiledDim> tiles, bool cuts)
      : group(group), tiles(tiles), boxes(tiles), cuts(cuts) {}

  /// What cannot be computed in parts, after a failure.
  const Refusal &whyNot() const { return refusal; }

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
  LogicalResult refuse(Operation *op, std::string text) {
    refusal = {op, std::move(text)};
    return failure();
  }

  /// The tile of each result that no stage reads.
  void placeResults(ArrayRef<BoxDim> tile) {
    auto yield = cast<YieldOp>(group.getBlock().getTerminator());
    for (Value result : yield.getValues()) {
      if (!result.hasOneUse()) {
        kept.insert(result);
        continue;
      }
      BoxMap box = wholeOf(result);
      for (auto [number, dim] : llvm::enumerate(group.getTile()->getDims()))
        if (cuts || tiles[number].count() > 1)
          box[dim] = tile[number];
      needs[result] = box;
    }
  }

  /// Where a tile begins along a dimension, what it has of a result that leaves
  /// the group begins, and ends where the next one's does.
  LogicalResult keep(StageOp stage, BoxMap &box, BoxMap &owned) {
    llvm::SmallBitVector followed(tiles.size());
    owned = wholeOf(stage.getResult());
    for (auto [dim, mine] : llvm::zip_equal(box, owned)) {
      if (dim.tileDim < 0) {
        join(dim, mine);
        continue;
      }
      if (followed.test(dim.tileDim))
        return refuse(stage, "has a result that tiles cross twice");
      followed.set(dim.tileDim);
      int64_t step = llvm::divideCeil(dim.scale, dim.divisor);
      int64_t end = std::max(dim.offset + dim.span, step);
      dim.offset = std::min<int64_t>(dim.offset, 0);
      dim.span = end - dim.offset;
      if (boxes.end(dim) < mine.span)
        return refuse(stage, "has a result that its tiles do not cover");
      mine = {dim.tileDim, dim.scale, 0, step, dim.divisor};
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
      bool isLast = last == tiles[dim.tileDim].whole;
      int64_t end = isLast ? whole.span : std::min(dim.shift(last), whole.span);
      mine.offset = std::min(dim.shift(along.offset), whole.span);
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

  /// What of a box lies inside of a tensor, where that is the same for all
  /// tiles.
  BoxMap cut(BoxMap box, Value tensor) {
    auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
    for (auto [dim, size] : llvm::zip_equal(box, shape)) {
      if (dim.tileDim >= 0)
        continue;
      int64_t end = std::min(dim.offset + dim.span, size);
      dim.offset = std::max<int64_t>(dim.offset, 0);
      dim.span = std::max<int64_t>(end - dim.offset, 0);
    }
    return box;
  }

  LogicalResult visit(StageOp stage, StageFootprint &footprint) {
    auto found = needs.find(stage.getResult());
    if (found == needs.end())
      return refuse(stage, "has a result that no later stage reads");
    if (!cuts && kept.contains(stage.getResult()) &&
        failed(keep(stage, found->second, footprint.owned)))
      return failure();
    if (failed(roundOut(stage, found->second)))
      return failure();
    footprint.needed = found->second;
    footprint.result = cut(footprint.needed, stage.getResult());
    if (llvm::any_of(footprint.result,
                     [](const BoxDim &dim) { return dim.span == 0; }))
      return refuse(stage, "has nothing to compute in a tile");
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
    footprint.values = inner;
    return success();
  }

  /// A stage may compute its result in granules alone.
  LogicalResult roundOut(StageOp stage, BoxMap &box) {
    if (stage.getBlock().getOps<graph::ResizeOp>().empty())
      return success();
    Value yielded = stage.getBlock().getTerminator()->getOperand(0);
    BoxMap asked = box;
    for (auto [number, dim] : llvm::enumerate(box)) {
      int64_t granule = granuleOf(yielded, unsigned(number));
      std::optional<BoxDim> wider = boxes.rounded(dim, granule);
      if (!wider)
        return refuse(stage, "repeats rows across tiles");
      dim = granule == 1 ? dim : *wider;
    }
    bool isStored = llvm::is_contained(
        group.getBlock().getTerminator()->getOperands(), stage.getResult());
    return !cuts || !isStored || asked == box
               ? success()
               : LogicalResult(refuse(stage, "repeats rows across tiles"));
  }

  /// Of an operation's operands, given those of its result.
  LogicalResult visit(StageOp stage, Operation *op) {
    auto found = inner.find(op->getResult(0));
    if (found == inner.end())
      return isa<graph::ConstantOp>(op)
                 ? success()
                 : LogicalResult(refuse(
                       stage, "has operations that its result does not need"));
    BoxMap result = found->second;
    bool isWhole = result == wholeOf(op->getResult(0));
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      return isWhole || isa<SplatElementsAttr>(constant.getValue())
                 ? success()
                 : LogicalResult(
                       refuse(op, "is read in parts: it must be an operand"));
    if (!worksOnParts(op))
      return visitWhole(stage, op, isWhole);
    if (isa<graph::GatherOp, graph::GatherElementsOp>(op) &&
        !isConstant(stage, op->getOperand(1)))
      return refuse(op, "picks by indices that a stage cannot check");
    std::string why;
    FailureOr<SmallVector<BoxMap>> operands =
        operandBoxes(op, result, boxes, why);
    if (failed(operands))
      return refuse(op, why);
    for (auto [operand, box] : llvm::zip_equal(op->getOperands(), *operands)) {
      if (isa<graph::ConvOp>(op) && !isa<BlockArgument>(operand) &&
          hangsOver(box, operand))
        return refuse(op, "reads beyond a value that its stage computes");
      if (failed(read(stage, operand, box)))
        return failure();
    }
    return success();
  }

  /// Whether a value of a stage is a constant outside of the group.
  bool isConstant(StageOp stage, Value value) {
    auto inner = dyn_cast<BlockArgument>(value);
    if (!inner)
      return false;
    auto outer =
        dyn_cast<BlockArgument>(stage.getInputs()[inner.getArgNumber()]);
    return outer && group.getOperands_()[outer.getArgNumber()]
                        .getDefiningOp<graph::ConstantOp>();
  }

  /// All of any operation can be computed.
  LogicalResult visitWhole(StageOp stage, Operation *op, bool isWhole) {
    if (!isWhole || op->getNumResults() != 1)
      return refuse(op, "cannot be computed in parts");
    for (Value operand : op->getOperands())
      if (failed(read(stage, operand, wholeOf(operand))))
        return failure();
    return success();
  }

  LogicalResult read(StageOp stage, Value operand, const BoxMap &box) {
    auto [known, isNew] = inner.try_emplace(operand, box);
    if (isNew || known->second == box)
      return success();
    return refuse(stage, "reads a value in two ways: it must be an operand for "
                         "each");
  }

  bool hangsOver(const BoxMap &box, Value tensor) const {
    auto shape = cast<RankedTensorType>(tensor.getType()).getShape();
    for (auto [dim, extent] : llvm::zip_equal(box, shape))
      if (boxes.hangsOver(dim, extent))
        return true;
    return false;
  }

  /// Adds what one more stage needs of a stage's result.
  LogicalResult need(StageOp stage, Value value, const BoxMap &box) {
    auto [found, isNew] = needs.try_emplace(value, box);
    if (isNew)
      return success();
    for (auto [known, dim, all] :
         llvm::zip_equal(found->second, box, wholeOf(value)))
      if (failed(need(known, dim, all.span)))
        return refuse(stage, "moves along an operand in other steps than the "
                             "stages after it");
    return success();
  }

  /// Of a dimension: who reads all of it reads what follows a tile, too.
  LogicalResult need(BoxDim &known, BoxDim dim, int64_t extent) {
    auto isAll = [&](const BoxDim &each) {
      return each.tileDim < 0 && each.offset <= 0 &&
             each.offset + each.span >= extent;
    };
    if (!known.movesLike(dim) && !isAll(known) && !isAll(dim))
      return failure();
    if (!known.movesLike(dim))
      for (BoxDim *each : {&known, &dim}) {
        int64_t first = boxes.first(*each), end = boxes.end(*each);
        *each = {-1, 0, first, end - first};
      }
    join(known, dim);
    return success();
  }

  GroupOp group;
  ArrayRef<TiledDim> tiles;
  BoxArithmetic boxes;
  bool cuts;
  Refusal refusal = {nullptr, ""};
  llvm::DenseMap<Value, BoxMap> needs, inner;
  llvm::DenseSet<Value> kept; ///< results that stages read, too
};
} // namespace

//===-- Groups ------------------------------------------------------------===//

/// How the results that no stage reads are cut.
static SmallVector<TiledDim> tiledDims(GroupOp group) {
  SmallVector<TiledDim> tiles;
  TileAttr tile = *group.getTile();
  Operation *yield = group.getBlock().getTerminator();
  for (Value result : yield->getOperands()) {
    if (!result.hasOneUse())
      continue;
    auto shape = cast<RankedTensorType>(result.getType()).getShape();
    for (auto [dim, size] : llvm::zip_equal(tile.getDims(), tile.getSizes()))
      tiles.push_back({shape[dim], std::min(size, shape[dim])});
    break;
  }
  return tiles;
}

namespace {
/// What footprints are asked of: a group, any tile of it or one.
class GroupFootprints {
public:
  using Result = FailureOr<SmallVector<StageFootprint>>;

  explicit GroupFootprints(GroupOp group)
      : group(group), tiles(tiledDims(group)) {}

  const Refusal &whyNot() const { return refusal; }

  Result ofAnyTile() {
    SmallVector<BoxDim> tile;
    for (size_t dim = 0; dim < tiles.size(); ++dim)
      tile.push_back({int(dim), 1, 0, 1});
    return run(tile, /*cuts=*/false);
  }

  Result ofTile(ArrayRef<int64_t> origins, ArrayRef<int64_t> extents) {
    Result any = ofAnyTile();
    if (failed(any))
      return failure();
    return ofTile(origins, extents, *any);
  }

  /// That of any tile, if each of them has boxes: tiles differ from their
  /// neighbours at the ends of a dimension alone.
  Result checked() {
    Result any = hasSizes() ? ofAnyTile() : Result(failure());
    if (failed(any))
      return failure();
    SmallVector<int64_t> index(tiles.size(), 0);
    for (size_t dim = 0; dim < tiles.size(); ++dim) {
      int64_t last = tiles[dim].count() - 1;
      const std::set<int64_t> places = {0, std::min<int64_t>(1, last),
                                        std::max<int64_t>(0, last - 1), last};
      for (int64_t at : places) {
        // The first tile of all was the first dimension's, too.
        bool isKnown = at == 0 && dim > 0;
        index[dim] = at;
        if (!isKnown && failed(ofTileAt(index, *any)))
          return failure();
      }
      index[dim] = 0;
    }
    return any;
  }

private:
  /// Whether all are known.
  bool hasSizes() {
    WalkResult walk = group->walk([&](Operation *op) {
      auto isKnown = [](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && tensor.hasStaticShape();
      };
      if (llvm::all_of(op->getOperandTypes(), isKnown) &&
          llvm::all_of(op->getResultTypes(), isKnown))
        return WalkResult::advance();
      refusal = {op, "has sizes that are known in the run only"};
      return WalkResult::interrupt();
    });
    return !walk.wasInterrupted();
  }

  Result ofTileAt(ArrayRef<int64_t> index, ArrayRef<StageFootprint> any) {
    SmallVector<int64_t> origins, extents;
    for (auto [number, dim] : llvm::zip_equal(index, tiles)) {
      origins.push_back(number * dim.size);
      extents.push_back(std::min(dim.size, dim.whole - origins.back()));
    }
    return ofTile(origins, extents, any);
  }

  Result ofTile(ArrayRef<int64_t> origins, ArrayRef<int64_t> extents,
                ArrayRef<StageFootprint> any) {
    SmallVector<BoxDim> tile;
    for (auto [origin, extent] : llvm::zip_equal(origins, extents))
      tile.push_back({-1, 0, origin, extent});
    return run(tile, /*cuts=*/true, any);
  }

  Result run(ArrayRef<BoxDim> tile, bool cuts,
             ArrayRef<StageFootprint> any = {}) {
    Footprints footprints(group, tiles, cuts);
    Result result = footprints.run(tile, any);
    refusal = footprints.whyNot();
    return result;
  }

  GroupOp group;
  SmallVector<TiledDim> tiles;
  Refusal refusal = {nullptr, ""};
};
} // namespace

static FailureOr<SmallVector<StageFootprint>>
reported(FailureOr<SmallVector<StageFootprint>> result,
         const Refusal &refusal) {
  if (failed(result))
    return refusal.op->emitError(refusal.name() + refusal.text);
  return result;
}

FailureOr<SmallVector<StageFootprint>> kernel::footprintsOf(GroupOp group) {
  GroupFootprints footprints(group);
  auto result = footprints.checked();
  return reported(std::move(result), footprints.whyNot());
}

FailureOr<SmallVector<StageFootprint>> kernel::footprintsOf(GroupOp group,
                                                            std::string &why) {
  GroupFootprints footprints(group);
  auto result = footprints.checked();
  if (failed(result))
    why = footprints.whyNot().name() + footprints.whyNot().text;
  return result;
}

FailureOr<SmallVector<StageFootprint>>
kernel::footprintsOf(GroupOp group, ArrayRef<int64_t> origins,
                     ArrayRef<int64_t> extents) {
  GroupFootprints footprints(group);
  auto result = footprints.ofTile(origins, extents);
  return reported(std::move(result), footprints.whyNot());
}
