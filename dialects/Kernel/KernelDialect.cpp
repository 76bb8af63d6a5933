//===- KernelDialect.cpp - the kernel dialect -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/Kernel.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Roles.h"
#include "dialects/Graph/Shapes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

static ParseResult parseSize(OpAsmParser &parser, Attribute &size) {
  SMLoc at = parser.getCurrentLocation();
  if (graph::parseDim(parser, size))
    return failure();
  return size ? ParseResult(success())
              : parser.emitError(at, "a number that is known is needed");
}

static void printSize(OpAsmPrinter &printer, Operation *, Attribute size) {
  graph::printDim(printer, size);
}

static ParseResult parseNumbers(AsmParser &parser,
                                SmallVector<int64_t> &numbers) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
    return parser.parseInteger(numbers.emplace_back());
  });
}

static void printNumbers(AsmPrinter &printer, ArrayRef<int64_t> numbers) {
  printer << '[';
  llvm::interleaveComma(numbers, printer);
  printer << ']';
}

bool kernel::isSize(Attribute attribute) {
  auto integer = dyn_cast<IntegerAttr>(attribute);
  return integer ? integer.getType().isInteger(64)
                 : graph::isSymbolic(attribute);
}

#include "dialects/Kernel/KernelDialect.cpp.inc"
#include "dialects/Kernel/KernelEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/Kernel/KernelAttrs.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/Kernel/KernelOps.cpp.inc"

void KernelDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Kernel/KernelAttrs.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/Kernel/KernelOps.cpp.inc"
      >();
}

int64_t PlanAttr::getInt(StringRef name, int64_t otherwise) const {
  auto attr = getParams().getAs<IntegerAttr>(name);
  return attr ? attr.getInt() : otherwise;
}

/// Whether a region's arguments and what it yields are those of its operation.
static LogicalResult verifyRegion(Operation *op, Block &block,
                                  TypeRange operands, TypeRange results) {
  if (block.getArgumentTypes() != operands)
    return op->emitOpError("block arguments differ from the operands");
  auto yield = dyn_cast<YieldOp>(block.getTerminator());
  if (!yield || yield.getValues().getTypes() != results)
    return op->emitOpError("yielded values differ from the results");
  return success();
}

static LogicalResult verifyTile(GroupOp group) {
  if (!group.getTile() || group->getNumResults() == 0)
    return group.emitOpError("of stages needs a tile and a result");
  ArrayRef<int64_t> dims = group.getTile()->getDims();
  ArrayRef<int64_t> sizes = group.getTile()->getSizes();
  bool isOrdered = llvm::is_sorted(dims, std::less_equal<int64_t>());
  bool isPositive = llvm::all_of(dims, [](int64_t dim) { return dim >= 0; }) &&
                    llvm::all_of(sizes, [](int64_t size) { return size > 0; });
  if (dims.size() != sizes.size() || !isOrdered || !isPositive)
    return group.emitOpError(
        "needs a positive tile size for each of some dimensions, in order");
  return success();
}

/// The extents of a result along the tiled dimensions; none where it has not
/// all of them.
static std::optional<SmallVector<int64_t>> tiledExtents(TileAttr tile,
                                                        Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  SmallVector<int64_t> extents;
  for (int64_t dim : tile.getDims()) {
    if (dim >= type.getRank())
      return std::nullopt;
    extents.push_back(type.getDimSize(dim));
  }
  return extents;
}

/// Each result is that of a stage, and what is cut into tiles can be.
static LogicalResult verifyYield(GroupOp group) {
  auto yield = cast<YieldOp>(group.getBlock().getTerminator());
  llvm::SmallPtrSet<Operation *, 4> stored;
  std::optional<SmallVector<int64_t>> tiled;
  for (Value value : yield.getValues()) {
    if (!isa_and_nonnull<StageOp>(value.getDefiningOp()))
      return group.emitOpError("yields something that no stage computes");
    if (!stored.insert(value.getDefiningOp()).second)
      return group.emitOpError("yields a stage's result twice");
    if (!value.hasOneUse())
      continue;
    auto extents = tiledExtents(*group.getTile(), value);
    if (!extents || (tiled && *tiled != *extents))
      return group.emitOpError(
          "has results that are not cut into the same tiles");
    tiled = extents;
  }
  return success();
}

