// RUN: tenon-opt %s -tenon-simplify-algebra | FileCheck %s

// CHECK-LABEL: func @neutral
// CHECK-NEXT: return %arg0
func.func @neutral(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<f32>
  %one = graph.constant dense<1.0> : tensor<4xf32>
  %0 = graph.add %x, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.mul %one, %0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %2 = graph.sub %1, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.div %2, %one : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  %4 = graph.cast %3 : (tensor<4xf32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// A neutral element that broadcasts the other operand stays.
// CHECK-LABEL: func @neutral_broadcast
// CHECK: graph.add
func.func @neutral_broadcast(%x: tensor<1xf32>) -> tensor<4xf32> {
  %zero = graph.constant dense<0.0> : tensor<4xf32>
  %0 = graph.add %x, %zero : (tensor<1xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @division
// CHECK: graph.constant dense<2.500000e-01> : tensor<f32>
// CHECK: graph.mul
// CHECK: %[[R:.*]] = graph.rsqrt %arg1
// CHECK: graph.mul %{{.*}}, %[[R]]
func.func @division(%x: tensor<8x8xf32>, %v: tensor<8x1xf32>) -> tensor<8x8xf32> {
  %four = graph.constant dense<4.0> : tensor<f32>
  %0 = graph.div %x, %four : (tensor<8x8xf32>, tensor<f32>) -> tensor<8x8xf32>
  %1 = graph.sqrt %v : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %2 = graph.div %0, %1 : (tensor<8x8xf32>, tensor<8x1xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// The quotient decides about a whole step: it stays exact.
// CHECK-LABEL: func @division_rounded
// CHECK: graph.div
func.func @division_rounded(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = graph.constant dense<3.0> : tensor<f32>
  %0 = graph.div %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = graph.round %0 : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func @powers
// CHECK: %[[S:.*]] = graph.mul %arg0, %arg0
// CHECK: graph.sqrt %[[S]]
// CHECK-NOT: graph.pow
func.func @powers(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %0 = graph.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.pow %0, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @chains
// CHECK: %[[C:.*]] = graph.constant dense<6.000000e+00> : tensor<f32>
// CHECK-NEXT: %[[M:.*]] = graph.mul %arg0, %[[C]]
// CHECK-NEXT: graph.relu %[[M]]
// CHECK-NEXT: return
func.func @chains(%x: tensor<4xf32>) -> tensor<4xf32> {
  %two = graph.constant dense<2.0> : tensor<f32>
  %three = graph.constant dense<3.0> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.mul %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.mul %0, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.max %1, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.relu %2 : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}

// CHECK-LABEL: func @select
// CHECK-NEXT: return %arg1
func.func @select(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %c = graph.constant dense<false> : tensor<i1>
  %0 = graph.select %c, %x, %y : (tensor<i1>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @casts
// CHECK-NEXT: %[[C:.*]] = graph.cast %arg0 : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[C]]
func.func @casts(%x: tensor<4xi32>) -> tensor<4xf32> {
  %0 = graph.cast %x : (tensor<4xi32>) -> tensor<4xi64>
  %1 = graph.cast %0 : (tensor<4xi64>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A cast that says it lost nothing is undone by one back, others truncate.
// CHECK-LABEL: func @exact_casts
// CHECK-NEXT: %[[I:.*]] = graph.cast %arg0 : (tensor<4xf32>) -> tensor<4xi32>
// CHECK-NEXT: %[[T:.*]] = graph.cast %[[I]] : (tensor<4xi32>) -> tensor<4xf32>
// CHECK-NEXT: return %arg0, %[[T]]
func.func @exact_casts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.cast %x {exact} : (tensor<4xf32>) -> tensor<4xi32>
  %1 = graph.cast %0 : (tensor<4xi32>) -> tensor<4xf32>
  %2 = graph.cast %x : (tensor<4xf32>) -> tensor<4xi32>
  %3 = graph.cast %2 : (tensor<4xi32>) -> tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @implicit_broadcast
// CHECK-NEXT: graph.mul %arg0, %arg1 : (tensor<4x4xf32>, tensor<4xf32>)
func.func @implicit_broadcast(%x: tensor<4x4xf32>, %y: tensor<4xf32>) -> tensor<4x4xf32> {
  %0 = graph.broadcast %y : (tensor<4xf32>) -> tensor<4x4xf32>
  %1 = graph.mul %x, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// CHECK-LABEL: func @views
// CHECK-NEXT: graph.reshape %arg0 : (tensor<1x4x1xf32>) -> tensor<4xf32>
// CHECK-NEXT: return
func.func @views(%x: tensor<1x4x1xf32>) -> tensor<4xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 2, 0>} : (tensor<1x4x1xf32>) -> tensor<4x1x1xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<4x1x1xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @slices
// CHECK-NEXT: return %arg0, %arg1
func.func @slices(%x: tensor<4xf32>, %y: tensor<2xf32>) -> (tensor<4xf32>, tensor<2xf32>) {
  %0 = graph.slice %x {starts = array<i64: 0>, sizes = array<i64: 1>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<1xf32>
  %1 = graph.slice %x {starts = array<i64: 1>, sizes = array<i64: 3>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<3xf32>
  %2 = graph.concat %0, %1 {axis = 0 : i64} : (tensor<1xf32>, tensor<3xf32>) -> tensor<4xf32>
  %3 = graph.concat %x, %y {axis = 0 : i64} : (tensor<4xf32>, tensor<2xf32>) -> tensor<6xf32>
  %4 = graph.slice %3 {starts = array<i64: 4>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<6xf32>) -> tensor<2xf32>
  return %2, %4 : tensor<4xf32>, tensor<2xf32>
}

// CHECK-LABEL: func @gather
// CHECK-NEXT: %[[S:.*]] = graph.slice %arg0 {{.*}}starts = array<i64: 0, 2>{{.*}} -> tensor<3x1xf32>
// CHECK-NEXT: graph.reshape %[[S]] : (tensor<3x1xf32>) -> tensor<3xf32>
func.func @gather(%x: tensor<3x4xf32>) -> tensor<3xf32> {
  %i = graph.constant dense<-2> : tensor<i64>
  %0 = graph.gather %x, %i {axis = 1 : i64} : (tensor<3x4xf32>, tensor<i64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @pad
// CHECK-NOT: graph.pad
// CHECK: graph.conv %arg0{{.*}}pads = array<i64: 1, 2, 1, 1>
func.func @pad(%x: tensor<1x2x4x4xf32>, %w: tensor<3x2x3x3xf32>) -> tensor<1x3x4x5xf32> {
  %z = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.pad %x, %z {low = array<i64: 0, 0, 0, 1>, high = array<i64: 0, 0, 0, 0>}
    : (tensor<1x2x4x4xf32>, tensor<f32>) -> tensor<1x2x4x5xf32>
  %1 = graph.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x2x4x5xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x5xf32>
  return %1 : tensor<1x3x4x5xf32>
}

// The leading dimensions join the rows, and what follows stays with the product.
// CHECK-LABEL: func @rows
// CHECK: %[[M:.*]] = graph.matmul %{{.*}}, %arg1 : (tensor<6x4xf32>, tensor<4x5xf32>) -> tensor<6x5xf32>
// CHECK-NEXT: %[[A:.*]] = graph.add %[[M]], %arg2 : (tensor<6x5xf32>, tensor<5xf32>)
// CHECK-NEXT: %[[R:.*]] = graph.relu %[[A]] : (tensor<6x5xf32>)
// CHECK-NEXT: graph.reshape %[[R]] : (tensor<6x5xf32>) -> tensor<2x3x5xf32>
func.func @rows(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = graph.add %0, %b : (tensor<2x3x5xf32>, tensor<5xf32>) -> tensor<2x3x5xf32>
  %2 = graph.relu %1 : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %2 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @scores
// CHECK: %[[K:.*]] = graph.transpose %arg1 {permutation = array<i64: 0, 2, 1, 3>}
// CHECK: graph.matmul %arg0, %[[K]] {transpose_rhs}
func.func @scores(%q: tensor<1x2x8x4xf32>, %k: tensor<1x8x2x4xf32>) -> tensor<1x2x8x8xf32> {
  %0 = graph.transpose %k {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x8x2x4xf32>) -> tensor<1x2x4x8xf32>
  %1 = graph.matmul %q, %0 : (tensor<1x2x8x4xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x8x8xf32>
  return %1 : tensor<1x2x8x8xf32>
}

// A product's reshape with several readers sinks below all of them.
// CHECK-LABEL: func @gate
// CHECK: %[[M:.*]] = graph.matmul
// CHECK-NEXT: %[[S:.*]] = graph.sigmoid %[[M]] : (tensor<6x5xf32>)
// CHECK-NEXT: %[[G:.*]] = graph.mul %[[M]], %[[S]] : (tensor<6x5xf32>
// CHECK-NEXT: graph.reshape %[[G]]
func.func @gate(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = graph.sigmoid %0 : (tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  %2 = graph.mul %0, %1 : (tensor<2x3x5xf32>, tensor<2x3x5xf32>) -> tensor<2x3x5xf32>
  return %2 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @heads
// CHECK: %[[Q:.*]] = graph.slice %arg0 {{.*}} : (tensor<8x1x3x4xf32>) -> tensor<8x1x1x4xf32>
// CHECK-NEXT: graph.reshape %[[Q]] : (tensor<8x1x1x4xf32>) -> tensor<8x4xf32>
// CHECK-NOT: graph.transpose
func.func @heads(%x: tensor<8x1x3x4xf32>) -> tensor<8x4xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 2, 0, 1, 3>} : (tensor<8x1x3x4xf32>) -> tensor<3x8x1x4xf32>
  %1 = graph.reshape %0 : (tensor<3x8x1x4xf32>) -> tensor<3x8x4xf32>
  %2 = graph.slice %1 {starts = array<i64: 1, 0, 0>, sizes = array<i64: 1, 8, 4>, steps = array<i64: 1, 1, 1>}
    : (tensor<3x8x4xf32>) -> tensor<1x8x4xf32>
  %3 = graph.reshape %2 : (tensor<1x8x4xf32>) -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}

// CHECK-LABEL: func @scaled_keys
// CHECK: %[[M:.*]] = graph.mul %arg1, %{{.*}} : (tensor<8x2x4xf32>
// CHECK: %[[T:.*]] = graph.transpose %[[M]] {permutation = array<i64: 1, 0, 2>}
// CHECK: %[[R:.*]] = graph.reshape %[[T]] : (tensor<2x8x4xf32>) -> tensor<1x2x8x4xf32>
// CHECK: graph.matmul %arg0, %[[R]] {transpose_rhs}
func.func @scaled_keys(%q: tensor<1x2x8x4xf32>, %k: tensor<8x2x4xf32>) -> tensor<1x2x8x8xf32> {
  %c = graph.constant dense<0.5> : tensor<1x1x1xf32>
  %0 = graph.transpose %k {permutation = array<i64: 1, 2, 0>} : (tensor<8x2x4xf32>) -> tensor<2x4x8xf32>
  %1 = graph.mul %0, %c : (tensor<2x4x8xf32>, tensor<1x1x1xf32>) -> tensor<2x4x8xf32>
  %2 = graph.reshape %1 : (tensor<2x4x8xf32>) -> tensor<1x2x4x8xf32>
  %3 = graph.matmul %q, %2 : (tensor<1x2x8x4xf32>, tensor<1x2x4x8xf32>) -> tensor<1x2x8x8xf32>
  return %3 : tensor<1x2x8x8xf32>
}

// Reductions stay with the product too.
// CHECK-LABEL: func @mean
// CHECK: %[[M:.*]] = graph.matmul
// CHECK-NEXT: %[[A:.*]] = graph.reduce_mean %[[M]] {axes = array<i64: 1>} : (tensor<6x5xf32>) -> tensor<6x1xf32>
// CHECK-NEXT: %[[S:.*]] = graph.sub %[[M]], %[[A]] : (tensor<6x5xf32>, tensor<6x1xf32>)
// CHECK-NEXT: graph.reshape %[[S]]
// CHECK-NEXT: return
func.func @mean(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) -> tensor<2x3x5xf32> {
  %0 = graph.matmul %x, %w : (tensor<2x3x4xf32>, tensor<4x5xf32>) -> tensor<2x3x5xf32>
  %1 = graph.reduce_mean %0 {axes = array<i64: 2>} : (tensor<2x3x5xf32>) -> tensor<2x3x1xf32>
  %2 = graph.sub %0, %1 : (tensor<2x3x5xf32>, tensor<2x3x1xf32>) -> tensor<2x3x5xf32>
  return %2 : tensor<2x3x5xf32>
}

// CHECK-LABEL: func @division_half
// CHECK: graph.div
func.func @division_half(%x: tensor<8xf16>) -> tensor<8xf16> {
  %c = graph.constant dense<3.0> : tensor<f16>
  %0 = graph.div %x, %c : (tensor<8xf16>, tensor<f16>) -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// Numbers of eight bits fit f32, so they go on from where they were, narrowed
// as the last cast says; what has been narrowed stays.
// CHECK-LABEL: func @small_casts
// CHECK-NEXT: %[[WIDE:.*]] = graph.cast %arg0 {saturate = false} : (tensor<4xf8E5M2>) -> tensor<4xf8E4M3FN>
// CHECK-NEXT: %[[NARROW:.*]] = graph.cast %arg1 : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
// CHECK-NEXT: %[[BACK:.*]] = graph.cast %[[NARROW]] : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
// CHECK-NEXT: %[[INT:.*]] = graph.cast %arg1 : (tensor<4xf32>) -> tensor<4xi4>
// CHECK-NEXT: %[[REAL:.*]] = graph.cast %[[INT]] : (tensor<4xi4>) -> tensor<4xf32>
// CHECK-NEXT: return %[[WIDE]], %[[BACK]], %[[REAL]]
func.func @small_casts(%x: tensor<4xf8E5M2>, %y: tensor<4xf32>) -> (tensor<4xf8E4M3FN>, tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.cast %x : (tensor<4xf8E5M2>) -> tensor<4xf32>
  %1 = graph.cast %0 {saturate = false} : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %2 = graph.cast %y : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
  %3 = graph.cast %2 : (tensor<4xf8E4M3FN>) -> tensor<4xf32>
  %4 = graph.cast %y : (tensor<4xf32>) -> tensor<4xi4>
  %5 = graph.cast %4 : (tensor<4xi4>) -> tensor<4xf32>
  return %1, %3, %5 : tensor<4xf8E4M3FN>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func @bitcasts
// CHECK-NEXT: %[[BITS:.*]] = graph.bitcast %arg0 : (tensor<4xf32>) -> tensor<4xui32>
// CHECK-NEXT: return %[[BITS]], %arg0
func.func @bitcasts(%x: tensor<4xf32>) -> (tensor<4xui32>, tensor<4xf32>) {
  %0 = graph.bitcast %x : (tensor<4xf32>) -> tensor<4xi32>
  %1 = graph.bitcast %0 : (tensor<4xi32>) -> tensor<4xui32>
  %2 = graph.bitcast %0 : (tensor<4xi32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xui32>, tensor<4xf32>
}
