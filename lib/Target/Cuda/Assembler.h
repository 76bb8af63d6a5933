//===- Assembler.h - PTX to the code of one device --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the assembler that may be installed: `ptxas` as a process,
// or the library libnvJitLink. Neither is needed: drivers take PTX, too, in a
// tenth of a second a kernel.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_TARGET_CUDA_ASSEMBLER_H
#define TENON_LIB_TARGET_CUDA_ASSEMBLER_H

#include "lib/Target/Cuda/Cuda.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace tenon::cuda {

struct Assembled {
  CodeBytes cubin;
  std::string log;
};

class Assembler {
public:
  virtual ~Assembler() = default;

  /// Which one it is; two of the same name make the same bytes.
  virtual llvm::StringRef name() const = 0;

  /// Several threads may do this at once. Error: what it says of the text.
  virtual llvm::Expected<Assembled>
  assemble(llvm::StringRef ptx, const tile::GpuTarget &target) const = 0;
};

/// $TENON_PTXAS if that is set (empty: none), else `ptxas` on the path, in
/// $CUDA_HOME/bin or in /usr/local/cuda/bin, else the library. Null: there is
/// none. Error: the one that is asked for does not work.
llvm::Expected<std::unique_ptr<Assembler>> findAssembler();

/// The library, or null.
std::unique_ptr<Assembler> openJitLink();

/// What a log says of each kernel, by its symbol.
llvm::StringMap<KernelUse> usesOf(llvm::StringRef log);

/// Its warnings that are about speed: products that wait for each other,
/// registers in memory.
std::vector<std::string> remarksOf(llvm::StringRef log);

} // namespace tenon::cuda

#endif // TENON_LIB_TARGET_CUDA_ASSEMBLER_H
