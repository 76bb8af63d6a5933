// A depthwise convolution of few rows, a product, and steps over time.
func.func @main(%x: tensor<1x1024x14x14xf32> {onnx.name = "x"}, %a: tensor<96x64xf32> {onnx.name = "a"}, %g: tensor<5x1x1x768xf32> {onnx.name = "g"})
    -> (tensor<1x1024x14x14xf32> {onnx.name = "y"}, tensor<96x256xf32> {onnx.name = "z"}, tensor<5x1x1x192xf32> {onnx.name = "h"}) {
  %w = graph.constant dense<0.3> : tensor<1024x1x3x3xf32>
  %b = graph.constant dense<0.1> : tensor<64x256xf32>
  %m = graph.constant dense<0.01> : tensor<1x192x768xf32>
  %y = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1024 : i64} : (tensor<1x1024x14x14xf32>, tensor<1024x1x3x3xf32>) -> tensor<1x1024x14x14xf32>
  %z = graph.matmul %a, %b : (tensor<96x64xf32>, tensor<64x256xf32>) -> tensor<96x256xf32>
  %h:3 = "graph.recurrence"(%g, %m) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (tensor<5x1x1x768xf32>, tensor<1x192x768xf32>) -> (tensor<5x1x1x192xf32>, tensor<1x1x192xf32>, tensor<1x1x192xf32>)
  return %y, %z, %h#0 : tensor<1x1024x14x14xf32>, tensor<96x256xf32>, tensor<5x1x1x192xf32>
}
