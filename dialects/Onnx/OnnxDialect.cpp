//===- OnnxDialect.cpp - the onnx dialect, made from the ONNX schemas -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file registers one dynamic operation per ONNX operator and the few
// entities that no schema describes.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "dialects/Onnx/Onnx.h"
#include "dialects/Onnx/SchemaVerifier.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "onnx/defs/schema.h"
#include <map>

using namespace mlir;
using ::onnx::OpSchema;
using ::onnx::OpSchemaRegistry;

MLIR_DEFINE_EXPLICIT_TYPE_ID(tenon::onnx::OnnxDialect)
MLIR_DEFINE_EXPLICIT_TYPE_ID(tenon::onnx::YieldOp)

int64_t tenon::onnx::newestOpset() {
  return OpSchemaRegistry::DomainToVersionRange::Instance().Map().at("").second;
}

std::string tenon::onnx::operationName(StringRef domain, StringRef opType) {
  std::string name = "onnx.";
  if (!domain.empty() && domain != "ai.onnx") {
    for (char c : domain)
      name += c == '.' ? '_' : c;
    name += '.';
  }
  return name + opType.str();
}

bool tenon::onnx::isReadByGradient(Value value) {
  return llvm::any_of(value.getUsers(), [](Operation *user) {
    return user->getName().stripDialect() ==
           "ai_onnx_preview_training.Gradient";
  });
}

static LogicalResult verifyNoValue(Operation *op) {
  if (op->getNumOperands() || op->getNumResults() != 1 ||
      !isa<NoneType>(op->getResult(0).getType()))
    return op->emitOpError("takes no operands and has one result of type none");
  return success();
}

/// ONNX has many spellings of a constant; after import there is one.
static LogicalResult verifyConstant(Operation *op) {
  if (op->getNumOperands() || op->getNumResults() != 1)
    return op->emitOpError("takes no operands and has one tensor result");
  auto value = op->getAttrOfType<ElementsAttr>("value");
  if (!value)
    return op->emitOpError("needs a tensor as attribute 'value'");
  if (value.getType() != op->getResult(0).getType())
    return op->emitOpError("makes a value of type ")
           << op->getResult(0).getType() << " from an attribute of type "
           << value.getType();
  return success();
}

static LogicalResult acceptRegions(Operation *) { return success(); }

void tenon::onnx::OnnxDialect::registerSchemas() {
  auto add = [this](StringRef name, OperationName::VerifyInvariantsFn verify) {
    registerDynamicOp(
        DynamicOpDefinition::get(name, this, std::move(verify), acceptRegions));
  };
  add("NoValue", verifyNoValue);
  add("Constant", verifyConstant);
  // Ordered, so that type ids do not depend on a hash function; the newest
  // version that is still in force of each operator.
  std::map<std::string, const OpSchema *> newest;
  for (const OpSchema &copy :
       OpSchemaRegistry::get_all_schemas_with_history()) {
    const OpSchema *schema = OpSchemaRegistry::Schema(
        copy.Name(), copy.SinceVersion(), copy.domain());
    if (!schema || schema->Deprecated())
      continue;
    const OpSchema *&slot = newest[operationName(copy.domain(), copy.Name())];
    if (!slot || slot->SinceVersion() < schema->SinceVersion())
      slot = schema;
  }
  for (const auto &[name, schema] : newest)
    if (name != "onnx.Constant")
      add(StringRef(name).drop_front(strlen("onnx.")),
          [schema = schema](Operation *op) {
            return verifyAgainstSchema(*schema, op);
          });
}

tenon::onnx::OnnxDialect::OnnxDialect(MLIRContext *context)
    : ExtensibleDialect(getDialectNamespace(), context,
                        TypeID::get<OnnxDialect>()) {
  addOperations<YieldOp>();
  context->getOrLoadDialect<control::ControlDialect>();
  // onnx reports its own inconsistencies by exceptions; without operations the
  // importer and the parser then say which one is unknown.
  try {
    registerSchemas();
  } catch (const std::exception &) {
  }
}

void tenon::onnx::registerOnnxDialect(DialectRegistry &registry) {
  registry.insert<OnnxDialect>();
}
