//===- LoopDomain.cpp - operations that share one loop nest ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file finds the loops: dimensions that run together form classes, and
// reshapes cut classes into atoms. LoopDemand.cpp then walks from the results
// to the operands.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/LoopDomain.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Kernel/LoopClasses.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

using graph::quotientOf;
using graph::Size;
using graph::Sizes;

static Sizes shapeOf(Value value) { return graph::sizesOf(value.getType()); }

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
  for (size_t dim = 0; dim < shapeOf(value).size(); ++dim) {
    dims.add();
    cuts.emplace_back();
  }
}

void LoopClasses::unite(Value x, int64_t i, Value y, int64_t j) {
  Size extent = shapeOf(x)[i];
  if (extent == shapeOf(y)[j] && !extent.is(1))
    dims.unite(first[x] + i, first[y] + j);
}

/// Dimensions that one dimension of the domain indexes run together.
void LoopClasses::unite(const LoopStatement &statement) {
  if (statement.kind == LoopStatement::Reshape)
    return;
  for (auto [number, read] : llvm::enumerate(statement.reads))
    for (auto [i, from] : llvm::enumerate(read.getResults()))
      for (auto [j, to] : llvm::enumerate(statement.write.getResults()))
        if (from == to && isa<AffineDimExpr>(from))
          unite(statement.op->getOperand(number), i, statement.result(), j);
}

/// Whether the operation fits; values get their classes.
LogicalResult LoopClasses::addOperation(Operation *op) {
  for (Value operand : op->getOperands())
    addValue(operand);
  for (Value result : op->getResults())
    addValue(result);
  std::optional<LoopStatement> statement = LoopStatement::of(op);
  if (!statement)
    return failure();
  unite(*statement);
  numbers[op] = statements.size();
  statements.push_back(std::move(*statement));
  return success();
}

//===-- Cuts --------------------------------------------------------------===//

SmallVector<LinearPoint> LoopClasses::points(Value value) {
  SmallVector<LinearPoint> result;
  Sizes shape = shapeOf(value);
  Size stride = 1;
  for (int64_t i = int64_t(shape.size()) - 1; i >= 0; --i) {
    const Size &extent = shape[i];
    if (extent.is(1))
      continue;
    result.push_back({stride, i, 1});
    for (const Size &cut : cuts[dimClass(value, i)])
      result.push_back({stride * cut, i, cut});
    stride *= extent;
  }
  return result;
}

/// Behind all that divide it; the others must be multiples of it.
LogicalResult LoopClasses::addCut(Sizes &of, const Size &cut) {
  auto *at = llvm::find_if(
      of, [&](const Size &other) { return !quotientOf(cut, other); });
  if (at != of.end() && !quotientOf(*at, cut))
    return failure();
  of.insert(at, cut);
  return success();
}

/// Whether there are new ones among the cuts; failure when one does not fit the
/// others.
FailureOr<bool> LoopClasses::addCuts(unsigned dim, ArrayRef<Size> added) {
  size_t before = cuts[dim].size();
  for (const Size &cut : added)
    if (!llvm::is_contained(cuts[dim], cut) && failed(addCut(cuts[dim], cut)))
      return failure();
  return cuts[dim].size() > before;
}

/// Cuts the dimension of `value` that holds the linear position; failure when
/// it does not divide, or does not fit the cuts there are.
LogicalResult LoopClasses::cutAt(Value value, const Size &position) {
  Sizes shape = shapeOf(value);
  Size stride = 1;
  for (int64_t i = int64_t(shape.size()) - 1; i >= 0; --i) {
    Size end = stride * shape[i];
    if (quotientOf(position, end)) {
      stride = end;
      continue;
    }
    std::optional<Size> cut = quotientOf(position, stride);
    if (!cut || shape[i].is(0) || !quotientOf(shape[i], *cut))
      return failure();
    return addCuts(dimClass(value, i), *cut);
  }
  return failure();
}

/// Makes both sides of a reshape break at the same linear positions.
FailureOr<bool> LoopClasses::refine(Value x, Value y) {
  auto missing = [](ArrayRef<LinearPoint> have, ArrayRef<LinearPoint> want) {
    Sizes result;
    for (const LinearPoint &point : want)
      if (llvm::none_of(have, [&](const LinearPoint &other) {
            return other.position == point.position;
          }))
        result.push_back(point.position);
    return result;
  };
  SmallVector<LinearPoint> ofX = points(x), ofY = points(y);
  Sizes forX = missing(ofX, ofY), forY = missing(ofY, ofX);
  for (const Size &position : forX)
    if (failed(cutAt(x, position)))
      return failure();
  for (const Size &position : forY)
    if (failed(cutAt(y, position)))
      return failure();
  return !forX.empty() || !forY.empty();
}

