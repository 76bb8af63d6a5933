//===- WaveKernel.cpp - one kernel of several -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Waves/WaveKernel.h"

#include "dialects/Graph/Shapes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace tenon;
using kernel::LaunchOp;
using LLVM::LLVMFuncOp;

LLVMFuncOp tenon::gpu::kernelOf(LaunchOp launch) {
  return SymbolTable::lookupNearestSymbolFrom<LLVMFuncOp>(
      launch, launch.getCalleeAttr());
}

int64_t tenon::gpu::blocksOf(LaunchOp launch) {
  return graph::sizeOf(launch.getTilesAttr());
}

std::vector<SmallVector<unsigned>>
tenon::gpu::operandPlaces(ArrayRef<LaunchOp> members) {
  std::vector<SmallVector<unsigned>> places(members.size());
  unsigned next = 0;
  auto add = [&](auto operandsOf) {
    for (size_t member = 0; member < members.size(); ++member)
      for (size_t i = 0; i < operandsOf(members[member]).size(); ++i)
        places[member].push_back(next++);
  };
  add([](LaunchOp member) { return member.getReads(); });
  add([](LaunchOp member) { return member.getWrites(); });
  add([](LaunchOp member) { return member.getScratch(); });
  return places;
}

namespace {
/// Members `begin` to `end` of a wave, all of one kernel.
struct Run {
  size_t begin, end;
};

class WaveBuilder {
public:
  WaveBuilder(ModuleOp module, StringRef name, ArrayRef<LaunchOp> given)
      : members(given.begin(), given.end()),
        b(OpBuilder::atBlockEnd(module.getBody())),
        loc(members.front().getLoc()), places(members.size()) {
    for (LaunchOp member : members) {
      kernels.push_back(tenon::gpu::kernelOf(member));
      ends.push_back((ends.empty() ? 0 : ends.back()) +
                     tenon::gpu::blocksOf(member));
      isProgrammatic |= member.getDeviceAttr().getProgrammatic();
    }
    open(name);
  }

  LLVMFuncOp build() {
    id = NVVM::BlockIdXOp::create(b, loc, b.getI32Type());
    for (size_t begin = 0; begin < members.size();) {
      Run run{begin, begin + 1};
      while (run.end < members.size() && kernels[run.end] == kernels[begin])
        ++run.end;
      addRun(run);
      begin = run.end;
    }
    b.setInsertionPointToEnd(&function.getBody().front());
    LLVM::ReturnOp::create(b, loc, ValueRange());
    return function;
  }

private:
  void open(StringRef name);
  void placeParameters();
  void addFacts();
  void addRun(Run run);
  void addBody(Run run);
  Value pick(Run run, llvm::function_ref<Value(size_t member)> of);

  Value number(int64_t value) {
    return arith::ConstantOp::create(b, loc,
                                     b.getI32IntegerAttr(int32_t(value)));
  }
  /// Whether a block is before the end of a member.
  Value isBefore(size_t member) {
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, id,
                                 number(ends[member]));
  }

  SmallVector<LaunchOp> members;
  OpBuilder b;
  Location loc;
  std::vector<LLVMFuncOp> kernels;
  std::vector<int64_t> ends; ///< of each member, one more than its last block
  bool isProgrammatic = false;
  LLVMFuncOp function;
  /// Of each member, where the parameters of its own kernel are.
  std::vector<SmallVector<unsigned>> places;
  Value id; ///< of the block
};
} // namespace

/// Maps first, as the launch has them.
void WaveBuilder::placeParameters() {
  unsigned maps = 0;
  for (auto [member, own] : llvm::zip_equal(members, places))
    for (size_t map = 0; map < member.getDeviceAttr().getMaps().size(); ++map)
      own.push_back(maps++);
  for (auto [operands, own] :
       llvm::zip_equal(tenon::gpu::operandPlaces(members), places))
    for (unsigned place : operands)
      own.push_back(maps + place);
}

