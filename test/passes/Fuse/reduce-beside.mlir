// RUN: tenon-opt %s --tenon-merge-groups=target=avx2 --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-merge-groups=target=avx2 --tenon-verify-fuse --split-input-file | FileCheck %s

// A map that leaves the second-level cache is added up in blocks of rows, beside
// what computes it. The mean divides once, by the number of all elements.
// CHECK-LABEL: func.func @mean
// CHECK: %[[map:.*]]:2 = kernel.group(%arg0) {{.*}}tile = #kernel.tile<dims = [1], sizes = [1]>
// CHECK: kernel.stage
// CHECK: graph.exp
// CHECK: kernel.stage
// CHECK: graph.reshape {{.*}} -> tensor<1x[[n:[0-9]+]]x[[b:[0-9]+]]x1x112x64xf32>
// CHECK: graph.reduce_sum {{.*}} {axes = array<i64: 2, 4>, keep_dims = false} : {{.*}} -> tensor<1x[[n]]x1x64xf32>
// CHECK: %[[mean:.*]] = kernel.group(%[[map]]#1)
// CHECK: graph.reduce_sum {{.*}} {axes = array<i64: 1, 2>} : (tensor<1x[[n]]x1x64xf32>) -> tensor<1x1x1x64xf32>
// CHECK: graph.constant dense<1.254400e+04>
// CHECK: graph.div
// CHECK-NOT: kernel.group
// CHECK: return %[[map]]#0, %[[mean]]
func.func @mean(%x: tensor<1x112x112x64xf32>) -> (tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32>) {
  %0 = kernel.group(%x) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.exp %a : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    kernel.yield %9 : tensor<1x112x112x64xf32>
  }
  %1 = kernel.group(%0) : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  return %0, %1 : tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32>
}

// -----

// Parts that were made for threads are not needed then. Whoever reads the result
// finds it in its shape.
// CHECK-LABEL: func.func @parts
// CHECK: %[[map:.*]]:2 = kernel.group(%arg0)
// CHECK: graph.exp
// CHECK: graph.reduce_max {{.*}} {axes = array<i64: 2, 4>, keep_dims = false}
// CHECK: %[[max:.*]] = kernel.group(%[[map]]#1)
// CHECK: graph.reduce_max {{.*}} {axes = array<i64: 1, 2>}
// CHECK-NOT: graph.div
// CHECK-NOT: kernel.group
// CHECK: return %[[map]]#0, %[[max]]
func.func @parts(%x: tensor<1x112x112x64xf32>) -> (tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32>) {
  %0 = kernel.group(%x) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.exp %a : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    kernel.yield %9 : tensor<1x112x112x64xf32>
  }
  %r = graph.reshape %0 : (tensor<1x112x112x64xf32>) -> tensor<1x8x1568x64xf32>
  %1 = kernel.group(%r) : (tensor<1x8x1568x64xf32>) -> tensor<1x8x1x64xf32> {
  ^bb0(%a: tensor<1x8x1568x64xf32>):
    %9 = graph.reduce_max %a {axes = array<i64: 2>} : (tensor<1x8x1568x64xf32>) -> tensor<1x8x1x64xf32>
    kernel.yield %9 : tensor<1x8x1x64xf32>
  }
  %2 = kernel.group(%1) : (tensor<1x8x1x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x8x1x64xf32>):
    %9 = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<1x8x1x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  return %0, %2 : tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32>
}

// -----

// CHECK-LABEL: func.func @no_dimensions
// CHECK: %[[map:.*]]:2 = kernel.group(%arg0)
// CHECK: %[[sum:.*]] = kernel.group(%[[map]]#1)
// CHECK: %[[row:.*]] = graph.reshape %[[sum]] : (tensor<1x1x1x64xf32>) -> tensor<1x64xf32>
// CHECK: return %[[map]]#0, %[[row]]
func.func @no_dimensions(%x: tensor<1x112x112x64xf32>) -> (tensor<1x112x112x64xf32>, tensor<1x64xf32>) {
  %0 = kernel.group(%x) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.exp %a : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    kernel.yield %9 : tensor<1x112x112x64xf32>
  }
  %1 = kernel.group(%0) : (tensor<1x112x112x64xf32>) -> tensor<1x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.reduce_sum %a {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x112x112x64xf32>) -> tensor<1x64xf32>
    kernel.yield %9 : tensor<1x64xf32>
  }
  return %0, %1 : tensor<1x112x112x64xf32>, tensor<1x64xf32>
}

// -----

// Kernels of several stages keep their tiles.
// CHECK-LABEL: func.func @stages
// CHECK: kernel.group({{.*}}) {{.*}}tile = #kernel.tile<dims = [1], sizes = [1]>
// CHECK: kernel.stage
// CHECK: graph.conv
// CHECK: kernel.stage
// CHECK: graph.conv
// CHECK: kernel.stage
// CHECK: graph.reduce_sum
// CHECK: kernel.group
// CHECK: graph.reduce_sum
// CHECK-NOT: kernel.group
// CHECK: return
func.func @stages(%x: tensor<1x112x112x16xf32>, %w: tensor<192x16x1x1xf32>, %v: tensor<16x192x1x1xf32>) -> (tensor<1x112x112x16xf32>, tensor<1x1x1x16xf32>) {
  %0 = kernel.group(%x, %w) : (tensor<1x112x112x16xf32>, tensor<192x16x1x1xf32>) -> tensor<1x112x112x192xf32> {
  ^bb0(%a: tensor<1x112x112x16xf32>, %b: tensor<192x16x1x1xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x16xf32>, tensor<192x16x1x1xf32>) -> tensor<1x112x112x192xf32>
    kernel.yield %9 : tensor<1x112x112x192xf32>
  }
  %1 = kernel.group(%0, %v) : (tensor<1x112x112x192xf32>, tensor<16x192x1x1xf32>) -> tensor<1x112x112x16xf32> {
  ^bb0(%a: tensor<1x112x112x192xf32>, %b: tensor<16x192x1x1xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x192xf32>, tensor<16x192x1x1xf32>) -> tensor<1x112x112x16xf32>
    kernel.yield %9 : tensor<1x112x112x16xf32>
  }
  %2 = kernel.group(%1) : (tensor<1x112x112x16xf32>) -> tensor<1x1x1x16xf32> {
  ^bb0(%a: tensor<1x112x112x16xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x16xf32>) -> tensor<1x1x1x16xf32>
    kernel.yield %9 : tensor<1x1x1x16xf32>
  }
  return %1, %2 : tensor<1x112x112x16xf32>, tensor<1x1x1x16xf32>
}

