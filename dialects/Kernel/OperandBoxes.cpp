//===- OperandBoxes.cpp - what an operation reads for a box ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/OperandBoxes.h"
#include "dialects/Kernel/Footprint.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <numeric>

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

bool kernel::worksOnParts(Operation *op) {
  using namespace graph;
  return op->hasTrait<Elementwise>() ||
         isa<MatmulOp, ConvOp, MaxPoolOp, AvgPoolOp, LrnOp, TransposeOp,
             ReshapeOp, BitcastOp, BroadcastOp, SliceOp, ConcatOp, PadOp,
             ResizeOp, GatherOp, GatherElementsOp, ReduceSumOp, ReduceMeanOp,
             ReduceMaxOp, ReduceMinOp, ReduceProdOp, ArgMaxOp, ArgMinOp,
             PrefixOp, IotaOp, ConstantOp>(op);
}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

/// The whole of a dimension.
static BoxDim whole(int64_t extent) { return {-1, 0, 0, extent}; }

bool kernel::isStencil(Operation *op) {
  constexpr int64_t mostTaps = 144;
  auto conv = dyn_cast_or_null<graph::ConvOp>(op);
  if (!conv || conv.getLayout() != graph::Layout::NHWC)
    return false;
  auto isImage = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.getElementType().isF32() && type.hasStaticShape() &&
           (type.getRank() == 3 || type.getRank() == 4) &&
           type.getShape().back() == 1;
  };
  auto filter = cast<RankedTensorType>(conv.getFilter().getType());
  return isImage(conv.getInput()) && isImage(conv.getResult()) &&
         filter.hasStaticShape() && filter.getNumElements() > 1 &&
         filter.getNumElements() <= mostTaps &&
         llvm::all_of(conv->getOperands(), llvm::IsaPred<BlockArgument>);
}

BoxMap kernel::wholeOf(Value value) {
  BoxMap box;
  for (int64_t extent : shapeOf(value))
    box.push_back(whole(extent));
  return box;
}

//===-- Dimensions that are not cut ---------------------------------------===//

/// Those that the operation pads with what is no constant.
static SmallVector<bool> mirroredDims(graph::PadOp pad) {
  bool isLocal = pad.getMode() == graph::PadMode::Constant ||
                 pad.getMode() == graph::PadMode::Edge;
  SmallVector<bool> dims;
  for (auto [low, high] : llvm::zip_equal(pad.getLow(), pad.getHigh()))
    dims.push_back(!isLocal && (low != 0 || high != 0));
  return dims;
}

/// Those that are interpolated, or picked in other ways than row by row.
static SmallVector<bool> interpolatedDims(graph::ResizeOp resize) {
  SmallVector<bool> dims;
  bool repeats = !resize.getRepeats().empty();
  for (auto [from, to, scale] :
       llvm::zip_equal(shapeOf(resize.getInput()), shapeOf(resize.getResult()),
                       resize.getScales()))
    dims.push_back(!repeats &&
                   (from != to || scale != 1 || !resize.getRoi().empty()));
  return dims;
}

/// Dimensions of a result that are computed as a whole.
static SmallVector<bool> uncutDims(Operation *op) {
  using namespace graph;
  SmallVector<bool> dims(shapeOf(op->getResult(0)).size(), false);
  return llvm::TypeSwitch<Operation *, SmallVector<bool>>(op)
      .Case<PadOp>([](PadOp pad) { return mirroredDims(pad); })
      .Case<ResizeOp>([](ResizeOp resize) { return interpolatedDims(resize); })
      .Case<ConcatOp, PrefixOp, IotaOp>([&](auto along) {
        dims[along.getAxis()] = true;
        return dims;
      })
      .Case<LrnOp>([&](LrnOp lrn) {
        dims[channelDim(lrn.getLayout(), dims.size())] = true;
        return dims;
      })
      .Default([&](Operation *) { return dims; });
}

//===-- Granules ----------------------------------------------------------===//

int64_t kernel::granuleOf(Value result, unsigned dim) {
  Operation *op = result.getDefiningOp();
  if (!op)
    return 1;
  if (auto resize = dyn_cast<graph::ResizeOp>(op)) {
    SmallVector<int64_t> repeats = resize.getRepeats();
    return repeats.empty() ? 1 : repeats[dim];
  }
  if (auto transpose = dyn_cast<graph::TransposeOp>(op))
    return granuleOf(transpose.getInput(), transpose.getPermutation()[dim]);
  if (!op->hasTrait<graph::Elementwise>())
    return 1;
  int64_t granule = 1;
  for (Value operand : op->getOperands()) {
    size_t missing = shapeOf(result).size() - shapeOf(operand).size();
    if (dim >= missing && shapeOf(operand)[dim - missing] != 1)
      granule = std::lcm(granule, granuleOf(operand, dim - missing));
  }
  return granule;
}

