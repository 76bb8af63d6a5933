//===- Describe.cpp - from launches to an artifact description ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Describe.h"

#include "dialects/Control/ElementCode.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Size.h"
#include "dialects/Graph/States.h"
#include "dialects/Kernel/Buffers.h"
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Vm/Vm.h"
#include "passes/Emit/DescribeDevice.h"
#include "passes/Emit/DescribeHost.h"
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/Guards.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Passes.h"
#include "passes/Memory/Reach.h"

using namespace mlir;
using namespace tenon;
using artifact::ArtifactDesc;
using artifact::BufferRef;
using artifact::Space;
using emit::StoredConstant;

std::optional<artifact::DType> emit::dtypeOf(Type type) {
  std::optional<control::ElementCode> code = control::elementCode(type);
  if (!code)
    return std::nullopt;
  return artifact::DType{uint8_t(code->code), uint8_t(code->bits)};
}

/// The plan that was taken comes first with its own time, which is not the
/// least where plans were measured. Kernels have the names of strategies:
/// "gemm_12".
static std::vector<std::pair<std::string, Time>>
costsOf(kernel::LaunchOp launch) {
  std::vector<std::pair<std::string, Time>> costs;
  StringRef taken;
  if (std::optional<uint64_t> time = launch.getTime()) {
    taken = launch.getCallee().rsplit('_').first;
    costs.emplace_back(taken.str(), Time{double(*time)});
  }
  DictionaryAttr offers = launch.getCostsAttr();
  for (NamedAttribute offer :
       offers ? offers.getValue() : ArrayRef<NamedAttribute>())
    if (offer.getName() != taken)
      costs.emplace_back(
          offer.getName().str(),
          Time{double(cast<IntegerAttr>(offer.getValue()).getInt())});
  std::stable_sort(costs.begin() + !taken.empty(), costs.end(),
                   llvm::less_second());
  return costs;
}

namespace {
/// Describes one program, the entry of that number.
class Describer {
public:
  Describer(func::FuncOp program, unsigned entry, ArtifactDesc &desc,
            artifact::VariantDesc &variant, emit::WeightPool &pool,
            emit::SizeProgram &sizes,
            const llvm::StringMap<uint32_t> &kernelIndex)
      : program(program), entry(entry), desc(desc), variant(variant),
        pool(pool), sizes(sizes), kernelIndex(kernelIndex) {}

  LogicalResult run(bool isFirst) {
    using memory::MemoryDialect;
    MemoryDialect::InputsAttrHelper inputs(program.getContext());
    MemoryDialect::OutputsAttrHelper outputs(program.getContext());
    if (failed(bindStates(program, inputs, outputs, isFirst)))
      return failure();
    if (isFirst && failed(bindSizes(program, inputs)))
      return failure();
    nameSizes(program, isFirst);
    if (isFirst &&
        (failed(signature(program, inputs, desc.entries[entry].inputs)) ||
         failed(signature(program, outputs, desc.entries[entry].outputs))))
      return failure();
    collectWeights(program);
    placeAllocations(program);
    firstLaunch = variant.launches.size();
    memory::MemoryDialect::ArenaGuardAttrHelper guardOf(program.getContext());
    const bool hasStreams = memory::hasStreams(program);
    for (auto launch : program.getOps<kernel::LaunchOp>()) {
      if (failed(emit::describeDevice(launch, variant)))
        return failure();
      variant.launches.push_back(describe(launch));
      const bool isInWave = launch.getWave() && !guardOf.isAttrPresent(program);
      if (isInWave)
        joinWave(launch, variant.launches.back());
      if (isInWave || hasStreams)
        addPieces(launch, variant.launches.back());
    }
    return plan(program);
  }

private:
  /// The number in a signature of the tensor with this name, and its type.
  static std::pair<unsigned, RankedTensorType> findTensor(ArrayAttr list,
                                                          StringAttr name) {
    for (auto [i, entry] : llvm::enumerate(list.getAsRange<DictionaryAttr>()))
      if (entry.getAs<StringAttr>("name") == name)
        return {i, cast<RankedTensorType>(
                       entry.getAs<TypeAttr>("type").getValue())};
    return {0, RankedTensorType()};
  }

