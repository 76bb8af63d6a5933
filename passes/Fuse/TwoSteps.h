//===- TwoSteps.h - reductions in two steps ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a reduction becomes one of blocks and one of those:
//
//   y[1,56,56,c]                          y[1,56,56,c]
//        |      mean over the image            |      sums of 14x14
//   m[1,1,1,c]                            b[1,4,4,c]
//                                              |      their sum / 3136
//                                         m[1,1,1,c]
//
// A tile of whole blocks has all that the first step needs, so that this can be
// a stage beside what computes y.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_FUSE_TWOSTEPS_H
#define TENON_PASSES_FUSE_TWOSTEPS_H

#include "dialects/Kernel/Kernel.h"

namespace tenon::fuse {

/// A reduction of neighbouring dimensions in front of others.
struct Reduction {
  mlir::Value input;
  size_t begin, end; ///< the dimensions of the input that are reduced
  /// Those that compute it: one, or one of equal parts and one of these.
  llvm::SmallVector<kernel::GroupOp> groups;

  llvm::ArrayRef<int64_t> shape() const;
  mlir::Operation *op() const; ///< the last one
  mlir::Value result() { return groups.back().getResult(0); }
};

/// The reduction that ends in a group and is all that its groups do.
std::optional<Reduction> reductionIn(kernel::GroupOp last);

struct TwoSteps {
  kernel::GroupOp blocks, whole;
};

/// Groups in front of the function's end that reduce blocks of such sizes,
/// which divide the reduced dimensions, and then these. The second one's result
/// has all dimensions of the input.
TwoSteps createTwoSteps(const Reduction &reduction,
                        llvm::ArrayRef<int64_t> sizes);

} // namespace tenon::fuse

#endif // TENON_PASSES_FUSE_TWOSTEPS_H
