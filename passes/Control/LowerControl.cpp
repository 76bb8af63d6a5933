//===- LowerControl.cpp - from control to bytecode ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes blocks of branches and loops.
//===----------------------------------------------------------------------===//
#include "passes/Control/Passes.h"

#include "dialects/Control/Control.h"
#include "dialects/Control/ElementCode.h"
#include "passes/Control/Kills.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tenon::ctrl {
#define GEN_PASS_DEF_LOWERCONTROLPASS
#include "passes/Control/Passes.h.inc"
} // namespace tenon::ctrl

using namespace mlir;
using namespace tenon;

namespace {
/// Lowers one function.
class Lowering {
public:
  explicit Lowering(control::FuncOp function)
      : function(function), builder(function), where(function.getLoc()) {}

  void run();

private:
  void lower(Operation *op);
  void lower(control::ConstantOp op);
  void lower(control::CallOp op);
  void lower(control::IfOp op);
  void lower(control::LoopOp op);
  void lower(control::ReturnOp op);

  SmallVector<Value> mapped(ValueRange values);
  Value primitive(StringRef name, Type result, ValueRange arguments,
                  ArrayRef<int64_t> integers = {});
  Value constant(TypedAttr value);
  Block *addBlock(TypeRange arguments = {});
  void branch(Block *block, FlatSymbolRefAttr callee, ValueRange arguments,
              Block *join);
  Value goesOn(control::LoopOp op, Value number, Value condition);
  Value emptyStack(Type stacked);
  Value stack(Value sequence, ValueRange sizes, Type stacked);

  control::FuncOp function;
  vm::FuncOp made;
  OpBuilder builder;
  Location where;
  IRMapping mapping;
};
} // namespace

//===-- Small steps -------------------------------------------------------===//

SmallVector<Value> Lowering::mapped(ValueRange values) {
  return llvm::map_to_vector(
      values, [&](Value value) { return mapping.lookup(value); });
}

Value Lowering::primitive(StringRef name, Type result, ValueRange arguments,
                          ArrayRef<int64_t> integers) {
  auto call = vm::CallOp::create(builder, where, TypeRange(result),
                                 builder.getStringAttr(name), arguments,
                                 integers, ElementsAttr());
  return call.getResult(0);
}

Value Lowering::constant(TypedAttr value) {
  auto call =
      vm::CallOp::create(builder, where, TypeRange(value.getType()),
                         builder.getStringAttr("constant"), ValueRange(),
                         ArrayRef<int64_t>(), cast<ElementsAttr>(value));
  return call.getResult(0);
}

Block *Lowering::addBlock(TypeRange arguments) {
  Block *block = &made.getBody().emplaceBlock();
  for (Type type : arguments)
    block->addArgument(type, where);
  return block;
}

void Lowering::lower(control::ConstantOp op) {
  mapping.map(op.getResult(), constant(cast<TypedAttr>(op.getValue())));
}

void Lowering::lower(control::CallOp op) {
  auto call = vm::CallOp::create(builder, where, op.getResultTypes(),
                                 op.getCallee(), mapped(op.getArguments()),
                                 op.getIntegers(), ElementsAttr());
  mapping.map(op.getResults(), call.getResults());
}

void Lowering::lower(control::ReturnOp op) {
  vm::ReturnOp::create(builder, where, mapped(op.getValues()));
}

//===-- Branches ----------------------------------------------------------===//

void Lowering::branch(Block *block, FlatSymbolRefAttr callee,
                      ValueRange arguments, Block *join) {
  builder.setInsertionPointToEnd(block);
  auto call =
      vm::CallOp::create(builder, where, join->getArgumentTypes(), callee,
                         arguments, ArrayRef<int64_t>(), ElementsAttr());
  vm::GotoOp::create(builder, where, call.getResults(), join);
}

void Lowering::lower(control::IfOp op) {
  Block *then = addBlock(), *otherwise = addBlock();
  Block *join = addBlock(op.getResultTypes());
  SmallVector<Value> arguments = mapped(op.getArguments());
  vm::IfOp::create(builder, where, mapping.lookup(op.getCondition()), then,
                   otherwise);
  branch(then, op.getThenFunctionAttr(), arguments, join);
  branch(otherwise, op.getElseFunctionAttr(), arguments, join);
  builder.setInsertionPointToEnd(join);
  mapping.map(op.getResults(), join->getArguments());
}

//===-- Loops -------------------------------------------------------------===//

/// The element type of what iterations give, as integers of primitives.
static SmallVector<int64_t> codeOf(Type stacked) {
  Type element = cast<RankedTensorType>(stacked).getElementType();
  control::ElementCode code =
      control::elementCode(element).value_or(control::ElementCode());
  return {code.code, code.bits};
}

/// Element type and extents of what an iteration gives, as integers of `stack`.
static SmallVector<int64_t> shapeOf(Type stacked) {
  SmallVector<int64_t> integers = codeOf(stacked);
  for (int64_t size : cast<RankedTensorType>(stacked).getShape().drop_front())
    integers.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return integers;
}

