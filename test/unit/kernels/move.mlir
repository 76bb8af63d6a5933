// Movements, each against the interpreter.
func.func @concat_c(%x: tensor<1x14x14x96xf32>, %y: tensor<1x14x14x20xf32>, %z: tensor<1x14x14x64xf32>) -> tensor<1x14x14x180xf32> {
  %r = kernel.group(%x, %y, %z) : (tensor<1x14x14x96xf32>, tensor<1x14x14x20xf32>, tensor<1x14x14x64xf32>) -> tensor<1x14x14x180xf32> {
  ^bb0(%a: tensor<1x14x14x96xf32>, %b: tensor<1x14x14x20xf32>, %c: tensor<1x14x14x64xf32>):
    %0 = graph.concat %a, %b, %c {axis = 3 : i64} : (tensor<1x14x14x96xf32>, tensor<1x14x14x20xf32>, tensor<1x14x14x64xf32>) -> tensor<1x14x14x180xf32>
    kernel.yield %0 : tensor<1x14x14x180xf32>
  }
  return %r : tensor<1x14x14x180xf32>
}
func.func @concat_big(%x: tensor<1x33x56x56xf32>, %y: tensor<1x7x56x56xf32>) -> tensor<1x40x56x56xf32> {
  %r = kernel.group(%x, %y) : (tensor<1x33x56x56xf32>, tensor<1x7x56x56xf32>) -> tensor<1x40x56x56xf32> {
  ^bb0(%a: tensor<1x33x56x56xf32>, %b: tensor<1x7x56x56xf32>):
    %0 = graph.concat %a, %b {axis = 1 : i64} : (tensor<1x33x56x56xf32>, tensor<1x7x56x56xf32>) -> tensor<1x40x56x56xf32>
    kernel.yield %0 : tensor<1x40x56x56xf32>
  }
  return %r : tensor<1x40x56x56xf32>
}
func.func @concat_i64(%x: tensor<1xi64>, %y: tensor<2xi64>) -> tensor<3xi64> {
  %r = kernel.group(%x, %y) : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64> {
  ^bb0(%a: tensor<1xi64>, %b: tensor<2xi64>):
    %0 = graph.concat %a, %b {axis = 0 : i64} : (tensor<1xi64>, tensor<2xi64>) -> tensor<3xi64>
    kernel.yield %0 : tensor<3xi64>
  }
  return %r : tensor<3xi64>
}
func.func @pad_nhwc(%x: tensor<1x9x11x42xf32>) -> tensor<1x12x14x42xf32> {
  %r = kernel.group(%x) : (tensor<1x9x11x42xf32>) -> tensor<1x12x14x42xf32> {
  ^bb0(%a: tensor<1x9x11x42xf32>):
    %0 = graph.pad %a {low = array<i64: 0, 1, 2, 0>, high = array<i64: 0, 2, 1, 0>} : (tensor<1x9x11x42xf32>) -> tensor<1x12x14x42xf32>
    kernel.yield %0 : tensor<1x12x14x42xf32>
  }
  return %r : tensor<1x12x14x42xf32>
}
func.func @pad_crop(%x: tensor<2x9x11xf32>, %v: tensor<f32>) -> tensor<2x8x14xf32> {
  %r = kernel.group(%x, %v) : (tensor<2x9x11xf32>, tensor<f32>) -> tensor<2x8x14xf32> {
  ^bb0(%a: tensor<2x9x11xf32>, %b: tensor<f32>):
    %0 = graph.pad %a, %b {low = array<i64: 0, -2, 4>, high = array<i64: 0, 1, -1>} : (tensor<2x9x11xf32>, tensor<f32>) -> tensor<2x8x14xf32>
    kernel.yield %0 : tensor<2x8x14xf32>
  }
  return %r : tensor<2x8x14xf32>
}
func.func @pad_reflect(%x: tensor<2x9x11xf32>) -> tensor<2x14x18xf32> {
  %r = kernel.group(%x) : (tensor<2x9x11xf32>) -> tensor<2x14x18xf32> {
  ^bb0(%a: tensor<2x9x11xf32>):
    %0 = graph.pad %a {low = array<i64: 0, 2, 3>, high = array<i64: 0, 3, 4>, mode = #graph<pad_mode reflect>} : (tensor<2x9x11xf32>) -> tensor<2x14x18xf32>
    kernel.yield %0 : tensor<2x14x18xf32>
  }
  return %r : tensor<2x14x18xf32>
}
func.func @gather_rows(%x: tensor<9x100xf32>, %i: tensor<1x17xi64>) -> tensor<1x17x100xf32> {
  %r = kernel.group(%x, %i) : (tensor<9x100xf32>, tensor<1x17xi64>) -> tensor<1x17x100xf32> {
  ^bb0(%a: tensor<9x100xf32>, %b: tensor<1x17xi64>):
    %0 = graph.gather %a, %b {axis = 0 : i64} : (tensor<9x100xf32>, tensor<1x17xi64>) -> tensor<1x17x100xf32>
    kernel.yield %0 : tensor<1x17x100xf32>
  }
  return %r : tensor<1x17x100xf32>
}
func.func @gather_last(%x: tensor<3x9xf32>, %i: tensor<5xi32>) -> tensor<3x5xf32> {
  %r = kernel.group(%x, %i) : (tensor<3x9xf32>, tensor<5xi32>) -> tensor<3x5xf32> {
  ^bb0(%a: tensor<3x9xf32>, %b: tensor<5xi32>):
    %0 = graph.gather %a, %b {axis = 1 : i64} : (tensor<3x9xf32>, tensor<5xi32>) -> tensor<3x5xf32>
    kernel.yield %0 : tensor<3x5xf32>
  }
  return %r : tensor<3x5xf32>
}
func.func @argmax_last(%x: tensor<7x97xf32>) -> tensor<7x1xi64> {
  %r = kernel.group(%x) : (tensor<7x97xf32>) -> tensor<7x1xi64> {
  ^bb0(%a: tensor<7x97xf32>):
    %0 = graph.arg_max %a {axis = 1 : i64} : (tensor<7x97xf32>) -> tensor<7x1xi64>
    kernel.yield %0 : tensor<7x1xi64>
  }
  return %r : tensor<7x1xi64>
}
func.func @argmin_mid(%x: tensor<3x17x45xi32>) -> tensor<3x45xi64> {
  %r = kernel.group(%x) : (tensor<3x17x45xi32>) -> tensor<3x45xi64> {
  ^bb0(%a: tensor<3x17x45xi32>):
    %0 = graph.arg_min %a {axis = 1 : i64, keep_dims = false, select_last_index = true} : (tensor<3x17x45xi32>) -> tensor<3x45xi64>
    kernel.yield %0 : tensor<3x45xi64>
  }
  return %r : tensor<3x45xi64>
}
func.func @resize_near(%x: tensor<1x40x40x96xf32>) -> tensor<1x80x80x96xf32> {
  %r = kernel.group(%x) : (tensor<1x40x40x96xf32>) -> tensor<1x80x80x96xf32> {
  ^bb0(%a: tensor<1x40x40x96xf32>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 2.0, 2.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<1x40x40x96xf32>) -> tensor<1x80x80x96xf32>
    kernel.yield %0 : tensor<1x80x80x96xf32>
  }
  return %r : tensor<1x80x80x96xf32>
}
func.func @resize_linear(%x: tensor<1x3x20x23xf32>) -> tensor<1x3x31x50xf32> {
  %r = kernel.group(%x) : (tensor<1x3x20x23xf32>) -> tensor<1x3x31x50xf32> {
  ^bb0(%a: tensor<1x3x20x23xf32>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 1.0, 1.55, 2.17391304>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode floor>} : (tensor<1x3x20x23xf32>) -> tensor<1x3x31x50xf32>
    kernel.yield %0 : tensor<1x3x31x50xf32>
  }
  return %r : tensor<1x3x31x50xf32>
}
func.func @resize_cubic(%x: tensor<1x20x23x5xf32>) -> tensor<1x31x10x5xf32> {
  %r = kernel.group(%x) : (tensor<1x20x23x5xf32>) -> tensor<1x31x10x5xf32> {
  ^bb0(%a: tensor<1x20x23x5xf32>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 1.55, 0.434782609, 1.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode align_corners>, nearest_mode = #graph<nearest_mode floor>} : (tensor<1x20x23x5xf32>) -> tensor<1x31x10x5xf32>
    kernel.yield %0 : tensor<1x31x10x5xf32>
  }
  return %r : tensor<1x31x10x5xf32>
}
func.func @convt(%x: tensor<1x10x12x24xf32>, %w: tensor<24x18x2x2xf32>) -> tensor<1x20x24x18xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x10x12x24xf32>, tensor<24x18x2x2xf32>) -> tensor<1x20x24x18xf32> {
  ^bb0(%a: tensor<1x10x12x24xf32>, %b: tensor<24x18x2x2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x10x12x24xf32>, tensor<24x18x2x2xf32>) -> tensor<1x20x24x18xf32>
    kernel.yield %0 : tensor<1x20x24x18xf32>
  }
  return %r : tensor<1x20x24x18xf32>
}
func.func @convt_nchw(%x: tensor<2x6x7x9xf32>, %w: tensor<6x4x3x4xf32>) -> tensor<2x8x14x30xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x6x7x9xf32>, tensor<6x4x3x4xf32>) -> tensor<2x8x14x30xf32> {
  ^bb0(%a: tensor<2x6x7x9xf32>, %b: tensor<6x4x3x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 3>, pads = array<i64: 1, 1, 1, 0>, dilations = array<i64: 1, 2>, output_padding = array<i64: 1, 0>, group = 2 : i64} : (tensor<2x6x7x9xf32>, tensor<6x4x3x4xf32>) -> tensor<2x8x14x30xf32>
    kernel.yield %0 : tensor<2x8x14x30xf32>
  }
  return %r : tensor<2x8x14x30xf32>
}
func.func @iota() -> tensor<3x5xf32> {
  %r = kernel.group() : () -> tensor<3x5xf32> {
    %0 = graph.iota {axis = 1 : i64, start = 2.0 : f64, step = 0.5 : f64} : () -> tensor<3x5xf32>
    kernel.yield %0 : tensor<3x5xf32>
  }
  return %r : tensor<3x5xf32>
}
func.func @crop_linear(%x: tensor<1x3x20x23xf32>) -> tensor<1x3x26x37xf32> {
  %r = kernel.group(%x) : (tensor<1x3x20x23xf32>) -> tensor<1x3x26x37xf32> {
  ^bb0(%a: tensor<1x3x20x23xf32>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 1.0, 1.3, 1.6086957>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, extrapolation_value = 2.5 : f32, roi = array<f32: 0.0, 0.0, 0.2, -0.1, 1.0, 1.0, 1.3, 0.8>} : (tensor<1x3x20x23xf32>) -> tensor<1x3x26x37xf32>
    kernel.yield %0 : tensor<1x3x26x37xf32>
  }
  return %r : tensor<1x3x26x37xf32>
}
func.func @crop_cubic_last(%x: tensor<1x20x23x5xf32>) -> tensor<1x26x10x5xf32> {
  %r = kernel.group(%x) : (tensor<1x20x23x5xf32>) -> tensor<1x26x10x5xf32> {
  ^bb0(%a: tensor<1x20x23x5xf32>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 1.3, 0.434782609, 1.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, extrapolation_value = -1.0 : f32, roi = array<f32: 0.0, 0.2, 0.3, 0.0, 1.0, 0.9, 1.4, 1.0>} : (tensor<1x20x23x5xf32>) -> tensor<1x26x10x5xf32>
    kernel.yield %0 : tensor<1x26x10x5xf32>
  }
  return %r : tensor<1x26x10x5xf32>
}
func.func @crop_nearest(%x: tensor<2x9x40xi32>) -> tensor<2x9x33xi32> {
  %r = kernel.group(%x) : (tensor<2x9x40xi32>) -> tensor<2x9x33xi32> {
  ^bb0(%a: tensor<2x9x40xi32>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 1.0, 0.825>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, extrapolation_value = 7.0 : f32, roi = array<f32: 0.0, 0.5, 0.25, 1.0, 2.0, 1.1>} : (tensor<2x9x40xi32>) -> tensor<2x9x33xi32>
    kernel.yield %0 : tensor<2x9x33xi32>
  }
  return %r : tensor<2x9x33xi32>
}
func.func @crop_same_size(%x: tensor<7x40xf16>) -> tensor<7x40xf16> {
  %r = kernel.group(%x) : (tensor<7x40xf16>) -> tensor<7x40xf16> {
  ^bb0(%a: tensor<7x40xf16>):
    %0 = graph.resize %a {scales = array<f32: 1.0, 1.0>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, extrapolation_value = 0.0 : f32, roi = array<f32: 0.0, 0.25, 1.0, 0.75>} : (tensor<7x40xf16>) -> tensor<7x40xf16>
    kernel.yield %0 : tensor<7x40xf16>
  }
  return %r : tensor<7x40xf16>
}
func.func @crop_inside(%x: tensor<6x19xui8>) -> tensor<12x1xui8> {
  %r = kernel.group(%x) : (tensor<6x19xui8>) -> tensor<12x1xui8> {
  ^bb0(%a: tensor<6x19xui8>):
    %0 = graph.resize %a {scales = array<f32: 2.0, 0.0526315789>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, extrapolation_value = 0.0 : f32, roi = array<f32: 0.1, 0.1, 0.7, 0.7>} : (tensor<6x19xui8>) -> tensor<12x1xui8>
    kernel.yield %0 : tensor<12x1xui8>
  }
  return %r : tensor<12x1xui8>
}
func.func @crop_brain(%x: tensor<7x40xbf16>) -> tensor<9x37xbf16> {
  %r = kernel.group(%x) : (tensor<7x40xbf16>) -> tensor<9x37xbf16> {
  ^bb0(%a: tensor<7x40xbf16>):
    %0 = graph.resize %a {scales = array<f32: 1.2857143, 0.925>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, extrapolation_value = 1.5 : f32, roi = array<f32: 0.0, 0.25, 1.2, 0.75>} : (tensor<7x40xbf16>) -> tensor<9x37xbf16>
    kernel.yield %0 : tensor<9x37xbf16>
  }
  return %r : tensor<9x37xbf16>
}
func.func @determinants(%x: tensor<7x19x19xf32>) -> tensor<7xf32> {
  %r = kernel.group(%x) : (tensor<7x19x19xf32>) -> tensor<7xf32> {
  ^bb0(%a: tensor<7x19x19xf32>):
    %0 = graph.det %a : (tensor<7x19x19xf32>) -> tensor<7xf32>
    kernel.yield %0 : tensor<7xf32>
  }
  return %r : tensor<7xf32>
}
func.func @determinants_of_doubles(%x: tensor<3x2x9x9xf64>) -> tensor<3x2xf64> {
  %r = kernel.group(%x) : (tensor<3x2x9x9xf64>) -> tensor<3x2xf64> {
  ^bb0(%a: tensor<3x2x9x9xf64>):
    %0 = graph.det %a : (tensor<3x2x9x9xf64>) -> tensor<3x2xf64>
    kernel.yield %0 : tensor<3x2xf64>
  }
  return %r : tensor<3x2xf64>
}
func.func @determinants_of_halves(%x: tensor<4x5x5xf16>) -> tensor<4xf16> {
  %r = kernel.group(%x) : (tensor<4x5x5xf16>) -> tensor<4xf16> {
  ^bb0(%a: tensor<4x5x5xf16>):
    %0 = graph.det %a : (tensor<4x5x5xf16>) -> tensor<4xf16>
    kernel.yield %0 : tensor<4xf16>
  }
  return %r : tensor<4xf16>
}
func.func @determinant_of_one(%x: tensor<1x1xf32>) -> tensor<f32> {
  %r = kernel.group(%x) : (tensor<1x1xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<1x1xf32>):
    %0 = graph.det %a : (tensor<1x1xf32>) -> tensor<f32>
    kernel.yield %0 : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @prefix_rows(%x: tensor<3x37xf32>) -> tensor<3x37xf32> {
  %r = kernel.group(%x) : (tensor<3x37xf32>) -> tensor<3x37xf32> {
  ^bb0(%a: tensor<3x37xf32>):
    %0 = graph.prefix %a {axis = 1 : i64} : (tensor<3x37xf32>) -> tensor<3x37xf32>
    kernel.yield %0 : tensor<3x37xf32>
  }
  return %r : tensor<3x37xf32>
}
func.func @prefix_back(%x: tensor<5x19xi64>) -> tensor<5x19xi64> {
  %r = kernel.group(%x) : (tensor<5x19xi64>) -> tensor<5x19xi64> {
  ^bb0(%a: tensor<5x19xi64>):
    %0 = graph.prefix %a {axis = 1 : i64, reverse = true, exclusive = true} : (tensor<5x19xi64>) -> tensor<5x19xi64>
    kernel.yield %0 : tensor<5x19xi64>
  }
  return %r : tensor<5x19xi64>
}
func.func @prefix_columns(%x: tensor<2x7x21xf16>) -> tensor<2x7x21xf16> {
  %r = kernel.group(%x) : (tensor<2x7x21xf16>) -> tensor<2x7x21xf16> {
  ^bb0(%a: tensor<2x7x21xf16>):
    %0 = graph.prefix %a {axis = 1 : i64, reverse = true} : (tensor<2x7x21xf16>) -> tensor<2x7x21xf16>
    kernel.yield %0 : tensor<2x7x21xf16>
  }
  return %r : tensor<2x7x21xf16>
}
func.func @prefix_products(%x: tensor<4x9xf64>) -> tensor<4x9xf64> {
  %r = kernel.group(%x) : (tensor<4x9xf64>) -> tensor<4x9xf64> {
  ^bb0(%a: tensor<4x9xf64>):
    %0 = graph.prefix %a {axis = 0 : i64, product = true, exclusive = true} : (tensor<4x9xf64>) -> tensor<4x9xf64>
    kernel.yield %0 : tensor<4x9xf64>
  }
  return %r : tensor<4x9xf64>
}
func.func @prefix_small(%x: tensor<1x33xf32>) -> tensor<1x33xf32> {
  %r = kernel.group(%x) : (tensor<1x33xf32>) -> tensor<1x33xf32> {
  ^bb0(%a: tensor<1x33xf32>):
    %0 = graph.prefix %a {axis = 1 : i64, product = true, reverse = true} : (tensor<1x33xf32>) -> tensor<1x33xf32>
    kernel.yield %0 : tensor<1x33xf32>
  }
  return %r : tensor<1x33xf32>
}
