// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels="target=avx512" --tenon-assign-buffers="target=avx512" --tenon-lower-kernels="target=avx512" | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels="target=zen4" | FileCheck %s --check-prefix=PLAN

// One filter panel: transformed inputs and products lie in the thread's
// scratch, the kernel
// carries how its errors grow.
// CHECK: memory.constant {{.*}}winograd = 4
// CHECK: kernel.launch @winograd_[[N:[0-9]+]] tiles(5)
// CHECK-SAME: thread_scratch = {{[0-9]+}}
// CHECK: func.func private @winograd_[[N]]({{.*}}kernel.error_growth = 1.78
// CHECK: llvm.intr.fma
// PLAN: #kernel.plan<"winograd", {ahead = 0 : i64
func.func @main(%x: tensor<1x30x30x64xf32>) -> tensor<1x30x30x32xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<32x64x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<32x64x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32>
    kernel.yield %1 : tensor<1x30x30x32xf32>
  }
  return %0 : tensor<1x30x30x32xf32>
}

// -----

// A large map: the four columns of six that the next tile reads beside this one,
// and 16 lines of results two tiles further to the right, for each vector of
// filters.
// PLAN: #kernel.plan<"winograd", {ahead = 2 : i64
// CHECK: func.func private @winograd
// CHECK-COUNT-24: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CHECK-NOT: llvm.intr.prefetch
// CHECK: llvm.intr.fma
// CHECK: %[[APART:.*]] = arith.constant 256 : i64
// CHECK-NEXT: arith.addi %{{.*}}, %[[APART]]
// CHECK-NOT: llvm.load
// CHECK-COUNT-16: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CHECK: llvm.load
func.func @main(%x: tensor<1x224x224x32xf32>) -> tensor<1x224x224x32xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<32x32x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x224x224x32xf32>, tensor<32x32x3x3xf32>) -> tensor<1x224x224x32xf32> {
  ^bb0(%a: tensor<1x224x224x32xf32>, %b: tensor<32x32x3x3xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
      : (tensor<1x224x224x32xf32>, tensor<32x32x3x3xf32>) -> tensor<1x224x224x32xf32>
    kernel.yield %1 : tensor<1x224x224x32xf32>
  }
  return %0 : tensor<1x224x224x32xf32>
}
