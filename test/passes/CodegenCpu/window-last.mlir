// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 | FileCheck %s

// The last four of 36 channels have a vector of their size: no masks, and loads
// that cross no lines.

// CHECK: func.func private @{{depthwise|pool}}
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.intr.fma({{.*}} vector<16xf32>
// CHECK: llvm.load {{.*}} -> vector<4xf32>
// CHECK: llvm.intr.fma({{.*}} vector<4xf32>
// CHECK-NOT: masked
// CHECK: return
func.func @main(%x: tensor<1x30x30x36xf32>) -> tensor<1x28x28x36xf32> {
  %w = graph.constant dense_resource<w> : tensor<36x1x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x30x30x36xf32>, tensor<36x1x3x3xf32>) -> tensor<1x28x28x36xf32> {
  ^bb0(%x0: tensor<1x30x30x36xf32>, %w0: tensor<36x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 36 : i64, layout = #graph<layout nhwc>} : (tensor<1x30x30x36xf32>, tensor<36x1x3x3xf32>) -> tensor<1x28x28x36xf32>
    kernel.yield %1 : tensor<1x28x28x36xf32>
  }
  return %0 : tensor<1x28x28x36xf32>
}
