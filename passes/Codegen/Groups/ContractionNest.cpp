//===- ContractionNest.cpp - a contraction as strided dimensions ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/ContractionNest.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "mlir/IR/Builders.h"
#include "passes/Codegen/Groups/WindowGeometry.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

mlir::Type codegen::accumulatorType(mlir::Type element) {
  if (element.isF16() || element.isBF16())
    return Float32Type::get(element.getContext());
  return element;
}

//===-- Merging dimensions ------------------------------------------------===//

static bool isOneDim(const NestDim &outer, const NestDim &inner) {
  auto fits = [&](const Size &outerStride, const Size &innerStride) {
    return outerStride == innerStride * inner.extent;
  };
  return fits(outer.lhs, inner.lhs) && fits(outer.rhs, inner.rhs) &&
         llvm::all_of(llvm::zip_equal(outer.result, inner.result),
                      [&](auto pair) {
                        return fits(std::get<0>(pair), std::get<1>(pair));
                      });
}

static void collapseDims(SmallVector<NestDim> &dims) {
  SmallVector<NestDim> merged;
  for (const NestDim &dim : dims) {
    if (dim.extent.is(1))
      continue;
    if (!merged.empty() && isOneDim(merged.back(), dim)) {
      Size extent = merged.back().extent * dim.extent;
      merged.back() = dim;
      merged.back().extent = extent;
      continue;
    }
    merged.push_back(dim);
  }
  dims = std::move(merged);
}

void ContractionNest::collapse() {
  collapseDims(batch);
  collapseDims(rows);
  collapseDims(k);
  if (k.empty())
    k.push_back(NestDim());
}

void ContractionNest::join(int64_t count, int64_t panel) {
  if (count == 1)
    return;
  auto take = [&](NestDim &dim, int64_t count) {
    NestDim taken = dim;
    taken.extent = count;
    dim.extent = dim.extent.floorDiv(count);
    dim.lhs *= count;
    for (Size &stride : dim.result)
      stride *= count;
    return taken;
  };
  if (int64_t planes = count / batch.back().extent.fixed(); planes > 1) {
    plane = take(batch[batch.size() - 2], planes);
    count /= planes;
  }
  member = take(batch.back(), count);
  // What has panels together lies together.
  Size linear = columns().ceilDiv(panel) * panelStride;
  for (NestDim &outer : llvm::reverse(batch)) {
    outer.rhs = linear;
    linear *= outer.extent;
  }
}

bool ContractionNest::isSymbolic() const {
  auto isFixed = [](const Size &size) { return size.isFixed(); };
  auto isKnown = [&](const NestDim &dim) {
    return dim.extent.isFixed() && dim.lhs.isFixed() && dim.rhs.isFixed() &&
           llvm::all_of(dim.result, isFixed);
  };
  return !llvm::all_of(llvm::concat<const NestDim>(batch, rows, k), isKnown) ||
         !isKnown(column);
}

bool ContractionNest::sharesA() const {
  bool isAlone = batch.empty() && member.extent.is(1);
  return !isAlone && member.lhs.is(0) &&
         llvm::all_of(batch, [](const NestDim &dim) { return dim.lhs.is(0); });
}

bool ContractionNest::rowsAdjoin(size_t t) const {
  if (rows.empty() || (!column.extent.is(1) && !column.result[t].is(1)))
    return false;
  Size behind = column.extent;
  if (sharesA()) {
    const NestDim &next = member.extent.is(1) ? batch.back() : member;
    if (next.result[t] == behind)
      behind *= next.extent;
  }
  return rows.back().result[t] == behind;
}

tile::ContractionProblem ContractionNest::problem() const {
  tile::ContractionProblem problem = stepsProblem();
  for (const NestDim &dim : batch)
    problem.batches *= dim.extent.fixed();
  for (const NestDim &dim : rows)
    problem.rows.push_back(dim.extent.fixed());
  return problem;
}

tile::ContractionProblem ContractionNest::stepsProblem() const {
  tile::ContractionProblem problem = columnsProblem();
  for (const NestDim &dim : k)
    problem.k.push_back(dim.extent.fixed());
  return problem;
}

