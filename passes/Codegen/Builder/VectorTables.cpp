//===- VectorTables.cpp - tables in registers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/VectorPolynomial.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include <cmath>
#include <numbers>

using namespace mlir;
using namespace tenon::codegen;

SmallVector<double>
tenon::codegen::interpolate(llvm::function_ref<double(double)> f, double low,
                            double high, size_t count) {
  SmallVector<double> nodes, differences;
  for (size_t k = 0; k < count; ++k) {
    double place =
        std::cos(std::numbers::pi * (double(k) + 0.5) / double(count));
    nodes.push_back((low + high) / 2 + (high - low) / 2 * place);
    differences.push_back(f(nodes.back()));
  }
  for (size_t j = 1; j < count; ++j)
    for (size_t k = count - 1; k >= j; --k)
      differences[k] =
          (differences[k] - differences[k - 1]) / (nodes[k] - nodes[k - j]);
  SmallVector<double> terms(count);
  for (size_t k = count; k-- > 0;) {
    for (size_t j = count - 1; j > 0; --j)
      terms[j] = terms[j - 1] - nodes[k] * terms[j];
    terms[0] = differences[k] - nodes[k] * terms[0];
  }
  return terms;
}

Value tenon::codegen::tableOf(Num x, ArrayRef<float> entries) {
  KernelBuilder &b = x.b();
  return arith::ConstantOp::create(
      b.builder(), b.loc(),
      DenseElementsAttr::get(cast<VectorType>(x.type()), entries));
}

Num tenon::codegen::lookUp(Num x, Value table, Value index) {
  KernelBuilder &b = x.b();
  StringRef name = x.lanes() == 8 ? "llvm.x86.avx2.permps"
                                  : "llvm.x86.avx512.permvar.sf.512";
  auto call = LLVM::CallIntrinsicOp::create(b.builder(), b.loc(), x.type(),
                                            b.builder().getStringAttr(name),
                                            ValueRange{table, index});
  return x.with(call.getResult(0));
}

bool tenon::codegen::hasTables(Num x) {
  int64_t lanes = x.lanes();
  return !x.isDouble() && (lanes == 8 || lanes == 16) &&
         x.b().target().vectorBytes >= lanes * int64_t(sizeof(float));
}
