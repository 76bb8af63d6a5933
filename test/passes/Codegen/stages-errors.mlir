// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --split-input-file --verify-diagnostics

// Stages that no box of operands is enough for.

func.func @softmax(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      // expected-error @+1 {{'graph.softmax' cannot be computed in parts}}
      %0 = graph.softmax %p0 {axis = 1 : i64} : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @unread(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    // expected-error @+1 {{has a result that no later stage reads}}
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    %u = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %u : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @unneeded(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    // expected-error @+1 {{has operations that its result does not need}}
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      %1 = graph.exp %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

// Rows of a tile, and columns.
func.func @two_ways(%x0: tensor<6x6xf32>) -> tensor<6x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<6x6xf32>) -> tensor<6x6xf32> {
  ^bb0(%x: tensor<6x6xf32>):
    // expected-error @+1 {{reads a value in two ways: it must be an operand for each}}
    %t = kernel.stage(%x) : (tensor<6x6xf32>) -> tensor<6x6xf32> {
    ^bb0(%p0: tensor<6x6xf32>):
      %0 = graph.transpose %p0 {permutation = array<i64: 1, 0>} : (tensor<6x6xf32>) -> tensor<6x6xf32>
      %1 = graph.add %p0, %0 : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
      kernel.yield %1 : tensor<6x6xf32>
    }
    kernel.yield %t : tensor<6x6xf32>
  }
  return %r : tensor<6x6xf32>
}

// -----

// Two rows for each of a tile, and one.
func.func @steps(%x0: tensor<1x8x8x4xf32>, %v0: tensor<4x4x3x3xf32>, %w0: tensor<4x4x5x5xf32>) -> tensor<1x4x4x4xf32> {
  %r = kernel.group(%x0, %v0, %w0) {tile = #kernel.tile<dims = [1], sizes = [2]>} : (tensor<1x8x8x4xf32>, tensor<4x4x3x3xf32>, tensor<4x4x5x5xf32>) -> tensor<1x4x4x4xf32> {
  ^bb0(%x: tensor<1x8x8x4xf32>, %v: tensor<4x4x3x3xf32>, %w: tensor<4x4x5x5xf32>):
    %t = kernel.stage(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>):
      %0 = graph.relu %p0 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
      kernel.yield %0 : tensor<1x8x8x4xf32>
    }
    // expected-error @+1 {{moves along an operand in other steps than the stages after it}}
    %u = kernel.stage(%t, %v) : (tensor<1x8x8x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>, %p1: tensor<4x4x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x4x4xf32>
      kernel.yield %0 : tensor<1x4x4x4xf32>
    }
    %y = kernel.stage(%t, %u, %w) : (tensor<1x8x8x4xf32>, tensor<1x4x4x4xf32>, tensor<4x4x5x5xf32>) -> tensor<1x4x4x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>, %p1: tensor<1x4x4x4xf32>, %p2: tensor<4x4x5x5xf32>):
      %0 = graph.conv %p0, %p2 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x4xf32>, tensor<4x4x5x5xf32>) -> tensor<1x4x4x4xf32>
      %1 = graph.add %0, %p1 : (tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
      kernel.yield %1 : tensor<1x4x4x4xf32>
    }
    kernel.yield %y : tensor<1x4x4x4xf32>
  }
  return %r : tensor<1x4x4x4xf32>
}

// -----

// Three channels of two groups of two: which ones they read is no box.
func.func @channels(%x0: tensor<1x8x8x4xf32>, %w0: tensor<4x2x3x3xf32>) -> tensor<1x8x8x4xf32> {
  %r = kernel.group(%x0, %w0) {tile = #kernel.tile<dims = [3], sizes = [3]>} : (tensor<1x8x8x4xf32>, tensor<4x2x3x3xf32>) -> tensor<1x8x8x4xf32> {
  ^bb0(%x: tensor<1x8x8x4xf32>, %w: tensor<4x2x3x3xf32>):
    %t = kernel.stage(%x, %w) : (tensor<1x8x8x4xf32>, tensor<4x2x3x3xf32>) -> tensor<1x8x8x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>, %p1: tensor<4x2x3x3xf32>):
      // expected-error @+1 {{'graph.conv' reads no box of an operand for a tile}}
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 2 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x4xf32>, tensor<4x2x3x3xf32>) -> tensor<1x8x8x4xf32>
      kernel.yield %0 : tensor<1x8x8x4xf32>
    }
    kernel.yield %t : tensor<1x8x8x4xf32>
  }
  return %r : tensor<1x8x8x4xf32>
}

// -----

// What a window reads beyond its map is zero, and no exponential of zero.
func.func @prologue(%x0: tensor<1x8x8x4xf32>, %w0: tensor<4x4x3x3xf32>) -> tensor<1x8x8x4xf32> {
  %r = kernel.group(%x0, %w0) {tile = #kernel.tile<dims = [1], sizes = [3]>} : (tensor<1x8x8x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x8x8x4xf32> {
  ^bb0(%x: tensor<1x8x8x4xf32>, %w: tensor<4x4x3x3xf32>):
    %t = kernel.stage(%x, %w) : (tensor<1x8x8x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x8x8x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>, %p1: tensor<4x4x3x3xf32>):
      %0 = graph.exp %p0 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
      // expected-error @+1 {{'graph.conv' reads beyond a value that its stage computes}}
      %1 = graph.conv %0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x8x8x4xf32>
      kernel.yield %1 : tensor<1x8x8x4xf32>
    }
    kernel.yield %t : tensor<1x8x8x4xf32>
  }
  return %r : tensor<1x8x8x4xf32>
}

