// RUN: tenon-run --interpret %s
// Rows by index; negative indices count from the end.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %1 = graph.constant dense<[[0, 2], [-1, 1]]> : tensor<2x2xi64>
  %2 = graph.gather %0, %1 {axis = 0 : i64}
    : (tensor<3x2xf32>, tensor<2x2xi64>) -> tensor<2x2x2xf32>
  %3 = graph.constant dense<[[[1.0, 2.0], [5.0, 6.0]], [[5.0, 6.0], [3.0, 4.0]]]> : tensor<2x2x2xf32>
  check.expect_eq %2, %3 : tensor<2x2x2xf32>

  %4 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %5 = graph.constant dense<[1, 0, -2]> : tensor<3xi32>
  %6 = graph.gather %4, %5 {axis = 1 : i64}
    : (tensor<3x2xf32>, tensor<3xi32>) -> tensor<3x3xf32>
  %7 = graph.constant dense<[[2.0, 1.0, 1.0], [4.0, 3.0, 3.0], [6.0, 5.0, 5.0]]> : tensor<3x3xf32>
  check.expect_eq %6, %7 : tensor<3x3xf32>

  %8 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %9 = graph.constant dense<-3> : tensor<i64>
  %10 = graph.gather %8, %9 {axis = 0 : i64}
    : (tensor<3x2xf32>, tensor<i64>) -> tensor<2xf32>
  %11 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq %10, %11 : tensor<2xf32>

  %12 = graph.constant dense<[true, false]> : tensor<2xi1>
  %13 = graph.constant dense<[1, 1, 0]> : tensor<3xi64>
  %14 = graph.gather %12, %13 {axis = 0 : i64}
    : (tensor<2xi1>, tensor<3xi64>) -> tensor<3xi1>
  %15 = graph.constant dense<[false, false, true]> : tensor<3xi1>
  check.expect_eq %14, %15 : tensor<3xi1>

  %16 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %17 = graph.constant dense<[[0, 1], [-1, 0]]> : tensor<2x2xi64>
  %18 = graph.gather_elements %16, %17 {axis = 0 : i64}
    : (tensor<3x2xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  %19 = graph.constant dense<[[1.0, 4.0], [5.0, 2.0]]> : tensor<2x2xf32>
  check.expect_eq %18, %19 : tensor<2x2xf32>

  %20 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %21 = graph.constant dense<[[1, 0], [0, 0], [-1, -2]]> : tensor<3x2xi32>
  %22 = graph.gather_elements %20, %21 {axis = 1 : i64}
    : (tensor<3x2xf32>, tensor<3x2xi32>) -> tensor<3x2xf32>
  %23 = graph.constant dense<[[2.0, 1.0], [3.0, 3.0], [6.0, 5.0]]> : tensor<3x2xf32>
  check.expect_eq %22, %23 : tensor<3x2xf32>
  return
}
