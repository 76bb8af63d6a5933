//===- LoopDemand.cpp - from results back to operands ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks from each result to what it is computed from and carries
// along the index under which each value is asked for.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/LoopClasses.h"
#include "dialects/Kernel/LoopDomain.h"

#include <map>

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

using Indices = SmallVector<LoopIndex>;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

namespace {
class Demand {
public:
  Demand(ArrayRef<Operation *> ops, std::string &why)
      : ops(ops), inside(ops.begin(), ops.end()), why(why) {}

  FailureOr<LoopProgram> run(ValueRange results);

private:
  LogicalResult refuse(const Twine &reason) {
    why = reason.str();
    return failure();
  }
  LogicalResult makeLoops(Value root);
  LogicalResult makeReducedLoops();
  LogicalResult addResult(Value value);
  FailureOr<unsigned> demand(Value value, const Indices &index);
  FailureOr<unsigned> build(Value value, const Indices &index);
  FailureOr<unsigned> demandReduce(const Reduction &reduction,
                                   const Indices &index);
  FailureOr<LoopIndex> takeDigit(LoopIndex &number, int64_t radix);
  FailureOr<Indices> throughReshape(Value from, Value to, const Indices &index);
  FailureOr<Indices> throughRepeats(ArrayRef<int64_t> repeats,
                                    const Indices &index);
  FailureOr<Indices> own(Value value, int64_t dim);
  unsigned addNode(LoopNode node);
  LoopIndex zero() const { return {0, SmallVector<int64_t>(loopCount())}; }
  size_t loopCount() const { return program.loops.size(); }
  bool usesReduced(const LoopIndex &index) const;

  ArrayRef<Operation *> ops;
  llvm::SmallPtrSet<Operation *, 8> inside;
  std::string &why;
  LoopClasses classes;
  std::map<unsigned, unsigned> loopOf; ///< atom to loop
  LoopProgram program;
  // Values are numbered in order of first use, so that no pointer orders.
  llvm::DenseMap<Value, unsigned> numbers;
  std::map<std::pair<unsigned, Indices>, unsigned> known;
};
} // namespace

//===-- Loops -------------------------------------------------------------===//

LogicalResult Demand::makeLoops(Value root) {
  for (size_t i = 0; i < shapeOf(root).size(); ++i)
    for (const Atom &atom : classes.atomsOf(root, i)) {
      if (!loopOf.emplace(atom.id, loopCount()).second)
        return refuse("a value is read along a diagonal");
      program.loops.push_back({atom.extent, false});
    }
  return makeReducedLoops();
}

LogicalResult Demand::makeReducedLoops() {
  std::optional<std::set<unsigned>> all;
  for (Operation *op : ops) {
    std::optional<Reduction> reduction = getReduction(op);
    if (!reduction)
      continue;
    std::set<unsigned> loops;
    for (int64_t axis : reduction->axes)
      for (const Atom &atom : classes.atomsOf(op->getOperand(0), axis)) {
        auto [entry, fresh] = loopOf.emplace(atom.id, loopCount());
        if (fresh)
          program.loops.push_back({atom.extent, true});
        if (!loops.insert(entry->second).second)
          return refuse("a value is read along a diagonal");
      }
    if (loops.empty())
      continue;
    if (all && *all != loops)
      return refuse("reductions run over different dimensions");
    all = loops;
  }
  for (unsigned loop : all.value_or(std::set<unsigned>()))
    program.loops[loop].reduction = true;
  return success();
}

bool Demand::usesReduced(const LoopIndex &index) const {
  for (size_t k = 0; k < loopCount(); ++k)
    if (index.coefficients[k] != 0 && program.loops[k].reduction)
      return true;
  return false;
}

/// The index of a dimension in terms of its own atoms (as a list of one).
FailureOr<Indices> Demand::own(Value value, int64_t dim) {
  LoopIndex result = zero();
  for (const Atom &atom : classes.atomsOf(value, dim)) {
    auto loop = loopOf.find(atom.id);
    if (loop == loopOf.end())
      return refuse("a result has a dimension that is not a loop");
    if (result.coefficients[loop->second])
      return refuse("a value is read along a diagonal");
    result.coefficients[loop->second] = atom.factor;
  }
  return Indices{result};
}

//===-- Results -----------------------------------------------------------===//

