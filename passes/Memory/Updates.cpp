//===- Updates.cpp - states that are overwritten --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Memory/Updates.h"

#include "passes/Memory/ArenaOrder.h"
#include "passes/Memory/LaunchProgram.h"
#include "passes/Memory/Passes.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

//===-- Places ------------------------------------------------------------===//

Place memory::placeOf(Value buffer) {
  Operation *storage = storageOf(buffer);
  if (auto input = dyn_cast_or_null<InputOp>(storage))
    return {Place::Input, uintptr_t(input.getIndex())};
  if (auto output = dyn_cast_or_null<OutputOp>(storage))
    return {Place::Output, uintptr_t(output.getIndex())};
  auto kind =
      isa_and_nonnull<AllocOp>(storage) ? Place::Alloc : Place::Constant;
  return {kind, reinterpret_cast<uintptr_t>(storage)};
}

/// The number of a name in a signature; that of no tensor where it is in none.
static uintptr_t numberOf(ArrayAttr signature, StringAttr name) {
  unsigned number = 0;
  if (!signature)
    return number;
  for (auto tensor : signature.getAsRange<DictionaryAttr>()) {
    if (tensor.getAs<StringAttr>("name") == name)
      break;
    ++number;
  }
  return number;
}

Place memory::inputPlace(func::FuncOp main, StringAttr name) {
  MemoryDialect::InputsAttrHelper inputs(main.getContext());
  return {Place::Input, numberOf(inputs.getAttr(main), name)};
}

Place memory::outputPlace(func::FuncOp main, StringAttr name) {
  MemoryDialect::OutputsAttrHelper outputs(main.getContext());
  return {Place::Output, numberOf(outputs.getAttr(main), name)};
}

//===-- Launches ----------------------------------------------------------===//

bool memory::isChecked(kernel::LaunchOp launch) {
  kernel::KernelDialect::CheckedAttrHelper checked(launch.getContext());
  auto kernel = SymbolTable::lookupNearestSymbolFrom(launch.getOperation(),
                                                     launch.getCalleeAttr());
  return kernel && checked.isAttrPresent(kernel);
}

bool memory::runsInOrder(func::FuncOp main) {
  auto isInOrder = [](kernel::LaunchOp launch) {
    return !launch.getWave() && !launch.getDeviceAttr();
  };
  return !hasSymbols(main) && !hasStreams(main) &&
         llvm::all_of(main.getOps<kernel::LaunchOp>(), isInOrder);
}

static unsigned countAt(ValueRange buffers, Place place) {
  return llvm::count_if(buffers,
                        [&](Value buffer) { return placeOf(buffer) == place; });
}

/// Whether a buffer is all of what it lies in.
static bool isWhole(Value buffer) {
  auto bytes = [](Value value) {
    return cast<BufferType>(value.getType()).getBytes();
  };
  return bytes(buffer) == bytes(storageOf(buffer)->getResult(0));
}

/// Whether a launch may write `output` over `input`: each element after it was
/// read, where it lies.
static bool mayOverwrite(kernel::LaunchOp launch, Place input, Place output) {
  if (launch.getStepsAttr() || countAt(launch->getOperands(), output) != 1)
    return false;
  unsigned reads = countAt(launch->getOperands(), input);
  ArrayRef<int64_t> pairs = launch.getInPlace().value_or(ArrayRef<int64_t>());
  for (size_t i = 0; i + 1 < pairs.size(); i += 2) {
    Value read = launch.getReads()[pairs[i]];
    Value written = launch.getWrites()[pairs[i + 1]];
    if (placeOf(read) == input && placeOf(written) == output)
      return reads == 1 && isWhole(read) && isWhole(written);
  }
  return reads == 0;
}

UpdateUses memory::usesOf(func::FuncOp main, const graph::State &state) {
  Place input = inputPlace(main, state.input);
  Place output = outputPlace(main, state.output);
  UpdateUses uses;
  kernel::LaunchOp obstacle, written;
  for (auto launch : main.getOps<kernel::LaunchOp>()) {
    bool reads = countAt(launch->getOperands(), input);
    if (countAt(launch.getWrites(), output)) {
      if (written || isChecked(launch) || !mayOverwrite(launch, input, output))
        return {};
      written = launch;
    } else if (reads || isChecked(launch)) {
      obstacle = launch;
    }
  }
  if (!written)
    return {};
  if (obstacle && written->isBeforeInBlock(obstacle))
    uses.late = obstacle;
  for (Value buffer : written.getWrites())
    if (placeOf(buffer) == output)
      uses.bytes = cast<BufferType>(buffer.getType()).getBytes();
  uses.writer = written;
  return uses;
}
