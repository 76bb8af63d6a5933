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
// SAFE-SAME: thread_scratch = {{[1-9][0-9]*}}
func.func @gains(%x: tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<64x64x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32> {
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
  %0 = kernel.group(%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x15x15x64xf32> {
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
  %0 = kernel.group(%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32>
    kernel.yield %1 : tensor<1x30x30x64xf32>
  }
  return %0 : tensor<1x30x30x64xf32>
}

// Dilated windows: two phases in each dimension. The halo covers the tiles of
// the longer ones.
// CHECK-LABEL: func.func @dilated
// SAFE: halos = [array<i64: 0, 2, 2, 0, 0, 4, 4, 0>, array<i64>]
// SAFE-SAME: #kernel.plan<"winograd", {{{.*}}m = 4 : i64
func.func @dilated(%x: tensor<1x30x30x64xf32>) -> tensor<1x30x30x64xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<64x64x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 2, 2>, layout = #graph<layout nhwc>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>}
      : (tensor<1x30x30x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x30x30x64xf32>
    kernel.yield %1 : tensor<1x30x30x64xf32>
  }
  return %0 : tensor<1x30x30x64xf32>
}

// One dimension is filtered, with seven taps.
// CHECK-LABEL: func.func @column
// SAFE: packs = [unit, {{{.*}}k_dims = array<i64: 2, 3, 1>{{.*}}window_rank = 1 : i64, winograd = 2
// SAFE-SAME: #kernel.plan<"winograd", {{{.*}}m = 2 : i64
func.func @column(%x: tensor<1x17x17x192xf32>) -> tensor<1x17x17x192xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<192x192x7x1xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x17x17x192xf32>, tensor<192x192x7x1xf32>) -> tensor<1x17x17x192xf32> {
  ^bb0(%a: tensor<1x17x17x192xf32>, %b: tensor<192x192x7x1xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 3, 0, 3, 0>, strides = array<i64: 1, 1>}
      : (tensor<1x17x17x192xf32>, tensor<192x192x7x1xf32>) -> tensor<1x17x17x192xf32>
    kernel.yield %1 : tensor<1x17x17x192xf32>
  }
  return %0 : tensor<1x17x17x192xf32>
}

// A third dimension, of any stride, has windows of its own.
// CHECK-LABEL: func.func @volume
// SAFE: packs = [unit, {{{.*}}k_dims = array<i64: 3, 4, 2, 1>{{.*}}winograd = 4
func.func @volume(%x: tensor<1x8x28x28x64xf32>) -> tensor<1x4x28x28x64xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<64x64x3x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x8x28x28x64xf32>, tensor<64x64x3x3x3xf32>) -> tensor<1x4x28x28x64xf32> {
  ^bb0(%a: tensor<1x8x28x28x64xf32>, %b: tensor<64x64x3x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1, 1, 1>, strides = array<i64: 2, 1, 1>}
      : (tensor<1x8x28x28x64xf32>, tensor<64x64x3x3x3xf32>) -> tensor<1x4x28x28x64xf32>
    kernel.yield %1 : tensor<1x4x28x28x64xf32>
  }
  return %0 : tensor<1x4x28x28x64xf32>
}

// Groups have panels of their own.
// CHECK-LABEL: func.func @grouped
// SAFE: packs = [unit, {{{.*}}groups = 5 : i64{{.*}}winograd = 4
func.func @grouped(%x: tensor<1x28x28x240xf32>) -> tensor<1x28x28x240xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<240x48x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x28x28x240xf32>, tensor<240x48x3x3xf32>) -> tensor<1x28x28x240xf32> {
  ^bb0(%a: tensor<1x28x28x240xf32>, %b: tensor<240x48x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 5 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x28x28x240xf32>, tensor<240x48x3x3xf32>) -> tensor<1x28x28x240xf32>
    kernel.yield %1 : tensor<1x28x28x240xf32>
  }
  return %0 : tensor<1x28x28x240xf32>
}

// Eleven taps are four windows of three.
// CHECK-LABEL: func.func @long
// SAFE: halos = [array<i64: 0, 5, 0, 0, {{[0-9]+}}, 0>, array<i64>]
// SAFE-SAME: packs = [unit, {{{.*}}k_dims = array<i64: 2, 1>{{.*}}window = 3 : i64, window_rank = 1 : i64, winograd =
func.func @long(%x: tensor<1x800x128xf32>) -> tensor<1x800x128xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<128x128x11xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x800x128xf32>, tensor<128x128x11xf32>) -> tensor<1x800x128xf32> {
  ^bb0(%a: tensor<1x800x128xf32>, %b: tensor<128x128x11xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1>, layout = #graph<layout nhwc>, pads = array<i64: 5, 5>, strides = array<i64: 1>}
      : (tensor<1x800x128xf32>, tensor<128x128x11xf32>) -> tensor<1x800x128xf32>
    kernel.yield %1 : tensor<1x800x128xf32>
  }
  return %0 : tensor<1x800x128xf32>
}

// Of a map whose extents only the run knows, windows of tiles may stick out as
// far as they ever do.
// CHECK-LABEL: func.func @open
// EXACT: halos = [array<i64: 0, 1, 1, 0, 0, 2, 2, 0>, array<i64>]
// EXACT-SAME: #kernel.plan<"winograd", {{{.*}}m = 2 : i64
// SAFE: halos = [array<i64: 0, 1, 1, 0, 0, 4, 4, 0>, array<i64>]
// SAFE-SAME: #kernel.plan<"winograd", {{{.*}}m = 4 : i64
!open = tensor<?x?x?x64xf32, #graph.dims<["b", "h", "w", 64]>>
func.func @open(%x: !open) -> !open {
  %w = graph.constant dense<5.0e-01> : tensor<64x64x3x3xf32>
  %0 = kernel.group(%x, %w) : (!open, tensor<64x64x3x3xf32>) -> !open {
  ^bb0(%a: !open, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (!open, tensor<64x64x3x3xf32>) -> !open
    kernel.yield %1 : !open
  }
  return %0 : !open
}
