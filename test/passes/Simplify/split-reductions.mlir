// RUN: tenon-opt %s --tenon-split-reductions | FileCheck %s
// RUN: tenon-opt %s --tenon-split-reductions=blocks=true | FileCheck %s --check-prefix=BLOCKS

// A global average: eight parts of its rows, then the mean of the parts.
// CHECK-LABEL: func.func @average
// CHECK: %[[PARTS:.*]] = graph.reshape %arg0 : (tensor<1x56x56x96xf32>) -> tensor<1x8x392x96xf32>
// CHECK: %[[MEANS:.*]] = graph.reduce_mean %[[PARTS]] {axes = array<i64: 2>} : (tensor<1x8x392x96xf32>) -> tensor<1x8x1x96xf32>
// CHECK: %[[MEAN:.*]] = graph.reduce_mean %[[MEANS]] {axes = array<i64: 1>} : (tensor<1x8x1x96xf32>) -> tensor<1x1x1x96xf32>
// CHECK: graph.reshape %[[MEAN]] : (tensor<1x1x1x96xf32>) -> tensor<1x96xf32>
// Three lines of columns would keep three blocks.
// BLOCKS-LABEL: func.func @average
// BLOCKS: tensor<1x14x224x96xf32>
func.func @average(%x: tensor<1x56x56x96xf32>) -> tensor<1x96xf32> {
  %0 = graph.reduce_mean %x {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<1x56x56x96xf32>) -> tensor<1x96xf32>
  return %0 : tensor<1x96xf32>
}

// Fourteen rows have two equal parts.
// CHECK-LABEL: func.func @two_parts
// CHECK: tensor<1x2x98x672xf32>
// Blocks for 21 lines are enough.
// BLOCKS-LABEL: func.func @two_parts
// BLOCKS-NOT: graph.reshape
// BLOCKS-LABEL: func.func @unchanged
func.func @two_parts(%x: tensor<1x14x14x672xf32>) -> tensor<1x1x1x672xf32> {
  %0 = graph.reduce_sum %x {axes = array<i64: 1, 2>} : (tensor<1x14x14x672xf32>) -> tensor<1x1x1x672xf32>
  return %0 : tensor<1x1x1x672xf32>
}

// Little data, images that threads share, an odd number of rows, rows that are
// reduced to their ends, axes apart, integers, halves, unknown sizes, and others
// than sums stay.
// CHECK-LABEL: func.func @unchanged
// CHECK-NOT: graph.reshape
// CHECK: return
func.func @unchanged(%small: tensor<1x7x7x1152xf32>, %images: tensor<4x56x56x96xf32>, %odd: tensor<1x57x56x96xf32>,
                     %ends: tensor<56x1792xf32>, %apart: tensor<1x56x2x56x96xf32>, %integers: tensor<1x56x56x96xi64>,
                     %halves: tensor<1x112x56x96xf16>, %unknown: tensor<1x?x56x96xf32>, %large: tensor<1x56x56x96xf32>) {
  %0 = graph.reduce_mean %small {axes = array<i64: 1, 2>} : (tensor<1x7x7x1152xf32>) -> tensor<1x1x1x1152xf32>
  %1 = graph.reduce_mean %images {axes = array<i64: 1, 2>} : (tensor<4x56x56x96xf32>) -> tensor<4x1x1x96xf32>
  %2 = graph.reduce_mean %odd {axes = array<i64: 1, 2>} : (tensor<1x57x56x96xf32>) -> tensor<1x1x1x96xf32>
  %3 = graph.reduce_mean %ends {axes = array<i64: 0, 1>} : (tensor<56x1792xf32>) -> tensor<1x1xf32>
  %4 = graph.reduce_mean %apart {axes = array<i64: 1, 3>} : (tensor<1x56x2x56x96xf32>) -> tensor<1x1x2x1x96xf32>
  %5 = graph.reduce_mean %integers {axes = array<i64: 1, 2>} : (tensor<1x56x56x96xi64>) -> tensor<1x1x1x96xi64>
  %6 = graph.reduce_mean %halves {axes = array<i64: 1, 2>} : (tensor<1x112x56x96xf16>) -> tensor<1x1x1x96xf16>
  %7 = graph.reduce_mean %unknown {axes = array<i64: 1, 2>} : (tensor<1x?x56x96xf32>) -> tensor<1x1x1x96xf32>
  %8 = graph.reduce_max %large {axes = array<i64: 1, 2>} : (tensor<1x56x56x96xf32>) -> tensor<1x1x1x96xf32>
  return
}
