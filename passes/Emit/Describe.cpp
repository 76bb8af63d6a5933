//===- Describe.cpp - from launches to an artifact description ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Emit/Describe.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Size.h"
#include "dialects/Graph/States.h"
#include "dialects/Kernel/Buffers.h"
#include "dialects/Kernel/Kernel.h"
#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/Guards.h"
#include "passes/Memory/Passes.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using artifact::ArtifactDesc;
using artifact::BufferRef;
using artifact::Space;

static std::optional<artifact::DType> floatDtype(FloatType type) {
  using Result = std::optional<artifact::DType>;
  using namespace artifact;
  return llvm::TypeSwitch<FloatType, Result>(type)
      .Case([](Float32Type) { return dtype::f32; })
      .Case([](Float64Type) { return dtype::f64; })
      .Case([](Float16Type) { return dtype::f16; })
      .Case([](BFloat16Type) { return dtype::bf16; })
      .Case([](Float8E4M3FNType) { return dtype::f8E4M3FN; })
      .Case([](Float8E4M3FNUZType) { return dtype::f8E4M3FNUZ; })
      .Case([](Float8E5M2Type) { return dtype::f8E5M2; })
      .Case([](Float8E5M2FNUZType) { return dtype::f8E5M2FNUZ; })
      .Case([](Float8E8M0FNUType) { return dtype::f8E8M0FNU; })
      .Case([](Float4E2M1FNType) { return dtype::f4E2M1FN; })
      .Default([](Type) { return std::nullopt; });
}

std::optional<artifact::DType> emit::dtypeOf(Type type) {
  using namespace artifact;
  if (auto real = dyn_cast<FloatType>(type))
    return floatDtype(real);
  auto integer = dyn_cast<IntegerType>(type);
  if (!integer)
    return std::nullopt;
  unsigned width = integer.getWidth();
  if (width == 1)
    return dtype::i1;
  return DType{uint8_t(integer.isUnsigned() ? 1 : 0), uint8_t(width)};
}

namespace {
/// Describes one program.
class Describer {
public:
  Describer(ModuleOp module, ArtifactDesc &desc, artifact::VariantDesc &variant,
            emit::WeightPool &pool, emit::SizeProgram &sizes)
      : module(module), desc(desc), variant(variant), pool(pool), sizes(sizes) {
  }

