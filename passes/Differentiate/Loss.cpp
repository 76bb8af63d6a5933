//===- Loss.cpp - what is made small --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formulas are torch's, with the mean as reduction.
//===----------------------------------------------------------------------===//
#include "passes/Differentiate/Gradient.h"
#include "passes/Differentiate/Step.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using namespace tenon::differentiate;

/// A value that only steadies a formula: no gradient passes it.
static Value steady(Value value) {
  OpBuilder builder(value.getContext());
  value.getDefiningOp()->setAttr(kNoGradient, builder.getUnitAttr());
  return value;
}

static Value meanOf(Build &g, Value a) {
  double count = typeOf(a).getNumElements();
  return g.div(g.sumTo(a, {}), g.number(count, a));
}

//===-- Classes -----------------------------------------------------------===//

static Value logSoftmax(Build &g, Value x) {
  Value most = steady(g.make<ReduceMaxOp>(x, ArrayRef<int64_t>{1}, true));
  Value centred = g.sub(x, most);
  Value sum = g.sum(g.make<ExpOp>(centred), {1});
  return g.sub(centred, g.make<LogOp>(sum));
}

/// The mean of what stands at the labels, over those that are not ignored; of
/// none of them 0 / 0.
static Value classLoss(Build &g, const Recipe &recipe, Value chances,
                       Value labels) {
  Shape picked(shapeOf(chances));
  picked[1] = 1;
  Value index = g.reshape(labels, picked);
  Value counts =
      g.make<NotOp>(g.equal(index, g.number(recipe["ignore"], index)));
  // Ignored labels may be out of range.
  Value at = g.make<GatherElementsOp>(chances, g.where(counts, index), 1);
  Value loss = g.neg(at);
  if (double smoothing = recipe["smoothing"]) {
    double share = smoothing / double(shapeOf(chances)[1]);
    loss = g.sub(g.scaled(loss, 1 - smoothing),
                 g.scaled(g.sum(chances, {1}), share));
  }
  Value ones = g.where(counts, g.number(1, chances));
  return g.div(g.sumTo(g.where(counts, loss), {}), g.sumTo(ones, {}));
}

//===-- Numbers -----------------------------------------------------------===//

static Value huber(Build &g, const Recipe &recipe, Value difference) {
  double delta = recipe["delta"];
  Value distance = g.make<AbsOp>(difference);
  Value isNear = g.make<LessEqualOp>(distance, g.number(delta, distance));
  Value far = g.scaled(g.plus(distance, -delta / 2), delta);
  return g.select(isNear, g.scaled(g.square(difference), 0.5), far);
}

/// log(1 + e^x) - x * label, without overflow: the larger of 0 and x steadies
/// it, so that the gradient is sigmoid(x) - label everywhere.
static Value binaryLoss(Build &g, Value x, Value labels) {
  Value most = steady(g.make<ReluOp>(x));
  Value sum = g.add(g.make<ExpOp>(g.neg(most)), g.make<ExpOp>(g.sub(x, most)));
  return g.sub(g.add(most, g.make<LogOp>(sum)), g.mul(x, labels));
}

static Value numberLoss(Build &g, const Recipe &recipe, Value y, Value labels) {
  if (recipe.name == "bce_with_logits")
    return binaryLoss(g, y, labels);
  Value difference = g.sub(y, labels);
  if (recipe.name == "mse")
    return g.square(difference);
  return recipe.name == "l1" ? g.make<AbsOp>(difference)
                             : huber(g, recipe, difference);
}

//===-- Which output ------------------------------------------------------===//

/// The numbers of the results that the model has beside its states.
static SmallVector<unsigned> outputsOf(Step &step) {
  SmallVector<unsigned> outputs;
  for (unsigned i = 0; i < step.program.getNumResults(); ++i) {
    Attribute name = step.program.getResultAttr(i, "onnx.name");
    auto isNext = [&](const State &state) { return state.output == name; };
    if (llvm::none_of(step.states, isNext))
      outputs.push_back(i);
  }
  return outputs;
}

