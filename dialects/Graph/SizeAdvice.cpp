//===- SizeAdvice.cpp - what gives a dimension its size -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/SizeAdvice.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

//===-- Text --------------------------------------------------------------===//

std::string graph::dimsText(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return "[...]";
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(dimsOf(tensor)))
    text += (i ? ", " : "") + dimText(dim);
  return text + "]";
}

std::string graph::nodeText(Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  return name ? "node '" + name.getName().str() + "'"
              : "'" + op->getName().getStringRef().str() + "'";
}

/// As a shell takes it for one word.
static std::string quoted(StringRef word) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || StringRef("_-+.,:/=@").contains(c);
  };
  if (llvm::all_of(word, isPlain))
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

//===-- Gathering ---------------------------------------------------------===//

/// The model's function: that of control, if there is one, in front of the
/// parts that it runs.
static FunctionOpInterface entryOf(FunctionOpInterface function) {
  auto module = function->getParentOfType<ModuleOp>();
  if (!module)
    return function;
  for (auto other : module.getOps<FunctionOpInterface>())
    if (!isa<func::FuncOp>(other))
      return other;
  auto program = dyn_cast<func::FuncOp>(*function);
  if (program && isStepsBody(program))
    for (auto other : module.getOps<func::FuncOp>())
      if (!isStepsBody(other) && !other.isExternal())
        return other;
  return function;
}

SizeAdvice::SizeAdvice(FunctionOpInterface function)
    : entry(entryOf(function)) {}

void SizeAdvice::add(Type type) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (Attribute dim : dimsOf(tensor))
      add(dim);
}

void SizeAdvice::add(Attribute dim) {
  if (!dim)
    isUnnamed = true;
  for (StringAttr symbol : symbolsOf(dim))
    addSymbol(symbol);
}

