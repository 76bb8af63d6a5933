// What groups move, and why values go through memory between them.
// RUN: tenon-opt %s --tenon-fuse-groups --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-fuse-groups=mode=off --split-input-file | FileCheck %s --check-prefix=OFF
// RUN: tenon-opt %s --tenon-fuse-groups=mode=atoms --split-input-file | FileCheck %s --check-prefix=ATOMS
// OFF-COUNT-3: reason = "fusion is off"

// Behind a product: the sum is of its shape and for nobody else.
// CHECK-LABEL: func.func @products
// CHECK-SAME: {from = "sum", reason = "a kernel has one product or window", to = "second"}
// CHECK-SAME: {from = "second", reason = "not element-wise", to = "max"}
// CHECK-SAME: {from = "max", reason = "nothing joins in front of a product or window", to = "third"}
// CHECK: kernel.group
// Read by the product and the sum, what is between them, and the result.
// CHECK-SAME: fusion = {bytes = 592 : i64, bytes_before = 1104 : i64, nanoseconds = 0 : i64, scratch = 0 : i64, work = 1.000000e+00 : f64}
func.func @products(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<16x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("first")
  %1 = graph.add %0, %b : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32> loc("sum")
  %2 = graph.matmul %1, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("second")
  %3 = graph.reduce_max %2 {axes = array<i64: 0>} : (tensor<16x4xf32>) -> tensor<1x4xf32> loc("max")
  %4 = graph.matmul %x, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("other")
  %5 = graph.matmul %3, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32> loc("third")
  %6 = graph.add %4, %5 : (tensor<16x4xf32>, tensor<1x4xf32>) -> tensor<16x4xf32> loc("last")
  return %6 : tensor<16x4xf32>
}

// -----

// Two users; a shape that is not the product's; a view; another product's.
// CHECK-LABEL: func.func @users
// CHECK-SAME: {from = "first", reason = "several users outside", to = "relu"}
// CHECK-SAME: {from = "first", reason = "several users outside", to = "exp"}
// ATOMS-LABEL: func.func @users
// ATOMS-SAME: {from = "first", reason = "not the only user", to = "relu"}
func.func @users(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>) {
  %0 = graph.matmul %x, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("first")
  %1 = graph.relu %0 : (tensor<16x4xf32>) -> tensor<16x4xf32> loc("relu")
  %2 = graph.exp %0 : (tensor<16x4xf32>) -> tensor<16x4xf32> loc("exp")
  return %1, %2 : tensor<16x4xf32>, tensor<16x4xf32>
}

// -----

// CHECK-LABEL: func.func @shapes
// CHECK-SAME: {from = "first", reason = "other shape", to = "wider"}
// CHECK-SAME: {from = "second", reason = "a reshape is between them", to = "relu"}
func.func @shapes(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>, %y: tensor<16x4xf32>) -> (tensor<16x4xf32>, tensor<8x8xf32>) {
  %0 = graph.matmul %x, %w : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32> loc("first")
  %1 = graph.add %0, %y : (tensor<1x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32> loc("wider")
  %2 = graph.matmul %y, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("second")
  %3 = graph.reshape %2 : (tensor<16x4xf32>) -> tensor<8x8xf32>
  %4 = graph.relu %3 : (tensor<8x8xf32>) -> tensor<8x8xf32> loc("relu")
  return %1, %4 : tensor<16x4xf32>, tensor<8x8xf32>
}

// -----

// The sum is the first product's; the second one's result goes through memory.
// CHECK-LABEL: func.func @two
// CHECK-SAME: {from = "second", reason = "joined another product or window", to = "sum"}
func.func @two(%x: tensor<16x4xf32>, %y: tensor<16x4xf32>, %w: tensor<4x4xf32>) -> tensor<16x4xf32> {
  %0 = graph.matmul %x, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("first")
  %1 = graph.matmul %y, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32> loc("second")
  %2 = graph.add %0, %1 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32> loc("sum")
  return %2 : tensor<16x4xf32>
}

// -----

// Of a table only what is picked moves; operations have their kind for a name
// where they have no node.
// CHECK-LABEL: func.func @loops
// CHECK-SAME: {from = "relu", reason = "no loops over one domain", to = "top_k"}
// CHECK: fusion = {bytes = 48 : i64, bytes_before = 48 : i64
func.func @loops(%t: tensor<1000xf32>, %i: tensor<4xi32>) -> tensor<2xf32> {
  %0 = graph.gather %t, %i {axis = 0 : i64} : (tensor<1000xf32>, tensor<4xi32>) -> tensor<4xf32>
  %1 = graph.relu %0 : (tensor<4xf32>) -> tensor<4xf32>
  %2, %3 = graph.top_k %1 {axis = 0 : i64, k = 2 : i64, largest = true} : (tensor<4xf32>) -> (tensor<2xf32>, tensor<2xi64>)
  return %2 : tensor<2xf32>
}
