//===- FormSteps.cpp - loops of fixed length in programs ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes `graph.steps` of loops that no condition ends, whose length
// and sizes are known, and whose bodies compute tensors and nothing else.
//===----------------------------------------------------------------------===//
#include "passes/Control/Passes.h"
#include "passes/Control/StepsForm.h"

#include "dialects/Graph/States.h"

namespace tenon::ctrl {
#define GEN_PASS_DEF_FORMSTEPSPASS
#include "passes/Control/Passes.h.inc"
} // namespace tenon::ctrl

using namespace mlir;
using namespace tenon;
using namespace tenon::ctrl;

/// All operations of a body become one kernel; machines run longer ones.
static constexpr unsigned maxOperations = 256;
/// What a step makes lies apart from what other operations of it make.
static constexpr int64_t maxStepBytes = int64_t(1) << 24;

//===-- Which loops -------------------------------------------------------===//

static std::optional<int64_t> numberIn(Value value) {
  auto constant =
      value ? value.getDefiningOp<graph::ConstantOp>() : graph::ConstantOp();
  auto elements = constant ? dyn_cast<DenseElementsAttr>(constant.getValue())
                           : DenseElementsAttr();
  if (!elements || !elements.getElementType().isInteger() ||
      elements.getNumElements() != 1)
    return std::nullopt;
  APInt number = *elements.getValues<APInt>().begin();
  return number.getBitWidth() == 1 ? int64_t(number.getZExtValue())
                                   : number.getSExtValue();
}

static bool isStatic(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding() &&
         !isa<control::StringType>(tensor.getElementType());
}

/// Whether the body computes tensors of fixed sizes, in one program.
static bool isPlain(func::FuncOp body) {
  unsigned operations = 0;
  int64_t bytes = 0;
  for (Operation &op : body.front().without_terminator()) {
    if (!isa<graph::GraphDialect>(op.getDialect()) ||
        !llvm::all_of(op.getResultTypes(), isStatic))
      return false;
    if (isa<graph::ConstantOp>(op))
      continue;
    ++operations;
    for (Type type : op.getResultTypes())
      bytes += graph::tensorBytes(type).value_or(0);
  }
  return operations <= maxOperations && bytes <= maxStepBytes;
}

/// Whether no condition ends the loop.
static bool keepsRunning(control::LoopOp loop, func::FuncOp body) {
  bool holds = !loop.getCondition() || numberIn(loop.getCondition()) == 1;
  Value next = body.front().getTerminator()->getOperand(0);
  return holds && (next == body.getArgument(1) || numberIn(next) == 1);
}

/// Whether values have the same sizes in all steps.
static bool isSteady(control::LoopOp loop, func::FuncOp body, int64_t count) {
  SmallVector<Type> takes(loop.getCarried().getTypes());
  SmallVector<Type> gives(takes);
  llvm::append_range(takes, loop.getInvariants().getTypes());
  if (!llvm::all_of(body.getArgumentTypes(), isStatic) ||
      !llvm::all_of(body.getResultTypes(), isStatic) ||
      body.getArgumentTypes().drop_front(2) != ArrayRef(takes))
    return false;
  for (Type type : body.getResultTypes().drop_front(1 + gives.size()))
    gives.push_back(stackedType(type, count));
  return body.getResultTypes().slice(1, loop.getCarried().size()) ==
             ArrayRef(gives).take_front(loop.getCarried().size()) &&
         loop->getResultTypes() == TypeRange(gives);
}

/// How often the loop runs, if it can be formed.
static std::optional<int64_t> countOf(control::LoopOp loop, func::FuncOp body) {
  std::optional<int64_t> trip = numberIn(loop.getTrip());
  if (!trip || !body.getBody().hasOneBlock() || !keepsRunning(loop, body))
    return std::nullopt;
  int64_t count = std::max<int64_t>(*trip, 0);
  return isSteady(loop, body, count) && isPlain(body) ? std::optional(count)
                                                      : std::nullopt;
}

//===-- Reading -----------------------------------------------------------===//

static Value constant(OpBuilder &builder, Location loc,
                      DenseElementsAttr value) {
  return graph::ConstantOp::create(builder, loc, value.getType(), value);
}

/// 0, 1, 2, ...
static Value numbers(OpBuilder &builder, Location loc, int64_t count) {
  auto all = llvm::to_vector(llvm::seq<int64_t>(0, count));
  auto type = RankedTensorType::get({count}, builder.getI64Type());
  return constant(builder, loc, DenseElementsAttr::get(type, ArrayRef(all)));
}

