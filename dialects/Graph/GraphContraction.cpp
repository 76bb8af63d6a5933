//===- GraphContraction.cpp - products and convolutions -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements shape functions, domains and accesses of operations
// that multiply and sum, and of the packing of their constant operand.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"
#include "dialects/Graph/Planes.h"
#include "lib/Pack/Fragments.h"
#include "lib/Pack/WinogradMatrices.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::graph::detail;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===-- matmul ------------------------------------------------------------===//

static RankedTensorType leadingDims(RankedTensorType type) {
  Dims dims = dimsOf(type);
  dims.truncate(type.getRank() - 2);
  return typeFromDims(dims, type.getElementType());
}

/// Dimension `rank - 2 + index`, seen through the transposition.
static Attribute matrixDim(RankedTensorType type, bool transposed,
                           unsigned index) {
  return dimsOf(type)[type.getRank() - 2 + (transposed ? 1 - index : index)];
}

LogicalResult MatmulOp::inferReturnTypes(MLIRContext *, Loc loc,
                                         ValueRange operands,
                                         DictionaryAttr attributes,
                                         OpaqueProperties properties,
                                         RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto lhs = typeOf(operands[0]), rhs = typeOf(operands[1]);
  if (lhs.getRank() < 2 || rhs.getRank() < 2)
    return refuse(loc, "operands need rank 2 or more");
  if (lhs.getElementType() != rhs.getElementType())
    return refuse(loc, "element types of the operands differ");
  Attribute depth = matrixDim(lhs, op.getTransposeLhs(), 1);
  if (!mayBeEqual(depth, matrixDim(rhs, op.getTransposeRhs(), 0)))
    return refuse(loc, "inner dimensions differ: " + shapeText(lhs) + " and " +
                           shapeText(rhs));
  auto leading = broadcastTypes({leadingDims(lhs), leadingDims(rhs)},
                                lhs.getElementType());
  if (failed(leading))
    return refuse(loc, "leading dimensions do not broadcast: " +
                           shapeText(lhs) + " and " + shapeText(rhs));
  Dims dims = dimsOf(*leading);
  dims.push_back(matrixDim(lhs, op.getTransposeLhs(), 0));
  dims.push_back(matrixDim(rhs, op.getTransposeRhs(), 1));
  results.push_back(typeFromDims(dims, lhs.getElementType()));
  return success();
}

IterationDomain MatmulOp::getIterationDomain() {
  IterationDomain domain = parallelDomain(getType());
  Attribute depth = unify(matrixDim(getLhs().getType(), getTransposeLhs(), 1),
                          matrixDim(getRhs().getType(), getTransposeRhs(), 0));
  domain.dims.push_back({depth, DimKind::Reduction});
  return domain;
}

SmallVector<Access> MatmulOp::getAccesses() {
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank + 1);
  auto operand = [&](unsigned number, bool transposed, unsigned row,
                     unsigned column) {
    auto type = typeOf(getOperation()->getOperand(number));
    Access leading =
        maker.readBroadcast(number, leadingDims(type), leadingDims(getType()));
    SmallVector<AffineExpr> exprs(leading.map.getResults());
    exprs.push_back(maker.dim(transposed ? column : row));
    exprs.push_back(maker.dim(transposed ? row : column));
    return maker.read(number, exprs, leading.kind);
  };
  return {operand(0, getTransposeLhs(), rank - 2, rank),
          operand(1, getTransposeRhs(), rank, rank - 1),
          maker.writeIdentity(0, rank)};
}

std::optional<Reduction> MatmulOp::getReduction() {
  return reduction(ReductionKind::Sum, getLhs());
}

Cost MatmulOp::getCost() { return domainCost(getOperation(), 2); }

//===-- conv --------------------------------------------------------------===//

/// Window of a convolution; `kernel` must outlive the result.
template <typename Op>
static Window convWindow(Op op, ArrayRef<int64_t> kernel) {
  return {kernel, op.getStrides(), op.getPads(), op.getDilations(),
          op.getLayout()};
}

