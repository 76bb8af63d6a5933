//===- Passes.td - control beside programs -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CONTROL
#define TENON_PASSES_CONTROL

include "mlir/Pass/PassBase.td"

def SplitControlPass : Pass<"tenon-split-control", "::mlir::ModuleOp"> {
  let summary = "part control from what kernels compute";
  let description = [{
    In a module with operations of the control dialect, each function becomes a
    `control.func`, and what stands between its control becomes programs of their
    own, its segments. As few as possible: an operation belongs to the earliest
    segment in which its operands are known. Each symbol of a segment is an extent
    of one of its inputs. A module without control stays as it is.

    ```mlir
    func.func @main(%x: tensor<4xf32>) -> ... {
      %a = graph.abs %x
      %i = control.call "nonzero"(%a)
      %y = graph.cast %i
      return %y
    }
    // becomes
    control.func @main(%x: tensor<4xf32>) -> ... {
      %a = control.call @main_0(%x)
      %i = control.call "nonzero"(%a)
      %y = control.call @main_1(%i)
      control.return %y
    }
    func.func @main_0(%x: tensor<4xf32>) -> ... { ... }
    func.func @main_1(%i: tensor<1x?xi64>) -> ... { ... }
    ```
  }];
  let dependentDialects = ["::tenon::control::ControlDialect"];
  let statistics = [Statistic<"numSegments", "segments", "segments made">];
}

def LowerControlPass : Pass<"tenon-lower-control", "::mlir::ModuleOp"> {
  let summary = "from control to bytecode";
  let description = [{
    `control.func` becomes `vm.func`: branches and loops become blocks, values
    that are no longer used are killed.

    ```mlir
    %r = control.if %c : tensor<i1> then @a else @b(%x) : ...
    // becomes
      vm.if %c, ^bb1, ^bb2
    ^bb1:
      %0 = vm.call @a(%x)
      vm.goto ^bb3(%0)
    ^bb2: ...
    ^bb3(%r):
    ```
  }];
  let dependentDialects = ["::tenon::vm::VmDialect"];
  let statistics = [Statistic<"numFunctions", "functions", "functions lowered">];
}

def VerifySplitPass : Pass<"tenon-verify-split", "::mlir::ModuleOp"> {
  let summary = "check that control and programs are apart";
  let description = [{
    Control stands in `control.func`, which holds nothing else, and each symbol of
    a segment is an extent of one of its inputs or made of such.

    ```mlir
    func.func @main_0(...) {
      %i = control.call "nonzero"(%x)   // error: control among programs
    }
    ```
  }];
}

#endif // TENON_PASSES_CONTROL
