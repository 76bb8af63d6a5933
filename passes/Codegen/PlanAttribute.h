//===- PlanAttribute.h - plans as attributes and back -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns a plan of lib/Tile, whose numbers `visitFields` lists, into
// `#kernel.plan<name, {...}>` and back.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGEN_PLANATTRIBUTE_H
#define TENON_PASSES_CODEGEN_PLANATTRIBUTE_H

#include "dialects/Kernel/Kernel.h"
#include "mlir/IR/Builders.h"

namespace tenon::codegen {

/// `packed`: whether the kernel's weights are a constant packed at compile
/// time, where it may have some.
template <typename Plan>
kernel::PlanAttr toAttribute(mlir::MLIRContext *context, llvm::StringRef name,
                             const Plan &plan,
                             std::optional<bool> packed = std::nullopt) {
  mlir::Builder b(context);
  mlir::NamedAttrList params;
  visitFields(plan, [&](llvm::StringRef field, auto value) {
    params.append(field, b.getI64IntegerAttr(int64_t(value)));
  });
  if (packed)
    params.append("packed", b.getI64IntegerAttr(*packed));
  return kernel::PlanAttr::get(context, name, params.getDictionary(context));
}

/// Numbers that the attribute lacks stay at their defaults.
template <typename Plan> Plan fromAttribute(kernel::PlanAttr attribute) {
  Plan plan;
  visitFields(plan, [&](llvm::StringRef field, auto &value) {
    value =
        std::decay_t<decltype(value)>(attribute.getInt(field, int64_t(value)));
  });
  return plan;
}

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGEN_PLANATTRIBUTE_H
