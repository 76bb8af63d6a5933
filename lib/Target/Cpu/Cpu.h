//===- Cpu.h - kernels to machine code --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the three steps from kernel functions to bytes: resolve
// the CPU, compile to objects, link to one position-independent image.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TARGET_CPU_CPU_H
#define TENON_LIB_TARGET_CPU_CPU_H

#include "lib/Target/Cache/KernelCache.h"
#include "lib/Tile/Target.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>
#include <vector>

namespace tenon::cpu {

/// A CPU that code is generated for.
struct CpuTarget {
  std::string triple;                ///< "x86_64-unknown-linux-gnu"
  std::string cpu;                   ///< LLVM's name, "znver4"
  std::string features;              ///< LLVM's feature string, "+avx2,..."
  const tile::Target *row = nullptr; ///< what planners know of it
  /// LLVM's names of all features that code may use, in LLVM's order.
  std::vector<std::string> extensions = {};

  /// "x86_64" or "aarch64".
  llvm::StringRef architecture() const;
};

/// Resolves a user's `--mcpu`: "native" (or "host"), or any name that LLVM
/// knows ("haswell", "znver4", "neoverse-n1"). `mtriple` says for which machine
/// ("aarch64-linux-gnu"); empty: the host, or if that has no such CPU, the
/// architecture that has ("generic" is known to all). Empty `mcpu`: the host,
/// or what every CPU of `mtriple` has. Errors: an unknown name; a triple other
/// than of x86-64 and aarch64 with ELF; "native" for another architecture.
llvm::Expected<CpuTarget> resolveCpu(llvm::StringRef mcpu,
                                     llvm::StringRef mtriple = "");

/// Resolves names with commas between them, for an artifact with a variant for
/// each: the widest vectors first, then the most extensions. Errors: an unknown
/// name; two names of one CPU; CPUs of two architectures.
llvm::Expected<std::vector<CpuTarget>> resolveCpus(llvm::StringRef list,
                                                   llvm::StringRef mtriple);

using Object = CodeBytes;

/// The kernels of a program as relocatable objects.
struct CompiledKernels {
  std::vector<Object> objects;
  /// By which the objects define the functions, in the order of these; equal
  /// functions share one.
  std::vector<std::string> symbols;
  size_t compiled = 0; ///< the other objects came from the cache
  std::string warning; ///< why the cache could not be used, else empty
};

/// Compiles the functions of `kernels` (func, scf, arith, vector, llvm) with
/// `jobs` threads, those apart that `cache` (null: none) has. Takes them out of
/// the module. The objects depend neither on `jobs` nor on the cache. Fails,
/// too, where `isCancelled`, which any thread may ask before a kernel, says so.
llvm::Expected<CompiledKernels>
compileKernels(mlir::ModuleOp kernels, const CpuTarget &target, unsigned jobs,
               const KernelCache *cache,
               const std::function<bool()> &isCancelled = {});

/// The same as textual assembly under the functions' own names. The module is
/// lowered in place.
llvm::Expected<std::string> compileToAssembly(mlir::ModuleOp kernels,
                                              const CpuTarget &target);

/// Code and read-only data laid out as they will be mapped, and the offset of
/// each asked symbol in it.
struct Image {
  std::vector<char> bytes;
  std::vector<uint64_t> entries;
};

/// Links objects without any import into an image. Errors: an undefined symbol
/// (a kernel needs a library), a relocation or writable data left over.
llvm::Expected<Image> linkImage(llvm::ArrayRef<Object> objects,
                                llvm::ArrayRef<std::string> symbols);

/// A model's constants for static linking: defines `symbol` as the struct that
/// runtime's `tenon_static_model` describes.
struct StaticData {
  std::string symbol;
  llvm::StringRef meta; ///< the artifact without code and weights
  llvm::StringRef weights;
  std::vector<std::string> kernels; ///< in order; defined in other objects
};
llvm::Expected<Object> dataObject(const StaticData &data,
                                  const CpuTarget &target);

/// Links objects into one relocatable object at `path`.
llvm::Error linkRelocatable(llvm::ArrayRef<Object> objects,
                            llvm::StringRef path);

} // namespace tenon::cpu

#endif // TENON_LIB_TARGET_CPU_CPU_H