/// Cuts a dimension that repeats elements into these and their repetitions, and
/// where the elements are cut.
FailureOr<bool> LoopClasses::refineRepeats(const LoopStatement &statement) {
  bool changed = false;
  for (const RepeatedDim &repeated : statement.repeatedDims()) {
    int64_t count = repeated.count;
    unsigned from = dimClass(statement.op->getOperand(0), repeated.from);
    unsigned to = dimClass(statement.result(), repeated.to);
    Sizes forFrom, forTo = {count};
    for (const Size &cut : cuts[from])
      forTo.push_back(cut * count);
    for (const Size &cut : cuts[to])
      if (auto whole = quotientOf(cut, count); whole && !whole->is(1))
        forFrom.push_back(*whole);
    FailureOr<bool> newTo = addCuts(to, forTo),
                    newFrom = addCuts(from, forFrom);
    if (failed(newTo) || failed(newFrom))
      return failure();
    changed |= *newTo || *newFrom;
  }
  return changed;
}

LogicalResult LoopClasses::refineAll(std::string &why) {
  for (bool changed = true; changed;) {
    changed = false;
    for (const LoopStatement &statement : statements) {
      bool isReshape = statement.kind == LoopStatement::Reshape;
      FailureOr<bool> refined =
          isReshape ? refine(statement.op->getOperand(0), statement.result())
                    : refineRepeats(statement);
      if (failed(refined)) {
        why = isReshape ? "a reshape neither splits nor merges dimensions"
                        : "a resize splits a dimension where others do not";
        return failure();
      }
      changed |= *refined;
    }
  }
  return success();
}

//===-- Atoms -------------------------------------------------------------===//

void LoopClasses::makeAtoms() {
  firstAtom.resize(dims.size());
  for (unsigned dim = 0; dim < dims.size(); ++dim) {
    if (dims.find(dim) != dim)
      continue;
    firstAtom[dim] = atoms.size();
    for (size_t i = 0; i <= cuts[dim].size(); ++i)
      atoms.add();
  }
  for (const LoopStatement &statement : statements) {
    uniteRepeats(statement);
    if (statement.kind != LoopStatement::Reshape)
      continue;
    Value from = statement.op->getOperand(0), to = statement.result();
    for (auto [x, y] : llvm::zip(points(from), points(to)))
      atoms.unite(atomAt(from, x), atomAt(to, y));
  }
}

void LoopClasses::uniteRepeats(const LoopStatement &statement) {
  for (const RepeatedDim &dim : statement.repeatedDims()) {
    Value from = statement.op->getOperand(0), to = statement.result();
    Sizes pieces = {1};
    llvm::append_range(pieces, cuts[dimClass(from, dim.from)]);
    for (const Size &piece : pieces)
      atoms.unite(atomAt(from, {0, dim.from, piece}),
                  atomAt(to, {0, dim.to, piece * dim.count}));
  }
}

unsigned LoopClasses::atomAt(Value value, const LinearPoint &point) {
  unsigned dim = dimClass(value, point.dim);
  unsigned number = 0;
  if (!point.factor.is(1))
    number = 1 + (llvm::find(cuts[dim], point.factor) - cuts[dim].begin());
  return firstAtom[dim] + number;
}

SmallVector<Atom> LoopClasses::atomsOf(Value value, int64_t i) {
  SmallVector<Atom> result;
  Size extent = shapeOf(value)[i];
  if (extent.is(1))
    return result;
  unsigned dim = dimClass(value, i);
  Sizes bounds = {1};
  bounds.append(cuts[dim].begin(), cuts[dim].end());
  bounds.push_back(extent);
  for (size_t k = bounds.size() - 1; k > 0; --k)
    result.push_back({atoms.find(firstAtom[dim] + unsigned(k) - 1),
                      *quotientOf(bounds[k], bounds[k - 1]), bounds[k - 1]});
  return result;
}

LogicalResult LoopClasses::build(ArrayRef<Operation *> ops, ValueRange results,
                                 std::string &why) {
  for (Operation *op : ops) {
    for (Type type :
         llvm::concat<Type>(llvm::to_vector_of<Type>(op->getOperandTypes()),
                            llvm::to_vector_of<Type>(op->getResultTypes()))) {
      auto tensor = dyn_cast<RankedTensorType>(type);
      if (!tensor || graph::countUnknown(tensor) != 0) {
        why = "a shape is not known";
        return failure();
      }
    }
    if (failed(addOperation(op))) {
      why = ("'" + op->getName().getStringRef() + "' is not a loop").str();
      return failure();
    }
  }
  for (Value result : results)
    addValue(result);
  if (failed(refineAll(why)))
    return failure();
  makeAtoms();
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
