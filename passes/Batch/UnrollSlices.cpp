//===- UnrollSlices.cpp - each slice where it runs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-unroll-slices.
//===----------------------------------------------------------------------===//
#include "passes/Batch/Passes.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/Outline.h"
#include "dialects/Kernel/Slices.h"
#include "mlir/IR/IRMapping.h"

namespace tenon::batch {
#define GEN_PASS_DEF_UNROLLSLICESPASS
#include "passes/Batch/Passes.h.inc"
} // namespace tenon::batch

using namespace mlir;
using namespace tenon;

/// Makes an operation a group of its own.
static Value asGroup(OpBuilder &b, Operation *op) {
  kernel::GroupOp group =
      kernel::createGroup(b, op->getLoc(), op, op->getOperands(),
                          op->getOperands(), op->getResults());
  op->erase();
  return group.getResult(0);
}

namespace {
class Unroller {
public:
  explicit Unroller(kernel::SlicesOp slices)
      : slices(slices), b(slices), parts(slices.getNumResults()),
        begins(slices.getInputs().size()) {}

  /// Puts what is called in the place of the call.
  void run(DenseMap<Attribute, Value> &constants) {
    for (func::FuncOp callee : kernel::calleesOf(slices))
      call(callee, constants);
    for (auto [result, values] : llvm::zip(slices.getResults(), parts))
      result.replaceAllUsesWith(together(values));
    slices.erase();
  }

private:
  void call(func::FuncOp callee, DenseMap<Attribute, Value> &constants);
  Value take(unsigned input, Type type);
  Value together(ArrayRef<Value> values);

  kernel::SlicesOp slices;
  OpBuilder b;
  SmallVector<SmallVector<Value>> parts; ///< of each result
  SmallVector<int64_t> begins; ///< of each operand, where the next slice does
};
} // namespace

/// The next rows of an operand, as many as `type` has; or all of it.
Value Unroller::take(unsigned input, Type type) {
  Value whole = slices.getInputs()[input];
  if (whole.getType() == type)
    return whole;
  ArrayRef<int64_t> sizes = cast<RankedTensorType>(type).getShape();
  SmallVector<int64_t> starts(sizes.size(), 0), steps(sizes.size(), 1);
  starts.front() = begins[input];
  begins[input] += sizes.front();
  return asGroup(b, graph::SliceOp::create(b, slices.getLoc(), whole, starts,
                                           sizes, steps));
}

Value Unroller::together(ArrayRef<Value> values) {
  if (values.size() == 1)
    return values.front();
  return asGroup(b, graph::ConcatOp::create(b, slices.getLoc(), values, 0));
}

/// Constants are in the program once, at its start.
static Value constantOf(graph::ConstantOp op, Block &program,
                        DenseMap<Attribute, Value> &constants) {
  Value &known = constants[op.getValueAttr()];
  if (!known)
    known = OpBuilder::atBlockBegin(&program).clone(*op)->getResult(0);
  return known;
}

void Unroller::call(func::FuncOp callee,
                    DenseMap<Attribute, Value> &constants) {
  IRMapping values;
  for (BlockArgument argument : callee.getArguments())
    values.map(argument, take(argument.getArgNumber(), argument.getType()));
  for (Operation &op : callee.getBody().front().without_terminator())
    if (auto constant = dyn_cast<graph::ConstantOp>(op))
      values.map(constant.getResult(),
                 constantOf(constant, *slices->getBlock(), constants));
    else
      b.clone(op, values);
  Operation *end = callee.getBody().front().getTerminator();
  for (auto [list, value] : llvm::zip(parts, end->getOperands()))
    list.push_back(values.lookupOrDefault(value));
}

/// What goes through memory inside of a callee does so in the program.
static void takeReasons(func::FuncOp program, func::FuncOp callee) {
  SmallVector<kernel::UnfusedEdge> edges = kernel::unfusedOf(program);
  llvm::append_range(edges, kernel::unfusedOf(callee));
  if (!edges.empty())
    kernel::setUnfused(program, edges);
}

namespace {
struct UnrollSlices : batch::impl::UnrollSlicesPassBase<UnrollSlices> {
  void runOnOperation() override {
    llvm::SetVector<Operation *> called;
    for (auto program : getOperation().getOps<func::FuncOp>()) {
      DenseMap<Attribute, Value> constants;
      for (auto slices :
           llvm::make_early_inc_range(program.getOps<kernel::SlicesOp>())) {
        SmallVector<func::FuncOp> callees = kernel::calleesOf(slices);
        numCopies += callees.size();
        for (func::FuncOp callee : callees)
          if (called.insert(callee))
            takeReasons(program, callee);
        Unroller(slices).run(constants);
      }
    }
    for (Operation *callee : called)
      callee->erase();
  }
};
} // namespace
