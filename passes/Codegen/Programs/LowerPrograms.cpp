//===- LowerPrograms.cpp - programs on buffers ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file rewrites programs from tensors to buffers and launches.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Bodies/ZeroHalo.h"
#include "passes/Codegen/Layout/Views.h"
#include "passes/Codegen/Planning.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/Codegen/Programs/LaunchCost.h"
#include "passes/Codegen/SizePlans.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Programs.h"
#include "dialects/Graph/Requirements.h"
#include "dialects/Graph/Shapes.h"
#include "dialects/Graph/Symbols.h"
#include "dialects/Kernel/Buffers.h"
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/SliceFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

namespace {
class ProgramRewriter {
public:
  ProgramRewriter(func::FuncOp tensors, func::FuncOp result,
                  KernelTable &kernels)
      : tensors(tensors), kernels(kernels),
        b(OpBuilder::atBlockEnd(&result.getBody().front())) {}

  LogicalResult run() {
    findParts();
    for (BlockArgument argument : tensors.getArguments())
      if (!wholes.contains(argument)) // a state, which lies in its output
        buffers[argument] = memory::InputOp::create(
            b, argument.getLoc(),
            BufferType::getDense(cast<RankedTensorType>(argument.getType())),
            argument.getArgNumber());
    Operation *terminator = tensors.getBody().front().getTerminator();
    for (OpOperand &output : terminator->getOpOperands())
      outputs[viewRoot(output.get())] = output.getOperandNumber();
    createChecks();
    for (Operation &op : tensors.getBody().front().without_terminator())
      if (auto group = dyn_cast<kernel::GroupOp>(op))
        if (failed(launch(group)))
          return failure();
    func::ReturnOp::create(b, tensors.getLoc());
    return success();
  }

  unsigned launches = 0;

private:
  /// What the operations rely on, once each.
  void createChecks() {
    using graph::DimRelation;
    SmallVector<graph::DimRequirement> known;
    tensors.walk([&](Operation *op) {
      for (const graph::DimRequirement &each : graph::requirementsOf(op)) {
        if (llvm::is_contained(known, each))
          continue;
        known.push_back(each);
        kernel::CheckOp::create(b, op->getLoc(), each.a, each.b,
                                b.getStringAttr(kernel::nodesOf(op->getLoc())),
                                each.relation == DimRelation::Broadcast,
                                each.relation == DimRelation::AtLeast);
      }
    });
  }

  LogicalResult launch(kernel::GroupOp group) {
    if (isDone(group))
      return success();
    if (graph::StepsOp steps = stepsIn(group))
      return launchSteps(group, steps);
    FailureOr<Kernel> kernel = kernels.get(group);
    if (failed(kernel))
      return failure();
    SmallVector<PlacedBuffer> places = buffersOf(group);
    SmallVector<Value> reads, writes, scratch;
    for (auto [i, operand] : llvm::enumerate(group.getOperands_()))
      reads.push_back(read(operand, places[i], group.getPack(i)));
    for (auto [i, result] : llvm::enumerate(group.getResults()))
      writes.push_back(bufferAt(result, places[reads.size() + i]));
    for (const Size &bytes : kernel->scratch)
      scratch.push_back(allocate(group.getLoc(), scratchType(bytes)));
    kernel::RunCounts counts = runCounts(group, places);
    auto launch = kernel::LaunchOp::create(
        b, group.getLoc(), kernel->name, kernel->tiles.dim(b.getContext()),
        reads, writes, scratch, typicalFlops(group),
        typicalBytes(counts.bytes, group), b.getStringAttr(nodeNames(group)),
        inPlaceOf(*kernel, reads, writes), group.getTimeAttr(),
        group.getCostsAttr(), stepsOf(*kernel), kernel->threadScratch,
        kernel->sizes, DictionaryAttr(), ArrayAttr(), kernel::TileAttr(),
        kernel->device,
        /*stream=*/{}, /*waits=*/{},
        /*wave=*/{});
    kernel::describe(launch, group);
    kernel::setRunCounts(launch, counts);
    for (StringRef name : {StringRef(triedAttr), StringRef(smallerAttr)})
      if (Attribute noted = group->getDiscardableAttr(name))
        launch->setDiscardableAttr(name, noted);
    ++launches;
    return success();
  }

