// RUN: tenon-run --interpret %s
// Weights in panels: [batch, ceil(N / panel), K, panel], zeros behind N.

func.func @main() {
  // K = 2 rows, N = 3 columns, panels of two.
  %0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = graph.pack %0 {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 2 : i64}
    : (tensor<2x3xf32>) -> tensor<2x2x2xf32>
  %2 = graph.constant dense<[[[1.0, 2.0], [4.0, 5.0]], [[3.0, 0.0], [6.0, 0.0]]]> : tensor<2x2x2xf32>
  check.expect_eq %1, %2 : tensor<2x2x2xf32>

  // The transpose: N = 2, K = 3.
  %3 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %4 = graph.pack %3 {batch_dims = array<i64>, k_dims = array<i64: 1>, n_dims = array<i64: 0>, panel = 2 : i64}
    : (tensor<2x3xf32>) -> tensor<1x3x2xf32>
  %5 = graph.constant dense<[[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]]> : tensor<1x3x2xf32>
  check.expect_eq %4, %5 : tensor<1x3x2xf32>

  // A batch dimension.
  %6 = graph.constant dense<[[[0, 1, 2], [3, 4, 5]], [[6, 7, 8], [9, 10, 11]]]> : tensor<2x2x3xi8>
  %7 = graph.pack %6 {batch_dims = array<i64: 0>, k_dims = array<i64: 2>, n_dims = array<i64: 1>, panel = 4 : i64}
    : (tensor<2x2x3xi8>) -> tensor<2x1x3x4xi8>
  %8 = graph.constant dense<[[[[0, 3, 0, 0], [1, 4, 0, 0], [2, 5, 0, 0]]], [[[6, 9, 0, 0], [7, 10, 0, 0], [8, 11, 0, 0]]]]> : tensor<2x1x3x4xi8>
  check.expect_eq %7, %8 : tensor<2x1x3x4xi8>

  // A filter [O, C, H, W]: K runs over H, W, C.
  %9 = graph.constant dense<[[[[0.0, 1.0], [2.0, 3.0]], [[4.0, 5.0], [6.0, 7.0]]], [[[8.0, 9.0], [10.0, 11.0]], [[12.0, 13.0], [14.0, 15.0]]]]> : tensor<2x2x2x2xf32>
  %10 = graph.pack %9 {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 2 : i64}
    : (tensor<2x2x2x2xf32>) -> tensor<1x8x2xf32>
  %11 = graph.constant dense<[[[0.0, 8.0], [4.0, 12.0], [1.0, 9.0], [5.0, 13.0], [2.0, 10.0], [6.0, 14.0], [3.0, 11.0], [7.0, 15.0]]]> : tensor<1x8x2xf32>
  check.expect_eq %10, %11 : tensor<1x8x2xf32>

  // The points of F(2 x 2, 3 x 3) for a window with one tap, in its middle.
  %18 = graph.constant dense<[[[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.0]]]]> : tensor<1x1x3x3xf32>
  %19 = graph.pack %18 {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 1 : i64, winograd = 2 : i64}
    : (tensor<1x1x3x3xf32>) -> tensor<1x16x1xf32>
  %20 = graph.constant dense<[[[0.0], [0.0], [-0.0], [0.0], [0.0], [0.25], [-0.25], [0.0], [-0.0], [-0.25], [0.25], [-0.0], [0.0], [0.0], [-0.0], [0.0]]]> : tensor<1x16x1xf32>
  check.expect_eq %19, %20 : tensor<1x16x1xf32>

  // The points of F(2, 5) for two channels of two lines with one tap each.
  %26 = graph.constant dense<[[[[1.0, 0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 1.0]], [[0.0, 0.0, 0.0, 0.0, 2.0], [4.0, 0.0, 0.0, 0.0, 0.0]]]]> : tensor<1x2x2x5xf32>
  %27 = graph.pack %26 {batch_dims = array<i64>, k_dims = array<i64: 3, 2, 1>, n_dims = array<i64: 0>, panel = 1 : i64, winograd = 2 : i64, window_rank = 1 : i64}
    : (tensor<1x2x2x5xf32>) -> tensor<1x24x1xf32>
  %28 = graph.constant dense<[[[1.13777778], [0.0], [0.0], [4.55111111], [-0.688403361], [-0.210084034], [-0.105042017], [-2.75361345], [-0.688403361], [-0.210084034], [-0.105042017], [-2.75361345], [0.119514472], [1.21008403], [0.605042017], [0.47805789], [0.119514472], [1.21008403], [0.605042017], [0.47805789], [0.0], [2.0], [1.0], [0.0]]]> : tensor<1x24x1xf32>
  check.expect_close %27, %28 {atol = 1.0e-06 : f64, rtol = 0.0 : f64} : tensor<1x24x1xf32>

  // Four taps as two windows of three: the points of F(2, 3), of both.
  %29 = graph.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %30 = graph.pack %29 {batch_dims = array<i64>, k_dims = array<i64: 2, 1>, n_dims = array<i64: 0>, panel = 1 : i64, winograd = 2 : i64, window_rank = 1 : i64, window = 3 : i64}
    : (tensor<1x1x4xf32>) -> tensor<1x8x1xf32>
  %31 = graph.constant dense<[[[-1.0], [-4.0], [3.0], [2.0], [1.0], [2.0], [3.0], [0.0]]]> : tensor<1x8x1xf32>
  check.expect_eq %30, %31 : tensor<1x8x1xf32>

  // Two groups of three columns: each has panels of its own.
  %12 = graph.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]> : tensor<1x6xf32>
  %13 = graph.pack %12 {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 2 : i64, groups = 2 : i64}
    : (tensor<1x6xf32>) -> tensor<4x1x2xf32>
  %14 = graph.constant dense<[[[1.0, 2.0]], [[3.0, 0.0]], [[4.0, 5.0]], [[6.0, 0.0]]]> : tensor<4x1x2xf32>
  check.expect_eq %13, %14 : tensor<4x1x2xf32>

  // Two steps of three columns side by side, in panels of four.
  %21 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0], [10.0, 11.0, 12.0]]> : tensor<4x3xf32>
  %22 = graph.pack %21 {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 4 : i64, fold = 2 : i64}
    : (tensor<4x3xf32>) -> tensor<2x2x4xf32>
  %23 = graph.constant dense<[[[1.0, 4.0, 2.0, 5.0], [7.0, 10.0, 8.0, 11.0]], [[3.0, 6.0, 0.0, 0.0], [9.0, 12.0, 0.0, 0.0]]]> : tensor<2x2x4xf32>
  check.expect_eq %22, %23 : tensor<2x2x4xf32>

  // In two groups of a filter with two taps.
  %32 = graph.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]> : tensor<2x2x2xf32>
  %33 = graph.pack %32 {batch_dims = array<i64>, k_dims = array<i64: 2, 1>, n_dims = array<i64: 0>, panel = 2 : i64, groups = 2 : i64, fold = 2 : i64}
    : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  %34 = graph.constant dense<[[[1.0, 3.0], [2.0, 4.0]], [[5.0, 7.0], [6.0, 8.0]]]> : tensor<2x2x2xf32>
  check.expect_eq %33, %34 : tensor<2x2x2xf32>

  // Rounded to 16 bits, and to infinity.
  %15 = graph.constant dense<[[1.0, 0.1, 7.0e4]]> : tensor<1x3xf32>
  %16 = graph.pack %15 {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 3 : i64, element = f16}
    : (tensor<1x3xf32>) -> tensor<1x1x3xf16>
  %17 = graph.constant dense<[[[0x3c00, 0x2e66, 0x7c00]]]> : tensor<1x1x3xf16>
  check.expect_eq %16, %17 : tensor<1x1x3xf16>
  return
}
