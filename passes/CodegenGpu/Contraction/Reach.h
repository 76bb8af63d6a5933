//===- Reach.h - what strategies of products share --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_REACH_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_REACH_H

#include "passes/CodegenGpu/Builder/BlockFunction.h"
#include "passes/CodegenGpu/Contraction/Product.h"

namespace tenon::gpu {

/// Whether 32-bit indices reach all of a buffer, or of all that a group has.
bool isReached(memory::BufferType type);
bool areReached(kernel::GroupOp group);

/// What buffer `index` of a planned group is to its product.
enum class ProductPart { Lhs, Rhs, Other };
mlir::FailureOr<ProductPart> partOf(kernel::GroupOp group, unsigned index);

/// A plan with what the kernel needs around it: constant columns one after the
/// other, in `element` where that is given (as graph.pack has it).
codegen::StagePlan stagePlanOf(kernel::GroupOp group,
                               const codegen::ContractionOperands &at,
                               kernel::PlanAttr plan, mlir::Type element = {});
codegen::StagePlan stagePlanOf(kernel::GroupOp group,
                               const codegen::ContractionOperands &at,
                               llvm::StringRef name,
                               const tile::GpuProductPlan &plan,
                               mlir::Type element = {});

/// All but packed constants is addressed by strides, in 32 bits.
bool canAddressProduct(kernel::GroupOp group, unsigned index,
                       memory::BufferType type);

/// A group as it is emitted.
struct ProductStage {
  Product product;
  codegen::Epilogue epilogue;
};

/// Writes a product that was read.
using EmitProduct =
    llvm::function_ref<mlir::FailureOr<StageInfo>(ProductStage)>;

/// Reads the group of a product, with `which` windows, and emits it.
mlir::FailureOr<StageInfo> emitProduct(const StageRequest &request,
                                       Windows which, EmitProduct emit);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_REACH_H
