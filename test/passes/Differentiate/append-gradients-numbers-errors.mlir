// RUN: not tenon-opt %s --tenon-append-gradients="of=1" 2>&1 | FileCheck %s --check-prefix=RESULT
// RUN: not tenon-opt %s --tenon-append-gradients="wanted=0,3" 2>&1 | FileCheck %s --check-prefix=ARGUMENT

// RESULT: error: has no result 1
// ARGUMENT: error: has no argument 3
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = graph.exp %x : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}
