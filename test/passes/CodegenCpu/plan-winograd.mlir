// RUN: tenon-opt %s --tenon-plan-kernels="target=avx512" | FileCheck %s --check-prefixes=CHECK,SAFE
// RUN: tenon-opt %s --tenon-plan-kernels="target=avx512 winograd=exact" | FileCheck %s --check-prefixes=CHECK,EXACT
// RUN: tenon-opt %s --tenon-plan-kernels="target=avx512 winograd=off" | FileCheck %s --check-prefixes=OFF
// RUN: not tenon-opt %s --tenon-plan-kernels="winograd=fast" 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: winograd must be off, exact, safe or max, not 'fast'
// OFF-NOT: winograd

// A map of 30x30 is no multiple of 4: the halo covers the windows of the tiles
// that stick out.
// CHECK-LABEL: func.func @gains
// EXACT: halos = [array<i64: 0, 1, 1, 0, 0, 1, 1, 0>, array<i64>]
// EXACT-SAME: winograd = 2
// EXACT-SAME: #kernel.plan<"winograd", {{{.*}}m = 2 : i64
// SAFE: halos = [array<i64: 0, 1, 1, 0, 0, 3, 3, 0>, array<i64>]
// SAFE-SAME: packs = [unit, {{{.*}}k_dims = array<i64: 2, 3, 1>{{.*}}winograd = 4
// SAFE-SAME: #kernel.plan<"winograd", {{{.*}}m = 4 : i64
// SAFE-SAME: scratch = array<i64: {{[1-9][0-9]*}}, {{[1-9][0-9]*}}>
func.func @gains(%x: tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<64x64x3x3xf32>
  %0 = kernel.group "contraction" (%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32>
    kernel.yield %1 : tensor<1x30x30x64xf32>
  }
  return %0 : tensor<1x30x30x64xf32>
}

// Not those with a stride.
// CHECK-LABEL: func.func @stride
// CHECK-NOT: winograd
func.func @stride(%x: tensor<1x30x30x64xf32>) -> tensor<1x15x15x64xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<64x64x3x3xf32>
  %0 = kernel.group "contraction" (%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x15x15x64xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
      : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x15x15x64xf32>
    kernel.yield %1 : tensor<1x15x15x64xf32>
  }
  return %0 : tensor<1x15x15x64xf32>
}

// Nor those whose filter is computed.
// CHECK-LABEL: func.func @computed
// CHECK-NOT: winograd
func.func @computed(%x: tensor<1x30x30x64xf32>, %w: tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32> {
  %0 = kernel.group "contraction" (%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32>
    kernel.yield %1 : tensor<1x30x30x64xf32>
  }
  return %0 : tensor<1x30x30x64xf32>
}
