//===- LoopDemand.cpp - from results back to operands ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file walks from each result to what it is computed from and carries
// along the index under which each value is asked for.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Bounds.h"
#include "dialects/Kernel/LoopClasses.h"
#include "dialects/Kernel/LoopDomain.h"

#include <map>
#include <set>

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

using Indices = SmallVector<LoopIndex>;

using graph::quotientOf;
using graph::Size;
using graph::Sizes;

static Sizes shapeOf(Value value) { return graph::sizesOf(value.getType()); }

/// Whether it is known to be 0 or more: no part of it is subtracted.
static bool isNatural(const Size &size) {
  if (size.isFixed())
    return size.fixed() >= 0;
  auto expr = dyn_cast<graph::DimExprAttr>(size.symbolic());
  return !expr || !expr.getExpr()
                       .walk([](AffineExpr part) {
                         auto number = dyn_cast<AffineConstantExpr>(part);
                         return number && number.getValue() < 0
                                    ? WalkResult::interrupt()
                                    : WalkResult::advance();
                       })
                       .wasInterrupted();
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
  FailureOr<unsigned> buildReduce(const LoopStatement &statement,
                                  unsigned input);
  FailureOr<Indices> pointOf(const LoopStatement &statement,
                             const Indices &index);
  FailureOr<Indices> apply(AffineMap map, const Indices &point);
  FailureOr<Indices> reshape(const LoopStatement &statement,
                             const Indices &index);
  FailureOr<Indices> indicesOf(const LoopStatement &statement, unsigned operand,
                               const Indices &point, const Indices &result);
  FailureOr<LoopIndex> evaluate(AffineExpr expr, const Indices &point);
  FailureOr<LoopIndex> takeDigit(LoopIndex &number, const Size &radix);
  FailureOr<Indices> own(Value value, int64_t dim);
  unsigned addNode(LoopNode node);
  LoopIndex zero() const { return {0, Sizes(loopCount())}; }
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
  std::map<unsigned, SmallVector<std::pair<Indices, unsigned>, 1>> known;
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
  for (const LoopStatement &statement : classes.getStatements()) {
    std::set<unsigned> loops;
    for (unsigned dim : statement.reduced)
      for (const Atom &atom : classes.atomsOf(statement.op->getOperand(0),
                                              statement.inputDim(dim))) {
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
    if (!index.coefficients[k].is(0) && program.loops[k].reduction)
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
    if (!result.coefficients[loop->second].is(0))
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
      if (!(*one)[0].coefficients[k].is(0) && !used.insert(k).second)
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
  for (const auto &[other, node] : known[number])
    if (other == index)
      return node;
  FailureOr<unsigned> node = build(value, index);
  if (succeeded(node))
    known[number].emplace_back(index, *node);
  return node;
}

//===-- Maps --------------------------------------------------------------===//

/// Takes what the radix divides out of a number, and leaves it the rest.
static Size takeMultiple(Size &number, const Size &radix) {
  Size quotient = 0;
  if (number.isFixed() && radix.isFixed() && !radix.is(0)) {
    quotient = number.fixed() / radix.fixed();
    number = number.fixed() % radix.fixed();
  } else if (auto whole = quotientOf(number, radix)) {
    quotient = *whole;
    number = 0;
  }
  return quotient;
}

/// Divides an index by `radix` and returns what is left over: term by term,
/// which is right as long as that stays below the radix.
FailureOr<LoopIndex> Demand::takeDigit(LoopIndex &number, const Size &radix) {
  LoopIndex digit = zero();
  digit.repeated = number.repeated;
  digit.offset = number.offset;
  number.offset = takeMultiple(digit.offset, radix);
  Size low = digit.offset, high = digit.offset;
  for (size_t k = 0; k < loopCount(); ++k) {
    Size &c = number.coefficients[k];
    if (auto whole = quotientOf(c, radix)) {
      c = *whole;
      continue;
    }
    digit.coefficients[k] = c;
    Size reach = c * (program.loops[k].extent - 1);
    c = 0;
    bool falls =
        digit.coefficients[k].isFixed() && digit.coefficients[k].fixed() < 0;
    if (!falls && !isNatural(digit.coefficients[k]))
      return failure();
    (falls ? low : high) += reach;
  }
  if (!isNatural(low) || !isNatural(radix - 1 - high))
    return failure();
  return digit;
}

/// Whether a sum is 0 where both are, by what may be repeated.
static bool canAdd(const LoopIndex &a, const LoopIndex &b) {
  auto isZero = [](const LoopIndex &index) {
    auto is0 = [](const Size &size) { return size.is(0); };
    return index.offset.is(0) && llvm::all_of(index.coefficients, is0);
  };
  return a.repeated == b.repeated || isZero(a) || isZero(b);
}

FailureOr<LoopIndex> Demand::evaluate(AffineExpr expr, const Indices &point) {
  LoopIndex result = zero();
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    result.offset = constant.getValue();
    return result;
  }
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return point[dim.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  FailureOr<LoopIndex> lhs = evaluate(binary.getLHS(), point);
  FailureOr<LoopIndex> rhs = evaluate(binary.getRHS(), point);
  if (failed(lhs) || failed(rhs))
    return failure();
  auto combine = [&](const Size &left, const Size &right) {
    result.offset = lhs->offset * left + rhs->offset * right;
    result.repeated = lhs->repeated;
    for (size_t k = 0; k < loopCount(); ++k)
      result.coefficients[k] =
          lhs->coefficients[k] * left + rhs->coefficients[k] * right;
    return result;
  };
  // But for sums, the right side is a constant.
  if (expr.getKind() == AffineExprKind::Add) {
    if (!canAdd(*lhs, *rhs))
      return failure();
    if (rhs->repeated.size() > lhs->repeated.size())
      std::swap(*lhs, *rhs);
    return combine(1, 1);
  }
  if (expr.getKind() == AffineExprKind::Mul)
    return combine(rhs->offset, 0);
  FailureOr<LoopIndex> digit = takeDigit(*lhs, rhs->offset);
  if (failed(digit) || expr.getKind() == AffineExprKind::Mod)
    return digit;
  return lhs;
}

FailureOr<Indices> Demand::apply(AffineMap map, const Indices &point) {
  Indices result;
  for (AffineExpr expr : map.getResults()) {
    FailureOr<LoopIndex> one = evaluate(expr, point);
    if (failed(one))
      return failure();
    result.push_back(*one);
  }
  return result;
}

/// The same atoms in another order of nesting.
FailureOr<Indices> Demand::reshape(const LoopStatement &statement,
                                   const Indices &index) {
  std::map<unsigned, LoopIndex> digits;
  for (auto [dim, one] : llvm::enumerate(index)) {
    LoopIndex rest = one;
    SmallVector<Atom> atoms = classes.atomsOf(statement.result(), dim);
    for (size_t i = atoms.size(); i-- > 1;) {
      FailureOr<LoopIndex> digit = takeDigit(rest, atoms[i].extent);
      if (failed(digit))
        return failure();
      digits[atoms[i].id] = *digit;
    }
    if (!atoms.empty())
      digits[atoms[0].id] = rest;
  }
  Indices result;
  Value input = statement.op->getOperand(0);
  for (size_t dim = 0; dim < shapeOf(input).size(); ++dim) {
    LoopIndex sum = zero();
    for (const Atom &atom : classes.atomsOf(input, dim)) {
      auto digit = digits.find(atom.id);
      if (digit == digits.end() || !canAdd(sum, digit->second))
        return failure();
      sum.offset += digit->second.offset * atom.factor;
      for (size_t k = 0; k < loopCount(); ++k)
        sum.coefficients[k] += digit->second.coefficients[k] * atom.factor;
      if (!digit->second.repeated.empty())
        sum.repeated = digit->second.repeated;
    }
    result.push_back(sum);
  }
  return result;
}

/// Of an operand. What may turn out to be repeated says so.
FailureOr<Indices> Demand::indicesOf(const LoopStatement &statement,
                                     unsigned operand, const Indices &point,
                                     const Indices &result) {
  AffineMap read = statement.reads[operand];
  if (statement.kind == LoopStatement::Reshape && read.getNumSymbols() != 0)
    return reshape(statement, result);
  FailureOr<Indices> at = apply(read, point);
  if (failed(at))
    return failure();
  Sizes shape = shapeOf(statement.op->getOperand(operand));
  for (auto [one, start] : llvm::zip(*at, statement.starts)) {
    if (!start.is(0) && !one.repeated.empty())
      return failure();
    one.offset += start;
  }
  for (unsigned dim : statement.mayRepeat[operand]) {
    LoopIndex &one = (*at)[dim];
    if (!one.offset.is(0))
      return failure();
    if (!llvm::is_contained(one.repeated, shape[dim]))
      one.repeated.push_back(shape[dim]);
  }
  return at;
}

/// The points of the domain that make the result at `index`: reduction
/// dimensions run through the loops of the operand.
FailureOr<Indices> Demand::pointOf(const LoopStatement &statement,
                                   const Indices &index) {
  Indices point(statement.write.getNumDims(), zero());
  for (auto [expr, one] : llvm::zip_equal(statement.write.getResults(), index))
    if (auto dim = dyn_cast<AffineDimExpr>(expr))
      point[dim.getPosition()] = one;
  for (unsigned dim : statement.reduced) {
    FailureOr<Indices> one =
        own(statement.op->getOperand(0), statement.inputDim(dim));
    if (failed(one))
      return failure();
    point[dim] = (*one)[0];
  }
  return point;
}

//===-- Nodes -------------------------------------------------------------===//

/// A reduction of single elements is a view.
FailureOr<unsigned> Demand::buildReduce(const LoopStatement &statement,
                                        unsigned input) {
  Sizes shape = shapeOf(statement.op->getOperand(0));
  if (llvm::all_of(statement.reduced, [&](unsigned dim) {
        return shape[statement.inputDim(dim)].is(1);
      }))
    return input;
  return addNode({LoopNode::Reduce,
                  statement.result(),
                  statement.op,
                  {input},
                  {},
                  false,
                  0});
}

FailureOr<unsigned> Demand::build(Value value, const Indices &index) {
  Operation *op = value.getDefiningOp();
  if (!op || !inside.count(op))
    return addNode({LoopNode::Load, value, nullptr, {}, index, false, 0});
  const LoopStatement &statement = classes.statementOf(op);
  if (statement.kind == LoopStatement::Constant)
    return addNode({LoopNode::Constant, value, op, {}, {}, false, 0});
  if (statement.kind == LoopStatement::Reduce &&
      llvm::any_of(index, [&](const LoopIndex &i) { return usesReduced(i); }))
    return refuse("the result of a reduction is indexed by a reduced loop");
  FailureOr<Indices> point = pointOf(statement, index);
  if (failed(point))
    return failure();
  LoopNode node{LoopNode::Compute, value, op, {}, {}, false, 0};
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    FailureOr<Indices> at = indicesOf(statement, number, *point, index);
    if (failed(at))
      return refuse("a " + op->getName().stripDialect() +
                    " does not follow the loops");
    FailureOr<unsigned> part = demand(operand, *at);
    if (failed(part))
      return failure();
    node.operands.push_back(*part);
  }
  if (statement.kind == LoopStatement::Compute)
    return addNode(node);
  if (statement.kind == LoopStatement::Reduce)
    return buildReduce(statement, node.operands.front());
  return node.operands.front();
}

/// Whether that is so for any values of their symbols, but for equal ones.
static bool isLarger(const Size &elements, const Size &others) {
  if (elements.isFixed() && others.isFixed())
    return elements.fixed() > others.fixed();
  MLIRContext *context =
      (elements.isFixed() ? others : elements).symbolic().getContext();
  return elements != others &&
         (graph::quotientOf(elements, others) ||
          graph::isAtLeast(elements.dim(context), others.dim(context),
                           graph::ConstraintStore()));
}

FailureOr<LoopProgram> Demand::run(ValueRange results) {
  if (results.empty())
    return refuse("nothing uses the results");
  if (failed(classes.build(ops, results, why)))
    return failure();
  Value root = results[0];
  for (Value result : results)
    if (isLarger(graph::productOf(shapeOf(result)),
                 graph::productOf(shapeOf(root))))
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