  /// A loop, whose body has been lowered.
  LogicalResult launchSteps(kernel::GroupOp group, graph::StepsOp steps) {
    FailureOr<JoinedSteps> emitted = kernels.getSteps(steps);
    if (failed(emitted))
      return failure();
    const JoinedSteps &joined = *emitted;
    SmallVector<PlacedBuffer> places = buffersOf(group);
    SmallVector<Value> reads, writes, scratch;
    for (Value operand : steps.getInputs()) {
      unsigned number = cast<BlockArgument>(operand).getArgNumber();
      reads.push_back(read(group.getOperands_()[number], places[number], {}));
    }
    for (memory::ConstantOp constant : joined.constants)
      reads.push_back(constantBuffer(constant.getLoc(), constant.getValue(),
                                     constant.getBuffer().getType(),
                                     constant.getPackAttr()));
    for (auto [i, result] : llvm::enumerate(group.getResults()))
      writes.push_back(bufferAt(result, places[group.getNumOperands() + i]));
    for (const Size &bytes : joined.kernel.scratch)
      scratch.push_back(allocate(group.getLoc(), scratchType(bytes)));
    const Kernel &kernel = joined.kernel;
    auto launch = kernel::LaunchOp::create(
        b, group.getLoc(), kernel.name, kernel.tiles.dim(b.getContext()), reads,
        writes, scratch, joined.flops, joined.bytes,
        b.getStringAttr(joined.nodes), DenseI64ArrayAttr(), group.getTimeAttr(),
        group.getCostsAttr(), stepsOf(kernel), joined.threadScratch,
        kernel.sizes, DictionaryAttr(), ArrayAttr(), kernel::TileAttr(),
        kernel.device, /*stream=*/{}, /*waits=*/{},
        /*wave=*/{});
    kernel::describe(launch, group);
    ++launches;
    return success();
  }

  /// What the kernel allows, of storage of the same size.
  DenseI64ArrayAttr inPlaceOf(const Kernel &kernel, ValueRange reads,
                              ValueRange writes) {
    SmallVector<int64_t> pairs;
    auto bytes = [](Value v) {
      return kernel::bytesOf(cast<BufferType>(v.getType()));
    };
    for (size_t i = 0; i < kernel.inPlace.size(); i += 2)
      if (bytes(reads[kernel.inPlace[i]]) ==
          bytes(writes[kernel.inPlace[i + 1]]))
        pairs.append({kernel.inPlace[i], kernel.inPlace[i + 1]});
    return pairs.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(pairs);
  }

  /// A movement all of whose operands lie in its result.
  static bool isDone(kernel::GroupOp group) {
    auto parts = group.getInPlace();
    Operation &movement = group.getBlock().front();
    return parts && parts->size() == movement.getNumOperands();
  }

  static SmallVector<PlacedBuffer> buffersOf(kernel::GroupOp group) {
    SmallVector<PlacedBuffer> buffers;
    ArrayAttr types = *group.getBuffers();
    for (Attribute type : types)
      buffers.push_back({cast<BufferType>(cast<TypeAttr>(type).getValue()),
                         group.getByteOffset(buffers.size())});
    return buffers;
  }

  BufferType scratchType(const Size &bytes) {
    return BufferType::getDense(
        graph::typeFromDims({bytes.dim(b.getContext())}, b.getI8Type()));
  }

  /// Null for one.
  Attribute stepsOf(const Kernel &kernel) {
    return kernel.steps.is(1) ? Attribute() : kernel.steps.dim(b.getContext());
  }

  Value allocate(Location loc, BufferType type) {
    return memory::AllocOp::create(b, loc, type, /*offset=*/IntegerAttr(),
                                   b.getI64IntegerAttr(64), /*above=*/{},
                                   /*in_place_of=*/{});
  }