/// What is picked by the number of the step is sliced; where that is used
/// otherwise, it is a slice of all numbers.
static void sliceByNumber(StepsForm &form, BlockArgument number) {
  llvm::DenseMap<Value, Value> outside;
  for (const StepsForm::Input &input : form.invariants)
    outside[input.inside] = input.outside;
  for (Operation *user : llvm::make_early_inc_range(number.getUsers())) {
    auto gather = dyn_cast<graph::GatherOp>(user);
    Value from = gather ? outside.lookup(gather.getInput()) : Value();
    if (!from || gather.getIndices() != number || gather.getAxis() != 0 ||
        gather.getInput().getType().getDimSize(0) < form.count)
      continue;
    gather.replaceAllUsesWith(Value(form.addScan(from)));
    gather.erase();
  }
  if (number.use_empty())
    return;
  OpBuilder builder(form.loop);
  number.replaceAllUsesWith(
      form.addScan(numbers(builder, form.loop.getLoc(), form.count)));
}

static StepsForm read(control::LoopOp loop, func::FuncOp body, int64_t count) {
  StepsForm form{loop, body, count, {}, {}, {}, {}, {}};
  form.end()->eraseOperand(0);
  auto argument = body.getArguments().begin() + 2;
  for (Value value : loop.getCarried())
    form.carried.push_back({value, *argument++});
  for (Value value : loop.getInvariants())
    form.invariants.push_back({value, *argument++});
  auto results = loop.getResults();
  form.finals.assign(results.begin(), results.begin() + form.carried.size());
  form.stacks.assign(results.begin() + form.carried.size(), results.end());
  if (BlockArgument condition = body.getArgument(1); !condition.use_empty()) {
    auto builder = OpBuilder::atBlockBegin(&form.block());
    auto type = RankedTensorType::get({}, builder.getI1Type());
    condition.replaceAllUsesWith(
        constant(builder, loop.getLoc(), DenseElementsAttr::get(type, true)));
  }
  for (size_t i = form.carried.size(); i-- > 0;)
    if (form.next(i) == form.carried[i].inside) {
      form.finals[i].replaceAllUsesWith(form.carried[i].outside);
      form.invariants.push_back(form.carried[i]);
      form.dropCarried(i);
    }
  sliceByNumber(form, body.getArgument(0));
  return form;
}

//===-- Writing -----------------------------------------------------------===//

/// Results that nobody reads, that are there twice, or there without the loop.
static void dropStacks(StepsForm &form) {
  llvm::DenseMap<Value, Value> scans, seen;
  for (const StepsForm::Input &input : form.scans)
    scans[input.inside] = input.outside;
  OpBuilder builder(form.loop);
  for (size_t stack = 0; stack < form.stacks.size();) {
    Value made = form.stacks[stack], yielded = form.yielded(stack).get();
    Value known = seen.lookup(yielded);
    if (Value scan = scans.lookup(yielded))
      known = cut(builder, scan, 0, form.count);
    if (!known && !made.use_empty()) {
      seen[yielded] = made;
      ++stack;
      continue;
    }
    if (known)
      made.replaceAllUsesWith(known);
    form.dropStack(stack);
  }
}

static void eraseDead(Block &block) {
  SmallVector<Operation *> all;
  for (Operation &op : block.without_terminator())
    all.push_back(&op);
  for (Operation *op : llvm::reverse(all))
    if (op->use_empty())
      op->erase();
}

/// What is carried for nobody, and what nobody reads.
static void dropUnused(StepsForm &form) {
  eraseDead(form.block());
  for (size_t i = form.carried.size(); i-- > 0;)
    if (form.carried[i].inside.use_empty() && form.finals[i].use_empty())
      form.dropCarried(i);
  eraseDead(form.block());
  auto isUnread = [](const StepsForm::Input &input) {
    return input.inside.use_empty();
  };
  llvm::erase_if(form.scans, isUnread);
  llvm::erase_if(form.invariants, isUnread);
}

/// A function of its own for the body, with arguments in order.
static void settleBody(StepsForm &form) {
  SmallVector<Type> takes;
  Block *old = &form.block(), *block = new Block();
  form.body.getBody().push_back(block);
  for (auto *inputs : {&form.scans, &form.carried, &form.invariants})
    for (const StepsForm::Input &input : *inputs) {
      takes.push_back(input.inside.getType());
      Value argument = block->addArgument(takes.back(), input.inside.getLoc());
      Value(input.inside).replaceAllUsesWith(argument);
    }
  block->getOperations().splice(block->end(), old->getOperations());
  old->erase();
  OpBuilder builder(form.body);
  auto made = func::FuncOp::create(
      builder, form.body.getLoc(), form.body.getName(),
      builder.getFunctionType(takes, form.end()->getOperandTypes()));
  made.getBody().takeBody(form.body.getBody());
  graph::markStepsBody(made);
  form.body.erase();
}

