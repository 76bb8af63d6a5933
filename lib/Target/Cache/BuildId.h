//===- BuildId.h - which compiler this is -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_TARGET_CACHE_BUILDID_H
#define TENON_LIB_TARGET_CACHE_BUILDID_H

#include <string>

namespace tenon {

/// The linkers' build ids of everything that makes code here: this library,
/// MLIR and LLVM, as bytes. Two processes with the same id compile the same
/// kernel to the same object. Empty when one of them was linked without an id.
std::string compilerId();

} // namespace tenon

#endif // TENON_LIB_TARGET_CACHE_BUILDID_H
