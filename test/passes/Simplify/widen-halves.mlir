// RUN: tenon-opt %s -tenon-widen-halves | FileCheck %s

// What leaves is cast; nothing is rounded twice.
// CHECK-LABEL: func @single
// CHECK-NEXT: %[[X:.*]] = graph.cast %arg0 : (tensor<8xf16>) -> tensor<8xf32>
// CHECK-NEXT: %[[E:.*]] = graph.exp %[[X]] : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[Y:.*]] = graph.cast %[[E]] : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT: return %[[Y]]
func.func @single(%x: tensor<8xf16>) -> tensor<8xf16> {
  %0 = graph.exp %x : (tensor<8xf16>) -> tensor<8xf16>
  return %0 : tensor<8xf16>
}

// What is computed with is rounded where it is made, and lies as f32.
// CHECK-LABEL: func @rounds_between
// CHECK: %[[E:.*]] = graph.exp
// CHECK-NEXT: %[[H:.*]] = graph.cast %[[E]] : (tensor<8xf32>) -> tensor<8xbf16>
// CHECK-NEXT: %[[R:.*]] = graph.cast %[[H]] : (tensor<8xbf16>) -> tensor<8xf32>
// CHECK-NEXT: graph.sin %[[R]]
func.func @rounds_between(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %0 = graph.exp %x : (tensor<8xbf16>) -> tensor<8xbf16>
  %1 = graph.sin %0 : (tensor<8xbf16>) -> tensor<8xbf16>
  return %1 : tensor<8xbf16>
}

// CHECK-LABEL: func @exact_is_not_rounded
// CHECK: %[[R:.*]] = graph.relu
// CHECK-NEXT: graph.sin %[[R]]
func.func @exact_is_not_rounded(%x: tensor<8xf16>) -> tensor<8xf16> {
  %0 = graph.relu %x : (tensor<8xf16>) -> tensor<8xf16>
  %1 = graph.sin %0 : (tensor<8xf16>) -> tensor<8xf16>
  return %1 : tensor<8xf16>
}

// Constants are widened here; a product is rounded behind its bias.
// CHECK-LABEL: func @bias
// CHECK-DAG: %[[W:.*]] = graph.constant dense<2.500000e-01> : tensor<4x4xf32>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[P:.*]] = graph.matmul %{{.*}}, %[[W]]
// CHECK-NEXT: %[[A:.*]] = graph.add %[[P]], %[[B]]
// CHECK-NEXT: graph.cast %[[A]] : (tensor<2x4xf32>) -> tensor<2x4xf16>
func.func @bias(%x: tensor<2x4xf16>) -> tensor<2x4xf16> {
  %w = graph.constant dense<0.25> : tensor<4x4xf16>
  %b = graph.constant dense<1.0> : tensor<4xf16>
  %0 = graph.matmul %x, %w : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf16>
  %1 = graph.add %0, %b : (tensor<2x4xf16>, tensor<4xf16>) -> tensor<2x4xf16>
  return %1 : tensor<2x4xf16>
}

// A bias that another operation computes is one of the model's nodes.
// CHECK-LABEL: func @sum
// CHECK: %[[P:.*]] = graph.matmul
// CHECK-NEXT: %[[H:.*]] = graph.cast %[[P]] : (tensor<2x4xf32>) -> tensor<2x4xf16>
// CHECK-NEXT: %[[R:.*]] = graph.cast %[[H]] : (tensor<2x4xf16>) -> tensor<2x4xf32>
// CHECK: graph.add %[[R]]
func.func @sum(%x: tensor<2x4xf16>, %w: tensor<4x4xf16>, %b: tensor<4xf16>) -> tensor<2x4xf16> {
  %0 = graph.matmul %x, %w : (tensor<2x4xf16>, tensor<4x4xf16>) -> tensor<2x4xf16>
  %1 = graph.add %0, %b : (tensor<2x4xf16>, tensor<4xf16>) -> tensor<2x4xf16>
  return %1 : tensor<2x4xf16>
}

