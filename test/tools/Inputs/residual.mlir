// A chain with a residual; its first node has a name.
func.func @main(%x: tensor<1x8x16x16xf32> {onnx.name = "x"}) -> (tensor<1x8x16x16xf32> {onnx.name = "y"}) {
  %0 = graph.relu %x : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32> loc("first/one,two")
  %1 = graph.softmax %0 {axis = 1 : i64} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %2 = graph.softmax %1 {axis = 2 : i64} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %3 = graph.softmax %2 {axis = 3 : i64} : (tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  %4 = graph.add %3, %0 : (tensor<1x8x16x16xf32>, tensor<1x8x16x16xf32>) -> tensor<1x8x16x16xf32>
  return %4 : tensor<1x8x16x16xf32>
}
