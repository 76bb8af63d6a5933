//===- Training.cpp - which constants of a model are trained --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Training.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Compiler/Compiler.h"
#include "lib/Compiler/OptionWords.h"
#include "lib/Import/Onnx/Import.h"
#include "lib/Interpreter/Interpreter.h"
#include "passes/Checkpoint/Budget.h"
#include "passes/Differentiate/Passes.h"
#include "passes/Differentiate/Recipe.h"
#include "llvm/Support/Regex.h"

#include <cmath>

using namespace mlir;
using namespace tenon;

static llvm::Error in(StringRef option, llvm::Error error) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 option + ": " +
                                     llvm::toString(std::move(error)));
}

/// Whether something says how to train.
static bool isAnyGiven(const TrainingOptions &given) {
  return !given.loss.empty() || !given.optimizer.empty() ||
         !given.trainable.empty() || !given.noDecay.empty() ||
         given.clipNorm != 0 || given.clipValue != 0 ||
         !given.lossScale.empty() || given.keepsTied || given.accumulate != 1 ||
         given.seed != 0;
}

static llvm::Error checkPattern(StringRef option, const std::string &pattern) {
  std::string error;
  if (pattern.empty() || llvm::Regex(pattern).isValid(error))
    return llvm::Error::success();
  return llvm::createStringError("%s: '%s': %s", option.data(), pattern.c_str(),
                                 error.c_str());
}

static llvm::Error checkNumbers(const TrainingOptions &given) {
  auto isGood = [](double number) { return number >= 0 && number < HUGE_VAL; };
  if (!isGood(given.clipNorm) || !isGood(given.clipValue))
    return llvm::createStringError("--clip-norm and --clip-value are numbers "
                                   "above 0");
  if (given.accumulate < 1)
    return llvm::createStringError("--accumulate is 1 at least");
  return llvm::Error::success();
}

static llvm::Error checkTraining(bool train, const TrainingOptions &given) {
  if (!train && isAnyGiven(given))
    return llvm::createStringError(
        "--loss, --optimizer, --trainable, --keep-tied, --no-decay, "
        "--clip-norm, --clip-value, --loss-scale, --accumulate and --seed are "
        "for --train");
  if (!train)
    return llvm::Error::success();
  if (given.loss.empty() || given.optimizer.empty())
    return llvm::createStringError("--train needs a --loss and an --optimizer");
  if (auto recipe = differentiate::parseLoss(given.loss); !recipe)
    return in("--loss", recipe.takeError());
  if (auto recipe = differentiate::parseOptimizer(given.optimizer); !recipe)
    return in("--optimizer", recipe.takeError());
  if (auto recipe = differentiate::parseLossScale(given.lossScale); !recipe)
    return in("--loss-scale", recipe.takeError());
  if (llvm::Error error = checkNumbers(given))
    return error;
  if (llvm::Error error = checkPattern("--trainable", given.trainable))
    return error;
  return checkPattern("--no-decay", given.noDecay);
}

llvm::Error tenon::setTraining(CompileOptions &options, bool train,
                               const TrainingOptions &given) {
  if (llvm::Error error = checkTraining(train, given))
    return error;
  options.training = given;
  options.import.markInitializers = options.training.isOn();
  if (!options.training.isOn())
    return llvm::Error::success();
  if (!options.states.empty())
    return llvm::createStringError(
        "--train and --state contradict each other: the states of a step are "
        "its parameters");
  if (!options.device.empty())
    return llvm::createStringError(
        "--train is for CPUs: steps for devices are not made yet");
  return llvm::Error::success();
}

llvm::Error tenon::setArenaBudget(CompileOptions &options, StringRef budget) {
  if (budget.empty())
    return llvm::Error::success();
  if (!options.training.isOn())
    return llvm::createStringError("--arena-budget is for --train; see "
                                   "--arena-cap");
  options.showFrontier = budget == "frontier";
  if (options.showFrontier)
    return llvm::Error::success();
  std::string text = budget.str();
  if (auto bytes = parseBytes(budget))
    text = std::to_string(*bytes);
  if (text == "free" || !checkpoint::parseBudget(text))
    return llvm::createStringError(
        "--arena-budget: '%s' is no number of bytes, as 300M, no part of the "
        "arena, as 0.25, nor none or frontier",
        budget.str().c_str());
  options.arenaBudget = text;
  return llvm::Error::success();
}

//===-- Initialisers ------------------------------------------------------===//

