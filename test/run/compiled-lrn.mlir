// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --rtol 2e-6
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --rtol 2e-6 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:3 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --rtol 2e-6

// Frequent exponents are roots, others a logarithm and an exponential. Channels
// fill no vector, windows hang over both ends, even ones further at the end.
func.func @main(%x: tensor<2x37x3x5xf32> {onnx.name = "x"})
    -> (tensor<2x37x3x5xf32> {onnx.name = "a"}, tensor<2x37x3x5xf32> {onnx.name = "b"},
        tensor<2x37x3x5xf32> {onnx.name = "c"}, tensor<2x37x3x5xf32> {onnx.name = "d"}) {
  %a = "onnx.LRN"(%x) {size = 5 : i64, alpha = 1.5 : f32, beta = 0.75 : f32, bias = 1.0 : f32} : (tensor<2x37x3x5xf32>) -> tensor<2x37x3x5xf32>
  %b = "onnx.LRN"(%x) {size = 4 : i64, alpha = 0.5 : f32, beta = 0.5 : f32, bias = 2.0 : f32} : (tensor<2x37x3x5xf32>) -> tensor<2x37x3x5xf32>
  %c = "onnx.LRN"(%x) {size = 3 : i64, alpha = 2.0 : f32, beta = 1.0 : f32, bias = 0.5 : f32} : (tensor<2x37x3x5xf32>) -> tensor<2x37x3x5xf32>
  %d = "onnx.LRN"(%x) {size = 9 : i64, alpha = 1.0 : f32, beta = 0.6 : f32, bias = 1.0 : f32} : (tensor<2x37x3x5xf32>) -> tensor<2x37x3x5xf32>
  return %a, %b, %c, %d : tensor<2x37x3x5xf32>, tensor<2x37x3x5xf32>, tensor<2x37x3x5xf32>, tensor<2x37x3x5xf32>
}
