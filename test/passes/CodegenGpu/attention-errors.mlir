// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --split-input-file --verify-diagnostics

// Plans that somebody wrote.

!rows = !memory.buffer<tensor<16x8xf32>, [8, 1], 0, 512>
!keys = !memory.buffer<tensor<32x8xf32>, [8, 1], 0, 1024>
func.func @warps(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x8xf32>) -> tensor<16x8xf32> {
  // expected-error@+1 {{the plan of the attention has warps that do not share out copies}}
  %0 = kernel.group(%q, %k, %v) {buffers = [!rows, !keys, !keys, !rows], plan = #kernel.plan<"gpu_attention", {warp_rows = 3, warp_keys = 1, stages = 2}>, tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<16x8xf32> {
  ^bb0(%q0: tensor<16x8xf32>, %k0: tensor<32x8xf32>, %v0: tensor<32x8xf32>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<16x8xf32>, tensor<32x8xf32>) -> tensor<16x32xf32> {
    ^bb0(%q0_0: tensor<16x8xf32>, %k0_0: tensor<32x8xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x8xf32>, tensor<32x8xf32>) -> tensor<16x32xf32>
      kernel.yield %1 : tensor<16x32xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<16x32xf32>) -> tensor<16x32xf32> {
    ^bb0(%v1: tensor<16x32xf32>):
      %2 = graph.reduce_max %v1 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %3 = graph.sub %v1, %2 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      %4 = graph.exp %3 : (tensor<16x32xf32>) -> tensor<16x32xf32>
      %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x32xf32>) -> tensor<16x1xf32>
      %6 = graph.div %4, %5 : (tensor<16x32xf32>, tensor<16x1xf32>) -> tensor<16x32xf32>
      kernel.yield %6 : tensor<16x32xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32> {
    ^bb0(%v6: tensor<16x32xf32>, %v0_2: tensor<32x8xf32>):
      %7 = graph.matmul %v6, %v0_2 : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
      kernel.yield %7 : tensor<16x8xf32>
    }
    kernel.yield %context : tensor<16x8xf32>
  }
  return %0 : tensor<16x8xf32>
}

// -----

!rows = !memory.buffer<tensor<16x8xf32>, [8, 1], 0, 512>
!keys = !memory.buffer<tensor<64x8xf32>, [8, 1], 0, 2048>
func.func @stages(%q: tensor<16x8xf32>, %k: tensor<64x8xf32>, %v: tensor<64x8xf32>) -> tensor<16x8xf32> {
  // expected-error@+1 {{the plan of the attention has too few or too many stages}}
  %0 = kernel.group(%q, %k, %v) {buffers = [!rows, !keys, !keys, !rows], plan = #kernel.plan<"gpu_attention", {warp_rows = 1, warp_keys = 1, stages = 1}>, tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x8xf32>, tensor<64x8xf32>, tensor<64x8xf32>) -> tensor<16x8xf32> {
  ^bb0(%q0: tensor<16x8xf32>, %k0: tensor<64x8xf32>, %v0: tensor<64x8xf32>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<16x8xf32>, tensor<64x8xf32>) -> tensor<16x64xf32> {
    ^bb0(%q0_0: tensor<16x8xf32>, %k0_0: tensor<64x8xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x8xf32>, tensor<64x8xf32>) -> tensor<16x64xf32>
      kernel.yield %1 : tensor<16x64xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<16x64xf32>) -> tensor<16x64xf32> {
    ^bb0(%v1: tensor<16x64xf32>):
      %2 = graph.reduce_max %v1 {axes = array<i64: 1>} : (tensor<16x64xf32>) -> tensor<16x1xf32>
      %3 = graph.sub %v1, %2 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
      %4 = graph.exp %3 : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x64xf32>) -> tensor<16x1xf32>
      %6 = graph.div %4, %5 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
      kernel.yield %6 : tensor<16x64xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32> {
    ^bb0(%v6: tensor<16x64xf32>, %v0_2: tensor<64x8xf32>):
      %7 = graph.matmul %v6, %v0_2 : (tensor<16x64xf32>, tensor<64x8xf32>) -> tensor<16x8xf32>
      kernel.yield %7 : tensor<16x8xf32>
    }
    kernel.yield %context : tensor<16x8xf32>
  }
  return %0 : tensor<16x8xf32>
}

// -----

!rows = !memory.buffer<tensor<16x256xf32>, [256, 1], 0, 16384>
!keys = !memory.buffer<tensor<512x256xf32>, [256, 1], 0, 524288>
func.func @shared(%q: tensor<16x256xf32>, %k: tensor<512x256xf32>, %v: tensor<512x256xf32>) -> tensor<16x256xf32> {
  // expected-error@+1 {{the plan of the attention needs more shared memory than a block may have}}
  %0 = kernel.group(%q, %k, %v) {buffers = [!rows, !keys, !keys, !rows], plan = #kernel.plan<"gpu_attention", {warp_rows = 8, warp_keys = 1, stages = 4}>, tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x256xf32>, tensor<512x256xf32>, tensor<512x256xf32>) -> tensor<16x256xf32> {
  ^bb0(%q0: tensor<16x256xf32>, %k0: tensor<512x256xf32>, %v0: tensor<512x256xf32>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<16x256xf32>, tensor<512x256xf32>) -> tensor<16x512xf32> {
    ^bb0(%q0_0: tensor<16x256xf32>, %k0_0: tensor<512x256xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x256xf32>, tensor<512x256xf32>) -> tensor<16x512xf32>
      kernel.yield %1 : tensor<16x512xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<16x512xf32>) -> tensor<16x512xf32> {
    ^bb0(%v1: tensor<16x512xf32>):
      %2 = graph.reduce_max %v1 {axes = array<i64: 1>} : (tensor<16x512xf32>) -> tensor<16x1xf32>
      %3 = graph.sub %v1, %2 : (tensor<16x512xf32>, tensor<16x1xf32>) -> tensor<16x512xf32>
      %4 = graph.exp %3 : (tensor<16x512xf32>) -> tensor<16x512xf32>
      %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x512xf32>) -> tensor<16x1xf32>
      %6 = graph.div %4, %5 : (tensor<16x512xf32>, tensor<16x1xf32>) -> tensor<16x512xf32>
      kernel.yield %6 : tensor<16x512xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<16x512xf32>, tensor<512x256xf32>) -> tensor<16x256xf32> {
    ^bb0(%v6: tensor<16x512xf32>, %v0_2: tensor<512x256xf32>):
      %7 = graph.matmul %v6, %v0_2 : (tensor<16x512xf32>, tensor<512x256xf32>) -> tensor<16x256xf32>
      kernel.yield %7 : tensor<16x256xf32>
    }
    kernel.yield %context : tensor<16x256xf32>
  }
  return %0 : tensor<16x256xf32>
}

