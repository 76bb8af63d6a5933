// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --rtol 0 --atol 2e-6 --expect y=%t/y.npy --expect s=%t/s.npy --expect m=%t/m.npy
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-run %t/a.tenon %{expect} --threads 5
// RUN: %if avx2 %{ tenon-compile %s --mcpu=x86-64-v3 -o %t/b.tenon --quiet && tenon-run %t/b.tenon %{expect} --threads 2 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/c.tenon --quiet --guard-memory=above && tenon-run %t/c.tenon %{expect} --threads 1
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/d.tenon --quiet --guard-memory=below && tenon-run %t/d.tenon %{expect} --threads 1

// Blocks of a map are reduced beside it: sums of one block in a tile, and the
// largest of two, of which the last tile has one.
func.func @main(%x: tensor<1x12x10x5xf32> {onnx.name = "x"}) -> (tensor<1x12x10x5xf32> {onnx.name = "y"}, tensor<1x3x2x5xf32> {onnx.name = "s"}, tensor<1x3x2x5xf32> {onnx.name = "m"}) {
  %w = graph.constant dense<[[[[0.5, -1.0, 0.25], [1.0, 0.0, 2.0], [-0.5, 1.0, 0.5]]], [[[1.0, 0.5, 0.0], [0.0, -1.0, 0.5], [0.25, 0.0, 1.0]]], [[[0.0, 1.0, -0.5], [0.5, 0.25, 1.0], [2.0, 0.5, 0.0]]], [[[-1.0, 0.0, 0.5], [1.0, 1.0, -0.5], [0.0, 0.25, 0.0]]], [[[0.25, 0.5, 1.0], [-0.5, 0.0, 0.5], [1.0, -1.0, 2.0]]]]> : tensor<5x1x3x3xf32>
  %a:2 = kernel.group(%x, %w) {tile = #kernel.tile<dims = [1, 2], sizes = [1, 1]>} : (tensor<1x12x10x5xf32>, tensor<5x1x3x3xf32>) -> (tensor<1x12x10x5xf32>, tensor<1x3x2x5xf32>) {
  ^bb0(%c: tensor<1x12x10x5xf32>, %d: tensor<5x1x3x3xf32>):
    %map = kernel.stage(%c, %d) : (tensor<1x12x10x5xf32>, tensor<5x1x3x3xf32>) -> tensor<1x12x10x5xf32> {
    ^bb0(%p0: tensor<1x12x10x5xf32>, %p1: tensor<5x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {dilations = array<i64: 1, 1>, group = 5 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x12x10x5xf32>, tensor<5x1x3x3xf32>) -> tensor<1x12x10x5xf32>
      %1 = graph.tanh %0 : (tensor<1x12x10x5xf32>) -> tensor<1x12x10x5xf32>
      kernel.yield %1 : tensor<1x12x10x5xf32>
    }
    %blocks = kernel.stage(%map) : (tensor<1x12x10x5xf32>) -> tensor<1x3x2x5xf32> {
    ^bb0(%p0: tensor<1x12x10x5xf32>):
      %0 = graph.reshape %p0 : (tensor<1x12x10x5xf32>) -> tensor<1x3x4x2x5x5xf32>
      %1 = graph.reduce_sum %0 {axes = array<i64: 2, 4>, keep_dims = false} : (tensor<1x3x4x2x5x5xf32>) -> tensor<1x3x2x5xf32>
      kernel.yield %1 : tensor<1x3x2x5xf32>
    }
    kernel.yield %map, %blocks : tensor<1x12x10x5xf32>, tensor<1x3x2x5xf32>
  }
  %b:2 = kernel.group(%x, %w) {tile = #kernel.tile<dims = [1, 2], sizes = [2, 1]>} : (tensor<1x12x10x5xf32>, tensor<5x1x3x3xf32>) -> (tensor<1x12x10x5xf32>, tensor<1x3x2x5xf32>) {
  ^bb0(%c: tensor<1x12x10x5xf32>, %d: tensor<5x1x3x3xf32>):
    %map = kernel.stage(%c, %d) : (tensor<1x12x10x5xf32>, tensor<5x1x3x3xf32>) -> tensor<1x12x10x5xf32> {
    ^bb0(%p0: tensor<1x12x10x5xf32>, %p1: tensor<5x1x3x3xf32>):
      %0 = graph.conv %p0, %p1 {dilations = array<i64: 1, 1>, group = 5 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x12x10x5xf32>, tensor<5x1x3x3xf32>) -> tensor<1x12x10x5xf32>
      %1 = graph.tanh %0 : (tensor<1x12x10x5xf32>) -> tensor<1x12x10x5xf32>
      kernel.yield %1 : tensor<1x12x10x5xf32>
    }
    %blocks = kernel.stage(%map) : (tensor<1x12x10x5xf32>) -> tensor<1x3x2x5xf32> {
    ^bb0(%p0: tensor<1x12x10x5xf32>):
      %0 = graph.reshape %p0 : (tensor<1x12x10x5xf32>) -> tensor<1x3x4x2x5x5xf32>
      %1 = graph.reduce_max %0 {axes = array<i64: 2, 4>, keep_dims = false} : (tensor<1x3x4x2x5x5xf32>) -> tensor<1x3x2x5xf32>
      kernel.yield %1 : tensor<1x3x2x5xf32>
    }
    kernel.yield %map, %blocks : tensor<1x12x10x5xf32>, tensor<1x3x2x5xf32>
  }
  %y = kernel.group(%a#0, %b#0) : (tensor<1x12x10x5xf32>, tensor<1x12x10x5xf32>) -> tensor<1x12x10x5xf32> {
  ^bb0(%p0: tensor<1x12x10x5xf32>, %p1: tensor<1x12x10x5xf32>):
    %0 = graph.add %p0, %p1 : (tensor<1x12x10x5xf32>, tensor<1x12x10x5xf32>) -> tensor<1x12x10x5xf32>
    kernel.yield %0 : tensor<1x12x10x5xf32>
  }
  return %y, %a#1, %b#1 : tensor<1x12x10x5xf32>, tensor<1x3x2x5xf32>, tensor<1x3x2x5xf32>
}
