// RUN: not tenon-opt %s --tenon-narrow-weights=type=f8 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-narrow-weights 2>&1 | FileCheck %s

// TYPE: error: weights cannot be stored as 'f8'
func.func @main(%x: tensor<4x16xf32>) -> tensor<4x16xf32> {
  // CHECK: error: has elements that cannot be read
  %w = graph.constant dense_resource<missing> : tensor<16x16xf32>
  %0 = kernel.group(%x, %w) : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x16xf32>):
    %1 = graph.matmul %a, %b : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    kernel.yield %1 : tensor<4x16xf32>
  }
  return %0 : tensor<4x16xf32>
}
