//===- Liveness.cpp - when buffers live -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Liveness.h"
#include "passes/Memory/Passes.h"

#include "dialects/Graph/TypicalSizes.h"
#include "dialects/Kernel/Buffers.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

Operation *memory::storageOf(Value buffer) {
  while (auto view = buffer.getDefiningOp<ViewOp>())
    buffer = view.getSource();
  return buffer.getDefiningOp();
}

static void addUse(LiveBuffer &buffer, kernel::LaunchOp launch, int64_t now) {
  buffer.last = now;
  // A launch that reads nothing clears a halo and stands for no node.
  if (buffer.node.empty() && !launch.getReads().empty())
    buffer.node = launch.getNodes().split(';').first;
}

SmallVector<LiveBuffer> memory::computeLiveness(func::FuncOp main) {
  llvm::MapVector<Operation *, LiveBuffer> buffers;
  int64_t now = 0;
  auto typical = graph::TypicalSizes::around(main);
  for (Operation &op : main.getOps()) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      buffers.insert(
          {&op,
           {alloc,
            now,
            now,
            {},
            typical.of(kernel::bytesOf(alloc.getBuffer().getType()))}});
    auto launch = dyn_cast<kernel::LaunchOp>(op);
    if (!launch)
      continue;
    for (Value operand : launch->getOperands())
      if (auto alloc = dyn_cast_or_null<AllocOp>(storageOf(operand)))
        addUse(buffers.find(alloc)->second, launch, now);
    ++now;
  }
  SmallVector<LiveBuffer> result;
  for (auto &entry : buffers)
    result.push_back(entry.second);
  return result;
}

static std::string nameOf(char kind, size_t index, StringRef node) {
  std::string name = kind + std::to_string(index);
  if (node.empty())
    return name;
  name += ':';
  for (char symbol : node.take_back(40))
    name += llvm::isAlnum(symbol) || StringRef("_-./").contains(symbol) ? symbol
                                                                        : '_';
  return name;
}

std::string memory::nodeName(size_t index, StringRef nodes) {
  return nameOf('n', index, nodes.split(';').first);
}

mem::Problem memory::problemOf(ArrayRef<LiveBuffer> buffers) {
  mem::Problem problem;
  for (auto [i, live] : llvm::enumerate(buffers)) {
    AllocOp alloc = live.alloc;
    mem::Buffer buffer;
    buffer.size = live.bytes;
    buffer.id = nameOf('b', i, live.node);
    buffer.lower = live.first;
    buffer.upper = live.last + 1;
    buffer.alignment = int64_t(alloc.getAlignment());
    problem.buffers.push_back(std::move(buffer));
  }
  return problem;
}

mem::Solution memory::solutionOf(func::FuncOp main,
                                 ArrayRef<LiveBuffer> buffers) {
  MemoryDialect::ArenaBytesAttrHelper bytesOf(main.getContext());
  mem::Solution solution;
  for (LiveBuffer buffer : buffers)
    solution.offsets.push_back(int64_t(buffer.alloc.getOffset().value_or(0)));
  solution.arenas = {bytesOf.getAttr(main).getInt()};
  return solution;
}
