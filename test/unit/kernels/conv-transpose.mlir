// Transposed convolutions with lanes along pixels and along channels.
func.func @one_channel_nhwc(%x: tensor<2x6x45x24xf32>, %w: tensor<24x1x2x2xf32>) -> tensor<2x12x90x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x6x45x24xf32>, tensor<24x1x2x2xf32>) -> tensor<2x12x90x1xf32> {
  ^bb0(%a: tensor<2x6x45x24xf32>, %b: tensor<24x1x2x2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<2x6x45x24xf32>, tensor<24x1x2x2xf32>) -> tensor<2x12x90x1xf32>
    kernel.yield %0 : tensor<2x12x90x1xf32>
  }
  return %r : tensor<2x12x90x1xf32>
}
func.func @three_channels_overlap(%x: tensor<1x5x37x20xf32>, %w: tensor<20x3x4x4xf32>) -> tensor<1x10x74x3xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x5x37x20xf32>, tensor<20x3x4x4xf32>) -> tensor<1x10x74x3xf32> {
  ^bb0(%a: tensor<1x5x37x20xf32>, %b: tensor<20x3x4x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x5x37x20xf32>, tensor<20x3x4x4xf32>) -> tensor<1x10x74x3xf32>
    kernel.yield %0 : tensor<1x10x74x3xf32>
  }
  return %r : tensor<1x10x74x3xf32>
}
func.func @one_channel_nchw(%x: tensor<1x7x5x70xf32>, %w: tensor<7x1x2x3xf32>) -> tensor<1x1x10x211xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x7x5x70xf32>, tensor<7x1x2x3xf32>) -> tensor<1x1x10x211xf32> {
  ^bb0(%a: tensor<1x7x5x70xf32>, %b: tensor<7x1x2x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 3>, pads = array<i64: 0, 1, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 2>} : (tensor<1x7x5x70xf32>, tensor<7x1x2x3xf32>) -> tensor<1x1x10x211xf32>
    kernel.yield %0 : tensor<1x1x10x211xf32>
  }
  return %r : tensor<1x1x10x211xf32>
}
func.func @wide_stride(%x: tensor<1x3x9x5xf32>, %w: tensor<5x1x16x16xf32>) -> tensor<1x24x139x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x3x9x5xf32>, tensor<5x1x16x16xf32>) -> tensor<1x24x139x1xf32> {
  ^bb0(%a: tensor<1x3x9x5xf32>, %b: tensor<5x1x16x16xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 8, 16>, pads = array<i64: 4, 3, 4, 2>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x3x9x5xf32>, tensor<5x1x16x16xf32>) -> tensor<1x24x139x1xf32>
    kernel.yield %0 : tensor<1x24x139x1xf32>
  }
  return %r : tensor<1x24x139x1xf32>
}
func.func @wide_stride_nchw(%x: tensor<1x3x2x20xf32>, %w: tensor<3x2x3x9xf32>) -> tensor<1x2x2x180xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x3x2x20xf32>, tensor<3x2x3x9xf32>) -> tensor<1x2x2x180xf32> {
  ^bb0(%a: tensor<1x3x2x20xf32>, %b: tensor<3x2x3x9xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 1, 9>, pads = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x3x2x20xf32>, tensor<3x2x3x9xf32>) -> tensor<1x2x2x180xf32>
    kernel.yield %0 : tensor<1x2x2x180xf32>
  }
  return %r : tensor<1x2x2x180xf32>
}
func.func @gaps(%x: tensor<1x4x19x3xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x12x58x2xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x4x19x3xf32>, tensor<3x2x2x2xf32>) -> tensor<1x12x58x2xf32> {
  ^bb0(%a: tensor<1x4x19x3xf32>, %b: tensor<3x2x2x2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 1, 2>, layout = #graph<layout nhwc>} : (tensor<1x4x19x3xf32>, tensor<3x2x2x2xf32>) -> tensor<1x12x58x2xf32>
    kernel.yield %0 : tensor<1x12x58x2xf32>
  }
  return %r : tensor<1x12x58x2xf32>
}
func.func @dilated(%x: tensor<1x6x40x4xf32>, %w: tensor<4x1x3x3xf32>) -> tensor<1x15x43x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x6x40x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x15x43x1xf32> {
  ^bb0(%a: tensor<1x6x40x4xf32>, %b: tensor<4x1x3x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 1>, pads = array<i64: 1, 2, 0, 1>, dilations = array<i64: 2, 3>, output_padding = array<i64: 1, 0>, layout = #graph<layout nhwc>} : (tensor<1x6x40x4xf32>, tensor<4x1x3x3xf32>) -> tensor<1x15x43x1xf32>
    kernel.yield %0 : tensor<1x15x43x1xf32>
  }
  return %r : tensor<1x15x43x1xf32>
}
func.func @depthwise_nhwc(%x: tensor<1x7x18x6xf32>, %w: tensor<6x1x4x4xf32>) -> tensor<1x14x36x6xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x7x18x6xf32>, tensor<6x1x4x4xf32>) -> tensor<1x14x36x6xf32> {
  ^bb0(%a: tensor<1x7x18x6xf32>, %b: tensor<6x1x4x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 6 : i64, layout = #graph<layout nhwc>} : (tensor<1x7x18x6xf32>, tensor<6x1x4x4xf32>) -> tensor<1x14x36x6xf32>
    kernel.yield %0 : tensor<1x14x36x6xf32>
  }
  return %r : tensor<1x14x36x6xf32>
}
func.func @grouped_nchw(%x: tensor<2x6x4x21xf32>, %w: tensor<6x3x3x3xf32>) -> tensor<2x9x8x42xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x6x4x21xf32>, tensor<6x3x3x3xf32>) -> tensor<2x9x8x42xf32> {
  ^bb0(%a: tensor<2x6x4x21xf32>, %b: tensor<6x3x3x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 1, 1>, group = 3 : i64} : (tensor<2x6x4x21xf32>, tensor<6x3x3x3xf32>) -> tensor<2x9x8x42xf32>
    kernel.yield %0 : tensor<2x9x8x42xf32>
  }
  return %r : tensor<2x9x8x42xf32>
}
func.func @odd_channels(%x: tensor<1x4x11x9xf32>, %w: tensor<9x5x2x2xf32>) -> tensor<1x8x22x5xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x4x11x9xf32>, tensor<9x5x2x2xf32>) -> tensor<1x8x22x5xf32> {
  ^bb0(%a: tensor<1x4x11x9xf32>, %b: tensor<9x5x2x2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x11x9xf32>, tensor<9x5x2x2xf32>) -> tensor<1x8x22x5xf32>
    kernel.yield %0 : tensor<1x8x22x5xf32>
  }
  return %r : tensor<1x8x22x5xf32>
}
func.func @many_sources(%x: tensor<1x2x9x2100xf32>, %w: tensor<2100x1x3x3xf32>) -> tensor<1x3x17x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x2x9x2100xf32>, tensor<2100x1x3x3xf32>) -> tensor<1x3x17x1xf32> {
  ^bb0(%a: tensor<1x2x9x2100xf32>, %b: tensor<2100x1x3x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x2x9x2100xf32>, tensor<2100x1x3x3xf32>) -> tensor<1x3x17x1xf32>
    kernel.yield %0 : tensor<1x3x17x1xf32>
  }
  return %r : tensor<1x3x17x1xf32>
}
func.func @many_sources_nchw(%x: tensor<1x1300x2x9xf32>, %w: tensor<1300x2x3x3xf32>) -> tensor<1x2x2x9xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x1300x2x9xf32>, tensor<1300x2x3x3xf32>) -> tensor<1x2x2x9xf32> {
  ^bb0(%a: tensor<1x1300x2x9xf32>, %b: tensor<1300x2x3x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x1300x2x9xf32>, tensor<1300x2x3x3xf32>) -> tensor<1x2x2x9xf32>
    kernel.yield %0 : tensor<1x2x2x9xf32>
  }
  return %r : tensor<1x2x2x9xf32>
}
func.func @one_pixel(%x: tensor<3x1x1x37xf32>, %w: tensor<37x1x2x2xf32>) -> tensor<3x2x2x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<3x1x1x37xf32>, tensor<37x1x2x2xf32>) -> tensor<3x2x2x1xf32> {
  ^bb0(%a: tensor<3x1x1x37xf32>, %b: tensor<37x1x2x2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<3x1x1x37xf32>, tensor<37x1x2x2xf32>) -> tensor<3x2x2x1xf32>
    kernel.yield %0 : tensor<3x2x2x1xf32>
  }
  return %r : tensor<3x2x2x1xf32>
}
func.func @depthwise_lanes(%x: tensor<1x7x18x64xf32>, %w: tensor<64x1x4x4xf32>) -> tensor<1x14x36x64xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x7x18x64xf32>, tensor<64x1x4x4xf32>) -> tensor<1x14x36x64xf32> {
  ^bb0(%a: tensor<1x7x18x64xf32>, %b: tensor<64x1x4x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 64 : i64, layout = #graph<layout nhwc>} : (tensor<1x7x18x64xf32>, tensor<64x1x4x4xf32>) -> tensor<1x14x36x64xf32>
    kernel.yield %0 : tensor<1x14x36x64xf32>
  }
  return %r : tensor<1x14x36x64xf32>
}
func.func @depthwise_tail(%x: tensor<2x5x6x21xf32>, %w: tensor<21x1x3x3xf32>) -> tensor<2x10x12x21xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x5x6x21xf32>, tensor<21x1x3x3xf32>) -> tensor<2x10x12x21xf32> {
  ^bb0(%a: tensor<2x5x6x21xf32>, %b: tensor<21x1x3x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 1, 1>, group = 21 : i64, layout = #graph<layout nhwc>} : (tensor<2x5x6x21xf32>, tensor<21x1x3x3xf32>) -> tensor<2x10x12x21xf32>
    kernel.yield %0 : tensor<2x10x12x21xf32>
  }
  return %r : tensor<2x10x12x21xf32>
}
func.func @half_pixels(%x: tensor<1x6x45x24xf16>, %w: tensor<24x1x2x2xf16>) -> tensor<1x12x90x1xf16> {
  %r = kernel.group(%x, %w) : (tensor<1x6x45x24xf16>, tensor<24x1x2x2xf16>) -> tensor<1x12x90x1xf16> {
  ^bb0(%a: tensor<1x6x45x24xf16>, %b: tensor<24x1x2x2xf16>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x6x45x24xf16>, tensor<24x1x2x2xf16>) -> tensor<1x12x90x1xf16>
    kernel.yield %0 : tensor<1x12x90x1xf16>
  }
  return %r : tensor<1x12x90x1xf16>
}
func.func @brain_pixels(%x: tensor<1x20x5x37xbf16>, %w: tensor<20x2x4x4xbf16>) -> tensor<1x2x10x74xbf16> {
  %r = kernel.group(%x, %w) : (tensor<1x20x5x37xbf16>, tensor<20x2x4x4xbf16>) -> tensor<1x2x10x74xbf16> {
  ^bb0(%a: tensor<1x20x5x37xbf16>, %b: tensor<20x2x4x4xbf16>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x20x5x37xbf16>, tensor<20x2x4x4xbf16>) -> tensor<1x2x10x74xbf16>
    kernel.yield %0 : tensor<1x2x10x74xbf16>
  }
  return %r : tensor<1x2x10x74xbf16>
}
func.func @half_channels(%x: tensor<1x5x7x20xf16>, %w: tensor<20x32x4x4xf16>) -> tensor<1x10x14x32xf16> {
  %r = kernel.group(%x, %w) : (tensor<1x5x7x20xf16>, tensor<20x32x4x4xf16>) -> tensor<1x10x14x32xf16> {
  ^bb0(%a: tensor<1x5x7x20xf16>, %b: tensor<20x32x4x4xf16>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x5x7x20xf16>, tensor<20x32x4x4xf16>) -> tensor<1x10x14x32xf16>
    kernel.yield %0 : tensor<1x10x14x32xf16>
  }
  return %r : tensor<1x10x14x32xf16>
}
func.func @brain_depthwise(%x: tensor<1x5x7x21xbf16>, %w: tensor<21x1x3x3xbf16>) -> tensor<1x9x13x21xbf16> {
  %r = kernel.group(%x, %w) : (tensor<1x5x7x21xbf16>, tensor<21x1x3x3xbf16>) -> tensor<1x9x13x21xbf16> {
  ^bb0(%a: tensor<1x5x7x21xbf16>, %b: tensor<21x1x3x3xbf16>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 21 : i64, layout = #graph<layout nhwc>} : (tensor<1x5x7x21xbf16>, tensor<21x1x3x3xbf16>) -> tensor<1x9x13x21xbf16>
    kernel.yield %0 : tensor<1x9x13x21xbf16>
  }
  return %r : tensor<1x9x13x21xbf16>
}
func.func @brain_transposed(%x: tensor<1x5x37x20xbf16>, %w: tensor<20x3x3x3xbf16>) -> tensor<1x9x73x3xbf16> {
  %r = kernel.group(%x, %w) : (tensor<1x5x37x20xbf16>, tensor<20x3x3x3xbf16>) -> tensor<1x9x73x3xbf16> {
  ^bb0(%a: tensor<1x5x37x20xbf16>, %b: tensor<20x3x3x3xbf16>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x5x37x20xbf16>, tensor<20x3x3x3xbf16>) -> tensor<1x9x73x3xbf16>
    kernel.yield %0 : tensor<1x9x73x3xbf16>
  }
  return %r : tensor<1x9x73x3xbf16>
}
func.func @double(%x: tensor<1x4x13x10xf64>, %w: tensor<10x1x3x3xf64>) -> tensor<1x8x26x1xf64> {
  %r = kernel.group(%x, %w) : (tensor<1x4x13x10xf64>, tensor<10x1x3x3xf64>) -> tensor<1x8x26x1xf64> {
  ^bb0(%a: tensor<1x4x13x10xf64>, %b: tensor<10x1x3x3xf64>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x4x13x10xf64>, tensor<10x1x3x3xf64>) -> tensor<1x8x26x1xf64>
    kernel.yield %0 : tensor<1x8x26x1xf64>
  }
  return %r : tensor<1x8x26x1xf64>
}
func.func @line(%x: tensor<2x12x50xf32>, %w: tensor<12x1x4xf32>) -> tensor<2x1x100xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x12x50xf32>, tensor<12x1x4xf32>) -> tensor<2x1x100xf32> {
  ^bb0(%a: tensor<2x12x50xf32>, %b: tensor<12x1x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, output_padding = array<i64: 0>} : (tensor<2x12x50xf32>, tensor<12x1x4xf32>) -> tensor<2x1x100xf32>
    kernel.yield %0 : tensor<2x1x100xf32>
  }
  return %r : tensor<2x1x100xf32>
}
func.func @line_last(%x: tensor<2x50x12xf32>, %w: tensor<12x2x5xf32>) -> tensor<2x152x2xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x50x12xf32>, tensor<12x2x5xf32>) -> tensor<2x152x2xf32> {
  ^bb0(%a: tensor<2x50x12xf32>, %b: tensor<12x2x5xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 3>, pads = array<i64: 1, 0>, dilations = array<i64: 1>, output_padding = array<i64: 1>, layout = #graph<layout nhwc>} : (tensor<2x50x12xf32>, tensor<12x2x5xf32>) -> tensor<2x152x2xf32>
    kernel.yield %0 : tensor<2x152x2xf32>
  }
  return %r : tensor<2x152x2xf32>
}
func.func @line_channels(%x: tensor<1x9x12xf32>, %w: tensor<12x32x4xf32>) -> tensor<1x18x32xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x9x12xf32>, tensor<12x32x4xf32>) -> tensor<1x18x32xf32> {
  ^bb0(%a: tensor<1x9x12xf32>, %b: tensor<12x32x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2>, pads = array<i64: 1, 1>, dilations = array<i64: 1>, output_padding = array<i64: 0>, layout = #graph<layout nhwc>} : (tensor<1x9x12xf32>, tensor<12x32x4xf32>) -> tensor<1x18x32xf32>
    kernel.yield %0 : tensor<1x18x32xf32>
  }
  return %r : tensor<1x18x32xf32>
}
func.func @volume(%x: tensor<1x3x4x18x5xf32>, %w: tensor<5x2x2x2x2xf32>) -> tensor<1x6x8x36x2xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x3x4x18x5xf32>, tensor<5x2x2x2x2xf32>) -> tensor<1x6x8x36x2xf32> {
  ^bb0(%a: tensor<1x3x4x18x5xf32>, %b: tensor<5x2x2x2x2xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2, 2>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x3x4x18x5xf32>, tensor<5x2x2x2x2xf32>) -> tensor<1x6x8x36x2xf32>
    kernel.yield %0 : tensor<1x6x8x36x2xf32>
  }
  return %r : tensor<1x6x8x36x2xf32>
}
func.func @volume_overlap(%x: tensor<1x5x3x4x9xf32>, %w: tensor<5x3x3x4x3xf32>) -> tensor<1x3x6x8x9xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x5x3x4x9xf32>, tensor<5x3x3x4x3xf32>) -> tensor<1x3x6x8x9xf32> {
  ^bb0(%a: tensor<1x5x3x4x9xf32>, %b: tensor<5x3x3x4x3xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2, 1>, pads = array<i64: 1, 1, 1, 1, 1, 1>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 1, 0, 0>} : (tensor<1x5x3x4x9xf32>, tensor<5x3x3x4x3xf32>) -> tensor<1x3x6x8x9xf32>
    kernel.yield %0 : tensor<1x3x6x8x9xf32>
  }
  return %r : tensor<1x3x6x8x9xf32>
}
func.func @volume_channels(%x: tensor<2x3x4x5x6xf32>, %w: tensor<6x32x3x3x4xf32>) -> tensor<2x6x4x11x32xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x3x4x5x6xf32>, tensor<6x32x3x3x4xf32>) -> tensor<2x6x4x11x32xf32> {
  ^bb0(%a: tensor<2x3x4x5x6xf32>, %b: tensor<6x32x3x3x4xf32>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 1, 2>, pads = array<i64: 1, 1, 0, 1, 1, 1>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 1, 0, 0>, layout = #graph<layout nhwc>} : (tensor<2x3x4x5x6xf32>, tensor<6x32x3x3x4xf32>) -> tensor<2x6x4x11x32xf32>
    kernel.yield %0 : tensor<2x6x4x11x32xf32>
  }
  return %r : tensor<2x6x4x11x32xf32>
}
func.func @volume_channels_nchw(%x: tensor<1x4x2x3x3xf64>, %w: tensor<4x16x2x2x2xf64>) -> tensor<1x16x3x6x6xf64> {
  %r = kernel.group(%x, %w) : (tensor<1x4x2x3x3xf64>, tensor<4x16x2x2x2xf64>) -> tensor<1x16x3x6x6xf64> {
  ^bb0(%a: tensor<1x4x2x3x3xf64>, %b: tensor<4x16x2x2x2xf64>):
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 1, 2, 2>, pads = array<i64: 0, 0, 0, 0, 0, 0>, dilations = array<i64: 1, 1, 1>, output_padding = array<i64: 0, 0, 0>} : (tensor<1x4x2x3x3xf64>, tensor<4x16x2x2x2xf64>) -> tensor<1x16x3x6x6xf64>
    kernel.yield %0 : tensor<1x16x3x6x6xf64>
  }
  return %r : tensor<1x16x3x6x6xf64>
}
