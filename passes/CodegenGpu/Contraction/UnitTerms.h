//===- UnitTerms.h - products of fragments ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how warps multiply what they have in registers. Numbers of
// f32 are multiplied in two pieces of TF32.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_UNITTERMS_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_UNITTERMS_H

#include "passes/CodegenGpu/Builder/ThreadBuilder.h"

namespace tenon::gpu {

/// Words of one step of an operand in each of its pieces, most important first.
using Fragment = llvm::SmallVector<Values, 2>;

Fragment fragmentOf(ThreadBuilder &t, tile::Precision unit, Values words);

/// Adds the products of fragments of 16 rows and such of 16 columns to sums:
/// four of each 16 rows and 8 columns, those of a row beside each other.
void addProducts(ThreadBuilder &t, tile::Precision unit,
                 llvm::ArrayRef<Fragment> rows,
                 llvm::ArrayRef<Fragment> columns,
                 llvm::MutableArrayRef<Value> sums);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_UNITTERMS_H
