// RUN: tenon-run --interpret %s
// Linear interpolation.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0, 3.0], [5.0, 7.0, 11.0]]> : tensor<2x3xf32>
  %1 = graph.resize %0 {scales = array<f32: 2.0, 2.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<2x3xf32>) -> tensor<4x6xf32>
  %2 = graph.constant dense<[[1.0, 1.25, 1.75, 2.25, 2.75, 3.0], [2.0, 2.3125, 2.9375, 3.6875, 4.5625, 5.0], [4.0, 4.4375, 5.3125, 6.5625, 8.1875, 9.0], [5.0, 5.5, 6.5, 8.0, 10.0, 11.0]]> : tensor<4x6xf32>
  check.expect_close %1, %2 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<4x6xf32>

  %3 = graph.constant dense<[[1.0, 2.0, 3.0], [5.0, 7.0, 11.0]]> : tensor<2x3xf32>
  %4 = graph.resize %3 {scales = array<f32: 2.0, 1.5>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<2x3xf32>) -> tensor<4x4xf32>
  %5 = graph.constant dense<[[1.0, 1.6666667, 2.3333335, 3.0], [3.0, 4.0, 5.3333335, 7.0], [5.0, 6.3333335, 8.333334, 11.0], [5.0, 6.3333335, 8.333334, 11.0]]> : tensor<4x4xf32>
  check.expect_close %4, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<4x4xf32>

  %6 = graph.constant dense<[[1.0, 2.0, 3.0], [5.0, 7.0, 11.0]]> : tensor<2x3xf32>
  %7 = graph.resize %6 {scales = array<f32: 2.0, 2.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<2x3xf32>) -> tensor<4x6xf32>
  %8 = graph.constant dense<[[1.0, 1.4000001, 1.8, 2.2, 2.6, 3.0], [2.3333335, 2.8666668, 3.4, 4.0666666, 4.866667, 5.6666665], [3.6666667, 4.333334, 5.0, 5.9333334, 7.1333337, 8.333333], [5.0, 5.8, 6.6, 7.8, 9.4, 11.0]]> : tensor<4x6xf32>
  check.expect_close %7, %8 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<4x6xf32>

  %9 = graph.constant dense<[[1.0, 2.0, 3.0], [5.0, 7.0, 11.0]]> : tensor<2x3xf32>
  %10 = graph.resize %9 {scales = array<f32: 2.0, 2.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<2x3xf32>) -> tensor<4x6xf32>
  %11 = graph.constant dense<[[1.0, 1.25, 1.75, 2.25, 2.75, 3.0], [2.0, 2.3125, 2.9375, 3.6875, 4.5625, 5.0], [4.0, 4.4375, 5.3125, 6.5625, 8.1875, 9.0], [5.0, 5.5, 6.5, 8.0, 10.0, 11.0]]> : tensor<4x6xf32>
  check.expect_close %10, %11 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<4x6xf32>

  %12 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %13 = graph.resize %12 {scales = array<f32: 1.0, 0.4000000059604645>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x2xf32>
  %14 = graph.constant dense<[[1.75, 10.0]]> : tensor<1x2xf32>
  check.expect_close %13, %14 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2xf32>

  %15 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %16 = graph.resize %15 {scales = array<f32: 1.0, 0.20000000298023224>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x1xf32>
  %17 = graph.constant dense<[[1.0]]> : tensor<1x1xf32>
  check.expect_close %16, %17 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1xf32>

  %18 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %19 = graph.resize %18 {scales = array<f32: 1.0, 0.20000000298023224>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x1xf32>
  %20 = graph.constant dense<[[1.0]]> : tensor<1x1xf32>
  check.expect_close %19, %20 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1xf32>

  // The middle stays in the middle.
  %21 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %22 = graph.resize %21 {scales = array<f32: 1.0, 0.699999988079071>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel_symmetric>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x3xf32>
  %23 = graph.constant dense<[[1.5714285, 4.0, 11.428572]]> : tensor<1x3xf32>
  check.expect_close %22, %23 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x3xf32>

  // A crop, and what lies outside.
  %24 = graph.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xf32>
  %25 = graph.resize %24 {scales = array<f32: 0.75, 0.75>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode round_prefer_floor>, roi = array<f32: 0.4, 0.6, 0.6, 0.8>}
    : (tensor<4x4xf32>) -> tensor<3x3xf32>
  %26 = graph.constant dense<[[6.6000004, 6.9, 7.2000003], [7.8, 8.1, 8.400001], [9.0, 9.3, 9.6]]> : tensor<3x3xf32>
  check.expect_close %25, %26 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x3xf32>

  %27 = graph.constant dense<[[0.0, 1.0, 2.0, 3.0], [4.0, 5.0, 6.0, 7.0], [8.0, 9.0, 10.0, 11.0], [12.0, 13.0, 14.0, 15.0]]> : tensor<4x4xf32>
  %28 = graph.resize %27 {scales = array<f32: 0.75, 0.75>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode round_prefer_floor>, extrapolation_value = 10.0 : f32, roi = array<f32: 0.4, 0.6, 1.2, 1.7>}
    : (tensor<4x4xf32>) -> tensor<3x3xf32>
  %29 = graph.constant dense<[[6.6000004, 10.0, 10.0], [11.400001, 10.0, 10.0], [10.0, 10.0, 10.0]]> : tensor<3x3xf32>
  check.expect_close %28, %29 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x3xf32>

  // Antialiasing widens the window.
  %30 = graph.constant dense<[[0.0, 1.0, 4.0, 9.0], [16.0, 25.0, 36.0, 49.0], [64.0, 81.0, 100.0, 121.0], [144.0, 169.0, 196.0, 225.0]]> : tensor<4x4xf32>
  %31 = graph.resize %30 {scales = array<f32: 0.6000000238418579, 0.6000000238418579>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>, antialias = true}
    : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %32 = graph.constant dense<[[7.4999995, 16.444443], [77.48611, 107.55555]]> : tensor<2x2xf32>
  check.expect_close %31, %32 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2xf32>

  %33 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %34 = graph.resize %33 {scales = array<f32: 1.0, 2.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>, antialias = true}
    : (tensor<1x5xf32>) -> tensor<1x10xf32>
  %35 = graph.constant dense<[[1.0, 1.25, 1.75, 2.5, 3.5, 5.0, 7.0, 10.0, 14.0, 16.0]]> : tensor<1x10xf32>
  check.expect_close %34, %35 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x10xf32>

  // Integers round to nearest.
  %36 = graph.constant dense<[[0, 3, 9]]> : tensor<1x3xui8>
  %37 = graph.resize %36 {scales = array<f32: 1.0, 2.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x3xui8>) -> tensor<1x6xui8>
  %38 = graph.constant dense<[[0, 1, 2, 4, 8, 9]]> : tensor<1x6xui8>
  check.expect_close %37, %38 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x6xui8>
  // A region of which twice as many elements are wanted as it has: its ends are
  // the ends of the result.
  %80 = graph.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]> : tensor<8xf32>
  %81 = graph.resize %80 {scales = array<f32: 2.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode round_prefer_floor>, roi = array<f32: 0.25, 0.75>}
    : (tensor<8xf32>) -> tensor<8xf32>
  %82 = graph.constant dense<[1.75, 2.25, 2.75, 3.25, 3.75, 4.25, 4.75, 5.25]> : tensor<8xf32>
  check.expect_close %81, %82 {rtol = 1.0e-06, atol = 0.0} : tensor<8xf32>

  // One element is the first, also where the scale asks for more than one.
  %83 = graph.resize %80 {scales = array<f32: 0.2>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<8xf32>) -> tensor<1xf32>
  %84 = graph.constant dense<[0.0]> : tensor<1xf32>
  check.expect_eq %83, %84 : tensor<1xf32>
  return
}
