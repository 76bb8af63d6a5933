//===- Programs.cpp - the functions that are run --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/GraphSteps.h"

using namespace mlir;

SmallVector<func::FuncOp> tenon::graph::programs(ModuleOp module) {
  SmallVector<func::FuncOp> programs;
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && !function.isExternal())
      programs.push_back(function);
  return programs;
}

FailureOr<SmallVector<func::FuncOp>>
tenon::graph::requirePrograms(ModuleOp module) {
  SmallVector<func::FuncOp> all = programs(module);
  if (all.empty())
    return module.emitError("there is no program: no public function that has "
                            "a body");
  return all;
}

FailureOr<func::FuncOp> tenon::graph::requireProgram(ModuleOp module) {
  auto all = requirePrograms(module);
  if (failed(all))
    return failure();
  llvm::erase_if(*all, isStepsBody);
  if (all->size() == 1)
    return all->front();
  InFlightDiagnostic error = module.emitError("only one program is supported "
                                              "yet, and there are ");
  llvm::interleaveComma(*all, error, [&](func::FuncOp program) {
    error << "'" << program.getName() << "'";
  });
  return error;
}