  /// Storage for the result of a group, made when its first part is written.
  Value makeStorage(Value result) {
    auto group = result.getDefiningOp<kernel::GroupOp>();
    unsigned number = cast<OpResult>(result).getResultNumber();
    BufferType type = buffersOf(group)[group.getNumOperands() + number].type;
    Location loc = result.getLoc();
    Value buffer;
    auto output = outputs.find(result);
    if (output != outputs.end())
      buffer = memory::OutputOp::create(b, loc, type, output->second);
    else
      buffer = allocate(loc, type);
    if (!isState(result) && hasHaloBytes(type)) {
      Kernel zero = kernels.getZeroHalo(loc, type);
      Size bytes = haloBytes(type);
      auto launch = kernel::LaunchOp::create(
          b, loc, zero.name, zero.tiles.dim(b.getContext()), ValueRange(),
          buffer, ValueRange(), 0, typicalBytes(bytes, tensors),
          b.getStringAttr("zero halo"), DenseI64ArrayAttr(), /*time=*/{},
          /*costs=*/{}, /*steps=*/{}, /*thread_scratch=*/0, zero.sizes,
          DictionaryAttr(), ArrayAttr(), kernel::TileAttr(), zero.device,
          /*stream=*/{},
          /*waits=*/{}, /*wave=*/{});
      kernel::setRunCounts(launch, {Size(0), bytes});
      ++launches;
    }
    return buffer;
  }

  /// Whether the storage is one that grows: what is free there stays free.
  bool isState(Value result) const {
    return llvm::any_of(wholes, [&](auto &entry) {
      return entry.second == result && isa<BlockArgument>(entry.first);
    });
  }

  /// The tensor in whose storage `value` lies: up views and movements.
  Value storageOf(Value value) const {
    for (value = viewedTensor(value); wholes.contains(value);)
      value = viewedTensor(wholes.lookup(value));
    return value;
  }

  Value read(Value value, PlacedBuffer place, DictionaryAttr pack) {
    if (auto constant = value.getDefiningOp<graph::ConstantOp>())
      return constantBuffer(constant, place.type, pack);
    return bufferAt(value, place);
  }

  /// The buffer of a value, as a view when it does not own its storage.
  Value bufferAt(Value value, PlacedBuffer place) {
    if (Value known = buffers.lookup(value))
      return known;
    Value owner = storageOf(value);
    Value storage = buffers.lookup(owner);
    if (auto constant = owner.getDefiningOp<graph::ConstantOp>())
      storage = constantBuffer(constant,
                               BufferType::getDense(constant.getType()), {});
    if (!storage)
      storage = buffers[owner] = makeStorage(owner);
    if (owner == value)
      return storage;
    return buffers[value] = memory::ViewOp::create(
               b, value.getLoc(), place.type, storage, place.byteOffset);
  }

  /// Parts of a movement's result: wholes[part] = result.
  void findParts() {
    for (auto group : tensors.getOps<kernel::GroupOp>())
      for (unsigned i = 0; i < group.getBlock().front().getNumOperands(); ++i)
        if (group.isInPlace(i)) {
          auto argument =
              cast<BlockArgument>(group.getBlock().front().getOperand(i));
          Value part = group.getOperands_()[argument.getArgNumber()];
          wholes[viewedTensor(part)] = group.getResult(0);
        }
  }

  Value constantBuffer(graph::ConstantOp constant, BufferType type,
                       DictionaryAttr pack) {
    return constantBuffer(constant.getLoc(), constant.getValue(), type, pack);
  }

  Value constantBuffer(Location loc, ElementsAttr value, BufferType type,
                       DictionaryAttr pack) {
    Value &known = constants[{value, pack}];
    if (!known)
      known = memory::ConstantOp::create(b, loc, type, value, pack);
    return known;
  }

  func::FuncOp tensors;
  KernelTable &kernels;
  OpBuilder b;
  llvm::DenseMap<Value, Value> buffers;
  llvm::DenseMap<Value, Value> wholes;
  llvm::DenseMap<Value, unsigned> outputs;
  llvm::DenseMap<std::pair<Attribute, Attribute>, Value> constants;
};
} // namespace

