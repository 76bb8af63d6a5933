//===- ApplyState.h - models with what was trained --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_COMPILER_APPLYSTATE_H
#define TENON_LIB_COMPILER_APPLYSTATE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace tenon {

/// The model at `path`, a binary ModelProto, with the parameters that the file
/// `state` (tenon_state_save) has for its initialisers.
llvm::Expected<std::string> applyState(llvm::StringRef path,
                                       llvm::StringRef state);

} // namespace tenon

#endif // TENON_LIB_COMPILER_APPLYSTATE_H
