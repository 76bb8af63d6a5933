//===- LiveBytes.h - bytes in use while nodes are launched ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_MEMORY_STREAMS_LIVEBYTES_H
#define TENON_LIB_MEMORY_STREAMS_LIVEBYTES_H

#include "lib/Memory/Streams/Program.h"

namespace tenon::mem {

/// Counts bytes as if each node were over when the next is launched: what a
/// schedule can know before it has events. Blocks (Blocks.h) count as a whole,
/// from the first node that writes into them to the last that uses them.
class LiveBytes {
public:
  explicit LiveBytes(const Program &program);

  /// What launching `node` next takes, less what it frees.
  int64_t change(unsigned node) const;
  /// What launching it takes before it frees anything.
  int64_t taken(unsigned node) const;
  void launch(unsigned node);
  int64_t now() const { return live; }

  /// The most bytes in use when all nodes are launched in that order.
  static int64_t peakOf(const Program &program, llvm::ArrayRef<unsigned> order);

private:
  struct Storage {
    int64_t bytes;
    bool begun, stays;
    unsigned usesLeft;
  };
  std::vector<Storage> storages;
  std::vector<std::vector<unsigned>> writes, uses; // storages of each node
  int64_t live = 0;
};

} // namespace tenon::mem

#endif // TENON_LIB_MEMORY_STREAMS_LIVEBYTES_H