// -----

func.func @constant(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>) {
  %y = kernel.group(%x) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    %t = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      // expected-error @+1 {{is read in parts: it must be an operand}}
      %c = graph.constant dense<[[1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0], [8.0]]> : tensor<8x1xf32>
      %0 = graph.add %i, %c : (tensor<8x6xf32>, tensor<8x1xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %y : tensor<8x6xf32>
}

// -----

// Windows of three rows, two rows apart, never reach the last of twelve.
func.func @uncovered(%x0: tensor<1x12x12x4xf32>, %w0: tensor<4x4x3x3xf32>) -> (tensor<1x12x12x4xf32>, tensor<1x5x5x4xf32>) {
  %r:2 = kernel.group(%x0, %w0) {tile = #kernel.tile<dims = [1], sizes = [2]>} : (tensor<1x12x12x4xf32>, tensor<4x4x3x3xf32>) -> (tensor<1x12x12x4xf32>, tensor<1x5x5x4xf32>) {
  ^bb0(%x: tensor<1x12x12x4xf32>, %w: tensor<4x4x3x3xf32>):
    // expected-error @+1 {{has a result that its tiles do not cover}}
    %t = kernel.stage(%x) : (tensor<1x12x12x4xf32>) -> tensor<1x12x12x4xf32> {
    ^bb0(%p0: tensor<1x12x12x4xf32>):
      %0 = graph.relu %p0 : (tensor<1x12x12x4xf32>) -> tensor<1x12x12x4xf32>
      kernel.yield %0 : tensor<1x12x12x4xf32>
    }
    %u = kernel.stage(%t, %w) : (tensor<1x12x12x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x5x5x4xf32> {
    ^bb0(%p0: tensor<1x12x12x4xf32>, %p1: tensor<4x4x3x3xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x12x12x4xf32>, tensor<4x4x3x3xf32>) -> tensor<1x5x5x4xf32>
      kernel.yield %0 : tensor<1x5x5x4xf32>
    }
    kernel.yield %t, %u : tensor<1x12x12x4xf32>, tensor<1x5x5x4xf32>
  }
  return %r#0, %r#1 : tensor<1x12x12x4xf32>, tensor<1x5x5x4xf32>
}

// -----

// The first tile lies in the padding.
func.func @padding(%x0: tensor<1x8x8x4xf32>, %w0: tensor<4x4x1x1xf32>) -> tensor<1x16x16x4xf32> {
  %r = kernel.group(%x0, %w0) {tile = #kernel.tile<dims = [1], sizes = [2]>} : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x16x16x4xf32> {
  ^bb0(%x: tensor<1x8x8x4xf32>, %w: tensor<4x4x1x1xf32>):
    // expected-error @+1 {{has nothing to compute in a tile}}
    %t = kernel.stage(%x) : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>):
      %0 = graph.relu %p0 : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
      kernel.yield %0 : tensor<1x8x8x4xf32>
    }
    %u = kernel.stage(%t, %w) : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x16x16x4xf32> {
    ^bb0(%p0: tensor<1x8x8x4xf32>, %p1: tensor<4x4x1x1xf32>):
      %0 = graph.conv %p0, %p1 {strides = array<i64: 1, 1>, pads = array<i64: 4, 4, 4, 4>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x4xf32>, tensor<4x4x1x1xf32>) -> tensor<1x16x16x4xf32>
      kernel.yield %0 : tensor<1x16x16x4xf32>
    }
    kernel.yield %u : tensor<1x16x16x4xf32>
  }
  return %r : tensor<1x16x16x4xf32>
}

// -----

// A tile has some of one operand and some of another.
func.func @joined(%x0: tensor<8x6xf32>, %x1: tensor<8x6xf32>) -> tensor<8x12xf32> {
  %r = kernel.group(%x0, %x1) {tile = #kernel.tile<dims = [1], sizes = [4]>} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32> {
  ^bb0(%g0: tensor<8x6xf32>, %g1: tensor<8x6xf32>):
    %t0 = kernel.stage(%g0, %g1) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32> {
    ^bb0(%p0: tensor<8x6xf32>, %p1: tensor<8x6xf32>):
      // expected-error @+1 {{'graph.concat' needs all of dimension 1}}
      %0 = graph.concat %p0, %p1 {axis = 1 : i64} : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x12xf32>
      kernel.yield %0 : tensor<8x12xf32>
    }
    kernel.yield %t0 : tensor<8x12xf32>
  }
  return %r : tensor<8x12xf32>
}

// -----

