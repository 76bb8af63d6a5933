// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-form-views --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 --tenon-verify-codegen --tenon-plan-arena --tenon-verify-memory | FileCheck %s

// The concatenation's storage begins to live with its first part, `b`, whose
// producer is the first launch that follows; no launch copies; both parts are
// written by one kernel, at different offsets. `c` lives from the first launch
// to the last, so nothing shares its 256 bytes.
// CHECK-LABEL: func.func @main
// CHECK: %[[X:.*]] = memory.input 0
// CHECK: %[[C:.*]] = memory.alloc {offset = [[AT:[0-9]+]] : i64} : <tensor<4x16xf32>
// CHECK: %[[B:.*]] = memory.view %[[C]] {byte_offset = 32 : i64}
// CHECK: kernel.launch @[[K:.*]] tiles(1) reads(%[[X]] {{.*}} writes(%[[B]]
// CHECK: %[[T:.*]] = memory.alloc {offset = [[OTHER:[0-9]+]]
// CHECK: kernel.launch {{.*}}reads(%[[B]] {{.*}} writes(%[[T]]
// CHECK: %[[A:.*]] = memory.view %[[C]] :
// CHECK: kernel.launch @[[K]] tiles(1) reads(%[[T]] {{.*}} writes(%[[A]]
// CHECK: %[[Y:.*]] = memory.output 0
// CHECK: kernel.launch {{.*}}reads(%[[C]] {{.*}} writes(%[[Y]]
// CHECK-NOT: kernel.launch
// CHECK: func.func
func.func @main(%x: tensor<4x8xf32>) -> tensor<16x4xf32> {
  %b = kernel.group(%x) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%0: tensor<4x8xf32>):
    %1 = graph.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    kernel.yield %1 : tensor<4x8xf32>
  }
  %t = kernel.group(%b) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%0: tensor<4x8xf32>):
    %1 = graph.exp %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    kernel.yield %1 : tensor<4x8xf32>
  }
  %a = kernel.group(%t) : (tensor<4x8xf32>) -> tensor<4x8xf32> {
  ^bb0(%0: tensor<4x8xf32>):
    %1 = graph.relu %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
    kernel.yield %1 : tensor<4x8xf32>
  }
  %c = kernel.group(%a, %b) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32> {
  ^bb0(%0: tensor<4x8xf32>, %1: tensor<4x8xf32>):
    %2 = graph.concat %0, %1 {axis = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x16xf32>
    kernel.yield %2 : tensor<4x16xf32>
  }
  %y = kernel.group(%c) : (tensor<4x16xf32>) -> tensor<16x4xf32> {
  ^bb0(%0: tensor<4x16xf32>):
    %1 = graph.transpose %0 {permutation = array<i64: 1, 0>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
    kernel.yield %1 : tensor<16x4xf32>
  }
  return %y : tensor<16x4xf32>
}
