// RUN: tenon-opt %s --tenon-merge-groups=target=avx512 --tenon-verify-fuse --split-input-file | FileCheck %s

// A reshape ends no nest: loops are those of both shapes.
// CHECK-LABEL: func.func @reshaped
// CHECK-NOT: graph.reshape %{{.*}}8x262144
// CHECK: kernel.group
// CHECK: graph.reduce_mean
// CHECK: graph.reshape
// CHECK: graph.relu
// CHECK-NOT: kernel.group
// CHECK: return
func.func @reshaped(%x: tensor<8x1048576xf32>, %w: tensor<32x1xf32>) -> tensor<32x262144xf32> {
  %0 = kernel.group(%x) : (tensor<8x1048576xf32>) -> tensor<8x1048576xf32> {
  ^bb0(%a: tensor<8x1048576xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<8x1048576xf32>) -> tensor<8x1xf32>
    %d = graph.sub %a, %m : (tensor<8x1048576xf32>, tensor<8x1xf32>) -> tensor<8x1048576xf32>
    kernel.yield %d : tensor<8x1048576xf32>
  }
  %1 = graph.reshape %0 : (tensor<8x1048576xf32>) -> tensor<32x262144xf32>
  %2 = kernel.group(%1, %w) : (tensor<32x262144xf32>, tensor<32x1xf32>) -> tensor<32x262144xf32> {
  ^bb0(%a: tensor<32x262144xf32>, %b: tensor<32x1xf32>):
    %p = graph.mul %a, %b : (tensor<32x262144xf32>, tensor<32x1xf32>) -> tensor<32x262144xf32>
    %r = graph.relu %p : (tensor<32x262144xf32>) -> tensor<32x262144xf32>
    kernel.yield %r : tensor<32x262144xf32>
  }
  return %2 : tensor<32x262144xf32>
}

// -----

// What others read leaves the nest beside its other results, and a reshape of
// it that somebody else reads is where it was.
// CHECK-LABEL: func.func @several
// CHECK: %[[r:.*]]:3 = kernel.group(%arg0, %arg1)
// CHECK-NOT: kernel.group
// CHECK: %[[v:.*]] = graph.reshape %[[r]]#0
// CHECK: return %[[r]]#0, %[[r]]#1, %[[r]]#2, %[[v]]
func.func @several(%x: tensor<8192x1024xf32>, %y: tensor<8192x1024xf32>)
    -> (tensor<8192x1024xf32>, tensor<8192x1024xf32>, tensor<8192x1xf32>, tensor<8388608xf32>) {
  %0 = kernel.group(%x, %y) : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %s = graph.sub %a, %b : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
    kernel.yield %s : tensor<8192x1024xf32>
  }
  %1 = graph.reshape %0 : (tensor<8192x1024xf32>) -> tensor<8388608xf32>
  %2:2 = kernel.group(%0, %x) : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> (tensor<8192x1024xf32>, tensor<8192x1xf32>) {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %p = graph.mul %a, %b : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
    %m = graph.reduce_max %p {axes = array<i64: 1>} : (tensor<8192x1024xf32>) -> tensor<8192x1xf32>
    kernel.yield %p, %m : tensor<8192x1024xf32>, tensor<8192x1xf32>
  }
  return %0, %2#0, %2#1, %1 : tensor<8192x1024xf32>, tensor<8192x1024xf32>, tensor<8192x1xf32>, tensor<8388608xf32>
}

// -----

// What is between two groups keeps them apart: the second needs a product of
// the first.
// CHECK-LABEL: func.func @between
// CHECK: kernel.group
// CHECK: graph.exp
// CHECK: kernel.group
// CHECK: graph.matmul
// CHECK: kernel.group
// CHECK: graph.reduce_max
// CHECK: return
func.func @between(%x: tensor<8192x1024xf32>, %w: tensor<1024x1024xf32>)
    -> (tensor<8192x1024xf32>, tensor<8192x1xf32>) {
  %0 = kernel.group(%x) : (tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %s = graph.exp %a : (tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
    kernel.yield %s : tensor<8192x1024xf32>
  }
  %1 = kernel.group(%0, %w) : (tensor<8192x1024xf32>, tensor<1024x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<1024x1024xf32>):
    %p = graph.matmul %a, %b : (tensor<8192x1024xf32>, tensor<1024x1024xf32>) -> tensor<8192x1024xf32>
    kernel.yield %p : tensor<8192x1024xf32>
  }
  %2:2 = kernel.group(%0, %1) : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> (tensor<8192x1024xf32>, tensor<8192x1xf32>) {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %p = graph.mul %a, %b : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
    %m = graph.reduce_max %p {axes = array<i64: 1>} : (tensor<8192x1024xf32>) -> tensor<8192x1xf32>
    kernel.yield %p, %m : tensor<8192x1024xf32>, tensor<8192x1xf32>
  }
  return %2#0, %2#1 : tensor<8192x1024xf32>, tensor<8192x1xf32>
}

