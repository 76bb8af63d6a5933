//===- FormWaves.cpp - launches of one wave as one launch -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-form-waves.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "passes/CodegenGpu/Passes.h"
#include "passes/CodegenGpu/Waves/WaveKernel.h"

#include "dialects/Graph/Programs.h"
#include "dialects/Kernel/ScheduleFacts.h"
#include "lib/Support/SortUnique.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace tenon::gpu {
#define GEN_PASS_DEF_FORMWAVESPASS
#include "passes/CodegenGpu/Passes.h.inc"
} // namespace tenon::gpu

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using kernel::LaunchOp;

/// The kernel that takes longest first, launches of one kernel beside each
/// other.
static void sortMembers(SmallVector<LaunchOp> &members) {
  auto timeOf = [](LaunchOp launch) { return launch.getTime().value_or(0); };
  llvm::StringMap<std::pair<uint64_t, size_t>> kernels; // time, first place
  for (auto [place, launch] : llvm::enumerate(members)) {
    auto &known =
        kernels.insert({launch.getCallee(), {0, place}}).first->second;
    known.first = std::max<uint64_t>(known.first, timeOf(launch));
  }
  llvm::stable_sort(members, [&](LaunchOp a, LaunchOp b) {
    auto [timeA, placeA] = kernels[a.getCallee()];
    auto [timeB, placeB] = kernels[b.getCallee()];
    return std::pair(timeB, placeA) < std::pair(timeA, placeB);
  });
}

namespace {
/// What the launch of a wave says beside its kernel.
class WaveLaunch {
public:
  explicit WaveLaunch(const SmallVector<LaunchOp> &given)
      : members(given), b(members.front().getContext()),
        places(operandPlaces(members)) {}

  kernel::DeviceAttr device();
  DenseI64ArrayAttr inPlace();
  ArrayAttr operators();
  std::string nodes();

  int64_t sum(llvm::function_ref<int64_t(LaunchOp)> of) const {
    int64_t total = 0;
    for (LaunchOp member : members)
      total += of(member);
    return total;
  }
  SmallVector<Value> all(llvm::function_ref<ValueRange(LaunchOp)> of) const {
    SmallVector<Value> values;
    for (LaunchOp member : members)
      llvm::append_range(values, of(member));
    return values;
  }

private:
  SmallVector<LaunchOp> members;
  Builder b;
  std::vector<SmallVector<unsigned>> places;
};
} // namespace

/// As much shared memory as the member with the most; maps of all.
kernel::DeviceAttr WaveLaunch::device() {
  kernel::DeviceAttr first = members.front().getDeviceAttr();
  int64_t shared = 0;
  bool isProgrammatic = false;
  SmallVector<Attribute> maps;
  for (auto [member, own] : llvm::zip_equal(members, places)) {
    kernel::DeviceAttr device = member.getDeviceAttr();
    shared = std::max(shared, device.getShared());
    isProgrammatic |= device.getProgrammatic();
    for (auto map : device.getMaps().getAsRange<kernel::MapAttr>())
      maps.push_back(kernel::MapAttr::get(
          b.getContext(), own[map.getOperand()], map.getElement(),
          map.getDims(), map.getStrides(), map.getBox(), map.getSteps(),
          map.getSwizzle(), map.getOffset()));
  }
  return kernel::DeviceAttr::get(b.getContext(), first.getGrid(),
                                 first.getThreads(), shared, first.getCluster(),
                                 /*cooperative=*/false, isProgrammatic,
                                 b.getArrayAttr(maps));
}

DenseI64ArrayAttr WaveLaunch::inPlace() {
  SmallVector<int64_t> pairs;
  int64_t reads =
      sum([](LaunchOp member) { return int64_t(member.getReads().size()); });
  for (auto [member, own] : llvm::zip_equal(members, places)) {
    ArrayRef<int64_t> stated =
        member.getInPlace().value_or(ArrayRef<int64_t>());
    for (size_t i = 0; i + 1 < stated.size(); i += 2) {
      pairs.push_back(own[stated[i]]);
      pairs.push_back(int64_t(own[member.getReads().size() + stated[i + 1]]) -
                      reads);
    }
  }
  return pairs.empty() ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(pairs);
}

/// Numbers of operators count through all members.
ArrayAttr WaveLaunch::operators() {
  SmallVector<Attribute> all;
  for (LaunchOp member : members) {
    int64_t before = int64_t(all.size());
    if (!member.getOperatorsAttr())
      return {};
    for (auto entry : member.getOperatorsAttr().getAsRange<DictionaryAttr>()) {
      NamedAttrList entries(entry);
      if (auto own = entry.getAs<DenseI64ArrayAttr>("operands")) {
        SmallVector<int64_t> operands(own.asArrayRef());
        for (int64_t &operand : operands)
          operand += before;
        entries.set("operands", b.getDenseI64ArrayAttr(operands));
      }
      all.push_back(entries.getDictionary(b.getContext()));
    }
  }
  return b.getArrayAttr(all);
}

std::string WaveLaunch::nodes() {
  SmallVector<StringRef> names;
  for (LaunchOp member : members)
    names.push_back(member.getNodes());
  return llvm::join(names, ";");
}

namespace {
/// Waves of all programs of a module; equal ones share a kernel.
class WaveFormer {
public:
  explicit WaveFormer(ModuleOp module) : module(module), symbols(module) {}

  /// Fails with a diagnostic on launches that are no wave.
  LogicalResult run(func::FuncOp main);
  /// Drops the kernels that were members only.
  void dropUnused();

  unsigned waves = 0;

private:
  LaunchOp form(SmallVector<LaunchOp> members);
  StringRef kernelFor(ArrayRef<LaunchOp> members);