tile::ContractionProblem ContractionNest::columnsProblem() const {
  tile::ContractionProblem problem;
  problem.columns = column.extent.fixed();
  problem.joinable = member.extent.fixed();
  problem.rowsAdjoin = rowsAdjoin(0);
  problem.sharesA = sharesA();
  return problem;
}

//===-- Products ----------------------------------------------------------===//

static SmallVector<Size, 6> resultStrides(ResultStrides results, size_t dim) {
  SmallVector<Size, 6> strides;
  for (ArrayRef<Size> tensor : results)
    strides.push_back(tensor[dim]);
  return strides;
}

/// Stride of a leading (batch) dimension of an operand, aligned at the right,
/// where the last two dimensions are the matrix. The result has `extent` there.
static Size batchStride(BufferType operand, size_t dim, size_t rank,
                        const Size &extent) {
  size_t own = operand.getShape().size();
  if (dim + own < rank)
    return 0;
  size_t i = dim + own - rank;
  return graph::broadcastStride(graph::sizesOf(operand.getTensor())[i], extent,
                                kernel::stridesOf(operand)[i]);
}

namespace {
/// Where the matrix lies in an operand.
struct MatrixStrides {
  Size row, column;
};
} // namespace

static MatrixStrides matrixStrides(BufferType operand, bool transposed) {
  Sizes strides = kernel::stridesOf(operand);
  Size outer = strides.end()[-2], inner = strides.end()[-1];
  return transposed ? MatrixStrides{inner, outer} : MatrixStrides{outer, inner};
}

/// A packed operand `[batch..., panels, K, panel]`: seen as `[batch..., K, N]`
/// except that columns jump from panel to panel.
static int64_t packedBatchStride(graph::MatmulOp op, BufferType rhs, size_t dim,
                                 size_t rank) {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getRhs().getType()).getShape();
  if (dim + shape.size() < rank)
    return 0;
  size_t i = dim + shape.size() - rank;
  return shape[i] == 1 ? 0 : rhs.getStrides()[i];
}

static ContractionNest buildMatmul(graph::MatmulOp op, BufferType lhs,
                                   BufferType rhs, Packing packing,
                                   ResultStrides results) {
  ContractionNest nest;
  int64_t panel = packing.panel, fold = packing.fold;
  Sizes extents = graph::sizesOf(op.getResult().getType());
  size_t rank = extents.size();
  MatrixStrides a = matrixStrides(lhs, op.getTransposeLhs());
  Size depth =
      graph::sizesOf(lhs.getTensor()).end()[op.getTransposeLhs() ? -2 : -1];
  for (size_t i = 0; i + 2 < rank; ++i) {
    NestDim dim{extents[i], batchStride(lhs, i, rank, extents[i]), 0,
                resultStrides(results, i)};
    dim.rhs = panel ? Size(packedBatchStride(op, rhs, i, rank))
                    : batchStride(rhs, i, rank, extents[i]);
    (dim.rhs.is(0) ? nest.rows : nest.batch).push_back(dim);
  }
  nest.rows.push_back(
      {extents[rank - 2], a.row, 0, resultStrides(results, rank - 2)});
  nest.column = {extents[rank - 1], 0, 1, resultStrides(results, rank - 1)};
  NestDim k{depth.floorDiv(fold), a.column * fold, panel, {}};
  if (!panel) {
    MatrixStrides c = matrixStrides(rhs, op.getTransposeRhs());
    k.rhs = c.row;
    nest.column.rhs = c.column;
  }
  nest.k.push_back(k);
  if (panel)
    nest.panelStride = k.extent.fixed() * panel;
  return nest;
}

//===-- Convolutions ------------------------------------------------------===//

