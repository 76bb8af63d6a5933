//===- Contest.h - the fastest plan for a group -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how the plan of a group is chosen, on every device: by the
// times that strategies expect, or by those that were measured.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_CONTEST_H
#define TENON_PASSES_CODEGEN_CONTEST_H

#include "lib/Cost/MeasuredTimes.h"
#include "passes/Codegen/Device.h"

namespace tenon::codegen {

/// On a group and its launch, when plans are measured: what is computed and by
/// which plan, both as texts of the contest's.
inline constexpr llvm::StringLiteral triedAttr = "tenon.tried";

/// What was measured, and what is to be.
struct Measuring {
  cost::MeasuredTimes times;
  /// The plan to take, counted from the one that looks fastest; -1: the
  /// fastest.
  int64_t attempt = -1;

  bool isOn() const { return attempt >= 0 || times.size() > 0; }
};

/// Gathers what is offered for a group. Where times are measured, several plans
/// of a strategy compete, since their order may be another one.
class Contest {
public:
  /// Keeps references to its arguments.
  Contest(kernel::GroupOp group, const Device &device,
          const Measuring &measuring);

  kernel::GroupOp group() const { return contested; }
  /// Enters the offers of a strategy for `request.group`, which may be an
  /// instance of the group; fails where nothing could compute it.
  mlir::LogicalResult enter(const Strategy &strategy, PlanRequest request);
  void enter(llvm::StringRef name, StageChoice choice);

  bool isEmpty() const { return choices.empty(); }
  /// That of the fastest one so far.
  Time least() const;

  /// The fastest of those that were measured, else the one that looks fastest,
  /// of equal ones the first, with what each strategy offered; or the one to
  /// attempt, which the group then names (`triedAttr`). There must be one.
  StageChoice decide();

private:
  size_t fastest() const;
  size_t attempted();

  kernel::GroupOp contested;
  const Device &device;
  const Measuring &measuring;
  std::string work; ///< what is computed, as a name for `times`
  std::vector<StageChoice> choices;
  mlir::NamedAttrList costs;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_CONTEST_H