// What was computed moves as f32, what was not in 16 bits.
// CHECK-LABEL: func @moves
// CHECK: %[[S:.*]] = graph.slice %arg0 {{.*}} -> tensor<4xf16>
// CHECK: graph.slice {{.*}} : (tensor<8xf32>) -> tensor<4xf32>
// CHECK: graph.cast %[[S]] : (tensor<4xf16>) -> tensor<4xf32>
func.func @moves(%x: tensor<8xf16>) -> tensor<4xf16> {
  %0 = graph.slice %x {starts = array<i64: 0>, sizes = array<i64: 4>, steps = array<i64: 1>} : (tensor<8xf16>) -> tensor<4xf16>
  %1 = graph.exp %x : (tensor<8xf16>) -> tensor<8xf16>
  %2 = graph.slice %1 {starts = array<i64: 4>, sizes = array<i64: 4>, steps = array<i64: 1>} : (tensor<8xf16>) -> tensor<4xf16>
  %3 = graph.add %0, %2 : (tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  return %3 : tensor<4xf16>
}

// CHECK-LABEL: func @only_moved
// CHECK-NOT: f32
// CHECK: return
func.func @only_moved(%x: tensor<8xf16>, %i: tensor<3xi64>) -> tensor<3xf16> {
  %0 = graph.gather %x, %i {axis = 0 : i64} : (tensor<8xf16>, tensor<3xi64>) -> tensor<3xf16>
  return %0 : tensor<3xf16>
}

// A large table stays as it is; rows of it are widened.
// CHECK-LABEL: func @table
// CHECK: %[[T:.*]] = graph.constant {{.*}} : tensor<4x2xf16>
// CHECK-NEXT: %[[G:.*]] = graph.gather %[[T]]
// CHECK-NEXT: graph.cast %[[G]]
func.func @table(%i: tensor<3xi64>) -> tensor<3x2xf16> {
  %t = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf16>
  %0 = graph.gather %t, %i {axis = 0 : i64} : (tensor<4x2xf16>, tensor<3xi64>) -> tensor<3x2xf16>
  %1 = graph.exp %0 : (tensor<3x2xf16>) -> tensor<3x2xf16>
  return %1 : tensor<3x2xf16>
}

// The model's own casts: one to f32 is the wide form, one to 16 bits rounds.
// CHECK-LABEL: func @casts
// CHECK-NEXT: %[[H:.*]] = graph.cast %arg0 : (tensor<8xf32>) -> tensor<8xf16>
// CHECK-NEXT: %[[W:.*]] = graph.cast %[[H]] : (tensor<8xf16>) -> tensor<8xf32>
// CHECK-NEXT: %[[B:.*]] = graph.cast %[[W]] : (tensor<8xf32>) -> tensor<8xbf16>
// CHECK-NEXT: return %[[W]], %[[B]]
func.func @casts(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xbf16>) {
  %0 = graph.cast %x : (tensor<8xf32>) -> tensor<8xf16>
  %1 = graph.cast %0 : (tensor<8xf16>) -> tensor<8xf32>
  %2 = graph.cast %0 : (tensor<8xf16>) -> tensor<8xbf16>
  return %1, %2 : tensor<8xf32>, tensor<8xbf16>
}

// Other operands and results keep their types.
// CHECK-LABEL: func @mixed
// CHECK: graph.select %arg0, {{.*}} : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: graph.less {{.*}} -> tensor<8xi1>
func.func @mixed(%c: tensor<8xi1>, %x: tensor<8xf16>, %y: tensor<8xf16>) -> tensor<8xi1> {
  %0 = graph.select %c, %x, %y : (tensor<8xi1>, tensor<8xf16>, tensor<8xf16>) -> tensor<8xf16>
  %1 = graph.less %0, %y : (tensor<8xf16>, tensor<8xf16>) -> tensor<8xi1>
  return %1 : tensor<8xi1>
}
