// Maps whose pixels have free elements behind them, with and without columns of
// zeros around: chains of windows, and a product between them;
// and pixels of 512 bytes, which get a line more.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon
// RUN: tenon-run %t.haswell.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --atol 1e-4
// RUN: tenon-compile %s --quiet -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --guard-memory -o %t.guarded.tenon
// RUN: tenon-run %t.guarded.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --mcpu=haswell --compile-to=codegen -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=SETS

// CHECK-COUNT-5: memory.alloc : <tensor<2x{{[0-9]+x[0-9]+}}x42xf32>, [{{[0-9]+, [0-9]+}}, 48, 1]
// SETS-COUNT-2: memory.alloc : <tensor<1x{{[0-9]+x[0-9]+}}x128xf32>, [{{[0-9]+, [0-9]+}}, 144, 1]

func.func @main(%x: tensor<2x42x57x61xf32> {onnx.name = "x"}, %w: tensor<42x42x1x1xf32> {onnx.name = "w"}, %d: tensor<42x1x3x3xf32> {onnx.name = "d"}, %u: tensor<1x128x13x19xf32> {onnx.name = "u"}, %v: tensor<128x128x1x1xf32> {onnx.name = "v"}, %e: tensor<128x1x5x5xf32> {onnx.name = "e"}) -> (tensor<2x42x29x31xf32> {onnx.name = "y"}, tensor<1x128x7x10xf32> {onnx.name = "z"}) {
  %0 = graph.conv %x, %d {group = 42 : i64, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x42x57x61xf32>, tensor<42x1x3x3xf32>) -> tensor<2x42x57x61xf32>
  %1 = graph.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<2x42x57x61xf32>, tensor<42x42x1x1xf32>) -> tensor<2x42x57x61xf32>
  %2 = graph.relu %1 : (tensor<2x42x57x61xf32>) -> tensor<2x42x57x61xf32>
  %3 = graph.conv %2, %d {group = 42 : i64, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x42x57x61xf32>, tensor<42x1x3x3xf32>) -> tensor<2x42x29x31xf32>
  %y = graph.conv %3, %d {group = 42 : i64, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>} : (tensor<2x42x29x31xf32>, tensor<42x1x3x3xf32>) -> tensor<2x42x29x31xf32>
  %4 = graph.conv %u, %v {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x128x13x19xf32>, tensor<128x128x1x1xf32>) -> tensor<1x128x13x19xf32>
  %5 = graph.conv %4, %e {group = 128 : i64, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>} : (tensor<1x128x13x19xf32>, tensor<128x1x5x5xf32>) -> tensor<1x128x13x19xf32>
  %z = graph.conv %5, %e {group = 128 : i64, strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>} : (tensor<1x128x13x19xf32>, tensor<128x1x5x5xf32>) -> tensor<1x128x7x10xf32>
  return %y, %z : tensor<2x42x29x31xf32>, tensor<1x128x7x10xf32>
}
