// Maps whose pixels have free elements behind them, with and without columns of
// zeros around: chains of windows, one that rolls, and a product between them.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon
// RUN: tenon-run %t.haswell.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --atol 1e-4
// RUN: tenon-compile %s --quiet -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --guard-memory -o %t.guarded.tenon
// RUN: tenon-run %t.guarded.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --mcpu=haswell --compile-to=codegen -o - | FileCheck %s

// CHECK-COUNT-5: memory.alloc : <tensor<2x{{[0-9]+x[0-9]+}}x42xf32>, [{{[0-9]+, [0-9]+}}, 48, 1]

func.func @main(%x: tensor<2x42x57x61xf32> {onnx.name = "x"}, %w: tensor<42x42x1x1xf32> {onnx.name = "w"}, %d: tensor<42x1x3x3xf32> {onnx.name = "d"}) -> (tensor<2x42x29x31xf32> {onnx.name = "y"}) {
  %0 = graph.conv %x, %d {group = 42 : i64, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x42x57x61xf32>, tensor<42x1x3x3xf32>) -> tensor<2x42x57x61xf32>
  %1 = graph.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x42x57x61xf32>, tensor<42x42x1x1xf32>) -> tensor<2x42x57x61xf32>
  %2 = graph.relu %1 : (tensor<2x42x57x61xf32>) -> tensor<2x42x57x61xf32>
  %3 = graph.conv %2, %d {group = 42 : i64, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x42x57x61xf32>, tensor<42x1x3x3xf32>) -> tensor<2x42x29x31xf32>
  %y = graph.conv %3, %d {group = 42 : i64, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>} : (tensor<2x42x29x31xf32>, tensor<42x1x3x3xf32>) -> tensor<2x42x29x31xf32>
  return %y : tensor<2x42x29x31xf32>
}
