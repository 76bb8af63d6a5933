//===- Precise.cpp - values that need more than 16 bits -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Narrow/Narrowing.h"

#include "lib/Interpreter/Interpreter.h"
#include "lib/Support/NarrowFloat.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

/// Whether results are small whatever the operands are, or sums of so many
/// products that nobody counts on their last digits.
static bool forgets(Operation *op) {
  return isa<graph::ExpOp, graph::SigmoidOp, graph::TanhOp, graph::ErfOp,
             graph::SinOp, graph::CosOp, graph::SignOp, graph::MatmulOp,
             graph::ConvOp, graph::ConvTransposeOp>(op);
}

/// Bytes have their place in 16 bits.
static bool isCount(graph::CastOp cast) {
  auto from = dyn_cast<IntegerType>(cast.getInput().getType().getElementType());
  return from && from.getWidth() > 8;
}

/// Whether a finite number of it would become infinite.
static bool isTooLarge(graph::ConstantOp constant, bool isHalf) {
  auto elements = cast<ElementsAttr>(constant.getValue());
  FailureOr<interp::Tensor> tensor = interp::Tensor::fromElements(elements);
  if (failed(tensor) || !tensor->getElementType().isF32())
    return false;
  ArrayRef<float> numbers(
      reinterpret_cast<const float *>(tensor->bytes().data()), tensor->size());
  return llvm::any_of(numbers, [&](float x) {
    float narrow = isHalf ? HalfFloat::widen(HalfFloat::narrow(x))
                          : BrainFloat::widen(BrainFloat::narrow(x));
    return std::isfinite(x) && !std::isfinite(narrow);
  });
}

namespace {
class Finder {
public:
  explicit Finder(bool isHalf) : isHalf(isHalf) {}

  void visit(Operation &op) {
    auto group = dyn_cast<kernel::GroupOp>(op);
    if (!group)
      return visitOne(op);
    for (auto [argument, operand] :
         llvm::zip_equal(group.getBlock().getArguments(), group.getOperands_()))
      if (found.contains(operand))
        found.insert(argument);
    for (Operation &inner : group.getBlock().without_terminator())
      visitOne(inner);
    Operation *yield = group.getBlock().getTerminator();
    for (auto [result, yielded] :
         llvm::zip_equal(group.getResults(), yield->getOperands()))
      if (found.contains(yielded))
        found.insert(result);
  }

  llvm::DenseSet<Value> found;

private:
  void visitOne(Operation &op) {
    bool makes = isa<graph::IotaOp>(op);
    if (auto cast = dyn_cast<graph::CastOp>(op))
      makes = isCount(cast);
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      makes = isTooLarge(constant, isHalf);
    bool reads = !forgets(&op) &&
                 llvm::any_of(op.getOperands(),
                              [&](Value each) { return found.contains(each); });
    for (Value result : op.getResults())
      if ((makes || reads) && isF32(result))
        found.insert(result);
  }

  bool isHalf;
};
} // namespace

llvm::DenseSet<Value> tenon::gpu::findPrecise(func::FuncOp function,
                                              Type element) {
  Finder finder(element.isF16());
  for (Operation &op : function.getBody().front())
    finder.visit(op);
  return std::move(finder.found);
}
