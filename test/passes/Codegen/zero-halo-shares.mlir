// RUN: tenon-opt %s --tenon-plan-kernels="target=avx2 winograd=off" --tenon-assign-buffers="target=avx2" --tenon-lower-kernels="target=avx2" | FileCheck %s
// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:1 --output-dir %t
// RUN: tenon-compile %s --quiet --guard-memory -o %t/g.tenon
// RUN: tenon-run %t/g.tenon --input random:1 --expect y=%t/y.npy --threads 3
// RUN: tenon-compile %s --quiet -o %t/a.tenon
// RUN: tenon-run %t/a.tenon --input random:1 --expect y=%t/y.npy --threads 5

// A border that is worth sharing: each thread clears that of its rows, those
// above and below the image among them.
// CHECK: kernel.launch @zero_halo_{{[0-9]+}} tiles(8) reads() writes
// CHECK: func.func private @zero_halo_{{[0-9]+}}({{.*}}) attributes {kernel.one_call}
func.func @main(%x: tensor<1x21x19x256xf32> {onnx.name = "x"}) -> (tensor<1x21x19x8xf32> {onnx.name = "y"}) {
  %w = graph.constant dense<1.0e-02> : tensor<8x256x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x21x19x256xf32>, tensor<8x256x3x3xf32>) -> tensor<1x21x19x8xf32> {
  ^bb0(%a: tensor<1x21x19x256xf32>, %b: tensor<8x256x3x3xf32>):
    %1 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x21x19x256xf32>, tensor<8x256x3x3xf32>) -> tensor<1x21x19x8xf32>
    kernel.yield %1 : tensor<1x21x19x8xf32>
  }
  return %0 : tensor<1x21x19x8xf32>
}
