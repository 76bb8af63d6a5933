// RUN: tenon-run --interpret %s
// The mean of a window, with and without its padding.

func.func @main() {
  %0 = graph.constant dense<[[[1.0, 5.0, 2.0, -3.0]]]> : tensor<1x1x4xf32>
  %1 = graph.avg_pool %0 {kernel = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>}
    : (tensor<1x1x4xf32>) -> tensor<1x1x3xf32>
  %2 = graph.constant dense<[[[3.0, 3.5, -0.5]]]> : tensor<1x1x3xf32>
  check.expect_close %1, %2 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x3xf32>

  %3 = graph.constant dense<[[[1.0], [5.0], [2.0], [-3.0]]]> : tensor<1x4x1xf32>
  %4 = graph.avg_pool %3 {kernel = array<i64: 2>, strides = array<i64: 1>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, layout = #graph<layout nhwc>}
    : (tensor<1x4x1xf32>) -> tensor<1x3x1xf32>
  %5 = graph.constant dense<[[[3.0], [3.5], [-0.5]]]> : tensor<1x3x1xf32>
  check.expect_close %4, %5 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x3x1xf32>

  // Ones stay ones without the padding, shrink with it.
  %6 = graph.constant dense<1.0> : tensor<1x1x3x3xf32>
  %7 = graph.avg_pool %6 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
  %8 = graph.constant dense<1.0> : tensor<1x1x4x4xf32>
  check.expect_close %7, %8 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x4x4xf32>

  %9 = graph.constant dense<1.0> : tensor<1x3x3x1xf32>
  %10 = graph.avg_pool %9 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x3x3x1xf32>) -> tensor<1x4x4x1xf32>
  %11 = graph.constant dense<1.0> : tensor<1x4x4x1xf32>
  check.expect_close %10, %11 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x4x4x1xf32>

  %12 = graph.constant dense<1.0> : tensor<1x1x3x3xf32>
  %13 = graph.avg_pool %12 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true}
    : (tensor<1x1x3x3xf32>) -> tensor<1x1x4x4xf32>
  %14 = graph.constant dense<[[[[0.25, 0.5, 0.5, 0.25], [0.5, 1.0, 1.0, 0.5], [0.5, 1.0, 1.0, 0.5], [0.25, 0.5, 0.5, 0.25]]]]> : tensor<1x1x4x4xf32>
  check.expect_close %13, %14 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x4x4xf32>

  // Ceil mode: what hangs over the padding never counts.
  %15 = graph.constant dense<[[[[1.0, 2.0, 2.0, -2.0], [-1.0, -1.0, 1.0, -1.0], [-1.0, 0.0, 1.0, -3.0], [3.0, -1.0, -2.0, -3.0]]]]> : tensor<1x1x4x4xf32>
  %16 = graph.avg_pool %15 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>}
    : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %17 = graph.constant dense<[[[[0.44444445, -0.33333334], [0.0, -1.75]]]]> : tensor<1x1x2x2xf32>
  check.expect_close %16, %17 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x2x2xf32>

  %18 = graph.constant dense<[[[[1.0], [2.0], [2.0], [-2.0]], [[-1.0], [-1.0], [1.0], [-1.0]], [[-1.0], [0.0], [1.0], [-3.0]], [[3.0], [-1.0], [-2.0], [-3.0]]]]> : tensor<1x4x4x1xf32>
  %19 = graph.avg_pool %18 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %20 = graph.constant dense<[[[[0.44444445], [-0.33333334]], [[0.0], [-1.75]]]]> : tensor<1x2x2x1xf32>
  check.expect_close %19, %20 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x1xf32>

  %21 = graph.constant dense<[[[[0.0, 2.0, -1.0, 2.0], [-2.0, -3.0, -1.0, 1.0], [-1.0, 2.0, -3.0, 3.0], [-3.0, 2.0, -3.0, -1.0]]]]> : tensor<1x1x4x4xf32>
  %22 = graph.avg_pool %21 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = true}
    : (tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32>
  %23 = graph.constant dense<[[[[-0.7777778, 0.16666667], [-1.0, -1.0]]]]> : tensor<1x1x2x2xf32>
  check.expect_close %22, %23 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x2x2xf32>

  %24 = graph.constant dense<[[[[0.0], [2.0], [-1.0], [2.0]], [[-2.0], [-3.0], [-1.0], [1.0]], [[-1.0], [2.0], [-3.0], [3.0]], [[-3.0], [2.0], [-3.0], [-1.0]]]]> : tensor<1x4x4x1xf32>
  %25 = graph.avg_pool %24 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>}
    : (tensor<1x4x4x1xf32>) -> tensor<1x2x2x1xf32>
  %26 = graph.constant dense<[[[[-0.7777778], [0.16666667]], [[-1.0], [-1.0]]]]> : tensor<1x2x2x1xf32>
  check.expect_close %25, %26 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x1xf32>

  %27 = graph.constant dense<[[[[-1.0, 3.0, 1.0, 3.0, -1.0], [0.0, 0.0, 2.0, 0.0, 3.0], [-2.0, 0.0, -2.0, 3.0, -3.0], [1.0, 3.0, -1.0, -2.0, 2.0], [1.0, 0.0, 3.0, -3.0, -2.0]]]]> : tensor<1x1x5x5xf32>
  %28 = graph.avg_pool %27 {kernel = array<i64: 3, 3>, strides = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true}
    : (tensor<1x1x5x5xf32>) -> tensor<1x1x2x2xf32>
  %29 = graph.constant dense<[[[[0.22222222, 0.8888889], [0.33333334, -0.5555556]]]]> : tensor<1x1x2x2xf32>
  check.expect_close %28, %29 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x2x2xf32>

  %30 = graph.constant dense<[[[[-1.0], [3.0], [1.0], [3.0], [-1.0]], [[0.0], [0.0], [2.0], [0.0], [3.0]], [[-2.0], [0.0], [-2.0], [3.0], [-3.0]], [[1.0], [3.0], [-1.0], [-2.0], [2.0]], [[1.0], [0.0], [3.0], [-3.0], [-2.0]]]]> : tensor<1x5x5x1xf32>
  %31 = graph.avg_pool %30 {kernel = array<i64: 3, 3>, strides = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>}
    : (tensor<1x5x5x1xf32>) -> tensor<1x2x2x1xf32>
  %32 = graph.constant dense<[[[[0.22222222], [0.8888889]], [[0.33333334], [-0.5555556]]]]> : tensor<1x2x2x1xf32>
  check.expect_close %31, %32 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x1xf32>

  %33 = graph.constant dense<[[[[-1.0, 3.0, -3.0, 0.0, 0.0], [-3.0, -1.0, 1.0, -1.0, -1.0], [1.0, 3.0, -3.0, -1.0, 3.0], [-1.0, 1.0, -1.0, 2.0, 1.0], [3.0, 1.0, 1.0, 0.0, -3.0]]]]> : tensor<1x1x5x5xf32>
  %34 = graph.avg_pool %33 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 2>}
    : (tensor<1x1x5x5xf32>) -> tensor<1x1x4x4xf32>
  %35 = graph.constant dense<[[[[3.0, -1.5, 1.25, -0.75], [0.0, -1.0, 0.25, 0.0], [2.0, 0.5, 0.75, -0.5], [1.0, -1.0, 1.5, 0.0]]]]> : tensor<1x1x4x4xf32>
  check.expect_close %34, %35 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x4x4xf32>

  %36 = graph.constant dense<[[[[-1.0], [3.0], [-3.0], [0.0], [0.0]], [[-3.0], [-1.0], [1.0], [-1.0], [-1.0]], [[1.0], [3.0], [-3.0], [-1.0], [3.0]], [[-1.0], [1.0], [-1.0], [2.0], [1.0]], [[3.0], [1.0], [1.0], [0.0], [-3.0]]]]> : tensor<1x5x5x1xf32>
  %37 = graph.avg_pool %36 {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 1, 0>, dilations = array<i64: 2, 2>, layout = #graph<layout nhwc>}
    : (tensor<1x5x5x1xf32>) -> tensor<1x4x4x1xf32>
  %38 = graph.constant dense<[[[[3.0], [-1.5], [1.25], [-0.75]], [[0.0], [-1.0], [0.25], [0.0]], [[2.0], [0.5], [0.75], [-0.5]], [[1.0], [-1.0], [1.5], [0.0]]]]> : tensor<1x4x4x1xf32>
  check.expect_close %37, %38 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x4x4x1xf32>

  %39 = graph.constant dense<[[[[[-3.0, 1.0, 1.0], [0.0, -3.0, 2.0]], [[2.0, 0.0, -2.0], [2.0, 0.0, 3.0]]], [[[-2.0, -1.0, 2.0], [-2.0, -1.0, -1.0]], [[2.0, 2.0, 2.0], [0.0, 1.0, 1.0]]]]]> : tensor<1x2x2x2x3xf32>
  %40 = graph.avg_pool %39 {kernel = array<i64: 2, 2, 2>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 1, 1, 1>, dilations = array<i64: 1, 1, 1>}
    : (tensor<1x2x2x2x3xf32>) -> tensor<1x2x2x2x3xf32>
  %41 = graph.constant dense<[[[[[-0.125, 0.25, 1.0], [-0.25, 0.5, 2.5]], [[1.0, 0.25, 0.5], [1.0, 1.5, 3.0]]], [[[-0.125, 0.625, 1.0], [-0.5, 0.0, 0.0]], [[1.25, 1.5, 1.5], [0.5, 1.0, 1.0]]]]]> : tensor<1x2x2x2x3xf32>
  check.expect_close %40, %41 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x2x3xf32>

  %42 = graph.constant dense<[[[[[-3.0, -2.0], [1.0, -1.0], [1.0, 2.0]], [[0.0, -2.0], [-3.0, -1.0], [2.0, -1.0]]], [[[2.0, 2.0], [0.0, 2.0], [-2.0, 2.0]], [[2.0, 0.0], [0.0, 1.0], [3.0, 1.0]]]]]> : tensor<1x2x2x3x2xf32>
  %43 = graph.avg_pool %42 {kernel = array<i64: 2, 2, 2>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 0, 0, 1, 1, 1>, dilations = array<i64: 1, 1, 1>, layout = #graph<layout nhwc>}
    : (tensor<1x2x2x3x2xf32>) -> tensor<1x2x2x3x2xf32>
  %44 = graph.constant dense<[[[[[-0.125, -0.125], [0.25, 0.625], [1.0, 1.0]], [[-0.25, -0.5], [0.5, 0.0], [2.5, 0.0]]], [[[1.0, 1.25], [0.25, 1.5], [0.5, 1.5]], [[1.0, 0.5], [1.5, 1.0], [3.0, 1.0]]]]]> : tensor<1x2x2x3x2xf32>
  check.expect_close %43, %44 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x2x3x2xf32>
  return
}
