//===- Product.cpp - products and convolutions for blocks -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/Product.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Groups/WindowGeometry.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::ContractionNest;
using codegen::NestDim;
using memory::BufferType;

//===-- Operands ----------------------------------------------------------===//

template <typename Dims> static int64_t countOf(const Dims &dims) {
  int64_t count = 1;
  for (const auto &dim : dims)
    count *= dim.extent;
  return count;
}

int64_t OperandLayout::rowCount() const { return countOf(rows); }
int64_t OperandLayout::kCount() const { return countOf(k); }

int64_t OperandLayout::elementBytes() const {
  return graph::elementBytes(type.getTensor().getElementType());
}

/// Whether so many neighbours lie together wherever they start, at an address
/// that is a multiple of their size.
bool OperandLayout::canCopy(int64_t elements, bool alongK) const {
  ArrayRef<OperandDim> run = alongK ? k : rows, others = alongK ? rows : k;
  auto isMultiple = [&](const OperandDim &dim) {
    return dim.extent == 1 || dim.stride % elements == 0;
  };
  return run.back().stride == 1 && run.back().extent % elements == 0 &&
         aligned % elements == 0 && offset % elements == 0 &&
         llvm::all_of(run.drop_back(), isMultiple) &&
         llvm::all_of(others, isMultiple) &&
         llvm::all_of(batchStrides,
                      [&](int64_t stride) { return stride % elements == 0; });
}

bool OperandLayout::isAlongK() const {
  return k.back().stride == 1 || rows.back().stride != 1 || !windows.empty();
}

int64_t OperandLayout::copyElements() const {
  for (int64_t bytes : {16, 8, 4})
    if (int64_t elements = bytes / elementBytes();
        elements > 0 && canCopy(elements, isAlongK()))
      return elements;
  return 1;
}

//===-- Products ----------------------------------------------------------===//

int64_t Product::batches() const { return countOf(batch); }

/// As much of each tensor as its indices reach.
static int64_t bytesOf(BufferType type) {
  return type.getTensor().getNumElements() *
         int64_t(graph::elementBytes(type.getTensor().getElementType()));
}

tile::GpuProduct Product::problem(tile::Precision precision) const {
  tile::GpuProduct problem;
  problem.batches = batches();
  problem.rows = countOf(rows);
  problem.columns = column.extent;
  problem.k = lhs.kCount();
  problem.elementBytes = lhs.elementBytes();
  problem.unit = unitOf(lhs.type.getTensor().getElementType(), precision);
  problem.lhsCopy = lhs.copyElements();
  problem.rhsCopy = rhs.copyElements();
  problem.epilogueLoads =
      std::max<int64_t>(0, int64_t(column.strides.size()) - 1);
  int64_t results = problem.batches * problem.rows * problem.columns * 4;
  problem.bytes = bytesOf(lhs.type) + bytesOf(rhs.type) +
                  results * (1 + problem.epilogueLoads);
  return problem;
}

tile::Precision tenon::gpu::unitOf(Type element, tile::Precision precision) {
  if (element.isF16())
    return tile::Precision::F16;
  if (element.isBF16())
    return tile::Precision::BF16;
  return precision == tile::Precision::F32 ? precision : tile::Precision::TF32;
}

static bool isUnitElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  return element.isF32() || element.isF16() || element.isBF16();
}

/// Nothing is summed but taps: for windows, not for units. Other groups of a
/// convolution are a batch.
static bool isDepthwise(graph::ConvOp conv) {
  ArrayRef<int64_t> filter = conv.getFilter().getType().getShape();
  return conv.getGroup() > 1 && filter[0] == int64_t(conv.getGroup()) &&
         filter[1] == 1;
}

bool tenon::gpu::isUnitProduct(kernel::GroupOp group) {
  Operation *anchor = group.isStaged() ? nullptr : group.getAnchor();
  if (!isa_and_nonnull<graph::MatmulOp, graph::ConvOp>(anchor))
    return false;
  if (auto conv = dyn_cast<graph::ConvOp>(anchor))
    if (isDepthwise(conv) || conv.getLayout() != graph::Layout::NHWC)
      return false;
  for (Value operand : anchor->getOperands())
    if (!isa<BlockArgument>(operand) || !isUnitElement(operand.getType()))
      return false;
  auto isKnown = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getNumElements() > 0;
  };
  if (!llvm::all_of(group.getOperandTypes(), isKnown))
    return false;
  auto shape =
      cast<RankedTensorType>(anchor->getResult(0).getType()).getShape();
  return llvm::all_of(group.getResultTypes(), [&](Type type) {
    return isKnown(type) && cast<RankedTensorType>(type).getShape() == shape;
  });
}

