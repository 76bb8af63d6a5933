// Concatenations whose operands are computed where they belong: alone, nested,
// with halos, with operands that are used elsewhere, twice, or not computed.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect nested=%t.dir/nested.npy --expect halo=%t.dir/halo.npy --expect outer=%t.dir/outer.npy --expect chain=%t.dir/chain.npy --expect boxes=%t.dir/boxes.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon
// RUN: tenon-run %t.haswell.tenon --input random:5 --expect nested=%t.dir/nested.npy --expect halo=%t.dir/halo.npy --expect outer=%t.dir/outer.npy --expect chain=%t.dir/chain.npy --expect boxes=%t.dir/boxes.npy --atol 1e-4

func.func @main(%x: tensor<1x24x6x7xf32> {onnx.name = "x"}, %w1: tensor<16x24x1x1xf32> {onnx.name = "w1"}, %w3: tensor<20x16x3x3xf32> {onnx.name = "w3"}, %w7: tensor<12x60x1x1xf32> {onnx.name = "w7"}, %wd: tensor<60x1x3x3xf32> {onnx.name = "wd"}) -> (tensor<1x120x6x7xf32> {onnx.name = "nested"}, tensor<1x60x6x7xf32> {onnx.name = "halo"}, tensor<1x16x24x7xf32> {onnx.name = "outer"}, tensor<1x44x6x7xf32> {onnx.name = "chain"}, tensor<1x84x8xf32> {onnx.name = "boxes"}) {
  %k = graph.constant dense<5.0e-01> : tensor<1x8x6x7xf32>
  %c0 = graph.conv %x, %w1 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x24x6x7xf32>, tensor<16x24x1x1xf32>) -> tensor<1x16x6x7xf32>
  %a = graph.relu %c0 : (tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %b = graph.conv %a, %w3 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x16x6x7xf32>, tensor<20x16x3x3xf32>) -> tensor<1x20x6x7xf32>

  // Inside of a larger one, which is a graph output: `a` cannot have its halo
  // there, `x` is not computed, `p` appears twice.
  %abx = graph.concat %a, %b, %x {axis = 1 : i64} : (tensor<1x16x6x7xf32>, tensor<1x20x6x7xf32>, tensor<1x24x6x7xf32>) -> tensor<1x60x6x7xf32>
  %s = graph.slice %abx {starts = array<i64: 0, 8, 0, 0>, sizes = array<i64: 1, 30, 6, 7>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x60x6x7xf32>) -> tensor<1x30x6x7xf32>
  %p = graph.max_pool %s {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x30x6x7xf32>) -> tensor<1x30x6x7xf32>
  %nested = graph.concat %abx, %p, %p {axis = 1 : i64} : (tensor<1x60x6x7xf32>, tensor<1x30x6x7xf32>, tensor<1x30x6x7xf32>) -> tensor<1x120x6x7xf32>

  // The halo of the whole serves the part that another convolution reads.
  %d = graph.sigmoid %c0 : (tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %e = graph.conv %d, %w3 {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>} : (tensor<1x16x6x7xf32>, tensor<20x16x3x3xf32>) -> tensor<1x20x6x7xf32>
  %f = graph.tanh %x : (tensor<1x24x6x7xf32>) -> tensor<1x24x6x7xf32>
  %def = graph.concat %d, %e, %f {axis = 1 : i64} : (tensor<1x16x6x7xf32>, tensor<1x20x6x7xf32>, tensor<1x24x6x7xf32>) -> tensor<1x60x6x7xf32>
  %halo = graph.conv %def, %wd {group = 60 : i64, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x60x6x7xf32>, tensor<60x1x3x3xf32>) -> tensor<1x60x6x7xf32>

  // Along the rows, where the part itself needs a halo.
  %r = graph.relu %e : (tensor<1x20x6x7xf32>) -> tensor<1x20x6x7xf32>
  %g = graph.exp %c0 : (tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %h = graph.conv %g, %w3 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x16x6x7xf32>, tensor<20x16x3x3xf32>) -> tensor<1x20x6x7xf32>
  %h16 = graph.slice %h {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 16, 6, 7>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x20x6x7xf32>) -> tensor<1x16x6x7xf32>
  %n = graph.neg %a : (tensor<1x16x6x7xf32>) -> tensor<1x16x6x7xf32>
  %outer = graph.concat %g, %h16, %n, %a {axis = 2 : i64} : (tensor<1x16x6x7xf32>, tensor<1x16x6x7xf32>, tensor<1x16x6x7xf32>, tensor<1x16x6x7xf32>) -> tensor<1x16x24x7xf32>

  // A chain as in DenseNet: each step reads all before it.
  %x1 = graph.conv %halo, %w7 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x60x6x7xf32>, tensor<12x60x1x1xf32>) -> tensor<1x12x6x7xf32>
  %y1 = graph.concat %r, %x1 {axis = 1 : i64} : (tensor<1x20x6x7xf32>, tensor<1x12x6x7xf32>) -> tensor<1x32x6x7xf32>
  %m1 = graph.max_pool %y1 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<1x32x6x7xf32>) -> tensor<1x32x6x7xf32>
  %x2 = graph.slice %m1 {starts = array<i64: 0, 3, 0, 0>, sizes = array<i64: 1, 4, 6, 7>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x32x6x7xf32>) -> tensor<1x4x6x7xf32>
  %y2 = graph.concat %y1, %x2 {axis = 1 : i64} : (tensor<1x32x6x7xf32>, tensor<1x4x6x7xf32>) -> tensor<1x36x6x7xf32>
  %y3 = graph.concat %k, %y2 {axis = 1 : i64} : (tensor<1x8x6x7xf32>, tensor<1x36x6x7xf32>) -> tensor<1x44x6x7xf32>

  // Heads of a detector: views between the producers and the concatenation.
  %h1 = graph.conv %abx, %w7 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x60x6x7xf32>, tensor<12x60x1x1xf32>) -> tensor<1x12x6x7xf32>
  %t1 = graph.transpose %h1 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x12x6x7xf32>) -> tensor<1x6x7x12xf32>
  %b1 = graph.reshape %t1 : (tensor<1x6x7x12xf32>) -> tensor<1x63x8xf32>
  %h2 = graph.slice %x1 {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 4, 6, 7>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x12x6x7xf32>) -> tensor<1x4x6x7xf32>
  %h3 = graph.neg %h2 : (tensor<1x4x6x7xf32>) -> tensor<1x4x6x7xf32>
  %t3 = graph.transpose %h3 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x4x6x7xf32>) -> tensor<1x6x7x4xf32>
  %b2 = graph.reshape %t3 : (tensor<1x6x7x4xf32>) -> tensor<1x21x8xf32>
  %boxes = graph.concat %b1, %b2 {axis = 1 : i64} : (tensor<1x63x8xf32>, tensor<1x21x8xf32>) -> tensor<1x84x8xf32>
  return %nested, %halo, %outer, %y3, %boxes : tensor<1x120x6x7xf32>, tensor<1x60x6x7xf32>, tensor<1x16x24x7xf32>, tensor<1x44x6x7xf32>, tensor<1x84x8xf32>
}
