//===- Contest.h - which strategy computes a group --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the plan of a group is chosen: by the times that
// strategies expect, or by those that were measured.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTEST_H
#define TENON_PASSES_CODEGENGPU_CONTEST_H

#include "lib/Cost/MeasuredTimes.h"
#include "passes/CodegenGpu/Options.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// What was measured, and what is to be.
struct Measuring {
  cost::MeasuredTimes times;
  /// The plan to take, counted from the one that looks fastest; -1: the
  /// fastest.
  int64_t attempt = -1;

  bool isOn() const { return attempt >= 0 || times.size() > 0; }
};

/// Gathers what is offered for a group. Where times were measured, several
/// plans of a strategy compete, since their order may be another one.
class Contest {
public:
  Contest(kernel::GroupOp group, const Options &options,
          const Measuring &measuring);

  /// Asks all strategies of this folder.
  mlir::LogicalResult enterAll();

  void enter(llvm::StringRef strategy, StageChoice choice);

  /// Writes the chosen plan into the group, which must have been offered one:
  /// the fastest of those that were measured, else the one that looks fastest.
  void decide();

private:
  PlannedChoices choicesOf(const Strategy &strategy);
  size_t fastest() const;
  size_t attempted();

  kernel::GroupOp group;
  const Options &options;
  const Measuring &measuring;
  std::string work; ///< what is computed, as a name for `times`
  std::vector<StageChoice> choices;
  mlir::NamedAttrList costs;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTEST_H
