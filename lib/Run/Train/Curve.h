//===- Curve.h - losses as a table and a picture ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_RUN_TRAIN_CURVE_H
#define TENON_RUN_TRAIN_CURVE_H

#include "lib/Support/Result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tenon::run {

/// What one step showed.
struct CurvePoint {
  int64_t step = 0; ///< from 1 on
  double loss = 0;
  double rate = 0;
  std::optional<double> evaluated; ///< the loss behind it of other data
};

/// Writes a table, or a picture where the path ends in `.svg`.
Status writeCurve(const std::string &path,
                  const std::vector<CurvePoint> &points);

} // namespace tenon::run

#endif // TENON_RUN_TRAIN_CURVE_H
