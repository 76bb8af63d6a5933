//===- Passes.td - control beside programs -----------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_PASSES_CONTROL
#define TENON_PASSES_CONTROL

include "mlir/Pass/PassBase.td"

def FormStepsPass : Pass<"tenon-form-steps", "::mlir::ModuleOp"> {
  let summary = "loops of fixed length become operations of programs";
  let description = [{
    A loop that runs a known number of times, whatever it computes, and whose body
    is graph operations on tensors of known sizes, becomes `graph.steps`. What its
    body picks by the number of the step is sliced. What reads nothing that is
    carried is computed for all steps at once in front of it, and what only
    becomes a stacked result, behind it. Loops in models with states stay.

    ```mlir
    %r:2 = control.loop @body trip %c16 carried(%h : tensor<4xf32>) invariant(%xs : tensor<16x4xf32>)
    func.func @body(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<4xf32>, %xs: tensor<16x4xf32>) -> ... {
      %x = graph.gather %xs, %i {axis = 0}
      %n = graph.add %x, %h
      return %c, %n, %n
    }
    // becomes
    %r = graph.steps @body(%xs, %h) {count = 16, scans = 1, next = array<i64: 0>, stacked = array<i1: true>}
    func.func @body(%x: tensor<4xf32>, %h: tensor<4xf32>) -> tensor<4xf32> {
      %n = graph.add %x, %h
      return %n
    }
    ```
  }];
  let dependentDialects = ["::tenon::graph::GraphDialect"];
  let statistics = [Statistic<"numLoops", "loops", "loops formed">];
}

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
