// RUN: tenon-run --interpret %s
// Running sums and products: from both ends, without the element itself, of
// integers that wrap, and of nothing.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]> : tensor<2x3xf32>
  %1 = graph.prefix %0 {axis = 1 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = graph.constant dense<[[1.0, 3.0, 7.0], [8.0, 24.0, 56.0]]> : tensor<2x3xf32>
  check.expect_eq %1, %2 : tensor<2x3xf32>
  %3 = graph.prefix %0 {axis = 1 : i64, reverse = true, exclusive = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = graph.constant dense<[[6.0, 4.0, 0.0], [48.0, 32.0, 0.0]]> : tensor<2x3xf32>
  check.expect_eq %3, %4 : tensor<2x3xf32>
  %5 = graph.prefix %0 {axis = 0 : i64, product = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %6 = graph.constant dense<[[1.0, 2.0, 4.0], [8.0, 32.0, 128.0]]> : tensor<2x3xf32>
  check.expect_eq %5, %6 : tensor<2x3xf32>

  %7 = graph.constant dense<[9223372036854775807, 1, 1]> : tensor<3xi64>
  %8 = graph.prefix %7 {axis = 0 : i64} : (tensor<3xi64>) -> tensor<3xi64>
  %9 = graph.constant dense<[9223372036854775807, -9223372036854775808, -9223372036854775807]> : tensor<3xi64>
  check.expect_eq %8, %9 : tensor<3xi64>

  %10 = graph.constant dense<1.0> : tensor<2x0xf16>
  %11 = graph.prefix %10 {axis = 1 : i64} : (tensor<2x0xf16>) -> tensor<2x0xf16>
  check.expect_eq %11, %10 : tensor<2x0xf16>
  return
}
