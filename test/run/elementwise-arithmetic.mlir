// RUN: tenon-run --interpret %s
// Sums, products and quotients of numbers, with broadcasting.

func.func @main() {
  // Equal shapes, a row, a column, a scalar.
  %0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %2 = graph.add %0, %1
    : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = graph.constant dense<[[2.0, 4.0, 6.0], [8.0, 10.0, 12.0]]> : tensor<2x3xf32>
  check.expect_eq %2, %3 : tensor<2x3xf32>

  %4 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %5 = graph.constant dense<[1.0, 0.5, -1.0]> : tensor<3xf32>
  %6 = graph.sub %4, %5
    : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %7 = graph.constant dense<[[0.0, 1.5, 4.0], [3.0, 4.5, 7.0]]> : tensor<2x3xf32>
  check.expect_eq %6, %7 : tensor<2x3xf32>

  %8 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %9 = graph.constant dense<[[2.0], [-3.0]]> : tensor<2x1xf32>
  %10 = graph.mul %8, %9
    : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %11 = graph.constant dense<[[2.0, 4.0, 6.0], [-12.0, -15.0, -18.0]]> : tensor<2x3xf32>
  check.expect_eq %10, %11 : tensor<2x3xf32>

  %12 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %13 = graph.constant dense<4.0> : tensor<f32>
  %14 = graph.div %12, %13
    : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %15 = graph.constant dense<[[0.25, 0.5, 0.75], [1.0, 1.25, 1.5]]> : tensor<2x3xf32>
  check.expect_eq %14, %15 : tensor<2x3xf32>

  %16 = graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %17 = graph.constant dense<[[10.0, 20.0]]> : tensor<1x2xf32>
  %18 = graph.add %16, %17
    : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %19 = graph.constant dense<[[11.0, 21.0], [12.0, 22.0]]> : tensor<2x2xf32>
  check.expect_eq %18, %19 : tensor<2x2xf32>

  // Rounded once: 0.1 + 0.2 in each format.
  %20 = graph.constant dense<[0.1]> : tensor<1xf32>
  %21 = graph.constant dense<[0.2]> : tensor<1xf32>
  %22 = graph.add %20, %21
    : (tensor<1xf32>, tensor<1xf32>) -> tensor<1xf32>
  %23 = graph.constant dense<[0.3]> : tensor<1xf32>
  check.expect_eq %22, %23 : tensor<1xf32>

  %24 = graph.constant dense<[0.1]> : tensor<1xf64>
  %25 = graph.constant dense<[0.2]> : tensor<1xf64>
  %26 = graph.add %24, %25
    : (tensor<1xf64>, tensor<1xf64>) -> tensor<1xf64>
  %27 = graph.constant dense<[3.0000000000000004e-01]> : tensor<1xf64>
  check.expect_eq %26, %27 : tensor<1xf64>

  %28 = graph.constant dense<[0.1]> : tensor<1xf16>
  %29 = graph.constant dense<[0.2]> : tensor<1xf16>
  %30 = graph.add %28, %29
    : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
  %31 = graph.constant dense<[0.2998]> : tensor<1xf16>
  check.expect_eq %30, %31 : tensor<1xf16>

  // bf16 keeps eight digits: 256 + 1 ties to even, 256 + 3 rounds up.
  %32 = graph.constant dense<256.0> : tensor<2xbf16>
  %33 = graph.constant dense<[1.0, 3.0]> : tensor<2xbf16>
  %34 = graph.add %32, %33
    : (tensor<2xbf16>, tensor<2xbf16>) -> tensor<2xbf16>
  %35 = graph.constant dense<[256.0, 260.0]> : tensor<2xbf16>
  check.expect_eq %34, %35 : tensor<2xbf16>

  // Division by zero, overflow.
  %36 = graph.constant dense<[1.0, -1.0, 0.0]> : tensor<3xf32>
  %37 = graph.constant dense<0.0> : tensor<3xf32>
  %38 = graph.div %36, %37
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %39 = graph.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  check.expect_eq %38, %39 : tensor<3xf32>

  %40 = graph.constant dense<[60000.0]> : tensor<1xf16>
  %41 = graph.constant dense<[2.0]> : tensor<1xf16>
  %42 = graph.mul %40, %41
    : (tensor<1xf16>, tensor<1xf16>) -> tensor<1xf16>
  %43 = graph.constant dense<[0x7C00]> : tensor<1xf16>
  check.expect_eq %42, %43 : tensor<1xf16>

  // The larger and the smaller; NaN wins.
  %44 = graph.constant dense<[1.0, 0x7FC00000, 2.0, 0xFF800000]> : tensor<4xf32>
  %45 = graph.constant dense<[3.0, 1.0, 0x7FC00000, 0.0]> : tensor<4xf32>
  %46 = graph.max %44, %45
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %47 = graph.constant dense<[3.0, 0x7FC00000, 0x7FC00000, 0.0]> : tensor<4xf32>
  check.expect_eq %46, %47 : tensor<4xf32>

  %48 = graph.constant dense<[1.0, 0x7FC00000, 2.0, 0xFF800000]> : tensor<4xf32>
  %49 = graph.constant dense<[3.0, 1.0, 0x7FC00000, 0.0]> : tensor<4xf32>
  %50 = graph.min %48, %49
    : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %51 = graph.constant dense<[1.0, 0x7FC00000, 0x7FC00000, 0xFF800000]> : tensor<4xf32>
  check.expect_eq %50, %51 : tensor<4xf32>

  // Empty tensors.
  %e = graph.constant dense<> : tensor<0x3xf32>
  %52 = graph.add %e, %e
    : (tensor<0x3xf32>, tensor<0x3xf32>) -> tensor<0x3xf32>
  check.expect_eq %52, %e : tensor<0x3xf32>
  return
}
