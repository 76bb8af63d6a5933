//===- SliceWays.cpp - a program as a problem of slices -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of an operation is known by its location: its number among the
// items stands there while copies of the program are fused.
//===----------------------------------------------------------------------===//
#include "passes/Batch/SliceWays.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Facts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::batch;

/// Ranges may meet where no more values than this live.
static constexpr size_t mostBetween = 2;
/// So many places, at most: ranges are as many as pairs of them.
static constexpr size_t mostCuts = 256;
/// Slices of a range, at most: each is as many launches.
static constexpr int64_t mostSlices = 32;

//===-- Items -------------------------------------------------------------===//

static bool isReturn(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>();
}

static int64_t bytesOf(Value value) {
  return graph::tensorBytes(value.getType()).value_or(0);
}

namespace {
/// Where each item is, and the last one that reads what it makes.
class Places {
public:
  explicit Places(const Items &items) {
    for (auto [number, item] : llvm::enumerate(items))
      numbers[item] = unsigned(number);
  }

  /// None of a result of the program that nothing else reads.
  std::optional<unsigned> lastReader(Value value) const {
    std::optional<unsigned> last;
    for (Operation *user : value.getUsers())
      if (!isReturn(user))
        last = std::max(last.value_or(0), numbers.lookup(user));
    return last;
  }

private:
  DenseMap<Operation *, unsigned> numbers;
};

/// What lives between an item and the one before.
struct Between {
  size_t values = 0;
  int64_t bytes = 0;
};
} // namespace

static std::vector<Between> betweenItems(const Items &items) {
  std::vector<Between> between(items.size() + 1);
  Places places(items);
  for (auto [number, item] : llvm::enumerate(items))
    for (Value result : item->getResults()) {
      std::optional<unsigned> last = places.lastReader(result);
      for (unsigned at = unsigned(number) + 1; last && at <= *last; ++at) {
        ++between[at].values;
        between[at].bytes += bytesOf(result);
      }
    }
  return between;
}

int64_t batch::bytesAtOnce(const Items &items, const Images &images) {
  std::vector<Between> between = betweenItems(items);
  int64_t most = 0;
  for (size_t at = 1; at < items.size(); ++at)
    if (images.splits(items[at - 1]) && images.splits(items[at]))
      most = std::max(most, between[at].bytes);
  return most;
}

//===-- Copies ------------------------------------------------------------===//

static Location numberLoc(MLIRContext *context, unsigned number) {
  return NameLoc::get(StringAttr::get(context, std::to_string(number)));
}

/// Gives the operations of an outlined function the numbers of its items, and
/// nothing else a name.
static void number(func::FuncOp function, ArrayRef<unsigned> numbers) {
  function.walk(
      [](Operation *op) { op->setLoc(UnknownLoc::get(op->getContext())); });
  Items copies = itemsOf(function);
  for (auto [copy, number] : llvm::zip_equal(copies, numbers))
    copy->setLoc(numberLoc(function.getContext(), number));
}

/// The numbers of the items that an operation was made from.
static std::vector<unsigned> numbersOf(Operation *op) {
  std::vector<unsigned> numbers;
  op->walk([&](Operation *inner) {
    inner->getLoc()->walk([&](Location loc) {
      unsigned number;
      auto name = dyn_cast<NameLoc>(loc);
      if (name && !name.getName().strref().getAsInteger(10, number))
        numbers.push_back(number);
      return WalkResult::advance();
    });
  });
  return numbers;
}

//===-- Ways --------------------------------------------------------------===//

/// The groups that read a value, also through views.
static void addReaders(Value value, SmallVectorImpl<Operation *> &readers) {
  for (Operation *user : value.getUsers())
    if (isa<graph::ReshapeOp, graph::BitcastOp>(user))
      addReaders(user->getResult(0), readers);
    else if (!isReturn(user))
      readers.push_back(user);
}

