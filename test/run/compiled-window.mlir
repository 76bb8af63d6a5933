// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} = native
// DEFINE: %{agree} = tenon-compile %s --mcpu=%{cpu} -o %t/a.tenon --quiet && tenon-run %t/a.tenon --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --expect y4=%t/y4.npy --expect y5=%t/y5.npy --expect y6=%t/y6.npy --expect y7=%t/y7.npy --expect y8=%t/y8.npy --expect y9=%t/y9.npy --expect y10=%t/y10.npy --expect y11=%t/y11.npy --expect y12=%t/y12.npy --expect y13=%t/y13.npy && tenon-compile %s --mcpu=%{cpu} --guard-memory -o %t/a.tenon --quiet && tenon-run %t/a.tenon --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --expect y4=%t/y4.npy --expect y5=%t/y5.npy --expect y6=%t/y6.npy --expect y7=%t/y7.npy --expect y8=%t/y8.npy --expect y9=%t/y9.npy --expect y10=%t/y10.npy --expect y11=%t/y11.npy --expect y12=%t/y12.npy --expect y13=%t/y13.npy
// RUN: %{agree}
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %if avx2 %{ %{agree} %}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %if avx512 %{ %{agree} %}

// Windows around the borders of register tiles: rows that are no whole tiles,
// channels that are no whole vectors or fill an odd number of them, strides,
// dilations, channel multipliers, a kernel that is too long to be unrolled. No
// kernel touches what is not its own.
func.func @main(%x0: tensor<1x1x9x31xf32> {onnx.name = "x0"},
    %w0: tensor<1x1x3x3xf32> {onnx.name = "w0"},
    %x1: tensor<1x17x6x15xf32> {onnx.name = "x1"},
    %w1: tensor<17x1x3x3xf32> {onnx.name = "w1"},
    %x2: tensor<1x33x7x29xf32> {onnx.name = "x2"},
    %w2: tensor<33x1x5x5xf32> {onnx.name = "w2"},
    %x3: tensor<1x50x9x23xf32> {onnx.name = "x3"},
    %w3: tensor<50x1x7x7xf32> {onnx.name = "w3"},
    %x4: tensor<1x24x10x14xf32> {onnx.name = "x4"},
    %w4: tensor<24x1x3x3xf32> {onnx.name = "w4"},
    %x5: tensor<1x48x5x13xf32> {onnx.name = "x5"},
    %w5: tensor<48x1x2x4xf32> {onnx.name = "w5"},
    %x6: tensor<1x16x13x13xf32> {onnx.name = "x6"},
    %w6: tensor<16x1x3x3xf32> {onnx.name = "w6"},
    %x7: tensor<1x6x8x11xf32> {onnx.name = "x7"},
    %w7: tensor<12x1x3x3xf32> {onnx.name = "w7"},
    %x8: tensor<1x40x3x29xf32> {onnx.name = "x8"},
    %w8: tensor<40x1x1x13xf32> {onnx.name = "w8"},
    %x9: tensor<1x5x8x5xf32> {onnx.name = "x9"},
    %w9: tensor<15x1x3x3xf32> {onnx.name = "w9"},
    %x10: tensor<1x35x9x17xf32> {onnx.name = "x10"},
    %x11: tensor<1x48x12x15xf32> {onnx.name = "x11"},
    %x12: tensor<1x19x9x16xf32> {onnx.name = "x12"},
    %x13: tensor<1x32x11x13xf32> {onnx.name = "x13"})
    -> (tensor<1x1x9x31xf32> {onnx.name = "y0"},
        tensor<1x17x6x15xf32> {onnx.name = "y1"},
        tensor<1x33x7x29xf32> {onnx.name = "y2"},
        tensor<1x50x5x12xf32> {onnx.name = "y3"},
        tensor<1x24x5x7xf32> {onnx.name = "y4"},
        tensor<1x48x2x4xf32> {onnx.name = "y5"},
        tensor<1x16x13x13xf32> {onnx.name = "y6"},
        tensor<1x12x8x11xf32> {onnx.name = "y7"},
        tensor<1x40x3x17xf32> {onnx.name = "y8"},
        tensor<1x15x8x5xf32> {onnx.name = "y9"},
        tensor<1x35x9x17xf32> {onnx.name = "y10"},
        tensor<1x48x6x8xf32> {onnx.name = "y11"},
        tensor<1x19x9x16xf32> {onnx.name = "y12"},
        tensor<1x32x5x6xf32> {onnx.name = "y13"}) {
  %y0 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64}
    : (tensor<1x1x9x31xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x9x31xf32>
  %y1 = graph.conv %x1, %w1 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 17 : i64}
    : (tensor<1x17x6x15xf32>, tensor<17x1x3x3xf32>) -> tensor<1x17x6x15xf32>
  %y2 = graph.conv %x2, %w2 {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 33 : i64}
    : (tensor<1x33x7x29xf32>, tensor<33x1x5x5xf32>) -> tensor<1x33x7x29xf32>
  %y3 = graph.conv %x3, %w3 {strides = array<i64: 2, 2>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, group = 50 : i64}
    : (tensor<1x50x9x23xf32>, tensor<50x1x7x7xf32>) -> tensor<1x50x5x12xf32>
  %y4 = graph.conv %x4, %w4 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 24 : i64}
    : (tensor<1x24x10x14xf32>, tensor<24x1x3x3xf32>) -> tensor<1x24x5x7xf32>
  %y5 = graph.conv %x5, %w5 {strides = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 48 : i64}
    : (tensor<1x48x5x13xf32>, tensor<48x1x2x4xf32>) -> tensor<1x48x2x4xf32>
  %y6 = graph.conv %x6, %w6 {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>, group = 16 : i64}
    : (tensor<1x16x13x13xf32>, tensor<16x1x3x3xf32>) -> tensor<1x16x13x13xf32>
  %y7 = graph.conv %x7, %w7 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 6 : i64}
    : (tensor<1x6x8x11xf32>, tensor<12x1x3x3xf32>) -> tensor<1x12x8x11xf32>
  %y8 = graph.conv %x8, %w8 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 40 : i64}
    : (tensor<1x40x3x29xf32>, tensor<40x1x1x13xf32>) -> tensor<1x40x3x17xf32>
  %y9 = graph.conv %x9, %w9 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 5 : i64}
    : (tensor<1x5x8x5xf32>, tensor<15x1x3x3xf32>) -> tensor<1x15x8x5xf32>
  %y10 = graph.max_pool %x10 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x35x9x17xf32>) -> tensor<1x35x9x17xf32>
  %y11 = graph.max_pool %x11 {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x48x12x15xf32>) -> tensor<1x48x6x8xf32>
  %y12 = graph.avg_pool %x12 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false}
    : (tensor<1x19x9x16xf32>) -> tensor<1x19x9x16xf32>
  %y13 = graph.avg_pool %x13 {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = false}
    : (tensor<1x32x11x13xf32>) -> tensor<1x32x5x6xf32>
  return %y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7, %y8, %y9, %y10, %y11, %y12, %y13
    : tensor<1x1x9x31xf32>, tensor<1x17x6x15xf32>, tensor<1x33x7x29xf32>, tensor<1x50x5x12xf32>, tensor<1x24x5x7xf32>, tensor<1x48x2x4xf32>, tensor<1x16x13x13xf32>, tensor<1x12x8x11xf32>, tensor<1x40x3x17xf32>, tensor<1x15x8x5xf32>, tensor<1x35x9x17xf32>, tensor<1x48x6x8xf32>, tensor<1x19x9x16xf32>, tensor<1x32x5x6xf32>
}
