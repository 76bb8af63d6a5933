// RUN: tenon-opt %s --tenon-assign-buffers --verify-diagnostics

// A plan written by hand asks for panels of no columns.
// expected-error @+1 {{needs a static operand and a positive panel}}
func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{asks for an impossible pack}}
  %r = kernel.group "contraction"(%x, %w) {plan = #kernel.plan<"contraction", {}>, halos = [array<i64>, array<i64>], packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 0 : i64}], scratch = array<i64>} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>):
    %0 = graph.matmul %a, %b : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %0 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}
