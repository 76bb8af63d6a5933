// Transposed nests are cut along the longer loop, whichever of the two that is:
// whole tiles and rests of both.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s --quiet -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect a=%t.dir/a.npy --expect b=%t.dir/b.npy --expect c=%t.dir/c.npy --expect d=%t.dir/d.npy
// RUN: tenon-compile %s --quiet --mcpu=haswell --guard-memory -o %t.haswell.tenon
// RUN: %if avx2 %{ tenon-run %t.haswell.tenon --input random:5 --expect a=%t.dir/a.npy --expect b=%t.dir/b.npy --expect c=%t.dir/c.npy --expect d=%t.dir/d.npy %}

func.func @main(%x: tensor<3077x37xf32> {onnx.name = "x"}, %y: tensor<37x3077xf32> {onnx.name = "y"}) -> (tensor<37x3077xf32> {onnx.name = "a"}, tensor<3077x37xf32> {onnx.name = "b"}, tensor<37x3077xf32> {onnx.name = "c"}, tensor<2x16x2048xf32> {onnx.name = "d"}) {
  %a = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3077x37xf32>) -> tensor<37x3077xf32>
  %b = graph.transpose %y {permutation = array<i64: 1, 0>} : (tensor<37x3077xf32>) -> tensor<3077x37xf32>
  // A body that is built once, in a loop over the square.
  %t = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3077x37xf32>) -> tensor<37x3077xf32>
  %m = graph.mul %t, %y : (tensor<37x3077xf32>, tensor<37x3077xf32>) -> tensor<37x3077xf32>
  %s = graph.sub %m, %t : (tensor<37x3077xf32>, tensor<37x3077xf32>) -> tensor<37x3077xf32>
  %n = graph.neg %s : (tensor<37x3077xf32>) -> tensor<37x3077xf32>
  %c = graph.add %n, %y : (tensor<37x3077xf32>, tensor<37x3077xf32>) -> tensor<37x3077xf32>
  // Two images, whole squares.
  %z = graph.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2048, 32>, steps = array<i64: 1, 1>} : (tensor<3077x37xf32>) -> tensor<2048x32xf32>
  %r = graph.reshape %z : (tensor<2048x32xf32>) -> tensor<2x2048x16xf32>
  %d = graph.transpose %r {permutation = array<i64: 0, 2, 1>} : (tensor<2x2048x16xf32>) -> tensor<2x16x2048xf32>
  return %a, %b, %c, %d : tensor<37x3077xf32>, tensor<3077x37xf32>, tensor<37x3077xf32>, tensor<2x16x2048xf32>
}
