// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a --split-input-file | FileCheck %s

// All steps of a layer are one launch of 64 blocks that run all at once, behind
// a step that clears the words they exchange. Columns of the matrix lie one
// after the other, and lanes keep their part of four of them.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<16x1x1x2048xf32>)
// PLAN: costs = {gpu_recurrent = {{[0-9]+}} : i64, recurrence = {{[0-9]+}} : i64}
// PLAN-SAME: packs = [unit, {batch_dims = array<i64: 0>, k_dims = array<i64: 1>, n_dims = array<i64: 2>, panel = 1 : i64}]
// PLAN-SAME: plan = #kernel.plan<"gpu_recurrent", {packed = 1 : i64, rows = 1 : i64, units = 8 : i64}>
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @[[KERNEL:gpu_recurrent_0]] tiles(64)
// CHECK-SAME: scratch(%{{.*}} : !memory.buffer<tensor<8192xi8>
// CHECK-SAME: threads = 256, shared = 4096, cluster = 1, cooperative = true, programmatic = false
// CHECK-SAME: steps = 2 : i64
// CHECK: llvm.func @[[KERNEL]]({{.*}}, %{{.*}}: i64)
// CHECK: llvm.store {{.*}} : i64, !llvm.ptr<1>
// CHECK-COUNT-16: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK: scf.for
// CHECK: scf.while
// CHECK: llvm.load {{.*}} atomic syncscope("device") monotonic
// CHECK: nvvm.barrier
// CHECK-COUNT-4: llvm.load {{.*}} {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-20: nvvm.shfl.sync bfly
// CHECK-NOT: nvvm.shfl.sync
// CHECK: llvm.store {{.*}} atomic syncscope("device") monotonic
func.func @main(%g: tensor<16x1x1x2048xf32>) -> tensor<16x1x1x512xf32> {
  %m = graph.constant dense<0.5> : tensor<1x512x2048xf32>
  %r = kernel.group(%g, %m) : (tensor<16x1x1x2048xf32>, tensor<1x512x2048xf32>) -> tensor<16x1x1x512xf32> {
  ^bb0(%a: tensor<16x1x1x2048xf32>, %b: tensor<1x512x2048xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (tensor<16x1x1x2048xf32>, tensor<1x512x2048xf32>) -> (tensor<16x1x1x512xf32>, tensor<1x1x512xf32>, tensor<1x1x512xf32>)
    kernel.yield %0#0 : tensor<16x1x1x512xf32>
  }
  return %r : tensor<16x1x1x512xf32>
}

// -----

// A reset gate that acts before the product has blocks exchange twice a step.
// CHECK-LABEL: func.func @main
// CHECK: llvm.func @gpu_recurrent_0(
// CHECK: scf.for
// CHECK-COUNT-2: scf.while
// CHECK-NOT: scf.while
func.func @main(%g: tensor<8x1x2x96xf32>, %m: tensor<1x32x96xf32>) -> tensor<8x1x2x32xf32> {
  %r = kernel.group(%g, %m) : (tensor<8x1x2x96xf32>, tensor<1x32x96xf32>) -> tensor<8x1x2x32xf32> {
  ^bb0(%a: tensor<8x1x2x96xf32>, %b: tensor<1x32x96xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"]}> : (tensor<8x1x2x96xf32>, tensor<1x32x96xf32>) -> (tensor<8x1x2x32xf32>, tensor<1x2x32xf32>, tensor<1x2x32xf32>)
    kernel.yield %0#0 : tensor<8x1x2x32xf32>
  }
  return %r : tensor<8x1x2x32xf32>
}

// -----

// Directions with different functions are computed by threads.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<8x2x1x8xf32>
// PLAN: plan = #kernel.plan<"recurrence",
func.func @main(%g: tensor<8x2x1x8xf32>, %m: tensor<2x8x8xf32>) -> tensor<8x2x1x8xf32> {
  %r = kernel.group(%g, %m) : (tensor<8x2x1x8xf32>, tensor<2x8x8xf32>) -> tensor<8x2x1x8xf32> {
  ^bb0(%a: tensor<8x2x1x8xf32>, %b: tensor<2x8x8xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction bidirectional>, activations = ["Relu", "Tanh"]}> : (tensor<8x2x1x8xf32>, tensor<2x8x8xf32>) -> (tensor<8x2x1x8xf32>, tensor<2x1x8xf32>, tensor<2x1x8xf32>)
    kernel.yield %0#0 : tensor<8x2x1x8xf32>
  }
  return %r : tensor<8x2x1x8xf32>
}

// -----

// What all blocks together cannot keep is computed step by step.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<8x1x1x8192xf32>
// PLAN: plan = #kernel.plan<"recurrence", {{.*}}split = 1
func.func @main(%g: tensor<8x1x1x8192xf32>, %m: tensor<1x2048x8192xf32>) -> tensor<8x1x1x2048xf32> {
  %r = kernel.group(%g, %m) : (tensor<8x1x1x8192xf32>, tensor<1x2048x8192xf32>) -> tensor<8x1x1x2048xf32> {
  ^bb0(%a: tensor<8x1x1x8192xf32>, %b: tensor<1x2048x8192xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (tensor<8x1x1x8192xf32>, tensor<1x2048x8192xf32>) -> (tensor<8x1x1x2048xf32>, tensor<1x1x2048xf32>, tensor<1x1x2048xf32>)
    kernel.yield %0#0 : tensor<8x1x1x2048xf32>
  }
  return %r : tensor<8x1x1x2048xf32>
}
