// RUN: tenon-opt %s --tenon-lower-kernels=target=avx2 --split-input-file --verify-diagnostics

// A plan for a product, on something that is none.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is no product or window of its operands}}
  %r = kernel.group(%x) {plan = #kernel.plan<"points", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>, !memory.buffer<tensor<4xf32>, [1], 0, 16>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = graph.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
