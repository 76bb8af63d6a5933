//===- ResizeLive.h - taps that are found in the run ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what takes the place of a table of taps (ResizeTaps.h)
// where the extents of a dimension come with the call: the same arithmetic, on
// registers.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MOVE_RESIZELIVE_H
#define TENON_PASSES_CODEGENCPU_MOVE_RESIZELIVE_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/VectorMath.h"

namespace tenon::codegen {

/// The taps of one dimension of a `graph.resize`.
class LiveTaps {
public:
  /// Both numbers in f64, one or a vector of them; indices are whole.
  struct Tap {
    Num index, weight;
  };

  LiveTaps(KernelBuilder &b, graph::ResizeOp op, size_t dim, const Size &in,
           const Size &out);

  /// Whether the number of taps is known.
  static bool canFind(graph::ResizeOp op);

  size_t count();
  /// Those of the result elements `i`, which are of f64.
  llvm::SmallVector<Tap> at(Num i);

private:
  Num coordinate(Num i);
  Num inside(Num index);
  Num nearest(Num x);
  Num kernelWeight(Num distance);
  llvm::SmallVector<Tap> interpolated(Num x);
  /// A number of the dimension in all lanes of `like`.
  Num all(Value number, Num like) {
    return Num(b, b.splat(number, like.type()));
  }

  KernelBuilder &b;
  graph::ResizeOp op;
  double shrink = 1;
  Value in, out, scale; ///< of f64
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MOVE_RESIZELIVE_H
