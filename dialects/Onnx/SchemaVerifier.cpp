//===- SchemaVerifier.cpp - one verifier for all onnx operations ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks an operation against the OpSchema of its operator.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/SchemaVerifier.h"
#include "dialects/Onnx/Onnx.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/defs/schema.h"

using namespace mlir;
using ::onnx::AttributeProto;
using ::onnx::OpSchema;
using FormalParameter = OpSchema::FormalParameter;

namespace {
/// One side (operands or results) of an operation beside its formal parameters.
struct Side {
  const char *word;
  const std::vector<FormalParameter> &formals;
  int minimum, maximum;
  TypeRange types;
};

/// The element types that the schema's type parameters stand for.
using Bindings = llvm::StringMap<Type>;
} // namespace

/// The last formal parameter serves all further ones if it is variadic.
static const FormalParameter *formalFor(const Side &side, size_t index) {
  if (index < side.formals.size())
    return &side.formals[index];
  if (!side.formals.empty() &&
      side.formals.back().GetOption() == OpSchema::Variadic)
    return &side.formals.back();
  return nullptr;
}

static LogicalResult verifyCount(Operation *op, const Side &side) {
  int count = side.types.size();
  if (count < side.minimum)
    return op->emitOpError() << "has " << count << ' ' << side.word
                             << "s but needs at least " << side.minimum;
  if (count > side.maximum)
    return op->emitOpError() << "has " << count << ' ' << side.word
                             << "s but takes at most " << side.maximum;
  return success();
}

/// Whether `formal` admits tensors of data type `name`.
static bool admits(const FormalParameter &formal, llvm::StringRef name) {
  std::string spelled = ("tensor(" + name + ")").str();
  return llvm::any_of(formal.GetTypes(),
                      [&](::onnx::DataType type) { return *type == spelled; });
}

static LogicalResult verifyType(Operation *op, const Side &side, size_t index,
                                Bindings &bindings) {
  const FormalParameter &formal = *formalFor(side, index);
  auto error = [&] {
    return op->emitOpError()
           << side.word << " #" << index << " (" << formal.GetName() << ") ";
  };
  Type type = side.types[index];
  if (isa<NoneType>(type)) {
    if (formal.GetOption() == OpSchema::Single)
      return error() << "is required but absent";
    return success();
  }
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return error() << "must be a tensor, but is " << type;
  Type element = tensor.getElementType();
  if (!admits(formal,
              tenon::onnx::dataTypeName(tenon::onnx::dataTypeOf(element))))
    return error() << "cannot have element type " << element;
  if (!formal.GetIsHomogeneous())
    return success();
  auto [bound, isNew] = bindings.try_emplace(formal.GetTypeStr(), element);
  if (!isNew && bound->second != element)
    return error() << "has element type " << element << ", but type parameter "
                   << formal.GetTypeStr() << " is " << bound->second
                   << " already";
  return success();
}

static LogicalResult verifySide(Operation *op, const Side &side,
                                Bindings &bindings) {
  if (failed(verifyCount(op, side)))
    return failure();
  for (size_t i = 0, e = side.types.size(); i < e; ++i)
    if (failed(verifyType(op, side, i, bindings)))
      return failure();
  return success();
}

static bool isStringList(Attribute attribute) {
  auto list = dyn_cast<ArrayAttr>(attribute);
  return list &&
         llvm::all_of(list, [](Attribute a) { return isa<StringAttr>(a); });
}

/// What an attribute of kind `kind` must be in MLIR; null if `value` is that.
static const char *expectedKind(int kind, Attribute value) {
  switch (kind) {
  case AttributeProto::INT: {
    auto integer = dyn_cast<IntegerAttr>(value);
    return integer && integer.getType().isSignlessInteger(64) ? nullptr
                                                              : "an i64";
  }
  case AttributeProto::FLOAT: {
    auto real = dyn_cast<FloatAttr>(value);
    return real && real.getType().isF32() ? nullptr : "an f32";
  }
  case AttributeProto::STRING:
    return isa<StringAttr>(value) ? nullptr : "a string";
  case AttributeProto::TENSOR:
    return isa<ElementsAttr>(value) ? nullptr : "a tensor";
  case AttributeProto::INTS:
    return isa<DenseI64ArrayAttr>(value) ? nullptr : "an array<i64>";
  case AttributeProto::FLOATS:
    return isa<DenseF32ArrayAttr>(value) ? nullptr : "an array<f32>";
  case AttributeProto::STRINGS:
    return isStringList(value) ? nullptr : "a list of strings";
  case AttributeProto::TYPE_PROTO:
    return isa<TypeAttr>(value) ? nullptr : "a type";
  default:
    return "of a kind that this dialect has";
  }
}

static LogicalResult verifyAttributes(Operation *op, const OpSchema &schema) {
  for (NamedAttribute named : op->getAttrs()) {
    llvm::StringRef name = named.getName();
    auto found = schema.attributes().find(name.str());
    if (found == schema.attributes().end()) {
      if (name.contains('.'))
        continue;
      return op->emitOpError() << "has no attribute '" << name << "'";
    }
    int kind = static_cast<int>(found->second.type);
    if (const char *expected = expectedKind(kind, named.getValue()))
      return op->emitOpError()
             << "attribute '" << name << "' must be " << expected;
  }
  // The branches of If.
  auto isRegion = [&](const OpSchema::Attribute &attribute) {
    return attribute.type == AttributeProto::GRAPH && op->getNumRegions() != 0;
  };
  // The schema's map is unordered: name the first missing one by the alphabet.
  llvm::StringRef missing;
  for (const auto &[name, attribute] : schema.attributes())
    if (attribute.required && !op->hasAttr(name) && !isRegion(attribute) &&
        (missing.empty() || name < missing))
      missing = name;
  if (!missing.empty())
    return op->emitOpError() << "needs attribute '" << missing << "'";
  return success();
}

/// The branches of If.
static LogicalResult verifyBranches(Operation *op) {
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock() || region.getNumArguments() != 0 ||
        region.front().empty() ||
        !isa<tenon::onnx::YieldOp>(region.front().back()))
      return op->emitOpError("needs branches of one block without arguments "
                             "that ends in onnx.Yield");
    if (region.front().back().getNumOperands() != op->getNumResults())
      return op->emitOpError("needs branches that yield as many values as it "
                             "has results");
  }
  return success();
}

LogicalResult tenon::onnx::verifyAgainstSchema(const OpSchema &schema,
                                               Operation *op) {
  Bindings bindings;
  Side operands{"operand", schema.inputs(), schema.min_input(),
                schema.max_input(), op->getOperandTypes()};
  Side results{"result", schema.outputs(), schema.min_output(),
               schema.max_output(), op->getResultTypes()};
  unsigned regions = schema.Name() == "If" ? 2 : 0;
  if (op->getNumRegions() != regions)
    return op->emitOpError() << "must have " << regions << " regions";
  if (regions && failed(verifyBranches(op)))
    return failure();
  if (failed(verifySide(op, operands, bindings)) ||
      failed(verifySide(op, results, bindings)))
    return failure();
  return verifyAttributes(op, schema);
}
