// RUN: tenon-opt %s --split-input-file --tenon-simplify-algebra="strict=true" | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-simplify-algebra | FileCheck %s --check-prefix=LOOSE

// Strictly nothing changes a result: a reciprocal rounds twice, factors may
// overflow in one order and not in the other, a root of -0 is no power of it,
// and -0 + 0 is 0.
// CHECK-LABEL: @rounding
// CHECK: graph.div
// CHECK: graph.mul
// CHECK: graph.mul
// CHECK: graph.pow
// CHECK: graph.add
// LOOSE-LABEL: @rounding
// LOOSE-NOT: graph.div
// LOOSE: graph.mul
// LOOSE-NOT: graph.mul
// LOOSE: graph.sqrt
// LOOSE-NOT: graph.add
// LOOSE: return
func.func @rounding(%x: tensor<4xf32>) -> tensor<4xf32> {
  %three = graph.constant dense<3.0> : tensor<f32>
  %large = graph.constant dense<1.0e30> : tensor<f32>
  %half = graph.constant dense<0.5> : tensor<f32>
  %zero = graph.constant dense<0.0> : tensor<f32>
  %0 = graph.div %x, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.mul %0, %large : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.mul %1, %three : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.pow %2, %half : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.add %3, %zero : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// What is exact stays allowed, and so is another order of a sum.
// CHECK-LABEL: @exact
// CHECK-NOT: graph.div
// CHECK: graph.mul %arg0, %arg0
// CHECK-NEXT: graph.reciprocal
// CHECK-NEXT: graph.add
// CHECK-NEXT: return
func.func @exact(%x: tensor<4xf32>) -> tensor<4xf32> {
  %one = graph.constant dense<1.0> : tensor<f32>
  %two = graph.constant dense<2.0> : tensor<f32>
  %minus = graph.constant dense<-1.0> : tensor<f32>
  %0 = graph.pow %x, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.div %0, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %2 = graph.pow %1, %minus : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %3 = graph.add %2, %one : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %4 = graph.sub %3, %two : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %4 : tensor<4xf32>
}

// -----

// Integers wrap in any order.
// CHECK-LABEL: @integers
// CHECK: graph.mul %arg0
// CHECK-NEXT: return
func.func @integers(%x: tensor<4xi32>) -> tensor<4xi32> {
  %zero = graph.constant dense<0> : tensor<i32>
  %two = graph.constant dense<2> : tensor<i32>
  %three = graph.constant dense<3> : tensor<i32>
  %0 = graph.mul %x, %two : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %1 = graph.mul %0, %three : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %2 = graph.add %1, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  %3 = graph.sub %2, %zero : (tensor<4xi32>, tensor<i32>) -> tensor<4xi32>
  return %3 : tensor<4xi32>
}
