//===- Symbols.cpp - dimensions that have no size -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Symbols.h"

#include "dialects/Graph/Shapes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

bool graph::lacksSize(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && !tensor.hasStaticShape();
}

bool graph::lacksSize(Operation *op) {
  auto lacks = [](Type type) { return lacksSize(type); };
  return llvm::any_of(op->getOperandTypes(), lacks) ||
         llvm::any_of(op->getResultTypes(), lacks);
}

std::string graph::inputName(FunctionOpInterface function, unsigned input) {
  auto name = function.getArgAttrOfType<StringAttr>(input, "onnx.name");
  return name ? name.str() : std::to_string(input);
}

/// As a shell takes it for one word.
static std::string quoted(StringRef word) {
  auto isPlain = [](char c) {
    return llvm::isAlnum(c) || StringRef("_-+.,:/=@?").contains(c);
  };
  if (llvm::all_of(word, isPlain))
    return word.str();
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

/// `--shape x=1x?x?`: what is known stays as it is.
static std::string shapeOption(StringRef input, RankedTensorType type) {
  std::string shape = (input + "=").str();
  for (auto [index, size] : llvm::enumerate(type.getShape()))
    shape += (index ? "x" : "") +
             std::string(ShapedType::isDynamic(size) ? "1" : "?");
  return "--shape " + quoted(shape);
}

namespace {
/// What is known about the inputs of a function that lack a size.
struct Unsized {
  /// A symbol, and the places where it stands.
  llvm::MapVector<StringAttr, std::string> symbols;
  std::string others; ///< lines about dimensions without a name
  std::string shapes; ///< the options that give all of them sizes

  void add(StringRef input, Type type);
};
} // namespace

void Unsized::add(StringRef input, Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked) {
    others += ("\n  the shape of input '" + input + "'").str();
    return;
  }
  shapes += " " + shapeOption(input, ranked);
  for (auto [index, dim] : llvm::enumerate(dimsOf(ranked))) {
    std::string place =
        ("dimension " + llvm::Twine(index) + " of input '" + input + "'").str();
    if (auto symbol = dyn_cast_or_null<StringAttr>(dim)) {
      std::string &places = symbols[symbol];
      places += (places.empty() ? "" : ", ") + place;
    } else if (ShapedType::isDynamic(sizeOf(dim))) {
      others += "\n  " + place;
    }
  }
}

static Unsized unsizedInputs(FunctionOpInterface function) {
  Unsized result;
  for (BlockArgument argument : function.getArguments())
    if (lacksSize(argument.getType()) && !argument.use_empty())
      result.add(inputName(function, argument.getArgNumber()),
                 argument.getType());
  return result;
}

static std::string nodeName(Operation *op) {
  auto name = op->getLoc()->findInstanceOf<NameLoc>();
  return name ? "node '" + name.getName().str() + "'"
              : "'" + op->getName().getStringRef().str() + "'";
}

/// Lines about operations that make an unknown size from known ones.
static std::string unsizedResults(FunctionOpInterface function) {
  std::string lines;
  function.walk([&](Operation *op) {
    auto lacks = [](Type type) { return lacksSize(type); };
    if (llvm::any_of(op->getResultTypes(), lacks) &&
        llvm::none_of(op->getOperandTypes(), lacks))
      lines += "\n  the size of a result of " + nodeName(op) +
               ", which depends on data (--const may give it)";
  });
  return lines;
}

Location graph::modelLoc(FunctionOpInterface function) {
  bool isNamed = isa<NameLoc>(function.getLoc()) && function->getParentOp();
  return isNamed ? function->getParentOp()->getLoc() : function.getLoc();
}

LogicalResult graph::refuseSymbols(FunctionOpInterface function) {
  Unsized inputs = unsizedInputs(function);
  std::string text;
  for (const auto &[symbol, places] : inputs.symbols)
    text += "\n  '" + symbol.str() + "', " + places + ": --dim " +
            quoted(symbol.str() + "=1");
  text += inputs.others + unsizedResults(function);
  if (!inputs.shapes.empty())
    text +=
        "\n  all of them, for other sizes than 1 with those in their place:" +
        inputs.shapes;
  return emitError(modelLoc(function))
         << "dimensions without a size are left, but code is made for sizes "
            "that are known:"
         << text;
}

void graph::dropUnsizedInputs(FunctionOpInterface function) {
  llvm::BitVector dropped(function.getNumArguments());
  for (BlockArgument argument : function.getArguments()) {
    if (!lacksSize(argument.getType()) || !argument.use_empty())
      continue;
    unsigned number = argument.getArgNumber();
    emitWarning(modelLoc(function))
        << "input '" << inputName(function, number)
        << "' has no size and nothing uses it: it is left out";
    dropped.set(number);
  }
  (void)function.eraseArguments(dropped);
}

LogicalResult graph::requireSizes(FunctionOpInterface function) {
  bool isSized = true;
  for (BlockArgument argument : function.getArguments())
    isSized &= argument.use_empty() || !lacksSize(argument.getType());
  function.walk(
      [&](Operation *op) { isSized &= op == function || !lacksSize(op); });
  return isSized ? success() : refuseSymbols(function);
}
