//===- ReportStep.h - what a step of training computes again ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the compiler: what a report says of memory against
// time in training.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_COMPILER_REPORTSTEP_H
#define TENON_LIB_COMPILER_REPORTSTEP_H

#include "passes/Checkpoint/Frontier.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tenon {

/// What was taken; with `showAll`, all plans that there are, and others.
void printStep(llvm::raw_ostream &stream,
               const checkpoint::StepFrontier &frontier, bool showAll);

llvm::json::Object stepJson(const checkpoint::StepFrontier &frontier);

/// Time against bytes of the arena, as SVG.
std::string drawStep(const checkpoint::StepFrontier &frontier,
                     llvm::StringRef model);

} // namespace tenon

#endif // TENON_LIB_COMPILER_REPORTSTEP_H
