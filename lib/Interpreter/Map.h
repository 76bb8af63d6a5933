//===- Map.h - one function over all elements -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the loop that all element-wise operations share.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_INTERPRETER_MAP_H
#define TENON_LIB_INTERPRETER_MAP_H

#include "lib/Interpreter/Call.h"

#include <array>

namespace tenon::interp {

/// result[i] = f(operands[i]...), operands broadcast to the result. Operands
/// from `kFirst` on are read as numbers of kind `In`, results stored from
/// `Out`.
template <typename In, typename Out, size_t kOperands, size_t kFirst,
          typename F>
void mapRuns(Call &call, F f) {
  Tensor &result = call.result();
  llvm::SmallVector<Strides> strides;
  for (size_t k = 0; k < kOperands; ++k)
    strides.push_back(broadcastStrides(call.operands[kFirst + k].getShape(),
                                       result.getRank()));
  std::array<std::array<In, kMaxRun>, kOperands> in;
  std::array<Out, kMaxRun> out;
  forEachRun(result.getShape(), strides, [&](const Run &run) {
    for (size_t k = 0; k < kOperands; ++k)
      load<In>(call.operands[kFirst + k], run.offsets[k], run.strides[k],
               {in[k].data(), size_t(run.size)});
    for (int64_t i = 0; i < run.size; ++i)
      if constexpr (kOperands == 1)
        out[i] = f(in[0][i]);
      else
        out[i] = f(in[0][i], in[1][i]);
    store<Out>(result, run.first, {out.data(), size_t(run.size)});
  });
}

template <typename In, typename Out, typename F>
mlir::LogicalResult mapUnary(Call &call, F f) {
  mapRuns<In, Out, 1, 0>(call, f);
  return mlir::success();
}

template <typename In, typename Out, typename F>
mlir::LogicalResult mapBinary(Call &call, F f) {
  mapRuns<In, Out, 2, 0>(call, f);
  return mlir::success();
}

/// `f` on each element as a number of its own kind.
template <typename F> mlir::LogicalResult mapNumber(Call &call, F f) {
  return withNumbersOf(call.operands[0].getElementType(), [&](auto kind) {
    using W = decltype(kind);
    return mapUnary<W, W>(call, f);
  });
}

/// `f` on pairs of elements as numbers of the first operand's kind.
template <typename F> mlir::LogicalResult mapNumbers(Call &call, F f) {
  return withNumbersOf(call.operands[0].getElementType(), [&](auto kind) {
    using W = decltype(kind);
    return mapBinary<W, W>(call, f);
  });
}

} // namespace tenon::interp

#endif // TENON_LIB_INTERPRETER_MAP_H