  /// The capacity of a state that grows to this type.
  unsigned capacityOf(const graph::State &state, RankedTensorType output) {
    for (auto [i, room] : llvm::enumerate(rooms))
      if (room.symbol == state.room)
        return i;
    rooms.push_back({state.room, graph::dimsOf(output)[*state.axis]});
    return rooms.size() - 1;
  }

  /// The weight that a state is at first.
  std::optional<uint32_t> firstOf(const graph::State &state) {
    if (!state.first)
      return std::nullopt;
    auto type = cast<RankedTensorType>(state.first.getShapedType());
    uint64_t bytes = uint64_t(type.getNumElements()) *
                     uint64_t(graph::elementBytes(type.getElementType()));
    return pool.add({state.first, {}, bytes}, desc.weights);
  }

  /// Whether the states of two variants are the same ones. Those are updated
  /// that are in both.
  static bool agree(std::vector<artifact::StateDesc> &all,
                    std::vector<artifact::StateDesc> &states) {
    if (all.size() != states.size())
      return false;
    for (auto [one, other] : llvm::zip_equal(all, states))
      one.isUpdated = other.isUpdated = one.isUpdated && other.isUpdated;
    return all == states;
  }

  /// All variants have the states of the first: callers know one signature.
  template <typename Helper, typename OutputHelper>
  LogicalResult bindStates(func::FuncOp main, Helper inputs,
                           OutputHelper outputs, bool isFirst) {
    std::vector<artifact::StateDesc> states;
    for (const graph::State &state : graph::statesOf(main)) {
      auto [input, inputType] = findTensor(inputs.getAttr(main), state.input);
      auto [output, outputType] =
          findTensor(outputs.getAttr(main), state.output);
      if (!inputType || (state.output && !outputType) ||
          (state.axis && *state.axis >= outputType.getRank()) ||
          (state.first && state.first.getShapedType() != inputType))
        return main.emitError("state '")
               << state.input.getValue() << "' is not in the signature";
      artifact::StateDesc bound{input,
                                state.output ? output : artifact::stateIsRead};
      bound.role = uint32_t(state.role);
      bound.first = firstOf(state);
      bound.isUpdated = state.isUpdated;
      if (state.axis) {
        bound.axis = *state.axis;
        bound.capacity = capacityOf(state, outputType);
      }
      states.push_back(bound);
    }
    if (isFirst)
      desc.entries[entry].states = states;
    else if (!agree(desc.entries[entry].states, states))
      return main.emitError("states grow in place for one processor and not "
                            "for another: compile for one");
    return success();
  }

  template <typename Helper>
  LogicalResult bindSizes(func::FuncOp main, Helper listOf) {
    ArrayAttr list = listOf.getAttr(main);
    auto constraints =
        graph::ConstraintStore::load(main->getParentOfType<ModuleOp>());
    if (!list || failed(constraints))
      return main.emitOpError("has no '") << listOf.getNameStr() << "'";
    SmallVector<RankedTensorType> types;
    for (auto entry : list.getAsRange<DictionaryAttr>())
      types.push_back(
          cast<RankedTensorType>(entry.getAs<TypeAttr>("type").getValue()));
    sizes.bind(types, *constraints, rooms);
    return success();
  }

  static graph::Size denseBytes(RankedTensorType type) {
    return graph::productOf(graph::sizesOf(type)) *
           graph::elementBytes(type.getElementType());
  }