/// Checks that hold for both convolutions.
template <typename Op>
static LogicalResult checkConv(Loc loc, Op op, ValueRange operands) {
  auto input = typeOf(operands[0]), filter = typeOf(operands[1]);
  int64_t rank = input.getRank();
  if (rank < 3 || rank > 5)
    return refuse(loc, "needs one to three spatial dimensions");
  if (filter.getRank() != rank)
    return refuse(loc, "input and filter differ in rank");
  if (input.getElementType() != filter.getElementType())
    return refuse(loc, "element types of input and filter differ");
  if (op.getGroup() < 1)
    return refuse(loc, "group must be positive");
  for (int64_t size : filter.getShape())
    if (ShapedType::isDynamic(size) || size == 0)
      return refuse(loc, "the filter needs a static shape without zeros");
  return checkWindow(loc, convWindow(op, filter.getShape().drop_front(2)),
                     rank - 2);
}

/// Puts batch, channels and spatial dimensions in the order of `layout`.
static Dims imageDims(Layout layout, Attribute batch, Attribute channels,
                      ArrayRef<Attribute> spatial) {
  Dims dims = {batch};
  if (layout == Layout::NCHW)
    dims.push_back(channels);
  dims.append(spatial.begin(), spatial.end());
  if (layout == Layout::NHWC)
    dims.push_back(channels);
  return dims;
}

/// Number of window positions along one dimension.
static FailureOr<Attribute> convExtent(Loc loc, Attribute in,
                                       const Window &window, unsigned index) {
  int64_t size = sizeOf(in), rank = window.rank();
  int64_t pad = window.pads[index] + window.pads[rank + index];
  int64_t reach = (window.kernel[index] - 1) * window.dilations[index] + 1;
  if (!ShapedType::isDynamic(size) && size + pad < reach)
    return refuse(loc, "the kernel reaches over " + Twine(reach) +
                           " positions, the padded input has " +
                           Twine(size + pad));
  int64_t stride = window.strides[index];
  return affineDim(in, 1, pad - reach + stride, stride);
}

LogicalResult ConvOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                       ValueRange operands,
                                       DictionaryAttr attributes,
                                       OpaqueProperties properties,
                                       RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  if (failed(checkConv(loc, op, operands)))
    return failure();
  auto input = typeOf(operands[0]), filter = typeOf(operands[1]);
  int64_t group = op.getGroup(), rank = input.getRank();
  int64_t channels = input.getDimSize(channelDim(op.getLayout(), rank));
  if (!ShapedType::isDynamic(channels) &&
      channels != filter.getDimSize(1) * group)
    return refuse(loc, "input has " + Twine(channels) + " channels, filter " +
                           Twine(filter.getDimSize(1)) + " times " +
                           Twine(group) + " groups");
  if (filter.getDimSize(0) % group != 0)
    return refuse(loc, "output channels are not a multiple of the groups");
  Window window = convWindow(op, filter.getShape().drop_front(2));
  Dims spatial, in = dimsOf(input);
  for (unsigned index = 0; index < window.rank(); ++index) {
    auto extent = convExtent(loc, in[firstSpatialDim(op.getLayout()) + index],
                             window, index);
    if (failed(extent))
      return failure();
    spatial.push_back(*extent);
  }
  results.push_back(
      typeFromDims(imageDims(op.getLayout(), in[0], dimsOf(filter)[0], spatial),
                   input.getElementType()));
  return success();
}

IterationDomain ConvOp::getIterationDomain() {
  return windowDomain(getType(), getFilter().getType().getShape().drop_front());
}

SmallVector<Access> ConvOp::getAccesses() {
  auto filter = getFilter().getType();
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank + rank - 1);
  Window window = convWindow(*this, filter.getShape().drop_front(2));
  unsigned channel = channelDim(getLayout(), rank);
  AffineExpr out = maker.dim(channel), in = maker.dim(rank);
  if (getGroup() > 1) {
    int64_t perGroup = filter.getDimSize(0) / getGroup();
    in = out.floorDiv(perGroup) * filter.getDimSize(1) + in;
  }
  auto exprs =
      windowPositions(maker, window, firstSpatialDim(getLayout()), rank + 1);
  exprs.insert(exprs.begin() + (getLayout() == Layout::NCHW ? 0 : rank - 2),
               in);
  exprs.insert(exprs.begin(), maker.dim(0));
  SmallVector<AffineExpr> weights = {out};
  llvm::append_range(weights, maker.dims(rank, rank - 1));
  std::optional<Outside> outside;
  unsigned first = firstSpatialDim(getLayout());
  if (reachesOutside(window,
                     getInput().getType().getShape().slice(first, rank - 2),
                     getType().getShape().slice(first, rank - 2)))
    outside = Outside::Zero;
  return {maker.read(0, exprs, AccessKind::Exact, outside),
          maker.read(1, weights), maker.writeIdentity(0, rank)};
}

