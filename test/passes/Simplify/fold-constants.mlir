// RUN: tenon-opt %s -tenon-fold-constants | FileCheck %s
// RUN: tenon-opt %s -tenon-fold-constants=max-bytes=16 | FileCheck %s --check-prefix=SMALL

// CHECK-LABEL: func @chain
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<[-2.000000e+00, -4.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]]
func.func @chain() -> tensor<2xf32> {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.add %1, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %2 : tensor<2xf32>
}

// A constant may grow by a page.
// CHECK-LABEL: func @growth
// CHECK-NOT: graph.broadcast
func.func @growth() -> tensor<8x2xf32> {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.broadcast %0 : (tensor<2xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// What repeats stays a row, whatever is computed of it: (1, 2) * 2 + 1.
// CHECK-LABEL: func @tile
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<{{\[+}}3.000000e+00, 5.000000e+00]]> : tensor<1x2xf32>
// CHECK-NEXT: %[[R:.*]] = graph.broadcast %[[C]] : (tensor<1x2xf32>) -> tensor<4096x2xf32>
// CHECK-NEXT: return %[[R]]
func.func @tile() -> tensor<4096x2xf32> {
  %row = graph.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %two = graph.constant dense<2.0> : tensor<4096x1xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.reshape %row : (tensor<1x2xf32>) -> tensor<1x1x2xf32>
  %1 = graph.broadcast %0 : (tensor<1x1x2xf32>) -> tensor<4096x1x2xf32>
  %2 = graph.reshape %1 : (tensor<4096x1x2xf32>) -> tensor<4096x2xf32>
  %3 = graph.mul %2, %two : (tensor<4096x2xf32>, tensor<4096x1xf32>) -> tensor<4096x2xf32>
  %4 = graph.add %3, %one : (tensor<4096x2xf32>, tensor<f32>) -> tensor<4096x2xf32>
  return %4 : tensor<4096x2xf32>
}

// Slices, transposes and reductions of what repeats: 3 of (1, 2) transposed,
// summed over the 3.
// CHECK-LABEL: func @moved
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<[3.000000e+00, 6.000000e+00]> : tensor<2xf32>
// CHECK-NEXT: return %[[C]]
func.func @moved() -> tensor<2xf32> {
  %row = graph.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %0 = graph.broadcast %row : (tensor<1x2xf32>) -> tensor<8192x2xf32>
  %1 = graph.slice %0 {starts = array<i64: 5, 0>, sizes = array<i64: 3, 2>, steps = array<i64: 7, 1>}
    : (tensor<8192x2xf32>) -> tensor<3x2xf32>
  %2 = graph.transpose %1 {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = graph.reduce_sum %2 {axes = array<i64: 1>, keep_dims = false} : (tensor<2x3xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}

// The same row for all indices, and of equal rows any: types of tokens.
// CHECK-LABEL: func @gathered
// CHECK: %[[R:.*]] = graph.constant dense<{{\[+}}3.000000e+00, 4.000000e+00]]> : tensor<1x2xf32>
// CHECK: graph.broadcast %[[R]] : (tensor<1x2xf32>) -> tensor<4096x2xf32>
// CHECK: %[[E:.*]] = graph.constant dense<{{\[+}}1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>
// CHECK: graph.broadcast %[[E]] : (tensor<1x2xf32>) -> tensor<2048x2xf32>
func.func @gathered() -> (tensor<4096x2xf32>, tensor<2048x2xf32>) {
  %table = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %ones = graph.constant dense<1> : tensor<4096xi64>
  %0 = graph.gather %table, %ones {axis = 0 : i64} : (tensor<2x2xf32>, tensor<4096xi64>) -> tensor<4096x2xf32>
  %row = graph.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %rows = graph.broadcast %row : (tensor<1x2xf32>) -> tensor<9999x2xf32>
  %some = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 3.0 : f64} : () -> tensor<2048xi64>
  %1 = graph.gather %rows, %some {axis = 0 : i64} : (tensor<9999x2xf32>, tensor<2048xi64>) -> tensor<2048x2xf32>
  return %0, %1 : tensor<4096x2xf32>, tensor<2048x2xf32>
}

// A gigabyte of zeros, plus one: the mean is 1, the sum 2^28, the product 1, the
// largest 1; a sum of integers wraps: 2^28 * 24 = 2^31 + 2^32.
// CHECK-LABEL: func @splats
// CHECK-DAG: graph.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: graph.constant dense<0x4D800000> : tensor<f32>
// CHECK-DAG: graph.constant dense<-2147483648> : tensor<i32>
// CHECK-NOT: graph.reduce
func.func @splats() -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) {
  %zeros = graph.constant dense<0.0> : tensor<16384x16384xf32>
  %one = graph.constant dense<1.0> : tensor<f32>
  %0 = graph.add %zeros, %one : (tensor<16384x16384xf32>, tensor<f32>) -> tensor<16384x16384xf32>
  %mean = graph.reduce_mean %0 {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<16384x16384xf32>) -> tensor<f32>
  %sum = graph.reduce_sum %0 {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<16384x16384xf32>) -> tensor<f32>
  %product = graph.reduce_prod %0 {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<16384x16384xf32>) -> tensor<f32>
  %largest = graph.reduce_max %0 {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<16384x16384xf32>) -> tensor<f32>
  %integers = graph.constant dense<24> : tensor<16384x16384xi32>
  %wrapped = graph.reduce_sum %integers {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<16384x16384xi32>) -> tensor<i32>
  return %mean, %sum, %product, %largest, %wrapped : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>
}

// Movements of one number; a border of another one is not one.
// CHECK-LABEL: func @one_number
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<2.000000e+00> : tensor<8192x8xf32>
// CHECK-NOT: graph.concat
// CHECK: %[[P:.*]] = graph.pad
// CHECK: return %[[C]], %[[P]]
func.func @one_number() -> (tensor<8192x8xf32>, tensor<8194x8194xf32>) {
  %0 = graph.constant dense<2.0> : tensor<4096x8xf32>
  %1 = graph.concat %0, %0 {axis = 0 : i64} : (tensor<4096x8xf32>, tensor<4096x8xf32>) -> tensor<8192x8xf32>
  %2 = graph.constant dense<2.0> : tensor<8192x8192xf32>
  %3 = graph.pad %2 {low = array<i64: 1, 1>, high = array<i64: 1, 1>} : (tensor<8192x8192xf32>) -> tensor<8194x8194xf32>
  return %1, %3 : tensor<8192x8xf32>, tensor<8194x8194xf32>
}

// A sum of a row and a column is computed at each run; costly functions are not.
// CHECK-LABEL: func @outer
// CHECK: %[[SUM:.*]] = graph.add
// CHECK-NOT: graph.cos
// CHECK: return %[[SUM]]
// SMALL-LABEL: func @outer
// SMALL: graph.cos
func.func @outer() -> (tensor<256x256xf32>, tensor<256x256xf32>) {
  %0 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 1.0 : f64} : () -> tensor<256x1xf32>
  %1 = graph.iota {axis = 1 : i64, start = 0.0 : f64, step = 1.0 : f64} : () -> tensor<1x256xf32>
  %2 = graph.add %0, %1 : (tensor<256x1xf32>, tensor<1x256xf32>) -> tensor<256x256xf32>
  %3 = graph.cos %2 : (tensor<256x256xf32>) -> tensor<256x256xf32>
  return %2, %3 : tensor<256x256xf32>, tensor<256x256xf32>
}

