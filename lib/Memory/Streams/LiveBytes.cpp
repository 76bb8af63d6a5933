//===- LiveBytes.cpp - bytes in use while nodes are launched --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Streams/LiveBytes.h"
#include "lib/Memory/Blocks.h"
#include "lib/Memory/Streams/Clocks.h"
#include "lib/Support/SortUnique.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace tenon;
using namespace tenon::mem;

LiveBytes::LiveBytes(const Program &program)
    : writes(program.nodes.size()), uses(program.nodes.size()) {
  Blocks blocks = llvm::cantFail(buildBlocks(problemOf(program)));
  for (const Block &block : blocks.blocks)
    storages.push_back({block.size, false, false, 0});
  for (unsigned t = 0; t < program.tensors.size(); ++t) {
    const Tensor &tensor = program.tensors[t];
    unsigned storage = blocks.blockOf[t];
    storages[storage].stays |= tensor.lifelong || tensor.output;
    storages[storage].begun |= tensor.lifelong || !tensor.producer;
    for (unsigned writer : program.producersOf(t))
      writes[writer].push_back(storage);
    for (unsigned use : program.usesOf(t))
      uses[use].push_back(storage);
  }
  for (std::vector<unsigned> &of : writes)
    sortUnique(of);
  for (std::vector<unsigned> &of : uses) {
    sortUnique(of);
    for (unsigned storage : of)
      ++storages[storage].usesLeft;
  }
  for (const Storage &storage : storages)
    live += storage.begun ? storage.bytes : 0;
}

int64_t LiveBytes::taken(unsigned node) const {
  int64_t bytes = 0;
  for (unsigned storage : writes[node])
    bytes += storages[storage].begun ? 0 : storages[storage].bytes;
  return bytes;
}

int64_t LiveBytes::change(unsigned node) const {
  int64_t bytes = taken(node);
  for (unsigned storage : uses[node])
    if (storages[storage].usesLeft == 1 && !storages[storage].stays)
      bytes -= storages[storage].bytes;
  return bytes;
}

void LiveBytes::launch(unsigned node) {
  live += change(node);
  for (unsigned storage : writes[node])
    storages[storage].begun = true;
  for (unsigned storage : uses[node])
    --storages[storage].usesLeft;
}

int64_t LiveBytes::peakOf(const Program &program,
                          llvm::ArrayRef<unsigned> order) {
  LiveBytes bytes(program);
  int64_t most = bytes.now();
  for (unsigned node : order) {
    most = std::max(most, bytes.now() + bytes.taken(node));
    bytes.launch(node);
  }
  return most;
}