// -----

// A nest that reduces goes through memory one way: a transposed map is written
// first.
// CHECK-LABEL: func.func @crossing
// CHECK: kernel.group
// CHECK: graph.transpose
// CHECK: kernel.yield
// CHECK: kernel.group
// CHECK: graph.reduce_max
// CHECK: return
func.func @crossing(%x: tensor<1024x8192xf32>, %y: tensor<8192x1024xf32>)
    -> (tensor<8192x1024xf32>, tensor<8192x1xf32>) {
  %0 = kernel.group(%x) : (tensor<1024x8192xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<1024x8192xf32>):
    %t = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<1024x8192xf32>) -> tensor<8192x1024xf32>
    kernel.yield %t : tensor<8192x1024xf32>
  }
  %2:2 = kernel.group(%0, %y) : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> (tensor<8192x1024xf32>, tensor<8192x1xf32>) {
  ^bb0(%a: tensor<8192x1024xf32>, %b: tensor<8192x1024xf32>):
    %p = graph.mul %a, %b : (tensor<8192x1024xf32>, tensor<8192x1024xf32>) -> tensor<8192x1024xf32>
    %m = graph.reduce_max %p {axes = array<i64: 1>} : (tensor<8192x1024xf32>) -> tensor<8192x1xf32>
    kernel.yield %p, %m : tensor<8192x1024xf32>, tensor<8192x1xf32>
  }
  return %2#0, %2#1 : tensor<8192x1024xf32>, tensor<8192x1xf32>
}

// -----

// Rows too long to be kept would have all of their sines computed twice.
// CHECK-LABEL: func.func @again
// CHECK: kernel.group
// CHECK: graph.sin
// CHECK: kernel.yield
// CHECK: kernel.group
// CHECK: graph.reduce_max
// CHECK: return
func.func @again(%x: tensor<4x1048576xf32>) -> (tensor<4x1048576xf32>, tensor<4x1048576xf32>) {
  %0 = kernel.group(%x) : (tensor<4x1048576xf32>) -> tensor<4x1048576xf32> {
  ^bb0(%a: tensor<4x1048576xf32>):
    %s = graph.sin %a : (tensor<4x1048576xf32>) -> tensor<4x1048576xf32>
    kernel.yield %s : tensor<4x1048576xf32>
  }
  %2:2 = kernel.group(%0) : (tensor<4x1048576xf32>) -> (tensor<4x1048576xf32>, tensor<4x1048576xf32>) {
  ^bb0(%a: tensor<4x1048576xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<4x1048576xf32>) -> tensor<4x1xf32>
    %p = graph.sub %a, %m : (tensor<4x1048576xf32>, tensor<4x1xf32>) -> tensor<4x1048576xf32>
    %q = graph.mul %p, %p : (tensor<4x1048576xf32>, tensor<4x1048576xf32>) -> tensor<4x1048576xf32>
    kernel.yield %p, %q : tensor<4x1048576xf32>, tensor<4x1048576xf32>
  }
  return %2#0, %2#1 : tensor<4x1048576xf32>, tensor<4x1048576xf32>
}

// -----

// What both read is read once.
// CHECK-LABEL: func.func @readers
// CHECK: %[[r:.*]]:2 = kernel.group(%arg0)
// CHECK-NOT: kernel.group
// CHECK: return %[[r]]#0, %[[r]]#1
func.func @readers(%x: tensor<8192x1024xf32>) -> (tensor<8192x1024xf32>, tensor<8192x1024xf32>) {
  %0 = kernel.group(%x) : (tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<8192x1024xf32>) -> tensor<8192x1xf32>
    %s = graph.sub %a, %m : (tensor<8192x1024xf32>, tensor<8192x1xf32>) -> tensor<8192x1024xf32>
    kernel.yield %s : tensor<8192x1024xf32>
  }
  %1 = kernel.group(%x) : (tensor<8192x1024xf32>) -> tensor<8192x1024xf32> {
  ^bb0(%a: tensor<8192x1024xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<8192x1024xf32>) -> tensor<8192x1xf32>
    %s = graph.sub %a, %m : (tensor<8192x1024xf32>, tensor<8192x1xf32>) -> tensor<8192x1024xf32>
    kernel.yield %s : tensor<8192x1024xf32>
  }
  return %0, %1 : tensor<8192x1024xf32>, tensor<8192x1024xf32>
}
