// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --expect y4=%t/y4.npy --expect y5=%t/y5.npy --expect y6=%t/y6.npy --rtol 1e-5 --atol 1e-5
// RUN: tenon-run %t/a.tenon --input random:3 --expect y7=%t/y7.npy --expect y8=%t/y8.npy --rtol 0 --atol 0

// What is rewritten computes what it did: the interpreter runs it as it is.
func.func @main(%x: tensor<3x20xf32> {onnx.name = "x"},
    %i: tensor<1x2x7x9xf32> {onnx.name = "i"},
    %w: tensor<3x2x3x3xf32> {onnx.name = "w"},
    %j: tensor<1x4x6x5xf32> {onnx.name = "j"},
    %h: tensor<5x13xf16> {onnx.name = "h"},
    %k: tensor<5x13xf16> {onnx.name = "k"})
    -> (tensor<2x3xf32> {onnx.name = "y0"},
        tensor<3x4xf32> {onnx.name = "y1"},
        tensor<2x2xf32> {onnx.name = "y2"},
        tensor<1x3x9x6xf32> {onnx.name = "y3"},
        tensor<1x6x6x5xf32> {onnx.name = "y4"},
        tensor<1x4x3x3xf32> {onnx.name = "y5"},
        tensor<3x5xf32> {onnx.name = "y6"},
        tensor<5x13xf16> {onnx.name = "y7"},
        tensor<5x13xf16> {onnx.name = "y8"}) {
  // Steps multiply; a slice of one operand of a concatenation is one of it.
  %a0 = graph.slice %x {starts = array<i64: 0, 3>, sizes = array<i64: 3, 8>, steps = array<i64: 1, 2>} : (tensor<3x20xf32>) -> tensor<3x8xf32>
  %a1 = graph.slice %a0 {starts = array<i64: 1, 2>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 2>} : (tensor<3x8xf32>) -> tensor<2x3xf32>
  %a2 = graph.slice %x {starts = array<i64: 2, 18>, sizes = array<i64: 3, 9>, steps = array<i64: -1, -2>} : (tensor<3x20xf32>) -> tensor<3x9xf32>
  %a3 = graph.slice %a2 {starts = array<i64: 1, 1>, sizes = array<i64: 2, 3>, steps = array<i64: 1, 3>} : (tensor<3x9xf32>) -> tensor<2x3xf32>
  %a4 = graph.add %a1, %a3 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %c0 = graph.concat %a0, %a2 {axis = 1 : i64} : (tensor<3x8xf32>, tensor<3x9xf32>) -> tensor<3x17xf32>
  %c1 = graph.slice %c0 {starts = array<i64: 0, 9>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 2>} : (tensor<3x17xf32>) -> tensor<3x4xf32>
  %c2 = graph.slice %c0 {starts = array<i64: 0, 6>, sizes = array<i64: 3, 4>, steps = array<i64: 1, 1>} : (tensor<3x17xf32>) -> tensor<3x4xf32>
  %c3 = graph.mul %c1, %c2 : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  // Indices one after the other are a slice, from the end as well.
  %g0 = graph.constant dense<[-4, -3, -2]> : tensor<3xi64>
  %g1 = graph.gather %x, %g0 {axis = 1 : i64} : (tensor<3x20xf32>, tensor<3xi64>) -> tensor<3x3xf32>
  %g2 = graph.transpose %g1 {permutation = array<i64: 1, 0>} : (tensor<3x3xf32>) -> tensor<3x3xf32>
  %g3 = graph.slice %g2 {starts = array<i64: 2, 0>, sizes = array<i64: 2, 2>, steps = array<i64: -2, 2>} : (tensor<3x3xf32>) -> tensor<2x2xf32>

  // Zeros around an image, different on each side, are padding.
  %p0 = graph.pad %i {low = array<i64: 0, 0, 1, 0>, high = array<i64: 0, 0, 2, 3>} : (tensor<1x2x7x9xf32>) -> tensor<1x2x10x12xf32>
  %p1 = graph.conv %p0, %w {strides = array<i64: 1, 2>, pads = array<i64: 0, 1, 1, 0>, dilations = array<i64: 1, 1>, group = 1 : i64} : (tensor<1x2x10x12xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x9x6xf32>

  // Scales of channels go into weights, before and behind, and into biases.
  %s0 = graph.constant dense<[[[[0.5000, -0.9375, 1.0000]], [[-0.5625, 1.1875, 0.8125]], [[1.8125, 1.3750, 1.0000]], [[0.6250, 1.7500, 0.1250]]], [[[-1.8750, 1.3750, -0.1250]], [[1.1250, 1.8125, -1.0000]], [[0.6250, -1.7500, 1.6250]], [[-1.3125, -1.5000, -0.5000]]], [[[-0.0625, 1.5000, -1.0000]], [[-0.4375, 0.1875, -1.5625]], [[0.3125, -1.0000, -1.9375]], [[0.9375, -1.1250, -0.3125]]], [[[-0.8750, -1.2500, 1.6875]], [[1.5000, 1.1250, -0.4375]], [[-1.3125, 1.0625, 1.2500]], [[-1.6875, -1.4375, 0.5000]]], [[[0.5000, -0.1875, -1.4375]], [[-1.4375, -1.9375, 1.9375]], [[1.5000, -1.9375, -1.1250]], [[1.1250, -1.1250, 1.8750]]], [[[1.9375, -1.3125, 1.5000]], [[-1.3125, -0.8125, -0.6875]], [[1.8750, -1.1875, 0.1875]], [[1.5625, 0.7500, 0.5625]]]]> : tensor<6x4x1x3xf32>
  %s1 = graph.constant dense<[[[-1.1250]], [[-1.2500]], [[1.8125]], [[1.8750]]]> : tensor<4x1x1xf32>
  %s2 = graph.constant dense<[[[0.8125]], [[-1.1875]], [[1.8750]], [[1.8750]], [[1.6250]], [[-0.4375]]]> : tensor<6x1x1xf32>
  %s3 = graph.constant dense<[[[-0.7500]], [[-1.8750]], [[-0.5000]], [[-0.3125]], [[-1.3125]], [[1.7500]]]> : tensor<6x1x1xf32>
  %s4 = graph.mul %j, %s1 : (tensor<1x4x6x5xf32>, tensor<4x1x1xf32>) -> tensor<1x4x6x5xf32>
  %s5 = graph.conv %s4, %s0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 1, 0, 1>, dilations = array<i64: 1, 1>, group = 1 : i64} : (tensor<1x4x6x5xf32>, tensor<6x4x1x3xf32>) -> tensor<1x6x6x5xf32>
  %s6 = graph.add %s5, %s2 : (tensor<1x6x6x5xf32>, tensor<6x1x1xf32>) -> tensor<1x6x6x5xf32>
  %s7 = graph.mul %s6, %s3 : (tensor<1x6x6x5xf32>, tensor<6x1x1xf32>) -> tensor<1x6x6x5xf32>
  %d0 = graph.constant dense<[[[[-1.3750, -0.9375]], [[-1.6875, -0.6250]]], [[[-0.7500, 1.3125]], [[0.4375, 0.3750]]], [[[-1.9375, 0.4375]], [[0.7500, 0.8750]]], [[[-0.6250, -1.6875]], [[-0.7500, -0.5625]]]]> : tensor<4x2x1x2xf32>
  %d1 = graph.conv %s4, %d0 {strides = array<i64: 2, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 2>, group = 2 : i64} : (tensor<1x4x6x5xf32>, tensor<4x2x1x2xf32>) -> tensor<1x4x3x3xf32>
  %d2 = graph.mul %d1, %s1 : (tensor<1x4x3x3xf32>, tensor<4x1x1xf32>) -> tensor<1x4x3x3xf32>
  %m0 = graph.constant dense<[[1.3125, -0.7500, -0.0625, 0.8125, -0.6875], [-1.2500, -0.0625, -0.0625, 0.8750, -1.2500], [-1.7500, -0.9375, 1.9375, 1.8125, -1.8750], [1.8125, 1.0000, -0.5625, 1.4375, -0.3750], [-1.8750, 0.2500, 1.1875, -0.3125, -0.5000], [-0.4375, 0.3750, 1.3750, -1.9375, -0.1875], [-1.8125, 0.8750, -1.2500, 0.5000, 1.8750], [1.8750, -1.1875, -1.5000, 1.0625, -1.0000], [1.7500, 1.3125, 1.8125, -0.1250, -0.5625], [0.0625, -0.5625, 1.6250, 0.1250, -0.9375], [1.1250, -0.1250, -1.5625, 0.3750, 1.0000], [1.1250, 1.2500, -0.5000, 1.5000, -0.8125], [-1.8125, -0.2500, 1.8125, 1.9375, -1.6250], [-1.1250, -0.6250, 0.0625, 0.5000, -0.5000], [1.6875, -1.3750, -0.6250, -0.8750, 1.7500], [0.8125, 0.1875, -1.6250, -0.7500, 0.7500], [-0.6875, -0.7500, -1.2500, 1.2500, -1.6250], [0.5625, -1.3750, 0.9375, 0.8125, -0.7500], [-0.0625, -1.3125, 0.9375, -1.7500, -1.6250], [0.4375, 0.1875, 1.7500, -0.3750, -1.8125]]> : tensor<20x5xf32>
  %m1 = graph.constant dense<[-1.0000, 1.0000, 0.4375, -0.5625, 1.3125, -0.9375, -0.1250, 0.6250, -0.3125, -1.3750, -1.7500, 1.9375, 1.6875, 0.5625, -1.8125, 1.2500, 0.0000, -0.6250, 1.3750, -1.1250]> : tensor<20xf32>
  %m2 = graph.constant dense<[-1.4375, 1.9375, 0.9375, 0.3125, 1.8125]> : tensor<5xf32>
  %m3 = graph.mul %x, %m1 : (tensor<3x20xf32>, tensor<20xf32>) -> tensor<3x20xf32>
  %m4 = graph.matmul %m3, %m0 : (tensor<3x20xf32>, tensor<20x5xf32>) -> tensor<3x5xf32>
  %m5 = graph.add %m4, %m2 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %m6 = graph.mul %m5, %m2 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>

  // What a narrower type cuts off stays cut off, and 16-bit results are rounded
  // one by one.
  %h0 = graph.cast %h : (tensor<5x13xf16>) -> tensor<5x13xbf16>
  %h1 = graph.cast %h0 : (tensor<5x13xbf16>) -> tensor<5x13xf16>
  %h2 = graph.mul %h, %k : (tensor<5x13xf16>, tensor<5x13xf16>) -> tensor<5x13xf16>
  %h3 = graph.mul %h2, %k : (tensor<5x13xf16>, tensor<5x13xf16>) -> tensor<5x13xf16>
  %h4 = graph.add %h3, %h : (tensor<5x13xf16>, tensor<5x13xf16>) -> tensor<5x13xf16>
  return %a4, %c3, %g3, %p1, %s7, %d2, %m6, %h1, %h4 : tensor<2x3xf32>, tensor<3x4xf32>, tensor<2x2xf32>, tensor<1x3x9x6xf32>, tensor<1x6x6x5xf32>, tensor<1x4x3x3xf32>, tensor<3x5xf32>, tensor<5x13xf16>, tensor<5x13xf16>
}
