// Averages of integers: sums of 64 bits, divided and truncated.
func.func @bytes(%x: tensor<1x9x13x37xi8>) -> tensor<1x5x7x37xi8> {
  %r = kernel.group(%x) : (tensor<1x9x13x37xi8>) -> tensor<1x5x7x37xi8> {
  ^bb0(%a: tensor<1x9x13x37xi8>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x9x13x37xi8>) -> tensor<1x5x7x37xi8>
    kernel.yield %0 : tensor<1x5x7x37xi8>
  }
  return %r : tensor<1x5x7x37xi8>
}
func.func @unsigned_bytes(%x: tensor<2x6x7x3xui8>) -> tensor<2x5x6x3xui8> {
  %r = kernel.group(%x) : (tensor<2x6x7x3xui8>) -> tensor<2x5x6x3xui8> {
  ^bb0(%a: tensor<2x6x7x3xui8>):
    %0 = graph.avg_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<2x6x7x3xui8>) -> tensor<2x5x6x3xui8>
    kernel.yield %0 : tensor<2x5x6x3xui8>
  }
  return %r : tensor<2x5x6x3xui8>
}
func.func @counts_padding(%x: tensor<1x9x13x20xi32>) -> tensor<1x9x13x20xi32> {
  %r = kernel.group(%x) : (tensor<1x9x13x20xi32>) -> tensor<1x9x13x20xi32> {
  ^bb0(%a: tensor<1x9x13x20xi32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x9x13x20xi32>) -> tensor<1x9x13x20xi32>
    kernel.yield %0 : tensor<1x9x13x20xi32>
  }
  return %r : tensor<1x9x13x20xi32>
}
func.func @long_integers(%x: tensor<1x9x13x5xi64>) -> tensor<1x4x6x5xi64> {
  %r = kernel.group(%x) : (tensor<1x9x13x5xi64>) -> tensor<1x4x6x5xi64> {
  ^bb0(%a: tensor<1x9x13x5xi64>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x9x13x5xi64>) -> tensor<1x4x6x5xi64>
    kernel.yield %0 : tensor<1x4x6x5xi64>
  }
  return %r : tensor<1x4x6x5xi64>
}
