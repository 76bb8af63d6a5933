//===- Facts.cpp - what fusion knows of a group ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Facts.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/TypicalSizes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"
#include <cmath>

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;
using graph::Size;

//===-- Names -------------------------------------------------------------===//

std::string kernel::nodesOf(Location loc) {
  llvm::SetVector<StringRef> names;
  loc->walk([&](Location part) {
    if (auto name = dyn_cast<NameLoc>(part))
      names.insert(name.getName());
    return WalkResult::advance();
  });
  return llvm::join(names, ";");
}

static StringRef kindOf(Operation *op) { return op->getName().stripDialect(); }

std::string kernel::nameOf(Operation *op) {
  std::string nodes = nodesOf(op->getLoc());
  return nodes.empty() ? kindOf(op).str() : nodes;
}

//===-- Operators ---------------------------------------------------------===//

/// The graph operations of a group, those of stages in their place.
static SmallVector<Operation *> leavesOf(GroupOp group) {
  SmallVector<Operation *> leaves;
  auto add = [&](Block &block) {
    for (Operation &op : block.without_terminator())
      if (!isa<StageOp, graph::ConstantOp>(op))
        leaves.push_back(&op);
  };
  for (StageOp stage : group.getBlock().getOps<StageOp>())
    add(stage.getBlock());
  add(group.getBlock());
  return leaves;
}

static bool isView(Operation *op) {
  return isa_and_nonnull<graph::ReshapeOp, graph::BitcastOp>(op);
}

/// Out of stages: what an argument of one stands for, and what the result of
/// one is. An argument of the group or the result of a graph operation is left.
static Value resolve(Value value) {
  while (true) {
    auto argument = dyn_cast<BlockArgument>(value);
    Operation *owner =
        argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
    auto stage = dyn_cast<StageOp>(owner);
    if (!stage)
      return value;
    value = argument ? stage.getInputs()[argument.getArgNumber()]
                     : stage.getBlock().getTerminator()->getOperand(0);
  }
}

//===-- Bytes -------------------------------------------------------------===//

static int64_t bytesOf(Type type, const graph::TypicalSizes &sizes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 0;
  int64_t bytes = graph::elementBytes(tensor.getElementType());
  for (Attribute dim : graph::dimsOf(tensor))
    bytes = llvm::SaturatingMultiply<uint64_t>(bytes, sizes.of(dim));
  return bytes;
}

/// What an operation reads of an operand: of a table, what it picks.
static int64_t bytesRead(Operation *op, unsigned operand,
                         const graph::TypicalSizes &sizes) {
  int64_t bytes = bytesOf(op->getOperand(operand).getType(), sizes);
  if (operand == 0 && isa<graph::GatherOp, graph::GatherElementsOp>(op))
    return std::min(bytes, bytesOf(op->getResult(0).getType(), sizes));
  return bytes;
}

FusionFacts kernel::measure(GroupOp group) {
  auto sizes = graph::TypicalSizes::around(group);
  FusionFacts facts;
  llvm::DenseMap<Value, int64_t> most; // of what several operations read
  for (Operation *op : leavesOf(group)) {
    llvm::SmallDenseSet<Value> read;
    int64_t moved = 0;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      Value source = resolve(operand);
      int64_t bytes = bytesRead(op, i, sizes);
      int64_t &known = most[source];
      known = std::max(known, bytes);
      if (read.insert(source).second)
        moved += bytes;
    }
    for (Type type : op->getResultTypes())
      moved += bytesOf(type, sizes);
    facts.bytesBefore += isView(op) ? 0 : moved;
  }
  for (BlockArgument argument : group.getBlock().getArguments())
    facts.bytes += most.lookup(argument);
  for (Type type : group.getResultTypes())
    facts.bytes += bytesOf(type, sizes);
  return facts;
}

//===-- Numbers as attributes ---------------------------------------------===//

static DictionaryAttr attributeOf(MLIRContext *context,
                                  const FusionFacts &facts) {
  Builder b(context);
  return b.getDictionaryAttr(
      {b.getNamedAttr("bytes", b.getI64IntegerAttr(facts.bytes)),
       b.getNamedAttr("bytes_before", b.getI64IntegerAttr(facts.bytesBefore)),
       b.getNamedAttr("nanoseconds", b.getI64IntegerAttr(facts.time.rounded())),
       b.getNamedAttr("scratch", b.getI64IntegerAttr(facts.scratchBytes)),
       b.getNamedAttr("work", b.getF64FloatAttr(facts.work))});
}

void kernel::setFacts(GroupOp group, const FusionFacts &facts) {
  group.setFusionAttr(attributeOf(group.getContext(), facts));
}

static std::optional<FusionFacts> readFacts(DictionaryAttr fusion) {
  if (!fusion)
    return std::nullopt;
  auto number = [&](StringRef name) {
    return fusion.getAs<IntegerAttr>(name).getInt();
  };
  return FusionFacts{number("bytes_before"),
                     number("bytes"),
                     fusion.getAs<FloatAttr>("work").getValueAsDouble(),
                     number("scratch"),
                     {double(number("nanoseconds"))}};
}

