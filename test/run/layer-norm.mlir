// RUN: tenon-run --interpret %s
// Layer normalisation over the last dimensions.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0, 3.0, 4.0], [-1.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>
  %1 = graph.constant dense<[1.0, 2.0, 1.0, 0.5]> : tensor<4xf32>
  %2 = graph.constant dense<[0.0, 0.0, 1.0, 1.0]> : tensor<4xf32>
  %3 = graph.layer_norm %0, %1, %2 {axis = 1 : i64, epsilon = 1.0e-5 : f32}
    : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %4 = graph.constant dense<[[-1.3416355, -0.8944236, 1.4472119, 1.6708177], [-0.999995, 1.99999, 0.0000049999626, 1.4999975]]> : tensor<2x4xf32>
  check.expect_close %3, %4 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<2x4xf32>

  %5 = graph.constant dense<[[1.0, 2.0, 3.0, 4.0], [-1.0, 1.0, -1.0, 1.0]]> : tensor<2x4xf32>
  %6 = graph.constant dense<[1.0, 2.0, 1.0, 0.5]> : tensor<4xf32>
  %7 = graph.layer_norm %5, %6 {axis = 1 : i64, epsilon = 0.5 : f32}
    : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  %8 = graph.constant dense<[[-1.1338934, -0.75592893, 0.37796447, 0.5669467], [-0.8164966, 1.6329932, -0.8164966, 0.4082483]]> : tensor<2x4xf32>
  check.expect_close %7, %8 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<2x4xf32>

  %9 = graph.constant dense<[[[1.0, 3.0, -3.0], [2.0, 3.0, 3.0]], [[-2.0, -3.0, 1.0], [-3.0, -3.0, -3.0]]]> : tensor<2x2x3xf32>
  %10 = graph.constant dense<[[-2.0, 3.0, 1.0], [1.0, 3.0, 0.0]]> : tensor<2x3xf32>
  %11 = graph.layer_norm %9, %10 {axis = 1 : i64, epsilon = 1.0 : f32}
    : (tensor<2x2x3xf32>, tensor<2x3xf32>) -> tensor<2x2x3xf32>
  %12 = graph.constant dense<[[[0.42320737, 1.9044331, -1.9044331], [0.21160369, 1.9044331, 0.0]], [[-0.18814418, -1.4110813, 1.7873696], [-0.47036043, -1.4110813, 0.0]]]> : tensor<2x2x3xf32>
  check.expect_close %11, %12 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<2x2x3xf32>
  return
}
