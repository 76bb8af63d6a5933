//===- Check.h - expectations of test programs ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the interpreter executes the check dialect.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_CHECK_H
#define TENON_LIB_INTERPRETER_CHECK_H

#include "lib/Interpreter/Datum.h"

namespace tenon::interp {

/// Compares the two operands of a check operation; on failure `reason` names
/// the first element that differs. NaN equals NaN.
mlir::LogicalResult runCheck(mlir::Operation *op,
                             llvm::ArrayRef<Datum> operands,
                             std::string &reason);

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_CHECK_H
