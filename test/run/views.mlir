// Slices and transpositions that kernels read where they are: attention from
// one product, with the heads' results written in order.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect attention=%t.dir/attention.npy --expect windows=%t.dir/windows.npy --expect steps=%t.dir/steps.npy --atol 1e-4
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon
// RUN: tenon-run %t.haswell.tenon --input random:5 --expect attention=%t.dir/attention.npy --expect windows=%t.dir/windows.npy --expect steps=%t.dir/steps.npy --atol 1e-4

func.func @main(%x: tensor<21x32xf32> {onnx.name = "x"}, %w: tensor<32x144xf32> {onnx.name = "w"}, %o: tensor<48x40xf32> {onnx.name = "o"}, %y: tensor<1x48x5x9xf32> {onnx.name = "y"}, %f: tensor<24x24x2x2xf32> {onnx.name = "f"}) -> (tensor<21x40xf32> {onnx.name = "attention"}, tensor<1x48x4x8xf32> {onnx.name = "windows"}, tensor<5x16xf32> {onnx.name = "steps"}) {
  %qkv = graph.matmul %x, %w : (tensor<21x32xf32>, tensor<32x144xf32>) -> tensor<21x144xf32>
  %all = graph.reshape %qkv : (tensor<21x144xf32>) -> tensor<1x21x3x3x16xf32>
  %q0 = graph.slice %all {starts = array<i64: 0, 0, 0, 0, 0>, sizes = array<i64: 1, 21, 1, 3, 16>, steps = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x21x3x3x16xf32>) -> tensor<1x21x1x3x16xf32>
  %k0 = graph.slice %all {starts = array<i64: 0, 0, 1, 0, 0>, sizes = array<i64: 1, 21, 1, 3, 16>, steps = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x21x3x3x16xf32>) -> tensor<1x21x1x3x16xf32>
  %v0 = graph.slice %all {starts = array<i64: 0, 0, 2, 0, 0>, sizes = array<i64: 1, 21, 1, 3, 16>, steps = array<i64: 1, 1, 1, 1, 1>} : (tensor<1x21x3x3x16xf32>) -> tensor<1x21x1x3x16xf32>
  %q1 = graph.reshape %q0 : (tensor<1x21x1x3x16xf32>) -> tensor<21x3x16xf32>
  %k1 = graph.reshape %k0 : (tensor<1x21x1x3x16xf32>) -> tensor<21x3x16xf32>
  %v1 = graph.reshape %v0 : (tensor<1x21x1x3x16xf32>) -> tensor<21x3x16xf32>
  %q = graph.transpose %q1 {permutation = array<i64: 1, 0, 2>} : (tensor<21x3x16xf32>) -> tensor<3x21x16xf32>
  %k = graph.transpose %k1 {permutation = array<i64: 1, 0, 2>} : (tensor<21x3x16xf32>) -> tensor<3x21x16xf32>
  %v = graph.transpose %v1 {permutation = array<i64: 1, 0, 2>} : (tensor<21x3x16xf32>) -> tensor<3x21x16xf32>
  %s = graph.matmul %q, %k {transpose_rhs} : (tensor<3x21x16xf32>, tensor<3x21x16xf32>) -> tensor<3x21x21xf32>
  %m = graph.softmax %s {axis = 2 : i64} : (tensor<3x21x21xf32>) -> tensor<3x21x21xf32>
  %h = graph.matmul %m, %v : (tensor<3x21x21xf32>, tensor<3x21x16xf32>) -> tensor<3x21x16xf32>
  %t = graph.transpose %h {permutation = array<i64: 1, 0, 2>} : (tensor<3x21x16xf32>) -> tensor<21x3x16xf32>
  %j = graph.reshape %t : (tensor<21x3x16xf32>) -> tensor<21x48xf32>
  %attention = graph.matmul %j, %o : (tensor<21x48xf32>, tensor<48x40xf32>) -> tensor<21x40xf32>

  // Halves of a graph input: a convolution and a pool read them in place, and
  // both write into the concatenation.
  %a = graph.slice %y {starts = array<i64: 0, 0, 0, 0>, sizes = array<i64: 1, 24, 5, 9>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x48x5x9xf32>) -> tensor<1x24x5x9xf32>
  %b = graph.slice %y {starts = array<i64: 0, 24, 0, 0>, sizes = array<i64: 1, 24, 5, 9>, steps = array<i64: 1, 1, 1, 1>} : (tensor<1x48x5x9xf32>) -> tensor<1x24x5x9xf32>
  %c = graph.conv %a, %f {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x24x5x9xf32>, tensor<24x24x2x2xf32>) -> tensor<1x24x4x8xf32>
  %p = graph.avg_pool %b {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x24x5x9xf32>) -> tensor<1x24x4x8xf32>
  %windows = graph.concat %c, %p {axis = 1 : i64} : (tensor<1x24x4x8xf32>, tensor<1x24x4x8xf32>) -> tensor<1x48x4x8xf32>

  // Every other row, and rows backwards, which no stride of a view expresses.
  %even = graph.slice %x {starts = array<i64: 2, 0>, sizes = array<i64: 5, 32>, steps = array<i64: 3, 1>} : (tensor<21x32xf32>) -> tensor<5x32xf32>
  %back = graph.slice %w {starts = array<i64: 31, 16>, sizes = array<i64: 32, 16>, steps = array<i64: -1, 1>} : (tensor<32x144xf32>) -> tensor<32x16xf32>
  %steps = graph.matmul %even, %back : (tensor<5x32xf32>, tensor<32x16xf32>) -> tensor<5x16xf32>
  return %attention, %windows, %steps : tensor<21x40xf32>, tensor<1x48x4x8xf32>, tensor<5x16xf32>
}
