// RUN: tenon-opt %s --tenon-join-products --tenon-fold-constants --canonicalize --split-input-file | FileCheck %s

// Queries, keys and values, each with a bias: one product, whose columns are
// read where they lie. Constants follow each other in the program's order.
// CHECK-LABEL: func.func @attention
// CHECK-DAG: %[[W:.*]] = graph.constant dense<{{\[}}[1.000000e+00, 2.000000e+00, 5.000000e+00, 6.000000e+00, 9.000000e+00, 1.000000e+01], [3.000000e+00, 4.000000e+00, 7.000000e+00, 8.000000e+00, 1.100000e+01, 1.200000e+01]]>
// CHECK-DAG: %[[B:.*]] = graph.constant dense<[1.000000e-01, 2.000000e-01, 3.000000e-01, 4.000000e-01, 5.000000e-01, 6.000000e-01]>
// CHECK: %[[P:.*]] = graph.matmul %{{.*}}, %[[W]] : (tensor<3x2xf32>, tensor<2x6xf32>) -> tensor<3x6xf32>
// CHECK: %[[A:.*]] = graph.add %[[P]], %[[B]]
// CHECK-NEXT: graph.slice %[[A]] {sizes = array<i64: 3, 2>, starts = array<i64: 0, 0>
// CHECK-NEXT: graph.slice %[[A]] {sizes = array<i64: 3, 2>, starts = array<i64: 0, 2>
// CHECK-NEXT: graph.slice %[[A]] {sizes = array<i64: 3, 2>, starts = array<i64: 0, 4>
// CHECK-COUNT-2: graph.matmul
// CHECK-NOT: graph.matmul
// CHECK: return
func.func @attention(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %wq = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %bq = graph.constant dense<[0.1, 0.2]> : tensor<2xf32>
  %q0 = graph.matmul %x, %wq : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %q = graph.add %q0, %bq : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %wk = graph.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %bk = graph.constant dense<[0.3, 0.4]> : tensor<2xf32>
  %k0 = graph.matmul %x, %wk : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %k = graph.add %bk, %k0 : (tensor<2xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  %wv = graph.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %bv = graph.constant dense<[0.5, 0.6]> : tensor<2xf32>
  %v0 = graph.matmul %x, %wv : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %v = graph.add %v0, %bv : (tensor<3x2xf32>, tensor<2xf32>) -> tensor<3x2xf32>
  %kt = graph.transpose %k {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %s = graph.matmul %q, %kt : (tensor<3x2xf32>, tensor<2x3xf32>) -> tensor<3x3xf32>
  %y = graph.matmul %s, %v : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// Rows of transposed matrices, without biases, of different widths.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[W:.*]] = graph.constant dense<{{.*}}> : tensor<5x2xf32>
// CHECK: %[[P:.*]] = graph.matmul %{{.*}}, %[[W]] {transpose_rhs} : (tensor<3x2xf32>, tensor<5x2xf32>) -> tensor<3x5xf32>
// CHECK-NEXT: graph.slice %[[P]] {sizes = array<i64: 3, 3>, starts = array<i64: 0, 0>
// CHECK-NEXT: graph.slice %[[P]] {sizes = array<i64: 3, 2>, starts = array<i64: 0, 3>
func.func @transposed(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %a = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>
  %b = graph.constant dense<[[7.0, 8.0], [9.0, 10.0]]> : tensor<2x2xf32>
  %s = graph.matmul %x, %a {transpose_rhs} : (tensor<3x2xf32>, tensor<3x2xf32>) -> tensor<3x3xf32>
  %v = graph.matmul %x, %b {transpose_rhs} : (tensor<3x2xf32>, tensor<2x2xf32>) -> tensor<3x2xf32>
  %y = graph.matmul %s, %v : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
  return %y : tensor<3x2xf32>
}

// -----

// One is returned, one goes on to an activation, one is read with a bias and
// one without, one has a matrix that is read elsewhere: nothing is joined.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: graph.slice
// CHECK: return
func.func @apart(%x: tensor<2x2xf32>, %z: tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>) {
  %a = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = graph.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %c = graph.constant dense<[[9.0, 10.0], [11.0, 12.0]]> : tensor<2x2xf32>
  %d = graph.constant dense<[[13.0, 14.0], [15.0, 16.0]]> : tensor<2x2xf32>
  %e = graph.constant dense<[[17.0, 18.0], [19.0, 20.0]]> : tensor<2x2xf32>
  %bias = graph.constant dense<[0.1, 0.2]> : tensor<2xf32>
  %pa = graph.matmul %x, %a : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %pb = graph.matmul %x, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %rb = graph.relu %pb : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %pc = graph.matmul %x, %c : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %bc = graph.add %pc, %bias : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  %pd = graph.matmul %x, %d : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %pe = graph.matmul %x, %e : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %ze = graph.matmul %z, %e : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %s = graph.matmul %bc, %pd : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %y = graph.matmul %s, %pe : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %w = graph.matmul %y, %ze : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %pa, %rb, %w : tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>
}
