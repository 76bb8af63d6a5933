// RUN: tenon-run --interpret %s
// Reductions over any axes.

func.func @main() {
  %0 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 0>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %2 = graph.constant dense<[[[0.0, 0.0, 0.0], [4.5, 5.25, 14.0]]]> : tensor<1x2x3xf32>
  check.expect_eq %1, %2 : tensor<1x2x3xf32>

  %3 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %4 = graph.reduce_sum %3 {axes = array<i64: 1>}
    : (tensor<2x2x3xf32>) -> tensor<2x1x3xf32>
  %5 = graph.constant dense<[[[5.0, 7.0, 9.0]], [[-0.5, -1.75, 5.0]]]> : tensor<2x1x3xf32>
  check.expect_eq %4, %5 : tensor<2x1x3xf32>

  %6 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %7 = graph.reduce_sum %6 {axes = array<i64: 2>}
    : (tensor<2x2x3xf32>) -> tensor<2x2x1xf32>
  %8 = graph.constant dense<[[[6.0], [15.0]], [[-6.0], [8.75]]]> : tensor<2x2x1xf32>
  check.expect_eq %7, %8 : tensor<2x2x1xf32>

  %9 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %10 = graph.reduce_sum %9 {axes = array<i64: 0, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x1xf32>
  %11 = graph.constant dense<[[[0.0], [23.75]]]> : tensor<1x2x1xf32>
  check.expect_eq %10, %11 : tensor<1x2x1xf32>

  %12 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %13 = graph.reduce_sum %12 {axes = array<i64: 0, 1, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x1x1xf32>
  %14 = graph.constant dense<[[[23.75]]]> : tensor<1x1x1xf32>
  check.expect_eq %13, %14 : tensor<1x1x1xf32>

  %15 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %16 = graph.reduce_sum %15 {axes = array<i64: 1>, keep_dims = false}
    : (tensor<2x2x3xf32>) -> tensor<2x3xf32>
  %17 = graph.constant dense<[[5.0, 7.0, 9.0], [-0.5, -1.75, 5.0]]> : tensor<2x3xf32>
  check.expect_eq %16, %17 : tensor<2x3xf32>

  %18 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %19 = graph.reduce_mean %18 {axes = array<i64: 0>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %20 = graph.constant dense<[[[0.0, 0.0, 0.0], [2.25, 2.625, 7.0]]]> : tensor<1x2x3xf32>
  check.expect_close %19, %20 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x3xf32>

  %21 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %22 = graph.reduce_mean %21 {axes = array<i64: 0, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x1xf32>
  %23 = graph.constant dense<[[[0.0], [3.9583333]]]> : tensor<1x2x1xf32>
  check.expect_close %22, %23 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x2x1xf32>

  %24 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %25 = graph.reduce_mean %24 {axes = array<i64: 0, 1, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x1x1xf32>
  %26 = graph.constant dense<[[[1.9791666]]]> : tensor<1x1x1xf32>
  check.expect_close %25, %26 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x1xf32>

  %27 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %28 = graph.reduce_mean %27 {axes = array<i64: 1>, keep_dims = false}
    : (tensor<2x2x3xf32>) -> tensor<2x3xf32>
  %29 = graph.constant dense<[[2.5, 3.5, 4.5], [-0.25, -0.875, 2.5]]> : tensor<2x3xf32>
  check.expect_close %28, %29 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<2x3xf32>

  %30 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %31 = graph.reduce_max %30 {axes = array<i64: 0>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %32 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 8.0]]]> : tensor<1x2x3xf32>
  check.expect_eq %31, %32 : tensor<1x2x3xf32>

  %33 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %34 = graph.reduce_max %33 {axes = array<i64: 0, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x1xf32>
  %35 = graph.constant dense<[[[3.0], [8.0]]]> : tensor<1x2x1xf32>
  check.expect_eq %34, %35 : tensor<1x2x1xf32>

  %36 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %37 = graph.reduce_max %36 {axes = array<i64: 0, 1, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x1x1xf32>
  %38 = graph.constant dense<[[[8.0]]]> : tensor<1x1x1xf32>
  check.expect_eq %37, %38 : tensor<1x1x1xf32>

  %39 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %40 = graph.reduce_max %39 {axes = array<i64: 1>, keep_dims = false}
    : (tensor<2x2x3xf32>) -> tensor<2x3xf32>
  %41 = graph.constant dense<[[4.0, 5.0, 6.0], [0.5, 0.25, 8.0]]> : tensor<2x3xf32>
  check.expect_eq %40, %41 : tensor<2x3xf32>

  %42 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %43 = graph.reduce_min %42 {axes = array<i64: 0>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %44 = graph.constant dense<[[[-1.0, -2.0, -3.0], [0.5, 0.25, 6.0]]]> : tensor<1x2x3xf32>
  check.expect_eq %43, %44 : tensor<1x2x3xf32>

  %45 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %46 = graph.reduce_min %45 {axes = array<i64: 0, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x1xf32>
  %47 = graph.constant dense<[[[-3.0], [0.25]]]> : tensor<1x2x1xf32>
  check.expect_eq %46, %47 : tensor<1x2x1xf32>

  %48 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %49 = graph.reduce_min %48 {axes = array<i64: 0, 1, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x1x1xf32>
  %50 = graph.constant dense<[[[-3.0]]]> : tensor<1x1x1xf32>
  check.expect_eq %49, %50 : tensor<1x1x1xf32>

  %51 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %52 = graph.reduce_min %51 {axes = array<i64: 1>, keep_dims = false}
    : (tensor<2x2x3xf32>) -> tensor<2x3xf32>
  %53 = graph.constant dense<[[1.0, 2.0, 3.0], [-1.0, -2.0, -3.0]]> : tensor<2x3xf32>
  check.expect_eq %52, %53 : tensor<2x3xf32>

  %54 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %55 = graph.reduce_prod %54 {axes = array<i64: 0>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x3xf32>
  %56 = graph.constant dense<[[[-1.0, -4.0, -9.0], [2.0, 1.25, 48.0]]]> : tensor<1x2x3xf32>
  check.expect_eq %55, %56 : tensor<1x2x3xf32>

  %57 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %58 = graph.reduce_prod %57 {axes = array<i64: 0, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x2x1xf32>
  %59 = graph.constant dense<[[[-36.0], [120.0]]]> : tensor<1x2x1xf32>
  check.expect_eq %58, %59 : tensor<1x2x1xf32>

  %60 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %61 = graph.reduce_prod %60 {axes = array<i64: 0, 1, 2>}
    : (tensor<2x2x3xf32>) -> tensor<1x1x1xf32>
  %62 = graph.constant dense<[[[-4320.0]]]> : tensor<1x1x1xf32>
  check.expect_eq %61, %62 : tensor<1x1x1xf32>

  %63 = graph.constant dense<[[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], [[-1.0, -2.0, -3.0], [0.5, 0.25, 8.0]]]> : tensor<2x2x3xf32>
  %64 = graph.reduce_prod %63 {axes = array<i64: 1>, keep_dims = false}
    : (tensor<2x2x3xf32>) -> tensor<2x3xf32>
  %65 = graph.constant dense<[[4.0, 10.0, 18.0], [-0.5, -0.5, -24.0]]> : tensor<2x3xf32>
  check.expect_eq %64, %65 : tensor<2x3xf32>

  // No axes: unchanged.
  %66 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %67 = graph.reduce_sum %66 {axes = array<i64>}
    : (tensor<2xf32>) -> tensor<2xf32>
  %68 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq %67, %68 : tensor<2xf32>

  // NaN wins.
  %69 = graph.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %70 = graph.reduce_max %69 {axes = array<i64: 0>}
    : (tensor<3xf32>) -> tensor<1xf32>
  %71 = graph.constant dense<[0x7FC00000]> : tensor<1xf32>
  check.expect_eq %70, %71 : tensor<1xf32>

  %72 = graph.constant dense<[1.0, 0x7FC00000, 3.0]> : tensor<3xf32>
  %73 = graph.reduce_min %72 {axes = array<i64: 0>}
    : (tensor<3xf32>) -> tensor<1xf32>
  %74 = graph.constant dense<[0x7FC00000]> : tensor<1xf32>
  check.expect_eq %73, %74 : tensor<1xf32>

  // Integers: sums wrap, means truncate.
  %75 = graph.constant dense<100> : tensor<2xi8>
  %76 = graph.reduce_sum %75 {axes = array<i64: 0>}
    : (tensor<2xi8>) -> tensor<1xi8>
  %77 = graph.constant dense<[-56]> : tensor<1xi8>
  check.expect_eq %76, %77 : tensor<1xi8>

  %78 = graph.constant dense<[-3, -4]> : tensor<2xi32>
  %79 = graph.reduce_mean %78 {axes = array<i64: 0>}
    : (tensor<2xi32>) -> tensor<1xi32>
  %80 = graph.constant dense<[-3]> : tensor<1xi32>
  check.expect_eq %79, %80 : tensor<1xi32>

  %81 = graph.constant dense<[1, 200]> : tensor<2xui8>
  %82 = graph.reduce_max %81 {axes = array<i64: 0>}
    : (tensor<2xui8>) -> tensor<1xui8>
  %83 = graph.constant dense<[200]> : tensor<1xui8>
  check.expect_eq %82, %83 : tensor<1xui8>

  %84 = graph.constant dense<[-5, 7]> : tensor<2xi64>
  %85 = graph.reduce_min %84 {axes = array<i64: 0>}
    : (tensor<2xi64>) -> tensor<1xi64>
  %86 = graph.constant dense<[-5]> : tensor<1xi64>
  check.expect_eq %85, %86 : tensor<1xi64>

  %87 = graph.constant dense<[3, -5]> : tensor<2xi64>
  %88 = graph.reduce_prod %87 {axes = array<i64: 0>}
    : (tensor<2xi64>) -> tensor<1xi64>
  %89 = graph.constant dense<[-15]> : tensor<1xi64>
  check.expect_eq %88, %89 : tensor<1xi64>

  // f16 is rounded once.
  %90 = graph.constant dense<[2048.0, 1.0, 1.0]> : tensor<3xf16>
  %91 = graph.reduce_sum %90 {axes = array<i64: 0>}
    : (tensor<3xf16>) -> tensor<1xf16>
  %92 = graph.constant dense<[2050.0]> : tensor<1xf16>
  check.expect_eq %91, %92 : tensor<1xf16>

  // Nothing to reduce.
  %e = graph.constant dense<> : tensor<2x0xf32>
  %93 = graph.reduce_sum %e {axes = array<i64: 1>}
    : (tensor<2x0xf32>) -> tensor<2x1xf32>
  %94 = graph.constant dense<0.0> : tensor<2x1xf32>
  check.expect_eq %93, %94 : tensor<2x1xf32>
  %95 = graph.reduce_prod %e {axes = array<i64: 1>}
    : (tensor<2x0xf32>) -> tensor<2x1xf32>
  %96 = graph.constant dense<1.0> : tensor<2x1xf32>
  check.expect_eq %95, %96 : tensor<2x1xf32>
  %97 = graph.reduce_max %e {axes = array<i64: 1>}
    : (tensor<2x0xf32>) -> tensor<2x1xf32>
  %98 = graph.constant dense<0xFF800000> : tensor<2x1xf32>
  check.expect_eq %97, %98 : tensor<2x1xf32>
  %99 = graph.reduce_min %e {axes = array<i64: 1>}
    : (tensor<2x0xf32>) -> tensor<2x1xf32>
  %100 = graph.constant dense<0x7F800000> : tensor<2x1xf32>
  check.expect_eq %99, %100 : tensor<2x1xf32>
  return
}
