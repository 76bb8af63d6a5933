//===- ReduceBeside.cpp - sums beside what they are of --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Fuse/ReduceBeside.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Kernel/Facts.h"
#include "passes/Fuse/Atoms.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::fuse;

/// Of what a reduction takes, this part must be gained: prices of the kernel
/// with and without it may be wrong by the rest.
static constexpr double leastGain = 0.25;

//===-- Blocks ------------------------------------------------------------===//

/// The largest divisor of `extent` up to `size`.
static int64_t divisorOf(int64_t extent, int64_t size) {
  while (extent % size != 0)
    --size;
  return size;
}

/// What the tiles of a kernel have of the dimensions that are reduced, if they
/// cut any; else rows.
static SmallVector<SmallVector<int64_t>> blocksFor(const Kernel &kernel,
                                                   const Reduction &reduction) {
  ArrayRef<int64_t> shape = reduction.shape();
  SmallVector<int64_t> whole(
      shape.slice(reduction.begin, reduction.end - reduction.begin));
  SmallVector<int64_t> tile(whole);
  if (kernel.price.tile)
    for (auto [dim, size] : llvm::zip_equal(kernel.price.tile.getDims(),
                                            kernel.price.tile.getSizes()))
      if (size_t(dim) >= reduction.begin && size_t(dim) < reduction.end)
        tile[dim - reduction.begin] = divisorOf(shape[dim], size);
  if (tile != whole)
    return {tile};
  SmallVector<SmallVector<int64_t>> blocks;
  for (int64_t rows : {1, 2, 4, 7, 8, 14, 16, 28, 32})
    if (rows < whole.front() && whole.front() % rows == 0) {
      tile.front() = rows;
      blocks.push_back(tile);
    }
  return blocks;
}

//===-- Trials ------------------------------------------------------------===//

/// Those of the input that are the reduction's own.
static SmallVector<Operation *, 0> readersOf(const Reduction &reduction) {
  Operation *first = kernel::GroupOp(reduction.groups.front());
  auto view = first->getOperand(0).getDefiningOp<graph::ReshapeOp>();
  return {view && view->hasOneUse() ? view : first};
}

static Members with(Members members, kernel::GroupOp last) {
  members.groups.push_back(last);
  members.clones.push_back(false);
  return members;
}

static Members without(Members members, const Reduction &reduction) {
  members.leaving = readersOf(reduction);
  return members;
}

namespace {
/// A kernel with a reduction's first step as its last stage, while it lives.
class Trial {
public:
  Trial(const Kernel &kernel, const Split &split, const codegen::Device &device)
      : steps(createTwoSteps(split.reduction, split.blocks)),
        staged(createStaged(
            with(without(kernel.members, split.reduction), steps.blocks),
            device)) {}
  Trial(const Trial &) = delete;
  ~Trial() {
    staged.erase();
    steps.whole.erase();
    steps.blocks.erase();
  }

  /// One block in each tile; none if tiles are of other results, too.
  std::optional<std::vector<int64_t>> tile(const Reduction &reduction) {
    auto results = staged.getBlock().getTerminator()->getOperands();
    auto isLast = [](Value result) { return result.hasOneUse(); };
    if (llvm::count_if(results, isLast) != 1)
      return std::nullopt;
    auto type = cast<RankedTensorType>(steps.blocks.getResult(0).getType());
    std::vector<int64_t> sizes(type.getShape());
    std::fill_n(sizes.begin(), reduction.end, 1);
    return sizes;
  }

  TwoSteps steps;
  kernel::GroupOp staged;
};
} // namespace

//===-- Choosing ----------------------------------------------------------===//

/// Prices a kernel with blocks of sums; whether there is one.
bool ReduceBeside::price(const Kernel &kernel, Split &split) {
  Trial trial(kernel, split, device);
  auto tile = trial.tile(split.reduction);
  auto price = tile ? pricer.staged(trial.staged, *tile) : std::nullopt;
  auto whole = pricer.alone(trial.steps.whole);
  if (!price || !whole)
    return false;
  split.price = *price;
  split.whole = *whole;
  return true;
}

bool ReduceBeside::isSound(const Kernel &kernel, const Split &split) {
  Trial trial(kernel, split, device);
  trial.staged.setTileAttr(split.price.tile);
  return checker.accepts(trial.staged) &&
         device.scratchOf(trial.staged).has_value();
}

