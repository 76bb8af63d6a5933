// RUN: tenon-run --interpret %s
// Determinants: of permutations exactly, of a matrix whose first pivot is zero,
// of singular and of empty ones.

func.func @main() {
  %0 = graph.constant dense<[[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]> : tensor<3x3xf32>
  %1 = graph.det %0 : (tensor<3x3xf32>) -> tensor<f32>
  %2 = graph.constant dense<1.0> : tensor<f32>
  check.expect_eq %1, %2 : tensor<f32>

  %3 = graph.constant dense<[[[0.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]]> : tensor<3x2x2xf64>
  %4 = graph.det %3 : (tensor<3x2x2xf64>) -> tensor<3xf64>
  %5 = graph.constant dense<[-6.0, 0.0, -2.0]> : tensor<3xf64>
  check.expect_close %4, %5 {rtol = 1.0e-15, atol = 1.0e-15} : tensor<3xf64>

  %6 = graph.constant dense<1.0> : tensor<2x0x0xf32>
  %7 = graph.det %6 : (tensor<2x0x0xf32>) -> tensor<2xf32>
  %8 = graph.constant dense<1.0> : tensor<2xf32>
  check.expect_eq %7, %8 : tensor<2xf32>

  %9 = graph.constant dense<[[0.0, -0.5], [2.0, 1.0]]> : tensor<2x2xf16>
  %10 = graph.det %9 : (tensor<2x2xf16>) -> tensor<f16>
  %11 = graph.constant dense<1.0> : tensor<f16>
  check.expect_eq %10, %11 : tensor<f16>
  return
}