/// The names of the ONNX nodes in a group, in order, without repetition.
std::string codegen::nodeNames(kernel::GroupOp group) {
  SmallVector<Location> locations;
  for (Operation &op : group.getBlock().without_terminator())
    locations.push_back(op.getLoc());
  return kernel::nodesOf(FusedLoc::get(group.getContext(), locations));
}

/// Name and tensor type of each input or output, for the artifact's signature.
static ArrayAttr signatureOf(Builder &b, TypeRange types,
                             function_ref<Attribute(unsigned)> name) {
  SmallVector<Attribute> entries;
  for (auto [i, type] : llvm::enumerate(types))
    entries.push_back(
        b.getDictionaryAttr({b.getNamedAttr("name", name(i)),
                             b.getNamedAttr("type", TypeAttr::get(type))}));
  return b.getArrayAttr(entries);
}

static func::FuncOp createProgram(func::FuncOp old) {
  OpBuilder b(old);
  auto program = func::FuncOp::create(b, old.getLoc(), old.getName(),
                                      b.getFunctionType({}, {}));
  program.addEntryBlock();
  // What reports say of the program.
  StringRef unfused = kernel::KernelDialect::UnfusedAttrHelper::getNameStr();
  for (StringRef name : {unfused, StringRef(kernel::slicedAttr)})
    if (Attribute stated = old->getAttr(name))
      program->setAttr(name, stated);
  auto named = [&](Attribute name, unsigned i, StringRef kind) -> Attribute {
    return name ? name : b.getStringAttr(kind + Twine(i));
  };
  using memory::MemoryDialect;
  MemoryDialect::InputsAttrHelper(b.getContext())
      .setAttr(program, signatureOf(b, old.getArgumentTypes(), [&](unsigned i) {
                 return named(old.getArgAttr(i, "onnx.name"), i, "input");
               }));
  MemoryDialect::OutputsAttrHelper(b.getContext())
      .setAttr(program, signatureOf(b, old.getResultTypes(), [&](unsigned i) {
                 return named(old.getResultAttr(i, "onnx.name"), i, "output");
               }));
  return program;
}

/// Numbers that only such kernels read.
static void eraseUnread(ModuleOp module) {
  llvm::DenseSet<StringRef> read;
  module.walk(
      [&](LLVM::AddressOfOp address) { read.insert(address.getGlobalName()); });
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (!read.contains(global.getSymName()))
      global.erase();
}

/// Bodies of loops, and kernels that only they launched.
static void eraseJoined(ModuleOp module) {
  if (llvm::none_of(module.getOps<func::FuncOp>(), graph::isStepsBody))
    return;
  for (auto body : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (graph::isStepsBody(body))
      body.erase();
  llvm::DenseSet<StringRef> used;
  module.walk(
      [&](kernel::LaunchOp launch) { used.insert(launch.getCallee()); });
  for (auto kernel : llvm::make_early_inc_range(module.getOps<func::FuncOp>()))
    if (kernel.isPrivate() && !used.contains(kernel.getName()))
      kernel.erase();
  eraseUnread(module);
}

static LogicalResult lower(func::FuncOp old, KernelTable &kernels,
                           unsigned &launches) {
  if (failed(graph::requireDims(old)))
    return failure();
  func::FuncOp program = createProgram(old);
  if (graph::isStepsBody(old))
    graph::markStepsBody(program);
  ProgramRewriter rewriter(old, program, kernels);
  if (failed(rewriter.run()))
    return failure();
  old.erase();
  launches += rewriter.launches;
  return success();
}

FailureOr<unsigned> codegen::lowerPrograms(ModuleOp module,
                                           KernelTable &kernels) {
  // Bodies of loops first; they stand behind what runs them.
  SmallVector<func::FuncOp> programs = graph::programs(module);
  auto *first = std::stable_partition(programs.begin(), programs.end(),
                                      graph::isStepsBody);
  std::reverse(programs.begin(), first);
  unsigned launches = 0;
  for (func::FuncOp program : programs)
    if (failed(lower(program, kernels, launches)))
      return failure();
  eraseJoined(module);
  return launches;
}
