// RUN: tenon-opt %s --tenon-join-products=target=sm_90a | FileCheck %s
// RUN: tenon-opt %s --tenon-join-products=target=sm_90a --tenon-fold-constants | FileCheck %s --check-prefix=FOLDED

// Columns side by side, and what is added to them.

// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.*]] = graph.constant dense<1.0
// CHECK: %[[K:.*]] = graph.constant dense<2.0
// CHECK: %[[W:.*]] = graph.concat %[[Q]], %[[K]] {axis = 1 : i64}
// CHECK: %[[P:.*]] = graph.matmul %arg0, %[[W]] : (tensor<4x8xf32>, tensor<8x24xf32>) -> tensor<4x24xf32>
// CHECK: %[[B:.*]] = graph.concat {{.*}} {axis = 0 : i64} : (tensor<16xf32>, tensor<8xf32>) -> tensor<24xf32>
// CHECK: %[[S:.*]] = graph.add %[[P]], %[[B]]
// CHECK: %[[FIRST:.*]] = graph.slice %[[S]] {sizes = array<i64: 4, 16>, starts = array<i64: 0, 0>
// CHECK: %[[SECOND:.*]] = graph.slice %[[S]] {sizes = array<i64: 4, 8>, starts = array<i64: 0, 16>
// CHECK: graph.reshape %[[FIRST]]
// CHECK: graph.reshape %[[SECOND]]
// FOLDED-LABEL: func.func @main
// FOLDED-NOT: graph.concat
// FOLDED: graph.matmul
func.func @main(%x: tensor<4x8xf32>) -> (tensor<4x4x4xf32>, tensor<4x2x4xf32>) {
  %q = graph.constant dense<1.0> : tensor<8x16xf32>
  %a = graph.constant dense<3.0> : tensor<16xf32>
  %0 = graph.matmul %x, %q : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.add %0, %a : (tensor<4x16xf32>, tensor<16xf32>) -> tensor<4x16xf32>
  %2 = graph.reshape %1 : (tensor<4x16xf32>) -> tensor<4x4x4xf32>
  %k = graph.constant dense<2.0> : tensor<8x8xf32>
  %b = graph.constant dense<4.0> : tensor<8xf32>
  %3 = graph.matmul %x, %k : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %4 = graph.add %b, %3 : (tensor<8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = graph.reshape %4 : (tensor<4x8xf32>) -> tensor<4x2x4xf32>
  return %2, %5 : tensor<4x4x4xf32>, tensor<4x2x4xf32>
}

// CHECK-LABEL: func.func @transposed
// CHECK: graph.concat {{.*}} {axis = 0 : i64}
// CHECK: graph.matmul {{.*}} {transpose_rhs} : (tensor<4x8xf32>, tensor<24x8xf32>) -> tensor<4x24xf32>
// CHECK-NOT: graph.matmul
// CHECK: return
func.func @transposed(%x: tensor<4x8xf32>) -> (tensor<16x4xf32>, tensor<8x4xf32>) {
  %q = graph.constant dense<1.0> : tensor<16x8xf32>
  %k = graph.constant dense<2.0> : tensor<8x8xf32>
  %0 = graph.matmul %x, %q {transpose_rhs} : (tensor<4x8xf32>, tensor<16x8xf32>) -> tensor<4x16xf32>
  %1 = graph.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  %2 = graph.matmul %x, %k {transpose_rhs} : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = graph.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return %1, %3 : tensor<16x4xf32>, tensor<8x4xf32>
}

// Epilogues stay with their products, results of the program lie by themselves,
// and constants that others read are not stored twice. Columns whose parts
// would begin anywhere are left alone.

// CHECK-LABEL: func.func @apart
// CHECK-NOT: graph.concat
// CHECK: return
func.func @apart(%x: tensor<4x8xf32>) -> (tensor<4x4x4xf32>, tensor<4x16xf32>, tensor<4x4x4xf32>, tensor<4x4x4xf32>) {
  %q = graph.constant dense<1.0> : tensor<8x16xf32>
  %k = graph.constant dense<2.0> : tensor<8x16xf32>
  %v = graph.constant dense<3.0> : tensor<8x16xf32>
  %w = graph.constant dense<4.0> : tensor<8x16xf32>
  %0 = graph.matmul %x, %q : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.relu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.reshape %1 : (tensor<4x16xf32>) -> tensor<4x4x4xf32>
  %3 = graph.matmul %x, %k : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %4 = graph.matmul %x, %v : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %5 = graph.reshape %4 : (tensor<4x16xf32>) -> tensor<4x4x4xf32>
  %6 = graph.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %7 = graph.add %w, %w : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %8 = graph.matmul %x, %7 : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %9 = graph.add %6, %8 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %10 = graph.reshape %9 : (tensor<4x16xf32>) -> tensor<4x4x4xf32>
  return %2, %3, %5, %10 : tensor<4x4x4xf32>, tensor<4x16xf32>, tensor<4x4x4xf32>, tensor<4x4x4xf32>
}

// CHECK-LABEL: func.func @odd
// CHECK-NOT: graph.concat
// CHECK: return
func.func @odd(%x: tensor<4x8xf32>) -> (tensor<4x3x4xf32>, tensor<4x2x4xf32>) {
  %q = graph.constant dense<1.0> : tensor<8x12xf32>
  %k = graph.constant dense<2.0> : tensor<8x8xf32>
  %0 = graph.matmul %x, %q : (tensor<4x8xf32>, tensor<8x12xf32>) -> tensor<4x12xf32>
  %1 = graph.reshape %0 : (tensor<4x12xf32>) -> tensor<4x3x4xf32>
  %2 = graph.matmul %x, %k : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>
  %3 = graph.reshape %2 : (tensor<4x8xf32>) -> tensor<4x2x4xf32>
  return %1, %3 : tensor<4x3x4xf32>, tensor<4x2x4xf32>
}

// What a kernel of 136 columns leaves idle takes longer than a launch.

// CHECK-LABEL: func.func @narrow
// CHECK-COUNT-2: graph.matmul
func.func @narrow(%x: tensor<16384x64xf32>) -> (tensor<16384x16x8xf32>, tensor<16384x1x8xf32>) {
  %q = graph.constant dense<1.0> : tensor<64x128xf32>
  %k = graph.constant dense<2.0> : tensor<64x8xf32>
  %0 = graph.matmul %x, %q : (tensor<16384x64xf32>, tensor<64x128xf32>) -> tensor<16384x128xf32>
  %1 = graph.reshape %0 : (tensor<16384x128xf32>) -> tensor<16384x16x8xf32>
  %2 = graph.matmul %x, %k : (tensor<16384x64xf32>, tensor<64x8xf32>) -> tensor<16384x8xf32>
  %3 = graph.reshape %2 : (tensor<16384x8xf32>) -> tensor<16384x1x8xf32>
  return %1, %3 : tensor<16384x16x8xf32>, tensor<16384x1x8xf32>
}
