//===- Emit.cpp - code of groups of stages --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/ZeroHalo.h"
#include "passes/Codegen/Planning.h"
#include "passes/Codegen/Stages/StageGroup.h"
#include "passes/Codegen/Stages/Stages.h"

#include "dialects/Graph/Graph.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::BoxDim;
using kernel::BoxMap;
using kernel::StageFootprint;
using memory::BufferType;

namespace {
/// A tensor at an address.
struct Part {
  Value pointer;
  BufferType type;
};

class StagesEmitter {
public:
  /// `team`: that which runs a tile; null: a thread does.
  StagesEmitter(const StageRequest &request, const TileGrid &grid,
                TileTeam *team = nullptr)
      : request(request), b(request.b), group(request.group), grid(grid),
        team(team), overwrites(team ? noOverwrites(group)
                                    : overwritesOf(group, request.plan)),
        planned(grid.typical()) {}

  FailureOr<StageInfo> emit() {
    FailureOr<LocalBuffers> placed = localBuffers(group, grid, overwrites);
    if (failed(placed))
      return failure();
    locals = std::move(*placed);
    StageInfo info;
    for (int64_t count : grid.counts())
      info.tiles *= count;
    b.forTiles([&](Value tile) {
      Values index = b.delinearize(tile, grid.counts());
      SmallVector<TileRun> runs;
      chooseRuns(index, runs);
    });
    if (broken)
      return failure();
    return info;
  }

  /// Builds the code of these stages alone, which could overwrite an operand,
  /// and returns what they can.
  Overwrites tryOut(Overwrites candidates) {
    tried = std::move(candidates);
    return failed(emit()) ? Overwrites(tried.size(), -1) : tried;
  }

private:
  /// Tiles that look alike share code.
  void chooseRuns(ValueRange index, SmallVector<TileRun> &runs) {
    unsigned dim = runs.size();
    if (dim == grid.rank())
      return emitTile(index, runs);
    emitRuns(index, runs, grid.runs(dim));
  }

  void emitRuns(ValueRange index, SmallVector<TileRun> &runs,
                ArrayRef<TileRun> left) {
    unsigned dim = runs.size();
    auto emitFirst = [&] {
      runs.push_back(left.front());
      chooseRuns(index, runs);
      runs.pop_back();
    };
    if (left.size() == 1)
      return emitFirst();
    b.ifThen(b.less(index[dim], b.index(left.front().end)), emitFirst,
             [&] { emitRuns(index, runs, left.drop_front()); });
  }

  void emitTile(ValueRange index, ArrayRef<TileRun> runs) {
    shifts.clear();
    place = {index, runs};
    SmallVector<int64_t> first;
    for (auto [dim, run] : llvm::enumerate(runs)) {
      first.push_back(run.begin);
      bool isOne = run.end == run.begin + 1;
      Value tiles = isOne ? b.index(0) : b.sub(index[dim], b.index(run.begin));
      shifts.push_back(b.mul(tiles, grid.size(unsigned(dim))));
    }
    tile = grid.footprintsAt(first);
    auto stages = group.getBlock().getOps<kernel::StageOp>();
    for (auto [number, stage] : llvm::enumerate(stages))
      emitStage(unsigned(number), stage);
  }

  void emitStage(unsigned number, kernel::StageOp stage) {
    if (!tried.empty() && tried[number] < 0)
      return;
    const StageFootprint &footprint = tile[number];
    Part result = resultOf(number, stage);
    if (footprint.result != footprint.needed)
      clearHalo(stage.getLoc(), result);
    StageGroup box(stage, footprint);
    SmallVector<Part> operands;
    for (unsigned i = 0; i < stage.getInputs().size(); ++i)
      operands.push_back(operandOf(number, stage, i));
    FailureOr<StageInfo> info =
        emitGroup(box.get(), operands, result,
                  planAt(stage, box.get(), footprint, planned[number],
                         request.device, b.target(), team),
                  stage.getScratch().value_or(ArrayRef<int64_t>()));
    if (failed(info))
      return;
    int64_t &over = tried.empty() ? overwrites[number] : tried[number];
    if (over >= 0 && !mayLieOver(number, stage, over, *info)) {
      if (tried.empty())
        stage.emitOpError("cannot overwrite operand ") << over;
      broken |= tried.empty();
      over = -1;
    }
    if (tried.empty() && grid.place(number).isCopied())
      storePart(number, stage);
  }

