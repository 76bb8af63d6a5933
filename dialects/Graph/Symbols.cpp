//===- Symbols.cpp - dimensions that have no size -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Symbols.h"

#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/SizeAdvice.h"

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

Location graph::modelLoc(FunctionOpInterface function) {
  bool isNamed = isa<NameLoc>(function.getLoc()) && function->getParentOp();
  return isNamed ? function->getParentOp()->getLoc() : function.getLoc();
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

/// Results that no input determines, of the first operations that have some.
static SmallVector<OpResult> firstOpen(FunctionOpInterface function,
                                       function_ref<bool(Type)> isDetermined) {
  SmallVector<OpResult> open;
  function.walk([&](Operation *op) {
    if (op == function.getOperation() ||
        !llvm::all_of(op->getOperandTypes(), isDetermined))
      return;
    for (OpResult result : op->getResults())
      if (!isDetermined(result.getType()))
        open.push_back(result);
  });
  return open;
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
  Location where = modelLoc(function);
  SizeAdvice advice(function);
  std::string text;
  for (OpResult result : firstOpen(function, isDetermined)) {
    if (text.empty())
      where = result.getLoc();
    text += "\n  " + dimsText(result.getType()) + ", a result of " +
            nodeText(result.getOwner());
    advice.add(result.getType());
  }
  // A sum of symbols is known where they are extents of other inputs. What has
  // neither shape nor use is left out (dropUnsizedInputs).
  for (BlockArgument argument : function.getArguments()) {
    Type type = argument.getType();
    if (isDetermined(type) || (argument.use_empty() && !knowsDims(type)))
      continue;
    text += "\n  " + dimsText(argument.getType()) + ", input '" +
            inputName(function, argument.getArgNumber()) + "'";
    advice.add(argument.getType());
  }
  if (text.empty())
    return success();
  return emitError(where)
         << "sizes that the shapes of the inputs do not determine:" << text
         << advice.lines();
}
