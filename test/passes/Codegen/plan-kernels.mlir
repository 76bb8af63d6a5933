// RUN: tenon-opt %s --tenon-plan-kernels="target=avx512 winograd=off" | FileCheck %s --check-prefixes=CHECK,WIDE
// RUN: tenon-opt %s --tenon-plan-kernels="target=baseline winograd=off" | FileCheck %s --check-prefixes=CHECK,NARROW

// The constant filter is to be packed, the input gets the halo that the padding
// asks for; the vectors are the target's.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x8x32xf32> {
  // CHECK: %[[W:.*]] = graph.constant
  %w = graph.constant dense<5.0e-01> : tensor<32x16x3x3xf32>
  // CHECK: kernel.group(%{{[a-z0-9]+}}, %{{[a-z0-9]+}})
  // CHECK-SAME: halos = [array<i64: 0, 1, 1, 0, 0, 1, 1, 0>, array<i64>]
  // CHECK-SAME: packs = [unit, {{{.*}}k_dims = array<i64: 2, 3, 1>
  // WIDE-SAME: plan = #kernel.plan<"gemm", {{{.*}}lanes = 16 : i64
  // NARROW-SAME: plan = #kernel.plan<"gemm", {{{.*}}lanes = 4 : i64
  %0 = kernel.group(%x, %w) : (tensor<1x8x8x16xf32>, tensor<32x16x3x3xf32>) -> tensor<1x8x8x32xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<32x16x3x3xf32>):
    %1 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<32x16x3x3xf32>) -> tensor<1x8x8x32xf32>
    kernel.yield %1 : tensor<1x8x8x32xf32>
  }
  return %0 : tensor<1x8x8x32xf32>
}
