//===- VectorPolynomial.h - polynomials on registers ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENCPU_VECTORPOLYNOMIAL_H
#define TENON_PASSES_CODEGENCPU_VECTORPOLYNOMIAL_H

#include "passes/CodegenCpu/VectorMath.h"

namespace tenon::codegen {

/// Horner's rule; the highest coefficient comes first.
Num polynomial(Num x, llvm::ArrayRef<double> coefficients);

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_VECTORPOLYNOMIAL_H