// -----

// Of two reductions of a map, one is beside it.
// CHECK-LABEL: func.func @two
// CHECK: kernel.stage
// CHECK: graph.reduce_sum
// CHECK: graph.reduce_max {{.*}} {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf32>)
// CHECK: return
func.func @two(%x: tensor<1x112x112x64xf32>) -> (tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>) {
  %0 = kernel.group(%x) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.exp %a : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    kernel.yield %9 : tensor<1x112x112x64xf32>
  }
  %1 = kernel.group(%0) : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  %2 = kernel.group(%0) : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.reduce_max %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  return %0, %1, %2 : tensor<1x112x112x64xf32>, tensor<1x1x1x64xf32>, tensor<1x1x1x64xf32>
}

// -----

// What nobody else reads is not stored.
// CHECK-LABEL: func.func @inside
// CHECK: kernel.group(%arg0) {{.*}} -> tensor<1x{{[0-9]+}}x1x64xf32> {
// CHECK: graph.exp
// CHECK: graph.reduce_sum
// CHECK: kernel.group
// CHECK: graph.div
// CHECK-NOT: kernel.group
// CHECK: return
func.func @inside(%x: tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32> {
  %0 = kernel.group(%x) : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.exp %a : (tensor<1x112x112x64xf32>) -> tensor<1x112x112x64xf32>
    kernel.yield %9 : tensor<1x112x112x64xf32>
  }
  %1 = kernel.group(%0) : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  return %1 : tensor<1x1x1x64xf32>
}

// -----

// What a cache holds, sums of halves, axes apart and inputs of the program stay.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: kernel.stage
// CHECK: return
func.func @unchanged(%s: tensor<1x14x14x64xf32>, %x: tensor<1x112x112x64xf32>, %h: tensor<1x112x112x64xf16>, %o: tensor<1x112x2x112x32xf32>) -> (tensor<1x14x14x64xf32>, tensor<1x1x1x64xf32>, tensor<1x112x112x64xf16>, tensor<1x1x1x64xf16>, tensor<1x112x2x112x32xf32>, tensor<1x1x2x1x32xf32>, tensor<1x1x1x64xf32>) {
  %0 = kernel.group(%s) : (tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32> {
  ^bb0(%a: tensor<1x14x14x64xf32>):
    %9 = graph.exp %a : (tensor<1x14x14x64xf32>) -> tensor<1x14x14x64xf32>
    kernel.yield %9 : tensor<1x14x14x64xf32>
  }
  %1 = kernel.group(%0) : (tensor<1x14x14x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x14x14x64xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x14x14x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  %4 = kernel.group(%h) : (tensor<1x112x112x64xf16>) -> tensor<1x112x112x64xf16> {
  ^bb0(%a: tensor<1x112x112x64xf16>):
    %9 = graph.exp %a : (tensor<1x112x112x64xf16>) -> tensor<1x112x112x64xf16>
    kernel.yield %9 : tensor<1x112x112x64xf16>
  }
  %5 = kernel.group(%4) : (tensor<1x112x112x64xf16>) -> tensor<1x1x1x64xf16> {
  ^bb0(%a: tensor<1x112x112x64xf16>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf16>) -> tensor<1x1x1x64xf16>
    kernel.yield %9 : tensor<1x1x1x64xf16>
  }
  %6 = kernel.group(%o) : (tensor<1x112x2x112x32xf32>) -> tensor<1x112x2x112x32xf32> {
  ^bb0(%a: tensor<1x112x2x112x32xf32>):
    %9 = graph.exp %a : (tensor<1x112x2x112x32xf32>) -> tensor<1x112x2x112x32xf32>
    kernel.yield %9 : tensor<1x112x2x112x32xf32>
  }
  %7 = kernel.group(%6) : (tensor<1x112x2x112x32xf32>) -> tensor<1x1x2x1x32xf32> {
  ^bb0(%a: tensor<1x112x2x112x32xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 3>} : (tensor<1x112x2x112x32xf32>) -> tensor<1x1x2x1x32xf32>
    kernel.yield %9 : tensor<1x1x2x1x32xf32>
  }
  %8 = kernel.group(%x) : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32> {
  ^bb0(%a: tensor<1x112x112x64xf32>):
    %9 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x112x112x64xf32>) -> tensor<1x1x1x64xf32>
    kernel.yield %9 : tensor<1x1x1x64xf32>
  }
  return %0, %1, %4, %5, %6, %7, %8 : tensor<1x14x14x64xf32>, tensor<1x1x1x64xf32>, tensor<1x112x112x64xf16>, tensor<1x1x1x64xf16>, tensor<1x112x2x112x32xf32>, tensor<1x1x2x1x32xf32>, tensor<1x1x1x64xf32>
}
