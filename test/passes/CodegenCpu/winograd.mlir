// RUN: tenon-opt %s --tenon-plan-kernels="target=avx512" --tenon-assign-buffers="target=avx512" --tenon-lower-kernels="target=avx512" | FileCheck %s

// One filter panel: transformed inputs and products lie in scratch, the kernel
// carries how its errors grow.
// CHECK: memory.constant {{.*}}winograd = 4
// CHECK: kernel.launch @winograd_[[N:[0-9]+]] tiles(5)
// CHECK-SAME: scratch(
// CHECK: func.func @winograd_[[N]]({{.*}}error_growth = 1.78
// CHECK: llvm.intr.fma
func.func @main(%x: tensor<1x30x30x64xf32>) -> tensor<1x30x30x32xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<32x64x3x3xf32>
  %0 = kernel.group "contraction" (%x, %w) : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<32x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32>
    kernel.yield %1 : tensor<1x30x30x32xf32>
  }
  return %0 : tensor<1x30x30x32xf32>
}
