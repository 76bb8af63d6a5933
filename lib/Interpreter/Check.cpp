//===- Check.cpp - expectations of test programs --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file executes the operations of the check dialect.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Check.h"

#include "lib/Interpreter/Call.h"

#include "dialects/Check/Check.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

/// "element [1, 2] is 3 but 4 is expected".
template <typename W>
static std::string describe(Shape shape, int64_t position, W actual,
                            W expected) {
  std::string text;
  llvm::raw_string_ostream os(text);
  SmallVector<int64_t> index;
  for (int64_t step : stridesOf(shape)) {
    index.push_back(position / step);
    position %= step;
  }
  os << "element [";
  llvm::interleaveComma(index, os);
  os << "] is ";
  if constexpr (std::is_same_v<W, double>)
    os << llvm::format("%.9g", actual) << " but "
       << llvm::format("%.9g", expected);
  else
    os << actual << " but " << expected;
  os << " is expected";
  return text;
}

template <typename W>
static bool isClose(W actual, W expected, double rtol, double atol) {
  if constexpr (std::is_same_v<W, double>) {
    if (std::isnan(actual) || std::isnan(expected))
      return std::isnan(actual) && std::isnan(expected);
    if (std::isinf(actual) || std::isinf(expected))
      return actual == expected;
  }
  if (actual == expected)
    return true;
  double difference = double(actual) - double(expected);
  return std::fabs(difference) <= atol + rtol * std::fabs(double(expected));
}

/// Strings are equal or not.
static LogicalResult compareStrings(const Strings &actual,
                                    const Strings &expected,
                                    std::string &reason) {
  for (auto [position, texts] :
       llvm::enumerate(llvm::zip(actual.elements(), expected.elements()))) {
    auto [left, right] = texts;
    if (left == right)
      continue;
    reason = describe(actual.getType().getShape(), position, "'" + left + "'",
                      "'" + right + "'");
    return failure();
  }
  return success();
}

static LogicalResult compareNumbers(const Tensor &actual,
                                    const Tensor &expected, double rtol,
                                    double atol, std::string &reason) {
  return withNumbersOf(actual.getElementType(), [&](auto kind) {
    using W = decltype(kind);
    std::vector<W> left = loadAll<W>(actual), right = loadAll<W>(expected);
    for (size_t i = 0; i < left.size(); ++i)
      if (!isClose(left[i], right[i], rtol, atol)) {
        reason = describe(actual.getShape(), i, left[i], right[i]);
        return failure();
      }
    return success();
  });
}

LogicalResult tenon::interp::runCheck(Operation *op, ArrayRef<Datum> operands,
                                      std::string &reason) {
  double rtol = 0, atol = 0;
  if (auto close = dyn_cast<check::ExpectCloseOp>(op)) {
    rtol = close.getRtol().convertToDouble();
    atol = close.getAtol().convertToDouble();
  }
  const Datum &actual = operands[0], &expected = operands[1];
  if (!actual.arrayType() || !expected.arrayType() ||
      actual.getShape() != expected.getShape()) {
    reason = "the two tensors differ in shape";
    return failure();
  }
  if (actual.strings() && expected.strings())
    return compareStrings(*actual.strings(), *expected.strings(), reason);
  return compareNumbers(*actual.tensor(), *expected.tensor(), rtol, atol,
                        reason);
}