static ContractionNest buildConv(graph::ConvOp op,
                                 const WindowGeometry &geometry,
                                 BufferType input, BufferType filter,
                                 Packing packing, ResultStrides results) {
  ContractionNest nest;
  Sizes extents = graph::sizesOf(op.getResult().getType());
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(op.getFilter().getType()).getShape();
  Sizes in = kernel::stridesOf(input);
  size_t spatial = geometry.kernel.size();
  int64_t panel = packing.panel, fold = packing.fold;
  int64_t groups = op.getGroup(), columns = shape[0] / groups;
  nest.rows.push_back({extents[0], in[0], 0, resultStrides(results, 0)});
  for (size_t i = 0; i < spatial; ++i) {
    nest.rows.push_back({extents[1 + i], in[1 + i] * geometry.strides[i], 0,
                         resultStrides(results, 1 + i)});
    nest.lhsOffset = nest.lhsOffset - in[1 + i] * geometry.padsBefore[i];
  }
  // B of a packed filter is linear in (kernel..., channel).
  int64_t linear = panel * shape[1] / fold;
  SmallVector<int64_t> own(filter.getStrides());
  for (int64_t i = int64_t(spatial) - 1; i >= 0; --i) {
    nest.k.insert(nest.k.begin(), {shape[2 + i],
                                   in[1 + i] * geometry.dilations[i],
                                   panel ? linear : own[2 + i],
                                   {}});
    linear *= shape[2 + i];
  }
  nest.k.push_back(
      {shape[1] / fold, in[1 + spatial] * fold, panel ? panel : own[1], {}});
  SmallVector<Size, 6> channel = resultStrides(results, 1 + spatial);
  nest.column = {columns, 0, panel ? 1 : own[0], channel};
  nest.panelStride = linear;
  NestDim group{groups, in[1 + spatial] * shape[1],
                panel ? tile::ceilDiv(columns * fold, panel) * linear
                      : own[0] * columns,
                channel};
  for (Size &stride : group.result)
    stride *= columns;
  if (groups > 1)
    nest.batch.push_back(group);
  return nest;
}

/// A window of results is a batch for each of its points, with an input pixel
/// for each row: `result[y * s + i][x * s + j] = input[y][x] * filter[i][j]`.
static FailureOr<ContractionNest>
buildConvTranspose(graph::ConvTransposeOp op, BufferType input,
                   BufferType filter, Packing packing, ResultStrides results) {
  if (op.getLayout() != graph::Layout::NHWC || !op.hasSeparateWindows())
    return op.emitError("'graph.conv_transpose' is a product only in layout "
                        "nhwc, where windows do not meet");
  ContractionNest nest;
  ArrayRef<int64_t> shape = op.getFilter().getType().getShape();
  Sizes in = kernel::stridesOf(input);
  Sizes extents = graph::sizesOf(input.getTensor());
  ArrayRef<int64_t> own = filter.getStrides();
  size_t spatial = shape.size() - 2;
  int64_t panel = packing.panel, fold = packing.fold;
  int64_t depth = shape[0], columns = shape[1];
  nest.rows.push_back({extents[0], in[0], 0, resultStrides(results, 0)});
  nest.k.push_back(
      {depth / fold, in[1 + spatial] * fold, panel ? panel : own[0], {}});
  nest.column = {columns, 0, panel ? 1 : own[1],
                 resultStrides(results, 1 + spatial)};
  nest.panelStride = depth / fold * panel;
  int64_t linear =
      panel ? tile::ceilDiv(columns * fold, panel) * nest.panelStride : 0;
  for (size_t i = spatial; i-- > 0;) {
    NestDim point{shape[2 + i], 0, panel ? linear : own[2 + i],
                  resultStrides(results, 1 + i)};
    NestDim window{extents[1 + i], in[1 + i], 0, point.result};
    for (Size &stride : window.result)
      stride *= shape[2 + i];
    nest.rows.insert(nest.rows.begin() + 1, window);
    linear *= shape[2 + i];
    if (!point.extent.is(1))
      nest.batch.insert(nest.batch.begin(), point);
  }
  // One channel has no stride: columns are points then.
  if (columns == 1 && !nest.batch.empty())
    nest.column.result = nest.batch.back().result;
  return nest;
}

