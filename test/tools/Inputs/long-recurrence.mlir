func.func @main(%g: tensor<1200000x1x1x1024xf32> {onnx.name = "x"}, %m: tensor<1x1024x1024xf32> {onnx.name = "w"}) -> (tensor<1x1x1024xf32> {onnx.name = "y"}) {
  %0:3 = "graph.recurrence"(%g, %m) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"]}> : (tensor<1200000x1x1x1024xf32>, tensor<1x1024x1024xf32>) -> (tensor<1200000x1x1x1024xf32>, tensor<1x1x1024xf32>, tensor<1x1x1024xf32>)
  return %0#1 : tensor<1x1x1024xf32>
}
