// RUN: tenon-run --interpret %s
// RUN: tenon-opt %s --tenon-fold-constants | FileCheck %s
// In order; of equal elements the lower index comes first; NaN is the largest.

// CHECK-NOT: graph.top_k
func.func @main() {
  %x = graph.constant dense<[[3.0, 1.0, 3.0, -2.0], [0.0, 0x7FC00000, 7.0, -0.0]]> : tensor<2x4xf32>
  %v0, %i0 = graph.top_k %x {axis = 1 : i64, k = 3 : i64} : (tensor<2x4xf32>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
  %0 = graph.constant dense<[[3.0, 3.0, 1.0], [0x7FC00000, 7.0, 0.0]]> : tensor<2x3xf32>
  %1 = graph.constant dense<[[0, 2, 1], [1, 2, 0]]> : tensor<2x3xi64>
  check.expect_eq %v0, %0 : tensor<2x3xf32>
  check.expect_eq %i0, %1 : tensor<2x3xi64>

  %v1, %i1 = graph.top_k %x {axis = 1 : i64, k = 4 : i64, largest = false} : (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xi64>)
  %2 = graph.constant dense<[[3, 1, 0, 2], [0, 3, 2, 1]]> : tensor<2x4xi64>
  check.expect_eq %i1, %2 : tensor<2x4xi64>

  %v2, %i2 = graph.top_k %x {axis = 0 : i64, k = 1 : i64} : (tensor<2x4xf32>) -> (tensor<1x4xf32>, tensor<1x4xi64>)
  %3 = graph.constant dense<[[3.0, 0x7FC00000, 7.0, -0.0]]> : tensor<1x4xf32>
  %4 = graph.constant dense<[[0, 1, 1, 1]]> : tensor<1x4xi64>
  check.expect_eq %v2, %3 : tensor<1x4xf32>
  check.expect_eq %i2, %4 : tensor<1x4xi64>

  %u = graph.constant dense<[1, 18446744073709551615, 9223372036854775808]> : tensor<3xui64>
  %v3, %i3 = graph.top_k %u {axis = 0 : i64, k = 2 : i64} : (tensor<3xui64>) -> (tensor<2xui64>, tensor<2xi64>)
  %5 = graph.constant dense<[18446744073709551615, 9223372036854775808]> : tensor<2xui64>
  check.expect_eq %v3, %5 : tensor<2xui64>
  return
}
