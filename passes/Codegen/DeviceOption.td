//===- DeviceOption.td - how passes name a device ----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CODEGEN_DEVICEOPTION
#define TENON_PASSES_CODEGEN_DEVICEOPTION

include "mlir/Pass/PassBase.td"

class DeviceOption<list<Option> more = []> {
  list<Option> list_ = !listconcat([
    Option<"target", "target", "std::string", "\"baseline\"",
      "the row of the table of processors (amx, sapphirerapids, avx512, zen5, zen4, "
      "avx2, neon, baseline) or of GPUs (sm_80, sm_86, sm_89, sm_90a, sm_100a)">,
    Option<"threads", "threads", "int64_t", "0",
      "threads that launches are cut for (0: as the target says); any number "
      "runs them, with the same results">,
    Option<"winograd", "winograd", "std::string", "\"safe\"",
      "Winograd convolutions: off, exact, safe or max">,
    Option<"bf16x6", "bf16x6", "bool", "true",
      "products of f32 on a matrix unit of bf16, if a processor has one">,
    Option<"precision", "precision", "std::string", "\"f32\"",
      "what products of a GPU compute with: f32, tf32, f16 or bf16">], more);
}

#endif // TENON_PASSES_CODEGEN_DEVICEOPTION
