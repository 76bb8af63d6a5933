// Every so manyth element of maps, of padded and of cropped ones, as products
// and others read them.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon
// RUN: tenon-run %t.haswell.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --expect s=%t.dir/s.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --guard-memory -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --expect s=%t.dir/s.npy --atol 1e-4

// One product reads the map itself.
// RUN: tenon-compile %s --quiet --mcpu=haswell --compile-to=codegen -o - | FileCheck %s
// CHECK: memory.view {{.*}} -> <tensor<1x9x8x20xf32>, [5100, 600, 40, 1]

func.func @main(%x: tensor<1x20x17x15xf32> {onnx.name = "x"}, %v: tensor<20x20x1x1xf32> {onnx.name = "v"}, %w: tensor<24x20x1x1xf32> {onnx.name = "w"}) -> (tensor<1x24x9x8xf32> {onnx.name = "y"}, tensor<1x24x9x8xf32> {onnx.name = "z"}, tensor<1x20x7x5xf32> {onnx.name = "s"}) {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %seven = graph.constant dense<7.0> : tensor<f32>
  %c = graph.conv %x, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x20x17x15xf32>, tensor<20x20x1x1xf32>) -> tensor<1x20x17x15xf32>
  %r = graph.relu %c : (tensor<1x20x17x15xf32>) -> tensor<1x20x17x15xf32>
  %0 = graph.avg_pool %r {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x20x17x15xf32>) -> tensor<1x20x9x8xf32>
  %y = graph.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x20x9x8xf32>, tensor<24x20x1x1xf32>) -> tensor<1x24x9x8xf32>
  %1 = graph.pad %r, %zero {low = array<i64: 0, 0, -1, -1>, high = array<i64: 0, 0, 1, 1>} : (tensor<1x20x17x15xf32>, tensor<f32>) -> tensor<1x20x17x15xf32>
  %2 = graph.avg_pool %1 {kernel = array<i64: 1, 1>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x20x17x15xf32>) -> tensor<1x20x9x8xf32>
  %z = graph.conv %2, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x20x9x8xf32>, tensor<24x20x1x1xf32>) -> tensor<1x24x9x8xf32>
  %3 = graph.pad %r, %seven {low = array<i64: 0, 0, 3, 2>, high = array<i64: 0, 0, 1, 4>} : (tensor<1x20x17x15xf32>, tensor<f32>) -> tensor<1x20x21x21xf32>
  %s = graph.slice %3 {starts = array<i64: 0, 0, 1, 0>, sizes = array<i64: 1, 20, 7, 5>, steps = array<i64: 1, 1, 3, 5>} : (tensor<1x20x21x21xf32>) -> tensor<1x20x7x5xf32>
  return %y, %z, %s : tensor<1x24x9x8xf32>, tensor<1x24x9x8xf32>, tensor<1x20x7x5xf32>
}
