// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-compile %s --mcpu=x86-64-v3 --weights=f16 --report=%t/a.json -o %t/a.tenon | FileCheck %s --check-prefix=TABLE
// RUN: FileCheck %s --check-prefix=JSON --input-file=%t/a.json
// RUN: tenon-compile %s --mcpu=x86-64-v3 --weights=f16 --winograd=off -o %t/b.tenon | FileCheck %s --check-prefix=OFF

// What --weights leaves in f32 is listed with the reason: a filter of a
// convolution with fewer products, and one of a depthwise window.
// TABLE: saved by narrowing {{ *}}0 bytes
// TABLE: narrowed constants {{ *}}0, 2 kept in f32
// JSON: "note": "kept: transformed to need fewer products (--winograd=off)"
// JSON: "note": "kept: its kernel reads f32"
// OFF: saved by narrowing {{ *}}18432 bytes
// OFF: narrowed constants {{ *}}1, 1 kept in f32
func.func @main(%x: tensor<1x32x28x28xf32> {onnx.name = "x"}) -> (tensor<1x32x28x28xf32> {onnx.name = "y"}) {
  %w = "onnx.Constant"() {value = dense<0.1> : tensor<32x32x3x3xf32>} : () -> tensor<32x32x3x3xf32>
  %d = "onnx.Constant"() {value = dense<0.1> : tensor<32x1x3x3xf32>} : () -> tensor<32x1x3x3xf32>
  %0 = "onnx.Conv"(%x, %w) {pads = array<i64: 1, 1, 1, 1>} : (tensor<1x32x28x28xf32>, tensor<32x32x3x3xf32>) -> tensor<1x32x28x28xf32>
  %1 = "onnx.Conv"(%0, %d) {group = 32 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x32x28x28xf32>, tensor<32x1x3x3xf32>) -> tensor<1x32x28x28xf32>
  return %1 : tensor<1x32x28x28xf32>
}