LogicalResult Demand::addResult(Value value) {
  Indices index;
  std::set<unsigned> used;
  for (size_t i = 0; i < shapeOf(value).size(); ++i) {
    FailureOr<Indices> one = own(value, i);
    if (failed(one))
      return failure();
    for (size_t k = 0; k < loopCount(); ++k)
      if ((*one)[0].coefficients[k] && !used.insert(k).second)
        return refuse("a value is read along a diagonal");
    index.push_back((*one)[0]);
  }
  bool anyReduced = false, allReduced = true, allParallel = true;
  for (size_t k = 0; k < loopCount(); ++k) {
    if (program.loops[k].reduction) {
      anyReduced |= used.count(k) != 0;
      allReduced &= used.count(k) != 0;
    } else {
      allParallel &= used.count(k) != 0;
    }
  }
  if (!allParallel || (anyReduced && !allReduced))
    return refuse("a result lacks one of the loops");
  bool hasReduced =
      llvm::any_of(program.loops, [](const Loop &l) { return l.reduction; });
  FailureOr<unsigned> node = demand(value, index);
  if (failed(node))
    return failure();
  program.results.push_back({*node, anyReduced || !hasReduced, index});
  return success();
}

//===-- Nodes -------------------------------------------------------------===//

unsigned Demand::addNode(LoopNode node) {
  for (const LoopIndex &index : node.index)
    node.full |= usesReduced(index);
  for (unsigned operand : node.operands) {
    node.full |= program.nodes[operand].full;
    node.stage = std::max(node.stage, program.nodes[operand].stage);
  }
  if (node.kind == LoopNode::Reduce) {
    node.full = false;
    ++node.stage;
  }
  program.nodes.push_back(std::move(node));
  return program.nodes.size() - 1;
}

FailureOr<unsigned> Demand::demand(Value value, const Indices &index) {
  unsigned number = numbers.try_emplace(value, numbers.size()).first->second;
  auto key = std::make_pair(number, index);
  auto entry = known.find(key);
  if (entry != known.end())
    return entry->second;
  FailureOr<unsigned> node = build(value, index);
  if (succeeded(node))
    known.emplace(key, *node);
  return node;
}

static Indices throughBroadcast(Value from, Value to, const Indices &index,
                                const LoopIndex &zero) {
  size_t lead = shapeOf(to).size() - shapeOf(from).size();
  Indices result;
  for (size_t i = 0; i < shapeOf(from).size(); ++i)
    result.push_back(shapeOf(from)[i] == 1 ? zero : index[i + lead]);
  return result;
}

static Indices throughTranspose(graph::TransposeOp op, const Indices &index) {
  Indices result(index.size());
  for (auto [i, from] : llvm::enumerate(op.getPermutation()))
    result[from] = index[i];
  return result;
}

static Indices throughSlice(graph::SliceOp op, const Indices &index) {
  Indices result = index;
  for (size_t i = 0; i < result.size(); ++i) {
    result[i].offset = op.getStarts()[i] + result[i].offset * op.getSteps()[i];
    for (int64_t &coefficient : result[i].coefficients)
      coefficient *= op.getSteps()[i];
  }
  return result;
}

/// Divides an index by `radix` and returns what is left over: term by term,
/// which is right as long as that stays below the radix.
FailureOr<LoopIndex> Demand::takeDigit(LoopIndex &number, int64_t radix) {
  LoopIndex digit = zero();
  digit.offset = number.offset % radix;
  number.offset /= radix;
  int64_t low = digit.offset, high = digit.offset;
  for (size_t k = 0; k < loopCount(); ++k) {
    int64_t &c = number.coefficients[k];
    if (c % radix == 0) {
      c /= radix;
      continue;
    }
    digit.coefficients[k] = c;
    c = 0;
    int64_t reach = digit.coefficients[k] * (program.loops[k].extent - 1);
    (reach < 0 ? low : high) += reach;
  }
  if (low < 0 || high >= radix)
    return failure();
  return digit;
}

