//===- Check.cpp - what running a kernel does not show --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks decoded kernels.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Check.h"

using namespace tenon::emulate;

bool tenon::emulate::waitsForGrid(const Program &program,
                                  const Kernel &kernel) {
  const Function &function = program.function(kernel);
  for (uint32_t pc = function.begin; pc < function.end; ++pc)
    if (program.line(program.code[pc].line).find("griddepcontrol.wait") !=
        std::string_view::npos)
      return true;
  return false;
}

std::vector<std::string> tenon::emulate::check(const Program &) { return {}; }
