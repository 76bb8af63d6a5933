//===- NarrowValues.cpp - values between groups in 16 bits ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-narrow-values: groups cast where they load and
// where they store, and compute in f32.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Narrow/Narrowing.h"
#include "passes/CodegenGpu/Passes.h"

namespace tenon::gpu {
#define GEN_PASS_DEF_NARROWVALUESPASS
#include "passes/CodegenGpu/Passes.h.inc"
} // namespace tenon::gpu

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;

namespace {
class Narrower {
public:
  Narrower(func::FuncOp function, Type element)
      : element(element), what(function, element) {
    for (auto group : function.getOps<kernel::GroupOp>())
      groups.push_back(group);
  }

  void run() {
    for (kernel::GroupOp group : groups)
      decide(group);
    for (Change &change : changes)
      rewrite(change);
    for (Operation *constant : replaced)
      if (constant->use_empty())
        constant->erase();
  }

  unsigned values = 0, constants = 0;

private:
  /// What is said of a group before any type changes.
  struct Change {
    kernel::GroupOp group;
    bool isWhole; ///< all of what it moves
    SmallVector<unsigned> direct, loaded, stored;
  };

  void decide(kernel::GroupOp group) {
    NarrowKind kind = narrowKindOf(group);
    if (kind == NarrowKind::Never)
      return;
    bool takes = kind != NarrowKind::Nest && what.takesNarrow(group);
    Change change{group, kind == NarrowKind::Moves && takes, {}, {}, {}};
    if (kind == NarrowKind::Anchor && takes)
      change.direct = anchorOperands(group);
    for (auto [i, operand] : llvm::enumerate(group.getOperands_())) {
      bool isConstant = bool(operand.getDefiningOp<graph::ConstantOp>());
      if (change.isWhole && isConstant && isF32(operand))
        change.direct.push_back(i);
      if (what.isNarrow(operand) || llvm::is_contained(change.direct, i))
        change.loaded.push_back(i);
    }
    for (OpResult result : group->getResults())
      if (what.isNarrow(result))
        change.stored.push_back(result.getResultNumber());
    changes.push_back(std::move(change));
  }

  RankedTensorType narrowType(Value value) const {
    return cast<RankedTensorType>(value.getType()).clone(element);
  }

  static Value cast16(OpBuilder &b, Value value, RankedTensorType type) {
    return graph::CastOp::create(b, value.getLoc(), type, value);
  }

  void rewrite(Change &change) {
    for (unsigned number : change.direct)
      useConstant(change.group->getOpOperand(number));
    if (change.isWhole)
      return moveNarrow(change.group);
    loadNarrow(change);
    if (!change.direct.empty())
      anchorNarrow(change);
    storeNarrow(change);
  }

  /// Reads the constant in 16 bits, if it is one.
  void useConstant(OpOperand &use) {
    auto constant = use.get().getDefiningOp<graph::ConstantOp>();
    if (!constant || !isF32(constant))
      return;
    graph::ConstantOp &own = narrowConstants[constant];
    if (!own) {
      OpBuilder b(constant);
      own = graph::ConstantOp::create(b, constant.getLoc(),
                                      narrowType(constant.getResult()),
                                      what.constantFor(constant));
      replaced.push_back(constant);
      ++constants;
    }
    use.set(own.getResult());
  }

  void moveNarrow(kernel::GroupOp group) {
    auto narrow = [&](Value value) {
      if (isF32(value))
        value.setType(narrowType(value));
    };
    llvm::for_each(group.getBlock().getArguments(), narrow);
    for (Operation &op : group.getBlock().without_terminator())
      llvm::for_each(op.getResults(), narrow);
    for (OpResult result : group->getResults())
      narrowResult(result);
  }

  /// A value of the program, and what views it.
  void narrowResult(Value value) {
    if (!isF32(value))
      return;
    value.setType(narrowType(value));
    ++values;
    for (Operation *user : value.getUsers())
      if (isa<graph::ReshapeOp>(user))
        narrowResult(user->getResult(0));
  }

  /// Casts stand behind the anchor, which reads what it multiplies as it is.
  void loadNarrow(Change &change) {
    Block &block = change.group.getBlock();
    Operation *anchor = change.group.getAnchor();
    OpBuilder b(change.group.getContext());
    anchor ? b.setInsertionPointAfter(anchor)
           : b.setInsertionPointToStart(&block);
    for (unsigned number : change.loaded) {
      BlockArgument argument = block.getArgument(number);
      auto wide = cast<RankedTensorType>(argument.getType());
      argument.setType(narrowType(argument));
      auto isOther = [&](OpOperand &use) { return use.getOwner() != anchor; };
      if (llvm::none_of(argument.getUses(), isOther))
        continue;
      Value loaded = cast16(b, argument, wide);
      argument.replaceUsesWithIf(loaded, [&](OpOperand &use) {
        return isOther(use) && use.getOwner() != loaded.getDefiningOp();
      });
    }
  }

  /// Results are rounded where nothing follows.
  void anchorNarrow(Change &change) {
    Operation *anchor = change.group.getAnchor();
    Value result = anchor->getResult(0);
    auto wide = cast<RankedTensorType>(result.getType());
    result.setType(narrowType(result));
    OpBuilder b(anchor->getContext());
    b.setInsertionPointAfter(anchor);
    Value widened = cast16(b, result, wide);
    result.replaceAllUsesExcept(widened, widened.getDefiningOp());
  }

  void storeNarrow(Change &change) {
    Operation *yield = change.group.getBlock().getTerminator();
    OpBuilder b(yield);
    for (unsigned number : change.stored) {
      Value yielded = yield->getOperand(number);
      auto type = narrowType(yielded);
      auto widened = yielded.getDefiningOp<graph::CastOp>();
      bool isAnchor = widened && widened.getInput().getType() == type;
      yield->setOperand(number, isAnchor ? widened.getInput()
                                         : cast16(b, yielded, type));
      if (isAnchor && widened->use_empty())
        widened->erase();
      narrowResult(change.group->getResult(number));
    }
  }

  Type element;
  Narrowing what;
  SmallVector<kernel::GroupOp> groups;
  SmallVector<Change> changes;
  llvm::DenseMap<Operation *, graph::ConstantOp> narrowConstants;
  SmallVector<Operation *> replaced;
};
} // namespace

namespace {
struct NarrowValues : tenon::gpu::impl::NarrowValuesPassBase<NarrowValues> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder b(&getContext());
    Type element = type == "f16"    ? Type(b.getF16Type())
                   : type == "bf16" ? Type(b.getBF16Type())
                                    : Type();
    if (!element) {
      module.emitError("values cannot lie in '") << type << "'";
      return signalPassFailure();
    }
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function.isExternal())
        continue;
      Narrower narrower(function, element);
      narrower.run();
      numValues += narrower.values;
      numConstants += narrower.constants;
    }
  }
};
} // namespace
