//===- Ensemble.cpp - several files as one program ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compiler/Ensemble.h"

#include "lib/Compiler/Compiler.h"

using namespace mlir;
using namespace tenon;

llvm::Error tenon::checkEnsemble(const CompileOptions &options) {
  if (!options.ensemble.isOn())
    return llvm::Error::success();
  const char *other = !options.states.empty()       ? "--state"
                      : options.training.isOn()     ? "--train"
                      : !options.applyState.empty() ? "--apply-state"
                                                    : nullptr;
  if (!other)
    return llvm::Error::success();
  return llvm::createStringError(
      "--ensemble and %s contradict each other: members of an ensemble have no "
      "states",
      other);
}

/// One more member, as the importer leaves it. Fails with a diagnostic.
static LogicalResult addMember(const ModelSource &source, MLIRContext &context,
                               const CompileOptions &options,
                               std::vector<OwningOpRef<ModuleOp>> &members) {
  auto module = readModel(source, context, options.import);
  if (failed(module))
    return failure();
  if (phaseOf(**module) != Phase::Import)
    return emitError((*module)->getLoc())
           << "--ensemble: members are ONNX models; this program has been "
              "planned further";
  members.push_back(std::move(*module));
  return success();
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::readModels(const ModelSource &source, MLIRContext &context,
                  const CompileOptions &options) {
  if (!options.ensemble.isOn())
    return readModel(source, context, options.import);
  std::vector<OwningOpRef<ModuleOp>> members;
  if (failed(addMember(source, context, options, members)))
    return failure();
  for (const std::string &file : options.ensemble.others)
    if (failed(addMember({file}, context, options, members)))
      return failure();
  return ensemble::join(members, options.ensemble.inputs);
}
