//===- Backends.h - the kinds of devices that there are ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how passes, which know no kind of device, find one by its
// name. A backend is an extension of the kernel dialect, as MLIR's translations
// are of theirs: it belongs to a context, nothing to the whole process.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_BACKENDS_H
#define TENON_PASSES_CODEGEN_BACKENDS_H

#include "mlir/IR/DialectInterface.h"
#include "passes/Codegen/Device.h"

namespace tenon::codegen {

/// Names a device and says what plans for it may do.
struct DeviceOptions {
  std::string name;    ///< a row of the table of processors, or of GPUs
  int64_t threads = 0; ///< that launches are cut for; 0: as the row says
  Arithmetic arithmetic;
  tile::Precision precision = tile::Precision::F32;
  /// What stands in place of the row of that name; null: the row.
  const tile::Target *row = nullptr;
};

/// That of the name, or null.
const Strategy *findStrategy(llvm::ArrayRef<const Strategy *> strategies,
                             llvm::StringRef name);

/// A kind of devices.
struct Backend {
  llvm::StringRef name; ///< "cpu", "gpu"
  llvm::ArrayRef<const Strategy *> strategies;
  bool (*knows)(llvm::StringRef device);
  /// A device that it knows, or null after a diagnostic on `module`.
  std::unique_ptr<Device> (*make)(mlir::ModuleOp module,
                                  const DeviceOptions &options);
};

/// Those of a context.
class Backends : public mlir::DialectInterface::Base<Backends> {
public:
  explicit Backends(mlir::Dialect *dialect) : Base(dialect) {}

  static Backends &of(mlir::MLIRContext *context);
  static Backends &of(mlir::Dialect &kernel);

  /// One of the same name takes its place.
  void add(const Backend &backend);
  /// Null if there is none of that name.
  const Backend *find(llvm::StringRef name) const;
  /// That with a strategy of that name, and the strategy; null if there is
  /// none.
  const Backend *withStrategy(llvm::StringRef name) const;
  const Strategy *findStrategy(llvm::StringRef name) const;
  /// That which `options` name; null after a diagnostic on `module`.
  std::unique_ptr<Device> make(mlir::ModuleOp module,
                               const DeviceOptions &options) const;

private:
  llvm::SmallVector<Backend> all;
};

/// Options of passes that work for a device (DeviceOption.td).
struct DeviceWords {
  llvm::StringRef target;
  int64_t threads;
  llvm::StringRef winograd;
  bool bf16x6;
  llvm::StringRef precision;
};

/// The device that they name; null after a diagnostic on `module`.
std::unique_ptr<Device> makeDevice(mlir::ModuleOp module,
                                   const DeviceWords &words);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_BACKENDS_H