  /// Of an input: its own registers.
  artifact::TensorDesc tensorOf(StringRef name, RankedTensorType type,
                                artifact::DType element,
                                std::optional<unsigned> input) {
    artifact::TensorDesc tensor{name.str(), element, {}};
    for (auto [i, dim] : llvm::enumerate(graph::dimsOf(type))) {
      tensor.shape.push_back(input ? sizes.extent(*input, i)
                                   : sizes.valueOf(dim));
      tensor.dimNames.push_back(graph::isSymbolic(dim) ? graph::dimText(dim)
                                                       : "");
    }
    if (type.hasStaticShape())
      tensor.dimNames.clear();
    else
      tensor.byteSize = sizes.valueOf(denseBytes(type));
    return tensor;
  }

  template <typename Helper>
  LogicalResult signature(func::FuncOp main, Helper listOf,
                          std::vector<artifact::TensorDesc> &tensors) {
    ArrayAttr list = listOf.getAttr(main);
    if (!list)
      return main.emitOpError("has no '") << listOf.getNameStr() << "'";
    for (auto listed : list.getAsRange<DictionaryAttr>()) {
      auto type =
          cast<RankedTensorType>(listed.getAs<TypeAttr>("type").getValue());
      auto element = emit::dtypeOf(type.getElementType());
      if (!element)
        return main.emitError("an artifact cannot hold ") << type;
      bool isInput = &tensors == &desc.entries[entry].inputs;
      std::optional<unsigned> input;
      if (isInput)
        input = tensors.size();
      tensors.push_back(tensorOf(listed.getAs<StringAttr>("name").getValue(),
                                 type, *element, input));
    }
    return success();
  }

  void addCheck(kernel::CheckOp check) {
    sizes.setNode(check.getNodes());
    sizes.add(check.getBroadcasts() ? artifact::SizeOp::Broadcast
              : check.getAtLeast()  ? artifact::SizeOp::CheckAtLeast
                                    : artifact::SizeOp::CheckEqual,
              sizes.valueOf(check.getLhs()), sizes.valueOf(check.getRhs()));
  }

  /// What a launch writes is computed with the name of its node.
  void nameWritten(Value buffer, StringRef nodes) {
    auto tensor = cast<memory::BufferType>(buffer.getType()).getTensor();
    for (Attribute dim : graph::dimsOf(tensor))
      for (StringAttr symbol : graph::symbolsOf(dim))
        sizes.valueOf(symbol);
    if (buffer.getDefiningOp<memory::OutputOp>())
      sizes.valueOf(denseBytes(tensor));
    writers.try_emplace(buffer, nodes);
  }

  /// Computes what only some node asks for before others need it, so that
  /// errors name that node.
  void nameSizes(func::FuncOp main, bool isFirst) {
    if (isFirst)
      for (auto check : main.getOps<kernel::CheckOp>())
        addCheck(check);
    for (auto launch : main.getOps<kernel::LaunchOp>()) {
      sizes.setNode(launch.getNodes());
      for (Value buffer : launch.getWrites())
        nameWritten(buffer, launch.getNodes());
    }
    sizes.setNode("");
  }

  /// Where each allocation starts: as it was planned, or the largest end of
  /// those that it lies above.
  void placeAllocations(func::FuncOp main) {
    for (auto alloc : main.getOps<memory::AllocOp>())
      offsets[alloc] = int64_t(alloc.getOffset().value_or(0));
    if (!memory::hasSymbols(main))
      return;
    auto buffers = memory::computeLiveness(main);
    std::vector<int64_t> ends(buffers.size());
    for (unsigned i : memory::bottomUp(buffers)) {
      memory::AllocOp alloc = buffers[i].alloc;
      int64_t start = 0;
      for (int64_t below : alloc.getAbove().value_or(ArrayRef<int64_t>()))
        start = sizes.max(start, ends[below]);
      offsets[alloc] = start;
      ends[i] = sizes.add(artifact::SizeOp::Add, start,
                          sizes.roundUp(bytesOf(alloc), 64));
      arenaEnd = sizes.max(arenaEnd, ends[i]);
    }
    for (memory::LiveBuffer &buffer : buffers)
      if (auto place = buffer.alloc.getInPlaceOf())
        offsets[buffer.alloc] = offsets[buffers[*place].alloc];
    sizes.setNode("");
  }