// Weights are stored as kernels read them, whatever they grow to; a table that
// rows are taken of stays as it is.
// CHECK-LABEL: func @dequantized
// CHECK: %[[T:.*]] = graph.constant {{.*}} : tensor<64x128xi8>
// CHECK: %[[C:.*]] = graph.cast %[[T]]
// CHECK: graph.gather %[[C]]
// CHECK: %[[W:.*]] = graph.constant {{.*}} : tensor<64x128xf32>
// CHECK: graph.matmul {{.*}}, %[[W]]
func.func @dequantized(%x: tensor<2x64xf32>, %i: tensor<3xi64>) -> (tensor<3x128xf32>, tensor<2x128xf32>) {
  %scale = graph.constant dense<0.5> : tensor<f32>
  %seven = graph.constant dense<7> : tensor<i64>
  %0 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 1.0 : f64} : () -> tensor<64x128xi8>
  %1 = graph.cast %0 : (tensor<64x128xi8>) -> tensor<64x128xf32>
  %2 = graph.gather %1, %i {axis = 0 : i64} : (tensor<64x128xf32>, tensor<3xi64>) -> tensor<3x128xf32>
  %3 = graph.neg %0 : (tensor<64x128xi8>) -> tensor<64x128xi8>
  %4 = graph.cast %3 : (tensor<64x128xi8>) -> tensor<64x128xf32>
  %5 = graph.mul %4, %scale : (tensor<64x128xf32>, tensor<f32>) -> tensor<64x128xf32>
  %6 = graph.matmul %x, %5 : (tensor<2x64xf32>, tensor<64x128xf32>) -> tensor<2x128xf32>
  return %2, %6 : tensor<3x128xf32>, tensor<2x128xf32>
}

