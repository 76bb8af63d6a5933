// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 | FileCheck %s

// A depthwise convolution asks for zeros to the left and right of its rows, so
// that their taps need no border tests, and for a filter with all taps of a
// vector of channels together; kernel rows outside of the map are left out.
// Each row asks for a share of the weights that come next. The pool clips both.

// PLAN: kernel.group
// PLAN-SAME: halos = [array<i64: 0, 0, 1, 0, 0, 0, 1, 0>, array<i64>]
// PLAN-SAME: packs = [unit, {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 16 : i64}]
// PLAN-SAME: #kernel.plan<"{{depthwise|pool}}", {across = 1 : i64, band = 7 : i64, block = 2 : i64, columns = 0 : i64, height = 1 : i64, lanes = 16 : i64, packed = 1 : i64, pixels = 7 : i64, prefetch = 0 : i64, results = {{[01]}} : i64, rolls = 0 : i64, rows = 7 : i64, vectors = 2 : i64}>
// PLAN: kernel.group
// PLAN-SAME: halos = [array<i64>]

// Clearing a halo is counted by the bytes that are cleared. All three are too
// short for a second thread.
// CHECK: kernel.launch @zero_halo{{.*}} tiles(1) {{.*}} 8064>) {bytes = 1792 : i64
// CHECK: kernel.launch @{{depthwise|pool}}{{.*}} tiles(1)
// CHECK: kernel.launch @{{depthwise|pool}}{{.*}} tiles(1)

// CHECK: func.func private @{{depthwise|pool}}
// CHECK: "llvm.intr.prefetch"
// CHECK: %[[END:.*]] = arith.minsi %{{.*}}, %c3
// CHECK-NOT: arith.minsi {{.*}} %c3
// CHECK: scf.for %{{.*}} to %[[END]]
// CHECK-NOT: arith.minsi {{.*}} %c3
// CHECK: llvm.intr.fma
// CHECK: func.func private @{{depthwise|pool}}
// CHECK: arith.cmpf ogt
func.func @main(%x: tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32> {
  %w = graph.constant dense_resource<w> : tensor<32x1x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x7x7x32xf32>, tensor<32x1x3x3xf32>) -> tensor<1x7x7x32xf32> {
  ^bb0(%x0: tensor<1x7x7x32xf32>, %w0: tensor<32x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 32 : i64, layout = #graph<layout nhwc>} : (tensor<1x7x7x32xf32>, tensor<32x1x3x3xf32>) -> tensor<1x7x7x32xf32>
    kernel.yield %1 : tensor<1x7x7x32xf32>
  }
  %2 = kernel.group(%0) : (tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32> {
  ^bb0(%x0: tensor<1x7x7x32xf32>):
    %3 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x7x7x32xf32>) -> tensor<1x7x7x32xf32>
    kernel.yield %3 : tensor<1x7x7x32xf32>
  }
  return %2 : tensor<1x7x7x32xf32>
}
