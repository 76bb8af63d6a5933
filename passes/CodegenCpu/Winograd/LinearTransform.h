//===- LinearTransform.h - a constant matrix times vectors ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_WINOGRAD_LINEARTRANSFORM_H
#define TENON_PASSES_CODEGENCPU_WINOGRAD_LINEARTRANSFORM_H

#include "lib/Pack/WinogradMatrices.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// `result[i] = sum over j of matrix[i][j] * inputs[j]`, on registers.
///
/// Columns that are equal up to signs are added and subtracted first, rows that
/// are equal up to signs share their two halves:
///   y1 = a x1 + b x2    s = b x2, d = a x1
///   y2 = b x2 - a x1    y1 = s + d, y2 = s - d
Values applyMatrix(KernelBuilder &b, const tile::Matrix &matrix,
                   ValueRange inputs);

/// `matrix * inputs * transposed(matrix)` for a square of inputs, row-major.
Values applyToSquare(KernelBuilder &b, const tile::Matrix &matrix,
                     ValueRange inputs);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_WINOGRAD_LINEARTRANSFORM_H
