//===- KernelDialect.td - the kernel dialect ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_KERNEL_DIALECT
#define TENON_KERNEL_DIALECT

include "mlir/IR/OpBase.td"

def Kernel_Dialect : Dialect {
  let name = "kernel";
  let cppNamespace = "::tenon::kernel";
  let summary = "Groups of graph operations that become one kernel, and launches";
  let description = [{
    Decisions reified: what is fused (`kernel.group`), how it is tiled
    (`#kernel.plan`), and at the end which function runs it on which buffers, beside
    what (`kernel.launch`).
  }];
  let useDefaultAttributePrinterParser = 1;
  let dependentDialects = ["::tenon::memory::MemoryDialect"];
  let hasOperationAttrVerify = 1;
  // Facts about a kernel, on its function; `narrowed` is one about a module,
  // `unfused` one about a program.
  let discardableAttrs = (ins
    // The expected size of its rounding errors over those of plain summation.
    // Absent: 1.
    "::mlir::FloatAttr":$error_growth,
    // A thread's tiles of a launch come in one call, since what a call prepares
    // costs more than waiting for other threads.
    "::mlir::UnitAttr":$one_call,
    // As `checked` of a group.
    "::mlir::UnitAttr":$checked,
    // What became of each constant that was to be stored in 16 bits: `nodes`
    // that read it, the `element` it is stored in (f32 where its range is too
    // large), `bytes_saved`, `error`, the largest of a weight over that weight
    // (1 where a tiny one becomes zero), and `error_of_largest`, the largest
    // error over the largest weight; `kept` says why it stays f32.
    "::mlir::ArrayAttr":$narrowed,
    // The values that go through memory from one group to another: `from` and
    // `to`, the ONNX nodes at both ends, and the `reason` in words.
    "::mlir::ArrayAttr":$unfused
  );
}

#endif // TENON_KERNEL_DIALECT
