//===- Options.h - what the passes of GPUs are told -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_OPTIONS_H
#define TENON_PASSES_CODEGENGPU_OPTIONS_H

#include "lib/Tile/Gpu.h"
#include "mlir/IR/BuiltinOps.h"

namespace tenon::gpu {

struct Options {
  const tile::GpuTarget *target;
  tile::Precision precision;
};

/// The options of those names; a diagnostic on `module` when there are none.
std::optional<Options> requireOptions(mlir::ModuleOp module,
                                      llvm::StringRef target,
                                      llvm::StringRef precision);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_OPTIONS_H
