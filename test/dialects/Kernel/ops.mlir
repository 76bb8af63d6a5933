// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// CHECK-LABEL: func.func @group
func.func @group(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: kernel.group(%{{.*}}) {plan = #kernel.plan<"loops", {width = 16 : i64}>} : (tensor<4xf32>) -> tensor<4xf32>
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<4xf32>):
  // CHECK-NEXT: kernel.yield %[[A]] : tensor<4xf32>
  %0 = kernel.group(%x) {plan = #kernel.plan<"loops", {width = 16 : i64}>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func.func @launch
func.func @launch() {
  // CHECK: memory.alloc {offset = 64 : i64} : <tensor<4x4xf32>, [6, 1], 7, 160>
  %0 = memory.alloc {offset = 64 : i64} : <tensor<4x4xf32>, [6, 1], 7, 160>
  // CHECK: kernel.launch @k tiles(4) reads() writes(%{{.*}} : !memory.buffer<tensor<4x4xf32>, [6, 1], 7, 160>)
  kernel.launch @k tiles(4) reads() writes(%0 : !memory.buffer<tensor<4x4xf32>, [6, 1], 7, 160>) {bytes = 64 : i64, flops = 0 : i64, nodes = "n"}
  // CHECK: kernel.launch @k tiles(4) {{.*}}steps = 9 : i64
  kernel.launch @k tiles(4) reads() writes(%0 : !memory.buffer<tensor<4x4xf32>, [6, 1], 7, 160>) {bytes = 64 : i64, flops = 0 : i64, nodes = "n", steps = 9 : i64}
  return
}

// CHECK-LABEL: func.func @stages
func.func @stages(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // CHECK: kernel.group(%{{.*}}) {tile = #kernel.tile<dims = [0, 1], sizes = [3, 4]>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<8x6xf32>):
  // CHECK-NEXT: %[[T:.*]] = kernel.stage(%[[A]]) in shared {plan = #kernel.plan<"loops", {}>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK-NEXT: ^bb0(%[[P:.*]]: tensor<8x6xf32>):
  // CHECK-NEXT: kernel.yield %[[P]] : tensor<8x6xf32>
  // CHECK: kernel.stage(%[[T]], %[[A]]) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  %r = kernel.group(%x) {tile = #kernel.tile<dims = [0, 1], sizes = [3, 4]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    %t = kernel.stage(%a) in shared {plan = #kernel.plan<"loops", {}>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p: tensor<8x6xf32>):
      kernel.yield %p : tensor<8x6xf32>
    }
    %u = kernel.stage(%t, %a) : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p: tensor<8x6xf32>, %q: tensor<8x6xf32>):
      %0 = graph.add %p, %q : (tensor<8x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %u : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
