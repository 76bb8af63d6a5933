//===- Groups.cpp - options by what they are about ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Programs/Groups.h"

#include "llvm/ADT/SmallVector.h"

using namespace tenon;
namespace cl = llvm::cl;

llvm::MutableArrayRef<OptionGroup> tenon::compilerGroups() {
  static OptionGroup all[] = {
      {{"1. The model"},
       {"shape", "dim", "typical", "const", "ensemble", "ensemble-inputs",
        "state"}},
      {{"2. What is written"},
       {"o", "emit", "compile-to", "report", "memory-problem",
        "schedule-problem"}},
      {{"3. What it runs on"},
       {"mcpu", "mtriple", "device", "threads", "streams", "tune", "times"}},
      {{"4. Numbers"},
       {"strict", "precision", "weights", "winograd", "no-bf16x6",
        "unchecked-indices"}},
      {{"5. The plan"},
       {"fusion", "schedule", "arena-cap", "micro-batch", "arena-budget",
        "code-size", "guard-memory"}},
      {{"6. Training"},
       {"train", "loss", "optimizer", "trainable", "keep-tied", "no-decay",
        "clip-norm", "clip-value", "loss-scale", "accumulate", "seed",
        "apply-state"}},
      {{"7. The compiler"},
       {"j", "kernel-cache", "kernel-cache-size", "no-kernel-cache", "quiet",
        "explain"}}};
  return all;
}

void tenon::groupOptions(llvm::MutableArrayRef<OptionGroup> groups) {
  auto &options = cl::getRegisteredOptions();
  llvm::SmallVector<const cl::OptionCategory *> shown;
  for (OptionGroup &group : groups) {
    for (const char *name : group.options)
      if (cl::Option *option = options.lookup(name))
        option->Categories.assign(1, &group.category);
    shown.push_back(&group.category);
  }
  cl::HideUnrelatedOptions(shown);
}
