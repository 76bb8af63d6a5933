//===- Rules.h - one gradient rule per operation ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to passes/Differentiate: what a rule is asked, and the
// tables of rules, one for each family of operations.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_DIFFERENTIATE_RULES_H
#define TENON_PASSES_DIFFERENTIATE_RULES_H

#include "passes/Differentiate/Build.h"

#include "dialects/Graph/GraphSteps.h"

#include "mlir/Support/LLVM.h"
#include <functional>

namespace tenon::differentiate {

/// An operation whose results have adjoints and whose operands want theirs.
class Adjoint : public Build {
public:
  Adjoint(mlir::OpBuilder &builder, mlir::Operation *op)
      : Build(builder, op->getLoc()), op(op) {}

  mlir::Operation *op;
  /// One for each result; null where none is wanted.
  SmallVector<Value> adjoints;
  /// Whether a wanted value decides about an operand.
  std::function<bool(unsigned operand)> wants;
  /// Takes what one operand gets; called in the order of give().
  std::function<void(unsigned operand, Value part)> take;

  Value x(unsigned operand = 0) const { return op->getOperand(operand); }
  Value y() const { return op->getResult(0); }
  Value dy() const { return adjoints.front(); }

  /// Adds to the adjoint of an operand that wants it what is first summed up
  /// to its shape.
  void give(unsigned operand, Value part) {
    if (wants(operand))
      take(operand, sumTo(part, shapeOf(x(operand))));
  }

  /// Fails with an error at the ONNX node.
  mlir::LogicalResult refuse(const llvm::Twine &why);
};

/// Gives the operands what they contribute; fails with refuse().
using Rule = mlir::LogicalResult (*)(Adjoint &);

/// Of operations whose results do not change with small changes of operands,
/// or are no numbers: they end what depends on a wanted value.
mlir::LogicalResult isConstant(Adjoint &g);

/// Of composites that are replaced by their parts before anything else.
mlir::LogicalResult byParts(Adjoint &g);

/// Of those that have no rule yet: an error.
mlir::LogicalResult hasNone(Adjoint &g);

struct RuleEntry {
  llvm::StringLiteral name;
  Rule rule;
};

llvm::ArrayRef<RuleEntry> unaryRules();
llvm::ArrayRef<RuleEntry> binaryRules();
llvm::ArrayRef<RuleEntry> productRules();
llvm::ArrayRef<RuleEntry> windowRules();
llvm::ArrayRef<RuleEntry> reductionRules();
llvm::ArrayRef<RuleEntry> movementRules();
llvm::ArrayRef<RuleEntry> indexRules();

/// The rule of an operation by its name; null where no table has it.
Rule findRule(llvm::StringRef name);

/// On loops that give, behind their results, what they carried into each step.
inline constexpr llvm::StringLiteral kKeepsCarried = "tenon.keeps_carried";

/// Makes a loop one of these.
void keepCarried(graph::StepsOp op);
mlir::LogicalResult stepsRule(Adjoint &g);

/// Replaces a recurrence by loops, where its functions are known.
void makeLoops(graph::RecurrenceOp op);

/// The adjoint of a gather along `axis` from a tensor of `shape`.
Value gatherBack(Build &g, Value dy, Value indices, int64_t axis,
                 ArrayRef<int64_t> shape);

/// An operand with its channels behind the batch, and back.
Value channelsFirst(Build &g, Value image, graph::Layout layout);
Value channelsBack(Build &g, Value image, graph::Layout layout);

} // namespace tenon::differentiate

#endif // TENON_PASSES_DIFFERENTIATE_RULES_H
