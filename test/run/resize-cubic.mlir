// RUN: tenon-run --interpret %s
// Cubic interpolation.

func.func @main() {
  %0 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %1 = graph.resize %0 {scales = array<f32: 1.5, 2.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<4x4xf32>) -> tensor<6x8xf32>
  %2 = graph.constant dense<[[-0.35527897, -0.35017914, -0.3489313, -0.17003039, 0.064127706, 0.61021626, 1.1583394, 1.4954705], [0.76293945, 1.060791, 1.5319824, 2.3310547, 2.9658203, 4.13208, 5.1501465, 5.7800293], [5.440011, 6.2168493, 7.4569407, 9.270708, 10.560929, 12.741884, 14.528851, 15.63772], [12.207789, 13.325483, 15.112738, 17.64858, 19.405235, 22.308268, 24.642397, 26.092121], [26.551514, 28.148193, 30.704346, 34.254883, 36.666992, 40.584717, 43.687744, 45.616455], [37.058636, 38.948067, 41.974167, 46.144875, 48.957596, 53.49549, 57.068466, 59.28993]]> : tensor<6x8xf32>
  check.expect_close %1, %2 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<6x8xf32>

  %3 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %4 = graph.resize %3 {scales = array<f32: 1.5, 2.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<4x4xf32>) -> tensor<6x8xf32>
  %5 = graph.constant dense<[[0.0, 0.0546875, 0.25, 0.53125, 1.0, 1.6953125, 2.25, 2.3671875], [1.4074066, 1.9285291, 2.8055544, 3.6608784, 4.703702, 6.080727, 7.1018496, 7.326676], [7.111102, 8.279215, 10.101841, 11.753461, 13.59258, 15.915206, 17.583319, 17.95745], [16.0, 17.679688, 20.25, 22.53125, 25.0, 28.070312, 30.25, 30.742188], [30.370367, 32.651905, 36.10185, 39.12384, 42.33333, 46.28327, 49.064808, 49.695885], [38.222214, 40.804676, 44.69443, 48.086792, 51.666653, 56.056408, 59.138874, 59.839394]]> : tensor<6x8xf32>
  check.expect_close %4, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<6x8xf32>

  %6 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %7 = graph.resize %6 {scales = array<f32: 1.5, 2.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<4x4xf32>) -> tensor<6x8xf32>
  %8 = graph.constant dense<[[0.0, 0.045918316, 0.16071425, 0.4205552, 0.67638427, 1.2102772, 1.7842567, 2.25], [1.1519995, 1.5417544, 2.1194074, 2.9126382, 3.5123012, 4.5795827, 5.616419, 6.4259987], [6.016011, 6.913335, 8.174254, 9.754872, 10.862101, 12.716766, 14.436869, 15.754017], [12.064002, 13.305161, 15.028938, 17.142946, 18.59401, 20.98206, 23.165018, 24.826004], [25.05599, 26.804718, 29.21176, 32.11315, 34.07178, 37.24721, 40.11343, 42.281982], [36.0, 38.092564, 40.962463, 44.39725, 46.699715, 50.40853, 53.73761, 56.25]]> : tensor<6x8xf32>
  check.expect_close %7, %8 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<6x8xf32>

  %9 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %10 = graph.resize %9 {scales = array<f32: 1.0, 0.800000011920929>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<1x5xf32>) -> tensor<1x4xf32>
  %11 = graph.constant dense<[[1.0839844, 2.5668945, 5.811523, 15.205076]]> : tensor<1x4xf32>
  check.expect_close %10, %11 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x4xf32>

  %12 = graph.constant dense<[[1.0, 2.0, 4.0, 8.0, 16.0]]> : tensor<1x5xf32>
  %13 = graph.resize %12 {scales = array<f32: 1.0, 1.600000023841858>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>, cubic_coeff_a = -0.5 : f32}
    : (tensor<1x5xf32>) -> tensor<1x8xf32>
  %14 = graph.constant dense<[[0.93811035, 1.3144531, 2.093872, 3.1937256, 4.9680176, 7.6364746, 12.838381, 16.495121]]> : tensor<1x8xf32>
  check.expect_close %13, %14 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x8xf32>

  // Without the border, with a wider window.
  %15 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %16 = graph.resize %15 {scales = array<f32: 2.0, 2.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>, exclude_outside = true}
    : (tensor<4x4xf32>) -> tensor<8x8xf32>
  %17 = graph.constant dense<[[-0.54235536, -0.5652907, -0.6110635, -0.49680397, -0.30291194, 0.20480275, 0.7012528, 1.019628], [0.3568503, 0.525506, 0.7719948, 1.2896008, 1.7349685, 2.6460297, 3.4347413, 3.9447076], [1.5559605, 2.016878, 2.7091954, 3.8420844, 4.6710644, 6.197408, 7.4319487, 8.234177], [6.049716, 6.9139795, 8.2215805, 10.203613, 11.562012, 13.9375, 15.787323, 16.992897], [10.81392, 11.92966, 13.6208725, 16.132324, 17.8208, 20.725708, 22.959143, 24.416193], [21.602959, 23.122046, 25.428541, 28.789137, 31.00703, 34.76108, 37.609802, 39.470196], [31.477634, 33.288982, 36.041306, 40.017185, 42.61869, 46.988026, 50.282574, 52.43523], [37.83781, 39.840748, 42.885334, 47.26456, 50.117542, 54.890224, 58.47703, 60.82128]]> : tensor<8x8xf32>
  check.expect_close %16, %17 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<8x8xf32>

  %18 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %19 = graph.resize %18 {scales = array<f32: 0.6000000238418579, 0.6000000238418579>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>, antialias = true}
    : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %20 = graph.constant dense<[[0.36869082, 2.5503643], [19.173454, 27.605478]]> : tensor<2x2xf32>
  check.expect_close %19, %20 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2xf32>

  %21 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %22 = graph.resize %21 {scales = array<f32: 0.6000000238418579, 0.6000000238418579>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>, exclude_outside = true, antialias = true}
    : (tensor<4x4xf32>) -> tensor<2x2xf32>
  %23 = graph.constant dense<[[0.40177497, 2.7157738], [20.224516, 28.902655]]> : tensor<2x2xf32>
  check.expect_close %22, %23 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2xf32>

  %24 = graph.constant dense<[[0.0, 0.25, 1.0, 2.25], [4.0, 6.25, 9.0, 12.25], [16.0, 20.25, 25.0, 30.25], [36.0, 42.25, 49.0, 56.25]]> : tensor<4x4xf32>
  %25 = graph.resize %24 {scales = array<f32: 2.25, 0.75>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<4x4xf32>) -> tensor<9x3xf32>
  %26 = graph.constant dense<[[-0.43923205, -0.22942656, 1.0243604], [0.42043892, 1.2754728, 3.1744897], [1.3430634, 3.2675815, 6.236084], [4.926763, 8.399559, 12.916343], [8.901338, 13.53125, 19.205154], [15.24628, 21.033306, 27.864332], [25.470585, 32.80589, 41.1852], [34.085957, 42.49074, 51.93955], [38.98061, 48.03062, 58.124657]]> : tensor<9x3xf32>
  check.expect_close %25, %26 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<9x3xf32>
  // One element is the first.
  %80 = graph.constant dense<[1.0, 2.0, 4.0, 8.0]> : tensor<4xf32>
  %81 = graph.resize %80 {scales = array<f32: 0.25>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>}
    : (tensor<4xf32>) -> tensor<1xf32>
  %82 = graph.constant dense<[1.0]> : tensor<1xf32>
  check.expect_eq %81, %82 : tensor<1xf32>
  return
}
