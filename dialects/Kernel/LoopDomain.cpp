//===- LoopDomain.cpp - operations that share one loop nest ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the loops: dimensions that run together form classes, and
// reshapes cut classes into atoms. LoopDemand.cpp then walks from the results
// to the operands.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/LoopDomain.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/LoopClasses.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

//===-- Union-find --------------------------------------------------------===//

unsigned UnionFind::find(unsigned x) {
  while (parent[x] != x)
    x = parent[x] = parent[parent[x]];
  return x;
}

void UnionFind::unite(unsigned x, unsigned y) {
  x = find(x);
  y = find(y);
  parent[std::max(x, y)] = std::min(x, y);
}

unsigned UnionFind::add() {
  parent.push_back(parent.size());
  return parent.back();
}

//===-- Classes of dimensions ---------------------------------------------===//

void LoopClasses::addValue(Value value) {
  if (first.count(value))
    return;
  first[value] = dims.size();
  for (int64_t extent : shapeOf(value)) {
    dims.add();
    extents.push_back(extent);
    cuts.emplace_back();
  }
}

void LoopClasses::unite(Value x, int64_t i, Value y, int64_t j) {
  if (shapeOf(x)[i] == shapeOf(y)[j] && shapeOf(x)[i] != 1)
    dims.unite(first[x] + i, first[y] + j);
}

void LoopClasses::uniteBroadcast(Value from, Value to) {
  int64_t lead = int64_t(shapeOf(to).size()) - int64_t(shapeOf(from).size());
  for (int64_t i = 0; i < int64_t(shapeOf(from).size()); ++i)
    unite(from, i, to, i + lead);
}

static void uniteTranspose(LoopClasses &classes, graph::TransposeOp op) {
  for (auto [i, from] : llvm::enumerate(op.getPermutation()))
    classes.unite(op.getInput(), from, op.getResult(), i);
}

static void uniteSlice(LoopClasses &classes, graph::SliceOp op) {
  for (size_t i = 0; i < op.getStarts().size(); ++i)
    if (op.getStarts()[i] == 0 && op.getSteps()[i] == 1)
      classes.unite(op.getInput(), i, op.getResult(), i);
}

static void uniteReduce(LoopClasses &classes, const Reduction &reduction) {
  Value input = reduction.op->getOperand(0),
        result = reduction.op->getResult(0);
  int64_t next = 0;
  for (int64_t i = 0; i < int64_t(shapeOf(input).size()); ++i) {
    bool reduced = llvm::is_contained(reduction.axes, i);
    if (!reduced)
      classes.unite(input, i, result, next);
    next += !reduced || reduction.keepDims;
  }
}

std::optional<Reduction> kernel::getReduction(Operation *op) {
  auto of = [&](auto reduce) -> std::optional<Reduction> {
    return Reduction{op, reduce.getAxes(), reduce.getKeepDims()};
  };
  return llvm::TypeSwitch<Operation *, std::optional<Reduction>>(op)
      .Case<graph::ReduceSumOp, graph::ReduceMeanOp, graph::ReduceMaxOp,
            graph::ReduceMinOp, graph::ReduceProdOp>(of)
      .Default([](Operation *) { return std::nullopt; });
}

SmallVector<int64_t> kernel::getRepeats(Operation *op) {
  constexpr int64_t shortest = 16;
  auto resize = dyn_cast<graph::ResizeOp>(op);
  SmallVector<int64_t> repeats;
  if (resize)
    repeats = resize.getRepeats();
  bool hasRows = !repeats.empty() && repeats.back() == 1 &&
                 shapeOf(resize.getResult()).back() >= shortest;
  return hasRows ? repeats : SmallVector<int64_t>();
}

namespace {
/// A dimension whose elements, several ones, are each repeated.
struct RepeatedDim {
  int64_t dim, count;
};
} // namespace

static SmallVector<RepeatedDim> repeatedDims(Operation *op) {
  SmallVector<RepeatedDim> dims;
  for (auto [dim, count] : llvm::enumerate(kernel::getRepeats(op)))
    if (count > 1 && shapeOf(op->getOperand(0))[dim] > 1)
      dims.push_back({int64_t(dim), count});
  return dims;
}

