//===- ValidateSizes.cpp - checking size programs -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what the loader asks of size programs, on descriptions.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "llvm/ADT/STLExtras.h"

using namespace tenon::artifact;

/// Whether the extents of an input are registers.
static bool hasRegisters(const TensorDesc &input) {
  return input.kind == ValueKind::Tensor;
}

static int64_t countInputDims(const EntryDesc &entry) {
  int64_t count = 0;
  for (const TensorDesc &input : entry.inputs)
    count += hasRegisters(input) ? input.shape.size() : 0;
  return count;
}

int64_t tenon::artifact::countCapacities(const EntryDesc &entry) {
  int64_t count = 0;
  for (const StateDesc &state : entry.states)
    if (state.axis)
      count = std::max<int64_t>(count, int64_t(state.capacity) + 1);
  return count;
}

static int64_t countInstructions(const ArtifactDesc &desc, size_t entry) {
  return entry < desc.sizePrograms.size() ? desc.sizePrograms[entry].size() : 0;
}

int64_t tenon::artifact::countRegisters(const ArtifactDesc &desc,
                                        size_t entry) {
  int64_t instructions = countInstructions(desc, entry);
  auto hasSymbols = [](const TensorDesc &input) {
    return hasRegisters(input) &&
           llvm::any_of(input.shape, [](int64_t dim) { return dim < 0; });
  };
  if (!instructions && llvm::none_of(desc.entries[entry].inputs, hasSymbols))
    return 0;
  return countInputDims(desc.entries[entry]) +
         countCapacities(desc.entries[entry]) + instructions;
}

int64_t tenon::artifact::countPlanRegisters(const ArtifactDesc &desc) {
  return desc.entries.size() == 1 ? countRegisters(desc, 0) : 0;
}

/// A dimension of an input is a number or the register that it is.
static llvm::Error checkInputs(const EntryDesc &entry) {
  int64_t number = 0;
  for (const TensorDesc &input :
       llvm::make_filter_range(entry.inputs, hasRegisters))
    for (int64_t dim : input.shape)
      if (int64_t own = registerValue(number++); dim < 0 && dim != own)
        return makeError("input '" + input.name +
                         "' has a dimension that is the register of another");
  return llvm::Error::success();
}

static bool isOp(SizeOp op) {
  return op >= SizeOp::Add && op <= SizeOp::CheckMultiple;
}

static llvm::Error checkProgram(const EntryDesc &entry,
                                llvm::ArrayRef<SizeInstruction> program) {
  int64_t given = countInputDims(entry) + countCapacities(entry);
  for (auto [i, instruction] : llvm::enumerate(program)) {
    int64_t known = given + i;
    if (!isOp(instruction.op) || !isSizeValue(instruction.a, known) ||
        !isSizeValue(instruction.b, known))
      return makeError("instruction " + llvm::Twine(i) + " of the sizes of '" +
                       entry.name + "' is bad");
    if (llvm::Error error = checkName(instruction.text))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error tenon::artifact::validateSizes(const ArtifactDesc &desc) {
  const auto &programs = desc.sizePrograms;
  if (!programs.empty() && programs.size() != desc.entries.size())
    return makeError(llvm::Twine(programs.size()) + " size programs for " +
                     llvm::Twine(desc.entries.size()) + " entries");
  for (auto [i, entry] : llvm::enumerate(desc.entries)) {
    if (llvm::Error error = checkInputs(entry))
      return error;
    if (programs.empty())
      continue;
    if (llvm::Error error = checkProgram(entry, programs[i]))
      return error;
  }
  return llvm::Error::success();
}
