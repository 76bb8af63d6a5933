// RUN: tenon-run --interpret %s
// Transposed convolutions: each element spreads over a window.

func.func @main() {
  // By hand: 1 * [1, 2, 3] at 0 plus 10 * [1, 2, 3] at 2.
  %0 = graph.constant dense<[[[1.0, 10.0]]]> : tensor<1x1x2xf32>
  %1 = graph.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %2 = graph.conv_transpose %0, %1 {strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>}
    : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  %3 = graph.constant dense<[[[1.0, 2.0, 13.0, 20.0, 30.0]]]> : tensor<1x1x5xf32>
  check.expect_eq %2, %3 : tensor<1x1x5xf32>

  %4 = graph.constant dense<[[[[1.0, 3.0, 2.0], [-3.0, -3.0, 3.0]], [[-1.0, -3.0, 0.0], [-1.0, 0.0, 0.0]]]]> : tensor<1x2x2x3xf32>
  %5 = graph.constant dense<[[[[-1.0, 0.0], [0.0, 3.0], [1.0, 2.0]], [[-3.0, -1.0], [3.0, -2.0], [0.0, 3.0]]], [[[1.0, 3.0], [-2.0, 0.0], [1.0, -1.0]], [[1.0, 3.0], [2.0, -1.0], [-3.0, -2.0]]]]> : tensor<2x2x3x2xf32>
  %6 = graph.conv_transpose %4, %5 {strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>}
    : (tensor<1x2x2x3xf32>, tensor<2x2x3x2xf32>) -> tensor<1x2x3x3xf32>
  %7 = graph.constant dense<[[[[2.0, 9.0, 9.0], [2.0, 3.0, 8.0], [2.0, -9.0, -9.0]], [[1.0, 2.0, 3.0], [11.0, 23.0, 9.0], [-11.0, -2.0, 15.0]]]]> : tensor<1x2x3x3xf32>
  check.expect_eq %6, %7 : tensor<1x2x3x3xf32>

  %8 = graph.constant dense<[[[[1.0, -1.0], [3.0, -3.0], [2.0, 0.0]], [[-3.0, -1.0], [-3.0, 0.0], [3.0, 0.0]]]]> : tensor<1x2x3x2xf32>
  %9 = graph.constant dense<[[[[-1.0, 0.0], [0.0, 3.0], [1.0, 2.0]], [[-3.0, -1.0], [3.0, -2.0], [0.0, 3.0]]], [[[1.0, 3.0], [-2.0, 0.0], [1.0, -1.0]], [[1.0, 3.0], [2.0, -1.0], [-3.0, -2.0]]]]> : tensor<2x2x3x2xf32>
  %10 = graph.conv_transpose %8, %9 {strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>}
    : (tensor<1x2x3x2xf32>, tensor<2x2x3x2xf32>) -> tensor<1x3x3x2xf32>
  %11 = graph.constant dense<[[[[2.0, 1.0], [9.0, 2.0], [9.0, 3.0]], [[2.0, 11.0], [3.0, 23.0], [8.0, 9.0]], [[2.0, -11.0], [-9.0, -2.0], [-9.0, 15.0]]]]> : tensor<1x3x3x2xf32>
  check.expect_eq %10, %11 : tensor<1x3x3x2xf32>

  // Output padding, dilations, groups.
  %12 = graph.constant dense<[[[[-2.0, 3.0], [-2.0, 2.0]], [[-2.0, 1.0], [0.0, 3.0]]]]> : tensor<1x2x2x2xf32>
  %13 = graph.constant dense<[[[[0.0, 3.0], [3.0, 2.0]]], [[[1.0, 3.0], [3.0, -2.0]]]]> : tensor<2x1x2x2xf32>
  %14 = graph.conv_transpose %12, %13 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 2>, output_padding = array<i64: 1, 0>}
    : (tensor<1x2x2x2xf32>, tensor<2x1x2x2xf32>) -> tensor<1x1x5x5xf32>
  %15 = graph.constant dense<[[[[-2.0, 0.0, -11.0, 0.0, 12.0], [-12.0, 0.0, 12.0, 0.0, 4.0], [0.0, 0.0, -3.0, 0.0, 15.0], [-6.0, 0.0, 11.0, 0.0, -2.0], [0.0, 0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x1x5x5xf32>
  check.expect_eq %14, %15 : tensor<1x1x5x5xf32>

  %16 = graph.constant dense<[[[[-2.0, -2.0], [3.0, 1.0]], [[-2.0, 0.0], [2.0, 3.0]]]]> : tensor<1x2x2x2xf32>
  %17 = graph.constant dense<[[[[0.0, 3.0], [3.0, 2.0]]], [[[1.0, 3.0], [3.0, -2.0]]]]> : tensor<2x1x2x2xf32>
  %18 = graph.conv_transpose %16, %17 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 2>, output_padding = array<i64: 1, 0>, layout = #graph<layout nhwc>}
    : (tensor<1x2x2x2xf32>, tensor<2x1x2x2xf32>) -> tensor<1x5x5x1xf32>
  %19 = graph.constant dense<[[[[-2.0], [0.0], [-11.0], [0.0], [12.0]], [[-12.0], [0.0], [12.0], [0.0], [4.0]], [[0.0], [0.0], [-3.0], [0.0], [15.0]], [[-6.0], [0.0], [11.0], [0.0], [-2.0]], [[0.0], [0.0], [0.0], [0.0], [0.0]]]]> : tensor<1x5x5x1xf32>
  check.expect_eq %18, %19 : tensor<1x5x5x1xf32>

  %20 = graph.constant dense<[[[[0.0, -3.0], [-3.0, 1.0]], [[-3.0, 2.0], [2.0, -2.0]], [[1.0, -1.0], [3.0, 3.0]], [[1.0, 0.0], [1.0, 1.0]]]]> : tensor<1x4x2x2xf32>
  %21 = graph.constant dense<[[[[2.0, -2.0], [2.0, 0.0]], [[2.0, 0.0], [-1.0, -3.0]]], [[[0.0, 3.0], [-3.0, 0.0]], [[0.0, -3.0], [0.0, 2.0]]], [[[2.0, 3.0], [0.0, 1.0]], [[3.0, -1.0], [2.0, -2.0]]], [[[-1.0, 1.0], [1.0, -2.0]], [[1.0, 1.0], [3.0, 1.0]]]]> : tensor<4x2x2x2xf32>
  %22 = graph.conv_transpose %20, %21 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 2}
    : (tensor<1x4x2x2xf32>, tensor<4x2x2x2xf32>) -> tensor<1x4x4x4xf32>
  %23 = graph.constant dense<[[[[0.0, -9.0, -6.0, 12.0], [9.0, 0.0, -12.0, 0.0], [-6.0, 12.0, 2.0, -8.0], [-12.0, 0.0, 8.0, 0.0]], [[0.0, 9.0, -6.0, -6.0], [0.0, -6.0, 3.0, 13.0], [-6.0, -6.0, 2.0, 6.0], [3.0, 13.0, -1.0, -7.0]], [[1.0, 4.0, -2.0, -3.0], [1.0, -1.0, 0.0, -1.0], [5.0, 10.0, 5.0, 10.0], [1.0, 1.0, 1.0, 1.0]], [[4.0, 0.0, -3.0, 1.0], [5.0, -1.0, -2.0, 2.0], [10.0, -2.0, 10.0, -2.0], [9.0, -5.0, 9.0, -5.0]]]]> : tensor<1x4x4x4xf32>
  check.expect_eq %22, %23 : tensor<1x4x4x4xf32>

  %24 = graph.constant dense<[[[[0.0, -3.0, 1.0, 1.0], [-3.0, 2.0, -1.0, 0.0]], [[-3.0, 2.0, 3.0, 1.0], [1.0, -2.0, 3.0, 1.0]]]]> : tensor<1x2x2x4xf32>
  %25 = graph.constant dense<[[[[2.0, -2.0], [2.0, 0.0]], [[2.0, 0.0], [-1.0, -3.0]]], [[[0.0, 3.0], [-3.0, 0.0]], [[0.0, -3.0], [0.0, 2.0]]], [[[2.0, 3.0], [0.0, 1.0]], [[3.0, -1.0], [2.0, -2.0]]], [[[-1.0, 1.0], [1.0, -2.0]], [[1.0, 1.0], [3.0, 1.0]]]]> : tensor<4x2x2x2xf32>
  %26 = graph.conv_transpose %24, %25 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 2, layout = #graph<layout nhwc>}
    : (tensor<1x2x2x4xf32>, tensor<4x2x2x2xf32>) -> tensor<1x4x4x4xf32>
  %27 = graph.constant dense<[[[[0.0, 0.0, 1.0, 4.0], [-9.0, 9.0, 4.0, 0.0], [-6.0, -6.0, -2.0, -3.0], [12.0, -6.0, -3.0, 1.0]], [[9.0, 0.0, 1.0, 5.0], [0.0, -6.0, -1.0, -1.0], [-12.0, 3.0, 0.0, -2.0], [0.0, 13.0, -1.0, 2.0]], [[-6.0, -6.0, 5.0, 10.0], [12.0, -6.0, 10.0, -2.0], [2.0, 2.0, 5.0, 10.0], [-8.0, 6.0, 10.0, -2.0]], [[-12.0, 3.0, 1.0, 9.0], [0.0, 13.0, 1.0, -5.0], [8.0, -1.0, 1.0, 9.0], [0.0, -7.0, 1.0, -5.0]]]]> : tensor<1x4x4x4xf32>
  check.expect_eq %26, %27 : tensor<1x4x4x4xf32>

  %28 = graph.constant dense<[[[[[3.0, 3.0]], [[-3.0, -3.0]]]]]> : tensor<1x1x2x1x2xf32>
  %29 = graph.constant dense<[[[[[0.0, 0.0], [0.0, 2.0]], [[-1.0, -2.0], [1.0, -1.0]]]]]> : tensor<1x1x2x2x2xf32>
  %30 = graph.conv_transpose %28, %29 {strides = array<i64: 1, 1, 2>, pads = array<i64: 0, 0, 0, 0, 1, 0>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>}
    : (tensor<1x1x2x1x2xf32>, tensor<1x1x2x2x2xf32>) -> tensor<1x1x3x1x4xf32>
  %31 = graph.constant dense<[[[[[0.0, 0.0, 0.0, 0.0]], [[-3.0, -6.0, -3.0, -6.0]], [[3.0, 6.0, 3.0, 6.0]]]]]> : tensor<1x1x3x1x4xf32>
  check.expect_eq %30, %31 : tensor<1x1x3x1x4xf32>

  %32 = graph.constant dense<[[[[[3.0], [3.0]]], [[[-3.0], [-3.0]]]]]> : tensor<1x2x1x2x1xf32>
  %33 = graph.constant dense<[[[[[0.0, 0.0], [0.0, 2.0]], [[-1.0, -2.0], [1.0, -1.0]]]]]> : tensor<1x1x2x2x2xf32>
  %34 = graph.conv_transpose %32, %33 {strides = array<i64: 1, 1, 2>, pads = array<i64: 0, 0, 0, 0, 1, 0>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>, layout = #graph<layout nhwc>}
    : (tensor<1x2x1x2x1xf32>, tensor<1x1x2x2x2xf32>) -> tensor<1x3x1x4x1xf32>
  %35 = graph.constant dense<[[[[[0.0], [0.0], [0.0], [0.0]]], [[[-3.0], [-6.0], [-3.0], [-6.0]]], [[[3.0], [6.0], [3.0], [6.0]]]]]> : tensor<1x3x1x4x1xf32>
  check.expect_eq %34, %35 : tensor<1x3x1x4x1xf32>
  return
}
