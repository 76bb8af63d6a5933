// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --split-input-file --verify-diagnostics

// Plans that somebody wrote.

!lhs = !memory.buffer<tensor<16x32xf32>, [32, 1], 0, 2048>
!rhs = !memory.buffer<tensor<32x16xf32>, [16, 1], 0, 2048>
!result = !memory.buffer<tensor<16x16xf32>, [16, 1], 0, 1024>
func.func @plan(%x: tensor<16x32xf32>, %y: tensor<32x16xf32>) -> tensor<16x16xf32> {
  // expected-error@+1 {{the plan of the product has tiles that warps do not cover}}
  %0 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], plan = #kernel.plan<"gpu_mma", {rows = 16, columns = 16, warp_rows = 2, warp_columns = 2, stages = 2, share = 1, group = 8, packed = 0}>} : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%x0: tensor<16x32xf32>, %y0: tensor<32x16xf32>):
    %1 = graph.matmul %x0, %y0 : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    kernel.yield %1 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// -----

!lhs = !memory.buffer<tensor<16x32xf32>, [32, 1], 0, 2048>
!rhs = !memory.buffer<tensor<32x16xf32>, [16, 1], 0, 2048>
!result = !memory.buffer<tensor<16x16xf32>, [16, 1], 0, 1024>
func.func @boxes(%x: tensor<16x32xf32>, %y: tensor<32x16xf32>) -> tensor<16x16xf32> {
  // expected-error@+1 {{has operands that no boxes are copied from}}
  %0 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], plan = #kernel.plan<"gpu_wgmma", {rows = 64, columns = 32, warp_rows = 4, warp_columns = 1, stages = 2, share = 1, group = 8, packed = 0}>} : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%x0: tensor<16x32xf32>, %y0: tensor<32x16xf32>):
    %1 = graph.matmul %x0, %y0 : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    kernel.yield %1 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// -----

!lhs = !memory.buffer<tensor<16x32xf32>, [32, 1], 0, 2048>
!rhs = !memory.buffer<tensor<32x16xf32>, [16, 1], 0, 2048>
!result = !memory.buffer<tensor<16x16xf32>, [16, 1], 0, 1024>
func.func @rows(%x: tensor<16x32xf32>, %y: tensor<32x16xf32>) -> tensor<16x16xf32> {
  // expected-error@+1 {{has a plan for other rows and columns}}
  %0 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], plan = #kernel.plan<"gpu_gemv", {team = 32, columns = 1, share = 1, groups = 1, packed = 0}>} : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32> {
  ^bb0(%x0: tensor<16x32xf32>, %y0: tensor<32x16xf32>):
    %1 = graph.matmul %x0, %y0 : (tensor<16x32xf32>, tensor<32x16xf32>) -> tensor<16x16xf32>
    kernel.yield %1 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// -----

!lhs = !memory.buffer<tensor<1x32xf32>, [32, 1], 0, 128>
!rhs = !memory.buffer<tensor<32x16xf32>, [16, 1], 0, 2048>
!result = !memory.buffer<tensor<1x16xf32>, [16, 1], 0, 64>
func.func @teams(%x: tensor<1x32xf32>, %y: tensor<32x16xf32>) -> tensor<1x16xf32> {
  // expected-error@+1 {{has a plan for other rows and columns}}
  %0 = kernel.group(%x, %y) {buffers = [!lhs, !rhs, !result], plan = #kernel.plan<"gpu_gemv", {team = 16, columns = 1, share = 2, groups = 1, packed = 0}>} : (tensor<1x32xf32>, tensor<32x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%x0: tensor<1x32xf32>, %y0: tensor<32x16xf32>):
    %1 = graph.matmul %x0, %y0 : (tensor<1x32xf32>, tensor<32x16xf32>) -> tensor<1x16xf32>
    kernel.yield %1 : tensor<1x16xf32>
  }
  return %0 : tensor<1x16xf32>
}

// -----

!x = !memory.buffer<tensor<4xf32>, [1], 0, 16>
!y = !memory.buffer<tensor<8xf32>, [1], 0, 32>
func.func @moves(%x: tensor<4xf32>) -> tensor<8xf32> {
  // expected-error@+1 {{has a plan for other moves}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"gpu_moves", {threads = 16}>} : (tensor<4xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.concat %a, %a {axis = 0 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
    kernel.yield %1 : tensor<8xf32>
  }
  return %0 : tensor<8xf32>
}