std::optional<Reduction> ConvOp::getReduction() {
  return reduction(ReductionKind::Sum, getInput());
}

Cost ConvOp::getCost() { return domainCost(getOperation(), 2); }

//===-- conv_transpose ----------------------------------------------------===//

LogicalResult ConvTransposeOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                                ValueRange operands,
                                                DictionaryAttr attributes,
                                                OpaqueProperties properties,
                                                RegionRange regions,
                                                Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  if (failed(checkConv(loc, op, operands)))
    return failure();
  auto input = typeOf(operands[0]), filter = typeOf(operands[1]);
  Dims in = dimsOf(input), spatial;
  if (!mayBeEqual(in[channelDim(op.getLayout(), input.getRank())],
                  dimsOf(filter)[0]))
    return refuse(loc, "input channels differ from the filter's");
  if (filter.getDimSize(0) % op.getGroup() != 0)
    return refuse(loc, "input channels are not a multiple of the groups");
  Window window = convWindow(op, filter.getShape().drop_front(2));
  if (op.getOutputPadding().size() != window.rank())
    return refuse(loc, "output_padding needs one entry per spatial dimension");
  for (unsigned index = 0; index < window.rank(); ++index) {
    int64_t beyond = op.getOutputPadding()[index] +
                     (window.kernel[index] - 1) * window.dilations[index] + 1 -
                     window.pads[index] - window.pads[window.rank() + index];
    int64_t stride = window.strides[index];
    Attribute extent = affineDim(in[firstSpatialDim(op.getLayout()) + index],
                                 stride, beyond - stride);
    if (isa_and_nonnull<IntegerAttr>(extent) && sizeOf(extent) < 1)
      return refuse(loc, "the pads leave nothing of the result");
    spatial.push_back(extent);
  }
  auto channels = sizeDim(context, filter.getDimSize(1) * op.getGroup());
  results.push_back(
      typeFromDims(imageDims(op.getLayout(), in[0], channels, spatial),
                   input.getElementType()));
  return success();
}

/// Reduction dimensions: input channels of the group, then the kernel.
IterationDomain ConvTransposeOp::getIterationDomain() {
  auto filter = getFilter().getType().getShape();
  SmallVector<int64_t> reduced(filter.drop_front());
  reduced[0] = filter[0] / static_cast<int64_t>(getGroup());
  return windowDomain(getType(), reduced);
}

SmallVector<Access> ConvTransposeOp::getAccesses() {
  auto filter = getFilter().getType();
  unsigned rank = getType().getRank();
  AccessMaker maker(getContext(), rank + rank - 1);
  Window window = convWindow(*this, filter.getShape().drop_front(2));
  AffineExpr out = maker.dim(channelDim(getLayout(), rank));
  AffineExpr in = maker.dim(rank), outInGroup = out;
  if (getGroup() > 1) {
    int64_t perGroup = filter.getDimSize(1);
    in = out.floorDiv(perGroup) * (filter.getDimSize(0) / getGroup()) + in;
    outInGroup = out % perGroup;
  }
  SmallVector<AffineExpr> image = {maker.dim(0)};
  for (unsigned index = 0; index < window.rank(); ++index) {
    // Only points where the division is exact contribute.
    AffineExpr at = maker.dim(firstSpatialDim(getLayout()) + index) -
                    maker.dim(rank + 1 + index) * window.dilations[index] +
                    window.pads[index];
    image.push_back(at.floorDiv(window.strides[index]));
  }
  image.insert(image.begin() + channelDim(getLayout(), rank), in);
  SmallVector<AffineExpr> weights = {in, outInGroup};
  llvm::append_range(weights, maker.dims(rank + 1, rank - 2));
  bool exact = llvm::all_of(getStrides(), [](int64_t s) { return s == 1; });
  AccessKind kind = exact ? AccessKind::Exact : AccessKind::Over;
  return {maker.read(0, image, kind, Outside::Zero),
          maker.read(1, weights, kind), maker.writeIdentity(0, rank)};
}

std::optional<Reduction> ConvTransposeOp::getReduction() {
  return reduction(ReductionKind::Sum, getInput());
}

Cost ConvTransposeOp::getCost() {
  // Each input element meets each weight of its channel once.
  auto filter = getFilter().getType().getShape();
  int64_t taps = 1;
  for (int64_t size : filter.drop_front())
    taps *= size;
  auto input = getInput().getType();
  return streamCost(getOperation(),
                    product(2 * taps, parallelDomain(input).size()));
}

