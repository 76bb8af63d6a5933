// RUN: tenon-run --interpret %s
// RUN: tenon-opt %s --tenon-fold-constants | FileCheck %s
// Updates of rows, one after the other; negative indices count from the end.

// CHECK-NOT: graph.scatter
func.func @main() {
  %data = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %rows = graph.constant dense<[2, 0, -1, 0]> : tensor<4xi64>
  %updates = graph.constant dense<[[10.0, 20.0], [7.0, -8.0], [0.5, 0.25], [2.0, 3.0]]> : tensor<4x2xf32>

  %0 = graph.scatter %data, %rows, %updates : (tensor<3x2xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %1 = graph.constant dense<[[2.0, 3.0], [3.0, 4.0], [0.5, 0.25]]> : tensor<3x2xf32>
  check.expect_eq %0, %1 : tensor<3x2xf32>

  %2 = graph.scatter %data, %rows, %updates {kind = #graph<scatter_kind add>} : (tensor<3x2xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %3 = graph.constant dense<[[10.0, -3.0], [3.0, 4.0], [15.5, 26.25]]> : tensor<3x2xf32>
  check.expect_eq %2, %3 : tensor<3x2xf32>

  %4 = graph.scatter %data, %rows, %updates {kind = #graph<scatter_kind mul>} : (tensor<3x2xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %5 = graph.constant dense<[[14.0, -48.0], [3.0, 4.0], [25.0, 30.0]]> : tensor<3x2xf32>
  check.expect_eq %4, %5 : tensor<3x2xf32>

  %6 = graph.scatter %data, %rows, %updates {kind = #graph<scatter_kind max>} : (tensor<3x2xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %7 = graph.constant dense<[[7.0, 3.0], [3.0, 4.0], [10.0, 20.0]]> : tensor<3x2xf32>
  check.expect_eq %6, %7 : tensor<3x2xf32>

  %8 = graph.scatter %data, %rows, %updates {kind = #graph<scatter_kind min>} : (tensor<3x2xf32>, tensor<4xi64>, tensor<4x2xf32>) -> tensor<3x2xf32>
  %9 = graph.constant dense<[[1.0, -8.0], [3.0, 4.0], [0.5, 0.25]]> : tensor<3x2xf32>
  check.expect_eq %8, %9 : tensor<3x2xf32>

  // Integers wrap, and are compared with their sign.
  %bytes = graph.constant dense<[100, -100]> : tensor<2xi8>
  %both = graph.constant dense<[0, 1]> : tensor<2xi32>
  %more = graph.constant dense<[100, -100]> : tensor<2xi8>
  %10 = graph.scatter %bytes, %both, %more {kind = #graph<scatter_kind add>} : (tensor<2xi8>, tensor<2xi32>, tensor<2xi8>) -> tensor<2xi8>
  %11 = graph.constant dense<[-56, 56]> : tensor<2xi8>
  check.expect_eq %10, %11 : tensor<2xi8>
  %high = graph.constant dense<[18446744073709551615, 1]> : tensor<2xui64>
  %low = graph.constant dense<[2, 2]> : tensor<2xui64>
  %12 = graph.scatter %high, %both, %low {kind = #graph<scatter_kind max>} : (tensor<2xui64>, tensor<2xi32>, tensor<2xui64>) -> tensor<2xui64>
  %13 = graph.constant dense<[18446744073709551615, 2]> : tensor<2xui64>
  check.expect_eq %12, %13 : tensor<2xui64>

  // NaN wins.
  %nan = graph.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %numbers = graph.constant dense<[1.0, 0x7FC00000]> : tensor<2xf32>
  %14 = graph.scatter %nan, %both, %numbers {kind = #graph<scatter_kind min>} : (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>) -> tensor<2xf32>
  %15 = graph.constant dense<0x7FC00000> : tensor<2xf32>
  check.expect_eq %14, %15 : tensor<2xf32>

  %flags = graph.constant dense<[true, false, true]> : tensor<3xi1>
  %off = graph.constant dense<[false, true]> : tensor<2xi1>
  %16 = graph.scatter %flags, %both, %off : (tensor<3xi1>, tensor<2xi32>, tensor<2xi1>) -> tensor<3xi1>
  %17 = graph.constant dense<[false, true, true]> : tensor<3xi1>
  check.expect_eq %16, %17 : tensor<3xi1>
  return
}
