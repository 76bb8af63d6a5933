// RUN: tenon-opt %s --tenon-slice-attention --cse | FileCheck %s

// 18 MiB of scores: each head in nine slices of 123 rows, the last one of 116.
// Second operands are cut into heads once, the mask into rows.
// CHECK-LABEL: func.func @masked
// CHECK: %[[Q:.*]] = graph.slice %arg0 {sizes = array<i64: 1, 123, 16>, starts = array<i64: 0, 0, 0>,
// CHECK: %[[K:.*]] = graph.slice %arg1 {sizes = array<i64: 1, 16, 1100>, starts = array<i64: 0, 0, 0>,
// CHECK: %[[S:.*]] = graph.matmul %[[Q]], %[[K]] : {{.*}} -> tensor<1x123x1100xf32>
// CHECK: %[[M:.*]] = graph.slice %arg3 {sizes = array<i64: 1, 123, 1100>, starts = array<i64: 0, 0, 0>,
// CHECK: graph.add %[[S]], %[[M]]
// CHECK: graph.reduce_max {{.*}} -> tensor<1x123x1xf32>
// CHECK: %[[P:.*]] = graph.div {{.*}} -> tensor<1x123x1100xf32>
// CHECK: %[[V:.*]] = graph.slice %arg2 {sizes = array<i64: 1, 1100, 8>, starts = array<i64: 0, 0, 0>,
// CHECK: graph.matmul %[[P]], %[[V]] : {{.*}} -> tensor<1x123x8xf32>
// CHECK: graph.slice %arg0 {sizes = array<i64: 1, 123, 16>, starts = array<i64: 0, 123, 0>,
// CHECK: graph.matmul {{.*}}, %[[K]]
// CHECK: graph.matmul {{.*}}, %[[V]]
// CHECK: graph.slice %arg0 {sizes = array<i64: 1, 116, 16>, starts = array<i64: 0, 984, 0>,
// CHECK: graph.concat {{.*}} {axis = 1 : i64} : {{.*}} -> tensor<1x1100x8xf32>
// CHECK: graph.slice %arg0 {sizes = array<i64: 1, 123, 16>, starts = array<i64: 1, 0, 0>,
// CHECK: %[[ALL:.*]] = graph.concat {{.*}} {axis = 0 : i64} : {{.*}} -> tensor<4x1100x8xf32>
// CHECK: return %[[ALL]]
func.func @masked(%q: tensor<4x1100x16xf32>, %k: tensor<4x16x1100xf32>, %v: tensor<4x1100x8xf32>, %m: tensor<1x1100x1100xf32>) -> tensor<4x1100x8xf32> {
  %s0 = graph.matmul %q, %k : (tensor<4x1100x16xf32>, tensor<4x16x1100xf32>) -> tensor<4x1100x1100xf32>
  %s1 = graph.add %s0, %m : (tensor<4x1100x1100xf32>, tensor<1x1100x1100xf32>) -> tensor<4x1100x1100xf32>
  %h = graph.reduce_max %s1 {axes = array<i64: 2>} : (tensor<4x1100x1100xf32>) -> tensor<4x1100x1xf32>
  %s2 = graph.sub %s1, %h : (tensor<4x1100x1100xf32>, tensor<4x1100x1xf32>) -> tensor<4x1100x1100xf32>
  %e = graph.exp %s2 : (tensor<4x1100x1100xf32>) -> tensor<4x1100x1100xf32>
  %n = graph.reduce_sum %e {axes = array<i64: 2>} : (tensor<4x1100x1100xf32>) -> tensor<4x1100x1xf32>
  %p = graph.div %e, %n : (tensor<4x1100x1100xf32>, tensor<4x1100x1xf32>) -> tensor<4x1100x1100xf32>
  %y = graph.matmul %p, %v : (tensor<4x1100x1100xf32>, tensor<4x1100x8xf32>) -> tensor<4x1100x8xf32>
  return %y : tensor<4x1100x8xf32>
}

// Few scores stay in the caches.
// CHECK-LABEL: func.func @short
// CHECK-NOT: graph.slice
// CHECK: return
func.func @short(%q: tensor<4x512x16xf32>, %k: tensor<4x16x512xf32>, %v: tensor<4x512x8xf32>) -> tensor<4x512x8xf32> {
  %s = graph.matmul %q, %k : (tensor<4x512x16xf32>, tensor<4x16x512xf32>) -> tensor<4x512x512xf32>
  %n = graph.reduce_sum %s {axes = array<i64: 2>} : (tensor<4x512x512xf32>) -> tensor<4x512x1xf32>
  %p = graph.div %s, %n : (tensor<4x512x512xf32>, tensor<4x512x1xf32>) -> tensor<4x512x512xf32>
  %y = graph.matmul %p, %v : (tensor<4x512x512xf32>, tensor<4x512x8xf32>) -> tensor<4x512x8xf32>
  return %y : tensor<4x512x8xf32>
}

// Two layers of a perceptron reduce nothing; scores that someone else sees, that
// are reduced over other than rows, or are of unknown size stay.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: graph.slice
// CHECK: return
func.func @unchanged(%x: tensor<2048x64xf32>, %w1: tensor<64x3072xf32>, %w2: tensor<3072x64xf32>, %u: tensor<?x64xf32>) -> (tensor<2048x64xf32>, tensor<2048x64xf32>, tensor<2048x3072xf32>, tensor<2048x64xf32>, tensor<?x64xf32>) {
  %a = graph.matmul %x, %w1 : (tensor<2048x64xf32>, tensor<64x3072xf32>) -> tensor<2048x3072xf32>
  %b = graph.relu %a : (tensor<2048x3072xf32>) -> tensor<2048x3072xf32>
  %c = graph.matmul %b, %w2 : (tensor<2048x3072xf32>, tensor<3072x64xf32>) -> tensor<2048x64xf32>
  %d = graph.matmul %x, %w1 : (tensor<2048x64xf32>, tensor<64x3072xf32>) -> tensor<2048x3072xf32>
  %e = graph.reduce_max %d {axes = array<i64: 1>} : (tensor<2048x3072xf32>) -> tensor<2048x1xf32>
  %f = graph.sub %d, %e : (tensor<2048x3072xf32>, tensor<2048x1xf32>) -> tensor<2048x3072xf32>
  %g = graph.matmul %f, %w2 : (tensor<2048x3072xf32>, tensor<3072x64xf32>) -> tensor<2048x64xf32>
  %h = graph.reduce_max %a {axes = array<i64: 0>} : (tensor<2048x3072xf32>) -> tensor<1x3072xf32>
  %i = graph.sub %a, %h : (tensor<2048x3072xf32>, tensor<1x3072xf32>) -> tensor<2048x3072xf32>
  %j = graph.matmul %i, %w2 : (tensor<2048x3072xf32>, tensor<3072x64xf32>) -> tensor<2048x64xf32>
  %k = graph.matmul %u, %w1 : (tensor<?x64xf32>, tensor<64x3072xf32>) -> tensor<?x3072xf32>
  %l = graph.reduce_max %k {axes = array<i64: 1>} : (tensor<?x3072xf32>) -> tensor<?x1xf32>
  %m = graph.sub %k, %l : (tensor<?x3072xf32>, tensor<?x1xf32>) -> tensor<?x3072xf32>
  %n = graph.matmul %m, %w2 : (tensor<?x3072xf32>, tensor<3072x64xf32>) -> tensor<?x64xf32>
  return %c, %g, %f, %j, %n : tensor<2048x64xf32>, tensor<2048x64xf32>, tensor<2048x3072xf32>, tensor<2048x64xf32>, tensor<?x64xf32>
}