//===-- Reading -----------------------------------------------------------===//

static OperandDim dimOf(const NestDim &dim, bool isLhs) {
  return {dim.extent.fixed(), (isLhs ? dim.lhs : dim.rhs).fixed()};
}

static ResultDim resultDim(const NestDim &dim) {
  ResultDim result{dim.extent.fixed(), {}};
  for (const codegen::Size &stride : dim.result)
    result.strides.push_back(stride.fixed());
  return result;
}

/// What copies must test of each window; empty where all lies inside.
static FailureOr<SmallVector<WindowBounds>> boundsOf(Operation *anchor,
                                                     Windows which) {
  SmallVector<WindowBounds> bounds;
  if (!isa<graph::ConvOp>(anchor))
    return bounds;
  FailureOr<codegen::WindowGeometry> geometry = codegen::windowGeometry(anchor);
  if (failed(geometry))
    return failure();
  bool hasTaps =
      llvm::any_of(geometry->kernel, [](int64_t extent) { return extent > 1; });
  bool takesAll = which == Windows::All && hasTaps;
  for (size_t i = 0; i < geometry->kernel.size(); ++i)
    if (takesAll || geometry->padsBefore[i] > 0 || geometry->overhang(i) > 0)
      bounds.push_back({1 + i, i, geometry->input[i].fixed(),
                        geometry->strides[i], geometry->dilations[i],
                        geometry->padsBefore[i]});
  return bounds;
}

FailureOr<Product> tenon::gpu::readProduct(kernel::GroupOp group,
                                           ArrayRef<BufferType> operands,
                                           bool isPacked,
                                           codegen::ResultStrides results,
                                           Windows which) {
  FailureOr<codegen::ContractionOperands> at =
      codegen::contractionOperands(group);
  if (failed(at))
    return failure();
  FailureOr<SmallVector<WindowBounds>> windows = boundsOf(at->anchor, which);
  codegen::Packing packing = isPacked ? unitPacking : codegen::Packing();
  FailureOr<ContractionNest> nest = failure();
  if (succeeded(windows))
    nest = codegen::buildNestWithoutHalo(at->anchor, operands[at->lhs],
                                         operands[at->rhs], packing, results);
  if (failed(nest))
    return failure();
  if (windows->empty())
    nest->collapse();
  if (isPacked)
    nest->column.rhs = nest->panelStride;
  Product product{*at, {}, {}, {}, {}, resultDim(nest->column)};
  product.lhs.buffer = at->lhs;
  product.rhs.buffer = at->rhs;
  product.lhs.windows = *windows;
  for (const NestDim &dim : nest->batch) {
    product.batch.push_back(resultDim(dim));
    product.lhs.batchStrides.push_back(dim.lhs.fixed());
    product.rhs.batchStrides.push_back(dim.rhs.fixed());
  }
  for (const NestDim &dim : nest->rows) {
    product.rows.push_back(resultDim(dim));
    product.lhs.rows.push_back(dimOf(dim, true));
  }
  if (product.rows.empty()) {
    product.rows.push_back({1, SmallVector<int64_t>(results.size(), 0)});
    product.lhs.rows.push_back({1, 0});
  }
  product.rhs.rows.push_back(dimOf(nest->column, false));
  for (const NestDim &dim : nest->k) {
    product.lhs.k.push_back(dimOf(dim, true));
    product.rhs.k.push_back(dimOf(dim, false));
  }
  product.lhs.offset = nest->lhsOffset.fixed();
  product.rhs.offset = nest->rhsOffset.fixed();
  for (OperandLayout *operand : {&product.lhs, &product.rhs}) {
    operand->type = operands[operand->buffer];
    operand->aligned =
        std::max<int64_t>(1, tenon::gpu::alignmentOf(group, operand->buffer) /
                                 operand->elementBytes());
  }
  return product;
}

FailureOr<Product> tenon::gpu::idealProduct(kernel::GroupOp group,
                                            Windows which) {
  SmallVector<BufferType> operands;
  for (Type type : group.getBlock().getArgumentTypes())
    operands.push_back(BufferType::getDense(cast<RankedTensorType>(type)));
  FailureOr<codegen::ContractionOperands> at =
      codegen::contractionOperands(group);
  if (failed(at))
    return failure();
  bool isPacked = codegen::canPack(group, *at);
  auto result = cast<RankedTensorType>(at->anchor->getResult(0).getType());
  codegen::Sizes strides = kernel::stridesOf(BufferType::getDense(result));
  // One for the result, and one for each operand that the epilogue reads.
  SmallVector<ArrayRef<codegen::Size>> tensors(operands.size() - 1, strides);
  return readProduct(group, operands, isPacked, tensors, which);
}
