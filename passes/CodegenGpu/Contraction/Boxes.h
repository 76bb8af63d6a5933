//===- Boxes.h - products whose operands are copied by boxes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how both operands of a product are seen as tensors of
// which a copy takes a box (#kernel.map): a tap of a convolution moves the box,
// and what of it lies outside of the input is zero.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_BOXES_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_BOXES_H

#include "lib/Tile/GpuWarpgroups.h"
#include "passes/CodegenGpu/Contraction/Product.h"

namespace tenon::gpu {

/// What addresses and strides of maps are multiples of.
inline constexpr int64_t mapBytes = 16;

/// A dimension of rows of A, as the map sees it.
struct BoxDim {
  int64_t extent;   ///< of the input
  int64_t stride;   ///< in elements
  int64_t step = 1; ///< elements between rows
  int64_t pad = 0;
  int64_t taps = 1, dilation = 1;
};

/// Both operands by boxes.
struct Boxes {
  tile::BoxProduct problem;
  llvm::SmallVector<BoxDim, 3> rows; ///< outer to inner
  int64_t columnStride = 0;          ///< of B
  int64_t lhsBatch = 0, rhsBatch = 0;
};

/// The product as boxes; none where maps cannot address an operand: runs of k
/// do not lie together in both, or are no multiples of 16 bytes apart.
std::optional<Boxes> boxesOf(const Product &product, tile::Precision precision);

/// The maps of A and B for tiles as planned.
mlir::ArrayAttr mapsOf(const Product &product, const Boxes &boxes,
                       const tile::GpuProductPlan &plan,
                       mlir::MLIRContext *context);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_BOXES_H