/// Whether the kind of operation fits; values get their classes.
static LogicalResult addOperation(LoopClasses &classes, Operation *op) {
  for (Value operand : op->getOperands())
    classes.addValue(operand);
  for (Value result : op->getResults())
    classes.addValue(result);
  if (op->hasTrait<graph::Elementwise>() || isa<graph::BroadcastOp>(op)) {
    for (Value operand : op->getOperands())
      classes.uniteBroadcast(operand, op->getResult(0));
    return success();
  }
  if (auto reduction = getReduction(op)) {
    uniteReduce(classes, *reduction);
    return success();
  }
  if (auto transpose = dyn_cast<graph::TransposeOp>(op)) {
    uniteTranspose(classes, transpose);
    return success();
  }
  if (auto slice = dyn_cast<graph::SliceOp>(op)) {
    uniteSlice(classes, slice);
    return success();
  }
  if (SmallVector<int64_t> repeats = getRepeats(op); !repeats.empty()) {
    for (size_t i = 0; i < repeats.size(); ++i)
      classes.unite(op->getOperand(0), i, op->getResult(0), i);
    return success();
  }
  if (auto constant = dyn_cast<graph::ConstantOp>(op))
    return success(constant.getValue().isSplat());
  return success(isa<graph::ReshapeOp>(op));
}

//===-- Cuts --------------------------------------------------------------===//

SmallVector<LinearPoint> LoopClasses::points(Value value) {
  SmallVector<LinearPoint> result;
  int64_t stride = 1;
  for (int64_t i = int64_t(shapeOf(value).size()) - 1; i >= 0; --i) {
    int64_t extent = shapeOf(value)[i];
    if (extent == 1)
      continue;
    const std::set<int64_t> &inner = cuts[dimClass(value, i)];
    result.push_back({stride, i, 1});
    for (int64_t cut : inner)
      result.push_back({stride * cut, i, cut});
    stride *= extent;
  }
  return result;
}

/// Whether there are new ones among the cuts; failure when one does not fit the
/// others.
FailureOr<bool> LoopClasses::addCuts(unsigned dim,
                                     ArrayRef<int64_t> distances) {
  size_t before = cuts[dim].size();
  cuts[dim].insert(distances.begin(), distances.end());
  int64_t last = 1;
  for (int64_t cut : cuts[dim]) {
    if (cut % last != 0)
      return failure();
    last = cut;
  }
  return cuts[dim].size() > before;
}

/// Cuts the dimension of `value` that holds the linear position; failure when
/// it does not divide, or does not fit the cuts there are.
LogicalResult LoopClasses::cutAt(Value value, int64_t position) {
  int64_t stride = 1;
  for (int64_t i = int64_t(shapeOf(value).size()) - 1; i >= 0; --i) {
    int64_t extent = shapeOf(value)[i];
    if (position < stride * extent) {
      if (position % stride != 0 || extent % (position / stride) != 0)
        return failure();
      return addCuts(dimClass(value, i), {position / stride});
    }
    stride *= extent;
  }
  return failure();
}

/// Makes both sides of a reshape break at the same linear positions.
FailureOr<bool> LoopClasses::refine(Value x, Value y) {
  auto missing = [](ArrayRef<LinearPoint> have, ArrayRef<LinearPoint> want) {
    SmallVector<int64_t> result;
    for (const LinearPoint &point : want)
      if (llvm::none_of(have, [&](const LinearPoint &other) {
            return other.position == point.position;
          }))
        result.push_back(point.position);
    return result;
  };
  SmallVector<LinearPoint> ofX = points(x), ofY = points(y);
  SmallVector<int64_t> forX = missing(ofX, ofY), forY = missing(ofY, ofX);
  for (int64_t position : forX)
    if (failed(cutAt(x, position)))
      return failure();
  for (int64_t position : forY)
    if (failed(cutAt(y, position)))
      return failure();
  return !forX.empty() || !forY.empty();
}

/// Cuts a dimension that repeats elements into these and their repetitions, and
/// where the elements are cut.
FailureOr<bool> LoopClasses::refineRepeats(Operation *op) {
  bool changed = false;
  for (auto [i, count] : repeatedDims(op)) {
    unsigned from = dimClass(op->getOperand(0), i);
    unsigned to = dimClass(op->getResult(0), i);
    SmallVector<int64_t> forFrom, forTo = {count};
    for (int64_t cut : cuts[from])
      forTo.push_back(cut * count);
    for (int64_t cut : cuts[to])
      if (cut > count)
        forFrom.push_back(cut / count);
    FailureOr<bool> newTo = addCuts(to, forTo),
                    newFrom = addCuts(from, forFrom);
    if (failed(newTo) || failed(newFrom))
      return failure();
    changed |= *newTo || *newFrom;
  }
  return changed;
}

