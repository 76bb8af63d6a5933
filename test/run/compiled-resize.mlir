// Resizes that repeat rows are read by what uses them: of all roundings that do,
// cut by reshapes and slices, of one row; and others, which do not.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// DEFINE: %{expect} = --expect a=%t.dir/a.npy --expect b=%t.dir/b.npy --expect c=%t.dir/c.npy --expect d=%t.dir/d.npy --expect e=%t.dir/e.npy
// RUN: tenon-compile %s --quiet -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 %{expect}
// RUN: tenon-compile %s --quiet --mcpu=haswell --guard-memory -o %t.haswell.tenon
// RUN: %if avx2 %{ tenon-run %t.haswell.tenon --input random:5 %{expect} %}

func.func @main(%x: tensor<2x4x3x40xf32> {onnx.name = "x"}, %y: tensor<2x8x9x40xf32> {onnx.name = "y"}) -> (tensor<2x8x9x40xf32> {onnx.name = "a"}, tensor<2x8x9x40xf32> {onnx.name = "b"}, tensor<2x4x2x9x40xf32> {onnx.name = "c"}, tensor<2x8x9x40xf32> {onnx.name = "d"}, tensor<2x8x9x40xf32> {onnx.name = "e"}) {
  %r0 = graph.resize %x {scales = array<f32: 1.0, 2.0, 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>} : (tensor<2x4x3x40xf32>) -> tensor<2x8x9x40xf32>
  %a = graph.mul %r0, %y : (tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>) -> tensor<2x8x9x40xf32>
  // One that is computed first, and twice as large pieces of another.
  %n = graph.exp %x : (tensor<2x4x3x40xf32>) -> tensor<2x4x3x40xf32>
  %r1 = graph.resize %n {scales = array<f32: 1.0, 2.0, 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel_symmetric>, nearest_mode = #graph<nearest_mode round_prefer_ceil>} : (tensor<2x4x3x40xf32>) -> tensor<2x8x9x40xf32>
  %h = graph.slice %x {starts = array<i64: 0, 2, 0, 0>, sizes = array<i64: 2, 2, 3, 40>, steps = array<i64: 1, 1, 1, 1>} : (tensor<2x4x3x40xf32>) -> tensor<2x2x3x40xf32>
  %r2 = graph.resize %h {scales = array<f32: 1.0, 4.0, 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<2x2x3x40xf32>) -> tensor<2x8x9x40xf32>
  %s1 = graph.add %r1, %y : (tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>) -> tensor<2x8x9x40xf32>
  %b = graph.sub %s1, %r2 : (tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>) -> tensor<2x8x9x40xf32>
  // The first row, eight times; seen as pairs.
  %f = graph.slice %x {starts = array<i64: 0, 1, 0, 0>, sizes = array<i64: 2, 1, 3, 40>, steps = array<i64: 1, 1, 1, 1>} : (tensor<2x4x3x40xf32>) -> tensor<2x1x3x40xf32>
  %r3 = graph.resize %f {scales = array<f32: 1.0, 8.0, 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode round_prefer_floor>} : (tensor<2x1x3x40xf32>) -> tensor<2x8x9x40xf32>
  %s3 = graph.sub %r3, %y : (tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>) -> tensor<2x8x9x40xf32>
  %c = graph.reshape %s3 : (tensor<2x8x9x40xf32>) -> tensor<2x4x2x9x40xf32>
  // Rounded up, and shifted by half a pixel.
  %r4 = graph.resize %x {scales = array<f32: 1.0, 2.0, 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode round_prefer_ceil>} : (tensor<2x4x3x40xf32>) -> tensor<2x8x9x40xf32>
  %d = graph.add %r4, %y : (tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>) -> tensor<2x8x9x40xf32>
  %r5 = graph.resize %x {scales = array<f32: 1.0, 2.0, 3.0, 1.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode half_pixel>, nearest_mode = #graph<nearest_mode floor>} : (tensor<2x4x3x40xf32>) -> tensor<2x8x9x40xf32>
  %e = graph.add %r5, %y : (tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>) -> tensor<2x8x9x40xf32>
  return %a, %b, %c, %d, %e : tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>, tensor<2x4x2x9x40xf32>, tensor<2x8x9x40xf32>, tensor<2x8x9x40xf32>
}
