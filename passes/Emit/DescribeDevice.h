//===- DescribeDevice.h - launches on a device ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_DESCRIBEDEVICE_H
#define TENON_PASSES_EMIT_DESCRIBEDEVICE_H

#include "dialects/Kernel/Kernel.h"
#include "lib/Target/Artifact/Artifact.h"
#include "lib/Target/Cuda/Cuda.h"

namespace tenon::emit {

/// A variant for a device, without launches and code.
artifact::VariantDesc deviceVariant(const tile::GpuTarget &target,
                                    tile::Precision precision);

/// Adds what a launch says of the variant's device, which is nothing for a
/// processor. Fails with a diagnostic on a launch that is not for the variant.
mlir::LogicalResult describeDevice(kernel::LaunchOp launch,
                                   artifact::VariantDesc &variant);

/// Says where the kernels of a variant are, in an image of its modules.
void placeKernels(const cuda::CompiledKernels &kernels,
                  const cuda::Image &image, artifact::VariantDesc &variant);

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_DESCRIBEDEVICE_H
