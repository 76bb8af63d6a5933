// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --expect y4=%t/y4.npy --threads 2
// RUN: tenon-compile %s --mcpu=graniterapids -o %t/b.tenon --quiet

// No images: products, windows and pools have nothing to do. What depends on
// them may have. A product over no steps and a convolution of padding alone are
// their bias.
func.func @main(%x: tensor<0x16x9x9xf32> {onnx.name = "x"}, %z: tensor<2x9xf32> {onnx.name = "z"},
                %w: tensor<16x1x3x3xf32> {onnx.name = "w"}, %v: tensor<9x9xf32> {onnx.name = "v"},
                %b: tensor<9xf32> {onnx.name = "b"}, %u: tensor<1x3x0x2xf32> {onnx.name = "u"}, %k: tensor<9x3x1x1xf32> {onnx.name = "k"})
    -> (tensor<0x16x7x7xf32> {onnx.name = "y0"}, tensor<0x16x9x9xf32> {onnx.name = "y1"}, tensor<2x9xf32> {onnx.name = "y2"},
        tensor<9x9xf32> {onnx.name = "y3"}, tensor<1x9x2x4xf32> {onnx.name = "y4"}) {
  %c = "onnx.Conv"(%x, %w) {kernel_shape = array<i64: 3, 3>, group = 16 : i64} : (tensor<0x16x9x9xf32>, tensor<16x1x3x3xf32>) -> tensor<0x16x7x7xf32>
  %y0 = "onnx.Relu"(%c) : (tensor<0x16x7x7xf32>) -> tensor<0x16x7x7xf32>
  %y1 = "onnx.MatMul"(%x, %v) : (tensor<0x16x9x9xf32>, tensor<9x9xf32>) -> tensor<0x16x9x9xf32>
  %f = "onnx.Flatten"(%y1) {axis = 3 : i64} : (tensor<0x16x9x9xf32>) -> tensor<0x9xf32>
  %y2 = "onnx.Concat"(%f, %z) {axis = 0 : i64} : (tensor<0x9xf32>, tensor<2x9xf32>) -> tensor<2x9xf32>
  %y3 = "onnx.Gemm"(%f, %f, %b) {transA = 1 : i64} : (tensor<0x9xf32>, tensor<0x9xf32>, tensor<9xf32>) -> tensor<9x9xf32>
  %y4 = "onnx.Conv"(%u, %k, %b) {kernel_shape = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x3x0x2xf32>, tensor<9x3x1x1xf32>, tensor<9xf32>) -> tensor<1x9x2x4xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<0x16x7x7xf32>, tensor<0x16x9x9xf32>, tensor<2x9xf32>, tensor<9x9xf32>, tensor<1x9x2x4xf32>
}
