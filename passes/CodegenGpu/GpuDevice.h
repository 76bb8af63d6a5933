//===- GpuDevice.h - a GPU, as passes see it --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_GPUDEVICE_H
#define TENON_PASSES_CODEGENGPU_GPUDEVICE_H

#include "lib/Tile/Gpu.h"
#include "mlir/IR/DialectRegistry.h"
#include "passes/Codegen/Device.h"

namespace tenon::gpu {

/// What no strategy of its own computes, its threads do by those of a
/// processor, each a tile.
class GpuDevice : public codegen::Device {
public:
  /// `threads` is a processor whose row is a thread of `target`.
  GpuDevice(const tile::GpuTarget &target, tile::Precision precision,
            std::unique_ptr<codegen::Device> threads)
      : gpu(target), given(precision), ofThreads(std::move(threads)) {}

  const tile::GpuTarget &target() const { return gpu; }
  tile::Precision precision() const { return given; }
  const codegen::Device &threads() const { return *ofThreads; }

  std::string name() const override;
  llvm::ArrayRef<const codegen::Strategy *> strategies() const override;
  const tile::Target &thread() const override { return ofThreads->thread(); }

  bool computes(kernel::GroupOp group) const override {
    return Device::computes(group) || ofThreads->computes(group);
  }
  mlir::LogicalResult enter(codegen::Contest &contest) const override;
  std::unique_ptr<codegen::KernelTable>
  kernels(mlir::ModuleOp module) const override;

  bool tilesStages() const override { return false; }
  bool mayShareKernel(kernel::GroupOp from, kernel::GroupOp to) const override;
  std::optional<codegen::KernelPrice>
  priceOf(kernel::GroupOp group) const override;
  /// A block has what its kernel asks for.
  std::optional<int64_t> scratchOf(kernel::GroupOp group) const override {
    return priceOf(group) ? std::optional<int64_t>(0) : std::nullopt;
  }

private:
  const tile::GpuTarget &gpu;
  tile::Precision given;
  std::unique_ptr<codegen::Device> ofThreads;
};

/// Adds the backend "gpu" to contexts; where a GPU is made, there must be one
/// named "cpu".
void registerGpu(mlir::DialectRegistry &registry);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_GPUDEVICE_H
