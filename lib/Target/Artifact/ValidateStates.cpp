//===- ValidateStates.cpp - checking states -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what the loader asks of states, on descriptions.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "tenon-c/Runtime.h"

using namespace tenon::artifact;

/// What grows has an extent that depends on the input's, along one dimension.
static bool canGrow(const StateDesc &state, const TensorDesc &input,
                    const TensorDesc &output, size_t states) {
  return *state.axis < output.shape.size() && state.capacity < states &&
         input.shape[*state.axis] < 0 && output.shape[*state.axis] < 0;
}

static bool hasGoodOutput(const EntryDesc &entry, const StateDesc &state) {
  if (state.output == stateIsRead)
    return !state.axis && !state.isUpdated;
  if (state.output >= entry.outputs.size())
    return false;
  const TensorDesc &input = entry.inputs[state.input];
  const TensorDesc &output = entry.outputs[state.output];
  return input.type == output.type &&
         input.shape.size() == output.shape.size() &&
         (!state.axis || canGrow(state, input, output, entry.states.size())) &&
         (!state.isUpdated || (!state.axis && sizeOf(input).value_or(-1) >= 0 &&
                               sizeOf(input) == sizeOf(output)));
}

/// Whether what it is at first has its bytes.
static bool hasGoodFirst(const ArtifactDesc &desc, const EntryDesc &entry,
                         const StateDesc &state) {
  return !state.first || (!state.axis && *state.first < desc.weights.size() &&
                          sizeOf(entry.inputs[state.input]) ==
                              int64_t(desc.weights[*state.first].size));
}

/// A number of steps is one, of 64 bits.
static bool hasGoodRole(const EntryDesc &entry, const StateDesc &state) {
  const TensorDesc &input = entry.inputs[state.input];
  bool isNumber =
      state.role == TENON_STATE_COUNTER || state.role == TENON_STATE_SKIPPED;
  return !isNumber || (input.type == dtype::i64 && input.shape.empty());
}

/// Whether a state of an earlier entry that has its name can be the same.
static bool canShare(const StateDesc &a, const TensorDesc &x,
                     const StateDesc &b, const TensorDesc &y) {
  auto isNumber = [](int64_t extent) { return extent >= 0; };
  return !a.axis && !b.axis && a.role == b.role && a.first == b.first &&
         x.type == y.type && x.shape == y.shape &&
         llvm::all_of(x.shape, isNumber);
}

static bool sharesWell(const ArtifactDesc &desc, const EntryDesc &entry,
                       const StateDesc &state) {
  const TensorDesc &tensor = entry.inputs[state.input];
  for (const EntryDesc &other : desc.entries) {
    if (&other == &entry)
      break;
    for (const StateDesc &shared : other.states)
      if (other.inputs[shared.input].name == tensor.name &&
          !canShare(state, tensor, shared, other.inputs[shared.input]))
        return false;
  }
  return true;
}

static bool isGood(const ArtifactDesc &desc, const EntryDesc &entry,
                   const StateDesc &state) {
  return state.input < entry.inputs.size() && state.role < TENON_STATE_ROLES &&
         hasGoodRole(entry, state) && hasGoodOutput(entry, state) &&
         hasGoodFirst(desc, entry, state) && sharesWell(desc, entry, state);
}

static size_t countRefs(llvm::ArrayRef<BufferRef> refs, Space space,
                        uint32_t index) {
  return llvm::count_if(refs, [&](const BufferRef &ref) {
    return ref.space == space && ref.index == index;
  });
}

/// Whether the launch that writes an updated state is the last that wants its
/// old value and, of it and those behind, none checks indices.
static bool isOverwrittenLast(const VariantDesc &variant, uint32_t entry,
                              const StateDesc &state) {
  size_t writes = 0;
  for (const LaunchDesc &launch : variant.launches) {
    if (launch.entry != entry)
      continue;
    auto refs = llvm::ArrayRef(launch.refs);
    size_t reads = countRefs(refs, Space::Input, state.input);
    size_t now = countRefs(refs.drop_front(launch.readCount), Space::Output,
                           state.output);
    if (now && (launch.wave || launch.steps != 1 || reads > 1))
      return false;
    if (writes && (reads || now))
      return false;
    writes += now;
    if (writes && variant.kernels[launch.kernel].checked)
      return false;
  }
  return writes == 1;
}

llvm::Error tenon::artifact::validateUpdates(const ArtifactDesc &desc,
                                             const VariantDesc &variant) {
  for (auto [number, entry] : llvm::enumerate(desc.entries))
    for (const StateDesc &state : entry.states)
      if (state.isUpdated && !isOverwrittenLast(variant, number, state))
        return makeError("state '" + entry.inputs[state.input].name +
                         "' is overwritten while it is in use");
  return llvm::Error::success();
}

llvm::Error tenon::artifact::validateStates(const ArtifactDesc &desc) {
  for (const EntryDesc &entry : desc.entries)
    for (auto [i, state] : llvm::enumerate(entry.states)) {
      bool isOnly = llvm::none_of(
          llvm::ArrayRef(entry.states).take_front(i), [&](auto &other) {
            return other.input == state.input || (state.output != stateIsRead &&
                                                  other.output == state.output);
          });
      if (!isOnly || !isGood(desc, entry, state))
        return makeError("state " + llvm::Twine(i) + " of '" + entry.name +
                         "' is bad");
    }
  return llvm::Error::success();
}
