// Contractions to one column: lanes along k or along rows.
func.func @rows(%x: tensor<100x77xf32>, %w: tensor<77x1xf32>) -> tensor<100x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<100x77xf32>, tensor<77x1xf32>) -> tensor<100x1xf32> {
  ^bb0(%a: tensor<100x77xf32>, %b: tensor<77x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<100x77xf32>, tensor<77x1xf32>) -> tensor<100x1xf32>
    kernel.yield %0 : tensor<100x1xf32>
  }
  return %r : tensor<100x1xf32>
}
func.func @one_row(%x: tensor<1x1000xf32>, %w: tensor<1000x1xf32>) -> tensor<1x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x1000xf32>, tensor<1000x1xf32>) -> tensor<1x1xf32> {
  ^bb0(%a: tensor<1x1000xf32>, %b: tensor<1000x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<1x1000xf32>, tensor<1000x1xf32>) -> tensor<1x1xf32>
    kernel.yield %0 : tensor<1x1xf32>
  }
  return %r : tensor<1x1xf32>
}
func.func @three_rows(%x: tensor<3x41xf32>, %w: tensor<41x1xf32>) -> tensor<3x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<3x41xf32>, tensor<41x1xf32>) -> tensor<3x1xf32> {
  ^bb0(%a: tensor<3x41xf32>, %b: tensor<41x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<3x41xf32>, tensor<41x1xf32>) -> tensor<3x1xf32>
    kernel.yield %0 : tensor<3x1xf32>
  }
  return %r : tensor<3x1xf32>
}
func.func @short(%x: tensor<37x3xf32>, %w: tensor<3x1xf32>) -> tensor<37x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<37x3xf32>, tensor<3x1xf32>) -> tensor<37x1xf32> {
  ^bb0(%a: tensor<37x3xf32>, %b: tensor<3x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<37x3xf32>, tensor<3x1xf32>) -> tensor<37x1xf32>
    kernel.yield %0 : tensor<37x1xf32>
  }
  return %r : tensor<37x1xf32>
}
func.func @one_step(%x: tensor<19x1xf32>, %w: tensor<1x1xf32>) -> tensor<19x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<19x1xf32>, tensor<1x1xf32>) -> tensor<19x1xf32> {
  ^bb0(%a: tensor<19x1xf32>, %b: tensor<1x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<19x1xf32>, tensor<1x1xf32>) -> tensor<19x1xf32>
    kernel.yield %0 : tensor<19x1xf32>
  }
  return %r : tensor<19x1xf32>
}
func.func @transposed_column(%x: tensor<21x130xf32>, %w: tensor<1x130xf32>) -> tensor<21x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<21x130xf32>, tensor<1x130xf32>) -> tensor<21x1xf32> {
  ^bb0(%a: tensor<21x130xf32>, %b: tensor<1x130xf32>):
    %0 = graph.matmul %a, %b {transpose_rhs} : (tensor<21x130xf32>, tensor<1x130xf32>) -> tensor<21x1xf32>
    kernel.yield %0 : tensor<21x1xf32>
  }
  return %r : tensor<21x1xf32>
}
func.func @transposed_rows(%x: tensor<57x203xf32>, %w: tensor<57x1xf32>) -> tensor<203x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<57x203xf32>, tensor<57x1xf32>) -> tensor<203x1xf32> {
  ^bb0(%a: tensor<57x203xf32>, %b: tensor<57x1xf32>):
    %0 = graph.matmul %a, %b {transpose_lhs} : (tensor<57x203xf32>, tensor<57x1xf32>) -> tensor<203x1xf32>
    kernel.yield %0 : tensor<203x1xf32>
  }
  return %r : tensor<203x1xf32>
}
func.func @transposed_row(%x: tensor<57x1xf32>, %w: tensor<57x1xf32>) -> tensor<1x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<57x1xf32>, tensor<57x1xf32>) -> tensor<1x1xf32> {
  ^bb0(%a: tensor<57x1xf32>, %b: tensor<57x1xf32>):
    %0 = graph.matmul %a, %b {transpose_lhs} : (tensor<57x1xf32>, tensor<57x1xf32>) -> tensor<1x1xf32>
    kernel.yield %0 : tensor<1x1xf32>
  }
  return %r : tensor<1x1xf32>
}
func.func @transposed_many(%x: tensor<9x1030xf32>, %w: tensor<1x9xf32>) -> tensor<1030x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<9x1030xf32>, tensor<1x9xf32>) -> tensor<1030x1xf32> {
  ^bb0(%a: tensor<9x1030xf32>, %b: tensor<1x9xf32>):
    %0 = graph.matmul %a, %b {transpose_lhs, transpose_rhs} : (tensor<9x1030xf32>, tensor<1x9xf32>) -> tensor<1030x1xf32>
    kernel.yield %0 : tensor<1030x1xf32>
  }
  return %r : tensor<1030x1xf32>
}
func.func @batches(%x: tensor<6x5x40xf32>, %w: tensor<6x40x1xf32>) -> tensor<6x5x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<6x5x40xf32>, tensor<6x40x1xf32>) -> tensor<6x5x1xf32> {
  ^bb0(%a: tensor<6x5x40xf32>, %b: tensor<6x40x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<6x5x40xf32>, tensor<6x40x1xf32>) -> tensor<6x5x1xf32>
    kernel.yield %0 : tensor<6x5x1xf32>
  }
  return %r : tensor<6x5x1xf32>
}
func.func @batches_of_one(%x: tensor<70x1x33xf32>, %w: tensor<70x33x1xf32>) -> tensor<70x1x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<70x1x33xf32>, tensor<70x33x1xf32>) -> tensor<70x1x1xf32> {
  ^bb0(%a: tensor<70x1x33xf32>, %b: tensor<70x33x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<70x1x33xf32>, tensor<70x33x1xf32>) -> tensor<70x1x1xf32>
    kernel.yield %0 : tensor<70x1x1xf32>
  }
  return %r : tensor<70x1x1xf32>
}
func.func @shared_column(%x: tensor<4x30x33xf32>, %w: tensor<33x1xf32>) -> tensor<4x30x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<4x30x33xf32>, tensor<33x1xf32>) -> tensor<4x30x1xf32> {
  ^bb0(%a: tensor<4x30x33xf32>, %b: tensor<33x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<4x30x33xf32>, tensor<33x1xf32>) -> tensor<4x30x1xf32>
    kernel.yield %0 : tensor<4x30x1xf32>
  }
  return %r : tensor<4x30x1xf32>
}
func.func @shared_rows(%x: tensor<30x33xf32>, %w: tensor<5x33x1xf32>) -> tensor<5x30x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<30x33xf32>, tensor<5x33x1xf32>) -> tensor<5x30x1xf32> {
  ^bb0(%a: tensor<30x33xf32>, %b: tensor<5x33x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<30x33xf32>, tensor<5x33x1xf32>) -> tensor<5x30x1xf32>
    kernel.yield %0 : tensor<5x30x1xf32>
  }
  return %r : tensor<5x30x1xf32>
}
func.func @broadcast_batches(%x: tensor<3x1x2x20xf32>, %w: tensor<1x4x20x1xf32>) -> tensor<3x4x2x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<3x1x2x20xf32>, tensor<1x4x20x1xf32>) -> tensor<3x4x2x1xf32> {
  ^bb0(%a: tensor<3x1x2x20xf32>, %b: tensor<1x4x20x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<3x1x2x20xf32>, tensor<1x4x20x1xf32>) -> tensor<3x4x2x1xf32>
    kernel.yield %0 : tensor<3x4x2x1xf32>
  }
  return %r : tensor<3x4x2x1xf32>
}
func.func @after(%x: tensor<45x64xf32>, %w: tensor<64x1xf32>, %c: tensor<1xf32>, %s: tensor<45x1xf32>) -> (tensor<45x1xf32>, tensor<45x1xf32>) {
  %r:2 = kernel.group(%x, %w, %c, %s) : (tensor<45x64xf32>, tensor<64x1xf32>, tensor<1xf32>, tensor<45x1xf32>) -> (tensor<45x1xf32>, tensor<45x1xf32>) {
  ^bb0(%a: tensor<45x64xf32>, %b: tensor<64x1xf32>, %d: tensor<1xf32>, %e: tensor<45x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<45x64xf32>, tensor<64x1xf32>) -> tensor<45x1xf32>
    %1 = graph.add %0, %d : (tensor<45x1xf32>, tensor<1xf32>) -> tensor<45x1xf32>
    %2 = graph.mul %1, %e : (tensor<45x1xf32>, tensor<45x1xf32>) -> tensor<45x1xf32>
    %3 = graph.sigmoid %2 : (tensor<45x1xf32>) -> tensor<45x1xf32>
    kernel.yield %3, %1 : tensor<45x1xf32>, tensor<45x1xf32>
  }
  return %r#0, %r#1 : tensor<45x1xf32>, tensor<45x1xf32>
}
func.func @after_batches(%x: tensor<3x7x24xf32>, %w: tensor<3x24x1xf32>, %c: tensor<3x1x1xf32>, %s: tensor<7x1xf32>) -> (tensor<3x7x1xf32>, tensor<3x7x1xf32>) {
  %r:2 = kernel.group(%x, %w, %c, %s) : (tensor<3x7x24xf32>, tensor<3x24x1xf32>, tensor<3x1x1xf32>, tensor<7x1xf32>) -> (tensor<3x7x1xf32>, tensor<3x7x1xf32>) {
  ^bb0(%a: tensor<3x7x24xf32>, %b: tensor<3x24x1xf32>, %d: tensor<3x1x1xf32>, %e: tensor<7x1xf32>):
    %0 = graph.matmul %a, %b : (tensor<3x7x24xf32>, tensor<3x24x1xf32>) -> tensor<3x7x1xf32>
    %1 = graph.add %0, %d : (tensor<3x7x1xf32>, tensor<3x1x1xf32>) -> tensor<3x7x1xf32>
    %2 = graph.mul %1, %e : (tensor<3x7x1xf32>, tensor<7x1xf32>) -> tensor<3x7x1xf32>
    %3 = graph.sigmoid %2 : (tensor<3x7x1xf32>) -> tensor<3x7x1xf32>
    kernel.yield %3, %1 : tensor<3x7x1xf32>, tensor<3x7x1xf32>
  }
  return %r#0, %r#1 : tensor<3x7x1xf32>, tensor<3x7x1xf32>
}
func.func @after_transposed(%x: tensor<64x45xf32>, %w: tensor<64x1xf32>, %c: tensor<45x1xf32>, %s: tensor<1x1xf32>) -> (tensor<45x1xf32>, tensor<45x1xf32>) {
  %r:2 = kernel.group(%x, %w, %c, %s) : (tensor<64x45xf32>, tensor<64x1xf32>, tensor<45x1xf32>, tensor<1x1xf32>) -> (tensor<45x1xf32>, tensor<45x1xf32>) {
  ^bb0(%a: tensor<64x45xf32>, %b: tensor<64x1xf32>, %d: tensor<45x1xf32>, %e: tensor<1x1xf32>):
    %0 = graph.matmul %a, %b {transpose_lhs} : (tensor<64x45xf32>, tensor<64x1xf32>) -> tensor<45x1xf32>
    %1 = graph.add %0, %d : (tensor<45x1xf32>, tensor<45x1xf32>) -> tensor<45x1xf32>
    %2 = graph.mul %1, %e : (tensor<45x1xf32>, tensor<1x1xf32>) -> tensor<45x1xf32>
    %3 = graph.sigmoid %2 : (tensor<45x1xf32>) -> tensor<45x1xf32>
    kernel.yield %3, %1 : tensor<45x1xf32>, tensor<45x1xf32>
  }
  return %r#0, %r#1 : tensor<45x1xf32>, tensor<45x1xf32>
}
func.func @double(%x: tensor<23x51xf64>, %w: tensor<51x1xf64>) -> tensor<23x1xf64> {
  %r = kernel.group(%x, %w) : (tensor<23x51xf64>, tensor<51x1xf64>) -> tensor<23x1xf64> {
  ^bb0(%a: tensor<23x51xf64>, %b: tensor<51x1xf64>):
    %0 = graph.matmul %a, %b : (tensor<23x51xf64>, tensor<51x1xf64>) -> tensor<23x1xf64>
    kernel.yield %0 : tensor<23x1xf64>
  }
  return %r : tensor<23x1xf64>
}
func.func @half(%x: tensor<23x51xf16>, %w: tensor<51x1xf16>) -> tensor<23x1xf16> {
  %r = kernel.group(%x, %w) : (tensor<23x51xf16>, tensor<51x1xf16>) -> tensor<23x1xf16> {
  ^bb0(%a: tensor<23x51xf16>, %b: tensor<51x1xf16>):
    %0 = graph.matmul %a, %b : (tensor<23x51xf16>, tensor<51x1xf16>) -> tensor<23x1xf16>
    kernel.yield %0 : tensor<23x1xf16>
  }
  return %r : tensor<23x1xf16>
}
func.func @brain(%x: tensor<23x51xbf16>, %w: tensor<51x1xbf16>) -> tensor<23x1xbf16> {
  %r = kernel.group(%x, %w) : (tensor<23x51xbf16>, tensor<51x1xbf16>) -> tensor<23x1xbf16> {
  ^bb0(%a: tensor<23x51xbf16>, %b: tensor<51x1xbf16>):
    %0 = graph.matmul %a, %b : (tensor<23x51xbf16>, tensor<51x1xbf16>) -> tensor<23x1xbf16>
    kernel.yield %0 : tensor<23x1xbf16>
  }
  return %r : tensor<23x1xbf16>
}
func.func @integers(%x: tensor<23x51xi32>, %w: tensor<51x1xi32>) -> tensor<23x1xi32> {
  %r = kernel.group(%x, %w) : (tensor<23x51xi32>, tensor<51x1xi32>) -> tensor<23x1xi32> {
  ^bb0(%a: tensor<23x51xi32>, %b: tensor<51x1xi32>):
    %0 = graph.matmul %a, %b : (tensor<23x51xi32>, tensor<51x1xi32>) -> tensor<23x1xi32>
    kernel.yield %0 : tensor<23x1xi32>
  }
  return %r : tensor<23x1xi32>
}
func.func @bytes(%x: tensor<40x9xi8>, %w: tensor<9x1xi8>) -> tensor<40x1xi8> {
  %r = kernel.group(%x, %w) : (tensor<40x9xi8>, tensor<9x1xi8>) -> tensor<40x1xi8> {
  ^bb0(%a: tensor<40x9xi8>, %b: tensor<9x1xi8>):
    %0 = graph.matmul %a, %b : (tensor<40x9xi8>, tensor<9x1xi8>) -> tensor<40x1xi8>
    kernel.yield %0 : tensor<40x1xi8>
  }
  return %r : tensor<40x1xi8>
}
func.func @long_integers(%x: tensor<40x9xi64>, %w: tensor<40x1xi64>) -> tensor<9x1xi64> {
  %r = kernel.group(%x, %w) : (tensor<40x9xi64>, tensor<40x1xi64>) -> tensor<9x1xi64> {
  ^bb0(%a: tensor<40x9xi64>, %b: tensor<40x1xi64>):
    %0 = graph.matmul %a, %b {transpose_lhs} : (tensor<40x9xi64>, tensor<40x1xi64>) -> tensor<9x1xi64>
    kernel.yield %0 : tensor<9x1xi64>
  }
  return %r : tensor<9x1xi64>
}
func.func @pointwise(%x: tensor<2x9x11x35xf32>, %w: tensor<1x35x1x1xf32>) -> tensor<2x9x11x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<2x9x11x35xf32>, tensor<1x35x1x1xf32>) -> tensor<2x9x11x1xf32> {
  ^bb0(%a: tensor<2x9x11x35xf32>, %b: tensor<1x35x1x1xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<2x9x11x35xf32>, tensor<1x35x1x1xf32>) -> tensor<2x9x11x1xf32>
    kernel.yield %0 : tensor<2x9x11x1xf32>
  }
  return %r : tensor<2x9x11x1xf32>
}
func.func @image(%x: tensor<1x9x12x7xf32>, %w: tensor<1x7x3x3xf32>) -> tensor<1x4x5x1xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x9x12x7xf32>, tensor<1x7x3x3xf32>) -> tensor<1x4x5x1xf32> {
  ^bb0(%a: tensor<1x9x12x7xf32>, %b: tensor<1x7x3x3xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x9x12x7xf32>, tensor<1x7x3x3xf32>) -> tensor<1x4x5x1xf32>
    kernel.yield %0 : tensor<1x4x5x1xf32>
  }
  return %r : tensor<1x4x5x1xf32>
}
func.func @groups(%x: tensor<1x6x8x12xf32>, %w: tensor<3x4x3x2xf32>) -> tensor<1x4x7x3xf32> {
  %r = kernel.group(%x, %w) : (tensor<1x6x8x12xf32>, tensor<3x4x3x2xf32>) -> tensor<1x4x7x3xf32> {
  ^bb0(%a: tensor<1x6x8x12xf32>, %b: tensor<3x4x3x2xf32>):
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 3 : i64, layout = #graph<layout nhwc>} : (tensor<1x6x8x12xf32>, tensor<3x4x3x2xf32>) -> tensor<1x4x7x3xf32>
    kernel.yield %0 : tensor<1x4x7x3xf32>
  }
  return %r : tensor<1x4x7x3xf32>
}
func.func @image_brain(%x: tensor<1x9x12x7xbf16>, %w: tensor<1x7x3x3xbf16>) -> tensor<1x4x5x1xbf16> {
  %r = kernel.group(%x, %w) : (tensor<1x9x12x7xbf16>, tensor<1x7x3x3xbf16>) -> tensor<1x4x5x1xbf16> {
  ^bb0(%a: tensor<1x9x12x7xbf16>, %b: tensor<1x7x3x3xbf16>):
    %0 = graph.conv %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x9x12x7xbf16>, tensor<1x7x3x3xbf16>) -> tensor<1x4x5x1xbf16>
    kernel.yield %0 : tensor<1x4x5x1xbf16>
  }
  return %r : tensor<1x4x5x1xbf16>
}
func.func @image_half(%x: tensor<1x9x12x7xf16>, %w: tensor<1x7x3x3xf16>) -> tensor<1x4x5x1xf16> {
  %r = kernel.group(%x, %w) : (tensor<1x9x12x7xf16>, tensor<1x7x3x3xf16>) -> tensor<1x4x5x1xf16> {
  ^bb0(%a: tensor<1x9x12x7xf16>, %b: tensor<1x7x3x3xf16>):
    %0 = graph.conv %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x9x12x7xf16>, tensor<1x7x3x3xf16>) -> tensor<1x4x5x1xf16>
    kernel.yield %0 : tensor<1x4x5x1xf16>
  }
  return %r : tensor<1x4x5x1xf16>
}
