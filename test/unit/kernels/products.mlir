// Products and convolutions whose columns are no whole vectors, as pieces of a
// concatenation are: what lies behind a row is another piece's.
func.func @product(%x: tensor<37x24xf32>) -> tensor<37x13xf32> {
  %w = graph.constant dense<0.125> : tensor<24x13xf32>
  %r = kernel.group(%x, %w) : (tensor<37x24xf32>, tensor<24x13xf32>) -> tensor<37x13xf32> {
  ^bb0(%a: tensor<37x24xf32>, %b: tensor<24x13xf32>):
    %0 = graph.matmul %a, %b : (tensor<37x24xf32>, tensor<24x13xf32>) -> tensor<37x13xf32>
    kernel.yield %0 : tensor<37x13xf32>
  }
  return %r : tensor<37x13xf32>
}
func.func @wide_product(%x: tensor<130x96xf32>) -> tensor<130x75xf32> {
  %w = graph.constant dense<0.125> : tensor<96x75xf32>
  %r = kernel.group(%x, %w) : (tensor<130x96xf32>, tensor<96x75xf32>) -> tensor<130x75xf32> {
  ^bb0(%a: tensor<130x96xf32>, %b: tensor<96x75xf32>):
    %0 = graph.matmul %a, %b : (tensor<130x96xf32>, tensor<96x75xf32>) -> tensor<130x75xf32>
    kernel.yield %0 : tensor<130x75xf32>
  }
  return %r : tensor<130x75xf32>
}
func.func @row(%x: tensor<1x256xf32>) -> tensor<1x45xf32> {
  %w = graph.constant dense<0.125> : tensor<256x45xf32>
  %r = kernel.group(%x, %w) : (tensor<1x256xf32>, tensor<256x45xf32>) -> tensor<1x45xf32> {
  ^bb0(%a: tensor<1x256xf32>, %b: tensor<256x45xf32>):
    %0 = graph.matmul %a, %b : (tensor<1x256xf32>, tensor<256x45xf32>) -> tensor<1x45xf32>
    kernel.yield %0 : tensor<1x45xf32>
  }
  return %r : tensor<1x45xf32>
}
func.func @pointwise(%x: tensor<1x9x9x24xf32>) -> tensor<1x9x9x13xf32> {
  %w = graph.constant dense<0.125> : tensor<13x24x1x1xf32>
  %r = kernel.group(%x, %w) : (tensor<1x9x9x24xf32>, tensor<13x24x1x1xf32>) -> tensor<1x9x9x13xf32> {
  ^bb0(%a: tensor<1x9x9x24xf32>, %b: tensor<13x24x1x1xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x9x9x24xf32>, tensor<13x24x1x1xf32>) -> tensor<1x9x9x13xf32>
    %1 = graph.relu %0 : (tensor<1x9x9x13xf32>) -> tensor<1x9x9x13xf32>
    kernel.yield %1 : tensor<1x9x9x13xf32>
  }
  return %r : tensor<1x9x9x13xf32>
}
func.func @three(%x: tensor<1x11x11x32xf32>) -> tensor<1x11x11x19xf32> {
  %w = graph.constant dense<0.125> : tensor<19x32x3x3xf32>
  %r = kernel.group(%x, %w) : (tensor<1x11x11x32xf32>, tensor<19x32x3x3xf32>) -> tensor<1x11x11x19xf32> {
  ^bb0(%a: tensor<1x11x11x32xf32>, %b: tensor<19x32x3x3xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x11x11x32xf32>, tensor<19x32x3x3xf32>) -> tensor<1x11x11x19xf32>
    %1 = graph.relu %0 : (tensor<1x11x11x19xf32>) -> tensor<1x11x11x19xf32>
    kernel.yield %1 : tensor<1x11x11x19xf32>
  }
  return %r : tensor<1x11x11x19xf32>
}
func.func @winograd(%x: tensor<1x15x15x64xf32>) -> tensor<1x15x15x45xf32> {
  %w = graph.constant dense<0.125> : tensor<45x64x3x3xf32>
  %r = kernel.group(%x, %w) : (tensor<1x15x15x64xf32>, tensor<45x64x3x3xf32>) -> tensor<1x15x15x45xf32> {
  ^bb0(%a: tensor<1x15x15x64xf32>, %b: tensor<45x64x3x3xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x15x15x64xf32>, tensor<45x64x3x3xf32>) -> tensor<1x15x15x45xf32>
    %1 = graph.relu %0 : (tensor<1x15x15x45xf32>) -> tensor<1x15x15x45xf32>
    kernel.yield %1 : tensor<1x15x15x45xf32>
  }
  return %r : tensor<1x15x15x45xf32>
}
func.func @depthwise(%x: tensor<1x9x9x21xf32>) -> tensor<1x9x9x21xf32> {
  %w = graph.constant dense<0.125> : tensor<21x1x3x3xf32>
  %r = kernel.group(%x, %w) : (tensor<1x9x9x21xf32>, tensor<21x1x3x3xf32>) -> tensor<1x9x9x21xf32> {
  ^bb0(%a: tensor<1x9x9x21xf32>, %b: tensor<21x1x3x3xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 21 : i64, layout = #graph<layout nhwc>} : (tensor<1x9x9x21xf32>, tensor<21x1x3x3xf32>) -> tensor<1x9x9x21xf32>
    %1 = graph.relu %0 : (tensor<1x9x9x21xf32>) -> tensor<1x9x9x21xf32>
    kernel.yield %1 : tensor<1x9x9x21xf32>
  }
  return %r : tensor<1x9x9x21xf32>
}
func.func @grouped(%x: tensor<1x8x8x16xf32>) -> tensor<1x8x8x24xf32> {
  %w = graph.constant dense<0.125> : tensor<24x4x3x3xf32>
  %r = kernel.group(%x, %w) : (tensor<1x8x8x16xf32>, tensor<24x4x3x3xf32>) -> tensor<1x8x8x24xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<24x4x3x3xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<24x4x3x3xf32>) -> tensor<1x8x8x24xf32>
    %1 = graph.relu %0 : (tensor<1x8x8x24xf32>) -> tensor<1x8x8x24xf32>
    kernel.yield %1 : tensor<1x8x8x24xf32>
  }
  return %r : tensor<1x8x8x24xf32>
}
