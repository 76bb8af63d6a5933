// RUN: tenon-run --interpret %s
// Matrix products: batches broadcast, operands transpose.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %1 = graph.constant dense<[[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]> : tensor<3x2xf32>
  %2 = graph.matmul %0, %1
    : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %3 = graph.constant dense<[[7.0, 8.0], [16.0, 17.0]]> : tensor<2x2xf32>
  check.expect_eq %2, %3 : tensor<2x2xf32>

  %4 = graph.constant dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
  %5 = graph.constant dense<[[1.0, 0.0], [0.0, 1.0], [2.0, 2.0]]> : tensor<3x2xf32>
  %6 = graph.matmul %4, %5 {transpose_lhs}
    : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<2x2xf32>
  %7 = graph.constant dense<[[7.0, 8.0], [16.0, 17.0]]> : tensor<2x2xf32>
  check.expect_eq %6, %7 : tensor<2x2xf32>

  %8 = graph.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %9 = graph.constant dense<[[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %10 = graph.matmul %8, %9 {transpose_rhs}
    : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %11 = graph.constant dense<[[7.0, 8.0], [16.0, 17.0]]> : tensor<2x2xf32>
  check.expect_eq %10, %11 : tensor<2x2xf32>

  %12 = graph.constant dense<[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]> : tensor<3x2xf32>
  %13 = graph.constant dense<[[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]]> : tensor<2x3xf32>
  %14 = graph.matmul %12, %13 {transpose_lhs, transpose_rhs}
    : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<2x2xf32>
  %15 = graph.constant dense<[[7.0, 8.0], [16.0, 17.0]]> : tensor<2x2xf32>
  check.expect_eq %14, %15 : tensor<2x2xf32>

  %16 = graph.constant dense<[[[[2.0, 1.0, 0.0], [-2.0, -1.0, -3.0]]], [[[-3.0, -3.0, -2.0], [2.0, 1.0, 3.0]]]]> : tensor<2x1x2x3xf32>
  %17 = graph.constant dense<[[[0.0, 1.0], [3.0, 2.0], [1.0, 0.0]], [[0.0, 3.0], [-2.0, 2.0], [1.0, -3.0]], [[-1.0, 3.0], [0.0, -3.0], [2.0, 2.0]]]> : tensor<3x3x2xf32>
  %18 = graph.matmul %16, %17
    : (tensor<2x1x2x3xf32>, tensor<3x3x2xf32>) -> tensor<2x3x2x2xf32>
  %19 = graph.constant dense<[[[[3.0, 4.0], [-6.0, -4.0]], [[-2.0, 8.0], [-1.0, 1.0]], [[-2.0, 3.0], [-4.0, -9.0]]], [[[-11.0, -9.0], [6.0, 4.0]], [[4.0, -9.0], [1.0, -1.0]], [[-1.0, -4.0], [4.0, 9.0]]]]> : tensor<2x3x2x2xf32>
  check.expect_eq %18, %19 : tensor<2x3x2x2xf32>

  %20 = graph.constant dense<[[[2.0, -2.0, -3.0], [3.0, -3.0, 0.0]], [[-3.0, -1.0, 0.0], [-1.0, -1.0, -3.0]]]> : tensor<2x2x3xf32>
  %21 = graph.constant dense<[[-3.0, -3.0], [-3.0, 1.0], [0.0, 1.0]]> : tensor<3x2xf32>
  %22 = graph.matmul %20, %21
    : (tensor<2x2x3xf32>, tensor<3x2xf32>) -> tensor<2x2x2xf32>
  %23 = graph.constant dense<[[[0.0, -11.0], [0.0, -12.0]], [[12.0, 8.0], [6.0, -1.0]]]> : tensor<2x2x2xf32>
  check.expect_eq %22, %23 : tensor<2x2x2xf32>

  // Integers wrap.
  %24 = graph.constant dense<100> : tensor<1x2xi8>
  %25 = graph.constant dense<[[2], [1]]> : tensor<2x1xi8>
  %26 = graph.matmul %24, %25
    : (tensor<1x2xi8>, tensor<2x1xi8>) -> tensor<1x1xi8>
  %27 = graph.constant dense<[[44]]> : tensor<1x1xi8>
  check.expect_eq %26, %27 : tensor<1x1xi8>

  %28 = graph.constant dense<[[200, 100]]> : tensor<1x2xui8>
  %29 = graph.constant dense<[[2], [1]]> : tensor<2x1xui8>
  %30 = graph.matmul %28, %29
    : (tensor<1x2xui8>, tensor<2x1xui8>) -> tensor<1x1xui8>
  %31 = graph.constant dense<[[244]]> : tensor<1x1xui8>
  check.expect_eq %30, %31 : tensor<1x1xui8>

  %32 = graph.constant dense<[[1099511627776, 1]]> : tensor<1x2xi64>
  %33 = graph.constant dense<[[3], [-1]]> : tensor<2x1xi64>
  %34 = graph.matmul %32, %33
    : (tensor<1x2xi64>, tensor<2x1xi64>) -> tensor<1x1xi64>
  %35 = graph.constant dense<[[3298534883327]]> : tensor<1x1xi64>
  check.expect_eq %34, %35 : tensor<1x1xi64>

  // f16 sums are rounded once at the end: 2048 + 1 + 1.
  %36 = graph.constant dense<[[2048.0, 1.0, 1.0]]> : tensor<1x3xf16>
  %37 = graph.constant dense<1.0> : tensor<3x1xf16>
  %38 = graph.matmul %36, %37
    : (tensor<1x3xf16>, tensor<3x1xf16>) -> tensor<1x1xf16>
  %39 = graph.constant dense<[[2050.0]]> : tensor<1x1xf16>
  check.expect_eq %38, %39 : tensor<1x1xf16>

  // An empty sum is 0.
  %l = graph.constant dense<> : tensor<2x0xf32>
  %r = graph.constant dense<> : tensor<0x2xf32>
  %40 = graph.matmul %l, %r
    : (tensor<2x0xf32>, tensor<0x2xf32>) -> tensor<2x2xf32>
  %41 = graph.constant dense<0.0> : tensor<2x2xf32>
  check.expect_eq %40, %41 : tensor<2x2xf32>
  return
}