  ModuleOp module;
  SymbolTable symbols;
  std::map<std::string, std::string> kernels; ///< by members
  llvm::StringSet<> taken;                    ///< kernels of members
};
} // namespace

StringRef WaveFormer::kernelFor(ArrayRef<LaunchOp> members) {
  std::string key;
  for (LaunchOp member : members) {
    key +=
        member.getCallee().str() + " " + std::to_string(blocksOf(member)) + ";";
    taken.insert(member.getCallee());
  }
  std::string &name = kernels[key];
  if (name.empty()) {
    std::string wanted = "gpu_wave_" + std::to_string(kernels.size() - 1);
    auto function = buildWaveKernel(module, wanted, members);
    name = symbols.insert(function).str();
  }
  return name;
}

/// Puts one launch behind the last of a wave, and takes these away.
LaunchOp WaveFormer::form(SmallVector<LaunchOp> members) {
  LaunchOp first = members.front(), last = members.back();
  OpBuilder b(last);
  auto time = first.getCostsAttr()
                  ? first.getCostsAttr().getAs<IntegerAttr>(kernel::waveCost)
                  : IntegerAttr();
  auto costs =
      time ? b.getDictionaryAttr({b.getNamedAttr(kernel::waveCost, time)})
           : DictionaryAttr();
  IntegerAttr stream = first.getStreamAttr();
  DenseI64ArrayAttr waits = first.getWaitsAttr();
  sortMembers(members);
  WaveLaunch wave(members);
  auto made = LaunchOp::create(
      b, last.getLoc(), kernelFor(members),
      b.getI64IntegerAttr(wave.sum(blocksOf)),
      wave.all([](LaunchOp member) { return member.getReads(); }),
      wave.all([](LaunchOp member) { return member.getWrites(); }),
      wave.all([](LaunchOp member) { return member.getScratch(); }),
      uint64_t(wave.sum([](LaunchOp one) { return int64_t(one.getFlops()); })),
      uint64_t(wave.sum([](LaunchOp one) { return int64_t(one.getBytes()); })),
      b.getStringAttr(wave.nodes()), wave.inPlace(), time, costs,
      /*steps=*/Attribute(), /*thread_scratch=*/0, /*sizes=*/ArrayAttr(),
      /*fusion=*/DictionaryAttr(), wave.operators(), kernel::TileAttr(),
      wave.device(), stream, waits, /*wave=*/IntegerAttr());
  for (LaunchOp member : members)
    member.erase();
  ++waves;
  return made;
}

/// Whether a launch may be one with another, whose kernels are at hand.
static bool mayBeOne(LaunchOp launch, LaunchOp other) {
  LLVM::LLVMFuncOp kernel = kernelOf(launch);
  kernel::DeviceAttr mine = launch.getDeviceAttr(),
                     others = other.getDeviceAttr();
  return kernel && kernel.getBody().hasOneBlock() &&
         kernel.getNumArguments() ==
             mine.getMaps().size() + launch->getNumOperands() &&
         mine.getThreads() == others.getThreads() &&
         mine.getCluster() == others.getCluster() &&
         llvm::all_of(mine.getGrid(), [](int64_t n) { return n == 1; }) &&
         !mine.getCooperative() && !launch.getStepsAttr() &&
         !launch.getSizesAttr();
}

static LogicalResult checkWave(ArrayRef<LaunchOp> members) {
  for (LaunchOp launch : members)
    if (!mayBeOne(launch, members.front()))
      return launch.emitOpError("cannot be one with others of its wave");
  return success();
}

/// Waits are numbers of launches, which become fewer.
LogicalResult WaveFormer::run(func::FuncOp main) {
  std::vector<SmallVector<LaunchOp>> moments;
  SmallVector<int64_t> momentOf; // of each launch
  for (auto launch : main.getOps<LaunchOp>()) {
    bool isFirst = !launch.getWave() || moments.empty() ||
                   moments.back().front().getWave() != launch.getWave();
    if (isFirst)
      moments.emplace_back();
    moments.back().push_back(launch);
    momentOf.push_back(int64_t(moments.size()) - 1);
  }
  for (SmallVector<LaunchOp> &members : moments) {
    LaunchOp launch = members.front();
    if (members.size() > 1) {
      if (failed(checkWave(members)))
        return failure();
      launch = form(std::move(members));
    }
    launch.removeWaveAttr();
    // Those of no launch are for the planner of arenas to refuse.
    SmallVector<int64_t> waits;
    for (int64_t other : launch.getWaits().value_or(ArrayRef<int64_t>()))
      waits.push_back(size_t(other) < momentOf.size() ? momentOf[other]
                                                      : other);
    sortUnique(waits);
    if (!waits.empty())
      launch.setWaits(waits);
  }
  return success();
}

void WaveFormer::dropUnused() {
  for (func::FuncOp program : graph::programs(module))
    for (auto launch : program.getOps<LaunchOp>())
      taken.erase(launch.getCallee());
  for (const auto &entry : taken)
    symbols.erase(symbols.lookup(entry.getKey()));
}

namespace {
struct FormWaves : tenon::gpu::impl::FormWavesPassBase<FormWaves> {
  void runOnOperation() override {
    WaveFormer former(getOperation());
    for (func::FuncOp program : graph::programs(getOperation())) {
      auto isOnDevice = [](LaunchOp launch) {
        return bool(launch.getDeviceAttr());
      };
      if (llvm::all_of(program.getOps<LaunchOp>(), isOnDevice) &&
          failed(former.run(program)))
        return signalPassFailure();
    }
    former.dropUnused();
    numWaves += former.waves;
  }
};
} // namespace
