// Pools around the borders of tiles: extents that are cut into one, two and more
// tiles of either height, windows that share rows and columns or none, that hang
// over the border on either side, or read from padding alone.
func.func @same_1x1(%x: tensor<1x1x1x5xf32>) -> tensor<1x1x1x5xf32> {
  %r = kernel.group(%x) : (tensor<1x1x1x5xf32>) -> tensor<1x1x1x5xf32> {
  ^bb0(%a: tensor<1x1x1x5xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x1x1x5xf32>) -> tensor<1x1x1x5xf32>
    kernel.yield %0 : tensor<1x1x1x5xf32>
  }
  return %r : tensor<1x1x1x5xf32>
}
func.func @same_2x2(%x: tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32> {
  %r = kernel.group(%x) : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32> {
  ^bb0(%a: tensor<2x2x2x16xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x2x2x16xf32>) -> tensor<2x2x2x16xf32>
    kernel.yield %0 : tensor<2x2x2x16xf32>
  }
  return %r : tensor<2x2x2x16xf32>
}
func.func @same_3x4(%x: tensor<1x3x4x17xf32>) -> tensor<1x3x4x17xf32> {
  %r = kernel.group(%x) : (tensor<1x3x4x17xf32>) -> tensor<1x3x4x17xf32> {
  ^bb0(%a: tensor<1x3x4x17xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x3x4x17xf32>) -> tensor<1x3x4x17xf32>
    kernel.yield %0 : tensor<1x3x4x17xf32>
  }
  return %r : tensor<1x3x4x17xf32>
}
func.func @same_5x5(%x: tensor<2x5x5x40xf32>) -> tensor<2x5x5x40xf32> {
  %r = kernel.group(%x) : (tensor<2x5x5x40xf32>) -> tensor<2x5x5x40xf32> {
  ^bb0(%a: tensor<2x5x5x40xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x5x5x40xf32>) -> tensor<2x5x5x40xf32>
    kernel.yield %0 : tensor<2x5x5x40xf32>
  }
  return %r : tensor<2x5x5x40xf32>
}
func.func @same_6x7(%x: tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32> {
  %r = kernel.group(%x) : (tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32> {
  ^bb0(%a: tensor<1x6x7x33xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x6x7x33xf32>) -> tensor<1x6x7x33xf32>
    kernel.yield %0 : tensor<1x6x7x33xf32>
  }
  return %r : tensor<1x6x7x33xf32>
}
func.func @same_7x3(%x: tensor<2x7x3x3xf32>) -> tensor<2x7x3x3xf32> {
  %r = kernel.group(%x) : (tensor<2x7x3x3xf32>) -> tensor<2x7x3x3xf32> {
  ^bb0(%a: tensor<2x7x3x3xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x7x3x3xf32>) -> tensor<2x7x3x3xf32>
    kernel.yield %0 : tensor<2x7x3x3xf32>
  }
  return %r : tensor<2x7x3x3xf32>
}
func.func @same_9x8(%x: tensor<1x9x8x16xf32>) -> tensor<1x9x8x16xf32> {
  %r = kernel.group(%x) : (tensor<1x9x8x16xf32>) -> tensor<1x9x8x16xf32> {
  ^bb0(%a: tensor<1x9x8x16xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x9x8x16xf32>) -> tensor<1x9x8x16xf32>
    kernel.yield %0 : tensor<1x9x8x16xf32>
  }
  return %r : tensor<1x9x8x16xf32>
}
func.func @same_10x11(%x: tensor<2x10x11x72xf32>) -> tensor<2x10x11x72xf32> {
  %r = kernel.group(%x) : (tensor<2x10x11x72xf32>) -> tensor<2x10x11x72xf32> {
  ^bb0(%a: tensor<2x10x11x72xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x10x11x72xf32>) -> tensor<2x10x11x72xf32>
    kernel.yield %0 : tensor<2x10x11x72xf32>
  }
  return %r : tensor<2x10x11x72xf32>
}
func.func @half_3x3(%x: tensor<1x3x3x16xf32>) -> tensor<1x1x1x16xf32> {
  %r = kernel.group(%x) : (tensor<1x3x3x16xf32>) -> tensor<1x1x1x16xf32> {
  ^bb0(%a: tensor<1x3x3x16xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x3x3x16xf32>) -> tensor<1x1x1x16xf32>
    kernel.yield %0 : tensor<1x1x1x16xf32>
  }
  return %r : tensor<1x1x1x16xf32>
}
func.func @half_4x5(%x: tensor<1x4x5x20xf32>) -> tensor<1x2x3x20xf32> {
  %r = kernel.group(%x) : (tensor<1x4x5x20xf32>) -> tensor<1x2x3x20xf32> {
  ^bb0(%a: tensor<1x4x5x20xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x5x20xf32>) -> tensor<1x2x3x20xf32>
    kernel.yield %0 : tensor<1x2x3x20xf32>
  }
  return %r : tensor<1x2x3x20xf32>
}
func.func @half_7x9(%x: tensor<1x7x9x33xf32>) -> tensor<1x3x4x33xf32> {
  %r = kernel.group(%x) : (tensor<1x7x9x33xf32>) -> tensor<1x3x4x33xf32> {
  ^bb0(%a: tensor<1x7x9x33xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x7x9x33xf32>) -> tensor<1x3x4x33xf32>
    kernel.yield %0 : tensor<1x3x4x33xf32>
  }
  return %r : tensor<1x3x4x33xf32>
}
func.func @half_12x10(%x: tensor<1x12x10x8xf32>) -> tensor<1x6x5x8xf32> {
  %r = kernel.group(%x) : (tensor<1x12x10x8xf32>) -> tensor<1x6x5x8xf32> {
  ^bb0(%a: tensor<1x12x10x8xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x12x10x8xf32>) -> tensor<1x6x5x8xf32>
    kernel.yield %0 : tensor<1x6x5x8xf32>
  }
  return %r : tensor<1x6x5x8xf32>
}
func.func @half_15x16(%x: tensor<1x15x16x48xf32>) -> tensor<1x8x8x48xf32> {
  %r = kernel.group(%x) : (tensor<1x15x16x48xf32>) -> tensor<1x8x8x48xf32> {
  ^bb0(%a: tensor<1x15x16x48xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x15x16x48xf32>) -> tensor<1x8x8x48xf32>
    kernel.yield %0 : tensor<1x8x8x48xf32>
  }
  return %r : tensor<1x8x8x48xf32>
}
func.func @half_17x6(%x: tensor<1x17x6x130xf32>) -> tensor<1x8x3x130xf32> {
  %r = kernel.group(%x) : (tensor<1x17x6x130xf32>) -> tensor<1x8x3x130xf32> {
  ^bb0(%a: tensor<1x17x6x130xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x17x6x130xf32>) -> tensor<1x8x3x130xf32>
    kernel.yield %0 : tensor<1x8x3x130xf32>
  }
  return %r : tensor<1x8x3x130xf32>
}
func.func @valid(%x: tensor<2x11x13x24xf32>) -> tensor<2x9x11x24xf32> {
  %r = kernel.group(%x) : (tensor<2x11x13x24xf32>) -> tensor<2x9x11x24xf32> {
  ^bb0(%a: tensor<2x11x13x24xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x11x13x24xf32>) -> tensor<2x9x11x24xf32>
    kernel.yield %0 : tensor<2x9x11x24xf32>
  }
  return %r : tensor<2x9x11x24xf32>
}
func.func @valid_half(%x: tensor<1x13x11x150xf32>) -> tensor<1x6x5x150xf32> {
  %r = kernel.group(%x) : (tensor<1x13x11x150xf32>) -> tensor<1x6x5x150xf32> {
  ^bb0(%a: tensor<1x13x11x150xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x13x11x150xf32>) -> tensor<1x6x5x150xf32>
    kernel.yield %0 : tensor<1x6x5x150xf32>
  }
  return %r : tensor<1x6x5x150xf32>
}
func.func @wide(%x: tensor<1x4x14x37xf32>) -> tensor<1x4x14x37xf32> {
  %r = kernel.group(%x) : (tensor<1x4x14x37xf32>) -> tensor<1x4x14x37xf32> {
  ^bb0(%a: tensor<1x4x14x37xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 1, 5>, strides = array<i64: 1, 1>, pads = array<i64: 0, 2, 0, 2>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x4x14x37xf32>) -> tensor<1x4x14x37xf32>
    kernel.yield %0 : tensor<1x4x14x37xf32>
  }
  return %r : tensor<1x4x14x37xf32>
}
func.func @tall(%x: tensor<1x14x4x37xf32>) -> tensor<1x14x4x37xf32> {
  %r = kernel.group(%x) : (tensor<1x14x4x37xf32>) -> tensor<1x14x4x37xf32> {
  ^bb0(%a: tensor<1x14x4x37xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 5, 1>, strides = array<i64: 1, 1>, pads = array<i64: 2, 0, 2, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x14x4x37xf32>) -> tensor<1x14x4x37xf32>
    kernel.yield %0 : tensor<1x14x4x37xf32>
  }
  return %r : tensor<1x14x4x37xf32>
}
func.func @five(%x: tensor<1x12x12x20xf32>) -> tensor<1x12x12x20xf32> {
  %r = kernel.group(%x) : (tensor<1x12x12x20xf32>) -> tensor<1x12x12x20xf32> {
  ^bb0(%a: tensor<1x12x12x20xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 5, 5>, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x12x12x20xf32>) -> tensor<1x12x12x20xf32>
    kernel.yield %0 : tensor<1x12x12x20xf32>
  }
  return %r : tensor<1x12x12x20xf32>
}
func.func @seven(%x: tensor<1x10x9x20xf32>) -> tensor<1x10x9x20xf32> {
  %r = kernel.group(%x) : (tensor<1x10x9x20xf32>) -> tensor<1x10x9x20xf32> {
  ^bb0(%a: tensor<1x10x9x20xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 3, 3, 3, 3>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x10x9x20xf32>) -> tensor<1x10x9x20xf32>
    kernel.yield %0 : tensor<1x10x9x20xf32>
  }
  return %r : tensor<1x10x9x20xf32>
}
func.func @uneven(%x: tensor<1x9x12x33xf32>) -> tensor<1x9x5x33xf32> {
  %r = kernel.group(%x) : (tensor<1x9x12x33xf32>) -> tensor<1x9x5x33xf32> {
  ^bb0(%a: tensor<1x9x12x33xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 2, 4>, strides = array<i64: 1, 3>, pads = array<i64: 0, 1, 1, 3>, dilations = array<i64: 1, 1>, count_include_pad = true, layout = #graph<layout nhwc>} : (tensor<1x9x12x33xf32>) -> tensor<1x9x5x33xf32>
    kernel.yield %0 : tensor<1x9x5x33xf32>
  }
  return %r : tensor<1x9x5x33xf32>
}
func.func @pairs(%x: tensor<1x8x7x19xf32>) -> tensor<1x8x7x19xf32> {
  %r = kernel.group(%x) : (tensor<1x8x7x19xf32>) -> tensor<1x8x7x19xf32> {
  ^bb0(%a: tensor<1x8x7x19xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x7x19xf32>) -> tensor<1x8x7x19xf32>
    kernel.yield %0 : tensor<1x8x7x19xf32>
  }
  return %r : tensor<1x8x7x19xf32>
}
func.func @dilated(%x: tensor<1x11x13x20xf32>) -> tensor<1x11x13x20xf32> {
  %r = kernel.group(%x) : (tensor<1x11x13x20xf32>) -> tensor<1x11x13x20xf32> {
  ^bb0(%a: tensor<1x11x13x20xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 2, 2>, layout = #graph<layout nhwc>} : (tensor<1x11x13x20xf32>) -> tensor<1x11x13x20xf32>
    kernel.yield %0 : tensor<1x11x13x20xf32>
  }
  return %r : tensor<1x11x13x20xf32>
}
func.func @dilated_half(%x: tensor<1x11x13x20xf32>) -> tensor<1x5x13x20xf32> {
  %r = kernel.group(%x) : (tensor<1x11x13x20xf32>) -> tensor<1x5x13x20xf32> {
  ^bb0(%a: tensor<1x11x13x20xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 1>, pads = array<i64: 2, 1, 2, 1>, dilations = array<i64: 3, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x11x13x20xf32>) -> tensor<1x5x13x20xf32>
    kernel.yield %0 : tensor<1x5x13x20xf32>
  }
  return %r : tensor<1x5x13x20xf32>
}
func.func @eleven(%x: tensor<1x13x14x16xf32>) -> tensor<1x13x14x16xf32> {
  %r = kernel.group(%x) : (tensor<1x13x14x16xf32>) -> tensor<1x13x14x16xf32> {
  ^bb0(%a: tensor<1x13x14x16xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 11, 11>, strides = array<i64: 1, 1>, pads = array<i64: 5, 5, 5, 5>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x13x14x16xf32>) -> tensor<1x13x14x16xf32>
    kernel.yield %0 : tensor<1x13x14x16xf32>
  }
  return %r : tensor<1x13x14x16xf32>
}
func.func @twelve(%x: tensor<1x13x14x16xf32>) -> tensor<1x2x3x16xf32> {
  %r = kernel.group(%x) : (tensor<1x13x14x16xf32>) -> tensor<1x2x3x16xf32> {
  ^bb0(%a: tensor<1x13x14x16xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 12, 12>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x13x14x16xf32>) -> tensor<1x2x3x16xf32>
    kernel.yield %0 : tensor<1x2x3x16xf32>
  }
  return %r : tensor<1x2x3x16xf32>
}
// The first and the last windows see nothing.
func.func @nothing_but_padding(%x: tensor<1x3x4x16xf32>) -> tensor<1x6x7x16xf32> {
  %r = kernel.group(%x) : (tensor<1x3x4x16xf32>) -> tensor<1x6x7x16xf32> {
  ^bb0(%a: tensor<1x3x4x16xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x3x4x16xf32>) -> tensor<1x6x7x16xf32>
    kernel.yield %0 : tensor<1x6x7x16xf32>
  }
  return %r : tensor<1x6x7x16xf32>
}
func.func @whole(%x: tensor<1x7x7x100xf32>) -> tensor<1x1x1x100xf32> {
  %r = kernel.group(%x) : (tensor<1x7x7x100xf32>) -> tensor<1x1x1x100xf32> {
  ^bb0(%a: tensor<1x7x7x100xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 7, 7>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x7x7x100xf32>) -> tensor<1x1x1x100xf32>
    kernel.yield %0 : tensor<1x1x1x100xf32>
  }
  return %r : tensor<1x1x1x100xf32>
}
func.func @line(%x: tensor<1x21x20xf32>) -> tensor<1x21x20xf32> {
  %r = kernel.group(%x) : (tensor<1x21x20xf32>) -> tensor<1x21x20xf32> {
  ^bb0(%a: tensor<1x21x20xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 3>, strides = array<i64: 1>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, layout = #graph<layout nhwc>} : (tensor<1x21x20xf32>) -> tensor<1x21x20xf32>
    kernel.yield %0 : tensor<1x21x20xf32>
  }
  return %r : tensor<1x21x20xf32>
}
func.func @line_half(%x: tensor<2x20x20xf32>) -> tensor<2x10x20xf32> {
  %r = kernel.group(%x) : (tensor<2x20x20xf32>) -> tensor<2x10x20xf32> {
  ^bb0(%a: tensor<2x20x20xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3>, strides = array<i64: 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<2x20x20xf32>) -> tensor<2x10x20xf32>
    kernel.yield %0 : tensor<2x10x20xf32>
  }
  return %r : tensor<2x10x20xf32>
}
func.func @volume(%x: tensor<1x5x6x7x20xf32>) -> tensor<1x5x6x7x20xf32> {
  %r = kernel.group(%x) : (tensor<1x5x6x7x20xf32>) -> tensor<1x5x6x7x20xf32> {
  ^bb0(%a: tensor<1x5x6x7x20xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3, 3>, strides = array<i64: 1, 1, 1>, pads = array<i64: 1, 1, 1, 1, 1, 1>, dilations = array<i64: 1, 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x5x6x7x20xf32>) -> tensor<1x5x6x7x20xf32>
    kernel.yield %0 : tensor<1x5x6x7x20xf32>
  }
  return %r : tensor<1x5x6x7x20xf32>
}
func.func @volume_half(%x: tensor<1x5x6x7x20xf32>) -> tensor<1x2x3x4x20xf32> {
  %r = kernel.group(%x) : (tensor<1x5x6x7x20xf32>) -> tensor<1x2x3x4x20xf32> {
  ^bb0(%a: tensor<1x5x6x7x20xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 2, 3, 3>, strides = array<i64: 2, 2, 2>, pads = array<i64: 0, 1, 1, 0, 1, 1>, dilations = array<i64: 1, 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x5x6x7x20xf32>) -> tensor<1x2x3x4x20xf32>
    kernel.yield %0 : tensor<1x2x3x4x20xf32>
  }
  return %r : tensor<1x2x3x4x20xf32>
}
// Tiles of several rows in a volume.
func.func @slices(%x: tensor<1x3x6x7x20xf32>) -> tensor<1x3x6x7x20xf32> {
  %r = kernel.group(%x) : (tensor<1x3x6x7x20xf32>) -> tensor<1x3x6x7x20xf32> {
  ^bb0(%a: tensor<1x3x6x7x20xf32>):
    %0 = graph.max_pool %a {kernel = array<i64: 1, 3, 3>, strides = array<i64: 1, 1, 1>, pads = array<i64: 0, 1, 1, 0, 1, 1>, dilations = array<i64: 1, 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x3x6x7x20xf32>) -> tensor<1x3x6x7x20xf32>
    kernel.yield %0 : tensor<1x3x6x7x20xf32>
  }
  return %r : tensor<1x3x6x7x20xf32>
}
func.func @residual(%x: tensor<1x8x9x40xf32>, %y: tensor<1x8x9x40xf32>) -> tensor<1x8x9x40xf32> {
  %r = kernel.group(%x, %y) : (tensor<1x8x9x40xf32>, tensor<1x8x9x40xf32>) -> tensor<1x8x9x40xf32> {
  ^bb0(%a: tensor<1x8x9x40xf32>, %e: tensor<1x8x9x40xf32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x8x9x40xf32>) -> tensor<1x8x9x40xf32>
    %1 = graph.add %0, %e : (tensor<1x8x9x40xf32>, tensor<1x8x9x40xf32>) -> tensor<1x8x9x40xf32>
    kernel.yield %1 : tensor<1x8x9x40xf32>
  }
  return %r : tensor<1x8x9x40xf32>
}
func.func @half_precision(%x: tensor<1x8x9x40xf16>) -> tensor<1x8x9x40xf16> {
  %r = kernel.group(%x) : (tensor<1x8x9x40xf16>) -> tensor<1x8x9x40xf16> {
  ^bb0(%a: tensor<1x8x9x40xf16>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x8x9x40xf16>) -> tensor<1x8x9x40xf16>
    kernel.yield %0 : tensor<1x8x9x40xf16>
  }
  return %r : tensor<1x8x9x40xf16>
}
func.func @double(%x: tensor<1x6x9x21xf64>) -> tensor<1x3x5x21xf64> {
  %r = kernel.group(%x) : (tensor<1x6x9x21xf64>) -> tensor<1x3x5x21xf64> {
  ^bb0(%a: tensor<1x6x9x21xf64>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x9x21xf64>) -> tensor<1x3x5x21xf64>
    kernel.yield %0 : tensor<1x3x5x21xf64>
  }
  return %r : tensor<1x3x5x21xf64>
}
func.func @bytes(%x: tensor<1x8x9x70xi8>) -> tensor<1x8x9x70xi8> {
  %r = kernel.group(%x) : (tensor<1x8x9x70xi8>) -> tensor<1x8x9x70xi8> {
  ^bb0(%a: tensor<1x8x9x70xi8>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x9x70xi8>) -> tensor<1x8x9x70xi8>
    kernel.yield %0 : tensor<1x8x9x70xi8>
  }
  return %r : tensor<1x8x9x70xi8>
}
func.func @unsigned_bytes(%x: tensor<1x9x8x70xui8>) -> tensor<1x5x4x70xui8> {
  %r = kernel.group(%x) : (tensor<1x9x8x70xui8>) -> tensor<1x5x4x70xui8> {
  ^bb0(%a: tensor<1x9x8x70xui8>):
    %0 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x9x8x70xui8>) -> tensor<1x5x4x70xui8>
    kernel.yield %0 : tensor<1x5x4x70xui8>
  }
  return %r : tensor<1x5x4x70xui8>
}
func.func @integers(%x: tensor<1x8x9x19xi32>) -> tensor<1x8x9x19xi32> {
  %r = kernel.group(%x) : (tensor<1x8x9x19xi32>) -> tensor<1x8x9x19xi32> {
  ^bb0(%a: tensor<1x8x9x19xi32>):
    %0 = graph.avg_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x8x9x19xi32>) -> tensor<1x8x9x19xi32>
    kernel.yield %0 : tensor<1x8x9x19xi32>
  }
  return %r : tensor<1x8x9x19xi32>
}