static FailureOr<ContractionNest> buildAlone(Operation *op, BufferType lhs,
                                             BufferType rhs, Packing packing,
                                             ResultStrides results) {
  if (auto matmul = dyn_cast<graph::MatmulOp>(op))
    return buildMatmul(matmul, lhs, rhs, packing, results);
  if (auto conv = dyn_cast<graph::ConvOp>(op)) {
    FailureOr<WindowGeometry> geometry = windowGeometry(op);
    if (failed(geometry) || failed(checkHalo(op, *geometry, lhs)))
      return failure();
    return buildConv(conv, *geometry, lhs, rhs, packing, results);
  }
  return buildConvTranspose(cast<graph::ConvTransposeOp>(op), lhs, rhs, packing,
                            results);
}

/// What does not depend on the operation.
static void place(ContractionNest &nest, BufferType lhs, BufferType rhs,
                  Packing packing) {
  nest.fold = packing.fold;
  const NestDim &inner = nest.k.back();
  if (inner.lhs.is(packing.fold) && inner.extent.isFixed())
    nest.run = inner.extent.fixed() * packing.fold;
  nest.lhsOffset += kernel::offsetOf(lhs);
  nest.rhsOffset += kernel::offsetOf(rhs);
  nest.packed = packing.panel != 0;
}

FailureOr<ContractionNest>
codegen::buildLooseNest(Operation *op, BufferType lhs, BufferType rhs,
                        Packing packing, ResultStrides results) {
  FailureOr<ContractionNest> nest = buildAlone(op, lhs, rhs, packing, results);
  if (succeeded(nest))
    place(*nest, lhs, rhs, packing);
  return nest;
}

FailureOr<ContractionNest>
codegen::buildNestWithoutHalo(Operation *op, BufferType lhs, BufferType rhs,
                              Packing packing, ResultStrides results) {
  auto conv = dyn_cast<graph::ConvOp>(op);
  if (!conv)
    return buildLooseNest(op, lhs, rhs, packing, results);
  FailureOr<WindowGeometry> geometry = windowGeometry(op);
  if (failed(geometry))
    return failure();
  ContractionNest nest = buildConv(conv, *geometry, lhs, rhs, packing, results);
  place(nest, lhs, rhs, packing);
  return nest;
}

FailureOr<ContractionNest> codegen::buildNest(Operation *op, BufferType lhs,
                                              BufferType rhs, Packing packing,
                                              ResultStrides results) {
  FailureOr<ContractionNest> nest =
      buildLooseNest(op, lhs, rhs, packing, results);
  if (failed(nest))
    return failure();
  nest->collapse();
  nest->join(packing.join, packing.panel);
  return nest;
}

DictionaryAttr codegen::packAttributes(Operation *op, Packing packing) {
  Builder b(op->getContext());
  SmallVector<int64_t> batch, k, n;
  int64_t groups = 1;
  int64_t rank = cast<RankedTensorType>(op->getOperand(1).getType()).getRank();
  if (auto matmul = dyn_cast<graph::MatmulOp>(op)) {
    for (int64_t i = 0; i + 2 < rank; ++i)
      batch.push_back(i);
    k.push_back(matmul.getTransposeRhs() ? rank - 1 : rank - 2);
    n.push_back(matmul.getTransposeRhs() ? rank - 2 : rank - 1);
  } else if (auto conv = dyn_cast<graph::ConvOp>(op)) {
    llvm::append_range(k, llvm::seq<int64_t>(2, rank));
    k.push_back(1);
    n.push_back(0);
    groups = conv.getGroup();
  } else {
    auto filter = cast<graph::ConvTransposeOp>(op).getFilter().getType();
    k.push_back(0);
    llvm::append_range(n, llvm::seq<int64_t>(2, rank));
    n.push_back(1);
    groups = ShapedType::getNumElements(filter.getShape().drop_front(2));
  }
  NamedAttrList attributes;
  attributes.append("batch_dims", b.getDenseI64ArrayAttr(batch));
  attributes.append("k_dims", b.getDenseI64ArrayAttr(k));
  attributes.append("n_dims", b.getDenseI64ArrayAttr(n));
  attributes.append("panel", b.getI64IntegerAttr(packing.panel));
  if (groups > packing.join)
    attributes.append("groups", b.getI64IntegerAttr(groups / packing.join));
  if (packing.fold > 1)
    attributes.append("fold", b.getI64IntegerAttr(packing.fold));
  return attributes.getDictionary(op->getContext());
}
