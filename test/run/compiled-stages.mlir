// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --rtol 0 --atol 2e-5
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/b.tenon --quiet --guard-memory
// RUN: tenon-run %t/b.tenon %{expect} --threads 1

// A reduction that keeps its dimension beside what reads it; a constant that two
// stages want in two orders, so that neither gets it packed.
func.func @main(%x: tensor<8x6xf32> {onnx.name = "x"}) -> (tensor<8x6xf32> {onnx.name = "y"}, tensor<8x6xf32> {onnx.name = "z"}) {
  %y = kernel.group(%x) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    %t = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      %0 = graph.reduce_sum %i {axes = array<i64: 1>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    %u = kernel.stage(%a, %t) : (tensor<8x6xf32>, tensor<8x1xf32>) -> tensor<8x6xf32> {
    ^bb0(%i: tensor<8x6xf32>, %s: tensor<8x1xf32>):
      %0 = graph.sub %i, %s : (tensor<8x6xf32>, tensor<8x1xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %u : tensor<8x6xf32>
  }
  %w = graph.constant dense<[[1.0, 2.0, 0.5, 0.0, -1.0, 3.0], [0.0, 1.0, 0.0, -2.0, 0.5, 1.0], [1.5, 0.0, 1.0, 0.0, 0.0, -1.0],
                             [2.0, 0.5, 0.0, 1.0, 1.0, 0.0], [0.0, -1.0, 2.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.5, 0.0, 1.0]]> : tensor<6x6xf32>
  %z = kernel.group(%x, %w) {tile = #kernel.tile<dims = [0], sizes = [3]>} : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<8x6xf32>, %c: tensor<6x6xf32>):
    %t = kernel.stage(%a, %c) : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%i: tensor<8x6xf32>, %f: tensor<6x6xf32>):
      %0 = graph.matmul %i, %f : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    %u = kernel.stage(%t, %c) : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%i: tensor<8x6xf32>, %f: tensor<6x6xf32>):
      %0 = graph.matmul %i, %f {transpose_rhs} : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %u : tensor<8x6xf32>
  }
  return %y, %z : tensor<8x6xf32>, tensor<8x6xf32>
}
