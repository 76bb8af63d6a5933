// RUN: tenon-opt %s --split-input-file --tenon-assign-buffers --verify-diagnostics

// A plan written by hand asks for panels of no columns.
// expected-error @+1 {{needs a static operand and a positive panel}}
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{wants an impossible packing}}
  %r = kernel.group(%x, %w) {plan = #kernel.plan<"gemm", {}>, halos = [array<i64>, array<i64>], packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 0 : i64}], scratch = array<i64>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %0 = graph.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %0 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

// Views that form-views would not have made.
func.func @main(%x: tensor<4x8xf32>) -> tensor<32xf32> {
  %t = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %v = graph.reshape %t : (tensor<8x4xf32>) -> tensor<32xf32>
  // expected-error @+1 {{uses a view that no strides express}}
  %r = kernel.group(%v) {plan = #kernel.plan<"loops", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32xf32>) -> tensor<32xf32> {
  ^bb0(%a: tensor<32xf32>):
    %0 = graph.relu %a : (tensor<32xf32>) -> tensor<32xf32>
    kernel.yield %0 : tensor<32xf32>
  }
  return %r : tensor<32xf32>
}