namespace {
/// The results of a body and what they are for.
struct Results {
  SmallVector<Value> values;
  SmallVector<bool> stacked;
  SmallVector<int64_t> next;
  SmallVector<Type> types;

  explicit Results(StepsForm &form);
};
} // namespace

/// What is stacked need not be kept once more for the next step.
Results::Results(StepsForm &form) {
  llvm::DenseMap<Value, int64_t> numbers;
  auto add = [&](Value value, bool isStacked) {
    auto [found, isNew] = numbers.insert({value, int64_t(values.size())});
    if (isNew) {
      values.push_back(value);
      stacked.push_back(isStacked);
      types.push_back(isStacked ? stackedType(value.getType(), form.count)
                                : value.getType());
    }
    return found->second;
  };
  for (size_t stack = 0; stack < form.stacks.size(); ++stack)
    add(form.yielded(stack).get(), true);
  for (size_t i = 0; i < form.carried.size(); ++i)
    next.push_back(add(form.next(i), false));
}

static void write(StepsForm &form) {
  OpBuilder builder(form.loop);
  Location loc = form.loop.getLoc();
  Results results(form);
  SmallVector<Value> inputs;
  for (auto *list : {&form.scans, &form.carried, &form.invariants})
    for (const StepsForm::Input &input : *list)
      inputs.push_back(input.outside);
  auto steps = graph::StepsOp::create(
      builder, loc, results.types,
      FlatSymbolRefAttr::get(form.body.getSymNameAttr()), inputs,
      builder.getI64IntegerAttr(form.count),
      builder.getI64IntegerAttr(int64_t(form.scans.size())),
      builder.getDenseI64ArrayAttr(results.next),
      builder.getDenseBoolArrayAttr(results.stacked));
  for (auto [index, stack] : llvm::enumerate(form.stacks))
    stack.replaceAllUsesWith(steps.getResult(index));
  for (auto [index, last] : llvm::enumerate(form.finals)) {
    if (last.use_empty())
      continue;
    int64_t number = results.next[index];
    Value value = steps.getResult(number);
    if (results.stacked[number])
      value = graph::ReshapeOp::create(builder, loc, last.getType(),
                                       cut(builder, value, form.count - 1, 1));
    last.replaceAllUsesWith(value);
  }
  Operation *end = form.end();
  OpBuilder atEnd(end);
  func::ReturnOp::create(atEnd, end->getLoc(), results.values);
  end->erase();
  settleBody(form);
}

/// Of no step.
static void writeNothing(control::LoopOp loop) {
  OpBuilder builder(loop);
  for (auto [index, result] : llvm::enumerate(loop.getResults())) {
    Value value = index < loop.getCarried().size()
                      ? loop.getCarried()[index]
                      : constant(builder, loop.getLoc(),
                                 DenseElementsAttr::get(
                                     cast<RankedTensorType>(result.getType()),
                                     ArrayRef<Attribute>()));
    result.replaceAllUsesWith(value);
  }
}

static void eraseLoop(StepsForm &form, bool isBodyDead) {
  // What held the place of stacked results.
  SmallVector<Operation *> places;
  for (Value stack : form.stacks)
    if (Operation *op = stack.getDefiningOp(); op != form.loop)
      places.push_back(op);
  for (Operation *op : places)
    op->erase();
  form.loop.erase();
  if (isBodyDead)
    form.body.erase();
}

//===-- The pass ----------------------------------------------------------===//

namespace {
struct FormSteps : ctrl::impl::FormStepsPassBase<FormSteps> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!graph::statesOf(module).empty())
      return;
    // Bodies stand behind the functions that call them: inner loops first.
    SmallVector<control::LoopOp> loops;
    for (auto function : module.getOps<func::FuncOp>())
      llvm::append_range(loops, function.getOps<control::LoopOp>());
    for (control::LoopOp loop : llvm::reverse(loops))
      numLoops += form(module, loop);
  }

  bool form(ModuleOp module, control::LoopOp loop) {
    auto body = module.lookupSymbol<func::FuncOp>(loop.getBodyAttr());
    std::optional<int64_t> count = body ? countOf(loop, body) : std::nullopt;
    auto uses =
        SymbolTable::getSymbolUses(loop.getBodyAttr().getAttr(), module);
    if (!count || !uses || !llvm::hasSingleElement(*uses))
      return false;
    if (*count == 0) {
      writeNothing(loop);
      loop.erase();
      body.erase();
      return true;
    }
    StepsForm form = read(loop, body, *count);
    distribute(form);
    dropStacks(form);
    dropUnused(form);
    bool isGone = form.stacks.empty() && form.carried.empty();
    if (!isGone)
      write(form);
    eraseLoop(form, isGone);
    return true;
  }
};
} // namespace
