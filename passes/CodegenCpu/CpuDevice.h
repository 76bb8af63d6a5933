//===- CpuDevice.h - a CPU, as fusion sees it -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_CPUDEVICE_H
#define TENON_PASSES_CODEGENCPU_CPUDEVICE_H

#include "passes/CodegenCpu/Strategy.h"
#include "passes/Fuse/Device.h"

namespace tenon::codegen {

/// Asks the planners of kernels. They print nothing meanwhile.
class CpuDevice : public fuse::Device {
public:
  CpuDevice(tile::Target target, Arithmetic arithmetic)
      : row(target), arithmetic(arithmetic) {}

  const tile::Target &target() const override { return row; }
  std::optional<int64_t> scratchOf(kernel::GroupOp group) override;
  std::optional<double> cyclesAlone(kernel::GroupOp group) override;
  std::optional<double> leastCycles(kernel::GroupOp group) override;
  std::optional<fuse::BoxCost>
  costOnBox(kernel::StageOp stage,
            const kernel::StageFootprint &boxes) override;
  int64_t localBytes(kernel::GroupOp group,
                     llvm::ArrayRef<kernel::StageFootprint> boxes) override;

private:
  std::optional<StagePlan> planOf(kernel::GroupOp group,
                                  const Arithmetic &allowed);
  double cyclesOf(kernel::GroupOp group, const StagePlan &plan) const;

  tile::Target row;
  Arithmetic arithmetic;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CPUDEVICE_H
