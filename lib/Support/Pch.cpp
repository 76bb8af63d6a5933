//===- Pch.cpp - owner of the precompiled header --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/Pch.h"
