// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 | FileCheck %s

// A tile of 4 x 3 pixels needs 6 x 5 of what a window of 3 x 3 moves over, with
// 16 channels of 4 bytes 1920 bytes, and 4 x 3 of its result, 768 bytes. The
// input is read where it is, never beyond.
// PLAN-LABEL: func.func @residual
// PLAN: kernel.group
// PLAN-SAME: halos = [array<i64>, array<i64>, array<i64>, array<i64>, array<i64>, array<i64>, array<i64>]
// PLAN-SAME: packs = [unit, {{{.*}}panel = 16 : i64}, unit, {{{.*}}panel = 8 : i64}, unit, {{{.*}}panel = 8 : i64}, unit]
// PLAN-SAME: plan = #kernel.plan<"stages", {{[{][}]}}>, scratch = array<i64>, thread_scratch = 2688 : i64
// PLAN: kernel.stage{{.*}}plan = #kernel.plan<"gemm"
// PLAN: kernel.stage{{.*}}plan = #kernel.plan<"depthwise"
// PLAN: kernel.stage{{.*}}plan = #kernel.plan<"gemm"

// 10 x 9 pixels are 3 x 3 tiles, of one kernel.
// CHECK-LABEL: func.func @residual
// CHECK: kernel.launch @[[KERNEL:[^ ]+]] tiles(9) {{.*}}thread_scratch = 2688 : i64
// CHECK-NOT: kernel.launch
func.func @residual(%n_x: tensor<1x10x9x4xf32>) -> (tensor<1x10x9x4xf32>) {
  %n_w0 = graph.constant dense<0.5> : tensor<16x4x1x1xf32>
  %n_b0 = graph.constant dense<0.5> : tensor<16xf32>
  %n_w1 = graph.constant dense<0.5> : tensor<16x1x3x3xf32>
  %n_b1 = graph.constant dense<0.5> : tensor<16xf32>
  %n_w2 = graph.constant dense<0.5> : tensor<4x16x1x1xf32>
  %n_b2 = graph.constant dense<0.5> : tensor<4xf32>
  %n_t2 = kernel.group(%n_x, %n_w0, %n_b0, %n_w1, %n_b1, %n_w2, %n_b2) {tile = #kernel.tile<dims = [1, 2], sizes = [4, 3]>} : (tensor<1x10x9x4xf32>, tensor<16x4x1x1xf32>, tensor<16xf32>, tensor<16x1x3x3xf32>, tensor<16xf32>, tensor<4x16x1x1xf32>, tensor<4xf32>) -> tensor<1x10x9x4xf32> {
  ^bb0(%x: tensor<1x10x9x4xf32>, %w0: tensor<16x4x1x1xf32>, %b0: tensor<16xf32>, %w1: tensor<16x1x3x3xf32>, %b1: tensor<16xf32>, %w2: tensor<4x16x1x1xf32>, %b2: tensor<4xf32>):
    %t0 = kernel.stage(%x, %w0, %b0) : (tensor<1x10x9x4xf32>, tensor<16x4x1x1xf32>, tensor<16xf32>) -> tensor<1x10x9x16xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<16x4x1x1xf32>, %p2: tensor<16xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x10x9x16xf32>
      %1 = graph.add %0, %p2 : (tensor<1x10x9x16xf32>, tensor<16xf32>) -> tensor<1x10x9x16xf32>
      %2 = graph.relu %1 : (tensor<1x10x9x16xf32>) -> tensor<1x10x9x16xf32>
      %six = graph.constant dense<6.0> : tensor<f32>
      %3 = graph.min %2, %six : (tensor<1x10x9x16xf32>, tensor<f32>) -> tensor<1x10x9x16xf32>
      kernel.yield %3 : tensor<1x10x9x16xf32>
    }
    %t1 = kernel.stage(%t0, %w1, %b1) : (tensor<1x10x9x16xf32>, tensor<16x1x3x3xf32>, tensor<16xf32>) -> tensor<1x10x9x16xf32> {
    ^bb0(%p0: tensor<1x10x9x16xf32>, %p1: tensor<16x1x3x3xf32>, %p2: tensor<16xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 16 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x10x9x16xf32>
      %1 = graph.add %0, %p2 : (tensor<1x10x9x16xf32>, tensor<16xf32>) -> tensor<1x10x9x16xf32>
      %2 = graph.relu %1 : (tensor<1x10x9x16xf32>) -> tensor<1x10x9x16xf32>
      %six = graph.constant dense<6.0> : tensor<f32>
      %3 = graph.min %2, %six : (tensor<1x10x9x16xf32>, tensor<f32>) -> tensor<1x10x9x16xf32>
      kernel.yield %3 : tensor<1x10x9x16xf32>
    }
    %t2 = kernel.stage(%t1, %w2, %b2, %x) : (tensor<1x10x9x16xf32>, tensor<4x16x1x1xf32>, tensor<4xf32>, tensor<1x10x9x4xf32>) -> tensor<1x10x9x4xf32> {
    ^bb0(%p0: tensor<1x10x9x16xf32>, %p1: tensor<4x16x1x1xf32>, %p2: tensor<4xf32>, %p3: tensor<1x10x9x4xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x16xf32>, tensor<4x16x1x1xf32>) -> tensor<1x10x9x4xf32>
      %1 = graph.add %0, %p2 : (tensor<1x10x9x4xf32>, tensor<4xf32>) -> tensor<1x10x9x4xf32>
      %2 = graph.add %1, %p3 : (tensor<1x10x9x4xf32>, tensor<1x10x9x4xf32>) -> tensor<1x10x9x4xf32>
      kernel.yield %2 : tensor<1x10x9x4xf32>
    }
    kernel.yield %t2 : tensor<1x10x9x4xf32>
  }
  return %n_t2 : tensor<1x10x9x4xf32>
}

