// RUN: tenon-opt %s --split-input-file --tenon-append-gradients --canonicalize --cse | FileCheck %s

// Rows are added to what the product behind gives: the table is tied.
// CHECK-LABEL: @tied
// CHECK: %[[D:.*]] = graph.matmul {{.*}} -> tensor<5x4xf32>
// CHECK: graph.scatter %[[D]], %arg1, %{{.*}} {kind = #graph<scatter_kind add>}
// CHECK-NOT: graph.add
// CHECK: return
func.func @tied(%table: tensor<5x4xf32>, %ids: tensor<3xi64>) -> tensor<3x5xf32> {
  %0 = graph.gather %table, %ids {axis = 0 : i64} : (tensor<5x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
  %1 = graph.exp %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = graph.matmul %1, %table {transpose_rhs} : (tensor<3x4xf32>, tensor<5x4xf32>) -> tensor<3x5xf32>
  return %2 : tensor<3x5xf32>
}

// -----

// One index a row is compared with, not scattered.
// CHECK-LABEL: @picked
// CHECK-NOT: graph.scatter
// CHECK: %[[C:.*]] = graph.equal
// CHECK: graph.select %[[C]]
// CHECK-NOT: graph.scatter
// CHECK: return
func.func @picked(%x: tensor<3x5xf32>, %labels: tensor<3x1xi64>) -> tensor<3x1xf32> {
  %0 = graph.gather_elements %x, %labels {axis = 1 : i64} : (tensor<3x5xf32>, tensor<3x1xi64>) -> tensor<3x1xf32>
  return %0 : tensor<3x1xf32>
}

// -----

// CHECK-LABEL: @best
// CHECK: %{{.*}}, %[[I:.*]] = graph.top_k
// CHECK: graph.less %[[I]]
// CHECK: graph.scatter
func.func @best(%x: tensor<3x5xf32>) -> tensor<3x2xf32> {
  %0, %1 = graph.top_k %x {axis = 1 : i64, k = 2 : i64} : (tensor<3x5xf32>) -> (tensor<3x2xf32>, tensor<3x2xi64>)
  return %0 : tensor<3x2xf32>
}