/// The best blocks for a reduction that takes so long apart.
std::optional<Split> ReduceBeside::best(const Kernel &kernel, Split split,
                                        Time apart) {
  std::optional<Split> best;
  Time least = kernel.price.time + apart * (1 - leastGain);
  for (auto &blocks : blocksFor(kernel, split.reduction)) {
    split.blocks = std::move(blocks);
    if (!price(kernel, split))
      continue;
    Time time = split.price.time + split.whole.time;
    if (time >= least)
      continue;
    least = time;
    best = split;
  }
  return best && isSound(kernel, *best) ? best : std::nullopt;
}

/// The number of the kernel that each group is there for.
static llvm::DenseMap<Operation *, size_t> kernelsOf(const Kernels &kernels) {
  llvm::DenseMap<Operation *, size_t> numbers;
  for (auto [number, kernel] : llvm::enumerate(kernels))
    for (auto [group, isClone] :
         llvm::zip_equal(kernel.members.groups, kernel.members.clones))
      if (!isClone)
        numbers[group] = number;
  return numbers;
}

std::optional<Split>
ReduceBeside::splitAt(kernel::GroupOp last, const Kernels &kernels,
                      const llvm::DenseMap<Operation *, size_t> &numbers) {
  std::optional<Reduction> reduction = reductionIn(last);
  auto producer =
      reduction ? reduction->input.getDefiningOp<kernel::GroupOp>() : nullptr;
  if (!producer || !canBeStage(producer) || !numbers.contains(producer))
    return std::nullopt;
  Split split{std::move(*reduction), numbers.lookup(producer)};
  Time apart;
  for (kernel::GroupOp group : split.reduction.groups) {
    split.replaced.push_back(numbers.lookup(group));
    const Kernel &own = kernels[split.replaced.back()];
    if (own.members.groups.size() > 1)
      return std::nullopt;
    apart += own.price.time;
  }
  return best(kernels[split.kernel], std::move(split), apart);
}

std::vector<Split> ReduceBeside::choose(const Kernels &kernels) {
  llvm::DenseMap<Operation *, size_t> numbers = kernelsOf(kernels);
  llvm::DenseSet<size_t> changed;
  std::vector<Split> splits;
  for (const Kernel &kernel : kernels) {
    auto split = splitAt(kernel.members.groups.back(), kernels, numbers);
    auto isChanged = [&](size_t number) { return changed.contains(number); };
    if (!split || isChanged(split->kernel) ||
        llvm::any_of(split->replaced, isChanged))
      continue;
    changed.insert(split->kernel);
    changed.insert(split->replaced.begin(), split->replaced.end());
    splits.push_back(std::move(*split));
  }
  return splits;
}

//===-- Changing ----------------------------------------------------------===//

/// What the second step leaves, in place of the reduction's result.
static void replace(Reduction reduction, kernel::GroupOp whole) {
  Value result = whole.getResult(0);
  if (result.getType() != reduction.result().getType()) {
    OpBuilder b(whole->getBlock()->getTerminator());
    result = graph::ReshapeOp::create(b, whole.getLoc(),
                                      reduction.result().getType(), result);
  }
  reduction.result().replaceAllUsesWith(result);
  for (kernel::GroupOp group : llvm::reverse(reduction.groups)) {
    auto view = group.getOperand(0).getDefiningOp<graph::ReshapeOp>();
    group.erase();
    if (view && view->use_empty())
      view.erase();
  }
}

void ReduceBeside::apply(ArrayRef<Split> splits, Kernels &kernels) {
  for (const Split &split : splits) {
    TwoSteps steps = createTwoSteps(split.reduction, split.blocks);
    for (kernel::GroupOp group : {steps.blocks, steps.whole})
      kernel::setFacts(group, kernel::measure(group));
    Kernel &kernel = kernels[split.kernel];
    kernel.members = with(std::move(kernel.members), steps.blocks);
    kernel.price = split.price;
    for (size_t replaced : split.replaced)
      kernels[replaced] = {};
    replace(split.reduction, steps.whole);
    kernels.push_back({{{steps.whole}, {false}}, split.whole});
  }
  llvm::erase_if(kernels, [](const Kernel &kernel) {
    return kernel.members.groups.empty();
  });
}
