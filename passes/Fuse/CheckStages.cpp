//===- CheckStages.cpp - proof that a group is its operations -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/CheckStages.h"

#include "dialects/Kernel/Footprint.h"
#include "lib/Poly/Count.h"
#include "lib/Poly/Execute.h"
#include "passes/Fuse/ReadGroup.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

static std::string textOf(kernel::GroupOp group) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  group->print(stream,
               OpPrintingFlags().useLocalScope().elideLargeElementsAttrs());
  return text;
}

LogicalResult StageChecker::check(kernel::GroupOp group) {
  if (!checked.insert(textOf(group)).second)
    return success();
  std::optional<GroupStatements> read = readGroup(group);
  if (!read)
    return group.emitOpError("has stages that state no accesses");
  if (llvm::Error error = poly::check(read->scop))
    return group.emitOpError() << llvm::toString(std::move(error));
  if (llvm::Error error = poly::check(read->scop, read->group))
    return group.emitOpError() << llvm::toString(std::move(error));
  if (llvm::Error error = poly::validate(read->scop, read->group))
    return group.emitOpError("does not compute what its operations do: ")
           << llvm::toString(std::move(error));
  return success();
}
