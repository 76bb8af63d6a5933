//===- GraphDialect.cpp - the tensor algebra dialect ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file registers the dialect. The operations are defined family by family
// in the files beside it.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Constraints.h"
#include "dialects/Graph/DimExpr.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/GraphDetail.h"
#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/States.h"
#include "dialects/Graph/TypicalAttr.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon::graph;

/// The value of a constant carries the type of the result.
static ParseResult parseConstantValue(OpAsmParser &parser, ElementsAttr &value,
                                      Type &type) {
  if (parser.parseAttribute(value))
    return failure();
  type = value.getType();
  return success();
}

static void printConstantValue(OpAsmPrinter &printer, Operation *,
                               ElementsAttr value, Type) {
  printer.printAttribute(value);
}

static ParseResult parseDimList(AsmParser &parser, ArrayAttr &dims) {
  SmallVector<Attribute> entries;
  auto parseEntry = [&]() -> ParseResult {
    Attribute dim;
    if (parseDim(parser, dim))
      return failure();
    entries.push_back(dim ? dim : UnitAttr::get(parser.getContext()));
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseEntry))
    return failure();
  dims = ArrayAttr::get(parser.getContext(), entries);
  return success();
}

static void printDimList(AsmPrinter &printer, ArrayAttr dims) {
  printer << '[';
  llvm::interleaveComma(dims, printer,
                        [&](Attribute dim) { printDim(printer, dim); });
  printer << ']';
}

#include "dialects/Graph/GraphDialect.cpp.inc"
#include "dialects/Graph/GraphEnums.cpp.inc"
#include "dialects/Graph/GraphInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Graph/GraphAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Graph/GraphOps.cpp.inc"

Attribute DimExprAttr::parse(AsmParser &parser, Type) {
  Attribute dim;
  bool failed =
      parser.parseLess() || parseDim(parser, dim) || parser.parseGreater();
  return failed ? Attribute() : dim;
}

void DimExprAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printDim(printer, *this);
  printer << '>';
}

void GraphDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Graph/GraphAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Graph/GraphOps.cpp.inc"
      >();
  addOperations<StepsOp>();
}

static bool isSize(Attribute attribute) {
  auto size = dyn_cast<IntegerAttr>(attribute);
  return size && size.getType().isSignlessInteger(64) && size.getInt() > 0;
}

static bool areSizes(Attribute attribute) {
  auto sizes = dyn_cast<DictionaryAttr>(attribute);
  return sizes && llvm::all_of(sizes, [](NamedAttribute size) {
           return isSize(size.getValue());
         });
}

/// How many further sizes there are, or which.
static bool isFurther(Attribute attribute) {
  auto all = dyn_cast<ArrayAttr>(attribute);
  return all ? llvm::all_of(all, areSizes) : isSize(attribute);
}

LogicalResult GraphDialect::verifyOperationAttribute(Operation *op,
                                                     NamedAttribute attribute) {
  if (attribute.getName() == "graph.states" &&
      !(isa<ModuleOp>(op) && isStates(attribute.getValue())))
    return op->emitError("graph.states is a list of {input, output} of a "
                         "module, with axis and room or without");
  if (attribute.getName() == typicalAttr) {
    auto sizes = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
    auto isSize = [](int64_t size) { return size > 0; };
    if (!isa<ModuleOp>(op) || !sizes ||
        !llvm::all_of(sizes.asArrayRef(), isSize))
      return op->emitError("graph.typical is an array of positive sizes of a "
                           "module");
  }
  if (attribute.getName() == furtherAttr &&
      !(isa<ModuleOp>(op) && isFurther(attribute.getValue())))
    return op->emitError("graph.further is a number, or a list of positive "
                         "sizes by name, of a module");
  if (attribute.getName() != "graph.symbols")
    return success();
  auto symbols = dyn_cast<DictionaryAttr>(attribute.getValue());
  if (!symbols || !isa<ModuleOp>(op))
    return op->emitError("graph.symbols is a dictionary of a module");
  return success(succeeded(
      ConstraintStore::parse(symbols, [&] { return op->emitError(); })));
}

Operation *GraphDialect::materializeConstant(OpBuilder &builder,
                                             Attribute value, Type type,
                                             Location loc) {
  auto elements = dyn_cast<ElementsAttr>(value);
  if (!elements || elements.getType() != type)
    return nullptr;
  return ConstantOp::create(builder, loc, type, elements);
}
