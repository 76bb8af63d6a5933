// Coordinates where ONNX's text has a case of its own: a single element with
// pytorch_half_pixel, of known and unknown lengths, and the ends of a region
// that is scaled; with all kernels.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --shape y=3x7 --output-dir %t.dir
// DEFINE: %{expect} = --expect a=%t.dir/a.npy --expect b=%t.dir/b.npy --expect c=%t.dir/c.npy --expect d=%t.dir/b.npy
// RUN: tenon-compile %s --quiet -o %t.tenon
// RUN: tenon-run %t.tenon --input random:5 --shape y=3x7 %{expect}

func.func @main(%x: tensor<3x8xf32> {onnx.name = "x"}, %y: tensor<3x?xf32, #graph.dims<[3, "n"]>> {onnx.name = "y"}) -> (tensor<3x1xf32> {onnx.name = "a"}, tensor<3x1xf32> {onnx.name = "b"}, tensor<3x10xf32> {onnx.name = "c"}, tensor<3x1xf32> {onnx.name = "d"}) {
  %a = graph.resize %x {scales = array<f32: 1.0, 0.125>, mode = #graph<resize_mode linear>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode floor>, antialias = true} : (tensor<3x8xf32>) -> tensor<3x1xf32>
  %b = graph.resize %y {scales = array<f32: 1.0, 0.0>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode pytorch_half_pixel>, nearest_mode = #graph<nearest_mode floor>} : (tensor<3x?xf32, #graph.dims<[3, "n"]>>) -> tensor<3x1xf32>
  %c = graph.resize %x {scales = array<f32: 1.0, 2.5>, mode = #graph<resize_mode cubic>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>, roi = array<f32: 0.0, 0.25, 1.0, 0.75>} : (tensor<3x8xf32>) -> tensor<3x10xf32>
  %d = graph.slice %y {starts = array<i64: 0, 0>, sizes = array<i64: 3, 1>, steps = array<i64: 1, 1>} : (tensor<3x?xf32, #graph.dims<[3, "n"]>>) -> tensor<3x1xf32>
  return %a, %b, %c, %d : tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x10xf32>, tensor<3x1xf32>
}
