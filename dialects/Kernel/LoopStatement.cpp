//===- LoopStatement.cpp - an operation in a loop nest --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file decides from accesses and reductions which operations a loop nest
// can hold.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/LoopStatement.h"

#include "dialects/Graph/Roles.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

static bool isShort(int64_t extent) {
  constexpr int64_t shortest = 16;
  return !ShapedType::isDynamic(extent) && extent < shortest;
}

/// The kind by role; none of roles that no nest of this form has.
static std::optional<LoopStatement::Kind> kindOf(graph::TensorOpInterface op) {
  // The accesses of a reshape say where elements come from, but that a nest
  // can follow them only its shapes do.
  if (isa<graph::ReshapeOp>(op))
    return LoopStatement::Reshape;
  if (auto constant = dyn_cast<graph::ConstantOp>(*op)) {
    if (!constant.getValue().isSplat())
      return std::nullopt;
    return LoopStatement::Constant;
  }
  switch (graph::roleOf(op)) {
  case graph::Role::Pointwise:
    return LoopStatement::Compute;
  case graph::Role::Movement:
    if (op->getNumOperands() == 0)
      return std::nullopt;
    return LoopStatement::View;
  case graph::Role::Reduction:
    if (!op.getReduction() || !op.getReduction()->identity)
      return std::nullopt;
    return LoopStatement::Reduce;
  default:
    return std::nullopt;
  }
}

/// Whether elements of rows, or short rows, are repeated: a copy of rows is
/// faster.
static bool repeatsInRows(const LoopStatement &statement) {
  if (statement.kind != LoopStatement::View)
    return false;
  ArrayRef<AffineExpr> exprs = statement.reads.front().getResults();
  auto repeats = [](AffineExpr expr) {
    return expr.getKind() == AffineExprKind::FloorDiv;
  };
  return llvm::any_of(exprs, repeats) &&
         (repeats(exprs.back()) || isShort(shapeOf(statement.result()).back()));
}

/// An operand that is aligned with the result on the right, of whose dimensions
/// some may be 1. Each runs along its own dimension of the domain.
static void addBroadcast(LoopStatement &statement, const graph::Access &access,
                         int64_t rank) {
  SmallVector<AffineExpr> exprs(access.map.getResults());
  SmallVector<unsigned> mayRepeat;
  int64_t offset = rank - int64_t(exprs.size());
  for (auto [index, expr] : llvm::enumerate(exprs)) {
    if (!expr.isFunctionOfSymbol(index))
      continue;
    expr = getAffineDimExpr(offset + index, access.map.getContext());
    mayRepeat.push_back(index);
  }
  statement.reads.push_back(AffineMap::get(access.map.getNumDims(), 0, exprs,
                                           access.map.getContext()));
  statement.mayRepeat.push_back(mayRepeat);
}

/// A slice that starts where symbols say: its map leaves the starts out.
static void addSlice(LoopStatement &statement, graph::SliceOp slice,
                     AffineMap map) {
  SmallVector<AffineExpr> exprs(map.getResults());
  statement.starts.resize(exprs.size());
  for (auto [index, expr] : llvm::enumerate(exprs)) {
    if (!expr.isFunctionOfSymbol(index))
      continue;
    expr = getAffineDimExpr(index, map.getContext()) * slice.getSteps()[index];
    statement.starts[index] = graph::Size(slice.startDims()[index]);
  }
  statement.reads.push_back(
      AffineMap::get(map.getNumDims(), 0, exprs, map.getContext()));
  statement.mayRepeat.emplace_back();
}

/// Whether the access is added; not where the nest cannot follow it.
static bool addAccess(LoopStatement &statement, const graph::Access &access) {
  bool isReshape = statement.kind == LoopStatement::Reshape;
  bool isBroadcast = statement.kind == LoopStatement::Compute ||
                     isa<graph::BroadcastOp>(statement.op);
  if (access.writes) {
    statement.write = access.map;
    return access.isPrecise();
  }
  if (access.isPrecise() || isReshape) {
    statement.reads.push_back(access.map);
    statement.mayRepeat.emplace_back();
    return true;
  }
  auto slice = dyn_cast<graph::SliceOp>(statement.op);
  if (slice && !llvm::is_contained(slice.startDims(), Attribute())) {
    addSlice(statement, slice, access.map);
    return true;
  }
  if (!isBroadcast)
    return false;
  addBroadcast(statement, access, int64_t(shapeOf(statement.result()).size()));
  return true;
}

std::optional<LoopStatement> LoopStatement::of(Operation *op) {
  auto tensorOp = dyn_cast<graph::TensorOpInterface>(op);
  if (!tensorOp)
    return std::nullopt;
  std::optional<Kind> kind = kindOf(tensorOp);
  if (!kind)
    return std::nullopt;
  LoopStatement statement{*kind, op, {}, {}, {}, {}, {}};
  for (const graph::Access &access : tensorOp.getAccesses())
    if (!addAccess(statement, access))
      return std::nullopt;
  for (auto [dim, info] : llvm::enumerate(tensorOp.getIterationDomain().dims))
    if (info.isReduction())
      statement.reduced.push_back(dim);
  if (repeatsInRows(statement))
    return std::nullopt;
  return statement;
}

int64_t LoopStatement::inputDim(unsigned dim) const {
  AffineExpr wanted = getAffineDimExpr(dim, op->getContext());
  ArrayRef<AffineExpr> exprs = reads.front().getResults();
  return llvm::find(exprs, wanted) - exprs.begin();
}

SmallVector<RepeatedDim> LoopStatement::repeatedDims() const {
  SmallVector<RepeatedDim> dims;
  if (kind != View)
    return dims;
  for (auto [from, expr] : llvm::enumerate(reads.front().getResults())) {
    auto division = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!division || expr.getKind() != AffineExprKind::FloorDiv ||
        shapeOf(op->getOperand(0))[from] == 1)
      continue;
    ArrayRef<AffineExpr> to = write.getResults();
    dims.push_back({int64_t(from),
                    llvm::find(to, division.getLHS()) - to.begin(),
                    cast<AffineConstantExpr>(division.getRHS()).getValue()});
  }
  return dims;
}
