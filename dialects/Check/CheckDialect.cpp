//===- CheckDialect.cpp - programs that check themselves ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file registers the check dialect. The interpreter executes it.
//===----------------------------------------------------------------------===//
#include "dialects/Check/Check.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::check;

#include "dialects/Check/CheckDialect.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Check/CheckOps.cpp.inc"

void CheckDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/Check/CheckOps.cpp.inc"
      >();
}
