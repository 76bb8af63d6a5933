// RUN: not tenon-opt %s --tenon-lower-kernels=target=avx2 2>&1 | FileCheck %s

// Padding is read from the buffer's surroundings, so a dense buffer is refused.
// CHECK: error: the padding of 'graph.conv' needs a halo around its input
func.func @main(%x: tensor<1x4x4x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x4x4x8xf32> {
  %0 = kernel.group(%x, %w) {
    plan = #kernel.plan<"gemm", {lanes = 8 : i64, mr = 4 : i64, nv = 1 : i64, packed = 0 : i64, panel = 8 : i64}>,
    scratch = array<i64>,
    buffers = [!memory.buffer<tensor<1x4x4x8xf32>, [128, 32, 8, 1], 0, 512>,
               !memory.buffer<tensor<8x8x3x3xf32>, [72, 9, 3, 1], 0, 2304>,
               !memory.buffer<tensor<1x4x4x8xf32>, [128, 32, 8, 1], 0, 512>]
  } : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x4x8xf32> {
  ^bb0(%x0: tensor<1x4x4x8xf32>, %w0: tensor<8x8x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x4x8xf32>
    kernel.yield %1 : tensor<1x4x4x8xf32>
  }
  return %0 : tensor<1x4x4x8xf32>
}
