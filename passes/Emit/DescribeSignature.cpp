//===- DescribeSignature.cpp - what bytecode takes and gives --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/DescribeSignature.h"

#include "dialects/Control/ElementCode.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Shapes.h"
#include "passes/Emit/Registers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::emit;

namespace {
/// Describes what the model takes and gives.
class SignatureDescriber {
public:
  SignatureDescriber(vm::FuncOp host, artifact::EntryDesc &entry,
                     SizeProgram &sizes)
      : host(host), entry(entry), sizes(sizes), bound(host.getArgumentTypes()) {
  }

  LogicalResult run();

private:
  /// `input`: its number among the tensors that the size program takes.
  artifact::TensorDesc describe(StringAttr name, const char *otherwise,
                                unsigned index, Type type,
                                std::optional<unsigned> input);
  void measure(artifact::TensorDesc &tensor, RankedTensorType type,
               std::optional<unsigned> input);
  void describeElements(artifact::TensorDesc &tensor, Type type);
  int64_t valueOf(Attribute dim);

  vm::FuncOp host;
  artifact::EntryDesc &entry;
  SizeProgram &sizes;
  graph::BoundSymbols bound;
};
} // namespace

/// Nothing is known of what data decide.
int64_t SignatureDescriber::valueOf(Attribute dim) {
  return dim && bound.determine(dim) ? sizes.valueOf(dim)
                                     : artifact::unknownSize;
}

void SignatureDescriber::measure(artifact::TensorDesc &tensor,
                                 RankedTensorType type,
                                 std::optional<unsigned> input) {
  bool isKnown = true;
  for (auto [i, dim] : llvm::enumerate(graph::dimsOf(type))) {
    int64_t value = input ? sizes.extent(*input, i) : valueOf(dim);
    isKnown &= value != artifact::unknownSize;
    tensor.shape.push_back(value);
    tensor.dimNames.push_back(
        dim && graph::isSymbolic(dim) ? graph::dimText(dim) : "");
  }
  if (type.hasStaticShape()) {
    tensor.dimNames.clear();
    return;
  }
  int64_t element = isa<control::StringType>(type.getElementType())
                        ? control::stringCode.bits / 8
                        : graph::elementBytes(type.getElementType());
  tensor.byteSize =
      isKnown ? sizes.valueOf(graph::productOf(graph::sizesOf(type)) * element)
              : artifact::unknownSize;
}

void SignatureDescriber::describeElements(artifact::TensorDesc &tensor,
                                          Type type) {
  if (auto optional = dyn_cast<control::OptionalType>(type))
    type = optional.getElement();
  if (auto sequence = dyn_cast<control::SequenceType>(type))
    type = sequence.getElement();
  auto ranked = dyn_cast<RankedTensorType>(type);
  tensor.hasAnyRank = !ranked;
  if (!ranked)
    return;
  for (int64_t size : ranked.getShape())
    tensor.shape.push_back(ShapedType::isDynamic(size) ? artifact::unknownSize
                                                       : size);
}

artifact::TensorDesc
SignatureDescriber::describe(StringAttr name, const char *otherwise,
                             unsigned index, Type type,
                             std::optional<unsigned> input) {
  artifact::TensorDesc tensor;
  tensor.name = name ? name.str() : otherwise + std::to_string(index);
  if (auto value = valueTypeOf(type)) {
    tensor.type = value->type;
    tensor.kind = value->kind;
  }
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    measure(tensor, ranked, input);
  else
    describeElements(tensor, type);
  return tensor;
}

LogicalResult SignatureDescriber::run() {
  auto constraints =
      graph::ConstraintStore::load(host->getParentOfType<ModuleOp>());
  if (failed(constraints))
    return failure();
  SmallVector<RankedTensorType> tensors;
  for (Type type : host.getArgumentTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      tensors.push_back(tensor);
  sizes.bind(tensors, *constraints);
  unsigned bindings = 0;
  for (auto [i, type] : llvm::enumerate(host.getArgumentTypes())) {
    auto name = host.getArgAttrOfType<StringAttr>(i, "onnx.name");
    std::optional<unsigned> input;
    if (isa<RankedTensorType>(type))
      input = bindings++;
    entry.inputs.push_back(describe(name, "input", i, type, input));
  }
  for (auto [i, type] : llvm::enumerate(host.getResultTypes())) {
    auto name = host.getResultAttrOfType<StringAttr>(i, "onnx.name");
    entry.outputs.push_back(describe(name, "output", i, type, std::nullopt));
  }
  return success();
}

LogicalResult emit::describeSignature(vm::FuncOp host,
                                      artifact::EntryDesc &entry,
                                      SizeProgram &sizes) {
  return SignatureDescriber(host, entry, sizes).run();
}
