//===- StageGroup.cpp - a stage on its box, as a group --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Stages/StageGroup.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

RankedTensorType codegen::tensorOf(Type type, const kernel::BoxMap &box) {
  SmallVector<int64_t> shape;
  for (const kernel::BoxDim &dim : box)
    shape.push_back(dim.span);
  return RankedTensorType::get(shape,
                               cast<RankedTensorType>(type).getElementType());
}

/// The constant that an operand of a stage is, if the box is all of it. One
/// that several stages read may lie in no order of one of them.
static graph::ConstantOp constantOf(kernel::StageOp stage, unsigned operand,
                                    Type box) {
  auto argument = dyn_cast<BlockArgument>(stage.getInputs()[operand]);
  if (!argument || !argument.hasOneUse() || box != argument.getType())
    return {};
  auto group = stage->getParentOfType<kernel::GroupOp>();
  return group.getOperands_()[argument.getArgNumber()]
      .getDefiningOp<graph::ConstantOp>();
}

//===-- Operations on boxes -----------------------------------------------===//

namespace {
/// Makes a clone of an operation compute a box of its result.
class Clone {
public:
  using Values = llvm::DenseMap<Value, kernel::BoxMap>;

  Clone(Operation *op, Operation *clone, const Values &boxes)
      : op(op), clone(clone), boxes(boxes) {}

  void adapt() {
    for (auto [from, to] :
         llvm::zip_equal(op->getResults(), clone->getResults()))
      if (boxes.contains(from))
        to.setType(tensorOf(from.getType(), boxes.at(from)));
    llvm::TypeSwitch<Operation *>(clone)
        .Case([&](graph::ConstantOp constant) { resize(constant); })
        .Case([&](graph::ConvOp conv) { adapt(conv); })
        .Case<graph::MaxPoolOp, graph::AvgPoolOp>(
            [&](auto pool) { adaptPool(pool); })
        .Case([&](graph::PadOp pad) { adapt(pad); })
        .Case([&](graph::SliceOp slice) { adapt(slice); });
  }

private:
  const kernel::BoxMap &result() const { return boxes.at(op->getResult(0)); }
  const kernel::BoxMap &input() const { return boxes.at(op->getOperand(0)); }

  void resize(graph::ConstantOp constant) {
    auto value = dyn_cast<SplatElementsAttr>(constant.getValue());
    if (value && value.getType() != constant.getType())
      constant.setValueAttr(value.resizeSplat(constant.getType()));
  }

  /// Its padding is part of its operand's box, unless that ends with the input.
  void adapt(graph::ConvOp conv) {
    if (kernel::isStencil(op))
      return adaptPool(conv);
    conv.setPads(SmallVector<int64_t>(conv.getPads().size(), 0));
    int64_t filters =
        cast<graph::ConvOp>(op).getFilter().getType().getDimSize(0);
    int64_t perGroup = filters / int64_t(conv.getGroup());
    unsigned channel = graph::channelDim(conv.getLayout(), result().size());
    if (conv.getGroup() > 1)
      conv.setGroup(uint64_t(result()[channel].span / perGroup));
  }

  /// Windows end where they did.
  template <typename Pool> void adaptPool(Pool pool) {
    SmallVector<int64_t> pads(pool.getPads());
    auto shape = cast<RankedTensorType>(op->getOperand(0).getType()).getShape();
    size_t rank = pads.size() / 2,
           first = graph::firstSpatialDim(pool.getLayout());
    for (size_t i = 0; i < rank; ++i) {
      const kernel::BoxDim &from = input()[first + i];
      int64_t start =
          result()[first + i].offset * pool.getStrides()[i] - pads[i];
      pads[i] = from.offset - start;
      if (from.offset + from.span < shape[first + i])
        pads[rank + i] = 0;
    }
    pool.setPads(pads);
  }

  void adapt(graph::PadOp pad) {
    SmallVector<int64_t> low(pad.getLow()), high(pad.getHigh());
    for (auto [from, to, before, behind] :
         llvm::zip_equal(input(), result(), low, high)) {
      int64_t start = to.offset - before;
      before = from.offset - start;
      behind = start + to.span - (from.offset + from.span);
    }
    pad.setLow(low);
    pad.setHigh(high);
  }

  void adapt(graph::SliceOp slice) {
    SmallVector<int64_t> starts, sizes;
    for (auto [from, to, start, step] : llvm::zip_equal(
             input(), result(), slice.getStarts(), slice.getSteps())) {
      starts.push_back(to.offset * step + start - from.offset);
      sizes.push_back(to.span);
    }
    slice.setStarts(starts);
    slice.setSizes(sizes);
  }

  Operation *op, *clone;
  const Values &boxes;
};
} // namespace

StageGroup::StageGroup(Location loc) : module(ModuleOp::create(loc)) {}

/// Opens the function around the group.
Block *StageGroup::addFunction(OpBuilder &b, TypeRange operands) {
  b.setInsertionPointToEnd(module->getBody());
  auto function = func::FuncOp::create(b, module->getLoc(), "stage",
                                       b.getFunctionType(operands, {}));
  Block *entry = function.addEntryBlock();
  b.setInsertionPointToEnd(entry);
  return entry;
}

/// Opens the group.
Block *StageGroup::addGroup(OpBuilder &b, Type result, ValueRange operands) {
  group = kernel::GroupOp::create(b, module->getLoc(), result, operands);
  Block *body = &group.getBody().emplaceBlock();
  b.setInsertionPointToEnd(body);
  return body;
}

StageGroup StageGroup::copyOf(kernel::StageOp stage,
                              const kernel::StageFootprint &footprint) {
  StageGroup copy(stage.getLoc());
  OpBuilder b(stage.getContext());
  Type type = tensorOf(stage.getResult().getType(), footprint.owned);
  Block *entry = copy.addFunction(b, type);
  Block *body = copy.addGroup(b, type, entry->getArguments());
  Value argument = body->addArgument(type, stage.getLoc());
  auto order = llvm::to_vector(llvm::seq<int64_t>(0, footprint.owned.size()));
  Value result = graph::TransposeOp::create(b, stage.getLoc(), type, argument,
                                            ArrayRef<int64_t>(order));
  kernel::YieldOp::create(b, stage.getLoc(), result);
  return copy;
}

StageGroup::StageGroup(kernel::StageOp stage,
                       const kernel::StageFootprint &footprint)
    : StageGroup(stage.getLoc()) {
  Location loc = stage.getLoc();
  OpBuilder b(stage.getContext());
  SmallVector<Type> types;
  for (auto [input, box] :
       llvm::zip_equal(stage.getInputs(), footprint.operands))
    types.push_back(tensorOf(input.getType(), box));
  Block *entry = addFunction(b, types);
  SmallVector<Value> operands(entry->getArguments());
  for (unsigned i = 0; i < operands.size(); ++i)
    if (graph::ConstantOp constant = constantOf(stage, i, types[i]))
      operands[i] = b.clone(*constant)->getResult(0);
  Type result = tensorOf(stage.getResult().getType(), footprint.result);
  Block *body = addGroup(b, result, operands);
  IRMapping mapping;
  for (auto [argument, type] :
       llvm::zip_equal(stage.getBlock().getArguments(), types))
    mapping.map(argument, body->addArgument(type, loc));
  for (Operation &op : stage.getBlock().without_terminator())
    Clone(&op, b.clone(op, mapping), footprint.values).adapt();
  Value yielded = stage.getBlock().getTerminator()->getOperand(0);
  kernel::YieldOp::create(b, loc, mapping.lookup(yielded));
}