static std::string outputNames(Step &step) {
  std::string names;
  for (unsigned i : outputsOf(step))
    if (auto name =
            step.program.getResultAttrOfType<StringAttr>(i, "onnx.name"))
      names += (names.empty() ? "'" : ", '") + name.str() + "'";
  return names;
}

/// The output that a loss is of, in f32 at least. Failure after an error.
static FailureOr<Value> outputOf(Step &step, const Recipe &recipe) {
  func::FuncOp program = step.program;
  std::optional<unsigned> number;
  if (!recipe.tensors.empty())
    number = findOutput(program, recipe.tensors.front());
  else if (SmallVector<unsigned> all = outputsOf(step); all.size() == 1)
    number = all.front();
  if (!number && recipe.tensors.empty())
    return step.refuse() << "--loss must name the output that it is of: "
                         << outputNames(step);
  if (!number)
    return step.refuse() << "--loss: the model has no output '"
                         << recipe.tensors.front() << "'; it has "
                         << outputNames(step);
  Value output = program.front().getTerminator()->getOperand(*number);
  auto type = dyn_cast<RankedTensorType>(output.getType());
  if (!type || !isa<FloatType>(type.getElementType()))
    return step.refuse() << "--loss: an output of type " << output.getType()
                         << " has no gradient";
  if (!type.hasStaticShape())
    return step.refuse() << "--loss: the output has sizes that are open, "
                         << type << "; --dim or --shape fix them";
  if (type.getElementType().getIntOrFloatBitWidth() < 32)
    return step.castTo(output, step.builder.getF32Type());
  return output;
}

static bool isOfClasses(const Recipe &recipe) {
  return recipe.name == "cross_entropy" || recipe.name == "nll";
}

/// The input for labels: one of the model's, or a new one.
static FailureOr<Value> labelsOf(Step &step, const Recipe &recipe,
                                 Value output) {
  RankedTensorType type = typeOf(output);
  if (isOfClasses(recipe)) {
    Shape shape(type.getShape());
    shape.erase(shape.begin() + 1);
    type = RankedTensorType::get(shape, step.builder.getI64Type());
  }
  StringRef name = recipe.tensors.size() > 1 ? StringRef(recipe.tensors[1])
                                             : StringRef("labels");
  if (auto number = findInput(step.program, name)) {
    Value labels = step.program.getArgument(*number);
    if (llvm::is_contained(step.trained, labels))
      return step.refuse() << "--loss: labels '" << name << "' are trained";
    if (labels.getType() != type)
      return step.refuse() << "--loss: labels '" << name << "' are "
                           << labels.getType() << ", and " << recipe.name
                           << " takes " << type;
    return labels;
  }
  return step.addInput(name, type);
}

FailureOr<Value> differentiate::buildLoss(Step &step, const Recipe &recipe) {
  FailureOr<Value> output = outputOf(step, recipe);
  if (failed(output))
    return failure();
  if (recipe.name == "output") {
    if (typeOf(*output).getNumElements() != 1)
      return step.refuse() << "--loss: a loss is one number, not "
                           << output->getType();
    return step.reshape(*output, {});
  }
  if (isOfClasses(recipe) && rankOf(*output) < 2)
    return step.refuse() << "--loss: " << recipe.name
                         << " needs classes in dimension 1, which "
                         << output->getType() << " does not have";
  FailureOr<Value> labels = labelsOf(step, recipe, *output);
  if (failed(labels))
    return failure();
  if (recipe.name == "cross_entropy")
    return classLoss(step, recipe, logSoftmax(step, *output), *labels);
  if (recipe.name == "nll")
    return classLoss(step, recipe, *output, *labels);
  return meanOf(step, numberLoss(step, recipe, *output, *labels));
}
