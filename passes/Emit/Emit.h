//===- Emit.h - the last phase: files ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a lowered program leaves the compiler: as an artifact,
// as an object file with a header, or as text for inspection.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_EMIT_EMIT_H
#define TENON_PASSES_EMIT_EMIT_H

#include "lib/Target/Artifact/Artifact.h"
#include "lib/Target/Cpu/Cpu.h"
#include "lib/Tile/Gpu.h"
#include "mlir/IR/BuiltinOps.h"
#include <functional>

namespace tenon::emit {

/// A planned program and what it is planned for: a device, or a processor.
struct Program {
  mlir::ModuleOp module;
  cpu::CpuTarget target; ///< of a device's program the host
  const tile::GpuTarget *device = nullptr;
  tile::Precision precision = tile::Precision::F32; ///< on the device
};

struct EmitOptions {
  unsigned jobs = 1;     ///< threads that compile kernels
  std::string modelName; ///< stored in the artifact
  std::optional<KernelCache> cache = std::nullopt;
  std::function<bool()> isCancelled = {}; ///< asked before each kernel
  /// An artifact with more code is not written: its sizes have that alone.
  std::optional<int64_t> mostCodeBytes = std::nullopt;
};

/// What was written, for reports.
struct StageInfo {
  artifact::ArtifactDesc desc; ///< without code bytes
  artifact::ArtifactSizes sizes;
  double compileSeconds = 0, linkSeconds = 0, writeSeconds = 0;
  size_t compiledKernels = 0, cachedKernels = 0;
  std::string warning;   ///< why kernels could not be cached, else empty
  std::string assembler; ///< of kernels for devices; empty: there was none
  std::vector<std::string> remarks; ///< of it, about speed
};

/// Compiles the kernels of a model's programs, the preferred one first, and
/// writes one artifact. The kernels are taken out of the modules.
llvm::Expected<StageInfo> emitArtifact(llvm::ArrayRef<Program> programs,
                                       const EmitOptions &options,
                                       llvm::StringRef path);

/// Writes `path` (an object file) and the C header beside it (`.h` for `.o`).
llvm::Expected<StageInfo> emitObject(llvm::ArrayRef<Program> programs,
                                     const EmitOptions &options,
                                     llvm::StringRef path);

/// The kernels as assembly, of a device as PTX.
llvm::Expected<std::string> emitAssembly(const Program &program);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_EMIT_H