std::optional<FusionFacts> kernel::factsOf(GroupOp group) {
  return readFacts(group.getFusionAttr());
}

std::optional<FusionFacts> kernel::factsOf(LaunchOp launch) {
  return readFacts(launch.getFusionAttr());
}

/// Whether it is an i64 that is not negative.
static bool isCount(Attribute attribute) {
  auto number = dyn_cast_or_null<IntegerAttr>(attribute);
  return number && number.getType().isSignlessInteger(64) &&
         number.getInt() >= 0;
}

LogicalResult kernel::verifyFusion(Operation *op, DictionaryAttr fusion) {
  if (!fusion)
    return success();
  for (StringRef name : {"bytes", "bytes_before", "nanoseconds", "scratch"})
    if (!isCount(fusion.get(name)))
      return op->emitOpError("needs a number '") << name << "' in 'fusion'";
  auto work = fusion.getAs<FloatAttr>("work");
  if (!work || !work.getType().isF64() ||
      !std::isfinite(work.getValueAsDouble()) || work.getValueAsDouble() <= 0)
    return op->emitOpError("needs a positive f64 'work' in 'fusion'");
  if (fusion.size() != 5)
    return op->emitOpError("has something unknown in 'fusion'");
  return success();
}

//===-- Counts of runs ----------------------------------------------------===//

void kernel::setRunCounts(LaunchOp launch, const RunCounts &counts) {
  bool isFixed =
      counts.bytes.isFixed() && counts.flops && counts.flops->isFixed();
  if (isFixed)
    return;
  MLIRContext *context = launch.getContext();
  Attribute none = UnitAttr::get(context);
  Attribute entries[] = {counts.flops ? counts.flops->dim(context) : none,
                         counts.bytes.dim(context)};
  launch->setDiscardableAttr(
      runCountsAttr,
      graph::DimsAttr::get(context, ArrayAttr::get(context, entries)));
}

RunCounts kernel::runCountsOf(LaunchOp launch) {
  auto counts = launch->getAttrOfType<graph::DimsAttr>(runCountsAttr);
  if (!counts)
    return {Size(launch.getFlops()), Size(launch.getBytes())};
  Attribute flops = counts.getDims()[0];
  return {isa<UnitAttr>(flops) ? std::nullopt : std::optional(Size(flops)),
          Size(counts.getDims()[1])};
}

LogicalResult kernel::verifyRunCounts(Operation *op, Attribute counts) {
  auto dims = dyn_cast<graph::DimsAttr>(counts);
  if (!isa<LaunchOp>(op) || !dims || dims.getDims().size() != 2 ||
      isa<UnitAttr>(dims.getDims()[1]))
    return op->emitOpError("needs a launch, flops and bytes for '")
           << runCountsAttr << "'";
  return success();
}

//===-- Operators as attributes -------------------------------------------===//

static Attribute describeOperator(Operation *op, ArrayRef<int64_t> operands,
                                  std::optional<int64_t> number) {
  Builder b(op->getContext());
  NamedAttrList entry;
  entry.append("kind", b.getStringAttr(kindOf(op)));
  entry.append("nodes", b.getStringAttr(nodesOf(op->getLoc())));
  entry.append("operands", b.getDenseI64ArrayAttr(operands));
  if (number)
    entry.append("stage", b.getI64IntegerAttr(*number));
  auto stage = dyn_cast<StageOp>(op->getParentOp());
  if (stage && stage.getPlan())
    entry.append("strategy", b.getStringAttr(stage.getPlan()->getStrategy()));
  return entry.getDictionary(op->getContext());
}

static ArrayAttr describeOperators(GroupOp group) {
  llvm::DenseMap<Operation *, int64_t> numbers, stages;
  for (StageOp stage : group.getBlock().getOps<StageOp>())
    stages.try_emplace(stage, stages.size());
  SmallVector<Attribute> entries;
  for (Operation *op : leavesOf(group)) {
    llvm::SetVector<int64_t> operands;
    for (Value operand : op->getOperands())
      if (auto source = numbers.find(resolve(operand).getDefiningOp());
          source != numbers.end())
        operands.insert(source->second);
    numbers[op] = entries.size();
    auto stage = stages.find(op->getParentOp());
    entries.push_back(describeOperator(
        op, operands.getArrayRef(),
        stage == stages.end() ? std::nullopt
                              : std::optional<int64_t>(stage->second)));
  }
  return ArrayAttr::get(group.getContext(), entries);
}

void kernel::describe(LaunchOp launch, GroupOp group) {
  DictionaryAttr fusion = group.getFusionAttr();
  if (!fusion)
    fusion = attributeOf(group.getContext(), measure(group));
  launch.setFusionAttr(fusion);
  launch.setOperatorsAttr(describeOperators(group));
  launch.setTileAttr(group.getTileAttr());
}