static StringRef nameOf(Operation *constant) {
  auto name = dyn_cast<NameLoc>(constant->getLoc());
  return name ? name.getName().getValue() : StringRef();
}

/// Whether an operand is what a normalisation follows the data by.
static bool isStatistic(OpOperand &use) {
  return use.getOwner()->getName().stripDialect() == "BatchNormalization" &&
         use.getOperandNumber() >= 3;
}

/// Whether an operand is a setting, or follows the data by itself: no parameter
/// that a gradient changes.
static bool isSetting(OpOperand &use) {
  if (isStatistic(use))
    return true;
  StringRef name = use.getOwner()->getName().stripDialect();
  return use.getOperandNumber() >= 1 &&
         llvm::is_contained({"Resize", "Clip", "Pad", "Dropout", "OneHot",
                             "QuantizeLinear", "DequantizeLinear"},
                            name);
}

static bool canBeTrained(Type element) {
  return isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

static bool isTrainedByDefault(Operation *constant) {
  auto type = cast<RankedTensorType>(constant->getResult(0).getType());
  return type.getRank() > 0 && canBeTrained(type.getElementType()) &&
         llvm::none_of(constant->getUses(), isSetting);
}

/// Whether one is trained; failure, after an error, where it is meant and
/// cannot be.
static FailureOr<bool> isTrained(Operation *constant, StringRef pattern) {
  if (pattern.empty())
    return isTrainedByDefault(constant);
  if (!llvm::Regex(("^(" + pattern + ")$").str()).match(nameOf(constant)))
    return false;
  Type element = getElementTypeOrSelf(constant->getResult(0).getType());
  if (canBeTrained(element))
    return true;
  return constant->emitError("--trainable: '")
         << nameOf(constant) << "' has elements of type " << element
         << "; f32, f64, f16 and bf16 are trained";
}

/// The type of what is changed: steps are too small for numbers of 16 bits,
/// which would stay what they are.
static RankedTensorType masterType(Operation *constant) {
  auto type = cast<RankedTensorType>(constant->getResult(0).getType());
  bool isHalf = isa<Float16Type, BFloat16Type>(type.getElementType());
  return isHalf ? type.clone(Float32Type::get(type.getContext())) : type;
}

/// The elements of a constant in another type.
static FailureOr<ElementsAttr> elementsAs(RankedTensorType type,
                                          Operation *constant) {
  auto elements = constant->getAttrOfType<ElementsAttr>("value");
  if (type == elements.getType())
    return elements;
  OpBuilder b(constant);
  auto cast = graph::CastOp::create(b, constant->getLoc(), type,
                                    constant->getResult(0));
  std::string reason;
  auto made = interp::evaluate(cast, elements, &reason);
  cast.erase();
  if (failed(made))
    return constant->emitError("--train: ") << reason;
  return made->front();
}

/// A node of ONNX that converts a value.
static Value castNode(OpBuilder &b, Location loc, Value value, Type type) {
  OperationState cast(loc, "onnx.Cast", value, type);
  int64_t to = onnx::dataTypeOf(getElementTypeOrSelf(type));
  cast.addAttribute("to", b.getI64IntegerAttr(to));
  return b.create(cast)->getResult(0);
}

/// An argument in place of a constant, which is gone then. Each use has a
/// conversion of its own, so that what gradients they give is added in f32; but
/// of one that a Gradient names all read the same.
static LogicalResult makeArgument(func::FuncOp program, Operation *constant) {
  OpBuilder b = OpBuilder::atBlockBegin(&program.front());
  RankedTensorType type = masterType(constant);
  auto first = elementsAs(type, constant);
  if (failed(first))
    return failure();
  unsigned number = program.getNumArguments();
  auto attributes = b.getDictionaryAttr(
      {b.getNamedAttr("onnx.name", b.getStringAttr(nameOf(constant))),
       b.getNamedAttr(differentiate::kInitial, *first)});
  (void)program.insertArgument(number, type, attributes, constant->getLoc());
  Value argument = program.getArgument(number), value = constant->getResult(0);
  auto cast = [&] {
    return castNode(b, constant->getLoc(), argument, value.getType());
  };
  bool isMaster = type != value.getType();
  Value one = isMaster && onnx::isReadByGradient(value) ? cast() : Value();
  for (OpOperand &use : llvm::make_early_inc_range(value.getUses()))
    use.set(!isMaster || isStatistic(use) ? argument : one ? one : cast());
  constant->erase();
  return success();
}

//===-- What was merged ---------------------------------------------------===//

/// The copies of a constant that stand for parameters of their own: of one that
/// nobody else reads there is nothing to part.
static SmallVector<Operation *> copiesOf(Operation *constant) {
  SmallVector<Operation *> copies;
  if (constant->hasOneUse() ||
      !canBeTrained(getElementTypeOrSelf(constant->getResult(0).getType())))
    return copies;
  for (Operation *user : constant->getUsers())
    if (user->getName().stripDialect() == "Identity")
      copies.push_back(user);
  return copies;
}

/// Makes initialisers of the copies by which an exporter said that equal ones
/// were merged: they are equal before training only.
static void untie(func::FuncOp program) {
  // A copy may be the next operation: no iterator may stand there.
  SmallVector<Operation *> constants;
  for (Operation &op : program.front())
    if (op.hasAttr(onnximport::kInitializer))
      constants.push_back(&op);
  for (Operation *constant : constants) {
    SmallVector<Operation *> copies = copiesOf(constant);
    if (!copies.empty())
      constant->emitWarning("--train: the exporter has merged ")
          << copies.size() << " equal parameters into '" << nameOf(constant)
          << "', which are trained apart; --keep-tied trains them as one";
    for (Operation *copy : copies) {
      Operation *own = OpBuilder(constant).clone(*constant);
      own->setLoc(copy->getLoc());
      copy->getResult(0).replaceAllUsesWith(own->getResult(0));
      copy->erase();
    }
    if (constant->use_empty())
      constant->erase();
  }
}

//===-- Running statistics ------------------------------------------------===//

/// The initialiser that a normalisation's operand is, which nobody else reads;
/// null after an error.
static Operation *statisticOf(Operation *normalisation, unsigned operand) {
  Operation *constant = normalisation->getOperand(operand).getDefiningOp();
  if (constant && constant->hasAttr(onnximport::kInitializer) &&
      constant->hasOneUse())
    return constant;
  normalisation->emitError("--train: running statistics must be initialisers "
                           "that no other node reads");
  return nullptr;
}

/// Makes a statistic an argument, and what becomes of it a result of the same
/// name with `.next`; fails, after an error, where there is one.
static LogicalResult followStatistic(func::FuncOp program, Operation *constant,
                                     Value next) {
  Builder b(program.getContext());
  unsigned number = program.getNumResults();
  auto name = b.getStringAttr(nameOf(constant) + ".next");
  if (graph::findOutput(program, name))
    return constant->emitError("--train: the model has an output '")
           << name.getValue() << "' already";
  auto attributes = b.getDictionaryAttr(b.getNamedAttr("onnx.name", name));
  RankedTensorType type = masterType(constant);
  (void)program.insertResult(number, type, attributes);
  next.setType(type);
  program.front().getTerminator()->insertOperands(number, next);
  if (failed(makeArgument(program, constant)))
    return failure();
  program.setArgAttr(program.getNumArguments() - 1, differentiate::kFollows,
                     b.getUnitAttr());
  return success();
}

/// Binds what normalisations in training mode follow: results 1 and 2 become
/// operands 3 and 4.
static LogicalResult followStatistics(func::FuncOp program) {
  for (Operation &op : program.front()) {
    auto trains = op.getAttrOfType<IntegerAttr>("training_mode");
    if (op.getName().stripDialect() != "BatchNormalization" || !trains ||
        trains.getInt() == 0)
      continue;
    if (op.getNumResults() < 3)
      return op.emitError("--train: a normalisation in training mode has three "
                          "results");
    for (unsigned i : {0u, 1u}) {
      Operation *constant = statisticOf(&op, 3 + i);
      if (!constant ||
          failed(followStatistic(program, constant, op.getResult(1 + i))))
        return failure();
    }
  }
  return success();
}

//===-- What evaluates ----------------------------------------------------===//

/// Lets nodes that drop elements see in which step they do.
static LogicalResult numberDropouts(func::FuncOp program, uint64_t seed) {
  SmallVector<Operation *> nodes;
  program.walk([&](Operation *op) {
    if (op->getName().stripDialect() == "Dropout" && op->getNumOperands() == 3)
      nodes.push_back(op);
  });
  if (nodes.empty())
    return success();
  if (graph::findInput(program, differentiate::kCounter))
    return emitError(graph::modelLoc(program))
           << "--train: the model has an input '" << differentiate::kCounter
           << "' already";
  Builder b(program.getContext());
  unsigned number = program.getNumArguments();
  auto attributes = b.getDictionaryAttr(
      {b.getNamedAttr("onnx.name", b.getStringAttr(differentiate::kCounter)),
       b.getNamedAttr(differentiate::kCountsSteps, b.getUnitAttr())});
  (void)program.insertArgument(number,
                               RankedTensorType::get({}, b.getI64Type()),
                               attributes, program.getLoc());
  for (auto [i, node] : llvm::enumerate(nodes)) {
    node->insertOperands(3, program.getArgument(number));
    node->setAttr("tenon.number", b.getI64IntegerAttr(i));
    auto own = node->getAttrOfType<IntegerAttr>("seed");
    node->setAttr("tenon.seed",
                  b.getI64IntegerAttr(own ? own.getInt() : int64_t(seed)));
  }
  return success();
}

/// Fails, after an error, where a node draws numbers that no step would change.
static LogicalResult refuseFixedDraws(func::FuncOp program) {
  WalkResult walked = program.walk([](Operation *op) {
    StringRef name = op->getName().stripDialect();
    if (!name.starts_with("Random") && name != "Bernoulli" &&
        name != "Multinomial")
      return WalkResult::advance();
    op->emitError("--train: ")
        << name << " draws the same numbers in each step; an input of the "
        << "model can have others";
    return WalkResult::interrupt();
  });
  return failure(walked.wasInterrupted());
}

/// Says so where an exporter left weights into which it has folded what follows
/// them: it names these itself.
static void warnOfFolding(func::FuncOp program) {
  for (Operation &op : program.front()) {
    if (!op.hasAttr(onnximport::kInitializer) ||
        !nameOf(&op).starts_with("onnx::Conv_"))
      continue;
    op.emitWarning("--train: the exporter has folded normalisations into "
                   "weights, which train worse: export the model with "
                   "training=TrainingMode.TRAINING and "
                   "do_constant_folding=False");
    return;
  }
}

/// Makes nodes compute as after training.
static void leaveTraining(Operation *op) {
  StringRef name = op->getName().stripDialect();
  if (name == "BatchNormalization")
    op->removeAttr("training_mode");
  if (name == "Dropout" && op->getNumOperands() > 2)
    op->setOperands(op->getOperands().take_front(2));
}

/// Adds a copy of the program that evaluates: what follows the data stays what
/// it is. `followed`: how many results, the last ones, say what becomes of it.
static void addEvaluation(ModuleOp module, func::FuncOp program,
                          unsigned followed) {
  func::FuncOp copy = program.clone();
  copy.setName(differentiate::kEvaluation);
  module.insert(std::next(program->getIterator()), copy);
  llvm::BitVector gone(copy.getNumResults());
  gone.set(copy.getNumResults() - followed, copy.getNumResults());
  (void)copy.eraseResults(gone);
  copy.front().getTerminator()->eraseOperands(gone);
  copy.walk(leaveTraining);
}

LogicalResult tenon::prepareTraining(ModuleOp module,
                                     const TrainingOptions &options,
                                     bool evaluates) {
  if (!options.isOn())
    return success();
  if (phaseOf(module) != Phase::Import)
    return emitError(module.getLoc(),
                     "--train takes ONNX models: constants of this program may "
                     "be no longer what the model has");
  auto program = graph::requireProgram(module);
  if (failed(program))
    return failure();
  unsigned outputs = program->getNumResults();
  warnOfFolding(*program);
  if (!options.keepsTied)
    untie(*program);
  if (failed(refuseFixedDraws(*program)) ||
      failed(numberDropouts(*program, options.seed)) ||
      failed(followStatistics(*program)))
    return failure();
  bool found = false;
  for (Operation &op : llvm::make_early_inc_range(program->front())) {
    if (!op.hasAttr(onnximport::kInitializer))
      continue;
    op.removeAttr(onnximport::kInitializer);
    FailureOr<bool> trained = isTrained(&op, options.trainable);
    if (failed(trained))
      return failure();
    if (*trained && failed(makeArgument(*program, &op)))
      return failure();
    found |= *trained;
  }
  if (found && evaluates)
    addEvaluation(module, *program, program->getNumResults() - outputs);
  if (found)
    return success();
  InFlightDiagnostic error = emitError(graph::modelLoc(*program));
  if (options.trainable.empty())
    return error << "--train: the model has no initialiser that can be trained";
  return error << "--trainable: no initialiser is called '" << options.trainable
               << "'";
}
