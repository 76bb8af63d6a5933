//===- Symbols.cpp - dimensions that have no size -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Symbols.h"

#include "dialects/Graph/DerivedDims.h"
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
    } else if (!isSymbolic(dim) && ShapedType::isDynamic(sizeOf(dim))) {
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

/// Lines about the first operations whose results have dimensions that are not
/// determined.
static std::string linesAbout(FunctionOpInterface function,
                              function_ref<bool(Type)> isDetermined) {
  std::string lines;
  function.walk([&](Operation *op) {
    if (op == function.getOperation() ||
        llvm::all_of(op->getResultTypes(), isDetermined) ||
        !llvm::all_of(op->getOperandTypes(), isDetermined))
      return;
    std::string line = "\n  the size of a result of " + nodeName(op) +
                       ", which depends on data (--const may give it)";
    // A node may have become several operations.
    if (lines.find(line) == std::string::npos)
      lines += line;
  });
  return lines;
}

static std::string unsizedResults(FunctionOpInterface function) {
  return linesAbout(function, [](Type type) { return !lacksSize(type); });
}

Location graph::modelLoc(FunctionOpInterface function) {
  bool isNamed = isa<NameLoc>(function.getLoc()) && function->getParentOp();
  return isNamed ? function->getParentOp()->getLoc() : function.getLoc();
}

std::string graph::optionsFor(FunctionOpInterface function) {
  std::string text;
  for (const auto &[symbol, places] : unsizedInputs(function).symbols)
    text += "\n  '" + symbol.str() + "', " + places + ": --dim " +
            quoted(symbol.str() + "=1");
  return text;
}

LogicalResult graph::refuseSymbols(FunctionOpInterface function) {
  Unsized inputs = unsizedInputs(function);
  std::string text =
      optionsFor(function) + inputs.others + unsizedResults(function);
  if (!inputs.shapes.empty())
    text +=
        "\n  all of them, for other sizes than 1 with those in their place:" +
        inputs.shapes;
  return emitError(modelLoc(function))
         << "dimensions without a size are left, but code is made for sizes "
            "that are known:"
         << text;
}

/// Whether each dimension has a size or a name.
static bool knowsDims(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? countUnknown(tensor) == 0 : !isa<TensorType>(type);
}

void graph::dropUnsizedInputs(FunctionOpInterface function) {
  llvm::BitVector dropped(function.getNumArguments());
  for (BlockArgument argument : function.getArguments()) {
    if (knowsDims(argument.getType()) || !argument.use_empty())
      continue;
    unsigned number = argument.getArgNumber();
    emitWarning(modelLoc(function))
        << "input '" << inputName(function, number)
        << "' has no shape and nothing uses it: it is left out";
    dropped.set(number);
  }
  (void)function.eraseArguments(dropped);
}

LogicalResult graph::requireDims(FunctionOpInterface function) {
  BoundSymbols bound(function.getArgumentTypes());
  auto isDetermined = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor ? llvm::all_of(
                        dimsOf(tensor),
                        [&](Attribute dim) { return bound.determine(dim); })
                  : !isa<TensorType>(type);
  };
  std::string text = unsizedInputs(function).others;
  // A sum of symbols is known where they are extents of other inputs.
  for (BlockArgument argument : function.getArguments())
    if (!argument.use_empty() && knowsDims(argument.getType()) &&
        !isDetermined(argument.getType()))
      text += "\n  the sizes of input '" +
              inputName(function, argument.getArgNumber()) + "'";
  text += linesAbout(function, isDetermined);
  if (text.empty())
    return success();
  return emitError(modelLoc(function))
         << "sizes that the shapes of the inputs do not determine:" << text;
}
