//===- WindowGeometry.h - windows and the zeros around their input *- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the geometry that convolutions and pools share, and the
// zero halo by which a convolution's padding needs no border tests.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_GROUPS_WINDOWGEOMETRY_H
#define TENON_PASSES_CODEGEN_GROUPS_WINDOWGEOMETRY_H

#include "dialects/Graph/Size.h"
#include "passes/Codegen/Strategy.h"

namespace tenon::codegen {

/// Windows over the spatial dimensions of an nhwc tensor: output `o` covers
/// the inputs `o * stride - padBefore + k * dilation`.
struct WindowGeometry {
  llvm::SmallVector<Size, 3> input, output;
  llvm::SmallVector<int64_t, 3> kernel, strides, dilations, padsBefore,
      padsAfter;

  /// Inputs that the windows touch beyond the end; of a number that only the
  /// run knows, as many as they ever do.
  int64_t overhang(size_t dim) const;
  /// Windows that touch the same along the last dimension and nothing outside
  /// along the others: what a kernel reads that clips those.
  WindowGeometry alongRows() const;
  /// Whether each extent of the result is known, or what follows from the
  /// input's by rounding down.
  bool isRegular() const;
  /// The same, or by rounding up as long as the last window starts inside.
  bool isRegularOrCeil() const;
};

/// The geometry of a `graph.conv`, `graph.max_pool` or `graph.avg_pool`; fails
/// with a diagnostic unless its layout is nhwc.
mlir::FailureOr<WindowGeometry> windowGeometry(mlir::Operation *op);

/// The halo that `geometry` wants around its input `[N, spatial..., C]`.
StagePlan::Halo wantedHalo(const WindowGeometry &geometry);

/// A dense buffer with that halo around the tensor.
memory::BufferType bufferWithHalo(mlir::RankedTensorType tensor,
                                  const StagePlan::Halo &halo);

/// Fails with a diagnostic when windows would touch something else than the
/// tensor and its free surroundings in `input`.
mlir::LogicalResult checkHalo(mlir::Operation *op,
                              const WindowGeometry &geometry,
                              memory::BufferType input);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_GROUPS_WINDOWGEOMETRY_H
