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

// A result may grow only up to the budget.
// CHECK-LABEL: func @growth
// CHECK-NOT: graph.broadcast
// SMALL-LABEL: func @growth
// SMALL: graph.broadcast
func.func @growth() -> tensor<8x2xf32> {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.broadcast %0 : (tensor<2xf32>) -> tensor<8x2xf32>
  return %1 : tensor<8x2xf32>
}

// CHECK-LABEL: func @iota
// CHECK-NEXT: graph.constant dense<[0, 2, 4]> : tensor<3xi64>
func.func @iota() -> tensor<3xi64> {
  %0 = graph.iota {axis = 0 : i64, start = 0.0 : f64, step = 2.0 : f64} : () -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// Packed weights are made when the artefact is written.
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
