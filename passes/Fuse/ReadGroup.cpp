//===- ReadGroup.cpp - a group of stages as statements --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/ReadGroup.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

//===-- Indices -----------------------------------------------------------===//

/// Adds `factor` times an expression without divisions; whether it is one.
static bool addLinear(AffineExpr expr, int64_t factor, poly::Index &index) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    index.offset += factor * constant.getValue();
    return true;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    index.coefficients.resize(
        std::max<size_t>(index.coefficients.size(), dim.getPosition() + 1));
    index.coefficients[dim.getPosition()] += factor;
    return true;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return false;
  if (expr.getKind() == AffineExprKind::Add)
    return addLinear(binary.getLHS(), factor, index) &&
           addLinear(binary.getRHS(), factor, index);
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  return expr.getKind() == AffineExprKind::Mul && by &&
         addLinear(binary.getLHS(), factor * by.getValue(), index);
}

/// The positive number that `expr` divides by, or takes the rest of, if its
/// kind is this.
static std::optional<int64_t> numberOf(AffineExpr expr, AffineExprKind kind) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary || expr.getKind() != kind)
    return std::nullopt;
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!by || by.getValue() < 1)
    return std::nullopt;
  return by.getValue();
}

/// Any index, where the expression is none of those.
static poly::Index indexOf(AffineExpr expr) {
  poly::Index index;
  auto operand = [&] { return cast<AffineBinaryOpExpr>(expr).getLHS(); };
  if (auto modulus = numberOf(expr, AffineExprKind::Mod)) {
    index.modulus = *modulus;
    expr = operand();
  }
  if (auto divisor = numberOf(expr, AffineExprKind::FloorDiv)) {
    index.divisor = *divisor;
    expr = operand();
  }
  if (addLinear(expr, 1, index))
    return index;
  poly::Index any;
  any.any = true;
  return any;
}

/// Beyond the tensor it touches nothing, or something else of it.
static poly::Access accessOf(const graph::Access &access, unsigned tensor) {
  bool isElsewhere = access.outside &&
                     *access.outside != graph::Outside::Zero &&
                     *access.outside != graph::Outside::Nothing &&
                     *access.outside != graph::Outside::Value;
  poly::Access result;
  result.tensor = tensor;
  for (AffineExpr expr : access.map.getResults()) {
    poly::Index index = indexOf(expr);
    index.any |= isElsewhere;
    result.exact &= !index.any;
    result.index.push_back(std::move(index));
  }
  result.exact &= access.kind == graph::AccessKind::Exact;
  result.leaves = access.outside.has_value() && !isElsewhere;
  return result;
}

//===-- Statements --------------------------------------------------------===//

namespace {
class GroupReader {
public:
  explicit GroupReader(kernel::GroupOp group) : group(group) {}

  std::optional<GroupStatements> run() {
    if (!hasStaticShapes())
      return std::nullopt;
    for (Value argument : group.getBlock().getArguments())
      addTensor(argument).liveIn = true;
    for (auto stage : group.getBlock().getOps<kernel::StageOp>())
      if (!addStage(stage))
        return std::nullopt;
    addSinks();
    for (unsigned i = 0; i < read.scop.statements.size(); ++i)
      read.group.statements.push_back(i);
    return std::move(read);
  }

private:
  bool hasStaticShapes() {
    return !group
                .walk([](Operation *op) {
                  bool isStatic =
                      llvm::all_of(op->getResultTypes(), [](Type type) {
                        return cast<RankedTensorType>(type).hasStaticShape();
                      });
                  return isStatic ? WalkResult::advance()
                                  : WalkResult::interrupt();
                })
                .wasInterrupted() &&
           llvm::all_of(group.getOperandTypes(), [](Type type) {
             return cast<RankedTensorType>(type).hasStaticShape();
           });
  }

  poly::Tensor &addTensor(Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    numbers[value] = unsigned(read.scop.tensors.size());
    poly::Tensor tensor;
    tensor.shape = type.getShape().vec();
    tensor.elementBytes = graph::elementBytes(type.getElementType());
    read.scop.tensors.push_back(std::move(tensor));
    return read.scop.tensors.back();
  }

  bool addStage(kernel::StageOp stage) {
    for (auto [argument, input] :
         llvm::zip_equal(stage.getBlock().getArguments(), stage.getInputs()))
      numbers[argument] = numbers.lookup(input);
    for (Operation &op : stage.getBlock().without_terminator())
      if (!addOperation(&op))
        return false;
    Value yielded = stage.getBlock().getTerminator()->getOperand(0);
    numbers[stage.getResult()] = numbers.lookup(yielded);
    return true;
  }

  bool addOperation(Operation *op) {
    for (Value result : op->getResults())
      addTensor(result).liveIn = isa<graph::ConstantOp>(op);
    if (isa<graph::ConstantOp>(op))
      return true;
    auto tensorOp = dyn_cast<graph::TensorOpInterface>(op);
    if (!tensorOp)
      return false;
    poly::Statement statement;
    statement.name = op->getName().getStringRef().str();
    for (const graph::IterationDim &dim : tensorOp.getIterationDomain().dims) {
      auto extent = dyn_cast<IntegerAttr>(dim.extent);
      if (!extent || dim.kind == graph::DimKind::Sequential)
        return false;
      statement.dims.push_back({cast<IntegerAttr>(dim.extent).getInt(),
                                dim.isReduction() ? poly::DimKind::Reduction
                                                  : poly::DimKind::Parallel});
    }
    for (const graph::Access &access : tensorOp.getAccesses()) {
      poly::Access of = accessOf(access, numbers.lookup(access.valueIn(op)));
      if (access.writes)
        statement.write = std::move(of);
      else
        statement.reads.push_back(std::move(of));
    }
    read.operations.push_back(op);
    read.scop.statements.push_back(std::move(statement));
    return true;
  }

  /// Results that no stage reads are cut into the tiles.
  void addSinks() {
    kernel::TileAttr tile = *group.getTile();
    read.group.sizes = tile.getSizes().vec();
    for (Value yielded : group.getBlock().getTerminator()->getOperands()) {
      unsigned tensor = numbers.lookup(yielded);
      read.scop.tensors[tensor].liveOut = true;
      if (!yielded.hasOneUse())
        continue;
      poly::Sink sink{writerOf(tensor), {}};
      for (int64_t dim : tile.getDims())
        sink.dims.push_back(int(dim));
      read.group.sinks.push_back(std::move(sink));
    }
  }

  unsigned writerOf(unsigned tensor) const {
    unsigned writer = 0;
    while (read.scop.statements[writer].write.tensor != tensor)
      ++writer;
    return writer;
  }

  kernel::GroupOp group;
  GroupStatements read;
  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

std::optional<GroupStatements> fuse::readGroup(kernel::GroupOp group) {
  return GroupReader(group).run();
}