// A product takes the transpose in, so that both read one table.
// CHECK-LABEL: func @tied
// CHECK: %[[T:.*]] = graph.constant
// CHECK: graph.gather %[[T]]
// CHECK: graph.transpose %[[T]]
func.func @tied(%x: tensor<2x2xf32>, %i: tensor<1xi64>) -> (tensor<1x2xf32>, tensor<2x3xf32>) {
  %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %1 = graph.gather %0, %i {axis = 0 : i64} : (tensor<3x2xf32>, tensor<1xi64>) -> tensor<1x2xf32>
  %2 = graph.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %3 = graph.matmul %x, %2 : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %1, %3 : tensor<1x2xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func @iota
// CHECK-NEXT: graph.constant dense<[0, 2, 4]> : tensor<3xi64>
func.func @iota() -> tensor<3xi64> {
  %0 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 2.0 : f64} : () -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// Packed weights are made when the artifact is written.
// CHECK-LABEL: func @pack
// CHECK: graph.pack
func.func @pack() -> tensor<1x2x8xf32> {
  %0 = graph.constant dense<1.0> : tensor<2x3xf32>
  %1 = graph.pack %0 {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 8 : i64}
    : (tensor<2x3xf32>) -> tensor<1x2x8xf32>
  return %1 : tensor<1x2x8xf32>
}

// An empty result is a constant whatever it is computed from.
// CHECK-LABEL: func @nothing
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<> : tensor<0x4xf32>
// CHECK-NEXT: return %[[C]]
func.func @nothing(%x: tensor<0x3xf32>, %w: tensor<3x4xf32>) -> tensor<0x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<0x3xf32>, tensor<3x4xf32>) -> tensor<0x4xf32>
  %1 = graph.neg %0 : (tensor<0x4xf32>) -> tensor<0x4xf32>
  return %1 : tensor<0x4xf32>
}

// So is a product over nothing.
// CHECK-LABEL: func @zeros
// CHECK-NEXT: %[[C:.*]] = graph.constant dense<0.000000e+00> : tensor<2x4xf32>
// CHECK-NEXT: return %[[C]]
func.func @zeros(%x: tensor<2x0xf32>, %w: tensor<0x4xf32>) -> tensor<2x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x0xf32>, tensor<0x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// And so are both where inputs decide of what shape.
// CHECK-LABEL: func @open
// CHECK-DAG: graph.broadcast {{.*}} -> tensor<0x?xf32, #graph.dims<[0, "n"]>>
// CHECK-DAG: graph.broadcast {{.*}} -> tensor<2x?xf32, #graph.dims<[2, "n"]>>
// CHECK-NOT: graph.matmul
// CHECK: return
func.func @open(%x: tensor<0x4xf32>, %y: tensor<2x0xf32>, %w: tensor<4x?xf32, #graph.dims<[4, "n"]>>, %v: tensor<0x?xf32, #graph.dims<[0, "n"]>>)
    -> (tensor<0x?xf32, #graph.dims<[0, "n"]>>, tensor<2x?xf32, #graph.dims<[2, "n"]>>) {
  %0 = graph.matmul %x, %w : (tensor<0x4xf32>, tensor<4x?xf32, #graph.dims<[4, "n"]>>) -> tensor<0x?xf32, #graph.dims<[0, "n"]>>
  %1 = graph.matmul %y, %v : (tensor<2x0xf32>, tensor<0x?xf32, #graph.dims<[0, "n"]>>) -> tensor<2x?xf32, #graph.dims<[2, "n"]>>
  return %0, %1 : tensor<0x?xf32, #graph.dims<[0, "n"]>>, tensor<2x?xf32, #graph.dims<[2, "n"]>>
}
