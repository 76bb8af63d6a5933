// RUN: tenon-run --interpret %s
// Softmax along any axis.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %1 = graph.softmax %0 {axis = 1 : i64}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.constant dense<[[0.09003057, 0.24472848, 0.66524094], [0.33333334, 0.33333334, 0.33333334]]> : tensor<2x3xf32>
  check.expect_close %1, %2 {rtol = 1.0e-06, atol = 0.0e+00} : tensor<2x3xf32>

  %3 = graph.constant dense<[[1.0, 2.0, 3.0], [0.0, 0.0, 0.0]]> : tensor<2x3xf32>
  %4 = graph.softmax %3 {axis = 0 : i64}
    : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %5 = graph.constant dense<[[0.7310586, 0.8807971, 0.95257413], [0.26894143, 0.11920292, 0.047425874]]> : tensor<2x3xf32>
  check.expect_close %4, %5 {rtol = 1.0e-06, atol = 0.0e+00} : tensor<2x3xf32>

  %6 = graph.constant dense<[[[3.0, -3.0], [1.0, 2.0], [-2.0, -3.0]], [[-1.0, -1.0], [3.0, 3.0], [-2.0, 0.0]]]> : tensor<2x3x2xf32>
  %7 = graph.softmax %6 {axis = 1 : i64}
    : (tensor<2x3x2xf32>) -> tensor<2x3x2xf32>
  %8 = graph.constant dense<[[[0.8756006, 0.0066483547], [0.11849965, 0.9867033], [0.0058997506, 0.0066483547]], [[0.017867982, 0.017147826], [0.97555876, 0.93623954], [0.006573263, 0.046612624]]]> : tensor<2x3x2xf32>
  check.expect_close %7, %8 {rtol = 1.0e-06, atol = 0.0e+00} : tensor<2x3x2xf32>

  // Large numbers do not overflow.
  %9 = graph.constant dense<1000.0> : tensor<2xf32>
  %10 = graph.softmax %9 {axis = 0 : i64}
    : (tensor<2xf32>) -> tensor<2xf32>
  %11 = graph.constant dense<0.5> : tensor<2xf32>
  check.expect_eq %10, %11 : tensor<2xf32>

  %12 = graph.constant dense<[0.0, 0xFF800000]> : tensor<2xf32>
  %13 = graph.softmax %12 {axis = 0 : i64}
    : (tensor<2xf32>) -> tensor<2xf32>
  %14 = graph.constant dense<[1.0, 0.0]> : tensor<2xf32>
  check.expect_eq %13, %14 : tensor<2xf32>

  %15 = graph.constant dense<[1.0, 2.0]> : tensor<2xf16>
  %16 = graph.softmax %15 {axis = 0 : i64}
    : (tensor<2xf16>) -> tensor<2xf16>
  %17 = graph.constant dense<[0.269, 0.731]> : tensor<2xf16>
  check.expect_eq %16, %17 : tensor<2xf16>
  return
}