LogicalResult LoopClasses::refineAll(ArrayRef<Operation *> ops,
                                     std::string &why) {
  for (bool changed = true; changed;) {
    changed = false;
    for (Operation *op : ops) {
      auto reshape = dyn_cast<graph::ReshapeOp>(op);
      FailureOr<bool> refined =
          reshape ? refine(reshape.getInput(), reshape.getResult())
                  : refineRepeats(op);
      if (failed(refined)) {
        why = reshape ? "a reshape neither splits nor merges dimensions"
                      : "a resize splits a dimension where others do not";
        return failure();
      }
      changed |= *refined;
    }
  }
  return success();
}

//===-- Atoms -------------------------------------------------------------===//

void LoopClasses::makeAtoms(ArrayRef<Operation *> ops) {
  firstAtom.resize(dims.size());
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    if (dims.find(dim) != dim)
      continue;
    firstAtom[dim] = atoms.size();
    for (size_t i = 0; i <= cuts[dim].size(); ++i)
      atoms.add();
  }
  for (Operation *op : ops) {
    uniteRepeats(op);
    auto reshape = dyn_cast<graph::ReshapeOp>(op);
    if (!reshape)
      continue;
    SmallVector<LinearPoint> from = points(reshape.getInput());
    SmallVector<LinearPoint> to = points(reshape.getResult());
    for (auto [x, y] : llvm::zip(from, to))
      atoms.unite(atomAt(reshape.getInput(), x),
                  atomAt(reshape.getResult(), y));
  }
}

void LoopClasses::uniteRepeats(Operation *op) {
  for (auto [i, count] : repeatedDims(op)) {
    Value from = op->getOperand(0), to = op->getResult(0);
    SmallVector<int64_t> pieces = {1};
    llvm::append_range(pieces, cuts[dimClass(from, i)]);
    for (int64_t piece : pieces)
      atoms.unite(atomAt(from, {0, i, piece}),
                  atomAt(to, {0, i, piece * count}));
  }
}

unsigned LoopClasses::atomAt(Value value, const LinearPoint &point) {
  unsigned dim = dimClass(value, point.dim);
  unsigned number = 0;
  if (point.factor != 1)
    number = 1 + std::distance(cuts[dim].begin(), cuts[dim].find(point.factor));
  return firstAtom[dim] + number;
}

SmallVector<Atom> LoopClasses::atomsOf(Value value, int64_t i) {
  SmallVector<Atom> result;
  int64_t extent = shapeOf(value)[i];
  if (extent == 1)
    return result;
  unsigned dim = dimClass(value, i);
  SmallVector<int64_t> bounds = {1};
  bounds.append(cuts[dim].begin(), cuts[dim].end());
  bounds.push_back(extent);
  for (size_t k = bounds.size() - 1; k > 0; --k)
    result.push_back({atoms.find(firstAtom[dim] + unsigned(k) - 1),
                      bounds[k] / bounds[k - 1], bounds[k - 1]});
  return result;
}

LogicalResult LoopClasses::build(ArrayRef<Operation *> ops, ValueRange results,
                                 std::string &why) {
  for (Operation *op : ops) {
    for (Type type :
         llvm::concat<Type>(llvm::to_vector_of<Type>(op->getOperandTypes()),
                            llvm::to_vector_of<Type>(op->getResultTypes()))) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || !tensor.hasStaticShape()) {
        why = "a shape is not static";
        return failure();
      }
    }
    if (failed(addOperation(*this, op))) {
      why = ("'" + op->getName().getStringRef() + "' is not a loop").str();
      return failure();
    }
  }
  for (Value result : results)
    addValue(result);
  if (failed(refineAll(ops, why)))
    return failure();
  makeAtoms(ops);
  return success();
}

bool kernel::canExpressLoops(ArrayRef<Operation *> ops, std::string *why) {
  llvm::SmallPtrSet<Operation *, 8> inside(ops.begin(), ops.end());
  SmallVector<Value> results;
  for (Operation *op : ops)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.count(user); }))
        results.push_back(result);
  std::string reason;
  bool fits = succeeded(analyzeLoops(ops, results, reason));
  if (why)
    *why = reason;
  return fits;
}
