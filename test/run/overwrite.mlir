// Results that lie where their operands lay: element-wise, residuals of
// convolutions, products and pools, softmax, layer normalisation, in one arena
// that is smaller than the buffers would be apart. Odd extents leave tails.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet -o %t.native.tenon --memory-problem=%t.native.txt
// RUN: FileCheck %s < %t.native.txt
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect conv=%t.dir/conv.npy --expect rows=%t.dir/rows.npy --expect mixed=%t.dir/mixed.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon --memory-problem=%t.haswell.txt
// RUN: FileCheck %s < %t.haswell.txt
// RUN: tenon-run %t.haswell.tenon --threads 2 --input random:5 --expect conv=%t.dir/conv.npy --expect rows=%t.dir/rows.npy --expect mixed=%t.dir/mixed.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --guard-memory -o %t.guarded.tenon
// RUN: tenon-run %t.guarded.tenon --threads 2 --input random:5 --expect conv=%t.dir/conv.npy --expect rows=%t.dir/rows.npy --expect mixed=%t.dir/mixed.npy --atol 1e-4

// CHECK-COUNT-6: inplace

func.func @main(%x: tensor<1x19x21x17xf32> {onnx.name = "x"}, %w: tensor<19x19x1x1xf32> {onnx.name = "w"}, %wd: tensor<19x1x1x1xf32> {onnx.name = "wd"}, %t: tensor<3x37x53xf32> {onnx.name = "t"}, %m: tensor<53x53xf32> {onnx.name = "m"}) -> (tensor<1x19x21x17xf32> {onnx.name = "conv"}, tensor<3x37x53xf32> {onnx.name = "rows"}, tensor<3x37x53xi32> {onnx.name = "mixed"}) {
  // Two convolutions with a residual each, a depthwise one, a pool.
  %c0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>, tensor<19x19x1x1xf32>) -> tensor<1x19x21x17xf32>
  %c1 = graph.conv %c0, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>, tensor<19x19x1x1xf32>) -> tensor<1x19x21x17xf32>
  %c2 = graph.conv %c1, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>, tensor<19x19x1x1xf32>) -> tensor<1x19x21x17xf32>
  %a2 = graph.add %c2, %c0 : (tensor<1x19x21x17xf32>, tensor<1x19x21x17xf32>) -> tensor<1x19x21x17xf32>
  %s2 = graph.sigmoid %a2 : (tensor<1x19x21x17xf32>) -> tensor<1x19x21x17xf32>
  %d3 = graph.conv %s2, %wd {group = 19 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>, tensor<19x1x1x1xf32>) -> tensor<1x19x21x17xf32>
  %c4 = graph.conv %d3, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>, tensor<19x19x1x1xf32>) -> tensor<1x19x21x17xf32>
  %a4 = graph.mul %c4, %s2 : (tensor<1x19x21x17xf32>, tensor<1x19x21x17xf32>) -> tensor<1x19x21x17xf32>
  %p5 = graph.max_pool %a4 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>) -> tensor<1x19x21x17xf32>
  %a5 = graph.sub %p5, %a4 : (tensor<1x19x21x17xf32>, tensor<1x19x21x17xf32>) -> tensor<1x19x21x17xf32>
  %conv = graph.conv %a5, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x19x21x17xf32>, tensor<19x19x1x1xf32>) -> tensor<1x19x21x17xf32>

  // Stages over rows: softmax along each axis, a normalisation with residual.
  %m0 = graph.matmul %t, %m : (tensor<3x37x53xf32>, tensor<53x53xf32>) -> tensor<3x37x53xf32>
  %r0 = graph.softmax %m0 {axis = 2 : i64} : (tensor<3x37x53xf32>) -> tensor<3x37x53xf32>
  %r1 = graph.softmax %r0 {axis = 1 : i64} : (tensor<3x37x53xf32>) -> tensor<3x37x53xf32>
  %m1 = graph.matmul %r1, %m : (tensor<3x37x53xf32>, tensor<53x53xf32>) -> tensor<3x37x53xf32>
  %r2 = graph.add %m1, %r1 : (tensor<3x37x53xf32>, tensor<3x37x53xf32>) -> tensor<3x37x53xf32>
  %mean = graph.reduce_mean %r2 {axes = array<i64: 2>, keep_dims = true} : (tensor<3x37x53xf32>) -> tensor<3x37x1xf32>
  %centre = graph.sub %r2, %mean : (tensor<3x37x53xf32>, tensor<3x37x1xf32>) -> tensor<3x37x53xf32>
  %square = graph.mul %centre, %centre : (tensor<3x37x53xf32>, tensor<3x37x53xf32>) -> tensor<3x37x53xf32>
  %sum = graph.reduce_max %square {axes = array<i64: 2>, keep_dims = true} : (tensor<3x37x53xf32>) -> tensor<3x37x1xf32>
  %root = graph.sqrt %sum : (tensor<3x37x1xf32>) -> tensor<3x37x1xf32>
  %r3 = graph.div %centre, %root : (tensor<3x37x53xf32>, tensor<3x37x1xf32>) -> tensor<3x37x53xf32>
  %m2 = graph.matmul %r3, %m : (tensor<3x37x53xf32>, tensor<53x53xf32>) -> tensor<3x37x53xf32>
  %rows = graph.add %m2, %r3 : (tensor<3x37x53xf32>, tensor<3x37x53xf32>) -> tensor<3x37x53xf32>

  // Another type of the same size, over rows whose last reader this is.
  %m3 = graph.matmul %rows, %m : (tensor<3x37x53xf32>, tensor<53x53xf32>) -> tensor<3x37x53xf32>
  %r4 = graph.softmax %m3 {axis = 2 : i64} : (tensor<3x37x53xf32>) -> tensor<3x37x53xf32>
  %eight = graph.constant dense<8.0> : tensor<f32>
  %r5 = graph.mul %r4, %eight : (tensor<3x37x53xf32>, tensor<f32>) -> tensor<3x37x53xf32>
  %i4 = graph.cast %r5 : (tensor<3x37x53xf32>) -> tensor<3x37x53xi32>
  %max = graph.reduce_max %i4 {axes = array<i64: 1>, keep_dims = true} : (tensor<3x37x53xi32>) -> tensor<3x1x53xi32>
  %mixed = graph.sub %i4, %max : (tensor<3x37x53xi32>, tensor<3x1x53xi32>) -> tensor<3x37x53xi32>
  return %conv, %rows, %mixed : tensor<1x19x21x17xf32>, tensor<3x37x53xf32>, tensor<3x37x53xi32>
}
