// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect d=%t/d.npy
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect d=%t/d.npy %}
// RUN: tenon-compile %s --mcpu=haswell --emit=asm -o - --quiet | FileCheck %s
// RUN: tenon-compile %s --mcpu=skylake-avx512 --emit=asm -o - --quiet | FileCheck %s

// A volume with a packed filter, an image with one channel, and one whose
// channels stay by themselves: all sums are vectors.
// CHECK-NOT: vfmadd{{[0-9]*}}ss
// CHECK: vfmadd{{[0-9]*}}ps
// CHECK-NOT: vfmadd{{[0-9]*}}ss
func.func @main(%x: tensor<1x6x3x5x9xf32> {onnx.name = "x"}) -> (tensor<1x20x6x10x18xf32> {onnx.name = "y"}, tensor<1x1x10x36xf32> {onnx.name = "z"}, tensor<1x6x10x36xf32> {onnx.name = "d"}) {
  %c = "onnx.Constant"() {value = dense<[0.5,-0.25,0.125,1.5,2.0,-0.75,0.3,-0.9]> : tensor<8xf32>} : () -> tensor<8xf32>
  %s = "onnx.Constant"() {value = dense<[1,1,2,2,2]> : tensor<5xi64>} : () -> tensor<5xi64>
  %s2 = "onnx.Constant"() {value = dense<[6,20,1,1,1]> : tensor<5xi64>} : () -> tensor<5xi64>
  %w0 = "onnx.Reshape"(%c, %s) : (tensor<8xf32>, tensor<5xi64>) -> tensor<1x1x2x2x2xf32>
  %w = "onnx.Expand"(%w0, %s2) : (tensor<1x1x2x2x2xf32>, tensor<5xi64>) -> tensor<6x20x2x2x2xf32>
  %y = "onnx.ConvTranspose"(%x, %w) {strides = array<i64: 2, 2, 2>} : (tensor<1x6x3x5x9xf32>, tensor<6x20x2x2x2xf32>) -> tensor<1x20x6x10x18xf32>
  %i = "onnx.Constant"() {value = dense<[1, 6, 5, 18]> : tensor<4xi64>} : () -> tensor<4xi64>
  %f = "onnx.Constant"() {value = dense<[[[[0.5, -1.0], [2.0, 0.25]]], [[[1.5, 1.0], [-2.0, 0.75]]], [[[0.5, 0.1], [0.2, 0.3]]], [[[-0.5, 3.0], [2.5, 0.5]]], [[[0.6, 0.7], [0.8, 0.9]]], [[[-0.1, 1.1], [1.2, -1.3]]]]> : tensor<6x1x2x2xf32>} : () -> tensor<6x1x2x2xf32>
  %k0 = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %k1 = "onnx.Constant"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %k2 = "onnx.Constant"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %j = "onnx.Slice"(%x, %k0, %k1, %k2) : (tensor<1x6x3x5x9xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x6x2x5x9xf32>
  %m = "onnx.Reshape"(%j, %i) : (tensor<1x6x2x5x9xf32>, tensor<4xi64>) -> tensor<1x6x5x18xf32>
  %z = "onnx.ConvTranspose"(%m, %f) {strides = array<i64: 2, 2>} : (tensor<1x6x5x18xf32>, tensor<6x1x2x2xf32>) -> tensor<1x1x10x36xf32>
  %d = "onnx.ConvTranspose"(%m, %f) {strides = array<i64: 2, 2>, group = 6 : i64} : (tensor<1x6x5x18xf32>, tensor<6x1x2x2xf32>) -> tensor<1x6x10x36xf32>
  return %y, %z, %d : tensor<1x20x6x10x18xf32>, tensor<1x1x10x36xf32>, tensor<1x6x10x36xf32>
}
