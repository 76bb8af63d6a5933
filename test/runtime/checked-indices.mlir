// An index outside of what it picks from ends a run, with the name of the node:
// in each kind of model, and in the interpreter.

// RUN: tenon-compile %s --quiet -o %t.tenon
// RUN: tenon-run %t.tenon --input random:1:4
// RUN: not tenon-run %t.tenon --input random:1:50 --threads 1 2>&1 | FileCheck %s
// RUN: not tenon-run %t.tenon --input random:1:50 --threads 3 --profile 2>&1 | FileCheck %s
// RUN: not tenon-run --interpret %s --input random:1:50 2>&1 | FileCheck %s --check-prefix=INTERPRETED
// RUN: tenon-compile %s --quiet --guard-memory -o %t.guard.tenon
// RUN: tenon-run %t.guard.tenon --input random:1:4
// RUN: not tenon-run %t.guard.tenon --input random:1:50 2>&1 | FileCheck %s
// RUN: tenon-compile %s --quiet --mcpu=x86-64-v3,x86-64 -o %t.two.tenon
// RUN: not tenon-run %t.two.tenon --input random:1:50 2>&1 | FileCheck %s
// RUN: tenon-compile %s --quiet --unchecked-indices -o %t.unchecked.tenon
// RUN: tenon-run %t.unchecked.tenon --input random:1:50 | FileCheck %s --check-prefix=UNCHECKED

// CHECK: tenon-run: error: node 'third': an index is out of range: it selects from 4 rows
// INTERPRETED: third{{.*}} index {{.*}} is out of range: it selects from 4 rows
// UNCHECKED: z: float32 [7]

// The first has rows enough.
func.func @main(%x: tensor<50xf32> {onnx.name = "x"}, %i: tensor<7xi64> {onnx.name = "i"}, %w: tensor<4xf32> {onnx.name = "w"})
    -> (tensor<7xf32> {onnx.name = "y"}, tensor<7xf32> {onnx.name = "z"}) {
  %0 = "onnx.Gather"(%x, %i) {axis = 0 : i64} : (tensor<50xf32>, tensor<7xi64>) -> tensor<7xf32> loc("first")
  %1 = "onnx.Gather"(%w, %i) {axis = 0 : i64} : (tensor<4xf32>, tensor<7xi64>) -> tensor<7xf32> loc("third")
  return %0, %1 : tensor<7xf32>, tensor<7xf32>
}