/// What the groups of a fused copy take and leave.
static sched::SliceWay wayOf(func::FuncOp function, int64_t images) {
  sched::SliceWay way{images, {}, {}};
  DenseMap<Operation *, unsigned> last;
  for (auto group : function.getOps<kernel::GroupOp>()) {
    std::vector<unsigned> numbers = numbersOf(group);
    if (numbers.empty())
      continue;
    auto [first, end] = std::minmax_element(numbers.begin(), numbers.end());
    auto facts = kernel::factsOf(group);
    way.kernels.push_back({*first, *end, facts ? facts->time.rounded() : 0});
    last[group] = *end;
  }
  for (auto group : function.getOps<kernel::GroupOp>())
    for (Value result : group.getResults()) {
      SmallVector<Operation *> readers;
      addReaders(result, readers);
      unsigned from = last.lookup(group), to = from;
      for (Operation *reader : readers)
        to = std::max(to, last.lookup(reader));
      if (!readers.empty())
        way.values.push_back({from, to, bytesOf(result)});
    }
  return way;
}

/// None where too much lives. What a private cache does not hold until it is
/// read comes from the next one, or from memory.
static std::optional<sched::SliceCut> cutOf(const Between &between,
                                            const tile::Target &target) {
  if (between.values > mostBetween)
    return std::nullopt;
  auto bytes = double(between.bytes);
  double cycles = 0;
  if (between.bytes > target.l2Bytes / 2)
    cycles += bytes / target.midBytes;
  if (target.isInMemory(between.bytes))
    cycles += bytes / target.memoryBytes;
  return sched::SliceCut{between.bytes, target.timeOf(cycles).rounded()};
}

/// Leaves as many cuts as there may be, those where least lives; of equal ones
/// the first.
static void keepSmallest(std::vector<std::optional<sched::SliceCut>> &cuts) {
  std::vector<unsigned> order;
  for (auto [at, cut] : llvm::enumerate(cuts))
    if (cut)
      order.push_back(unsigned(at));
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::pair(cuts[a]->bytes, a) < std::pair(cuts[b]->bytes, b);
  });
  for (unsigned at :
       ArrayRef(order).drop_front(std::min(order.size(), mostCuts)))
    cuts[at] = std::nullopt;
}

static int64_t smallestFactor(int64_t number) {
  for (int64_t factor = 2; factor * factor <= number; ++factor)
    if (number % factor == 0)
      return factor;
  return number;
}

/// All images, then half of them, and so on: numbers that divide each other.
static SmallVector<int64_t> sizesOf(int64_t images) {
  SmallVector<int64_t> sizes = {images};
  while (sizes.back() > 1) {
    int64_t next = sizes.back() / smallestFactor(sizes.back());
    if (images / next > mostSlices)
      break;
    sizes.push_back(next);
  }
  return sizes;
}

/// A function of the items that work image by image, or of all of them.
static void addCopy(ModuleOp copies, const Items &items, const Images &images,
                    int64_t count) {
  Items members;
  std::vector<unsigned> numbers;
  for (auto [index, item] : llvm::enumerate(items)) {
    if (count != images.count() && !images.splits(item))
      continue;
    members.push_back(item);
    numbers.push_back(unsigned(index));
  }
  std::string name = "images_" + std::to_string(count);
  number(ItemRange(members).outline(copies, name, images, count), numbers);
}

FailureOr<sched::SliceProblem> batch::sliceProblem(func::FuncOp program,
                                                   const Items &items,
                                                   const Images &images,
                                                   const tile::Target &target,
                                                   AddFusion addFusion) {
  auto module = program->getParentOfType<ModuleOp>();
  OwningOpRef<ModuleOp> copies =
      ModuleOp::create(UnknownLoc::get(module.getContext()));
  (*copies)->setAttrs(module->getAttrDictionary());
  SmallVector<int64_t> sizes = sizesOf(images.count());
  for (int64_t count : sizes)
    addCopy(*copies, items, images, count);
  PassManager passes(module.getContext());
  addFusion(passes);
  if (failed(passes.run(*copies)))
    return failure();
  sched::SliceProblem problem{images.count(), {}, {}, {}};
  for (Operation *item : items)
    problem.isSplit.push_back(images.splits(item));
  for (const Between &between : betweenItems(items))
    problem.cuts.push_back(cutOf(between, target));
  keepSmallest(problem.cuts);
  for (auto [function, count] :
       llvm::zip_equal(copies->getOps<func::FuncOp>(), sizes))
    problem.ways.push_back(wayOf(function, count));
  return problem;
}