  /// Whether the stage may store where an operand lies. Zeros around one of
  /// them would lie in the other; and of what begins elsewhere for each tile,
  /// the wrong part.
  bool mayLieOver(unsigned number, kernel::StageOp stage, int64_t operand,
                  const StageInfo &info) {
    if (!canOverwrite(stage, number, operand, grid))
      return false;
    unsigned producer = *producerOf(stage, unsigned(operand));
    const StageFootprint &own = tile[number], &other = tile[producer];
    bool hasZeros = other.result != other.needed || own.result != own.needed;
    return own.operands[operand] == other.needed && !hasZeros &&
           llvm::is_contained(info.inPlace, std::pair(unsigned(operand), 0u));
  }

  /// All of a group's tiles and steps, one after the other.
  FailureOr<StageInfo> emitGroup(kernel::GroupOp part, ArrayRef<Part> operands,
                                 const Part &result, kernel::PlanAttr plan,
                                 ArrayRef<int64_t> scratch) {
    part.setPlanAttr(plan);
    const Strategy *strategy = strategyOf(part);
    if (!strategy) {
      broken = true;
      return part.emitOpError("has no plan of any strategy");
    }
    Values pointers;
    SmallVector<BufferType> types;
    for (const Part &operand : operands) {
      pointers.push_back(operand.pointer);
      types.push_back(operand.type);
    }
    pointers.push_back(result.pointer);
    Value own = addScratch(pointers, scratch);
    // How many tiles of its own a stage has is known when its code is there.
    auto end = LLVM::UndefOp::create(b.builder(), part.getLoc(), b.i64Type());
    FailureOr<StageInfo> info = failure();
    share({b.index(0), end}, [&](Interval tiles) {
      KernelBuilder inner(b, part.getLoc(), pointers, tiles, own);
      info = strategy->emit({request.device,
                             request.function,
                             inner,
                             part,
                             types,
                             {result.type},
                             plan});
    });
    broken |= failed(info) || !info->steps.isFixed() || !info->tiles.isFixed();
    OpBuilder before(end);
    int64_t runs = broken ? 0 : info->steps.fixed() * info->tiles.fixed();
    Value tiles = arith::ConstantOp::create(before, part.getLoc(),
                                            before.getI64IntegerAttr(runs));
    end->replaceAllUsesWith(ValueRange(tiles));
    end->erase();
    return info;
  }

  /// Builds what runs all parts of something, one after the other or by the
  /// team, which then waits.
  void share(Interval parts, function_ref<void(Interval)> emit) {
    if (!team)
      return emit(parts);
    team->share(b, parts.end, emit);
    team->wait(b);
  }

  /// Behind the local buffers, what a plan asks for; returns where the thread's
  /// own begins.
  Value addScratch(Values &pointers, ArrayRef<int64_t> scratch) {
    int64_t offset = locals.size;
    for (int64_t bytes : scratch) {
      pointers.push_back(local(offset));
      offset += llvm::alignTo(bytes, LocalBuffers::alignment);
    }
    return local(offset);
  }

  Value local(int64_t offset) {
    return b.at(b.threadScratch(), offset, b.builder().getI8Type());
  }