void SizeAdvice::addSymbol(StringAttr symbol) {
  if (!seen.insert(symbol))
    return;
  for (auto [input, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (auto [i, dim] : llvm::enumerate(dimsOf(tensor)))
        if (dim == symbol)
          named[symbol].push_back({unsigned(input), unsigned(i)});
  if (named.contains(symbol))
    return;
  if (std::optional<DerivedDim> derived = derivationOf(symbol)) {
    for (Attribute operand : derived->operands)
      add(operand);
    return;
  }
  if (Operation *maker = makerOf(symbol))
    found[symbol] = {maker, inputsBehind(maker->getOperands())};
}

static bool hasSymbol(TypeRange types, StringAttr symbol) {
  return llvm::any_of(types, [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::any_of(dimsOf(tensor), [&](Attribute dim) {
             return llvm::is_contained(symbolsOf(dim), symbol);
           });
  });
}

/// The first operation with the symbol, in the model's function if it is there.
Operation *SizeAdvice::makerOf(StringAttr symbol) const {
  Operation *maker = nullptr;
  auto look = [&](Operation *op) {
    if (!hasSymbol(op->getResultTypes(), symbol))
      return WalkResult::advance();
    maker = op;
    return WalkResult::interrupt();
  };
  if (!entry->walk(look).wasInterrupted() && entry->getParentOp())
    entry->getParentOp()->walk(look);
  return maker;
}

/// Whether somebody may write the elements down.
static bool isList(Type type) {
  constexpr int64_t mostReals = 16;
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() > 1)
    return false;
  if (isa<IntegerType>(tensor.getElementType()))
    return true;
  return isa<FloatType>(tensor.getElementType()) && tensor.hasStaticShape() &&
         tensor.getNumElements() <= mostReals;
}

/// Options know the names of the model only.
bool SizeAdvice::isOfModel(unsigned input) const {
  return bool(entry.getArgAttr(input, "onnx.name"));
}

/// The inputs from which the values are computed, if all of them are lists.
SizeAdvice::Inputs SizeAdvice::inputsBehind(ValueRange values) const {
  Inputs inputs;
  llvm::SetVector<Value> work(values.begin(), values.end());
  for (size_t i = 0; i < work.size(); ++i) {
    Value value = work[i];
    if (Operation *op = value.getDefiningOp()) {
      work.insert_range(op->getOperands());
      continue;
    }
    auto argument = cast<BlockArgument>(value);
    if (argument.getOwner()->getParentOp() != entry.getOperation() ||
        !isOfModel(argument.getArgNumber()) || !isList(argument.getType()))
      return {};
    inputs.insert(argument.getArgNumber());
  }
  return inputs;
}

void SizeAdvice::addContents(Value value) {
  if (!isList(value.getType()))
    return;
  for (unsigned input : inputsBehind(value))
    told.insert(input);
}

//===-- Lines -------------------------------------------------------------===//

std::string SizeAdvice::constOptions(const Inputs &inputs) const {
  std::string text;
  for (unsigned input : inputs)
    text += (text.empty() ? "--const " : " --const ") +
            quoted(inputName(entry, input) + "=VALUE");
  return text;
}

void SizeAdvice::addDataLines(Lines &lines, bool haveOption) const {
  for (const auto &[symbol, size] : found) {
    if (size.inputs.empty() == haveOption)
      continue;
    std::string what = "'" + symbol.str() + "', which " + nodeText(size.maker);
    lines.push_back(haveOption ? constOptions(size.inputs) + ": " + what +
                                     " computes from inputs"
                               : "no option: " + what + " finds in its data");
  }
}

void SizeAdvice::addDimLines(Lines &lines) const {
  for (const auto &[symbol, places] : named) {
    bool isOption = llvm::any_of(
        places, [&](Place place) { return isOfModel(place.input); });
    std::string option = "--dim " + quoted(symbol.str() + "=1");
    std::string line =
        (isOption ? option : "no option") + ": '" + symbol.str() + "'";
    for (Place place : places)
      line += ", dimension " + std::to_string(place.dim) + " of input '" +
              inputName(entry, place.input) + "'";
    lines.push_back(line);
  }
}

/// Where several dimensions of an input are wanted, they may come at once.
void SizeAdvice::addShapeLines(Lines &lines) const {
  llvm::MapVector<unsigned, llvm::SmallSetVector<unsigned, 4>> wanted;
  for (const auto &[symbol, places] : named)
    for (Place place : places)
      wanted[place.input].insert(place.dim);
  for (const auto &[input, dims] : wanted) {
    if (dims.size() < 2 || !isOfModel(input))
      continue;
    std::string name = inputName(entry, input), shape = name + "=";
    auto type = cast<RankedTensorType>(entry.getArgumentTypes()[input]);
    for (unsigned i = 0; i < type.getRank(); ++i)
      shape += std::string(i ? "x" : "") + (dims.contains(i) ? "1" : "?");
    lines.push_back("--shape " + quoted(shape) + ": all of input '" + name +
                    "' at once");
  }
}

void SizeAdvice::addUnnamedLines(Lines &lines) const {
  for (auto [input, type] : llvm::enumerate(entry.getArgumentTypes()))
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      for (auto [i, dim] : llvm::enumerate(dimsOf(tensor)))
        if (!dim)
          lines.push_back("no option: dimension " + std::to_string(i) +
                          " of input '" + inputName(entry, input) +
                          "', which has no name");
}

std::string SizeAdvice::lines(unsigned indent) const {
  Lines lines;
  if (!told.empty())
    lines.push_back(constOptions(told) + ": numbers that it reads");
  addDataLines(lines, /*haveOption=*/true);
  addDimLines(lines);
  addShapeLines(lines);
  addDataLines(lines, /*haveOption=*/false);
  if (isUnnamed)
    addUnnamedLines(lines);
  std::string text;
  for (const std::string &line : lines)
    text += "\n" + std::string(indent, ' ') + line;
  return text;
}