static Type sequenceOf(Type stacked) {
  auto type = cast<RankedTensorType>(stacked);
  return control::SequenceType::get(
      type.getContext(), RankedTensorType::get(type.getShape().drop_front(),
                                               type.getElementType()));
}

Value Lowering::emptyStack(Type stacked) {
  return primitive("sequence_construct", sequenceOf(stacked), {},
                   codeOf(stacked));
}

Value Lowering::stack(Value sequence, ValueRange sizes, Type stacked) {
  SmallVector<Value> operands = {sequence};
  llvm::append_range(operands, mapped(sizes));
  return primitive("stack", stacked, operands, shapeOf(stacked));
}

Value Lowering::goesOn(control::LoopOp op, Value number, Value condition) {
  if (!op.getTrip())
    return condition;
  return primitive("loop_test", condition.getType(),
                   {number, mapping.lookup(op.getTrip()), condition});
}

void Lowering::lower(control::LoopOp op) {
  auto numberType = RankedTensorType::get({}, builder.getI64Type());
  auto conditionType = RankedTensorType::get({}, builder.getI1Type());
  size_t numCarried = op.getCarried().size();
  auto scans = llvm::to_vector(op.getResultTypes());
  scans.erase(scans.begin(), scans.begin() + numCarried);

  SmallVector<Value> first = {
      constant(DenseElementsAttr::get(numberType, int64_t(0))),
      op.getCondition()
          ? mapping.lookup(op.getCondition())
          : constant(DenseElementsAttr::get(conditionType, true))};
  llvm::append_range(first, mapped(op.getCarried()));
  for (Type scan : scans)
    first.push_back(emptyStack(scan));
  // The head takes what any iteration may give, the results' types.
  SmallVector<Type> types = {numberType, conditionType};
  llvm::append_range(types, op.getResults().take_front(numCarried).getTypes());
  for (Type scan : scans)
    types.push_back(sequenceOf(scan));

  Block *head = addBlock(types), *body = addBlock(), *exit = addBlock();
  vm::GotoOp::create(builder, where, first, head);

  builder.setInsertionPointToEnd(head);
  auto state = llvm::map_to_vector(head->getArguments(),
                                   [](BlockArgument a) -> Value { return a; });
  Value go = goesOn(op, state[0], state[1]);
  vm::IfOp::create(builder, where, go, body, exit);

  builder.setInsertionPointToEnd(body);
  auto arguments = llvm::to_vector(ArrayRef(state).take_front(2 + numCarried));
  llvm::append_range(arguments, mapped(op.getInvariants()));
  SmallVector<Type> results(types.begin() + 1, types.begin() + 2 + numCarried);
  for (Type scan : scans)
    results.push_back(
        cast<control::SequenceType>(sequenceOf(scan)).getElement());
  auto call =
      vm::CallOp::create(builder, where, results, op.getBodyAttr(), arguments,
                         ArrayRef<int64_t>(), ElementsAttr());
  SmallVector<Value> next = {primitive("increment", numberType, state[0])};
  llvm::append_range(next, call.getResults().take_front(1 + numCarried));
  for (auto [index, scan] :
       llvm::enumerate(call.getResults().drop_front(1 + numCarried))) {
    Value before = state[2 + numCarried + index];
    next.push_back(
        primitive("sequence_insert", before.getType(), {before, scan}));
  }
  vm::GotoOp::create(builder, where, next, head);

  builder.setInsertionPointToEnd(exit);
  for (auto [index, result] :
       llvm::enumerate(op.getResults().take_front(numCarried)))
    mapping.map(result, state[2 + index]);
  for (auto [index, result] :
       llvm::enumerate(op.getResults().drop_front(numCarried))) {
    ValueRange sizes = op.getSizes();
    mapping.map(result, stack(state[2 + numCarried + index],
                              sizes.empty() ? sizes : sizes.slice(index, 1),
                              result.getType()));
  }
}

//===-- The pass ----------------------------------------------------------===//

void Lowering::lower(Operation *op) {
  where = op->getLoc();
  llvm::TypeSwitch<Operation *>(op)
      .Case<control::ConstantOp, control::CallOp, control::IfOp,
            control::LoopOp, control::ReturnOp>([&](auto op) { lower(op); });
}

void Lowering::run() {
  made = vm::FuncOp::create(builder, function.getLoc(), function.getName(),
                            function.getFunctionType());
  made.setVisibility(function.getVisibility());
  made.setArgAttrsAttr(function.getArgAttrsAttr());
  made.setResAttrsAttr(function.getResAttrsAttr());
  Block *entry = addBlock(function.getArgumentTypes());
  mapping.map(function.getArguments(), entry->getArguments());
  builder.setInsertionPointToEnd(entry);
  for (Operation &op : function.getBody().front())
    lower(&op);
  ctrl::killDeadValues(made);
}

namespace {
struct LowerControl : ctrl::impl::LowerControlPassBase<LowerControl> {
  void runOnOperation() override {
    for (auto function :
         llvm::make_early_inc_range(getOperation().getOps<control::FuncOp>())) {
      Lowering(function).run();
      function.erase();
      ++numFunctions;
    }
  }
};
} // namespace