bool ConvTransposeOp::hasSeparateWindows() {
  auto isAll = [](ArrayRef<int64_t> values, int64_t value) {
    return llvm::all_of(values, [&](int64_t v) { return v == value; });
  };
  return getGroup() == 1 && isAll(getDilations(), 1) && isAll(getPads(), 0) &&
         isAll(getOutputPadding(), 0) &&
         getStrides() == getFilter().getType().getShape().drop_front(2);
}

//===-- pack --------------------------------------------------------------===//

/// Whether the first `rank` dimensions of K are windows with equal sides, which
/// lie together.
static bool hasWindows(RankedTensorType input, ArrayRef<int64_t> k,
                       int64_t rank) {
  if (!input.getElementType().isF32() || rank < 1 || rank > 2 ||
      int64_t(k.size()) < rank || input.getDimSize(k[0]) < 1)
    return false;
  int64_t dim = input.getRank();
  for (int64_t window : llvm::reverse(k.take_front(rank))) {
    while (--dim > window)
      if (input.getDimSize(dim) != 1)
        return false;
    if (dim != window || input.getDimSize(dim) != input.getDimSize(k[0]))
      return false;
  }
  return true;
}

int64_t tenon::graph::packedPlanes(Type element) {
  auto pieces = dyn_cast<VectorType>(element);
  bool isSplit = pieces && pieces.getShape() == ArrayRef<int64_t>{3} &&
                 pieces.getElementType().isBF16();
  return isSplit ? 3 : 1;
}

LogicalResult PackOp::inferReturnTypes(MLIRContext *context, Loc loc,
                                       ValueRange operands,
                                       DictionaryAttr attributes,
                                       OpaqueProperties properties,
                                       RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto input = typeOf(operands[0]);
  int64_t panel = op.getPanel();
  if (!input.hasStaticShape() || panel < 1)
    return refuse(loc, "needs a static operand and a positive panel");
  SmallVector<int64_t> order(op.getBatchDims());
  llvm::append_range(order, op.getKDims());
  llvm::append_range(order, op.getNDims());
  llvm::sort(order);
  if (!llvm::equal(order, llvm::seq<int64_t>(0, input.getRank())))
    return refuse(loc, "batch_dims, k_dims and n_dims must name each dimension "
                       "once");
  auto extent = [&](ArrayRef<int64_t> dims) {
    int64_t product = 1;
    for (int64_t dim : dims)
      product *= input.getDimSize(dim);
    return product;
  };
  int64_t k = extent(op.getKDims()), m = op.getWinograd();
  if (m) {
    if (!hasWindows(input, op.getKDims(), op.getWindowRank()))
      return refuse(loc, "winograd needs an f32 filter of windows with equal "
                         "sides, which k_dims name first");
    int64_t side = input.getDimSize(op.getKDims().front());
    int64_t taps = op.getWindow() ? op.getWindow() : side;
    if (!tile::hasWinograd(m, taps))
      return refuse(loc,
                    "winograd has no F(" + Twine(m) + ", " + Twine(taps) + ")");
    for (uint64_t i = 0; i < op.getWindowRank(); ++i)
      k = k / side * tile::windowsAlong(side, taps) * (m + taps - 1);
  }
  int64_t groups = op.getGroups(), fold = op.getFold();
  int64_t columns = extent(op.getNDims());
  int64_t run =
      op.getKDims().empty() ? 1 : input.getDimSize(op.getKDims().back());
  if (fold < 1 || run % fold || (fold > 1 && m))
    return refuse(loc, "fold must divide the last dimension of K, without "
                       "winograd");
  if (groups < 1 || columns % groups)
    return refuse(loc, "groups must divide N");
  SmallVector<int64_t> shape;
  for (int64_t dim : op.getBatchDims())
    shape.push_back(input.getDimSize(dim));
  shape.push_back(groups * llvm::divideCeil(columns / groups * fold, panel));
  shape.push_back(k / fold);
  shape.push_back(panel);
  Type element = op.getElement().value_or(input.getElementType());
  if (int64_t planes = packedPlanes(element); planes > 1) {
    if (!input.getElementType().isF32() || panel != 1 ||
        shape.end()[-2] % tenon::tile::fragmentSteps != 0)
      return refuse(loc, "three of bf16 must be of f32, in panels of one "
                         "column and sixteens of K");
    shape.insert(shape.begin(), planes);
    element = cast<VectorType>(element).getElementType();
    results.push_back(RankedTensorType::get(shape, element));
    return success();
  }
  if (isa<FloatTF32Type>(element) && input.getElementType().isF32())
    element = input.getElementType();
  if (element != input.getElementType() &&
      !(input.getElementType().isF32() &&
        isa<Float16Type, BFloat16Type>(element)))
    return refuse(loc, "element must be f16, bf16 or tf32, of f32");
  results.push_back(RankedTensorType::get(shape, element));
  return success();
}

