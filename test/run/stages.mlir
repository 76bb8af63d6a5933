// RUN: tenon-run --interpret %s
// A program of stages computes what its stages say, one after the other.

func.func @main() {
  %x = graph.constant dense<[[[[1.0], [2.0]], [[3.0], [-4.0]]]]> : tensor<1x2x2x1xf32>
  %w = graph.constant dense<2.0> : tensor<1x1x1x1xf32>
  %d = graph.constant dense<1.0> : tensor<1x1x3x3xf32>
  %y = kernel.group(%x, %w, %d) {tile = #kernel.tile<dims = [1], sizes = [1]>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x2x2x1xf32> {
  ^bb0(%a: tensor<1x2x2x1xf32>, %b: tensor<1x1x1x1xf32>, %c: tensor<1x1x3x3xf32>):
    %t = kernel.stage(%a, %b) : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32> {
    ^bb0(%i: tensor<1x2x2x1xf32>, %f: tensor<1x1x1x1xf32>):
      %0 = graph.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x2x2x1xf32>, tensor<1x1x1x1xf32>) -> tensor<1x2x2x1xf32>
      %1 = graph.relu %0 : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>
      kernel.yield %1 : tensor<1x2x2x1xf32>
    }
    %u = kernel.stage(%t, %c) : (tensor<1x2x2x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x2x2x1xf32> {
    ^bb0(%i: tensor<1x2x2x1xf32>, %f: tensor<1x1x3x3xf32>):
      %0 = graph.conv %i, %f {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x2x2x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x2x2x1xf32>
      kernel.yield %0 : tensor<1x2x2x1xf32>
    }
    kernel.yield %u : tensor<1x2x2x1xf32>
  }
  %z = graph.constant dense<12.0> : tensor<1x2x2x1xf32>
  check.expect_eq %y, %z : tensor<1x2x2x1xf32>
  return
}