  int64_t bytesOf(memory::AllocOp alloc) {
    sizes.setNode(writers.lookup(alloc.getBuffer()));
    return sizes.valueOf(kernel::bytesOf(alloc.getBuffer().getType()));
  }

  void collectWeights(func::FuncOp main) {
    for (auto constant : main.getOps<memory::ConstantOp>())
      weightIndex[constant] =
          pool.add(StoredConstant::of(constant), desc.weights);
  }

  LogicalResult plan(func::FuncOp main) {
    using memory::MemoryDialect;
    MLIRContext *context = main.getContext();
    IntegerAttr arena =
        MemoryDialect::ArenaBytesAttrHelper(context).getAttr(main);
    IntegerAttr bound =
        MemoryDialect::ArenaLowerBoundBytesAttrHelper(context).getAttr(main);
    if (!arena || !bound)
      return main.emitOpError("has no memory plan");
    bool isSymbolic = memory::hasSymbols(main);
    noteArena(isSymbolic ? arenaEnd : arena.getInt(),
              isSymbolic ? arena.getInt() : 0, isSymbolic ? 0 : bound.getInt());
    auto constraints =
        graph::ConstraintStore::load(main->getParentOfType<ModuleOp>());
    if (failed(constraints))
      return failure();
    noteBound(isSymbolic ? memory::arenaBound(main, *constraints)
                         : arena.getInt());
    auto buffers = memory::computeLiveness(main);
    memory::countInLaunches(main, buffers);
    if (StringAttr side =
            MemoryDialect::ArenaGuardAttrHelper(context).getAttr(main)) {
      variant.plan.guard = side.getValue() == "below" ? artifact::Guard::Below
                                                      : artifact::Guard::Above;
      variant.plan.arenaAlignment = artifact::guardBytes;
      memory::startAtFirstWrite(main, buffers);
    }
    // The buffers of several programs say nothing together.
    if (desc.entries.size() > 1)
      return success();
    for (auto [i, live] : llvm::enumerate(buffers)) {
      memory::AllocOp alloc = live.alloc;
      variant.plan.buffers.push_back({uint32_t(i), offsets[alloc],
                                      bytesOf(alloc), uint32_t(live.first),
                                      uint32_t(live.last)});
    }
    return success();
  }

  /// One program's arena is the plan's; of several, which run one after the
  /// other, the plan has the largest.
  void noteArena(int64_t bytes, int64_t typical, int64_t lowerBound) {
    artifact::PlanDesc &plan = variant.plan;
    if (desc.entries.size() > 1) {
      plan.programArenas.resize(desc.entries.size());
      plan.programArenas[entry] = bytes;
      bytes = std::max(plan.arenaBytes, std::max<int64_t>(bytes, 0));
    }
    plan.arenaBytes = bytes;
    plan.typicalArenaBytes = std::max(plan.typicalArenaBytes, typical);
    plan.lowerBoundBytes = std::max(plan.lowerBoundBytes, uint64_t(lowerBound));
  }

  /// One program without a bound leaves all without.
  void noteBound(std::optional<int64_t> bytes) {
    std::optional<int64_t> &bound = variant.plan.boundBytes;
    bound =
        bytes && bound ? std::optional(std::max(*bytes, *bound)) : std::nullopt;
  }