IterationDomain PackOp::getIterationDomain() {
  if (getWinograd())
    return windowDomain(
        getType(),
        SmallVector<int64_t>(getWindowRank(), getInput().getType().getDimSize(
                                                  getKDims().front())));
  return parallelDomain(getType());
}

std::optional<Reduction> PackOp::getReduction() {
  if (getWinograd())
    return reduction(ReductionKind::Sum, getInput());
  return std::nullopt;
}

/// The dimensions of `shape` named in `dims` from a linear index; past the last
/// element, the first of them is too large.
static void splitIndex(SmallVectorImpl<AffineExpr> &exprs,
                       ArrayRef<int64_t> shape, ArrayRef<int64_t> dims,
                       AffineExpr linear) {
  for (int64_t dim : llvm::reverse(dims)) {
    exprs[dim] = dim == dims.front() ? linear : linear % shape[dim];
    linear = linear.floorDiv(shape[dim]);
  }
}

/// tile::fragmentStep.
static AffineExpr fragmentStep(AffineExpr k) {
  AffineExpr in = k % tenon::tile::fragmentSteps;
  return k - in + (in % 8).floorDiv(2) * 4 + in.floorDiv(8) * 2 + in % 2;
}

/// The column of N, times `fold`, in a lane of a panel.
static AffineExpr packedColumn(PackOp op, const AccessMaker &maker,
                               unsigned batch, int64_t perGroup) {
  AffineExpr number = maker.dim(batch), lane = maker.dim(batch + 2);
  int64_t panel = op.getPanel();
  if (op.getGroups() == 1)
    return number * panel + lane;
  int64_t panels = op.getType().getDimSize(batch) / int64_t(op.getGroups());
  return number.floorDiv(panels) * perGroup + number % panels * panel + lane;
}

SmallVector<Access> PackOp::getAccesses() {
  ArrayRef<int64_t> shape = getInput().getType().getShape();
  ArrayRef<int64_t> kDims = getKDims();
  Type element = getElement().value_or(getInput().getType().getElementType());
  unsigned lead = packedPlanes(element) > 1 ? 1 : 0;
  unsigned batch = lead + getBatchDims().size();
  unsigned windows = getWinograd() ? getWindowRank() : 0;
  AccessMaker maker(getContext(), batch + 3 + windows);
  SmallVector<AffineExpr> exprs(shape.size());
  for (auto [index, dim] : llvm::enumerate(getBatchDims()))
    exprs[dim] = maker.dim(lead + index);
  auto extentOf = [&](ArrayRef<int64_t> dims) {
    int64_t product = 1;
    for (int64_t dim : dims)
      product *= shape[dim];
    return product;
  };
  AffineExpr k = maker.dim(batch + 1);
  if (lead)
    k = fragmentStep(k);
  for (unsigned i = 0; i < windows; ++i)
    exprs[kDims[i]] = maker.dim(batch + 3 + i);
  kDims = kDims.drop_front(windows);
  if (windows)
    k = k % extentOf(kDims);
  int64_t fold = getFold();
  int64_t perGroup = extentOf(getNDims()) * fold / int64_t(getGroups());
  AffineExpr column = packedColumn(*this, maker, batch, perGroup);
  if (fold > 1) {
    k = k * fold + column % fold;
    column = column.floorDiv(fold);
  }
  splitIndex(exprs, shape, kDims, k);
  splitIndex(exprs, shape, getNDims(), column);
  // A point of a window may leave out some of its taps; the lanes behind a
  // group's last column hold zeros, not the next group's first columns.
  bool pads = perGroup % int64_t(getPanel()) != 0;
  bool exact = !windows && (getGroups() == 1 || !pads);
  return {maker.read(0, exprs, exact ? AccessKind::Exact : AccessKind::Over,
                     pads ? std::optional(Outside::Zero) : std::nullopt),
          maker.writeIdentity(0, batch + 3)};
}

Cost PackOp::getCost() { return streamCost(getOperation(), 0); }
