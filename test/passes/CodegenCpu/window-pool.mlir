// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers=target=avx512 --tenon-lower-kernels=target=avx512 -o %t
// RUN: FileCheck %s --check-prefix=LOAD < %t
// RUN: FileCheck %s --check-prefix=ADD < %t

// A tile of two rows by three pixels: each of its 4 x 5 inputs is loaded once,
// and each sum of two neighbours serves two windows: 5 x 3 additions down the
// columns, 2 x (3 + 2) along the rows, where single windows take 54 loads and 48
// additions.

// LOAD: func.func private @{{depthwise|pool}}
// LOAD-COUNT-20: llvm.load {{.*}} vector<16xf32>
// LOAD-NOT: llvm.load {{.*}} vector<16xf32>
// ADD: func.func private @{{depthwise|pool}}
// ADD-COUNT-25: arith.addf {{.*}} vector<16xf32>
// ADD-NOT: arith.addf {{.*}} vector<16xf32>
func.func @main(%x: tensor<1x4x11x32xf32>) -> tensor<1x2x9x32xf32> {
  %0 = kernel.group(%x) : (tensor<1x4x11x32xf32>) -> tensor<1x2x9x32xf32> {
  ^bb0(%x0: tensor<1x4x11x32xf32>):
    %1 = graph.avg_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, count_include_pad = false, layout = #graph<layout nhwc>} : (tensor<1x4x11x32xf32>) -> tensor<1x2x9x32xf32>
    kernel.yield %1 : tensor<1x2x9x32xf32>
  }
  return %0 : tensor<1x2x9x32xf32>
}
