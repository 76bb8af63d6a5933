// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --rtol 0 --atol 2e-5 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy \
// DEFINE:   --expect d=%t/d.npy --expect e=%t/e.npy --expect g=%t/g.npy --expect h=%t/h.npy --expect i=%t/i.npy \
// DEFINE:   --expect j=%t/j.npy --expect k=%t/k.npy --expect o=%t/o.npy --expect q=%t/q.npy --expect v=%t/v.npy --expect w=%t/w.npy
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-run %t/a.tenon %{expect} --threads 5
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/b.tenon --quiet --guard-memory=above
// RUN: tenon-run %t/b.tenon %{expect} --threads 1
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/c.tenon --quiet --guard-memory=below
// RUN: tenon-run %t/c.tenon %{expect} --threads 1

// Groups of several results; a group of one tile.
func.func @main(%n_x: tensor<10x6xf32> {onnx.name = "x"}, %n_m: tensor<1x10x9x4xf32> {onnx.name = "m"}) -> (tensor<10x3xf32> {onnx.name = "a"}, tensor<10x7xf32> {onnx.name = "b"}, tensor<10x7xf32> {onnx.name = "c"}, tensor<1x10x9x4xf32> {onnx.name = "d"}, tensor<1x10x9x4xf32> {onnx.name = "e"}, tensor<1x10x9x4xf32> {onnx.name = "g"}, tensor<1x5x5x4xf32> {onnx.name = "h"}, tensor<10x6xf32> {onnx.name = "i"}, tensor<10x1xf32> {onnx.name = "j"}, tensor<10x6xf32> {onnx.name = "k"}, tensor<10x7xf32> {onnx.name = "o"}, tensor<10x6xf32> {onnx.name = "q"}, tensor<1x1x1x4xf32> {onnx.name = "v"}, tensor<1x10x9x4xf32> {onnx.name = "w"}) {
  %n_w0 = graph.constant dense<[[0.5, -1.0, 0.25, 1.0, 0.0, 2.0, -0.5], [1.0, 0.0, 0.5, -0.25, 1.0, 0.0, 1.0], [0.0, 1.0, -1.0, 0.5, 0.25, 1.0, 0.0], [2.0, 0.5, 0.0, 1.0, -1.0, 0.0, 0.5], [0.0, 0.0, 1.0, 0.0, 0.5, -0.5, 1.0], [1.0, -0.5, 0.5, 0.25, 0.0, 1.0, -1.0]]> : tensor<6x7xf32>
  %n_w0b = graph.constant dense<0.75> : tensor<6x7xf32>
  %n_w2 = graph.constant dense<[[1.0, 0.5, 0.0], [0.0, -1.0, 0.5], [0.25, 0.0, 1.0], [1.0, 1.0, -0.5], [-0.5, 0.0, 2.0], [0.0, 0.25, 0.0]]> : tensor<6x3xf32>
  %n_f = graph.constant dense<[[[[0.5]], [[1.0]], [[-0.5]], [[0.25]]], [[[1.0]], [[0.0]], [[0.5]], [[-1.0]]], [[[0.25]], [[0.5]], [[1.0]], [[0.0]]], [[[-0.5]], [[1.0]], [[0.0]], [[2.0]]]]> : tensor<4x4x1x1xf32>
  %n_h = graph.constant dense<0.125> : tensor<4x4x3x3xf32>
  // Siblings that read one input: three products, each of its own width.
  %a:3 = kernel.group(%n_x, %n_w0, %n_w0b, %n_w2) {tile = #kernel.tile<dims = [0], sizes = [4]>} : (tensor<10x6xf32>, tensor<6x7xf32>, tensor<6x7xf32>, tensor<6x3xf32>) -> (tensor<10x3xf32>, tensor<10x7xf32>, tensor<10x7xf32>) {
  ^bb0(%x: tensor<10x6xf32>, %w0: tensor<6x7xf32>, %w1: tensor<6x7xf32>, %w2: tensor<6x3xf32>):
    %s0 = kernel.stage(%x, %w0) : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<6x7xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32>
      kernel.yield %0 : tensor<10x7xf32>
    }
    %s1 = kernel.stage(%x, %w1) : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<6x7xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32>
      %1 = graph.relu %0 : (tensor<10x7xf32>) -> tensor<10x7xf32>
      kernel.yield %1 : tensor<10x7xf32>
    }
    %s2 = kernel.stage(%x, %w2) : (tensor<10x6xf32>, tensor<6x3xf32>) -> tensor<10x3xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<6x3xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<10x6xf32>, tensor<6x3xf32>) -> tensor<10x3xf32>
      kernel.yield %0 : tensor<10x3xf32>
    }
    kernel.yield %s2, %s0, %s1 : tensor<10x3xf32>, tensor<10x7xf32>, tensor<10x7xf32>
  }
  // Windows need more of the map than a tile stores of it.
  %d:2 = kernel.group(%n_m, %n_f, %n_h) {tile = #kernel.tile<dims = [1, 2], sizes = [4, 3]>} : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>, tensor<4x4x3x3xf32>) -> (tensor<1x10x9x4xf32>, tensor<1x10x9x4xf32>) {
  ^bb0(%m: tensor<1x10x9x4xf32>, %f: tensor<4x4x1x1xf32>, %h: tensor<4x4x3x3xf32>):
    %t = kernel.stage(%m, %f) : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x10x9x4xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<4x4x1x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x10x9x4xf32>
      %1 = graph.relu %0 : (tensor<1x10x9x4xf32>) -> tensor<1x10x9x4xf32>
      kernel.yield %1 : tensor<1x10x9x4xf32>
    }
    %u = kernel.stage(%t, %h) : (tensor<1x10x9x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x10x9x4xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<4x4x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x10x9x4xf32>
      kernel.yield %0 : tensor<1x10x9x4xf32>
    }
    kernel.yield %t, %u : tensor<1x10x9x4xf32>, tensor<1x10x9x4xf32>
  }
  // Two rows of the map for each of a tile; the last tile has one more column.
  %g:2 = kernel.group(%n_m, %n_f, %n_h) {tile = #kernel.tile<dims = [1, 2], sizes = [2, 2]>} : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>, tensor<4x4x3x3xf32>) -> (tensor<1x10x9x4xf32>, tensor<1x5x5x4xf32>) {
  ^bb0(%m: tensor<1x10x9x4xf32>, %f: tensor<4x4x1x1xf32>, %h: tensor<4x4x3x3xf32>):
    %t = kernel.stage(%m, %f) : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x10x9x4xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<4x4x1x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x10x9x4xf32>
      %1 = graph.relu %0 : (tensor<1x10x9x4xf32>) -> tensor<1x10x9x4xf32>
      kernel.yield %1 : tensor<1x10x9x4xf32>
    }
    %u = kernel.stage(%t, %h) : (tensor<1x10x9x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x5x5x4xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<4x4x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x9x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x5x5x4xf32>
      kernel.yield %0 : tensor<1x5x5x4xf32>
    }
    kernel.yield %t, %u : tensor<1x10x9x4xf32>, tensor<1x5x5x4xf32>
  }
  // What a tile needs is what it stores: it is read where it lies. The sum of a
  // row is read again by the tile, and is a result of its own.
  %i:3 = kernel.group(%n_x) {tile = #kernel.tile<dims = [0], sizes = [3]>} : (tensor<10x6xf32>) -> (tensor<10x6xf32>, tensor<10x1xf32>, tensor<10x6xf32>) {
  ^bb0(%x: tensor<10x6xf32>):
    %t = kernel.stage(%x) : (tensor<10x6xf32>) -> tensor<10x6xf32> {
    ^bb0(%p0: tensor<10x6xf32>):
      %0 = graph.exp %p0 : (tensor<10x6xf32>) -> tensor<10x6xf32>
      kernel.yield %0 : tensor<10x6xf32>
    }
    %s = kernel.stage(%t) : (tensor<10x6xf32>) -> tensor<10x1xf32> {
    ^bb0(%p0: tensor<10x6xf32>):
      %0 = graph.reduce_sum %p0 {axes = array<i64: 1>} : (tensor<10x6xf32>) -> tensor<10x1xf32>
      kernel.yield %0 : tensor<10x1xf32>
    }
    %u = kernel.stage(%t, %s) : (tensor<10x6xf32>, tensor<10x1xf32>) -> tensor<10x6xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<10x1xf32>):
      %0 = graph.div %p0, %p1 : (tensor<10x6xf32>, tensor<10x1xf32>) -> tensor<10x6xf32>
      kernel.yield %0 : tensor<10x6xf32>
    }
    kernel.yield %t, %s, %u : tensor<10x6xf32>, tensor<10x1xf32>, tensor<10x6xf32>
  }
  // All tiles need all of it: the first one stores it.
  %o:2 = kernel.group(%n_x, %n_w0) {tile = #kernel.tile<dims = [1], sizes = [3]>} : (tensor<10x6xf32>, tensor<6x7xf32>) -> (tensor<10x7xf32>, tensor<10x6xf32>) {
  ^bb0(%x: tensor<10x6xf32>, %w0: tensor<6x7xf32>):
    %t = kernel.stage(%x) : (tensor<10x6xf32>) -> tensor<10x6xf32> {
    ^bb0(%p0: tensor<10x6xf32>):
      %0 = graph.relu %p0 : (tensor<10x6xf32>) -> tensor<10x6xf32>
      kernel.yield %0 : tensor<10x6xf32>
    }
    %u = kernel.stage(%t, %w0) : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32> {
    ^bb0(%p0: tensor<10x6xf32>, %p1: tensor<6x7xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<10x6xf32>, tensor<6x7xf32>) -> tensor<10x7xf32>
      kernel.yield %0 : tensor<10x7xf32>
    }
    kernel.yield %u, %t : tensor<10x7xf32>, tensor<10x6xf32>
  }
  // Squeeze and excite: one tile, all stages of which one thread runs.
  %v:2 = kernel.group(%n_m, %n_f, %n_f) {tile = #kernel.tile<dims = [], sizes = []>} : (tensor<1x10x9x4xf32>, tensor<4x4x1x1xf32>, tensor<4x4x1x1xf32>) -> (tensor<1x1x1x4xf32>, tensor<1x10x9x4xf32>) {
  ^bb0(%m: tensor<1x10x9x4xf32>, %f: tensor<4x4x1x1xf32>, %f2: tensor<4x4x1x1xf32>):
    %p = kernel.stage(%m) : (tensor<1x10x9x4xf32>) -> tensor<1x1x1x4xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>):
      %0 = graph.reduce_mean %p0 {axes = array<i64: 1, 2>} : (tensor<1x10x9x4xf32>) -> tensor<1x1x1x4xf32>
      kernel.yield %0 : tensor<1x1x1x4xf32>
    }
    %r = kernel.stage(%p, %f) : (tensor<1x1x1x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x4xf32> {
    ^bb0(%p0: tensor<1x1x1x4xf32>, %p1: tensor<4x4x1x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x1x1x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x4xf32>
      %1 = graph.relu %0 : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
      kernel.yield %1 : tensor<1x1x1x4xf32>
    }
    %s = kernel.stage(%r, %f2) : (tensor<1x1x1x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x4xf32> {
    ^bb0(%p0: tensor<1x1x1x4xf32>, %p1: tensor<4x4x1x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x1x1x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x4xf32>
      %1 = graph.sigmoid %0 : (tensor<1x1x1x4xf32>) -> tensor<1x1x1x4xf32>
      kernel.yield %1 : tensor<1x1x1x4xf32>
    }
    %u = kernel.stage(%m, %s) : (tensor<1x10x9x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x10x9x4xf32> {
    ^bb0(%p0: tensor<1x10x9x4xf32>, %p1: tensor<1x1x1x4xf32>):
      %0 = graph.mul %p0, %p1 : (tensor<1x10x9x4xf32>, tensor<1x1x1x4xf32>) -> tensor<1x10x9x4xf32>
      kernel.yield %0 : tensor<1x10x9x4xf32>
    }
    kernel.yield %s, %u : tensor<1x1x1x4xf32>, tensor<1x10x9x4xf32>
  }
  return %a#0, %a#1, %a#2, %d#0, %d#1, %g#0, %g#1, %i#0, %i#1, %i#2, %o#0, %o#1, %v#0, %v#1 : tensor<10x3xf32>, tensor<10x7xf32>, tensor<10x7xf32>, tensor<1x10x9x4xf32>, tensor<1x10x9x4xf32>, tensor<1x10x9x4xf32>, tensor<1x5x5x4xf32>, tensor<10x6xf32>, tensor<10x1xf32>, tensor<10x6xf32>, tensor<10x7xf32>, tensor<10x6xf32>, tensor<1x1x1x4xf32>, tensor<1x10x9x4xf32>
}
