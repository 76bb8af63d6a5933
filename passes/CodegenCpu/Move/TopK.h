//===- TopK.h - elements in order, and a heap of them -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a kernel of graph.top_k is made of.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_MOVE_TOPK_H
#define TENON_PASSES_CODEGENCPU_MOVE_TOPK_H

#include "dialects/Graph/Graph.h"
#include "passes/Codegen/Builder/KernelBuilder.h"

namespace tenon::codegen {

/// Elements as signed integers that grow with how good they are. An entry is
/// such a key with the index of its element: no two are alike. Keys of 32 bits
/// share one i64 with the index, those of 64 bits have a second one beside
/// them.
class TopKKeys {
public:
  TopKKeys(KernelBuilder &b, graph::TopKOp op)
      : b(b), type(op.getInput().getType().getElementType()),
        largest(op.getLargest()) {}

  mlir::Type element() const { return type; }
  bool isWide() const;
  int64_t lanes() const;
  /// The entry of an element.
  Values entry(Value x, Value index);
  Value indexOf(ValueRange entry);
  /// Whether `x` comes before `y`.
  Value before(ValueRange x, ValueRange y);
  /// False in lanes of elements that do not come before `bar` (half floats
  /// widened), which stands in front of them; true elsewhere, and maybe for
  /// NaN.
  Value mayBeat(Value elements, Value bar);

private:
  Value key(Value x);
  Value floatKey(Value x);

  KernelBuilder &b;
  mlir::Type type;
  bool largest;
};

/// A heap of entries in an array, the worst at the root. A node has four
/// children, which lie in one or two lines: half as many steps down.
class TopKHeap {
public:
  TopKHeap(KernelBuilder &b, TopKKeys &keys) : b(b), keys(keys) {}

  /// `first` holds wide keys; `second` the indices, or keys with indices.
  void place(Value first, Value second) {
    wideKeys = first;
    words = second;
  }
  Values load(Value slot);
  void store(Value slot, ValueRange entry);
  /// Puts `entry` into the heap of the first `size` slots, the one at `slot`
  /// or below it.
  void sink(Value slot, Value size, ValueRange entry);
  /// Makes a heap of `size` entries, and the best come first.
  void build(int64_t size);
  void sort(int64_t size);

private:
  static constexpr int64_t arity = 4;

  Values worstChild(Value first, Value last);

  KernelBuilder &b;
  TopKKeys &keys;
  Value wideKeys, words;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_MOVE_TOPK_H
