// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect v=%t/v.npy
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect v=%t/v.npy %}
// RUN: tenon-compile %s --mcpu=haswell --emit=asm -o - --quiet | FileCheck %s
// RUN: tenon-compile %s --mcpu=skylake-avx512 --emit=asm -o - --quiet | FileCheck %s

// A matrix, its transpose and a batch times a vector, one with a constant
// vector and an epilogue, and a convolution to one channel: all sums are
// vectors.
// CHECK-NOT: vfmadd{{[0-9]*}}ss
// CHECK: vfmadd{{[0-9]*}}ps
// CHECK-NOT: vfmadd{{[0-9]*}}ss
func.func @main(%m: tensor<6x35x19xf32> {onnx.name = "m"}, %c: tensor<19x1xf32> {onnx.name = "c"}, %d: tensor<6x35x1xf32> {onnx.name = "d"})
    -> (tensor<6x35x1xf32> {onnx.name = "y"}, tensor<6x19x1xf32> {onnx.name = "z"}, tensor<1x1x33x17xf32> {onnx.name = "v"}) {
  %k = "onnx.Constant"() {value = dense<0.75> : tensor<1xf32>} : () -> tensor<1xf32>
  %w = "onnx.Constant"() {value = dense<[[0.5], [-1.0], [2.0], [0.25], [3.0], [-0.5], [1.5], [0.1], [0.2], [0.3], [0.4], [0.6], [0.7], [0.8], [0.9], [1.1], [1.2], [1.3], [1.4]]> : tensor<19x1xf32>} : () -> tensor<19x1xf32>
  %f = "onnx.Constant"() {value = dense<[[[[0.5, -1.0, 0.1], [2.0, 0.25, 0.2], [0.3, 0.4, -0.5]], [[1.5, 1.0, 0.6], [-2.0, 0.75, 0.7], [0.8, 0.9, 1.1]], [[0.5, -1.5, 0.1], [2.5, 0.25, 0.2], [0.3, 0.4, 0.5]], [[1.5, 1.5, 0.6], [-2.5, 0.75, 0.7], [0.8, 0.9, -1.1]], [[0.5, -1.0, 0.15], [2.0, 0.25, 0.2], [0.35, 0.4, 0.5]], [[1.5, 1.25, 0.6], [-2.0, 0.75, -0.7], [0.8, 0.95, 1.1]]]]> : tensor<1x6x3x3xf32>} : () -> tensor<1x6x3x3xf32>
  %0 = "onnx.MatMul"(%m, %c) : (tensor<6x35x19xf32>, tensor<19x1xf32>) -> tensor<6x35x1xf32>
  %1 = "onnx.MatMul"(%m, %w) : (tensor<6x35x19xf32>, tensor<19x1xf32>) -> tensor<6x35x1xf32>
  %2 = "onnx.Add"(%1, %k) : (tensor<6x35x1xf32>, tensor<1xf32>) -> tensor<6x35x1xf32>
  %3 = "onnx.Relu"(%2) : (tensor<6x35x1xf32>) -> tensor<6x35x1xf32>
  %y = "onnx.Add"(%3, %0) : (tensor<6x35x1xf32>, tensor<6x35x1xf32>) -> tensor<6x35x1xf32>
  %t = "onnx.Transpose"(%m) {perm = array<i64: 0, 2, 1>} : (tensor<6x35x19xf32>) -> tensor<6x19x35xf32>
  %z = "onnx.MatMul"(%t, %d) : (tensor<6x19x35xf32>, tensor<6x35x1xf32>) -> tensor<6x19x1xf32>
  %s = "onnx.Constant"() {value = dense<[1, 6, 35, 19]> : tensor<4xi64>} : () -> tensor<4xi64>
  %i = "onnx.Reshape"(%m, %s) : (tensor<6x35x19xf32>, tensor<4xi64>) -> tensor<1x6x35x19xf32>
  %v = "onnx.Conv"(%i, %f) {kernel_shape = array<i64: 3, 3>} : (tensor<1x6x35x19xf32>, tensor<1x6x3x3xf32>) -> tensor<1x1x33x17xf32>
  return %y, %z, %v : tensor<6x35x1xf32>, tensor<6x19x1xf32>, tensor<1x1x33x17xf32>
}
