// RUN: tenon-opt %s --split-input-file --tenon-append-gradients --canonicalize --cse | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-append-gradients="wanted=1" --canonicalize --cse | FileCheck %s --check-prefix=WEIGHTS

// The batch becomes rows: no product is as large as all weights times it. The
// weights' gradient comes first, because x is larger.
// CHECK-LABEL: @weights
// CHECK: %[[R:.*]] = graph.constant dense<1.000000e+00> : tensor<24x5xf32>
// CHECK: %[[X:.*]] = graph.reshape %arg0 : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
// CHECK: %[[DW:.*]] = graph.matmul %[[X]], %{{.*}} {transpose_lhs} : {{.*}} -> tensor<8x5xf32>
// CHECK: %[[DX:.*]] = graph.matmul %{{.*}}, %arg1 {transpose_rhs} : {{.*}} -> tensor<24x8xf32>
// WEIGHTS-LABEL: @weights
// WEIGHTS: graph.matmul
// WEIGHTS: graph.matmul %{{.*}} -> tensor<8x5xf32>
// WEIGHTS-NOT: graph.matmul
// WEIGHTS: return
func.func @weights(%x: tensor<4x6x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x6x5xf32> {
  %0 = graph.matmul %x, %w : (tensor<4x6x8xf32>, tensor<8x5xf32>) -> tensor<4x6x5xf32>
  return %0 : tensor<4x6x5xf32>
}

// -----

// The filter's gradient is a convolution whose taps are pixels, in as many
// groups; the last row of the input, which no window reads, is cut off.
// CHECK-LABEL: @conv
// CHECK: %[[P:.*]] = graph.pad %arg0, %{{.*}} {high = array<i64: 0, 0, -1, 0>
// CHECK: graph.conv %{{.*}} {dilations = array<i64: 2, 2>, group = 2 : i64, {{.*}} strides = array<i64: 1, 1>}
// CHECK: graph.conv_transpose %{{.*}}, %arg1 {{{.*}}group = 2 : i64, output_padding = array<i64: 1, 0>
// WEIGHTS-LABEL: @conv
// WEIGHTS-NOT: graph.conv_transpose
// WEIGHTS: return
func.func @conv(%x: tensor<2x4x6x5xf32>, %w: tensor<6x2x3x3xf32>) -> tensor<2x6x2x2xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>,
    group = 2 : i64} : (tensor<2x4x6x5xf32>, tensor<6x2x3x3xf32>) -> tensor<2x6x2x2xf32>
  return %0 : tensor<2x6x2x2xf32>
}

// -----

// Without strides the input's gradient is a convolution with the filter turned
// around, as large as the input: the pads make up for what windows left out.
// CHECK-LABEL: @dense
// CHECK: %[[TURNED:.*]] = graph.slice %{{.*}} -> tensor<3x6x3x3xf32>
// CHECK-NOT: graph.conv_transpose
// CHECK: graph.conv %{{.*}} {{{.*}}pads = array<i64: 1, 2, 1, 2>{{.*}} -> tensor<2x3x5x7xf32>
// CHECK-NOT: graph.conv_transpose
// CHECK: return
func.func @dense(%x: tensor<2x3x5x7xf32>, %w: tensor<6x3x3x3xf32>) -> tensor<2x6x5x5xf32> {
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>,
    group = 1 : i64} : (tensor<2x3x5x7xf32>, tensor<6x3x3x3xf32>) -> tensor<2x6x5x5xf32>
  return %0 : tensor<2x6x5x5xf32>
}
