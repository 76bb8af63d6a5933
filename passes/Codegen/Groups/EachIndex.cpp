//===- EachIndex.cpp - the same for each index of a dimension -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Groups/EachIndex.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Kernel/Buffers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

//===-- Which groups ------------------------------------------------------===//

/// Whether `dim` leads a tensor and is its only symbol.
static bool leads(Attribute dim, Type type) {
  graph::Dims dims = graph::dimsOf(cast<RankedTensorType>(type));
  return !dims.empty() && dims[0] == dim &&
         llvm::none_of(ArrayRef(dims).drop_front(), graph::isSymbolic);
}

/// Whether all numbers of an operation are known but `dim`.
static bool knowsAllBut(Attribute dim, Operation &op) {
  return llvm::all_of(op.getAttrs(), [&](NamedAttribute attribute) {
    auto dims = dyn_cast<graph::DimsAttr>(attribute.getValue());
    return !dims || llvm::all_of(dims.getDims(), [&](Attribute each) {
      return each == dim || !graph::isSymbolic(each);
    });
  });
}

/// Whether an index of the first dimension matters beyond where it is: one that
/// stands for all would be counted as the first of one.
static bool countsIndices(Operation &op) {
  auto iota = dyn_cast<graph::IotaOp>(op);
  return isa<graph::ScatterOp>(op) || (iota && iota.getAxis() == 0);
}

/// Whether the operation's first loop runs over `dim`, and each access to a
/// tensor with symbols has that loop's index there and nowhere else.
static bool runsOver(Attribute dim, Operation &op) {
  auto tensorOp = dyn_cast<graph::TensorOpInterface>(op);
  if (!tensorOp || !knowsAllBut(dim, op) || countsIndices(op))
    return false;
  graph::IterationDomain domain = tensorOp.getIterationDomain();
  if (domain.dims.empty() || domain.dims[0].extent != dim ||
      domain.dims[0].kind != graph::DimKind::Parallel)
    return false;
  return llvm::all_of(tensorOp.getAccesses(), [&](const graph::Access &access) {
    if (!graph::lacksSize(access.valueIn(&op).getType()))
      return !access.writes;
    AffineExpr index = getAffineDimExpr(0, op.getContext());
    ArrayRef<AffineExpr> results = access.map.getResults();
    return results[0] == index &&
           llvm::none_of(results.drop_front(), [](AffineExpr result) {
             return result.isFunctionOfDim(0);
           });
  });
}

Attribute codegen::commonDim(kernel::GroupOp group) {
  if (group.isStaged() || group.getNumResults() == 0)
    return {};
  graph::Dims first =
      graph::dimsOf(cast<RankedTensorType>(group.getResultTypes()[0]));
  if (first.empty() || !graph::isSymbolic(first[0]))
    return {};
  auto fits = [&](Type type) {
    return !graph::lacksSize(type) || leads(first[0], type);
  };
  auto block = group.getBlock().without_terminator();
  bool fit = llvm::all_of(group.getBlock().getArgumentTypes(), fits) &&
             llvm::all_of(block, [&](Operation &op) {
               return llvm::all_of(op.getResultTypes(), fits) &&
                      runsOver(first[0], op);
             });
  return fit ? first[0] : Attribute();
}

//===-- Emission ----------------------------------------------------------===//

GroupInstance codegen::instanceOfOneIndex(kernel::GroupOp group) {
  // The leading dimension is the only one that is no number.
  return GroupInstance(group, [](Attribute dim) {
    return graph::isSymbolic(dim) ? graph::sizeDim(dim.getContext(), 1) : dim;
  });
}

std::optional<BufferType> codegen::partOfOneIndex(BufferType buffer) {
  RankedTensorType tensor = buffer.getTensor();
  if (tensor.hasStaticShape())
    return buffer;
  SmallVector<int64_t> shape(tensor.getShape());
  shape[0] = 1;
  graph::Sizes strides = kernel::stridesOf(buffer);
  if (!kernel::offsetOf(buffer).isFixed() ||
      !llvm::all_of(ArrayRef(strides).drop_front(),
                    std::mem_fn(&graph::Size::isFixed)))
    return std::nullopt;
  int64_t bytes = graph::elementBytes(tensor.getElementType());
  return kernel::bufferOf(RankedTensorType::get(shape, tensor.getElementType()),
                          strides, kernel::offsetOf(buffer),
                          strides[0] * bytes);
}

/// Each has one: see groupAccepts().
static SmallVector<BufferType> partsOf(ArrayRef<BufferType> buffers) {
  SmallVector<BufferType> parts;
  for (BufferType buffer : buffers)
    if (auto part = partOfOneIndex(buffer))
      parts.push_back(*part);
  return parts;
}

/// Where the parts of index `i` begin.
static Values pointersAt(const StageRequest &request, Value i) {
  KernelBuilder &b = request.b;
  Values pointers;
  for (BufferType type :
       llvm::concat<const BufferType>(request.operands, request.results)) {
    Value whole = b.buffer(pointers.size());
    bool isCut = !type.getTensor().hasStaticShape();
    pointers.push_back(isCut ? b.at(whole, b.mul(i, kernel::stridesOf(type)[0]),
                                    type.getElementType())
                             : whole);
  }
  kernel::GroupOp group = request.group;
  auto scratch = group.getScratch().value_or(ArrayRef<int64_t>());
  for (size_t k = 0; k < scratch.size(); ++k)
    pointers.push_back(b.buffer(pointers.size()));
  return pointers;
}

FailureOr<StageInfo> codegen::emitEach(const Strategy &strategy,
                                       const StageRequest &request) {
  KernelBuilder &b = request.b;
  kernel::GroupOp group = request.group;
  Attribute dim = commonDim(group);
  SmallVector<BufferType> operands = partsOf(request.operands),
                          results = partsOf(request.results);
  if (!dim || operands.size() != request.operands.size() ||
      results.size() != request.results.size())
    return group.emitOpError(
        "does not compute the same for each index of a leading dimension");
  GroupInstance one = instanceOfOneIndex(group);
  // How many tiles an index has is known when its code is there.
  auto each = LLVM::UndefOp::create(b.builder(), b.loc(), b.i64Type());
  Value tiles = each;
  FailureOr<StageInfo> info = failure();
  Value last = b.div(b.add(b.tileEnd(), b.sub(tiles, b.index(1))), tiles);
  b.loop(b.div(b.tileBegin(), tiles), last, 1, [&](Value i) {
    Value before = b.mul(i, tiles);
    Value begin = b.max(b.sub(b.tileBegin(), before), b.index(0));
    Value end = b.min(b.sub(b.tileEnd(), before), tiles);
    KernelBuilder inner(b, b.loc(), pointersAt(request, i), {begin, end});
    info = strategy.emit({request.device, request.function, inner, one.get(),
                          operands, results, request.plan});
  });
  if (failed(info) || !info->tiles.isFixed() || !info->steps.is(1))
    return failure();
  OpBuilder before(each);
  Value number = arith::ConstantOp::create(
      before, b.loc(), before.getI64IntegerAttr(info->tiles.fixed()));
  each->replaceAllUsesWith(ValueRange(number));
  each->erase();
  info->tiles *= Size(dim);
  return info;
}
