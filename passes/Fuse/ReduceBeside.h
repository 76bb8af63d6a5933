//===- ReduceBeside.h - sums beside what they are of ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares which reductions are done in two steps (TwoSteps.h), the
// first of them as the last stage of the kernel that computes what is reduced,
// while it is in a cache. Kernels have been chosen by then, so that blocks can
// be what their tiles are.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_REDUCEBESIDE_H
#define TENON_PASSES_FUSE_REDUCEBESIDE_H

#include "passes/Fuse/Candidate.h"
#include "passes/Fuse/CheckStages.h"
#include "passes/Fuse/Price.h"
#include "passes/Fuse/TwoSteps.h"

#include "llvm/ADT/DenseMap.h"

namespace tenon::fuse {

/// One that was chosen.
struct Kernel {
  Members members;
  Price price;
};
using Kernels = std::vector<Kernel>;

/// A reduction whose first step becomes a stage of a kernel.
struct Split {
  Reduction reduction;
  size_t kernel; ///< the number of that which computes its input
  llvm::SmallVector<size_t> replaced = {}; ///< those that reduce it
  llvm::SmallVector<int64_t> blocks = {};
  Price price = {}; ///< of that kernel with the stage
  Price whole = {}; ///< of the second step
};

class ReduceBeside {
public:
  ReduceBeside(const codegen::Device &device, StageChecker &checker)
      : device(device), checker(checker), pricer(device) {}

  /// Those that gain something; the program stays as it is.
  std::vector<Split> choose(const Kernels &kernels);
  /// Changes groups and kernels to what was chosen.
  static void apply(llvm::ArrayRef<Split> splits, Kernels &kernels);

private:
  std::optional<Split>
  splitAt(kernel::GroupOp last, const Kernels &kernels,
          const llvm::DenseMap<mlir::Operation *, size_t> &numbers);
  std::optional<Split> best(const Kernel &kernel, Split split, Time apart);
  bool price(const Kernel &kernel, Split &split);
  bool isSound(const Kernel &kernel, const Split &split);

  const codegen::Device &device;
  StageChecker &checker;
  Pricer pricer;
};

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_REDUCEBESIDE_H
