// RUN: tenon-run --interpret %s
// The largest element in a window; padding never wins.

func.func @main() {
  %0 = graph.constant dense<[[[1.0, 5.0, 2.0, -3.0]]]> : tensor<1x1x4xf32>
  %1 = graph.max_pool %0 {kernel = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>}
    : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  %2 = graph.constant dense<[[[5.0, 5.0, 2.0]]]> : tensor<1x1x3xf32>
  check.expect_close %1, %2 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x3xf32>

  %3 = graph.constant dense<[[[1.0], [5.0], [2.0], [-3.0]]]> : tensor<1x4x1xf32>
  %4 = graph.max_pool %3 {kernel = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #graph<layout nhwc>}
    : (tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  %5 = graph.constant dense<[[[5.0], [5.0], [2.0]]]> : tensor<1x3x1xf32>
  check.expect_close %4, %5 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x3x1xf32>

  // All negative, padded.
  %6 = graph.constant dense<[[[[-1.0, -2.0, -3.0], [-4.0, -5.0, -6.0], [-7.0, -8.0, -9.0]]]]> : tensor<1x1x3x3xf32>
  %7 = graph.max_pool %6 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x1x3x3xf32>) -> tensor<1x1x2x2xf32>
  %8 = graph.constant dense<[[[[-1.0, -2.0], [-4.0, -5.0]]]]> : tensor<1x1x2x2xf32>
  check.expect_close %7, %8 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x2x2xf32>

  %9 = graph.constant dense<[[[[-1.0], [-2.0], [-3.0]], [[-4.0], [-5.0], [-6.0]], [[-7.0], [-8.0], [-9.0]]]]> : tensor<1x3x3x1xf32>
  %10 = graph.max_pool %9 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x3x3x1xf32>) -> tensor<1x2x2x1xf32>
  %11 = graph.constant dense<[[[[-1.0], [-2.0]], [[-4.0], [-5.0]]]]> : tensor<1x2x2x1xf32>
  check.expect_close %10, %11 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x1xf32>

  // Ceil mode: a window hangs over the end.
  %12 = graph.constant dense<[[[[-3.0, -2.0, -2.0, 1.0], [-1.0, -1.0, -3.0, 1.0], [-3.0, 0.0, 2.0, 0.0], [1.0, 2.0, -2.0, -3.0]], [[-3.0, 1.0, -2.0, -2.0], [2.0, 2.0, 3.0, 0.0], [0.0, 3.0, 0.0, -2.0], [-2.0, 3.0, -3.0, 2.0]]]]> : tensor<1x2x4x4xf32>
  %13 = graph.max_pool %12 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf32>
  %14 = graph.constant dense<[[[[2.0, 2.0], [2.0, 2.0]], [[3.0, 3.0], [3.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  check.expect_close %13, %14 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x2xf32>

  %15 = graph.constant dense<[[[[-3.0, -3.0], [-2.0, 1.0], [-2.0, -2.0], [1.0, -2.0]], [[-1.0, 2.0], [-1.0, 2.0], [-3.0, 3.0], [1.0, 0.0]], [[-3.0, 0.0], [0.0, 3.0], [2.0, 0.0], [0.0, -2.0]], [[1.0, -2.0], [2.0, 3.0], [-2.0, -3.0], [-3.0, 2.0]]]]> : tensor<1x4x4x2xf32>
  %16 = graph.max_pool %15 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x4x4x2xf32>) -> tensor<1x2x2x2xf32>
  %17 = graph.constant dense<[[[[2.0, 3.0], [2.0, 3.0]], [[2.0, 3.0], [2.0, 2.0]]]]> : tensor<1x2x2x2xf32>
  check.expect_close %16, %17 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x2xf32>

  // Dilations, three dimensions, integers.
  %18 = graph.constant dense<[[[[1.0, 0.0, 2.0, 2.0], [0.0, 1.0, 2.0, 1.0], [0.0, 3.0, 3.0, -3.0], [0.0, 2.0, -3.0, -1.0], [0.0, -1.0, 1.0, 3.0]]]]> : tensor<1x1x5x4xf32>
  %19 = graph.max_pool %18 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 2>}
    : (tensor<1x1x5x4xf32>) -> tensor<1x1x3x2xf32>
  %20 = graph.constant dense<[[[[3.0, 3.0], [2.0, 2.0], [3.0, 3.0]]]]> : tensor<1x1x3x2xf32>
  check.expect_close %19, %20 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x3x2xf32>

  %21 = graph.constant dense<[[[[1.0], [0.0], [2.0], [2.0]], [[0.0], [1.0], [2.0], [1.0]], [[0.0], [3.0], [3.0], [-3.0]], [[0.0], [2.0], [-3.0], [-1.0]], [[0.0], [-1.0], [1.0], [3.0]]]]> : tensor<1x5x4x1xf32>
  %22 = graph.max_pool %21 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 2, 2>, layout = #graph<layout nhwc>}
    : (tensor<1x5x4x1xf32>) -> tensor<1x3x2x1xf32>
  %23 = graph.constant dense<[[[[3.0], [3.0]], [[2.0], [2.0]], [[3.0], [3.0]]]]> : tensor<1x3x2x1xf32>
  check.expect_close %22, %23 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x3x2x1xf32>

  %24 = graph.constant dense<[[[[[-1.0, 2.0, -3.0], [0.0, -3.0, -1.0], [-3.0, 3.0, 3.0]], [[-3.0, 2.0, 1.0], [-1.0, 2.0, 3.0], [2.0, 1.0, -1.0]]]]]> : tensor<1x1x2x3x3xf32>
  %25 = graph.max_pool %24 {kernel = array<i64: 2, 2, 2>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>}
    : (tensor<1x1x2x3x3xf32>) -> tensor<1x1x1x2x2xf32>
  %26 = graph.constant dense<[[[[[2.0, 3.0], [3.0, 3.0]]]]]> : tensor<1x1x1x2x2xf32>
  check.expect_close %25, %26 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x1x2x2xf32>

  %27 = graph.constant dense<[[[[[-1.0], [2.0], [-3.0]], [[0.0], [-3.0], [-1.0]], [[-3.0], [3.0], [3.0]]], [[[-3.0], [2.0], [1.0]], [[-1.0], [2.0], [3.0]], [[2.0], [1.0], [-1.0]]]]]> : tensor<1x2x3x3x1xf32>
  %28 = graph.max_pool %27 {kernel = array<i64: 2, 2, 2>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x2x3x3x1xf32>) -> tensor<1x1x2x2x1xf32>
  %29 = graph.constant dense<[[[[[2.0], [3.0]], [[3.0], [3.0]]]]]> : tensor<1x1x2x2x1xf32>
  check.expect_close %28, %29 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x2x2x1xf32>

  %30 = graph.constant dense<[[[[-8, -7, -6, -5], [-4, -3, -2, -1], [0, 1, 2, 3], [4, 5, 6, 7]]]]> : tensor<1x1x4x4xi8>
  %31 = graph.max_pool %30 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x1x4x4xi8>) -> tensor<1x1x2x2xi8>
  %32 = graph.constant dense<[[[[-3, -1], [5, 7]]]]> : tensor<1x1x2x2xi8>
  check.expect_eq %31, %32 : tensor<1x1x2x2xi8>

  // NaN wins.
  %33 = graph.constant dense<[[[0x7FC00000, 1.0, 2.0]]]> : tensor<1x1x3xf32>
  %34 = graph.max_pool %33 {kernel = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>}
    : (tensor<1x1x3xf32>) -> tensor<1x1x2xf32>
  %35 = graph.constant dense<[[[0x7FC00000, 2.0]]]> : tensor<1x1x2xf32>
  check.expect_eq %34, %35 : tensor<1x1x2xf32>
  return
}
