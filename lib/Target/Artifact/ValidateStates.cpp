//===- ValidateStates.cpp - checking states -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states what the loader asks of states, on descriptions.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

using namespace tenon::artifact;

/// What grows has an extent that depends on the input's, along one dimension.
static bool canGrow(const StateDesc &state, const TensorDesc &input,
                    const TensorDesc &output, size_t states) {
  return *state.axis < output.shape.size() && state.capacity < states &&
         input.shape[*state.axis] < 0 && output.shape[*state.axis] < 0;
}

static bool isGood(const EntryDesc &entry, const StateDesc &state) {
  if (state.input >= entry.inputs.size() ||
      state.output >= entry.outputs.size())
    return false;
  const TensorDesc &input = entry.inputs[state.input];
  const TensorDesc &output = entry.outputs[state.output];
  return input.type == output.type &&
         input.shape.size() == output.shape.size() &&
         (!state.axis || canGrow(state, input, output, entry.states.size()));
}

llvm::Error tenon::artifact::validateStates(const ArtifactDesc &desc) {
  for (const EntryDesc &entry : desc.entries)
    for (auto [i, state] : llvm::enumerate(entry.states)) {
      bool isOnly = llvm::none_of(
          llvm::ArrayRef(entry.states).take_front(i), [&](auto &other) {
            return other.input == state.input || other.output == state.output;
          });
      if (!isOnly || !isGood(entry, state))
        return makeError("state " + llvm::Twine(i) + " of '" + entry.name +
                         "' is bad");
    }
  return llvm::Error::success();
}
