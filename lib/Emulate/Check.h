//===- Check.h - what running a kernel does not show ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares static checks of rules whose violation is a race on a
// GPU, but nothing here, where copies and products are done in order.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_CHECK_H
#define TENON_LIB_EMULATE_CHECK_H

#include "lib/Emulate/Program.h"

namespace tenon::emulate {

/// A sentence for each violation, with kernel and line.
std::vector<std::string> check(const Program &program);

/// Whether griddepcontrol.wait occurs in the kernel.
bool waitsForGrid(const Program &program, const Kernel &kernel);

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_CHECK_H
