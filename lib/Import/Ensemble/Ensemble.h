//===- Ensemble.h - models of one architecture as one program ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_IMPORT_ENSEMBLE_ENSEMBLE_H
#define TENON_LIB_IMPORT_ENSEMBLE_ENSEMBLE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tenon::ensemble {

/// Whether one input feeds all members, or each has its own.
enum class Inputs { Shared, Each };

/// Makes modules as the importer leaves them, two at least, one: `@main` of the
/// result computes what all members do. Outputs, and with Each inputs, are
/// called `NAME.0`, `NAME.1`, ... in the order of the members, and nodes and
/// weights alike. Dimensions of one name are equal in all members, but for
/// those that no input has.
///
/// Fails with one error that names the first node that differs in anything but
/// the values of constants, in both files, or that the members cannot have.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>>
join(llvm::MutableArrayRef<mlir::OwningOpRef<mlir::ModuleOp>> members,
     Inputs inputs);

} // namespace tenon::ensemble

#endif // TENON_LIB_IMPORT_ENSEMBLE_ENSEMBLE_H
