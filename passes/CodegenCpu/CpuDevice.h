//===- CpuDevice.h - a CPU, as fusion sees it -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CPUDEVICE_H
#define TENON_PASSES_CODEGENCPU_CPUDEVICE_H

#include "mlir/IR/DialectRegistry.h"
#include "passes/Codegen/Device.h"

namespace tenon::codegen {

/// Asks the planners of kernels. They print nothing where fusion asks.
class CpuDevice : public Device {
public:
  CpuDevice(tile::Target target, Arithmetic arithmetic)
      : row(target), arithmetic(arithmetic) {}

  std::string name() const override { return row.name.str(); }
  llvm::ArrayRef<const Strategy *> strategies() const override;
  const tile::Target &thread() const override { return row; }

  mlir::LogicalResult enter(Contest &contest) const override;
  std::unique_ptr<KernelTable> kernels(mlir::ModuleOp module) const override;

  bool tilesStages() const override { return true; }
  std::optional<int64_t> scratchOf(kernel::GroupOp group) const override;
  std::optional<Time> timeAlone(kernel::GroupOp group) const override;
  std::optional<Time> leastTime(kernel::GroupOp group) const override;
  std::optional<BoxCost>
  costOnBox(kernel::StageOp stage,
            const kernel::StageFootprint &boxes) const override;
  int64_t
  localBytes(kernel::GroupOp group,
             llvm::ArrayRef<kernel::StageFootprint> boxes) const override;

private:
  std::optional<StagePlan> planOf(kernel::GroupOp group,
                                  const Arithmetic &allowed) const;
  Time timeOf(kernel::GroupOp group, const StagePlan &plan) const;

  tile::Target row;
  Arithmetic arithmetic;
};

/// Adds the backend "cpu" to contexts.
void registerCpu(mlir::DialectRegistry &registry);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CPUDEVICE_H