  /// Copies what this tile stores of a result that is local.
  void storePart(unsigned number, kernel::StageOp stage) {
    Value isFirst;
    for (unsigned dim : grid.repeated(number)) {
      if (place.runs[dim].begin > 0)
        return;
      if (place.runs[dim].end == 1)
        continue;
      Value here = b.equal(place.index[dim], b.index(0));
      isFirst = isFirst ? b.choose(isFirst, here, isFirst) : here;
    }
    const BoxMap &box = tile[number].owned;
    if (llvm::any_of(box, [](const BoxDim &dim) { return dim.span < 1; }))
      return;
    StageGroup copy = StageGroup::copyOf(stage, tile[number]);
    FailureOr<StagePlan> plan =
        planInTile(copy.get(), request.device, b.target(), team);
    if (failed(plan)) {
      broken = true;
      return;
    }
    auto emit = [&] {
      const BoxMap &general = grid.footprints()[number].owned;
      Part to = inResult(number, box, general);
      (void)emitGroup(copy.get(), inLocal(number, stage, box, general), to,
                      plan->plan, plan->scratchBytes);
    };
    isFirst ? b.ifThen(isFirst, emit) : emit();
  }

  /// Zeros around the part of a local buffer that its stage computes.
  void clearHalo(Location loc, const Part &part) {
    share({b.index(0), b.index(zeroHaloTiles(b, part.type))},
          [&](Interval tiles) {
            KernelBuilder inner(b, loc, {part.pointer}, tiles);
            emitZeroHalo(inner, part.type);
          });
  }

  /// From the first tile that looks like this one.
  Value shiftOf(const BoxDim &dim) {
    Value moved = b.mul(shifts[dim.tileDim], dim.scale);
    return dim.divisor == 1 ? moved : b.div(moved, dim.divisor);
  }

  /// The same of a box, in elements of a tensor with `strides`.
  Value distance(const BoxMap &general, ArrayRef<int64_t> strides) {
    Value sum = b.index(0);
    for (auto [any, stride] : llvm::zip_equal(general, strides))
      if (any.tileDim >= 0)
        sum = b.add(sum, b.mul(shiftOf(any), stride));
    return sum;
  }

  /// The box of a tensor that lies in memory as `whole` says. What is the same
  /// in all tiles is part of its type, so that free space around is seen.
  Part inMemory(Value pointer, BufferType whole, const BoxMap &box,
                const BoxMap &general) {
    RankedTensorType tensor = tensorOf(whole.getTensor(), box);
    int64_t offset = whole.getOffset();
    for (auto [dim, stride] : llvm::zip_equal(box, whole.getStrides()))
      offset += dim.offset * stride;
    auto type = BufferType::get(tensor.getContext(), tensor, whole.getStrides(),
                                offset, whole.getBytes());
    Value shift = distance(general, whole.getStrides());
    return {b.at(pointer, shift, whole.getElementType()), type};
  }

  /// The box of what stage `number` leaves in its local buffer. Readers of all
  /// of a dimension let it stay where others of the same move.
  Part inLocal(unsigned number, kernel::StageOp stage, const BoxMap &box,
               const BoxMap &general) {
    const BoxMap &needed = tile[number].needed;
    auto buffer =
        BufferType::getDense(tensorOf(stage.getResult().getType(), needed));
    int64_t offset = 0;
    Value moved = b.index(0);
    for (auto [dim, all, any, anyOfAll, stride] :
         llvm::zip_equal(box, needed, general, grid.footprints()[number].needed,
                         buffer.getStrides())) {
      offset += (dim.offset - all.offset) * stride;
      if (any.tileDim >= 0 && anyOfAll.tileDim < 0)
        moved = b.add(moved, b.mul(shiftOf(any), stride));
    }
    RankedTensorType tensor = tensorOf(buffer.getTensor(), box);
    Value start = local(locals.offsets[number]);
    return {b.at(start, moved, buffer.getElementType()),
            BufferType::get(tensor.getContext(), tensor, buffer.getStrides(),
                            offset, buffer.getBytes())};
  }

