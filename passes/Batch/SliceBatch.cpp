//===- SliceBatch.cpp - how much of a batch runs at once ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-slice-batch.
//===----------------------------------------------------------------------===//
#include "passes/Batch/Passes.h"
#include "passes/Batch/SliceWays.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/States.h"
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/SliceFacts.h"
#include "dialects/Kernel/Slices.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "passes/Codegen/Backends.h"
#include "passes/Fuse/Passes.h"

namespace tenon::batch {
#define GEN_PASS_DEF_SLICEBATCHPASS
#include "passes/Batch/Passes.h.inc"
} // namespace tenon::batch

using namespace mlir;
using namespace tenon;
using namespace tenon::batch;
using sched::SliceRange;

/// What slices may take, of the fastest ones: within that, prices do not tell
/// them apart, and memory decides.
static constexpr int64_t mostPercent = 102;

//===-- What can be sliced ------------------------------------------------===//

static bool hasStaticShapes(Operation &op) {
  return llvm::all_of(op.getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape();
  });
}

/// The only program of a module, if it has known sizes and nothing but
/// operations; else null.
static func::FuncOp plainProgram(ModuleOp module) {
  SmallVector<func::FuncOp> programs = graph::programs(module);
  if (programs.size() != 1 || !graph::statesOf(module).empty())
    return {};
  Block &body = programs.front().getBody().front();
  bool isPlain = llvm::all_of(body.without_terminator(), [](Operation &op) {
    return isa<graph::TensorOpInterface>(op) && hasStaticShapes(op);
  });
  return isPlain && !itemsOf(programs.front()).empty() ? programs.front()
                                                       : func::FuncOp();
}

//===-- Ranges ------------------------------------------------------------===//

/// The longest ranges of items that work image by image, and those between.
static std::vector<SliceRange>
longestRanges(const Items &items, const Images &images, int64_t count) {
  std::vector<SliceRange> ranges;
  for (unsigned at = 0; at < items.size(); ++at) {
    int64_t own = images.splits(items[at]) ? count : images.count();
    if (ranges.empty() || ranges.back().images != own)
      ranges.push_back({at, at, own});
    ranges.back().end = at + 1;
  }
  return ranges;
}

namespace {
/// Puts ranges of a program into functions, and calls them slice by slice.
class Slicer {
public:
  Slicer(func::FuncOp program, const Items &items, const Images &images)
      : program(program), items(items), images(images),
        b(program.getBody().front().getTerminator()) {}

  /// How many slices the range is run in. All ranges, in their order.
  size_t apply(const SliceRange &range);
  /// The items go when all of them are called.
  void finish();

private:
  FlatSymbolRefAttr outline(const ItemRange &range, int64_t count);

  func::FuncOp program;
  const Items &items;
  const Images &images;
  OpBuilder b;
  IRMapping values; ///< of items, and what they are now
  unsigned functions = 0;
};
} // namespace

FlatSymbolRefAttr Slicer::outline(const ItemRange &range, int64_t count) {
  auto module = program->getParentOfType<ModuleOp>();
  std::string name;
  do
    name = (program.getName() + "_" + Twine(functions++)).str();
  while (module.lookupSymbol(name));
  range.outline(module, name, images, count);
  return FlatSymbolRefAttr::get(program.getContext(), name);
}

size_t Slicer::apply(const SliceRange &place) {
  ItemRange range(ArrayRef(items).slice(place.begin, place.end - place.begin));
  SmallVector<Attribute> callees(images.count() / place.images,
                                 outline(range, place.images));
  if (int64_t rest = images.count() % place.images)
    callees.push_back(outline(range, rest));
  auto inputs = llvm::map_to_vector(
      range.inputs, [&](Value value) { return values.lookupOrDefault(value); });
  auto slices = kernel::SlicesOp::create(b, range.items.back()->getLoc(),
                                         ValueRange(range.outputs).getTypes(),
                                         b.getArrayAttr(callees), inputs);
  values.map(range.outputs, slices.getResults());
  return callees.size();
}

