// Gradients are compiled: what their rules make has kernels, which agree with
// the interpreter. Seeds are inputs, so that nothing folds.
// REQUIRES: python
// RUN: rm -rf %t && mkdir %t
// RUN: tenon-opt %s --tenon-append-gradients | sed 's/^  //' > %t/gradients.mlir
// RUN: %python -B %S/agree.py --run tenon-run --guards native %t/gradients.mlir --mcpu native,x86-64%if avx2 %{,haswell%}

func.func @elements(%x: tensor<3x5xf32>, %b: tensor<5xf32>, %s: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = graph.add %x, %b : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %1 = graph.sigmoid %0 : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %2 = graph.erf %1 : (tensor<3x5xf32>) -> tensor<3x5xf32>
  %3 = graph.max %2, %x : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %4 = graph.pow %1, %x : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %5 = graph.div %3, %4 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %6 = graph.mul %5, %s : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %6 : tensor<3x5xf32>
}
func.func @products(%x: tensor<2x3x8xf32>, %w: tensor<8x5xf32>, %v: tensor<2x7x5xf32>, %s: tensor<2x3x7xf32>) -> tensor<2x3x7xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x3x8xf32>, tensor<8x5xf32>) -> tensor<2x3x5xf32>
  %1 = graph.matmul %0, %v {transpose_rhs} : (tensor<2x3x5xf32>, tensor<2x7x5xf32>) -> tensor<2x3x7xf32>
  %2 = graph.mul %1, %s : (tensor<2x3x7xf32>, tensor<2x3x7xf32>) -> tensor<2x3x7xf32>
  return %2 : tensor<2x3x7xf32>
}
func.func @conv(%x: tensor<2x4x9x8xf32>, %w: tensor<6x4x3x3xf32>, %s: tensor<2x6x9x8xf32>) -> tensor<2x6x9x8xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x4x9x8xf32>, tensor<6x4x3x3xf32>) -> tensor<2x6x9x8xf32>
  %1 = graph.mul %0, %s : (tensor<2x6x9x8xf32>, tensor<2x6x9x8xf32>) -> tensor<2x6x9x8xf32>
  return %1 : tensor<2x6x9x8xf32>
}
func.func @conv_strided(%x: tensor<2x4x9x8xf32>, %w: tensor<6x2x3x2xf32>, %s: tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 0>, dilations = array<i64: 2, 1>, group = 2 : i64} : (tensor<2x4x9x8xf32>, tensor<6x2x3x2xf32>) -> tensor<2x6x4x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x6x4x4xf32>, tensor<2x6x4x4xf32>) -> tensor<2x6x4x4xf32>
  return %1 : tensor<2x6x4x4xf32>
}
func.func @conv_depthwise(%x: tensor<2x6x9x8xf32>, %w: tensor<6x1x3x3xf32>, %s: tensor<2x6x5x4xf32>) -> tensor<2x6x5x4xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 6 : i64} : (tensor<2x6x9x8xf32>, tensor<6x1x3x3xf32>) -> tensor<2x6x5x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x6x5x4xf32>, tensor<2x6x5x4xf32>) -> tensor<2x6x5x4xf32>
  return %1 : tensor<2x6x5x4xf32>
}
func.func @conv_line(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %s: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 2>, pads = array<i64: 0, 0>, dilations = array<i64: 1>} : (tensor<2x3x11xf32>, tensor<5x3x4xf32>) -> tensor<2x5x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x5x4xf32>, tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %1 : tensor<2x5x4xf32>
}
func.func @conv_transpose(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x3x3xf32>, %s: tensor<1x3x10x8xf32>) -> tensor<1x3x10x8xf32> {
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 1, 1>} : (tensor<1x4x5x4xf32>, tensor<4x3x3x3xf32>) -> tensor<1x3x10x8xf32>
  %1 = graph.mul %0, %s : (tensor<1x3x10x8xf32>, tensor<1x3x10x8xf32>) -> tensor<1x3x10x8xf32>
  return %1 : tensor<1x3x10x8xf32>
}
func.func @max_pool(%x: tensor<2x3x9x8xf32>, %s: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %0 = graph.max_pool %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x3x9x8xf32>) -> tensor<2x3x5x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  return %1 : tensor<2x3x5x4xf32>
}
func.func @max_pool_apart(%x: tensor<2x3x9x8xf32>, %s: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %0 = graph.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 0>, dilations = array<i64: 1, 1>} : (tensor<2x3x9x8xf32>) -> tensor<2x3x5x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  return %1 : tensor<2x3x5x4xf32>
}
func.func @avg_pool(%x: tensor<2x3x9x8xf32>, %s: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %0 = graph.avg_pool %x {kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<2x3x9x8xf32>) -> tensor<2x3x5x4xf32>
  %1 = graph.mul %0, %s : (tensor<2x3x5x4xf32>, tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32>
  return %1 : tensor<2x3x5x4xf32>
}
func.func @reductions(%x: tensor<3x4x5xf32>, %s: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %0 = graph.reduce_max %x {axes = array<i64: 1>, keep_dims = false} : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  %1 = graph.reduce_mean %x {axes = array<i64: 1>, keep_dims = false} : (tensor<3x4x5xf32>) -> tensor<3x5xf32>
  %2 = graph.reduce_prod %x {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<3x4x5xf32>) -> tensor<5xf32>
  %3 = graph.mul %0, %1 : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  %4 = graph.add %3, %2 : (tensor<3x5xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %5 = graph.mul %4, %s : (tensor<3x5xf32>, tensor<3x5xf32>) -> tensor<3x5xf32>
  return %5 : tensor<3x5xf32>
}
func.func @normalisations(%x: tensor<3x6xf32>, %w: tensor<6xf32>, %b: tensor<6xf32>, %s: tensor<3x6xf32>) -> tensor<3x6xf32> {
  %0 = graph.layer_norm %x, %w, %b {axis = 1 : i64, epsilon = 1.0e-5 : f32} : (tensor<3x6xf32>, tensor<6xf32>, tensor<6xf32>) -> tensor<3x6xf32>
  %1 = graph.softmax %0 {axis = 1 : i64} : (tensor<3x6xf32>) -> tensor<3x6xf32>
  %2 = graph.prefix %1 {axis = 1 : i64} : (tensor<3x6xf32>) -> tensor<3x6xf32>
  %3 = graph.mul %2, %s : (tensor<3x6xf32>, tensor<3x6xf32>) -> tensor<3x6xf32>
  return %3 : tensor<3x6xf32>
}
func.func @movement(%x: tensor<4x6xf32>, %y: tensor<2x3xf32>, %s: tensor<6x7xf32>) -> tensor<6x7xf32> {
  %0 = graph.slice %x {starts = array<i64: 3, 1>, sizes = array<i64: 2, 3>, steps = array<i64: -2, 2>} : (tensor<4x6xf32>) -> tensor<2x3xf32>
  %1 = graph.concat %0, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %3 = graph.pad %2 {low = array<i64: 2, 1>, high = array<i64: 1, 2>, mode = #graph<pad_mode reflect>} : (tensor<3x4xf32>) -> tensor<6x7xf32>
  %4 = graph.mul %3, %s : (tensor<6x7xf32>, tensor<6x7xf32>) -> tensor<6x7xf32>
  return %4 : tensor<6x7xf32>
}
func.func @rows(%table: tensor<5x4xf32>, %i: tensor<3x2xi64>, %s: tensor<3x2x4xf32>) -> tensor<3x2x4xf32> {
  %0 = graph.gather %table, %i {axis = 0 : i64} : (tensor<5x4xf32>, tensor<3x2xi64>) -> tensor<3x2x4xf32>
  %1 = graph.mul %0, %s : (tensor<3x2x4xf32>, tensor<3x2x4xf32>) -> tensor<3x2x4xf32>
  return %1 : tensor<3x2x4xf32>
}
func.func @columns(%x: tensor<3x5xf32>, %i: tensor<2xi64>, %j: tensor<2x5xi64>, %s: tensor<3x2xf32>, %t: tensor<2x5xf32>) -> tensor<3x5xf32> {
  %0 = graph.gather %x, %i {axis = 1 : i64} : (tensor<3x5xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  %1 = graph.mul %0, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = graph.gather_elements %x, %j {axis = 0 : i64} : (tensor<3x5xf32>, tensor<2x5xi64>) -> tensor<2x5xf32>
  %3 = graph.mul %2, %t : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
  %4 = graph.matmul %1, %3 : (tensor<3x2xf32>, tensor<2x5xf32>) -> tensor<3x5xf32>
  return %4 : tensor<3x5xf32>
}
func.func @picked(%x: tensor<4x5xf32>, %i: tensor<4x1xi64>, %s: tensor<4x1xf32>) -> tensor<4x1xf32> {
  %0 = graph.gather_elements %x, %i {axis = 1 : i64} : (tensor<4x5xf32>, tensor<4x1xi64>) -> tensor<4x1xf32>
  %1 = graph.mul %0, %s : (tensor<4x1xf32>, tensor<4x1xf32>) -> tensor<4x1xf32>
  return %1 : tensor<4x1xf32>
}
func.func @scattered(%x: tensor<5x4xf32>, %i: tensor<3xi64>, %u: tensor<3x4xf32>, %s: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = graph.scatter %x, %i, %u : (tensor<5x4xf32>, tensor<3xi64>, tensor<3x4xf32>) -> tensor<5x4xf32>
  %1 = graph.mul %0, %s : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return %1 : tensor<5x4xf32>
}
func.func @best(%x: tensor<3x7xf32>, %s: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0, %1 = graph.top_k %x {axis = 1 : i64, k = 2 : i64} : (tensor<3x7xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  %2 = graph.mul %0, %s : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %2 : tensor<3x2xf32>
}