  LogicalResult run(bool isFirst) {
    FailureOr<func::FuncOp> program = graph::requireProgram(module);
    if (failed(program))
      return failure();
    using memory::MemoryDialect;
    MemoryDialect::InputsAttrHelper inputs(module.getContext());
    MemoryDialect::OutputsAttrHelper outputs(module.getContext());
    if (failed(bindStates(*program, inputs, outputs, isFirst)))
      return failure();
    if (isFirst &&
        (failed(bindSizes(*program, inputs)) ||
         failed(signature(*program, inputs, desc.entries[0].inputs)) ||
         failed(signature(*program, outputs, desc.entries[0].outputs))))
      return failure();
    collectWeights(*program);
    collectKernels(*program);
    if (isFirst)
      for (auto check : program->getOps<kernel::CheckOp>())
        addCheck(check);
    placeAllocations(*program);
    for (auto launch : program->getOps<kernel::LaunchOp>())
      variant.launches.push_back(describe(launch));
    return plan(*program);
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

  /// All variants have the states of the first: callers know one signature.
  template <typename Helper, typename OutputHelper>
  LogicalResult bindStates(func::FuncOp main, Helper inputs,
                           OutputHelper outputs, bool isFirst) {
    std::vector<artifact::StateDesc> states;
    for (const graph::State &state : graph::statesOf(module)) {
      auto [input, inputType] = findTensor(inputs.getAttr(main), state.input);
      auto [output, outputType] =
          findTensor(outputs.getAttr(main), state.output);
      if (!inputType || !outputType ||
          (state.axis && *state.axis >= outputType.getRank()))
        return main.emitError("state '")
               << state.input.getValue() << "' is not in the signature";
      states.push_back({input, output});
      if (!state.axis)
        continue;
      states.back().axis = *state.axis;
      states.back().capacity = capacityOf(state, outputType);
    }
    if (isFirst)
      desc.entries[0].states = states;
    else if (desc.entries[0].states != states)
      return main.emitError("states grow in place for one processor and not "
                            "for another: compile for one");
    return success();
  }

  template <typename Helper>
  LogicalResult bindSizes(func::FuncOp main, Helper listOf) {
    ArrayAttr list = listOf.getAttr(main);
    auto constraints = graph::ConstraintStore::load(module);
    if (!list || failed(constraints))
      return main.emitOpError("has no '") << listOf.getNameStr() << "'";
    SmallVector<RankedTensorType> types;
    for (auto entry : list.getAsRange<DictionaryAttr>())
      types.push_back(
          cast<RankedTensorType>(entry.getAs<TypeAttr>("type").getValue()));
    sizes.bind(types, *constraints, rooms);
    return success();
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
      tensor.byteSize =
          sizes.valueOf(graph::productOf(graph::sizesOf(type)) *
                        graph::elementBytes(type.getElementType()));
    return tensor;
  }

  template <typename Helper>
  LogicalResult signature(func::FuncOp main, Helper listOf,
                          std::vector<artifact::TensorDesc> &tensors) {
    ArrayAttr list = listOf.getAttr(main);
    if (!list)
      return main.emitOpError("has no '") << listOf.getNameStr() << "'";
    for (auto entry : list.getAsRange<DictionaryAttr>()) {
      auto type =
          cast<RankedTensorType>(entry.getAs<TypeAttr>("type").getValue());
      auto element = emit::dtypeOf(type.getElementType());
      if (!element)
        return main.emitError("an artifact cannot hold ") << type;
      bool isInput = &tensors == &desc.entries[0].inputs;
      std::optional<unsigned> input;
      if (isInput)
        input = tensors.size();
      tensors.push_back(tensorOf(entry.getAs<StringAttr>("name").getValue(),
                                 type, *element, input));
    }
    return success();
  }

  void addCheck(kernel::CheckOp check) {
    std::string node = check.getNodes().split(';').first.str();
    sizes.add(check.getBroadcasts() ? artifact::SizeOp::Broadcast
              : check.getAtLeast()  ? artifact::SizeOp::CheckAtLeast
                                    : artifact::SizeOp::CheckEqual,
              sizes.valueOf(check.getLhs()), sizes.valueOf(check.getRhs()),
              node.empty() ? "" : "node '" + node + "'");
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
  }

  int64_t bytesOf(memory::AllocOp alloc) {
    return sizes.valueOf(kernel::bytesOf(alloc.getBuffer().getType()));
  }

  void collectWeights(func::FuncOp main) {
    for (auto constant : main.getOps<memory::ConstantOp>())
      weightIndex[constant] = pool.add(constant, desc.weights);
    artifact::layoutWeights(desc.weights);
  }

  void collectKernels(func::FuncOp main) {
    using kernel::KernelDialect;
    KernelDialect::ErrorGrowthAttrHelper growthOf(module.getContext());
    KernelDialect::OneCallAttrHelper isOneCall(module.getContext());
    KernelDialect::CheckedAttrHelper isChecked(module.getContext());
    for (auto function : module.getOps<func::FuncOp>()) {
      if (function == main)
        continue;
      kernelIndex[function.getSymName()] = variant.kernels.size();
      FloatAttr growth = growthOf.getAttr(function);
      variant.kernels.push_back({function.getSymName().str(), 0,
                                 growth ? growth.getValueAsDouble() : 1,
                                 isOneCall.isAttrPresent(function),
                                 isChecked.isAttrPresent(function)});
    }
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
    variant.plan.arenaBytes = isSymbolic ? arenaEnd : arena.getInt();
    variant.plan.typicalArenaBytes = isSymbolic ? arena.getInt() : 0;
    variant.plan.lowerBoundBytes = isSymbolic ? 0 : bound.getInt();
    auto buffers = memory::computeLiveness(main);
    if (StringAttr side =
            MemoryDialect::ArenaGuardAttrHelper(context).getAttr(main)) {
      variant.plan.guard = side.getValue() == "below" ? artifact::Guard::Below
                                                      : artifact::Guard::Above;
      variant.plan.arenaAlignment = artifact::guardBytes;
      memory::startAtFirstWrite(main, buffers);
    }
    for (auto [i, live] : llvm::enumerate(buffers)) {
      memory::AllocOp alloc = live.alloc;
      variant.plan.buffers.push_back({uint32_t(i), offsets[alloc],
                                      bytesOf(alloc), uint32_t(live.first),
                                      uint32_t(live.last)});
    }
    return success();
  }

  artifact::LaunchDesc describe(kernel::LaunchOp launch) {
    artifact::LaunchDesc result;
    result.kernel = kernelIndex[launch.getCallee()];
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
    result.flops = launch.getFlops();
    result.bytes = launch.getBytes();
    if (DictionaryAttr costs = launch.getCostsAttr())
      for (NamedAttribute cost : costs)
        result.costs.emplace_back(cost.getName().str(),
                                  cast<IntegerAttr>(cost.getValue()).getInt());
    result.scratchBytes = launch.getThreadScratch();
    return result;
  }

  BufferRef refOf(Value buffer) {
    auto type = cast<memory::BufferType>(buffer.getType());
    BufferRef ref;
    int64_t shift = 0;
    while (auto view = buffer.getDefiningOp<memory::ViewOp>()) {
      shift += view.getByteOffset();
      buffer = view.getSource();
    }
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
    ref.size = sizes.valueOf(kernel::bytesOf(type));
    return ref;
  }

  ModuleOp module;
  ArtifactDesc &desc;
  artifact::VariantDesc &variant;
  emit::WeightPool &pool;
  emit::SizeProgram &sizes;
  SmallVector<emit::SizeProgram::Room> rooms;
  llvm::DenseMap<Operation *, int64_t> offsets; ///< of allocations
  int64_t arenaEnd = 0; ///< of the highest, where sizes depend on symbols
  llvm::DenseMap<Operation *, size_t> weightIndex;
  llvm::StringMap<uint32_t> kernelIndex;
};
} // namespace

LogicalResult emit::Description::add(ModuleOp module,
                                     artifact::VariantDesc variant) {
  bool isFirst = std::exchange(isEmpty, false);
  if (isFirst)
    desc.variants.clear();
  if (failed(Describer(module, desc, variant, weights, sizes).run(isFirst)))
    return failure();
  if (!sizes.code().empty() || sizes.hasSymbols())
    desc.sizePrograms = {sizes.code()};
  desc.variants.push_back(std::move(variant));
  return success();
}
