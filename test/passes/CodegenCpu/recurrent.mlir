// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --split-input-file | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file | FileCheck %s

// A step of one large layer is split: a tile is a panel of 32 units in one
// step, after a step that only takes over the initial state. The matrix is
// packed gate by gate, and eight registers of sums meet it.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<16x1x1x2048xf32>)
// PLAN: packs = [unit, {batch_dims = array<i64: 0>, groups = 4 : i64, k_dims = array<i64: 1>, n_dims = array<i64: 2>, panel = 32 : i64}]
// PLAN-SAME: plan = #kernel.plan<"recurrence", {lanes = 16 : i64, packed = 1 : i64, rows = 1 : i64, split = 1 : i64, vectors = 2 : i64}>
// PLAN-SAME: scratch = array<i64: 6144>
// CHECK-LABEL: func.func @main
// CHECK: memory.constant {{.*}} : <tensor<1x64x512x32xf32>
// CHECK: %[[STATE:.*]] = memory.alloc : <tensor<6144xi8>
// CHECK: kernel.launch @[[KERNEL:.*]] tiles(16) {{.*}}scratch(%[[STATE]] {{.*}}steps = 17 : i64
// CHECK: func.func private @[[KERNEL]](
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-16: llvm.intr.fma
// CHECK: scf.yield
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

// A layer of many sequences and a small matrix goes through time in one tile
// for each direction and two sequences, which share what is read.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<16x2x10x384xf32>
// PLAN: packs = [unit, unit]
// PLAN-SAME: plan = #kernel.plan<"recurrence", {lanes = 16 : i64, packed = 0 : i64, rows = 2 : i64, split = 0 : i64, vectors = 1 : i64}>
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @{{.*}} tiles(10)
// CHECK-NOT: steps
func.func @main(%g: tensor<16x2x10x384xf32>, %m: tensor<2x96x384xf32>) -> tensor<16x2x10x96xf32> {
  %r = kernel.group(%g, %m) : (tensor<16x2x10x384xf32>, tensor<2x96x384xf32>) -> tensor<16x2x10x96xf32> {
  ^bb0(%a: tensor<16x2x10x384xf32>, %b: tensor<2x96x384xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction bidirectional>, activations = ["Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Tanh"]}> : (tensor<16x2x10x384xf32>, tensor<2x96x384xf32>) -> (tensor<16x2x10x96xf32>, tensor<2x10x96xf32>, tensor<2x10x96xf32>)
    kernel.yield %0#0 : tensor<16x2x10x96xf32>
  }
  return %r : tensor<16x2x10x96xf32>
}

// -----

// A reset gate that acts before the product divides each step in two.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<8x1x1x1536xf32>)
// PLAN: split = 1 : i64
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch @{{.*}} tiles(16) {{.*}}steps = 17 : i64
func.func @main(%g: tensor<8x1x1x1536xf32>) -> tensor<8x1x1x512xf32> {
  %m = graph.constant dense<0.5> : tensor<1x512x1536xf32>
  %r = kernel.group(%g, %m) : (tensor<8x1x1x1536xf32>, tensor<1x512x1536xf32>) -> tensor<8x1x1x512xf32> {
  ^bb0(%a: tensor<8x1x1x1536xf32>, %b: tensor<1x512x1536xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"]}> : (tensor<8x1x1x1536xf32>, tensor<1x512x1536xf32>) -> (tensor<8x1x1x512xf32>, tensor<1x1x512xf32>, tensor<1x1x512xf32>)
    kernel.yield %0#0 : tensor<8x1x1x512xf32>
  }
  return %r : tensor<8x1x1x512xf32>
}

// -----

// Where steps and sequences come with the call, so do the number of steps and
// the bytes of the state, for whole register tiles.
// PLAN-LABEL: func.func @main(%{{.*}}: tensor<?x1x?x2048xf32, #graph.dims<["time", 1, "batch", 2048]>>)
// PLAN: plan = #kernel.plan<"recurrence", {lanes = 16 : i64, packed = 1 : i64, rows = 6 : i64, split = 1 : i64, vectors = 1 : i64}>
// CHECK-LABEL: func.func @main
// CHECK: %[[STATE:.*]] = memory.alloc : <tensor<?xi8, #graph.dims<[36864 * (("batch" + 5) floordiv 6)]>>
// CHECK: kernel.launch {{.*}} tiles(32) {{.*}}scratch(%[[STATE]] {{.*}}sizes = {{.*}}steps = #graph.dim<"time" + 1>
!g = tensor<?x1x?x2048xf32, #graph.dims<["time", 1, "batch", 2048]>>
!all = tensor<?x1x?x512xf32, #graph.dims<["time", 1, "batch", 512]>>
!last = tensor<1x?x512xf32, #graph.dims<[1, "batch", 512]>>
module attributes {graph.symbols = {batch = {typical = 6 : i64}}} {
  func.func @main(%g: !g) -> !all {
    %m = graph.constant dense<0.5> : tensor<1x512x2048xf32>
    %r = kernel.group(%g, %m) : (!g, tensor<1x512x2048xf32>) -> !all {
    ^bb0(%a: !g, %b: tensor<1x512x2048xf32>):
      %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (!g, tensor<1x512x2048xf32>) -> (!all, !last, !last)
      kernel.yield %0#0 : !all
    }
    return %r : !all
  }
}