//===-- Through an operation ----------------------------------------------===//

namespace {
class OperandBoxes {
public:
  OperandBoxes(Operation *op, const BoxMap &result, const BoxArithmetic &boxes,
               std::string &why)
      : op(op), result(result), boxes(boxes), why(why) {}

  FailureOr<SmallVector<BoxMap>> run();

private:
  using Boxes = FailureOr<SmallVector<BoxMap>>;

  LogicalResult refuse(std::string text) {
    why = std::move(text);
    return failure();
  }
  /// `dim` with something done to it, where that can be said.
  LogicalResult add(BoxMap &box, std::optional<BoxDim> dim,
                    const char *otherwise) {
    if (!dim)
      return refuse(otherwise);
    box.push_back(*dim);
    return success();
  }

  std::optional<BoxDim> image(AffineExpr expr, const BoxMap &domain,
                              ArrayRef<int64_t> shape);
  BoxMap domainFor(graph::TensorOpInterface from);
  Boxes byAccesses();
  LogicalResult clip(BoxMap &box, Value operand);
  Boxes ofPad(graph::PadOp pad);
  Boxes ofReshape(graph::ReshapeOp reshape);
  LogicalResult throughRun(const graph::ReshapeRuns &runs, BoxMap &box);
  LogicalResult checkUncut();
  LogicalResult checkGroups(graph::ConvOp conv);
  LogicalResult checkRepeats(graph::ResizeOp resize);

  static constexpr const char *noBox = "reads no box of an operand for a tile";
  static constexpr const char *allPadding = "has a tile that is all padding";

  Operation *op;
  const BoxMap &result;
  const BoxArithmetic &boxes;
  std::string &why;
};
} // namespace

/// What `expr` reaches over the box of an iteration domain.
std::optional<BoxDim> OperandBoxes::image(AffineExpr expr, const BoxMap &domain,
                                          ArrayRef<int64_t> shape) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return BoxDim{-1, 0, constant.getValue(), 1};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return domain[dim.getPosition()];
  if (auto any = dyn_cast<AffineSymbolExpr>(expr))
    return whole(shape[any.getPosition()]);
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  std::optional<BoxDim> left = image(binary.getLHS(), domain, shape);
  if (!left)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::Add) {
    std::optional<BoxDim> right = image(binary.getRHS(), domain, shape);
    return right ? boxes.plus(*left, *right) : std::nullopt;
  }
  auto factor = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (factor && expr.getKind() == AffineExprKind::Mul)
    return boxes.times(*left, factor.getValue());
  if (factor && expr.getKind() == AffineExprKind::FloorDiv)
    return boxes.dividedBy(*left, factor.getValue());
  return std::nullopt;
}

/// The box of an operation's iteration domain: what is not a dimension of the
/// result is all of it.
BoxMap OperandBoxes::domainFor(graph::TensorOpInterface from) {
  BoxMap domain;
  for (const graph::IterationDim &dim : from.getIterationDomain().dims)
    domain.push_back(whole(cast<IntegerAttr>(dim.extent).getInt()));
  for (const graph::Access &access : from.getAccesses())
    if (access.writes)
      for (auto [expr, dim] : llvm::zip(access.map.getResults(), result))
        if (auto along = dyn_cast<AffineDimExpr>(expr))
          domain[along.getPosition()] = dim;
  return domain;
}

OperandBoxes::Boxes OperandBoxes::byAccesses() {
  auto tensorOp = cast<graph::TensorOpInterface>(op);
  BoxMap domain = domainFor(tensorOp);
  SmallVector<BoxMap> operands(op->getNumOperands());
  for (const graph::Access &access : tensorOp.getAccesses()) {
    if (access.writes)
      continue;
    BoxMap &box = operands[access.number];
    for (AffineExpr expr : access.map.getResults())
      if (failed(add(box, image(expr, domain, shapeOf(access.valueIn(op))),
                     noBox)))
        return failure();
  }
  return operands;
}

LogicalResult OperandBoxes::clip(BoxMap &box, Value operand) {
  BoxMap inside;
  for (auto [dim, extent] : llvm::zip_equal(box, shapeOf(operand)))
    if (failed(add(inside, boxes.clipped(dim, extent), allPadding)))
      return failure();
  box = inside;
  return success();
}

OperandBoxes::Boxes OperandBoxes::ofPad(graph::PadOp pad) {
  BoxMap box;
  for (auto [dim, low] : llvm::zip_equal(result, pad.getLow())) {
    box.push_back(dim);
    box.back().offset -= low;
  }
  SmallVector<BoxMap> operands(op->getNumOperands());
  if (failed(clip(box, pad.getInput())))
    return failure();
  for (auto [dim, mirrored, extent] :
       llvm::zip_equal(box, mirroredDims(pad), shapeOf(pad.getInput())))
    if (mirrored)
      dim = whole(extent);
  operands.front() = box;
  return operands;
}