func.func @border(%x0: tensor<8x6xf32>) -> tensor<13x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [4]>} : (tensor<8x6xf32>) -> tensor<13x6xf32> {
  ^bb0(%g0: tensor<8x6xf32>):
    %t0 = kernel.stage(%g0) : (tensor<8x6xf32>) -> tensor<13x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      // expected-error @+1 {{'graph.pad' has a tile that is all padding}}
      %0 = graph.pad %p0 {low = array<i64: 5, 0>, high = array<i64: 0, 0>} : (tensor<8x6xf32>) -> tensor<13x6xf32>
      kernel.yield %0 : tensor<13x6xf32>
    }
    kernel.yield %t0 : tensor<13x6xf32>
  }
  return %r : tensor<13x6xf32>
}

// -----

func.func @mirrored(%x0: tensor<8x6xf32>) -> tensor<9x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [4]>} : (tensor<8x6xf32>) -> tensor<9x6xf32> {
  ^bb0(%g0: tensor<8x6xf32>):
    %t0 = kernel.stage(%g0) : (tensor<8x6xf32>) -> tensor<9x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      // expected-error @+1 {{'graph.pad' needs all of dimension 0}}
      %0 = graph.pad %p0 {low = array<i64: 1, 0>, high = array<i64: 0, 0>, mode = #graph<pad_mode reflect>} : (tensor<8x6xf32>) -> tensor<9x6xf32>
      kernel.yield %0 : tensor<9x6xf32>
    }
    kernel.yield %t0 : tensor<9x6xf32>
  }
  return %r : tensor<9x6xf32>
}

// -----

// Each row stands twice, and three are a tile.
func.func @repeated(%x0: tensor<8x6xf32>) -> tensor<16x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [3]>} : (tensor<8x6xf32>) -> tensor<16x6xf32> {
  ^bb0(%g0: tensor<8x6xf32>):
    // expected-error @+1 {{'kernel.stage' repeats rows across tiles}}
    %t0 = kernel.stage(%g0) : (tensor<8x6xf32>) -> tensor<16x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.resize %p0 {scales = array<f32: 2.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<8x6xf32>) -> tensor<16x6xf32>
      kernel.yield %0 : tensor<16x6xf32>
    }
    kernel.yield %t0 : tensor<16x6xf32>
  }
  return %r : tensor<16x6xf32>
}

// -----

func.func @interpolated(%x0: tensor<8x6xf32>) -> tensor<16x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [4]>} : (tensor<8x6xf32>) -> tensor<16x6xf32> {
  ^bb0(%g0: tensor<8x6xf32>):
    %t0 = kernel.stage(%g0) : (tensor<8x6xf32>) -> tensor<16x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      // expected-error @+1 {{'graph.resize' needs all of dimension 0}}
      %0 = graph.resize %p0 {scales = array<f32: 2.0, 1.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode floor>} : (tensor<8x6xf32>) -> tensor<16x6xf32>
      kernel.yield %0 : tensor<16x6xf32>
    }
    kernel.yield %t0 : tensor<16x6xf32>
  }
  return %r : tensor<16x6xf32>
}

// -----

// Eight elements are no rows of six.
func.func @merged(%x0: tensor<8x6xf32>) -> tensor<48xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [8]>} : (tensor<8x6xf32>) -> tensor<48xf32> {
  ^bb0(%g0: tensor<8x6xf32>):
    %t0 = kernel.stage(%g0) : (tensor<8x6xf32>) -> tensor<48xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      // expected-error @+1 {{'graph.reshape' splits or merges dimensions across tiles}}
      %0 = graph.reshape %p0 : (tensor<8x6xf32>) -> tensor<48xf32>
      kernel.yield %0 : tensor<48xf32>
    }
    kernel.yield %t0 : tensor<48xf32>
  }
  return %r : tensor<48xf32>
}

// -----

func.func @picked(%x0: tensor<8x6xf32>, %x1: tensor<5xi64>) -> tensor<5x6xf32> {
  %r = kernel.group(%x0, %x1) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>, tensor<5xi64>) -> tensor<5x6xf32> {
  ^bb0(%g0: tensor<8x6xf32>, %g1: tensor<5xi64>):
    %t0 = kernel.stage(%g0, %g1) : (tensor<8x6xf32>, tensor<5xi64>) -> tensor<5x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>, %p1: tensor<5xi64>):
      // expected-error @+1 {{'graph.gather' picks by indices that a stage cannot check}}
      %0 = graph.gather %p0, %p1 {axis = 0 : i64} : (tensor<8x6xf32>, tensor<5xi64>) -> tensor<5x6xf32>
      kernel.yield %0 : tensor<5x6xf32>
    }
    kernel.yield %t0 : tensor<5x6xf32>
  }
  return %r : tensor<5x6xf32>
}

// -----

// Sums along columns of a part of the columns: running sums want rows without
// gaps.
func.func @gaps(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [1], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%g0: tensor<8x6xf32>):
    // expected-error @+1 {{reads a part of operand 0 that 'prefix' cannot address}}
    %t0 = kernel.stage(%g0) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.prefix %p0 {axis = 0 : i64} : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t0 : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
