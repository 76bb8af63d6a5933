//===- SchemaVerifier.cpp - one verifier for all onnx operations ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks an operation against the OpSchema of its operator.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/SchemaVerifier.h"
#include "dialects/Control/Control.h"
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

/// `seq(tensor(float))`: a type as schemas spell it; empty for others.
static std::string spell(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type)) {
    int64_t code = tenon::onnx::dataTypeOf(tensor.getElementType());
    return ("tensor(" + tenon::onnx::dataTypeName(code) + ")").str();
  }
  if (auto sequence = dyn_cast<tenon::control::SequenceType>(type))
    return "seq(" + spell(sequence.getElement()) + ")";
  if (auto optional = dyn_cast<tenon::control::OptionalType>(type))
    return "optional(" + spell(optional.getElement()) + ")";
  return "";
}

/// Whether `formal` admits values of `type`.
static bool admits(const FormalParameter &formal, Type type) {
  std::string spelled = spell(type);
  return llvm::any_of(formal.GetTypes(),
                      [&](::onnx::DataType type) { return *type == spelled; });
}

/// What is bound to a type parameter, and named where it does not fit: the
/// element type of a tensor, or the whole type without its sizes.
static Type boundType(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    return tensor.getElementType();
  if (auto sequence = dyn_cast<tenon::control::SequenceType>(type))
    return tenon::control::SequenceType::get(type.getContext(),
                                             boundType(sequence.getElement()));
  auto optional = cast<tenon::control::OptionalType>(type);
  return tenon::control::OptionalType::get(type.getContext(),
                                           boundType(optional.getElement()));
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
  bool isTensor = isa<TensorType>(type);
  if (!isTensor && spell(type).empty())
    return error() << "must be a tensor, but is " << type;
  Type element = isTensor ? cast<TensorType>(type).getElementType() : type;
  if (!admits(formal, type))
    return error() << (isTensor ? "cannot have element type " : "cannot be ")
                   << element;
  element = boundType(type);
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
  // Branches and bodies.
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

namespace {
/// What the regions of an operator take and yield.
struct RegionShape {
  unsigned regions, arguments, yields;
};
} // namespace

static RegionShape regionShapeOf(const OpSchema &schema, Operation *op) {
  unsigned operands = op->getNumOperands(), results = op->getNumResults();
  if (!schema.domain().empty())
    return {0, 0, 0};
  if (schema.Name() == "If")
    return {2, 0, results};
  if (schema.Name() == "Loop")
    return {1, std::max(operands, 2u), results + 1};
  return {schema.Name() == "Scan" ? 1u : 0u, operands, results};
}

static LogicalResult verifyRegions(Operation *op, const RegionShape &shape) {
  if (op->getNumRegions() != shape.regions)
    return op->emitOpError() << "must have " << shape.regions << " regions";
  for (Region &region : op->getRegions()) {
    if (!region.hasOneBlock() || region.front().empty() ||
        !isa<tenon::onnx::YieldOp>(region.front().back()))
      return op->emitOpError("needs regions of one block that ends in "
                             "onnx.Yield");
    if (region.getNumArguments() != shape.arguments)
      return op->emitOpError("needs regions of ")
             << shape.arguments << " arguments, not "
             << region.getNumArguments();
    if (region.front().back().getNumOperands() != shape.yields)
      return op->emitOpError("needs regions that yield ")
             << shape.yields << " values, not "
             << region.front().back().getNumOperands();
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
  if (failed(verifyRegions(op, regionShapeOf(schema, op))))
    return failure();
  if (failed(verifySide(op, operands, bindings)) ||
      failed(verifySide(op, results, bindings)))
    return failure();
  return verifyAttributes(op, schema);
}