  artifact::LaunchDesc describe(kernel::LaunchOp launch) {
    artifact::LaunchDesc result;
    result.entry = entry;
    result.kernel = kernelIndex.lookup(launch.getCallee());
    result.tiles = sizes.valueOf(launch.getTiles());
    if (ArrayAttr passed = launch.getSizesAttr())
      for (Attribute dim : passed)
        result.sizes.push_back(sizes.valueOf(dim));
    if (Attribute steps = launch.getStepsAttr())
      result.steps = sizes.valueOf(steps);
    result.readCount = launch.getReads().size();
    for (Value buffer : launch->getOperands())
      result.refs.push_back(refOf(buffer));
    SmallVector<StringRef> nodes;
    launch.getNodes().split(nodes, ';', -1, /*KeepEmpty=*/false);
    result.nodes.assign(nodes.begin(), nodes.end());
    kernel::RunCounts counts = kernel::runCountsOf(launch);
    result.flops = counts.flops ? sizes.valueOf(*counts.flops) : 0;
    result.bytes = sizes.valueOf(counts.bytes);
    result.typicalFlops = launch.getFlops();
    result.typicalBytes = launch.getBytes();
    result.costs = costsOf(launch);
    result.scratchBytes = launch.getThreadScratch();
    result.stream = launch.getStream().value_or(0);
    for (int64_t wait : launch.getWaits().value_or(ArrayRef<int64_t>()))
      result.waits.push_back(firstLaunch + wait);
    return result;
  }

  /// Guarded launches run alone. Waves are numbered from 0.
  void joinWave(kernel::LaunchOp launch, artifact::LaunchDesc &result) {
    std::optional<uint64_t> before = std::exchange(wave, launch.getWave());
    waveNumber += before && before != wave;
    result.wave = waveNumber;
    result.nanoseconds = uint32_t(
        std::clamp<int64_t>(memory::timeOf(launch).rounded(), 1, UINT32_MAX));
  }

  /// What it writes beside others that run at the same time, where that is less
  /// than all bytes of a buffer.
  static void addPieces(kernel::LaunchOp launch, artifact::LaunchDesc &result) {
    for (auto [i, buffer] : llvm::enumerate(launch.getWrites())) {
      BufferRef &ref = result.refs[result.readCount + i];
      memory::Reach reach = memory::writtenBy(launch, buffer);
      if (reach.isAll)
        continue;
      Value storage = buffer;
      const int64_t shift = toStorage(storage);
      const int64_t begin = reach.begin - shift, end = reach.end - shift;
      if (begin || end != ref.size || reach.run != end)
        ref.piece = {begin, end, reach.run, reach.pitch};
    }
  }

  /// Makes a buffer the storage that it is a view of; returns where it begins
  /// there.
  static int64_t toStorage(Value &buffer) {
    int64_t shift = 0;
    while (auto view = buffer.getDefiningOp<memory::ViewOp>()) {
      shift += view.getByteOffset();
      buffer = view.getSource();
    }
    return shift;
  }

  BufferRef refOf(Value buffer) {
    auto type = cast<memory::BufferType>(buffer.getType());
    BufferRef ref;
    const int64_t shift = toStorage(buffer);
    Operation *op = buffer.getDefiningOp();
    if (auto alloc = dyn_cast<memory::AllocOp>(op))
      ref = {Space::Arena, 0, offsets[alloc], 0};
    else if (auto input = dyn_cast<memory::InputOp>(op))
      ref = {Space::Input, uint32_t(input.getIndex()), 0, 0};
    else if (auto output = dyn_cast<memory::OutputOp>(op))
      ref = {Space::Output, uint32_t(output.getIndex()), 0, 0};
    else
      ref = {Space::Weights, 0, int64_t(desc.weights[weightIndex[op]].offset),
             0};
    ref.offset = sizes.add(artifact::SizeOp::Add, ref.offset, shift);
    ref.size = bytesReached(type);
    return ref;
  }

  /// The last element of no rows lies before the first one: of rows that are
  /// further apart than they are long, before what the buffer reaches.
  int64_t bytesReached(memory::BufferType type) {
    graph::Size bytes = kernel::bytesOf(type);
    int64_t value = sizes.valueOf(bytes);
    return bytes == denseBytes(type.getTensor()) ? value
                                                 : sizes.atLeastZero(value);
  }

