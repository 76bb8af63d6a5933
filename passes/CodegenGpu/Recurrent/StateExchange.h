//===- StateExchange.h - how blocks tell each other states ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_CODEGENGPU_RECURRENT_STATEEXCHANGE_H
#define TENON_PASSES_CODEGENGPU_RECURRENT_STATEEXCHANGE_H

#include "passes/CodegenGpu/Builder/ThreadBuilder.h"

namespace tenon::gpu {

/// `count` numbers that all blocks of a chain need of each other, again and
/// again: exchange 1, 2, ... A number travels as one word of 64 bits, with that
/// of its exchange above it: who sees the word sees both, so readers poll the
/// data itself, and nothing needs a fence. Words lie in two slots in turn: a
/// block that publishes exchange `n + 2` has seen all of `n + 1`, which each
/// block publishes after it has read `n`.
///
/// The words must be zero at first.
class StateExchange {
public:
  StateExchange(ThreadBuilder &t, Value words, int64_t count)
      : t(t), words(words), count(count) {}

  /// Tells all blocks number `index` of an exchange.
  void publish(Value number, Value exchange, Value index);
  /// Waits for all numbers of an exchange; `threads` threads take them by
  /// turns. Some may be taken twice.
  void receive(Value exchange, Value thread, int64_t threads,
               llvm::function_ref<void(Value index, Value number)> take);

private:
  Value slotOf(Value exchange);
  Values poll(Value exchange, llvm::ArrayRef<Value> places);

  ThreadBuilder &t;
  Value words;
  int64_t count;
};

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_RECURRENT_STATEEXCHANGE_H
