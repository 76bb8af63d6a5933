//===- SavedState.h - states as files -----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_RUNTIME_STATE_SAVEDSTATE_H
#define TENON_RUNTIME_STATE_SAVEDSTATE_H

#include "src/state/Header.h"
#include "src/state/State.h"

/// Of the names, types and shapes that the model gives its states.
uint64_t tenonStateHash(const tenon_state *state);

#endif // TENON_RUNTIME_STATE_SAVEDSTATE_H
