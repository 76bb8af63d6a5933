//===- Table.cpp - products and convolutions ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Contraction/Contraction.h"

using namespace tenon::normalize;

void tenon::normalize::populateContractionLowerings(LoweringTable &table) {
  table.add("AffineGrid", lowerAffineGrid);
  table.add("CausalConvWithState", lowerCausalConvWithState);
  table.add("Conv", lowerConv);
  table.add("ConvTranspose", lowerConvTranspose);
  table.add("Einsum", lowerEinsum);
  table.add("Gemm", lowerGemm);
  table.add("MatMul", lowerMatMul);
}
