// RUN: tenon-opt %s --tenon-fuse-groups=mode=full --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-fuse-groups=mode=greedy --split-input-file | FileCheck %s --check-prefix=GREEDY

// A nest that reduces one map and reads another the other way fetches a line
// for each element: only what needs no sum reads both.
// CHECK-LABEL: func.func @crossing
// CHECK: kernel.group
// CHECK: graph.transpose
// CHECK: graph.mul
// CHECK-NEXT: kernel.yield
// CHECK: kernel.group
// CHECK: graph.reduce_mean
// CHECK: return
// GREEDY-LABEL: func.func @crossing
// GREEDY: graph.transpose
// GREEDY: graph.mul
// GREEDY: graph.reduce_mean
// GREEDY-NEXT: kernel.yield
func.func @crossing(%x: tensor<1024x512xf32>, %y: tensor<512x1024xf32>) -> tensor<512x1xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<1024x512xf32>) -> tensor<512x1024xf32>
  %1 = graph.mul %0, %y : (tensor<512x1024xf32>, tensor<512x1024xf32>) -> tensor<512x1024xf32>
  %2 = graph.reduce_mean %1 {axes = array<i64: 1>} : (tensor<512x1024xf32>) -> tensor<512x1xf32>
  return %2 : tensor<512x1xf32>
}

// -----

// There and back again goes one way.
// CHECK-LABEL: func.func @back
// CHECK: kernel.group
// CHECK: graph.transpose
// CHECK: graph.reduce_max
// CHECK: graph.transpose
// CHECK-NEXT: kernel.yield
// CHECK-NOT: kernel.group
func.func @back(%x: tensor<64x16384xf32>) -> tensor<64x16384xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<64x16384xf32>) -> tensor<16384x64xf32>
  %1 = graph.reduce_max %0 {axes = array<i64: 1>} : (tensor<16384x64xf32>) -> tensor<16384x1xf32>
  %2 = graph.sub %0, %1 : (tensor<16384x64xf32>, tensor<16384x1xf32>) -> tensor<16384x64xf32>
  %3 = graph.transpose %2 {permutation = array<i64: 1, 0>} : (tensor<16384x64xf32>) -> tensor<64x16384xf32>
  return %3 : tensor<64x16384xf32>
}

// -----

// Small operands stay in a cache, whichever way they are read.
// CHECK-LABEL: func.func @small
// CHECK: graph.transpose
// CHECK: graph.reduce_mean
// CHECK-NOT: kernel.group
func.func @small(%x: tensor<64x128xf32>, %y: tensor<128x64xf32>) -> tensor<128x1xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<64x128xf32>) -> tensor<128x64xf32>
  %1 = graph.mul %0, %y : (tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
  %2 = graph.reduce_mean %1 {axes = array<i64: 1>} : (tensor<128x64xf32>) -> tensor<128x1xf32>
  return %2 : tensor<128x1xf32>
}
