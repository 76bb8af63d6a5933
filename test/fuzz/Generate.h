//===- Generate.h - graphs by number ----------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_FUZZ_GENERATE_H
#define TENON_TEST_FUZZ_GENERATE_H

#include "test/fuzz/Case.h"

namespace tenon::fuzz {

/// The graph of this number; the same one on any machine.
Case generate(uint64_t seed);

} // namespace tenon::fuzz

#endif // TENON_TEST_FUZZ_GENERATE_H