  func::FuncOp program;
  unsigned entry;
  ArtifactDesc &desc;
  artifact::VariantDesc &variant;
  emit::WeightPool &pool;
  emit::SizeProgram &sizes;
  const llvm::StringMap<uint32_t> &kernelIndex;
  SmallVector<emit::SizeProgram::Room> rooms;
  llvm::DenseMap<Operation *, int64_t> offsets; ///< of allocations
  size_t firstLaunch = 0;                       ///< of the program, among all
  std::optional<uint64_t> wave; ///< of the last launch that was in one
  uint32_t waveNumber = 0;      ///< of that wave
  llvm::DenseMap<Value, StringRef> writers; ///< nodes of who writes a buffer
  int64_t arenaEnd = 0; ///< of the highest, where sizes depend on symbols
  llvm::DenseMap<Operation *, size_t> weightIndex;
};
} // namespace

bool emit::isKernel(Operation *op) {
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return cuda::isKernel(function);
  auto function = dyn_cast<func::FuncOp>(op);
  return function && function.isPrivate();
}

/// Describes the kernels, and gives each its number.
static llvm::StringMap<uint32_t>
collectKernels(ModuleOp module, artifact::VariantDesc &variant) {
  using kernel::KernelDialect;
  KernelDialect::ErrorGrowthAttrHelper growthOf(module.getContext());
  KernelDialect::OneCallAttrHelper isOneCall(module.getContext());
  KernelDialect::CheckedAttrHelper isChecked(module.getContext());
  llvm::StringMap<uint32_t> numbers;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!emit::isKernel(function))
      continue;
    numbers[function.getName()] = variant.kernels.size();
    FloatAttr growth = growthOf.getAttr(function);
    variant.kernels.push_back(
        {function.getName().str(), 0, growth ? growth.getValueAsDouble() : 1,
         isOneCall.isAttrPresent(function), isChecked.isAttrPresent(function)});
  }
  return numbers;
}

/// The model's entry first: bytecode where there is some. What it calls, users
/// do not see.
void emit::Description::addEntries(ModuleOp module) {
  desc.entries.clear();
  for (auto host : module.getOps<vm::FuncOp>())
    if (host.isPublic())
      desc.entries.push_back({host.getName().str()});
  bool hasHost = !desc.entries.empty();
  for (func::FuncOp program : graph::programs(module)) {
    desc.entries.push_back({program.getName().str()});
    desc.entries.back().isInternal = hasHost;
  }
  sizes.resize(desc.entries.size());
}

/// The size programs, where some entry has symbols.
void emit::Description::addSizes() {
  auto hasSome = [](SizeProgram &program) {
    return !program.code().empty() || program.hasSymbols();
  };
  desc.sizePrograms.clear();
  if (llvm::any_of(sizes, hasSome))
    for (SizeProgram &program : sizes)
      desc.sizePrograms.push_back(program.code());
}

LogicalResult emit::Description::add(ModuleOp module,
                                     artifact::VariantDesc variant) {
  bool isFirst = std::exchange(isEmpty, false);
  if (isFirst) {
    desc.variants.clear();
    addEntries(module);
    if (desc.entries.empty())
      return graph::requirePrograms(module);
    if (failed(describeHost(module, desc, weights, sizes.front())))
      return failure();
  }
  llvm::StringMap<uint32_t> kernels = collectKernels(module, variant);
  SmallVector<func::FuncOp> programs = graph::programs(module);
  unsigned entry = desc.entries.size() - programs.size();
  for (func::FuncOp program : programs) {
    Describer describer(program, entry, desc, variant, weights, sizes[entry],
                        kernels);
    if (failed(describer.run(isFirst)))
      return failure();
    ++entry;
  }
  addSizes();
  desc.variants.push_back(std::move(variant));
  return success();
}