// -----

!rows = !memory.buffer<tensor<16x320xf32>, [320, 1], 0, 20480>
!keys = !memory.buffer<tensor<64x320xf32>, [320, 1], 0, 81920>
func.func @registers(%q: tensor<16x320xf32>, %k: tensor<64x320xf32>, %v: tensor<64x320xf32>) -> tensor<16x320xf32> {
  // expected-error@+1 {{the plan of the attention needs more registers than there are}}
  %0 = kernel.group(%q, %k, %v) {buffers = [!rows, !keys, !keys, !rows], plan = #kernel.plan<"gpu_attention", {warp_rows = 1, warp_keys = 1, stages = 2}>, tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x320xf32>, tensor<64x320xf32>, tensor<64x320xf32>) -> tensor<16x320xf32> {
  ^bb0(%q0: tensor<16x320xf32>, %k0: tensor<64x320xf32>, %v0: tensor<64x320xf32>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<16x320xf32>, tensor<64x320xf32>) -> tensor<16x64xf32> {
    ^bb0(%q0_0: tensor<16x320xf32>, %k0_0: tensor<64x320xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x320xf32>, tensor<64x320xf32>) -> tensor<16x64xf32>
      kernel.yield %1 : tensor<16x64xf32>
    }
    %weights = kernel.stage(%scores) in register : (tensor<16x64xf32>) -> tensor<16x64xf32> {
    ^bb0(%v1: tensor<16x64xf32>):
      %2 = graph.reduce_max %v1 {axes = array<i64: 1>} : (tensor<16x64xf32>) -> tensor<16x1xf32>
      %3 = graph.sub %v1, %2 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
      %4 = graph.exp %3 : (tensor<16x64xf32>) -> tensor<16x64xf32>
      %5 = graph.reduce_sum %4 {axes = array<i64: 1>} : (tensor<16x64xf32>) -> tensor<16x1xf32>
      %6 = graph.div %4, %5 : (tensor<16x64xf32>, tensor<16x1xf32>) -> tensor<16x64xf32>
      kernel.yield %6 : tensor<16x64xf32>
    }
    %context = kernel.stage(%weights, %v0) in memory : (tensor<16x64xf32>, tensor<64x320xf32>) -> tensor<16x320xf32> {
    ^bb0(%v6: tensor<16x64xf32>, %v0_2: tensor<64x320xf32>):
      %7 = graph.matmul %v6, %v0_2 : (tensor<16x64xf32>, tensor<64x320xf32>) -> tensor<16x320xf32>
      kernel.yield %7 : tensor<16x320xf32>
    }
    kernel.yield %context : tensor<16x320xf32>
  }
  return %0 : tensor<16x320xf32>
}

// -----

!rows = !memory.buffer<tensor<16x8xf32>, [8, 1], 0, 512>
!keys = !memory.buffer<tensor<32x8xf32>, [8, 1], 0, 1024>
func.func @products(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x8xf32>) -> tensor<16x8xf32> {
  // expected-error@+1 {{is no attention}}
  %0 = kernel.group(%q, %k, %v) {buffers = [!rows, !keys, !keys, !rows], plan = #kernel.plan<"gpu_attention", {warp_rows = 1, warp_keys = 1, stages = 2}>, tile = #kernel.tile<dims = [0], sizes = [16]>} : (tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>) -> tensor<16x8xf32> {
  ^bb0(%q0: tensor<16x8xf32>, %k0: tensor<32x8xf32>, %v0: tensor<32x8xf32>):
    %scores = kernel.stage(%q0, %k0) in register : (tensor<16x8xf32>, tensor<32x8xf32>) -> tensor<16x32xf32> {
    ^bb0(%q0_0: tensor<16x8xf32>, %k0_0: tensor<32x8xf32>):
      %1 = graph.matmul %q0_0, %k0_0 {transpose_rhs} : (tensor<16x8xf32>, tensor<32x8xf32>) -> tensor<16x32xf32>
      kernel.yield %1 : tensor<16x32xf32>
    }
    %context = kernel.stage(%scores, %v0) in memory : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32> {
    ^bb0(%v1: tensor<16x32xf32>, %v0_1: tensor<32x8xf32>):
      %7 = graph.matmul %v1, %v0_1 : (tensor<16x32xf32>, tensor<32x8xf32>) -> tensor<16x8xf32>
      kernel.yield %7 : tensor<16x8xf32>
    }
    kernel.yield %context : tensor<16x8xf32>
  }
  return %0 : tensor<16x8xf32>
}
