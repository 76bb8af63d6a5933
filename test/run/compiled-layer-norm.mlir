// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect y=%t/y.npy
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect y=%t/y.npy %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:3 --expect y=%t/y.npy
// RUN: tenon-opt %s --compile-to=codegen --mcpu=haswell | FileCheck %s

// A NaN or an infinity, in a row's first vector or behind it, spoils its row of
// those that are normalised together and no other. Equal elements differ from
// their mean by nothing.
// CHECK: llvm.intr.sqrt({{.*}}) : (vector<4xf32>)
func.func @main(%x: tensor<8x40xf32> {onnx.name = "x"})
    -> (tensor<8x40xf32> {onnx.name = "y"}) {
  %n = "onnx.Constant"() {value = dense<[[0.0], [0x7FC00000], [0.0], [0xFF800000], [3.0], [0x7F800000], [0.0], [1.0]]> : tensor<8x1xf32>} : () -> tensor<8x1xf32>
  %l = "onnx.Constant"() {value = dense<[[0.0], [0.0], [0x7F800000], [0.0], [3.0], [0.0], [0x7FC00000], [2.0]]> : tensor<8x1xf32>} : () -> tensor<8x1xf32>
  %r = "onnx.Constant"() {value = dense<[[false], [false], [false], [false], [true], [false], [false], [false]]> : tensor<8x1xi1>} : () -> tensor<8x1xi1>
  %first = "onnx.Constant"() {value = dense<[[false, false, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]]> : tensor<1x40xi1>} : () -> tensor<1x40xi1>
  %last = "onnx.Constant"() {value = dense<[[false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, true, false, false, false, false, false, false]]> : tensor<1x40xi1>} : () -> tensor<1x40xi1>
  %s = "onnx.Constant"() {value = dense<1.5> : tensor<40xf32>} : () -> tensor<40xf32>
  %a = "onnx.Where"(%first, %n, %x) : (tensor<1x40xi1>, tensor<8x1xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
  %b = "onnx.Where"(%last, %l, %a) : (tensor<1x40xi1>, tensor<8x1xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
  %c = "onnx.Where"(%r, %n, %b) : (tensor<8x1xi1>, tensor<8x1xf32>, tensor<8x40xf32>) -> tensor<8x40xf32>
  %y = "onnx.LayerNormalization"(%c, %s) {axis = -1 : i64, epsilon = 1.0e-5 : f32} : (tensor<8x40xf32>, tensor<40xf32>) -> tensor<8x40xf32>
  return %y : tensor<8x40xf32>
}