void WaveBuilder::open(StringRef name) {
  placeParameters();
  size_t count = 0;
  for (const auto &own : places)
    count += own.size();
  SmallVector<Type> types(count);
  for (auto [kernel, own] : llvm::zip_equal(kernels, places))
    for (auto [number, place] : llvm::enumerate(own))
      types[place] = kernel.getFunctionType().getParamType(unsigned(number));
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(b.getContext()), types);
  function = LLVMFuncOp::create(b, loc, name, type);
  function.setPrivate();
  b.setInsertionPointToEnd(function.addEntryBlock(b));
  for (auto [kernel, own] : llvm::zip_equal(kernels, places))
    for (auto [number, place] : llvm::enumerate(own))
      if (DictionaryAttr known = kernel.getArgAttrDict(unsigned(number)))
        function.setArgAttrs(place, known);
  addFacts();
}

/// How it is launched, as its members are, and the largest of their errors.
void WaveBuilder::addFacts() {
  kernel::KernelDialect::ErrorGrowthAttrHelper growth(b.getContext());
  LLVMFuncOp first = kernels.front();
  StringRef together = NVVM::NVVMDialect::getMinctasmAttrName();
  for (NamedAttribute fact : first->getDiscardableAttrs())
    if (fact.getName() != growth.getNameStr() && fact.getName() != together)
      function->setAttr(fact.getName(), fact.getValue());
  FloatAttr largest;
  IntegerAttr least = first->getAttrOfType<IntegerAttr>(together);
  for (LLVMFuncOp kernel : kernels) {
    FloatAttr own = growth.getAttr(kernel);
    if (own &&
        (!largest || own.getValueAsDouble() > largest.getValueAsDouble()))
      largest = own;
    auto count = kernel->getAttrOfType<IntegerAttr>(together);
    if (least && (!count || count.getInt() < least.getInt()))
      least = count;
  }
  if (largest)
    growth.setAttr(function, largest);
  if (least)
    function->setAttr(together, least);
}

/// The value of the member whose block this is.
Value WaveBuilder::pick(Run run, llvm::function_ref<Value(size_t member)> of) {
  Value picked = of(run.end - 1);
  for (size_t member = run.end - 1; member-- > run.begin;)
    picked =
        arith::SelectOp::create(b, loc, isBefore(member), of(member), picked);
  return picked;
}

/// Blocks of the run go one way, all behind it the other.
void WaveBuilder::addRun(Run run) {
  if (run.end == members.size())
    return addBody(run);
  auto branch = scf::IfOp::create(b, loc, isBefore(run.end - 1),
                                  /*withElseRegion=*/true);
  b.setInsertionPoint(branch.thenBlock()->getTerminator());
  addBody(run);
  b.setInsertionPoint(branch.elseBlock()->getTerminator());
}

void WaveBuilder::addBody(Run run) {
  IRMapping mapping;
  LLVMFuncOp kernel = kernels[run.begin];
  for (BlockArgument own : kernel.getArguments())
    mapping.map(own, pick(run, [&](size_t member) {
                  return function.getArgument(
                      places[member][own.getArgNumber()]);
                }));
  Value start = pick(run, [&](size_t member) {
    return number(member ? ends[member - 1] : 0);
  });
  Value block = arith::SubIOp::create(b, loc, id, start);
  if (isProgrammatic && !members[run.begin].getDeviceAttr().getProgrammatic())
    NVVM::GriddepcontrolOp::create(b, loc, NVVM::GridDepActionKind::wait);
  SmallVector<NVVM::BlockIdXOp> reads;
  for (Operation &op : kernel.getBody().front().without_terminator())
    b.clone(op, mapping)->walk([&](NVVM::BlockIdXOp read) {
      reads.push_back(read);
    });
  for (NVVM::BlockIdXOp read : reads) {
    read.getResult().replaceAllUsesWith(block);
    read.erase();
  }
}

LLVMFuncOp tenon::gpu::buildWaveKernel(ModuleOp module, StringRef name,
                                       ArrayRef<LaunchOp> members) {
  return WaveBuilder(module, name, members).build();
}
