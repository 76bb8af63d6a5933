// Slices are taken where all that lives at once is larger than a second-level
// cache, and where a cap asks for them.
// RUN: tenon-opt %s --split-input-file --tenon-slice-batch=target=avx2 | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-slice-batch="target=avx2 below=60000" | FileCheck %s --check-prefix=BELOW
// RUN: not tenon-opt %s --split-input-file --tenon-slice-batch=target=abacus 2>&1 | FileCheck %s --check-prefix=TARGET

// TARGET: no target 'abacus' in the tables of processors and GPUs

// CHECK-LABEL: func.func @large(
// CHECK: kernel.slices [@large_0, @large_0{{.*}}](%arg0) : (tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32>
// CHECK: func.func private @large_0(
func.func @large(%x: tensor<8x64x56x56xf32>) -> tensor<8x64x56x56xf32> {
  %w = graph.constant dense<0.5> : tensor<64x64x3x3xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<8x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x56x56xf32>
  %1 = graph.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<8x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x56x56xf32>
  %2 = graph.conv %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<8x64x56x56xf32>, tensor<64x64x3x3xf32>) -> tensor<8x64x56x56xf32>
  return %2 : tensor<8x64x56x56xf32>
}

// -----

// CHECK-LABEL: func.func @small(
// CHECK-NOT: kernel.slices
// BELOW-LABEL: func.func @small(
// BELOW: kernel.slices [@small_0, @small_0{{.*}}](%arg0)
func.func @small(%x: tensor<8x8x24x24xf32>) -> tensor<8x8x24x24xf32> {
  %w = graph.constant dense<0.5> : tensor<8x8x3x3xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<8x8x24x24xf32>, tensor<8x8x3x3xf32>) -> tensor<8x8x24x24xf32>
  %1 = graph.conv %0, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<8x8x24x24xf32>, tensor<8x8x3x3xf32>) -> tensor<8x8x24x24xf32>
  %2 = graph.conv %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>} : (tensor<8x8x24x24xf32>, tensor<8x8x3x3xf32>) -> tensor<8x8x24x24xf32>
  return %2 : tensor<8x8x24x24xf32>
}

// -----

// Nothing works image by image, however large it is.

// CHECK-LABEL: func.func @mixed(
// CHECK-NOT: kernel.slices
// BELOW-LABEL: func.func @mixed(
// BELOW-NOT: kernel.slices
func.func @mixed(%x: tensor<8x1000000xf32>) -> tensor<1000000x8xf32> {
  %0 = graph.transpose %x {permutation = array<i64: 1, 0>} : (tensor<8x1000000xf32>) -> tensor<1000000x8xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 1>} : (tensor<1000000x8xf32>) -> tensor<1000000x1xf32>
  %2 = graph.sub %0, %1 : (tensor<1000000x8xf32>, tensor<1000000x1xf32>) -> tensor<1000000x8xf32>
  return %2 : tensor<1000000x8xf32>
}