// Two rows with stride 2 need 2 * (2 - 1) + 3 = 5, and all 5 columns
// 2 * (5 - 1) + 3 = 11, of which the map has 9: 3520 bytes, and 2 * 5 * 64 = 640.
// PLAN-LABEL: func.func @stride
// PLAN: kernel.group
// PLAN-SAME: thread_scratch = 4160 : i64
// CHECK-LABEL: func.func @stride
// CHECK: kernel.launch @{{[^ ]+}} tiles(3) {{.*}}thread_scratch = 4160 : i64
// CHECK-NOT: kernel.launch
func.func @stride(%n_x: tensor<1x10x9x4xf32>) -> (tensor<1x5x5x8xf32>) {
  %n_w0 = graph.constant dense<0.5> : tensor<16x4x1x1xf32>
  %n_b0 = graph.constant dense<0.5> : tensor<16xf32>
  %n_w1 = graph.constant dense<0.5> : tensor<16x1x3x3xf32>
  %n_b1 = graph.constant dense<0.5> : tensor<16xf32>
  %n_w2 = graph.constant dense<0.5> : tensor<8x16x1x1xf32>
  %n_b2 = graph.constant dense<0.5> : tensor<8xf32>
  %n_t2 = kernel.group(%n_x, %n_w0, %n_b0, %n_w1, %n_b1, %n_w2, %n_b2) {tile = #kernel.tile<dims = [1], sizes = [2]>} : (tensor<1x10x9x4xf32>, tensor<16x4x1x1xf32>, tensor<16xf32>, tensor<16x1x3x3xf32>, tensor<16xf32>, tensor<8x16x1x1xf32>, tensor<8xf32>) -> tensor<1x5x5x8xf32> {
  ^bb0(%x: tensor<1x10x9x4xf32>, %w0: tensor<16x4x1x1xf32>, %b0: tensor<16xf32>, %w1: tensor<16x1x3x3xf32>, %b1: tensor<16xf32>, %w2: tensor<8x16x1x1xf32>, %b2: tensor<8xf32>):
    %t0 = kernel.stage(%x, %w0, %b0) : (tensor<1x10x9x4xf32>, tensor<16x4x1x1xf32>, tensor<16xf32>) -> tensor<1x10x9x16xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<16x4x1x1xf32>, %p2: tensor<16xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x4xf32>, tensor<16x4x1x1xf32>) -> tensor<1x10x9x16xf32>
      %1 = graph.add %0, %p2 : (tensor<1x10x9x16xf32>, tensor<16xf32>) -> tensor<1x10x9x16xf32>
      %2 = graph.relu %1 : (tensor<1x10x9x16xf32>) -> tensor<1x10x9x16xf32>
      %six = graph.constant dense<6.0> : tensor<f32>
      %3 = graph.min %2, %six : (tensor<1x10x9x16xf32>, tensor<f32>) -> tensor<1x10x9x16xf32>
      kernel.yield %3 : tensor<1x10x9x16xf32>
    }
    %t1 = kernel.stage(%t0, %w1, %b1) : (tensor<1x10x9x16xf32>, tensor<16x1x3x3xf32>, tensor<16xf32>) -> tensor<1x5x5x16xf32> {
    ^bb0(%p0: tensor<1x10x9x16xf32>, %p1: tensor<16x1x3x3xf32>, %p2: tensor<16xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 16 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x5x5x16xf32>
      %1 = graph.add %0, %p2 : (tensor<1x5x5x16xf32>, tensor<16xf32>) -> tensor<1x5x5x16xf32>
      %2 = graph.relu %1 : (tensor<1x5x5x16xf32>) -> tensor<1x5x5x16xf32>
      %six = graph.constant dense<6.0> : tensor<f32>
      %3 = graph.min %2, %six : (tensor<1x5x5x16xf32>, tensor<f32>) -> tensor<1x5x5x16xf32>
      kernel.yield %3 : tensor<1x5x5x16xf32>
    }
    %t2 = kernel.stage(%t1, %w2, %b2) : (tensor<1x5x5x16xf32>, tensor<8x16x1x1xf32>, tensor<8xf32>) -> tensor<1x5x5x8xf32> {
    ^bb0(%p0: tensor<1x5x5x16xf32>, %p1: tensor<8x16x1x1xf32>, %p2: tensor<8xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x5x5x16xf32>, tensor<8x16x1x1xf32>) -> tensor<1x5x5x8xf32>
      %1 = graph.add %0, %p2 : (tensor<1x5x5x8xf32>, tensor<8xf32>) -> tensor<1x5x5x8xf32>
      kernel.yield %1 : tensor<1x5x5x8xf32>
    }
    kernel.yield %t2 : tensor<1x5x5x8xf32>
  }
  return %n_t2 : tensor<1x5x5x8xf32>
}

