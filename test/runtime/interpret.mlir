// RUN: tenon-run --interpret %s --signature | FileCheck %s --check-prefix=SIG
// RUN: tenon-run --interpret %s --input x=random:1 --output-dir %t.dir | FileCheck %s
// RUN: tenon-run --interpret %s --input x=random:1 --expect scaled/sum=%t.dir/scaled/sum.npy | FileCheck %s --check-prefix=SAME
// RUN: not tenon-run --interpret %s --input x=random:2 --expect scaled/sum=%t.dir/scaled/sum.npy --json | FileCheck %s --check-prefix=JSON
// RUN: not tenon-run --interpret %s --input z=random:2 2>&1 | FileCheck %s --check-prefix=INPUT

// SIG: input   x: float32 [2x3]
// SIG-NEXT: output  scaled/sum: float32 [2x3]

// CHECK: scaled/sum: float32 [2x3] min {{.*}} max {{.*}} mean {{.*}} first

// JSON: "expected": [{"name": "scaled/sum", "agrees": false

// INPUT: error: there is no input 'z'; the model has 'x'

// SAME: scaled/sum: agrees, largest error 0 absolute, 0 relative

func.func @main(%x: tensor<2x3xf32> {onnx.name = "x"})
    -> (tensor<2x3xf32> {onnx.name = "scaled/sum"}) {
  %0 = graph.add %x, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = graph.mul %0, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
