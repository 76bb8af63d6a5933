// RUN: tenon-opt %s --tenon-plan-kernels="target=avx2 winograd=off" --tenon-assign-buffers="target=avx2" --tenon-lower-kernels="target=avx2" | FileCheck %s
// RUN: tenon-compile %s --quiet --guard-memory -o %t.tenon
// RUN: tenon-run --interpret %s --input random:1 --output-dir %t
// RUN: tenon-run %t.tenon --input random:1 --expect y=%t/y.npy

// Padding below the last row only: the image lies without gaps, and still has a
// halo that must be zero.
// CHECK: kernel.launch @zero_halo_{{[0-9]+}} tiles(1) reads() writes(%{{[0-9]+}} : !memory.buffer<tensor<1x6x5x8xf32>, [320, 40, 8, 1], 0, 1280>)
func.func @main(%x: tensor<1x6x5x8xf32> {onnx.name = "x"}) -> (tensor<1x6x3x8xf32> {onnx.name = "y"}) {
  %w = graph.constant dense<5.0e-01> : tensor<8x8x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x6x5x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x6x3x8xf32> {
  ^bb0(%a: tensor<1x6x5x8xf32>, %b: tensor<8x8x3x3xf32>):
    %1 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 2, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x5x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x6x3x8xf32>
    kernel.yield %1 : tensor<1x6x3x8xf32>
  }
  return %0 : tensor<1x6x3x8xf32>
}
