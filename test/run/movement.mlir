// RUN: tenon-run --interpret %s
// Constants, views and copies.

func.func @main() {
  %0 = graph.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %1 = graph.reshape %0
    : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %2 = graph.constant dense<[[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]> : tensor<3x2xf32>
  check.expect_eq %1, %2 : tensor<3x2xf32>

  %3 = graph.constant dense<[true, false, true, true]> : tensor<4xi1>
  %4 = graph.reshape %3
    : (tensor<4xi1>) -> tensor<2x2xi1>
  %5 = graph.constant dense<[[true, false], [true, true]]> : tensor<2x2xi1>
  check.expect_eq %4, %5 : tensor<2x2xi1>

  %6 = graph.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %7 = graph.broadcast %6
    : (tensor<2x1xf32>) -> tensor<2x3xf32>
  %8 = graph.constant dense<[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]> : tensor<2x3xf32>
  check.expect_eq %7, %8 : tensor<2x3xf32>

  %9 = graph.constant dense<[1, 2]> : tensor<2xi8>
  %10 = graph.broadcast %9
    : (tensor<2xi8>) -> tensor<2x2xi8>
  %11 = graph.constant dense<[[1, 2], [1, 2]]> : tensor<2x2xi8>
  check.expect_eq %10, %11 : tensor<2x2xi8>

  %12 = graph.constant dense<7> : tensor<i64>
  %13 = graph.broadcast %12
    : (tensor<i64>) -> tensor<2xi64>
  %14 = graph.constant dense<7> : tensor<2xi64>
  check.expect_eq %13, %14 : tensor<2xi64>

  %15 = graph.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %16 = graph.transpose %15 {permutation = array<i64: 1, 0>}
    : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %17 = graph.constant dense<[[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]> : tensor<3x2xf32>
  check.expect_eq %16, %17 : tensor<3x2xf32>

  %18 = graph.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi16>
  %19 = graph.transpose %18 {permutation = array<i64: 2, 0, 1>}
    : (tensor<2x3x4xi16>) -> tensor<4x2x3xi16>
  %20 = graph.constant dense<[[[0, 4, 8], [12, 16, 20]], [[1, 5, 9], [13, 17, 21]], [[2, 6, 10], [14, 18, 22]], [[3, 7, 11], [15, 19, 23]]]> : tensor<4x2x3xi16>
  check.expect_eq %19, %20 : tensor<4x2x3xi16>

  %21 = graph.constant dense<[[true, false]]> : tensor<1x2xi1>
  %22 = graph.transpose %21 {permutation = array<i64: 1, 0>}
    : (tensor<1x2xi1>) -> tensor<2x1xi1>
  %23 = graph.constant dense<[[true], [false]]> : tensor<2x1xi1>
  check.expect_eq %22, %23 : tensor<2x1xi1>

  // Slices forwards, backwards, empty.
  %24 = graph.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi16>
  %25 = graph.slice %24 {starts = array<i64: 1, 0, 1>, sizes = array<i64: 1, 2, 2>, steps = array<i64: 1, 1, 2>}
    : (tensor<2x3x4xi16>) -> tensor<1x2x2xi16>
  %26 = graph.constant dense<[[[13, 15], [17, 19]]]> : tensor<1x2x2xi16>
  check.expect_eq %25, %26 : tensor<1x2x2xi16>

  %27 = graph.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi16>
  %28 = graph.slice %27 {starts = array<i64: 0, 2, 3>, sizes = array<i64: 2, 3, 2>, steps = array<i64: 1, -1, -2>}
    : (tensor<2x3x4xi16>) -> tensor<2x3x2xi16>
  %29 = graph.constant dense<[[[11, 9], [7, 5], [3, 1]], [[23, 21], [19, 17], [15, 13]]]> : tensor<2x3x2xi16>
  check.expect_eq %28, %29 : tensor<2x3x2xi16>

  %30 = graph.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %31 = graph.slice %30 {starts = array<i64: 0, 3>, sizes = array<i64: 2, 0>, steps = array<i64: 1, 1>}
    : (tensor<2x3xf32>) -> tensor<2x0xf32>
  %32 = graph.constant dense<> : tensor<2x0xf32>
  check.expect_eq %31, %32 : tensor<2x0xf32>
  %33 = graph.constant dense<[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]> : tensor<2x3xf32>
  %34 = graph.constant dense<[[9.0], [8.0]]> : tensor<2x1xf32>
  %35 = graph.concat %33, %34 {axis = 1 : i64}
    : (tensor<2x3xf32>, tensor<2x1xf32>) -> tensor<2x4xf32>
  %36 = graph.constant dense<[[0.0, 1.0, 2.0, 9.0], [3.0, 4.0, 5.0, 8.0]]> : tensor<2x4xf32>
  check.expect_eq %35, %36 : tensor<2x4xf32>

  %37 = graph.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]]]> : tensor<2x3x4xi16>
  %38 = graph.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]]> : tensor<1x3x4xi16>
  %39 = graph.concat %37, %38 {axis = 0 : i64}
    : (tensor<2x3x4xi16>, tensor<1x3x4xi16>) -> tensor<3x3x4xi16>
  %40 = graph.constant dense<[[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]], [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]], [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]]> : tensor<3x3x4xi16>
  check.expect_eq %39, %40 : tensor<3x3x4xi16>

  %41 = graph.constant dense<[true]> : tensor<1xi1>
  %42 = graph.constant dense<[false, true]> : tensor<2xi1>
  %43 = graph.constant dense<[true]> : tensor<1xi1>
  %44 = graph.concat %41, %42, %43 {axis = 0 : i64}
    : (tensor<1xi1>, tensor<2xi1>, tensor<1xi1>) -> tensor<4xi1>
  %45 = graph.constant dense<[true, false, true, true]> : tensor<4xi1>
  check.expect_eq %44, %45 : tensor<4xi1>

  // start + step * index.
  %46 = graph.iota {axis = 0 : i64, start = 0.5 : f64, step = 1.5 : f64}
    : () -> tensor<2x2xf32>
  %47 = graph.constant dense<[[0.5, 0.5], [2.0, 2.0]]> : tensor<2x2xf32>
  check.expect_eq %46, %47 : tensor<2x2xf32>
  %48 = graph.iota {axis = 0 : i64, start = 5.0 : f64, step = -2.0 : f64}
    : () -> tensor<3xi64>
  %49 = graph.constant dense<[5, 3, 1]> : tensor<3xi64>
  check.expect_eq %48, %49 : tensor<3xi64>
  %50 = graph.iota {axis = 1 : i64, start = 0.0 : f64, step = 1.0 : f64}
    : () -> tensor<1x3xui8>
  %51 = graph.constant dense<[[0, 1, 2]]> : tensor<1x3xui8>
  check.expect_eq %50, %51 : tensor<1x3xui8>
  return
}
