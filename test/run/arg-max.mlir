// RUN: tenon-run --interpret %s
// The index of the largest and the smallest element.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 3.0, 3.0], [5.0, 0.0, -5.0]]> : tensor<2x3xf32>
  %1 = graph.arg_max %0 {axis = 1 : i64}
    : (tensor<2x3xf32>) -> tensor<2x1xi64>
  %2 = graph.constant dense<[[1], [0]]> : tensor<2x1xi64>
  check.expect_eq %1, %2 : tensor<2x1xi64>

  %3 = graph.constant dense<[[1.0, 3.0, 3.0], [5.0, 0.0, -5.0]]> : tensor<2x3xf32>
  %4 = graph.arg_max %3 {axis = 1 : i64, select_last_index = true}
    : (tensor<2x3xf32>) -> tensor<2x1xi64>
  %5 = graph.constant dense<[[2], [0]]> : tensor<2x1xi64>
  check.expect_eq %4, %5 : tensor<2x1xi64>

  %6 = graph.constant dense<[[1.0, 3.0, 3.0], [5.0, 0.0, -5.0]]> : tensor<2x3xf32>
  %7 = graph.arg_max %6 {axis = 0 : i64, keep_dims = false}
    : (tensor<2x3xf32>) -> tensor<3xi64>
  %8 = graph.constant dense<[1, 0, 0]> : tensor<3xi64>
  check.expect_eq %7, %8 : tensor<3xi64>

  %9 = graph.constant dense<[[1.0, 3.0, 3.0], [5.0, 0.0, -5.0]]> : tensor<2x3xf32>
  %10 = graph.arg_min %9 {axis = 1 : i64}
    : (tensor<2x3xf32>) -> tensor<2x1xi64>
  %11 = graph.constant dense<[[0], [2]]> : tensor<2x1xi64>
  check.expect_eq %10, %11 : tensor<2x1xi64>

  %12 = graph.constant dense<[[4, 4], [4, 9]]> : tensor<2x2xi32>
  %13 = graph.arg_min %12 {axis = 0 : i64, keep_dims = false, select_last_index = true}
    : (tensor<2x2xi32>) -> tensor<2xi64>
  %14 = graph.constant dense<[1, 0]> : tensor<2xi64>
  check.expect_eq %13, %14 : tensor<2xi64>

  // NaN counts as the extreme.
  %15 = graph.constant dense<[1.0, 0x7FC00000, 7.0]> : tensor<3xf32>
  %16 = graph.arg_max %15 {axis = 0 : i64}
    : (tensor<3xf32>) -> tensor<1xi64>
  %17 = graph.constant dense<[1]> : tensor<1xi64>
  check.expect_eq %16, %17 : tensor<1xi64>

  %18 = graph.constant dense<[1, 255, 7]> : tensor<3xui8>
  %19 = graph.arg_max %18 {axis = 0 : i64}
    : (tensor<3xui8>) -> tensor<1xi64>
  %20 = graph.constant dense<[1]> : tensor<1xi64>
  check.expect_eq %19, %20 : tensor<1xi64>
  return
}