SmallVector<OperatorFacts> kernel::operatorsOf(LaunchOp launch) {
  SmallVector<OperatorFacts> operators;
  ArrayAttr entries = launch.getOperatorsAttr();
  if (!entries)
    return operators;
  for (auto entry : entries.getAsRange<DictionaryAttr>()) {
    auto stage = entry.getAs<IntegerAttr>("stage");
    auto strategy = entry.getAs<StringAttr>("strategy");
    operators.push_back(
        {entry.getAs<StringAttr>("kind").str(),
         entry.getAs<StringAttr>("nodes").str(),
         SmallVector<int64_t>(
             entry.getAs<DenseI64ArrayAttr>("operands").asArrayRef()),
         stage ? std::optional<int64_t>(stage.getInt()) : std::nullopt,
         strategy ? strategy.str() : ""});
  }
  return operators;
}

static bool isOperator(Attribute attribute, int64_t number) {
  auto entry = dyn_cast<DictionaryAttr>(attribute);
  if (!entry || !entry.getAs<StringAttr>("kind") ||
      !entry.getAs<StringAttr>("nodes"))
    return false;
  auto operands = entry.getAs<DenseI64ArrayAttr>("operands");
  Attribute stage = entry.get("stage"), strategy = entry.get("strategy");
  return operands &&
         llvm::all_of(
             operands.asArrayRef(),
             [&](int64_t each) { return each >= 0 && each < number; }) &&
         (!stage || isCount(stage)) && (!strategy || isa<StringAttr>(strategy));
}

LogicalResult kernel::verifyOperators(LaunchOp launch) {
  ArrayAttr entries = launch.getOperatorsAttr();
  for (auto [i, entry] : llvm::enumerate(
           entries ? entries : ArrayAttr::get(launch.getContext(), {})))
    if (!isOperator(entry, i))
      return launch.emitOpError("needs kind, nodes and earlier operands in "
                                "entry ")
             << i << " of 'operators'";
  return success();
}

//===-- Edges -------------------------------------------------------------===//

/// The first graph operation that reads a value, also in a stage.
static Operation *firstUser(Value value) {
  Operation *first = nullptr;
  for (OpOperand &use : value.getUses()) {
    Operation *user = use.getOwner();
    if (auto stage = dyn_cast<StageOp>(user))
      user = firstUser(stage.getBlock().getArgument(use.getOperandNumber()));
    if (!user || isa<YieldOp>(user))
      continue;
    bool isSooner =
        !first ||
        (first->getBlock() == user->getBlock()
             ? user->isBeforeInBlock(first)
             : user->getParentOp()->isBeforeInBlock(first->getParentOp()));
    first = isSooner ? user : first;
  }
  return first;
}

static GroupEdge edgeTo(GroupOp group, unsigned operand) {
  GroupEdge edge;
  edge.to = group;
  Value value = group.getOperands_()[operand];
  while (isView(value.getDefiningOp())) {
    value = value.getDefiningOp()->getOperand(0);
    edge.throughView = true;
  }
  edge.from = value.getDefiningOp<GroupOp>();
  if (!edge.from)
    return edge;
  Operation *yield = edge.from.getBlock().getTerminator();
  unsigned number = cast<OpResult>(value).getResultNumber();
  edge.producer = resolve(yield->getOperand(number)).getDefiningOp();
  edge.consumer = firstUser(group.getBlock().getArgument(operand));
  return edge;
}

SmallVector<GroupEdge> kernel::edgesOf(func::FuncOp program) {
  SmallVector<GroupEdge> edges;
  for (auto group : program.getOps<GroupOp>())
    for (unsigned i = 0; i < group.getOperands_().size(); ++i)
      if (GroupEdge edge = edgeTo(group, i); edge.from)
        edges.push_back(edge);
  return edges;
}

//===-- Edges as attributes -----------------------------------------------===//

void kernel::setUnfused(func::FuncOp program, ArrayRef<UnfusedEdge> edges) {
  Builder b(program.getContext());
  SmallVector<Attribute> entries;
  for (const UnfusedEdge &edge : edges)
    entries.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("from", b.getStringAttr(edge.from)),
         b.getNamedAttr("reason", b.getStringAttr(edge.reason)),
         b.getNamedAttr("to", b.getStringAttr(edge.to))}));
  KernelDialect::UnfusedAttrHelper(program.getContext())
      .setAttr(program, b.getArrayAttr(entries));
}

SmallVector<UnfusedEdge> kernel::unfusedOf(func::FuncOp program) {
  SmallVector<UnfusedEdge> edges;
  ArrayAttr entries =
      KernelDialect::UnfusedAttrHelper(program.getContext()).getAttr(program);
  if (!entries)
    return edges;
  for (auto entry : entries.getAsRange<DictionaryAttr>())
    edges.push_back({entry.getAs<StringAttr>("from").str(),
                     entry.getAs<StringAttr>("to").str(),
                     entry.getAs<StringAttr>("reason").str()});
  return edges;
}

bool kernel::isUnfusedList(Attribute attribute) {
  auto entries = dyn_cast<ArrayAttr>(attribute);
  return entries && llvm::all_of(entries, [](Attribute each) {
           auto entry = dyn_cast<DictionaryAttr>(each);
           return entry && entry.size() == 3 &&
                  entry.getAs<StringAttr>("from") &&
                  entry.getAs<StringAttr>("to") &&
                  entry.getAs<StringAttr>("reason");
         });
}