// Zeros around an input that a window moves over lie in memory. 4 * 3 * 5
// numbers are 240 bytes, in whole lines 256.
// PLAN-LABEL: func.func @window_first
// PLAN: kernel.group
// PLAN-SAME: halos = [array<i64: 0, 1, 1, 0, 0, 1, 1, 0>, array<i64>, array<i64>]
// PLAN-SAME: thread_scratch = 256 : i64
// CHECK-LABEL: func.func @window_first
// CHECK: kernel.launch @[[FIRST:[^ ]+]] tiles(9) {{.*}}thread_scratch = 256 : i64
func.func @window_first(%x: tensor<1x10x9x5xf32>) -> tensor<1x10x9x7xf32> {
  %v = graph.constant dense<0.5> : tensor<5x1x3x3xf32>
  %w = graph.constant dense<0.5> : tensor<7x5x1x1xf32>
  %y = kernel.group(%x, %v, %w) {tile = #kernel.tile<dims = [1, 2], sizes = [4, 3]>} : (tensor<1x10x9x5xf32>, tensor<5x1x3x3xf32>, tensor<7x5x1x1xf32>) -> tensor<1x10x9x7xf32> {
  ^bb0(%a: tensor<1x10x9x5xf32>, %b: tensor<5x1x3x3xf32>, %c: tensor<7x5x1x1xf32>):
    %t = kernel.stage(%a, %b) : (tensor<1x10x9x5xf32>, tensor<5x1x3x3xf32>) -> tensor<1x10x9x5xf32> {
    ^bb0(%p0: tensor<1x10x9x5xf32>, %p1: tensor<5x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 5 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x5xf32>, tensor<5x1x3x3xf32>) -> tensor<1x10x9x5xf32>
      kernel.yield %0 : tensor<1x10x9x5xf32>
    }
    %u = kernel.stage(%t, %c) : (tensor<1x10x9x5xf32>, tensor<7x5x1x1xf32>) -> tensor<1x10x9x7xf32> {
    ^bb0(%p0: tensor<1x10x9x5xf32>, %p1: tensor<7x5x1x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x5xf32>, tensor<7x5x1x1xf32>) -> tensor<1x10x9x7xf32>
      kernel.yield %0 : tensor<1x10x9x7xf32>
    }
    kernel.yield %u : tensor<1x10x9x7xf32>
  }
  return %y : tensor<1x10x9x7xf32>
}