//===-- Reshapes ----------------------------------------------------------===//

/// The first dimension of several elements in [begin, end), or `end`.
static unsigned outermost(const graph::Dims &dims, unsigned begin,
                          unsigned end) {
  while (begin < end && graph::sizeOf(dims[begin]) == 1)
    ++begin;
  return begin;
}

static int64_t productOf(const graph::Dims &dims, unsigned begin,
                         unsigned end) {
  int64_t product = 1;
  for (unsigned dim = begin; dim < end; ++dim)
    product *= graph::sizeOf(dims[dim]);
  return product;
}

/// A run of dimensions may be cut along its outermost one.
LogicalResult OperandBoxes::throughRun(const graph::ReshapeRuns &runs,
                                       BoxMap &box) {
  constexpr const char *text = "splits or merges dimensions across tiles";
  unsigned to = outermost(runs.to, runs.toBegin, runs.toEnd);
  for (unsigned dim = runs.toBegin; dim < runs.toEnd; ++dim)
    if (dim != to && result[dim] != whole(graph::sizeOf(runs.to[dim])))
      return refuse(text);
  if (to == runs.toEnd)
    return success();
  unsigned from = outermost(runs.from, runs.fromBegin, runs.fromEnd);
  int64_t inner = productOf(runs.to, to + 1, runs.toEnd);
  int64_t outer = productOf(runs.from, from + 1, runs.fromEnd);
  std::optional<BoxDim> dim = boxes.regrouped(result[to], inner, outer);
  if (!dim)
    return refuse(text);
  box[from] = *dim;
  return success();
}

OperandBoxes::Boxes OperandBoxes::ofReshape(graph::ReshapeOp reshape) {
  BoxMap box = wholeOf(reshape.getInput());
  graph::ReshapeRuns runs(graph::dimsOf(reshape.getInput()),
                          graph::dimsOf(reshape.getResult()));
  while (runs.next())
    if (failed(throughRun(runs, box)))
      return failure();
  return SmallVector<BoxMap>{box};
}

//===-- What the clone of an operation could not do -----------------------===//

LogicalResult OperandBoxes::checkUncut() {
  auto shape = shapeOf(op->getResult(0));
  for (auto [index, uncut] : llvm::enumerate(uncutDims(op)))
    if (uncut && result[index] != whole(shape[index]))
      return refuse("needs all of dimension " + std::to_string(index));
  return success();
}

/// Channels come in whole groups.
LogicalResult OperandBoxes::checkGroups(graph::ConvOp conv) {
  auto channel = graph::channelDim(conv.getLayout(), result.size());
  int64_t perGroup = shapeOf(conv.getFilter()).front() / conv.getGroup();
  const BoxDim &dim = result[channel];
  if (conv.getGroup() == 1 || perGroup == 1 ||
      boxes.regrouped(dim, 1, perGroup))
    return success();
  return refuse(noBox);
}

LogicalResult OperandBoxes::checkRepeats(graph::ResizeOp resize) {
  SmallVector<int64_t> repeats = resize.getRepeats();
  for (auto [dim, count] : llvm::zip(result, repeats))
    if (!boxes.regrouped(dim, 1, count))
      return refuse("repeats rows across tiles");
  return success();
}

OperandBoxes::Boxes OperandBoxes::run() {
  if (failed(checkUncut()))
    return failure();
  if (auto pad = dyn_cast<graph::PadOp>(op))
    return ofPad(pad);
  if (auto reshape = dyn_cast<graph::ReshapeOp>(op))
    return ofReshape(reshape);
  auto conv = dyn_cast<graph::ConvOp>(op);
  auto resize = dyn_cast<graph::ResizeOp>(op);
  if ((conv && failed(checkGroups(conv))) ||
      (resize && failed(checkRepeats(resize))))
    return failure();
  Boxes operands = byAccesses();
  if (failed(operands))
    return failure();
  bool hasWindow = isa<graph::MaxPoolOp, graph::AvgPoolOp>(op) || isStencil(op);
  if (hasWindow && failed(clip(operands->front(), op->getOperand(0))))
    return failure();
  // Of what is computed as a whole, all is read.
  if (isa<graph::ConcatOp, graph::LrnOp>(op))
    for (auto [box, operand] : llvm::zip_equal(*operands, op->getOperands()))
      for (auto [dim, extent, uncut] :
           llvm::zip_equal(box, shapeOf(operand), uncutDims(op)))
        dim = uncut ? whole(extent) : dim;
  return operands;
}

FailureOr<SmallVector<BoxMap>> kernel::operandBoxes(Operation *op,
                                                    const BoxMap &result,
                                                    const BoxArithmetic &boxes,
                                                    std::string &why) {
  return OperandBoxes(op, result, boxes, why).run();
}
