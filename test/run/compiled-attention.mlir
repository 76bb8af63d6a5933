// Long attention agrees with the interpreter, and its arena holds one slice of the
// 18 MiB of scores at most.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:5 --output-dir %t.dir
// RUN: tenon-compile %s -o %t.native.tenon | FileCheck %s
// RUN: tenon-run %t.native.tenon --threads 2 --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --atol 1e-5
// RUN: tenon-compile %s --quiet --mcpu=haswell -o %t.haswell.tenon
// RUN: %if avx2 %{ tenon-run %t.haswell.tenon --input random:5 --expect y=%t.dir/y.npy --expect z=%t.dir/z.npy --atol 1e-5 %}

// CHECK: {{arena +[0-9]?[0-9]?[0-9]?[0-9]?[0-9]?[0-9] bytes}}
func.func @main(%q: tensor<4x1100x16xf32> {onnx.name = "q"}, %k: tensor<4x16x1100xf32> {onnx.name = "k"}, %v: tensor<4x1100x8xf32> {onnx.name = "v"}, %m: tensor<1x1100x1100xf32> {onnx.name = "m"}) -> (tensor<4x1100x8xf32> {onnx.name = "y"}, tensor<1100x4x8xf32> {onnx.name = "z"}) {
  %s0 = graph.matmul %q, %k : (tensor<4x1100x16xf32>, tensor<4x16x1100xf32>) -> tensor<4x1100x1100xf32>
  %s1 = graph.add %s0, %m : (tensor<4x1100x1100xf32>, tensor<1x1100x1100xf32>) -> tensor<4x1100x1100xf32>
  %h = graph.reduce_max %s1 {axes = array<i64: 2>} : (tensor<4x1100x1100xf32>) -> tensor<4x1100x1xf32>
  %s2 = graph.sub %s1, %h : (tensor<4x1100x1100xf32>, tensor<4x1100x1xf32>) -> tensor<4x1100x1100xf32>
  %e = graph.exp %s2 : (tensor<4x1100x1100xf32>) -> tensor<4x1100x1100xf32>
  %n = graph.reduce_sum %e {axes = array<i64: 2>} : (tensor<4x1100x1100xf32>) -> tensor<4x1100x1xf32>
  %p = graph.div %e, %n : (tensor<4x1100x1100xf32>, tensor<4x1100x1xf32>) -> tensor<4x1100x1100xf32>
  %y = graph.matmul %p, %v : (tensor<4x1100x1100xf32>, tensor<4x1100x8xf32>) -> tensor<4x1100x8xf32>
  %z = graph.transpose %y {permutation = array<i64: 1, 0, 2>} : (tensor<4x1100x8xf32>) -> tensor<1100x4x8xf32>
  return %y, %z : tensor<4x1100x8xf32>, tensor<1100x4x8xf32>
}
