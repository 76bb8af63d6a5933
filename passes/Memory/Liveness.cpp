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

SmallVector<int64_t> memory::momentsOf(func::FuncOp main) {
  SmallVector<int64_t> moments;
  std::optional<int64_t> wave;
  for (auto launch : main.getOps<kernel::LaunchOp>()) {
    std::optional<int64_t> own = launch.getWave();
    bool isSame = own && own == wave;
    moments.push_back(moments.empty() ? 0 : moments.back() + !isSame);
    wave = own;
  }
  return moments;
}

SmallVector<LiveBuffer> memory::computeLiveness(func::FuncOp main) {
  llvm::MapVector<Operation *, LiveBuffer> buffers;
  SmallVector<int64_t> moments = momentsOf(main);
  size_t launches = 0;
  // That of the launch behind an allocation.
  auto now = [&] {
    return launches < moments.size() ? moments[launches]
           : moments.empty()         ? 0
                                     : moments.back() + 1;
  };
  auto typical = graph::TypicalSizes::around(main);
  for (Operation &op : main.getOps()) {
    if (auto alloc = dyn_cast<AllocOp>(op))
      buffers.insert(
          {&op,
           {alloc,
            now(),
            now(),
            {},
            typical.of(kernel::bytesOf(alloc.getBuffer().getType()))}});
    auto launch = dyn_cast<kernel::LaunchOp>(op);
    if (!launch)
      continue;
    for (Value operand : launch->getOperands())
      if (auto alloc = dyn_cast_or_null<AllocOp>(storageOf(operand)))
        addUse(buffers.find(alloc)->second, launch, now());
    ++launches;
  }
  SmallVector<LiveBuffer> result;
  for (auto &entry : buffers)
    result.push_back(entry.second);
  return result;
}

void memory::countInLaunches(func::FuncOp main,
                             MutableArrayRef<LiveBuffer> buffers) {
  SmallVector<int64_t> begin, last; // of each moment
  for (auto [launch, moment] : llvm::enumerate(momentsOf(main))) {
    if (moment == int64_t(begin.size())) {
      begin.push_back(int64_t(launch));
      last.push_back(int64_t(launch));
    }
    last.back() = int64_t(launch);
  }
  int64_t end = last.empty() ? 0 : last.back() + 1;
  for (LiveBuffer &buffer : buffers) {
    bool isUsed = buffer.last < int64_t(last.size());
    buffer.first = isUsed ? begin[buffer.first] : end;
    buffer.last = isUsed ? last[buffer.last] : end;
  }
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