void Slicer::finish() {
  for (OpOperand &result : b.getInsertionPoint()->getOpOperands())
    result.set(values.lookupOrDefault(result.get()));
  for (Operation *item : llvm::reverse(items))
    item->erase();
}

//===-- For reports -------------------------------------------------------===//

static kernel::SlicedRange describe(const SliceRange &range, const Items &items,
                                    size_t slices) {
  return {kernel::nameOf(items[range.begin]),
          kernel::nameOf(items[range.end - 1]), range.end - range.begin,
          int64_t(slices), range.images};
}

static kernel::Predicted priceOf(const sched::SlicePlan &plan) {
  return {plan.time, plan.peak};
}

//===-- The pass ----------------------------------------------------------===//

namespace {
struct SliceBatch : batch::impl::SliceBatchPassBase<SliceBatch> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp program = plainProgram(getOperation());
    if (!program)
      return;
    Images images(program);
    Items items = itemsOf(program);
    kernel::SliceFacts facts;
    facts.images = images.count();
    FailureOr<std::vector<SliceRange>> ranges =
        choose(program, items, images, facts);
    if (failed(ranges))
      return signalPassFailure();
    if (ranges->size() == 1 && ranges->front().images == images.count())
      return;
    Slicer slicer(program, items, images);
    for (const SliceRange &range : *ranges) {
      size_t slices = slicer.apply(range);
      numSlices += slices;
      if (range.images == images.count())
        continue;
      ++numRanges;
      facts.ranges.push_back(describe(range, items, slices));
    }
    slicer.finish();
    kernel::setSlices(program, facts);
  }

  /// What is predicted of them, where anything is, stands in `facts`.
  FailureOr<std::vector<SliceRange>> choose(func::FuncOp program,
                                            const Items &items,
                                            const Images &of,
                                            kernel::SliceFacts &facts) {
    SliceRange whole{0, unsigned(items.size()), of.count()};
    if (images > of.count())
      return program.emitError("--micro-batch: a batch of ")
             << of.count() << " has no slices of " << int64_t(images)
             << " images; the most is " << of.count();
    if (images > 0)
      return longestRanges(items, of, images);
    std::unique_ptr<codegen::Device> device = codegen::makeDevice(
        getOperation(), {target, threads, winograd, bf16x6, precision});
    if (!device)
      return failure();
    if (!mayPay(items, of, device->thread()))
      return std::vector{whole};
    FailureOr<sched::SliceProblem> problem =
        sliceProblem(program, items, of, device->thread(),
                     [&](OpPassManager &passes) { addFusion(passes); });
    if (failed(problem))
      return failure();
    std::vector<sched::SlicePlan> front = sched::sliceFront(*problem);
    const sched::SlicePlan &plan = chosen(front);
    facts.sliced = priceOf(plan);
    facts.whole = priceOf(sched::wholePlan(*problem));
    return plan.ranges;
  }

  /// Whether there is anything to slice, and a cap or caches ask for it.
  bool mayPay(const Items &items, const Images &of,
              const tile::Target &thread) const {
    if (below < 0)
      return bytesAtOnce(items, of) > thread.l2Bytes;
    return llvm::any_of(items,
                        [&](Operation *item) { return of.splits(item); });
  }

  const sched::SlicePlan &
  chosen(const std::vector<sched::SlicePlan> &front) const {
    if (below < 0)
      return sched::chooseSlices(front, mostPercent);
    for (const sched::SlicePlan &plan : front)
      if (plan.peak <= below)
        return plan;
    return front.back();
  }

  void addFusion(OpPassManager &passes) {
    fuse::FuseGroupsPassOptions groups;
    groups.mode = "full";
    passes.addPass(fuse::createFuseGroupsPass(groups));
    fuse::MergeGroupsPassOptions merge;
    merge.target = target;
    merge.threads = threads;
    merge.winograd = winograd;
    merge.bf16x6 = bf16x6;
    merge.precision = precision;
    merge.reasons = false;
    passes.addPass(fuse::createMergeGroupsPass(merge));
  }
};
} // namespace
