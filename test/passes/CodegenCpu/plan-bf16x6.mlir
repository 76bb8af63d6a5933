// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels="target=amx" | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels="target=amx bf16x6=false" | FileCheck %s --check-prefix=OFF
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels="target=sapphirerapids" | FileCheck %s --check-prefix=OFF
// OFF-NOT: bf16x6

// A stays split in pieces, 4 row tiles by 24 steps of 6 KiB, and two panels of
// B, for each thread; the tiles share out panels of 32 columns.
// CHECK-LABEL: func.func @product
// CHECK: packs = [unit, {{{.*}}panel = 32 : i64}]
// CHECK-SAME: #kernel.plan<"bf16x6", {by_rows = 0 : i64, keeps_columns = 0 : i64, packed = 1 : i64, pass = 24 : i64, prefetch = 1 : i64, row_tiles = 4 : i64, steps = 24 : i64, tiles = 24 : i64}>
// CHECK-SAME: scratch = array<i64>, thread_scratch = 884736
func.func @product(%x: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group(%x, %w) : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32> {
  ^bb0(%a: tensor<128x768xf32>, %b: tensor<768x768xf32>):
    %1 = graph.matmul %a, %b : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32>
    kernel.yield %1 : tensor<128x768xf32>
  }
  return %0 : tensor<128x768xf32>
}

// -----

// So many steps take passes, between which sums wait.
// CHECK-LABEL: func.func @passes
// CHECK: #kernel.plan<"bf16x6", {by_rows = {{.}} : i64, keeps_columns = 0 : i64, packed = 1 : i64, pass = 26 : i64,
// CHECK-SAME: scratch = array<i64: 262144>, thread_scratch =
func.func @passes(%x: tensor<128x3232xf32>) -> tensor<128x512xf32> {
  %w = graph.constant dense_resource<w> : tensor<3232x512xf32>
  %0 = kernel.group(%x, %w) : (tensor<128x3232xf32>, tensor<3232x512xf32>) -> tensor<128x512xf32> {
  ^bb0(%a: tensor<128x3232xf32>, %b: tensor<3232x512xf32>):
    %1 = graph.matmul %a, %b : (tensor<128x3232xf32>, tensor<3232x512xf32>) -> tensor<128x512xf32>
    kernel.yield %1 : tensor<128x512xf32>
  }
  return %0 : tensor<128x512xf32>
}

// -----

// Where minimal filtering takes less, that; with a stride there is none.
// CHECK-LABEL: func.func @filtered
// CHECK: #kernel.plan<"winograd"
func.func @filtered(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %w = graph.constant dense_resource<w> : tensor<64x64x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32> {
  ^bb0(%a: tensor<1x56x56x64xf32>, %b: tensor<64x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x56x56x64xf32>, tensor<64x64x3x3xf32>) -> tensor<1x56x56x64xf32>
    kernel.yield %1 : tensor<1x56x56x64xf32>
  }
  return %0 : tensor<1x56x56x64xf32>
}

// -----

// So many rows are shared out themselves.
// CHECK-LABEL: func.func @stride
// CHECK: #kernel.plan<"bf16x6", {by_rows = 1 : i64, keeps_columns = 0 : i64,
// CHECK-SAME: row_tiles = 7 : i64, steps = 18 : i64, tiles = 7 : i64}
func.func @stride(%x: tensor<1x28x28x256xf32>) -> tensor<1x14x14x256xf32> {
  %w = graph.constant dense_resource<w> : tensor<256x256x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x28x28x256xf32>, tensor<256x256x3x3xf32>) -> tensor<1x14x14x256xf32> {
  ^bb0(%a: tensor<1x28x28x256xf32>, %b: tensor<256x256x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x28x28x256xf32>, tensor<256x256x3x3xf32>) -> tensor<1x14x14x256xf32>
    kernel.yield %1 : tensor<1x14x14x256xf32>
  }
  return %0 : tensor<1x14x14x256xf32>
}

// -----

// All pieces of so small a B are kept, 3 panels by 12 steps, beside two row
// tiles of A.
// CHECK-LABEL: func.func @kept
// CHECK: #kernel.plan<"bf16x6", {by_rows = 1 : i64, keeps_columns = 1 : i64,
// CHECK-SAME: row_tiles = 1 : i64, steps = 12 : i64, tiles = 56 : i64}
// CHECK-SAME: thread_scratch = 368640
func.func @kept(%x: tensor<3136x384xf32>) -> tensor<3136x96xf32> {
  %w = graph.constant dense_resource<w> : tensor<384x96xf32>
  %0 = kernel.group(%x, %w) : (tensor<3136x384xf32>, tensor<384x96xf32>) -> tensor<3136x96xf32> {
  ^bb0(%a: tensor<3136x384xf32>, %b: tensor<384x96xf32>):
    %1 = graph.matmul %a, %b : (tensor<3136x384xf32>, tensor<384x96xf32>) -> tensor<3136x96xf32>
    kernel.yield %1 : tensor<3136x96xf32>
  }
  return %0 : tensor<3136x96xf32>
}

// -----

// Pieces of B that only two row tiles read are split step by step.
// CHECK-LABEL: func.func @few
// CHECK: #kernel.plan<"bf16x6", {by_rows = 0 : i64, keeps_columns = 0 : i64,
// CHECK-SAME: pass = 72 : i64, prefetch = 1 : i64, row_tiles = 2 : i64, steps = 1 : i64, tiles = 16 : i64}
func.func @few(%x: tensor<49x2304xf32>) -> tensor<49x512xf32> {
  %w = graph.constant dense_resource<w> : tensor<2304x512xf32>
  %0 = kernel.group(%x, %w) : (tensor<49x2304xf32>, tensor<2304x512xf32>) -> tensor<49x512xf32> {
  ^bb0(%a: tensor<49x2304xf32>, %b: tensor<2304x512xf32>):
    %1 = graph.matmul %a, %b : (tensor<49x2304xf32>, tensor<2304x512xf32>) -> tensor<49x512xf32>
    kernel.yield %1 : tensor<49x512xf32>
  }
  return %0 : tensor<49x512xf32>
}

// -----

// Rows and images of any size: code is for all, the plan for likely ones.
!open = tensor<?x?x384xf32, #graph.dims<["batch", "seq", 384]>>
!narrow = tensor<?x?x96xf32, #graph.dims<["batch", "seq", 96]>>

// CHECK-LABEL: func.func @open
// CHECK: #kernel.plan<"bf16x6", {
// CHECK-SAME: packed = 1 : i64
func.func @open(%x: !open) -> !narrow {
  %w = graph.constant dense_resource<w> : tensor<384x96xf32>
  %0 = kernel.group(%x, %w) : (!open, tensor<384x96xf32>) -> !narrow {
  ^bb0(%a: !open, %b: tensor<384x96xf32>):
    %1 = graph.matmul %a, %b : (!open, tensor<384x96xf32>) -> !narrow
    kernel.yield %1 : !narrow
  }
  return %0 : !narrow
}