/// Reads the digits of a linear index.
FailureOr<Indices> Demand::throughReshape(Value from, Value to,
                                          const Indices &index) {
  LoopIndex linear = zero();
  int64_t stride = 1;
  for (int64_t i = int64_t(index.size()) - 1; i >= 0; --i) {
    linear.offset += index[i].offset * stride;
    for (size_t k = 0; k < loopCount(); ++k)
      linear.coefficients[k] += index[i].coefficients[k] * stride;
    stride *= shapeOf(to)[i];
  }
  Indices result(shapeOf(from).size());
  for (int64_t i = int64_t(result.size()) - 1; i >= 0; --i) {
    FailureOr<LoopIndex> digit = takeDigit(linear, shapeOf(from)[i]);
    if (failed(digit))
      return refuse("a reshape does not follow the loops");
    result[i] = *digit;
  }
  return result;
}

/// What counts repetitions vanishes from an index.
FailureOr<Indices> Demand::throughRepeats(ArrayRef<int64_t> repeats,
                                          const Indices &index) {
  Indices result = index;
  for (auto [one, count] : llvm::zip_equal(result, repeats))
    if (failed(takeDigit(one, count)))
      return refuse("a resize does not follow the loops");
  return result;
}

FailureOr<unsigned> Demand::demandReduce(const Reduction &reduction,
                                         const Indices &index) {
  Value input = reduction.op->getOperand(0);
  if (llvm::any_of(index, [&](const LoopIndex &i) { return usesReduced(i); }))
    return refuse("the result of a reduction is indexed by a reduced loop");
  Indices inner;
  size_t next = 0;
  bool trivial = true;
  for (int64_t i = 0; i < int64_t(shapeOf(input).size()); ++i) {
    bool reduced = llvm::is_contained(reduction.axes, i);
    if (reduced) {
      FailureOr<Indices> one = own(input, i);
      if (failed(one))
        return failure();
      inner.push_back((*one)[0]);
      trivial &= shapeOf(input)[i] == 1;
    } else {
      inner.push_back(index[next]);
    }
    next += !reduced || reduction.keepDims;
  }
  FailureOr<unsigned> node = demand(input, inner);
  if (failed(node) || trivial)
    return node;
  LoopNode reduce{LoopNode::Reduce,
                  reduction.op->getResult(0),
                  reduction.op,
                  {*node},
                  {},
                  false,
                  0};
  return addNode(reduce);
}

FailureOr<unsigned> Demand::build(Value value, const Indices &index) {
  Operation *op = value.getDefiningOp();
  if (!op || !inside.count(op))
    return addNode({LoopNode::Load, value, nullptr, {}, index, false, 0});
  if (isa<graph::ConstantOp>(op))
    return addNode({LoopNode::Constant, value, op, {}, {}, false, 0});
  if (auto reduction = getReduction(op))
    return demandReduce(*reduction, index);
  Value input = op->getOperand(0);
  if (auto transpose = dyn_cast<graph::TransposeOp>(op))
    return demand(input, throughTranspose(transpose, index));
  if (auto slice = dyn_cast<graph::SliceOp>(op))
    return demand(input, throughSlice(slice, index));
  if (isa<graph::BroadcastOp>(op))
    return demand(input, throughBroadcast(input, value, index, zero()));
  auto demandIf = [&](FailureOr<Indices> before) -> FailureOr<unsigned> {
    if (failed(before))
      return failure();
    return demand(input, *before);
  };
  if (isa<graph::ReshapeOp>(op))
    return demandIf(throughReshape(input, value, index));
  if (SmallVector<int64_t> repeats = getRepeats(op); !repeats.empty())
    return demandIf(throughRepeats(repeats, index));
  LoopNode node{LoopNode::Compute, value, op, {}, {}, false, 0};
  for (Value operand : op->getOperands()) {
    auto part =
        demand(operand, throughBroadcast(operand, value, index, zero()));
    if (failed(part))
      return failure();
    node.operands.push_back(*part);
  }
  return addNode(node);
}

FailureOr<LoopProgram> Demand::run(ValueRange results) {
  if (results.empty())
    return refuse("nothing uses the results");
  if (failed(classes.build(ops, results, why)))
    return failure();
  auto elements = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getNumElements();
  };
  Value root = results[0];
  for (Value result : results)
    if (elements(result) > elements(root))
      root = result;
  if (failed(makeLoops(root)))
    return failure();
  for (Value result : results)
    if (failed(addResult(result)))
      return failure();
  return std::move(program);
}

FailureOr<LoopProgram> kernel::analyzeLoops(ArrayRef<Operation *> ops,
                                            ValueRange results,
                                            std::string &why) {
  return Demand(ops, why).run(results);
}