  Part resultOf(unsigned number, kernel::StageOp stage) {
    const BoxMap &box = tile[number].result;
    if (grid.place(number).isLocal)
      return inLocal(number, stage, box, grid.footprints()[number].needed);
    return inResult(number, box, grid.footprints()[number].result);
  }

  /// The box of what stage `number` stores in memory.
  Part inResult(unsigned number, const BoxMap &box, const BoxMap &general) {
    unsigned result = *grid.place(number).result;
    return inMemory(b.buffer(unsigned(request.operands.size()) + result),
                    request.results[result], box, general);
  }

  Part operandOf(unsigned number, kernel::StageOp stage, unsigned index) {
    Value input = stage.getInputs()[index];
    const BoxMap &box = tile[number].operands[index];
    if (std::optional<unsigned> producer = producerOf(stage, index)) {
      const BoxMap &general = grid.footprints()[number].operands[index];
      return grid.place(*producer).isLocal
                 ? inLocal(*producer, input.getDefiningOp<kernel::StageOp>(),
                           box, general)
                 : inResult(*producer, box, general);
    }
    auto argument = cast<BlockArgument>(input);
    Value pointer = b.buffer(argument.getArgNumber());
    BufferType whole = request.operands[argument.getArgNumber()];
    // A packed constant does not lie as its tensor; its box is all of it.
    if (whole.getShape() !=
        cast<RankedTensorType>(argument.getType()).getShape())
      return {pointer, whole};
    return inMemory(pointer, whole, box,
                    grid.footprints()[number].operands[index]);
  }

  const StageRequest &request;
  KernelBuilder &b;
  kernel::GroupOp group;
  const TileGrid &grid;
  TileTeam *team;
  Overwrites overwrites;
  Overwrites tried; ///< of stages that are tried out; empty: none is
  LocalBuffers locals;
  SmallVector<StageFootprint> planned; ///< of the tile that plans are for
  /// Of the tile that runs, and the cases that it belongs to.
  struct {
    ValueRange index;
    ArrayRef<TileRun> runs;
  } place;
  SmallVector<StageFootprint> tile; ///< of the first one that looks so
  Values shifts; ///< from that one to this one, along the tiled dimensions
  bool broken = false;
};
} // namespace

Overwrites codegen::overwritesOf(kernel::GroupOp group, const TileGrid &grid,
                                 const Device &device,
                                 const tile::Target &target) {
  Overwrites candidates = mayOverwrite(group, grid);
  if (llvm::all_of(candidates, [](int64_t operand) { return operand < 0; }))
    return candidates;
  OwningOpRef<ModuleOp> module(ModuleOp::create(group.getLoc()));
  CalledFunction function(*module, group.getLoc(), "tried",
                          group.getNumOperands() + group.getNumResults());
  KernelBuilder b(function, group.getLoc(), target);
  MLIRContext *context = group.getContext();
  auto plan = kernel::PlanAttr::get(context, stagesStrategy.name,
                                    DictionaryAttr::get(context));
  auto dense = [](Type type) {
    return BufferType::getDense(cast<RankedTensorType>(type));
  };
  StageRequest request{device,
                       function,
                       b,
                       group,
                       llvm::map_to_vector(group.getOperandTypes(), dense),
                       llvm::map_to_vector(group.getResultTypes(), dense),
                       plan};
  candidates = StagesEmitter(request, grid).tryOut(std::move(candidates));
  function.finish();
  return candidates;
}

FailureOr<StageInfo> codegen::emitStages(const StageRequest &request) {
  FailureOr<TileGrid> grid = TileGrid::create(request.group);
  if (failed(grid))
    return failure();
  return StagesEmitter(request, *grid).emit();
}

FailureOr<StageInfo> codegen::emitTeam(const StageRequest &request,
                                       TileTeam &team) {
  FailureOr<TileGrid> grid = TileGrid::create(request.group);
  if (failed(grid))
    return failure();
  return StagesEmitter(request, *grid, &team).emit();
}