// Both products read one input; each result is cut into rows.
// CHECK-LABEL: func.func @siblings
// CHECK: kernel.launch @{{[^ ]+}} tiles(3) {{.*}}writes(%{{[^,]*}}, %{{[^:]*}} : !memory.buffer<tensor<10x7xf32>,{{.*}}!memory.buffer<tensor<10x3xf32>,
// CHECK-NOT: thread_scratch
// CHECK-NOT: kernel.launch
func.func @siblings(%x: tensor<10x6xf32>) -> (tensor<10x7xf32>, tensor<10x3xf32>) {
  %v = graph.constant dense<0.5> : tensor<6x7xf32>
  %w = graph.constant dense<0.5> : tensor<6x3xf32>
  %y:2 = kernel.group(%x, %v, %w) {tile = #kernel.tile<dims = [0], sizes = [4]>} : (tensor<10x6xf32>, tensor<6x7xf32>, tensor<6x3xf32>) -> (tensor<10x7xf32>, tensor<10x3xf32>) {
  ^bb0(%a: tensor<10x6xf32>, %b: tensor<6x7xf32>, %c: tensor<6x3xf32>):
    %t = kernel.stage(%a, %b) : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<6x7xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32>
      kernel.yield %0 : tensor<10x7xf32>
    }
    %u = kernel.stage(%a, %c) : (tensor<10x6xf32>, tensor<6x3xf32>) -> tensor<10x3xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<6x3xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<10x6xf32>, tensor<6x3xf32>) -> tensor<10x3xf32>
      kernel.yield %0 : tensor<10x3xf32>
    }
    kernel.yield %t, %u : tensor<10x7xf32>, tensor<10x3xf32>
  }
  return %y#0, %y#1 : tensor<10x7xf32>, tensor<10x3xf32>
}

