// RUN: tenon-run --interpret %s
// Nearest elements in every coordinate and rounding mode.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = graph.resize %0 {scales = array<f32: 2.0, 3.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<2x2xf32>) -> tensor<4x6xf32>
  %2 = graph.constant dense<[[1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [1.0, 1.0, 1.0, 2.0, 2.0, 2.0], [3.0, 3.0, 3.0, 4.0, 4.0, 4.0], [3.0, 3.0, 3.0, 4.0, 4.0, 4.0]]> : tensor<4x6xf32>
  check.expect_eq %1, %2 : tensor<4x6xf32>

  %3 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %4 = graph.resize %3 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %5 = graph.constant dense<[[1.0, 1.0, 2.0, 4.0, 4.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %4, %5 : tensor<1x8xf32>

  %6 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %7 = graph.resize %6 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %8 = graph.constant dense<[[1.0, 1.0, 2.0, 4.0, 4.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %7, %8 : tensor<1x8xf32>

  %9 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %10 = graph.resize %9 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %11 = graph.constant dense<[[1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %10, %11 : tensor<1x8xf32>

  %12 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %13 = graph.resize %12 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %14 = graph.constant dense<[[1.0, 2.0, 4.0, 4.0, 8.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %13, %14 : tensor<1x8xf32>

  %15 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %16 = graph.resize %15 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %17 = graph.constant dense<[[1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %16, %17 : tensor<1x8xf32>

  %18 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %19 = graph.resize %18 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode round_prefer_ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %20 = graph.constant dense<[[1.0, 2.0, 2.0, 4.0, 8.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %19, %20 : tensor<1x8xf32>

  %21 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %22 = graph.resize %21 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %23 = graph.constant dense<[[1.0, 1.0, 2.0, 2.0, 4.0, 8.0, 8.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %22, %23 : tensor<1x8xf32>

  %24 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %25 = graph.resize %24 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %26 = graph.constant dense<[[1.0, 2.0, 4.0, 4.0, 8.0, 16.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %25, %26 : tensor<1x8xf32>

  %27 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %28 = graph.resize %27 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %29 = graph.constant dense<[[1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 8.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %28, %29 : tensor<1x8xf32>

  %30 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %31 = graph.resize %30 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode round_prefer_ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %32 = graph.constant dense<[[1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 8.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %31, %32 : tensor<1x8xf32>

  %33 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %34 = graph.resize %33 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %35 = graph.constant dense<[[1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %34, %35 : tensor<1x8xf32>

  %36 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %37 = graph.resize %36 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %38 = graph.constant dense<[[1.0, 2.0, 4.0, 4.0, 8.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %37, %38 : tensor<1x8xf32>

  %39 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %40 = graph.resize %39 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %41 = graph.constant dense<[[1.0, 1.0, 2.0, 4.0, 4.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %40, %41 : tensor<1x8xf32>

  %42 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %43 = graph.resize %42 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %44 = graph.constant dense<[[1.0, 1.0, 2.0, 4.0, 4.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %43, %44 : tensor<1x8xf32>

  %45 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %46 = graph.resize %45 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %47 = graph.constant dense<[[1.0, 1.0, 2.0, 2.0, 4.0, 4.0, 8.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %46, %47 : tensor<1x8xf32>

  %48 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %49 = graph.resize %48 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode ceil>}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %50 = graph.constant dense<[[1.0, 2.0, 4.0, 4.0, 8.0, 8.0, 16.0, 16.0]]> : tensor<1x8xf32>
  check.expect_eq %49, %50 : tensor<1x8xf32>

  %51 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %52 = graph.resize %51 {scales = array<f32: 1.0, 0.6000000238418579>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x3xf32>
  %53 = graph.constant dense<[[1.0, 4.0, 16.0]]> : tensor<1x3xf32>
  check.expect_eq %52, %53 : tensor<1x3xf32>

  %54 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %55 = graph.resize %54 {scales = array<f32: 2.0, 1.399999976158142>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<1x5xf32>) -> tensor<2x7xf32>
  %56 = graph.constant dense<[[1.0, 1.0, 2.0, 4.0, 4.0, 8.0, 16.0], [1.0, 1.0, 2.0, 4.0, 4.0, 8.0, 16.0]]> : tensor<2x7xf32>
  check.expect_eq %55, %56 : tensor<2x7xf32>

  %57 = graph.constant dense<[[0, 1, 2, 3, 4, 5]]> : tensor<1x6xui8>
  %58 = graph.resize %57 {scales = array<f32: 1.0, 0.5>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>}
    : (tensor<1x6xui8>) -> tensor<1x3xui8>
  %59 = graph.constant dense<[[0, 2, 4]]> : tensor<1x3xui8>
  check.expect_eq %58, %59 : tensor<1x3xui8>

  %60 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %61 = graph.resize %60 {scales = array<f32: 1.0, 0.5>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel_symmetric>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x2xf32>
  %62 = graph.constant dense<[[2.0, 8.0]]> : tensor<1x2xf32>
  check.expect_eq %61, %62 : tensor<1x2xf32>
  return
}
