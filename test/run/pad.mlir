// RUN: tenon-run --interpret %s
// Borders: constants, mirrors, edges, wraps; negative widths crop.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = graph.pad %0 {low = array<i64: 1, 0>, high = array<i64: 0, 2>}
    : (tensor<2x3xf32>) -> tensor<3x5xf32>
  %2 = graph.constant dense<[[0.0, 0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0, 0.0, 0.0], [4.0, 5.0, 6.0, 0.0, 0.0]]> : tensor<3x5xf32>
  check.expect_eq %1, %2 : tensor<3x5xf32>

  %3 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %4 = graph.constant dense<9.0> : tensor<f32>
  %5 = graph.pad %3, %4 {low = array<i64: 0, 1>, high = array<i64: 1, 0>}
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<3x4xf32>
  %6 = graph.constant dense<[[9.0, 1.0, 2.0, 3.0], [9.0, 4.0, 5.0, 6.0], [9.0, 9.0, 9.0, 9.0]]> : tensor<3x4xf32>
  check.expect_eq %5, %6 : tensor<3x4xf32>

  %7 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %8 = graph.pad %7 {low = array<i64: 1, 2>, high = array<i64: 1, 1>, mode = #graph<pad_mode reflect>}
    : (tensor<2x3xf32>) -> tensor<4x6xf32>
  %9 = graph.constant dense<[[6.0, 5.0, 4.0, 5.0, 6.0, 5.0], [3.0, 2.0, 1.0, 2.0, 3.0, 2.0], [6.0, 5.0, 4.0, 5.0, 6.0, 5.0], [3.0, 2.0, 1.0, 2.0, 3.0, 2.0]]> : tensor<4x6xf32>
  check.expect_eq %8, %9 : tensor<4x6xf32>

  %10 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %11 = graph.pad %10 {low = array<i64: 1, 2>, high = array<i64: 1, 1>, mode = #graph<pad_mode edge>}
    : (tensor<2x3xf32>) -> tensor<4x6xf32>
  %12 = graph.constant dense<[[1.0, 1.0, 1.0, 2.0, 3.0, 3.0], [1.0, 1.0, 1.0, 2.0, 3.0, 3.0], [4.0, 4.0, 4.0, 5.0, 6.0, 6.0], [4.0, 4.0, 4.0, 5.0, 6.0, 6.0]]> : tensor<4x6xf32>
  check.expect_eq %11, %12 : tensor<4x6xf32>

  %13 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %14 = graph.pad %13 {low = array<i64: 1, 2>, high = array<i64: 0, 4>, mode = #graph<pad_mode wrap>}
    : (tensor<2x3xf32>) -> tensor<3x9xf32>
  %15 = graph.constant dense<[[5.0, 6.0, 4.0, 5.0, 6.0, 4.0, 5.0, 6.0, 4.0], [2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0, 1.0], [5.0, 6.0, 4.0, 5.0, 6.0, 4.0, 5.0, 6.0, 4.0]]> : tensor<3x9xf32>
  check.expect_eq %14, %15 : tensor<3x9xf32>

  // Wider than the operand.
  %16 = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %17 = graph.pad %16 {low = array<i64: 5>, high = array<i64: 6>, mode = #graph<pad_mode reflect>}
    : (tensor<3xf32>) -> tensor<14xf32>
  %18 = graph.constant dense<[2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0, 2.0, 3.0, 2.0, 1.0]> : tensor<14xf32>
  check.expect_eq %17, %18 : tensor<14xf32>

  %19 = graph.constant dense<[7.0]> : tensor<1xf32>
  %20 = graph.pad %19 {low = array<i64: 1>, high = array<i64: 1>, mode = #graph<pad_mode reflect>}
    : (tensor<1xf32>) -> tensor<3xf32>
  %21 = graph.constant dense<7.0> : tensor<3xf32>
  check.expect_eq %20, %21 : tensor<3xf32>

  // Cropping.
  %22 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %23 = graph.pad %22 {low = array<i64: -1, 0>, high = array<i64: 0, -1>}
    : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %24 = graph.constant dense<[[4.0, 5.0]]> : tensor<1x2xf32>
  check.expect_eq %23, %24 : tensor<1x2xf32>

  %25 = graph.constant dense<[1, 2, 3]> : tensor<3xi64>
  %26 = graph.constant dense<-1> : tensor<i64>
  %27 = graph.pad %25, %26 {low = array<i64: -1>, high = array<i64: 1>}
    : (tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  %28 = graph.constant dense<[2, 3, -1]> : tensor<3xi64>
  check.expect_eq %27, %28 : tensor<3xi64>

  %29 = graph.constant dense<[true]> : tensor<1xi1>
  %30 = graph.pad %29 {low = array<i64: 1>, high = array<i64: 0>}
    : (tensor<1xi1>) -> tensor<2xi1>
  %31 = graph.constant dense<[false, true]> : tensor<2xi1>
  check.expect_eq %30, %31 : tensor<2xi1>
  return
}