// A chain of one tile. The first result is dead when the third is made: 60
// numbers in whole lines are 256 bytes, and so are those of the second, which a
// transposition does not allow to overwrite.
// PLAN-LABEL: func.func @chain
// PLAN: kernel.group
// PLAN-SAME: plan = #kernel.plan<"stages", {{[{][}]}}>, scratch = array<i64>, thread_scratch = 512 : i64
// CHECK-LABEL: func.func @chain
// CHECK: kernel.launch @{{[^ ]+}} tiles(1) {{.*}}thread_scratch = 512 : i64
func.func @chain(%x: tensor<10x6xf32>) -> tensor<6x10xf32> {
  %y = kernel.group(%x) {tile = #kernel.tile<dims = [], sizes = []>} : (tensor<10x6xf32>) -> tensor<6x10xf32> {
  ^bb0(%a: tensor<10x6xf32>):
    %t = kernel.stage(%a) : (tensor<10x6xf32>) -> tensor<6x10xf32> {
    ^bb0(%p0: tensor<10x6xf32>):
      %0 = graph.transpose %p0 {permutation = array<i64: 1, 0>} : (tensor<10x6xf32>) -> tensor<6x10xf32>
      kernel.yield %0 : tensor<6x10xf32>
    }
    %u = kernel.stage(%t) : (tensor<6x10xf32>) -> tensor<10x6xf32> {
    ^bb0(%p0: tensor<6x10xf32>):
      %0 = graph.transpose %p0 {permutation = array<i64: 1, 0>} : (tensor<6x10xf32>) -> tensor<10x6xf32>
      kernel.yield %0 : tensor<10x6xf32>
    }
    %v = kernel.stage(%u) : (tensor<10x6xf32>) -> tensor<6x10xf32> {
    ^bb0(%p0: tensor<10x6xf32>):
      %0 = graph.transpose %p0 {permutation = array<i64: 1, 0>} : (tensor<10x6xf32>) -> tensor<6x10xf32>
      kernel.yield %0 : tensor<6x10xf32>
    }
    %w = kernel.stage(%v) : (tensor<6x10xf32>) -> tensor<6x10xf32> {
    ^bb0(%p0: tensor<6x10xf32>):
      %0 = graph.exp %p0 : (tensor<6x10xf32>) -> tensor<6x10xf32>
      kernel.yield %0 : tensor<6x10xf32>
    }
    kernel.yield %w : tensor<6x10xf32>
  }
  return %y : tensor<6x10xf32>
}

// A stage that works element by element lies over its operand: three rows of ten
// in whole lines are 128 bytes.
// PLAN-LABEL: func.func @over
// PLAN: kernel.group
// PLAN-SAME: plan = #kernel.plan<"stages", {in_place = array<i64: -1, 0, -1>}>, scratch = array<i64>, thread_scratch = 128 : i64
func.func @over(%x: tensor<9x6xf32>, %w: tensor<6x10xf32>) -> tensor<9x6xf32> {
  %y = kernel.group(%x, %w) {tile = #kernel.tile<dims = [0], sizes = [3]>} : (tensor<9x6xf32>, tensor<6x10xf32>) -> tensor<9x6xf32> {
  ^bb0(%a: tensor<9x6xf32>, %b: tensor<6x10xf32>):
    %t = kernel.stage(%a, %b) : (tensor<9x6xf32>, tensor<6x10xf32>) -> tensor<9x10xf32> {
    ^bb0(%p0: tensor<9x6xf32>, %p1: tensor<6x10xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<9x6xf32>, tensor<6x10xf32>) -> tensor<9x10xf32>
      kernel.yield %0 : tensor<9x10xf32>
    }
    %u = kernel.stage(%t) : (tensor<9x10xf32>) -> tensor<9x10xf32> {
    ^bb0(%p0: tensor<9x10xf32>):
      %0 = graph.exp %p0 : (tensor<9x10xf32>) -> tensor<9x10xf32>
      kernel.yield %0 : tensor<9x10xf32>
    }
    %v = kernel.stage(%u, %b) : (tensor<9x10xf32>, tensor<6x10xf32>) -> tensor<9x6xf32> {
    ^bb0(%p0: tensor<9x10xf32>, %p1: tensor<6x10xf32>):
      %0 = graph.matmul %p0, %p1 {transpose_rhs} : (tensor<9x10xf32>, tensor<6x10xf32>) -> tensor<9x6xf32>
      kernel.yield %0 : tensor<9x6xf32>
    }
    kernel.yield %v : tensor<9x6xf32>
  }
  return %y : tensor<9x6xf32>
}
