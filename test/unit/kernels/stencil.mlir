// Windows over images of one channel: rows of less than a vector, of some and a
// part, of whole ones; windows that hang over every border, that skip pixels or
// move by several, maxima and averages of what exists or of all, and what
// follows in registers.
func.func @conv_9x31(%x: tensor<1x9x31x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x9x31x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x9x31x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x9x31x1xf32> {
  ^bb0(%a: tensor<1x9x31x1xf32>, %c: tensor<1x1x3x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x9x31x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x9x31x1xf32>
    kernel.yield %0 : tensor<1x9x31x1xf32>
  }
  return %r : tensor<1x9x31x1xf32>
}
func.func @conv_1x8(%x: tensor<1x1x8x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x1x8x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x1x8x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x8x1xf32> {
  ^bb0(%a: tensor<1x1x8x1xf32>, %c: tensor<1x1x3x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x1x8x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x1x8x1xf32>
    kernel.yield %0 : tensor<1x1x8x1xf32>
  }
  return %r : tensor<1x1x8x1xf32>
}
func.func @conv_16(%x: tensor<2x7x16x1xf32>, %w: tensor<1x1x3x5xf32>) -> tensor<2x7x16x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x7x16x1xf32>, tensor<1x1x3x5xf32>) -> tensor<2x7x16x1xf32> {
  ^bb0(%a: tensor<2x7x16x1xf32>, %c: tensor<1x1x3x5xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 1, 2, 1, 2>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<2x7x16x1xf32>, tensor<1x1x3x5xf32>) -> tensor<2x7x16x1xf32>
    kernel.yield %0 : tensor<2x7x16x1xf32>
  }
  return %r : tensor<2x7x16x1xf32>
}
func.func @conv_17(%x: tensor<3x12x17x1xf32>, %w: tensor<1x1x5x5xf32>) -> tensor<3x12x17x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<3x12x17x1xf32>, tensor<1x1x5x5xf32>) -> tensor<3x12x17x1xf32> {
  ^bb0(%a: tensor<3x12x17x1xf32>, %c: tensor<1x1x5x5xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<3x12x17x1xf32>, tensor<1x1x5x5xf32>) -> tensor<3x12x17x1xf32>
    kernel.yield %0 : tensor<3x12x17x1xf32>
  }
  return %r : tensor<3x12x17x1xf32>
}
func.func @conv_48(%x: tensor<1x6x48x1xf32>, %w: tensor<1x1x1x7xf32>) -> tensor<1x6x48x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x6x48x1xf32>, tensor<1x1x1x7xf32>) -> tensor<1x6x48x1xf32> {
  ^bb0(%a: tensor<1x6x48x1xf32>, %c: tensor<1x1x1x7xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 3, 0, 3>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x6x48x1xf32>, tensor<1x1x1x7xf32>) -> tensor<1x6x48x1xf32>
    kernel.yield %0 : tensor<1x6x48x1xf32>
  }
  return %r : tensor<1x6x48x1xf32>
}
func.func @conv_50(%x: tensor<1x6x50x1xf32>, %w: tensor<1x1x7x1xf32>) -> tensor<1x6x50x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x6x50x1xf32>, tensor<1x1x7x1xf32>) -> tensor<1x6x50x1xf32> {
  ^bb0(%a: tensor<1x6x50x1xf32>, %c: tensor<1x1x7x1xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 3, 0, 3, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x6x50x1xf32>, tensor<1x1x7x1xf32>) -> tensor<1x6x50x1xf32>
    kernel.yield %0 : tensor<1x6x50x1xf32>
  }
  return %r : tensor<1x6x50x1xf32>
}
func.func @conv_valid(%x: tensor<1x14x67x1xf32>, %w: tensor<1x1x4x3xf32>) -> tensor<1x11x65x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x14x67x1xf32>, tensor<1x1x4x3xf32>) -> tensor<1x11x65x1xf32> {
  ^bb0(%a: tensor<1x14x67x1xf32>, %c: tensor<1x1x4x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x14x67x1xf32>, tensor<1x1x4x3xf32>) -> tensor<1x11x65x1xf32>
    kernel.yield %0 : tensor<1x11x65x1xf32>
  }
  return %r : tensor<1x11x65x1xf32>
}
func.func @conv_uneven(%x: tensor<1x10x33x1xf32>, %w: tensor<1x1x3x4xf32>) -> tensor<1x10x33x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x10x33x1xf32>, tensor<1x1x3x4xf32>) -> tensor<1x10x33x1xf32> {
  ^bb0(%a: tensor<1x10x33x1xf32>, %c: tensor<1x1x3x4xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 3, 2, 0>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x10x33x1xf32>, tensor<1x1x3x4xf32>) -> tensor<1x10x33x1xf32>
    kernel.yield %0 : tensor<1x10x33x1xf32>
  }
  return %r : tensor<1x10x33x1xf32>
}
func.func @conv_wide(%x: tensor<1x5x20x1xf32>, %w: tensor<1x1x1x23xf32>) -> tensor<1x5x20x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x5x20x1xf32>, tensor<1x1x1x23xf32>) -> tensor<1x5x20x1xf32> {
  ^bb0(%a: tensor<1x5x20x1xf32>, %c: tensor<1x1x1x23xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 0, 11, 0, 11>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x5x20x1xf32>, tensor<1x1x1x23xf32>) -> tensor<1x5x20x1xf32>
    kernel.yield %0 : tensor<1x5x20x1xf32>
  }
  return %r : tensor<1x5x20x1xf32>
}
func.func @conv_stride(%x: tensor<2x19x69x1xf32>, %w: tensor<1x1x5x5xf32>) -> tensor<2x10x35x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x19x69x1xf32>, tensor<1x1x5x5xf32>) -> tensor<2x10x35x1xf32> {
  ^bb0(%a: tensor<2x19x69x1xf32>, %c: tensor<1x1x5x5xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<2x19x69x1xf32>, tensor<1x1x5x5xf32>) -> tensor<2x10x35x1xf32>
    kernel.yield %0 : tensor<2x10x35x1xf32>
  }
  return %r : tensor<2x10x35x1xf32>
}
func.func @conv_stride_3(%x: tensor<1x11x101x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x11x34x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x11x101x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x11x34x1xf32> {
  ^bb0(%a: tensor<1x11x101x1xf32>, %c: tensor<1x1x3x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 3>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x11x101x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x11x34x1xf32>
    kernel.yield %0 : tensor<1x11x34x1xf32>
  }
  return %r : tensor<1x11x34x1xf32>
}
func.func @conv_stride_5(%x: tensor<1x11x91x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x4x19x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x11x91x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x4x19x1xf32> {
  ^bb0(%a: tensor<1x11x91x1xf32>, %c: tensor<1x1x3x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 3, 5>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x11x91x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x4x19x1xf32>
    kernel.yield %0 : tensor<1x4x19x1xf32>
  }
  return %r : tensor<1x4x19x1xf32>
}
func.func @conv_dilated(%x: tensor<1x15x40x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x15x40x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x15x40x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x15x40x1xf32> {
  ^bb0(%a: tensor<1x15x40x1xf32>, %c: tensor<1x1x3x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 2, 3, 2, 3>, dilations = array<i64: 2, 3>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x15x40x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x15x40x1xf32>
    kernel.yield %0 : tensor<1x15x40x1xf32>
  }
  return %r : tensor<1x15x40x1xf32>
}
func.func @conv_dilated_stride(%x: tensor<1x16x77x1xf32>, %w: tensor<1x1x3x3xf32>) -> tensor<1x8x39x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x16x77x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x8x39x1xf32> {
  ^bb0(%a: tensor<1x16x77x1xf32>, %c: tensor<1x1x3x3xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x16x77x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x8x39x1xf32>
    kernel.yield %0 : tensor<1x8x39x1xf32>
  }
  return %r : tensor<1x8x39x1xf32>
}
func.func @conv_then(%x: tensor<1x13x45x1xf32>, %w: tensor<1x1x3x3xf32>, %b: tensor<1xf32>, %z: tensor<1x13x45x1xf32>) -> tensor<1x13x45x1xf32> {
  %r = kernel.group(%x, %w, %b, %z) : (tensor<1x13x45x1xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>, tensor<1x13x45x1xf32>) -> tensor<1x13x45x1xf32> {
  ^bb0(%a: tensor<1x13x45x1xf32>, %c: tensor<1x1x3x3xf32>, %d: tensor<1xf32>, %e: tensor<1x13x45x1xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<1x13x45x1xf32>, tensor<1x1x3x3xf32>) -> tensor<1x13x45x1xf32>
    %1 = graph.add %0, %d : (tensor<1x13x45x1xf32>, tensor<1xf32>) -> tensor<1x13x45x1xf32>
    %2 = graph.tanh %1 : (tensor<1x13x45x1xf32>) -> tensor<1x13x45x1xf32>
    %3 = graph.mul %2, %e : (tensor<1x13x45x1xf32>, tensor<1x13x45x1xf32>) -> tensor<1x13x45x1xf32>
    kernel.yield %3 : tensor<1x13x45x1xf32>
  }
  return %r : tensor<1x13x45x1xf32>
}
func.func @conv_then_stride(%x: tensor<2x13x45x1xf32>, %w: tensor<1x1x3x3xf32>, %b: tensor<1xf32>, %z: tensor<2x7x23x1xf32>) -> tensor<2x7x23x1xf32> {
  %r = kernel.group(%x, %w, %b, %z) : (tensor<2x13x45x1xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>, tensor<2x7x23x1xf32>) -> tensor<2x7x23x1xf32> {
  ^bb0(%a: tensor<2x13x45x1xf32>, %c: tensor<1x1x3x3xf32>, %d: tensor<1xf32>, %e: tensor<2x7x23x1xf32>):
    %0 = graph.conv %a, %c {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>} : (tensor<2x13x45x1xf32>, tensor<1x1x3x3xf32>) -> tensor<2x7x23x1xf32>
    %1 = graph.add %0, %d : (tensor<2x7x23x1xf32>, tensor<1xf32>) -> tensor<2x7x23x1xf32>
    %2 = graph.tanh %1 : (tensor<2x7x23x1xf32>) -> tensor<2x7x23x1xf32>
    %3 = graph.mul %2, %e : (tensor<2x7x23x1xf32>, tensor<2x7x23x1xf32>) -> tensor<2x7x23x1xf32>
    kernel.yield %3 : tensor<2x7x23x1xf32>
  }
  return %r : tensor<2x7x23x1xf32>
}
func.func @max_3(%x: tensor<2x9x31x1xf32>) -> tensor<2x9x31x1xf32> {
  %r = kernel.group(%x) : (tensor<2x9x31x1xf32>) -> tensor<2x9x31x1xf32> {
  ^bb0(%a: tensor<2x9x31x1xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x9x31x1xf32>) -> tensor<2x9x31x1xf32>
    kernel.yield %0 : tensor<2x9x31x1xf32>
  }
  return %r : tensor<2x9x31x1xf32>
}
func.func @max_2(%x: tensor<1x12x64x1xf32>) -> tensor<1x6x32x1xf32> {
  %r = kernel.group(%x) : (tensor<1x12x64x1xf32>) -> tensor<1x6x32x1xf32> {
  ^bb0(%a: tensor<1x12x64x1xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x12x64x1xf32>) -> tensor<1x6x32x1xf32>
    kernel.yield %0 : tensor<1x6x32x1xf32>
  }
  return %r : tensor<1x6x32x1xf32>
}
func.func @max_5(%x: tensor<1x11x35x1xf32>) -> tensor<1x11x18x1xf32> {
  %r = kernel.group(%x) : (tensor<1x11x35x1xf32>) -> tensor<1x11x18x1xf32> {
  ^bb0(%a: tensor<1x11x35x1xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 5, 4>, strides = array<i64: 1, 2>, pads = array<i64: 2, 1, 2, 2>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x11x35x1xf32>) -> tensor<1x11x18x1xf32>
    kernel.yield %0 : tensor<1x11x18x1xf32>
  }
  return %r : tensor<1x11x18x1xf32>
}
func.func @max_dilated(%x: tensor<1x14x29x1xf32>) -> tensor<1x14x29x1xf32> {
  %r = kernel.group(%x) : (tensor<1x14x29x1xf32>) -> tensor<1x14x29x1xf32> {
  ^bb0(%a: tensor<1x14x29x1xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>, layout = #graph<layout nhwc>} : (tensor<1x14x29x1xf32>) -> tensor<1x14x29x1xf32>
    kernel.yield %0 : tensor<1x14x29x1xf32>
  }
  return %r : tensor<1x14x29x1xf32>
}
func.func @average_7(%x: tensor<1x21x53x1xf32>) -> tensor<1x21x53x1xf32> {
  %r = kernel.group(%x) : (tensor<1x21x53x1xf32>) -> tensor<1x21x53x1xf32> {
  ^bb0(%a: tensor<1x21x53x1xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x21x53x1xf32>) -> tensor<1x21x53x1xf32>
    kernel.yield %0 : tensor<1x21x53x1xf32>
  }
  return %r : tensor<1x21x53x1xf32>
}
func.func @average_3(%x: tensor<2x6x18x1xf32>) -> tensor<2x6x18x1xf32> {
  %r = kernel.group(%x) : (tensor<2x6x18x1xf32>) -> tensor<2x6x18x1xf32> {
  ^bb0(%a: tensor<2x6x18x1xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<2x6x18x1xf32>) -> tensor<2x6x18x1xf32>
    kernel.yield %0 : tensor<2x6x18x1xf32>
  }
  return %r : tensor<2x6x18x1xf32>
}
func.func @average_stride(%x: tensor<1x17x39x1xf32>) -> tensor<1x8x20x1xf32> {
  %r = kernel.group(%x) : (tensor<1x17x39x1xf32>) -> tensor<1x8x20x1xf32> {
  ^bb0(%a: tensor<1x17x39x1xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x17x39x1xf32>) -> tensor<1x8x20x1xf32>
    kernel.yield %0 : tensor<1x8x20x1xf32>
  }
  return %r : tensor<1x8x20x1xf32>
}
func.func @average_ceil(%x: tensor<1x8x37x1xf32>) -> tensor<1x6x19x1xf32> {
  %r = kernel.group(%x) : (tensor<1x8x37x1xf32>) -> tensor<1x6x19x1xf32> {
  ^bb0(%a: tensor<1x8x37x1xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 4>, strides = array<i64: 1, 2>, pads = array<i64: 0, 1, 0, 2>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x8x37x1xf32>) -> tensor<1x6x19x1xf32>
    kernel.yield %0 : tensor<1x6x19x1xf32>
  }
  return %r : tensor<1x6x19x1xf32>
}
func.func @average_row(%x: tensor<1x1x100x1xf32>) -> tensor<1x1x100x1xf32> {
  %r = kernel.group(%x) : (tensor<1x1x100x1xf32>) -> tensor<1x1x100x1xf32> {
  ^bb0(%a: tensor<1x1x100x1xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 1, 9>, strides = array<i64: 1, 1>, pads = array<i64: 0, 4, 0, 4>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x1x100x1xf32>) -> tensor<1x1x100x1xf32>
    kernel.yield %0 : tensor<1x1x100x1xf32>
  }
  return %r : tensor<1x1x100x1xf32>
}
func.func @average_12(%x: tensor<1x16x24x1xf32>) -> tensor<1x5x13x1xf32> {
  %r = kernel.group(%x) : (tensor<1x16x24x1xf32>) -> tensor<1x5x13x1xf32> {
  ^bb0(%a: tensor<1x16x24x1xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 12, 12>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x16x24x1xf32>) -> tensor<1x5x13x1xf32>
    kernel.yield %0 : tensor<1x5x13x1xf32>
  }
  return %r : tensor<1x5x13x1xf32>
}
