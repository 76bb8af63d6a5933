//===- Table.cpp - normalisations -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lists the family's operators.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Normalization/Normalization.h"

using namespace tenon::normalize;

void tenon::normalize::populateNormalizationLowerings(LoweringTable &table) {
  table.add("BatchNormalization", lowerBatchNormalization);
  table.add("GroupNormalization", lowerGroupNormalization);
  table.add("InstanceNormalization", lowerInstanceNormalization);
  table.add("LayerNormalization", lowerLayerNormalization);
  table.add("LpNormalization", lowerLpNormalization);
  table.add("LRN", lowerLRN);
  table.add("MeanVarianceNormalization", lowerMeanVarianceNormalization);
  table.add("RMSNormalization", lowerRMSNormalization);
}
