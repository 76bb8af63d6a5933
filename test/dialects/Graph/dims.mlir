// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// Expressions are read in any form and written in one: sums in the order of
// names, quotients taken apart.

// CHECK-LABEL: func private @sums
// CHECK-SAME: #graph.dims<["m" + 2 * "n" + 3, "n", 0, 12]>
func.func private @sums(tensor<?x?x0x12xf32, #graph.dims<["n" + "m" + 5 + "n" - 2, 2 * "n" - "n", 0, 3 * (2 + 2)]>>)

// CHECK-LABEL: func private @quotients
// CHECK-SAME: #graph.dims<[2 * "n" + "m" floordiv 2, ("n" + 1) floordiv 6 + 1, ("n" + 3) floordiv 4, "n" mod 4, 3 * "n"]>
func.func private @quotients(tensor<?x?x?x?x?xf32, #graph.dims<[("m" + 4 * "n") floordiv 2, (("n" + 5) floordiv 2 + 1) floordiv 3, "n" ceildiv 4, "n" - 4 * ("n" floordiv 4), (6 * "n" + 1) floordiv 2]>>)

// A dimension of which nothing is known leaves the others their names; names
// may be anything.
// CHECK-LABEL: func private @names
// CHECK-SAME: tensor<?x?x?xf32, #graph.dims<["past + 1", ?, 2 * "a\22b" - 1]>>
func.func private @names(tensor<?x?x?xf32, #graph.dims<["past + 1", ?, 2 * "a\22b" - 1]>>)

// Products of symbols are expressions, too, in one order.
// CHECK-LABEL: func private @products
// CHECK-SAME: #graph.dims<[6 * "m" * "n", 6 * "m" * "n"]>
func.func private @products(tensor<?x?xf32, #graph.dims<[(2 * "n") * (3 * "m"), "m" * 6 * "n"]>>)

// Shape functions: the types in the text must be what they infer.

// CHECK-LABEL: func @convolutions
func.func @convolutions(%x: tensor<?x8x?x?xf32, #graph.dims<["n", 8, "h", "w"]>>, %w: tensor<4x8x3x3xf32>, %t: tensor<8x4x2x2xf32>) {
  // CHECK: -> tensor<?x4x?x?xf32, #graph.dims<["n", 4, ("h" + 1) floordiv 2, "w" - 2]>>
  %0 = graph.conv %x, %w {strides = array<i64: 2, 1>, pads = array<i64: 1, 0, 1, 0>, dilations = array<i64: 1, 1>, group = 1}
    : (tensor<?x8x?x?xf32, #graph.dims<["n", 8, "h", "w"]>>, tensor<4x8x3x3xf32>) -> tensor<?x4x?x?xf32, #graph.dims<["n", 4, ("h" + 1) floordiv 2, "w" - 2]>>
  // Of the same size with pads that make up for the kernel.
  // CHECK: -> tensor<?x4x?x?xf32, #graph.dims<["n", 4, "h", "w"]>>
  %1 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, group = 1}
    : (tensor<?x8x?x?xf32, #graph.dims<["n", 8, "h", "w"]>>, tensor<4x8x3x3xf32>) -> tensor<?x4x?x?xf32, #graph.dims<["n", 4, "h", "w"]>>
  // CHECK: -> tensor<?x4x?x?xf32, #graph.dims<["n", 4, 2 * "h", 3 * "w" - 1]>>
  %2 = graph.conv_transpose %x, %t {strides = array<i64: 2, 3>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 1}
    : (tensor<?x8x?x?xf32, #graph.dims<["n", 8, "h", "w"]>>, tensor<8x4x2x2xf32>) -> tensor<?x4x?x?xf32, #graph.dims<["n", 4, 2 * "h", 3 * "w" - 1]>>
  return
}

// CHECK-LABEL: func @movement
func.func @movement(%x: tensor<?x?xf32, #graph.dims<["n", "m"]>>, %y: tensor<?x?xf32, #graph.dims<["n", "m" + 1]>>, %z: tensor<2x?xf32>, %v: tensor<f32>) {
  // CHECK: graph.concat {{.*}} -> tensor<?x?xf32, #graph.dims<["n", 3 * "m" + 1]>>
  %0 = graph.concat %x, %y, %x {axis = 1} : (tensor<?x?xf32, #graph.dims<["n", "m"]>>, tensor<?x?xf32, #graph.dims<["n", "m" + 1]>>, tensor<?x?xf32, #graph.dims<["n", "m"]>>) -> tensor<?x?xf32, #graph.dims<["n", 3 * "m" + 1]>>
  // Operands say of each other what they know: two rows, one name is left.
  // CHECK: graph.concat {{.*}} -> tensor<2x?xf32>
  %1 = graph.concat %x, %z {axis = 1} : (tensor<?x?xf32, #graph.dims<["n", "m"]>>, tensor<2x?xf32>) -> tensor<2x?xf32>
  // CHECK: graph.concat {{.*}} -> tensor<?x?xf32, #graph.dims<["n" + 2, "m"]>>
  %2 = graph.concat %x, %z {axis = 0} : (tensor<?x?xf32, #graph.dims<["n", "m"]>>, tensor<2x?xf32>) -> tensor<?x?xf32, #graph.dims<["n" + 2, "m"]>>
  // CHECK: graph.pad {{.*}} -> tensor<?x?xf32, #graph.dims<["n" + 3, "m" - 1]>>
  %3 = graph.pad %x, %v {low = array<i64: 1, 0>, high = array<i64: 2, -1>} : (tensor<?x?xf32, #graph.dims<["n", "m"]>>, tensor<f32>) -> tensor<?x?xf32, #graph.dims<["n" + 3, "m" - 1]>>
  // CHECK: graph.transpose {{.*}} -> tensor<?x?xf32, #graph.dims<["m" + 1, "n"]>>
  %4 = graph.transpose %y {permutation = array<i64: 1, 0>} : (tensor<?x?xf32, #graph.dims<["n", "m" + 1]>>) -> tensor<?x?xf32, #graph.dims<["m" + 1, "n"]>>
  return
}

// Two symbols are equal or one of them is 1: the result has its own name.
// CHECK-LABEL: func @broadcast
func.func @broadcast(%x: tensor<?x4xf32, #graph.dims<["n", 4]>>, %y: tensor<?x1xf32, #graph.dims<["m", 1]>>) {
  // CHECK: graph.add {{.*}} -> tensor<?x4xf32, #graph.dims<["broadcast(m, n)", 4]>>
  %0 = graph.add %x, %y : (tensor<?x4xf32, #graph.dims<["n", 4]>>, tensor<?x1xf32, #graph.dims<["m", 1]>>) -> tensor<?x4xf32, #graph.dims<["broadcast(m, n)", 4]>>
  // CHECK: graph.add {{.*}} -> tensor<?x4xf32, #graph.dims<["broadcast(m, n)", 4]>>
  %1 = graph.add %y, %x : (tensor<?x1xf32, #graph.dims<["m", 1]>>, tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["broadcast(m, n)", 4]>>
  return
}
