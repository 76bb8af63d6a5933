//===- Kernels.cpp - kernels by structure ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file shares kernels: the printed group without names and locations is
// the key.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/Codegen/Groups/EachIndex.h"
#include "passes/Codegen/SizePlans.h"

#include "mlir/IR/AsmState.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

std::string codegen::structureOf(kernel::GroupOp group) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  // Values are numbered from the group's own start. A stage is isolated, too:
  // numbered from its own, it would not say which others it reads.
  AsmState state(group, OpPrintingFlags().useLocalScope());
  for (Operation &op : group.getBlock())
    op.print(stream, state);
  for (NamedAttribute attribute : group->getAttrs())
    if (attribute.getName() != group.getOffsetsAttrName() &&
        attribute.getName() != group.getTimeAttrName() &&
        attribute.getName() != group.getCostsAttrName() &&
        attribute.getName() != group.getFusionAttrName())
      stream << attribute.getName() << attribute.getValue();
  return text;
}

graph::StepsOp codegen::stepsIn(kernel::GroupOp group) {
  Block &block = group.getBlock();
  bool isAlone = block.getOperations().size() == 2;
  return isAlone ? dyn_cast<graph::StepsOp>(&block.front()) : graph::StepsOp();
}

ArrayRef<int64_t> codegen::scratchOf(kernel::GroupOp group) {
  return group.getScratch().value_or(ArrayRef<int64_t>());
}

std::string KernelTable::nextName(StringRef kind) {
  std::string name = (kind + "_" + Twine(kernels.size())).str();
  while (module.lookupSymbol(name))
    name += "_";
  return name;
}

void codegen::describe(FunctionOpInterface function, const KernelFacts &facts) {
  using kernel::KernelDialect;
  function.setPrivate();
  MLIRContext *context = function.getContext();
  if (facts.errorGrowth != 1)
    KernelDialect::ErrorGrowthAttrHelper(context).setAttr(
        function, Builder(context).getF64FloatAttr(facts.errorGrowth));
  if (facts.oneCall)
    KernelDialect::OneCallAttrHelper(context).setAttr(function,
                                                      UnitAttr::get(context));
  if (facts.isChecked)
    KernelDialect::CheckedAttrHelper(context).setAttr(function,
                                                      UnitAttr::get(context));
}

StageRequest codegen::requestFor(const Device &device, KernelFunction &function,
                                 KernelBuilder &b, kernel::GroupOp group) {
  StageRequest request{device, function, b, group, {}, {}, group.getPlanAttr()};
  auto types = group.getBuffers()->getAsValueRange<TypeAttr>();
  for (auto [i, type] : llvm::enumerate(types))
    (i < group.getOperands_().size() ? request.operands : request.results)
        .push_back(cast<BufferType>(type));
  return request;
}

FailureOr<StageInfo> codegen::emitStage(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  const Strategy *strategy = strategyOf(group);
  if (!strategy)
    return group.emitOpError("has no plan of any strategy");
  if (group->hasAttr(smallerAttr))
    return emitBySize(request);
  return group.getEach() ? emitEach(*strategy, request)
                         : strategy->emit(request);
}

Kernel codegen::kernelOf(const StageInfo &info, kernel::GroupOp group) {
  Kernel kernel;
  kernel.steps = info.steps;
  kernel.scratch = info.scratch;
  ArrayRef<int64_t> planned = scratchOf(group);
  if (kernel.scratch.empty())
    kernel.scratch.append(planned.begin(), planned.end());
  for (auto [operand, written] : info.inPlace)
    kernel.inPlace.append({int64_t(operand), int64_t(written)});
  return kernel;
}

ArrayAttr codegen::sizesOf(const KernelFunction &function) {
  if (function.sizes.empty())
    return {};
  auto dims = llvm::map_to_vector(
      function.sizes, [](const auto &entry) { return entry.first; });
  return ArrayAttr::get(function.op->getContext(), dims);
}

FailureOr<Kernel> KernelTable::get(kernel::GroupOp group) {
  std::string key = structureOf(group) + differences(group);
  auto found = kernels.find(key);
  if (found != kernels.end())
    return found->second;
  if (!group.getPlanAttr())
    return group.emitOpError("has no plan of any strategy");
  FailureOr<Kernel> kernel =
      emit(group, nextName(group.getPlanAttr().getStrategy()));
  if (failed(kernel))
    return failure();
  kernels[key] = *kernel;
  return kernel;
}

FailureOr<JoinedSteps> KernelTable::getSteps(graph::StepsOp steps) {
  std::string name = nextName("steps");
  FailureOr<JoinedSteps> joined = emitSteps(steps, name);
  if (succeeded(joined))
    kernels[name] = joined->kernel;
  return joined;
}

Kernel KernelTable::getZeroHalo(Location loc, BufferType buffer) {
  std::string key;
  llvm::raw_string_ostream(key) << "zero_halo " << buffer;
  auto [entry, isNew] = kernels.try_emplace(key);
  if (isNew)
    entry->second = emitZeroHalo(loc, buffer, nextName("zero_halo"));
  return entry->second;
}