/// What leaves the group lies in memory, and nothing else does.
static LogicalResult verifyLevels(GroupOp group) {
  Operation *yield = group.getBlock().getTerminator();
  for (auto stage : group.getBlock().getOps<StageOp>()) {
    bool isYielded =
        llvm::is_contained(yield->getOperands(), stage.getResult());
    if (stage.getLevel() && isYielded != (stage.getLevel() == Level::Memory))
      return stage.emitOpError("has its result in ")
             << stringifyLevel(*stage.getLevel()) << ", though the group "
             << (isYielded ? "yields it" : "does not yield it");
  }
  return success();
}

static LogicalResult verifyStages(GroupOp group) {
  for (Operation &op : group.getBlock().without_terminator())
    if (!isa<StageOp>(op))
      return group.emitOpError("has '") << op.getName() << "' beside stages";
  if (failed(verifyTile(group)) || failed(verifyYield(group)))
    return failure();
  return verifyLevels(group);
}

LogicalResult StageOp::verify() {
  if (failed(verifyRegion(*this, getBlock(), getInputs().getTypes(),
                          getResult().getType())))
    return failure();
  auto anchors = llvm::count_if(getBlock(), [](Operation &op) {
    return graph::isAnchor(graph::roleOf(&op));
  });
  if (anchors > 1)
    return emitOpError("has ") << anchors << " anchors";
  return success();
}

LogicalResult GroupOp::verify() {
  if (failed(verifyRegion(*this, getBlock(), getOperands_().getTypes(),
                          getResults_().getTypes())))
    return failure();
  if (isStaged() && failed(verifyStages(*this)))
    return failure();
  return verifyAttributes();
}

static LogicalResult verifyInPlace(LaunchOp launch, int64_t read,
                                   int64_t write) {
  if (read < 0 || read >= int64_t(launch.getReads().size()) || write < 0 ||
      write >= int64_t(launch.getWrites().size()))
    return launch.emitOpError("has no read ")
           << read << " and write " << write << " that could be in place";
  Type from = launch.getReads()[read].getType();
  Type to = launch.getWrites()[write].getType();
  if (cast<tenon::memory::BufferType>(from).getBytes() !=
      cast<tenon::memory::BufferType>(to).getBytes())
    return launch.emitOpError("cannot write ") << to << " over " << from;
  return success();
}

/// The launch before this one, in a wave or, with `isAny`, in none.
static LaunchOp launchBefore(LaunchOp launch, bool isAny) {
  for (Operation *op = launch->getPrevNode(); op; op = op->getPrevNode())
    if (auto other = dyn_cast<LaunchOp>(op);
        other && (isAny || other.getWave()))
      return other;
  return {};
}

/// Waves are neighbours, their numbers grow, and who runs in one is ordered by
/// nothing else.
static LogicalResult verifyWave(LaunchOp launch) {
  std::optional<uint64_t> wave = launch.getWave();
  if (!wave)
    return success();
  if (launch.getStepsAttr())
    return launch.emitOpError("in a wave has steps");
  // On a device until they are one kernel.
  if (!launch.getDeviceAttr() &&
      (launch.getStream().value_or(0) || launch.getWaits()))
    return launch.emitOpError(
        "is in a wave, which only launches of a processor's one stream form");
  LaunchOp before = launchBefore(launch, /*isAny=*/false);
  if (!before || *before.getWave() < *wave)
    return success();
  if (*before.getWave() == *wave &&
      before == launchBefore(launch, /*isAny=*/true))
    return success();
  return launch.emitOpError("is in wave ")
         << *wave << " behind launches of wave " << *before.getWave()
         << ": a wave's launches are neighbours, and their numbers grow";
}

LogicalResult LaunchOp::verify() {
  Attribute steps = getStepsAttr();
  if (steps && !graph::isSymbolic(steps) && graph::sizeOf(steps) < 1)
    return emitOpError("needs at least one step");
  if (failed(verifyCosts(*this, getCostsAttr())) ||
      failed(verifyFusion(*this, getFusionAttr())) ||
      failed(verifyOperators(*this)))
    return failure();
  if (failed(verifyWave(*this)))
    return failure();
  if (int64_t(getThreadScratch()) < 0)
    return emitOpError("asks for a negative number of bytes of scratch");
  ArrayRef<int64_t> pairs = getInPlace().value_or(ArrayRef<int64_t>());
  if (pairs.size() % 2)
    return emitOpError("needs pairs of a read and a write in 'in_place'");
  for (size_t i = 0; i < pairs.size(); i += 2)
    if (failed(verifyInPlace(*this, pairs[i], pairs[i + 1])))
      return failure();
  return success();
}

Operation *GroupOp::getAnchor() {
  for (Operation &op : getBlock().without_terminator())
    if (graph::isAnchor(graph::roleOf(&op)))
      return &op;
  return nullptr;
}
