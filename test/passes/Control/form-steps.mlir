// RUN: tenon-opt %s -split-input-file -tenon-form-steps -canonicalize | FileCheck %s

// What is picked by the number is sliced, and multiplied for all steps at once;
// what the state meets stays. The last state is the last of the stacked ones.
// CHECK-LABEL: func.func @sliced(
// CHECK-SAME: %[[XS:.*]]: tensor<9x2x4xf32>, %[[H:.*]]: tensor<2x3xf32>
// CHECK: %[[W:.*]] = graph.constant dense<1.000000e+00> : tensor<4x3xf32>
// CHECK: %[[A:.*]] = graph.matmul %[[XS]], %[[W]] : (tensor<9x2x4xf32>, tensor<4x3xf32>) -> tensor<9x2x3xf32>
// CHECK: %[[R:.*]] = graph.steps @body(%[[A]], %[[H]]) {count = 9 : i64, next = array<i64: 0>, scans = 1 : i64, stacked = array<i1: true>}
// CHECK: %[[S:.*]] = graph.slice %[[R]] {sizes = array<i64: 1, 2, 3>, starts = array<i64: 8, 0, 0>
// CHECK: %[[L:.*]] = graph.reshape %[[S]]
// CHECK: return %[[L]], %[[R]]
// CHECK: func.func @body(%[[X:.*]]: tensor<2x3xf32>, %[[P:.*]]: tensor<2x3xf32>) -> tensor<2x3xf32> attributes {graph.steps_body}
// CHECK-NOT: graph.matmul
// CHECK: %[[N:.*]] = graph.add %[[X]], %[[P]]
// CHECK: return %[[N]] : tensor<2x3xf32>
func.func @sliced(%xs: tensor<9x2x4xf32>, %h: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<9x2x3xf32>) {
  %t = graph.constant dense<9> : tensor<i64>
  %r:2 = control.loop @body trip %t : tensor<i64> carried(%h : tensor<2x3xf32>) invariant(%xs : tensor<9x2x4xf32>) -> tensor<2x3xf32>, tensor<9x2x3xf32>
  return %r#0, %r#1 : tensor<2x3xf32>, tensor<9x2x3xf32>
}
func.func @body(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2x3xf32>, %xs: tensor<9x2x4xf32>) -> (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) attributes {control.body} {
  %w = graph.constant dense<1.0> : tensor<4x3xf32>
  %x = graph.gather %xs, %i {axis = 0} : (tensor<9x2x4xf32>, tensor<i64>) -> tensor<2x4xf32>
  %a = graph.matmul %x, %w : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
  %n = graph.add %a, %h : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %c, %n, %n : tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// A product of what comes in beside the state is the sum of two. What becomes a
// result only is computed behind the loop.
// CHECK-LABEL: func.func @beside(
// CHECK: %[[R:.*]] = graph.steps @body(
// CHECK-SAME: stacked = array<i1: true>
// CHECK: graph.tanh %[[R]] : (tensor<9x2x3xf32>) -> tensor<9x2x3xf32>
// CHECK: func.func @body(
// CHECK: graph.matmul %{{.*}} : (tensor<2x3xf32>, tensor<3x3xf32>)
// CHECK-NOT: graph.concat
// CHECK-NOT: graph.tanh
func.func @beside(%xs: tensor<9x2x4xf32>, %h: tensor<2x3xf32>) -> tensor<9x2x3xf32> {
  %t = graph.constant dense<9> : tensor<i64>
  %r:2 = control.loop @body trip %t : tensor<i64> carried(%h : tensor<2x3xf32>) invariant(%xs : tensor<9x2x4xf32>) -> tensor<2x3xf32>, tensor<9x2x3xf32>
  return %r#1 : tensor<9x2x3xf32>
}
func.func @body(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2x3xf32>, %xs: tensor<9x2x4xf32>) -> (tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>) attributes {control.body} {
  %w = graph.constant dense<1.0> : tensor<7x3xf32>
  %x = graph.gather %xs, %i {axis = 0} : (tensor<9x2x4xf32>, tensor<i64>) -> tensor<2x4xf32>
  %xh = graph.concat %x, %h {axis = 1} : (tensor<2x4xf32>, tensor<2x3xf32>) -> tensor<2x7xf32>
  %n = graph.matmul %xh, %w : (tensor<2x7xf32>, tensor<7x3xf32>) -> tensor<2x3xf32>
  %y = graph.tanh %n : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %c, %n, %y : tensor<i1>, tensor<2x3xf32>, tensor<2x3xf32>
}

// -----

// Nothing is left of a loop without a state, nor of one of no step. What is
// carried and never changed is what it was.
// CHECK-LABEL: func.func @gone(
// CHECK-SAME: %[[X:.*]]: tensor<2xf32>, %[[M:.*]]: tensor<12x2xf32>
// CHECK-DAG: %[[E:.*]] = graph.constant dense<> : tensor<0x2xf32>
// CHECK-DAG: %[[N:.*]] = graph.slice %[[M]]
// CHECK-DAG: %[[A:.*]] = graph.abs %{{.*}} : (tensor<9x2xf32>) -> tensor<9x2xf32>
// CHECK-NOT: graph.steps
// CHECK: return %[[X]], %[[A]], %[[X]], %[[E]]
// CHECK-NEXT: }
// CHECK-NEXT: }
func.func @gone(%x: tensor<2xf32>, %m: tensor<12x2xf32>) -> (tensor<2xf32>, tensor<9x2xf32>, tensor<2xf32>, tensor<0x2xf32>) {
  %t = graph.constant dense<9> : tensor<i64>
  %zero = graph.constant dense<-1> : tensor<i64>
  %r:2 = control.loop @a trip %t : tensor<i64> carried(%x : tensor<2xf32>) invariant(%m : tensor<12x2xf32>) -> tensor<2xf32>, tensor<9x2xf32>
  %s:2 = control.loop @b trip %zero : tensor<i64> carried(%x : tensor<2xf32>) -> tensor<2xf32>, tensor<0x2xf32>
  return %r#0, %r#1, %s#0, %s#1 : tensor<2xf32>, tensor<9x2xf32>, tensor<2xf32>, tensor<0x2xf32>
}
func.func @a(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2xf32>, %m: tensor<12x2xf32>) -> (tensor<i1>, tensor<2xf32>, tensor<2xf32>) {
  %x = graph.gather %m, %i {axis = 0} : (tensor<12x2xf32>, tensor<i64>) -> tensor<2xf32>
  %y = graph.abs %x : (tensor<2xf32>) -> tensor<2xf32>
  return %c, %h, %y : tensor<i1>, tensor<2xf32>, tensor<2xf32>
}
func.func @b(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>, tensor<2xf32>) {
  %y = graph.neg %h : (tensor<2xf32>) -> tensor<2xf32>
  return %c, %y, %y : tensor<i1>, tensor<2xf32>, tensor<2xf32>
}

// -----

// The number itself is a slice of all numbers; a state that is not stacked is a
// result of its own.
// CHECK-LABEL: func.func @numbers(
// CHECK: %[[I:.*]] = graph.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8]> : tensor<9xi64>
// CHECK: graph.steps @body(%[[I]], %{{.*}}) {count = 9 : i64, next = array<i64: 0>, scans = 1 : i64, stacked = array<i1: false>}
func.func @numbers(%x: tensor<i64>) -> tensor<i64> {
  %t = graph.constant dense<9> : tensor<i64>
  %r = control.loop @body trip %t : tensor<i64> carried(%x : tensor<i64>) -> tensor<i64>
  return %r : tensor<i64>
}
func.func @body(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<i64>) -> (tensor<i1>, tensor<i64>) {
  %n = graph.add %h, %i : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %true = graph.constant dense<true> : tensor<i1>
  return %true, %n : tensor<i1>, tensor<i64>
}

// -----

// Loops that a condition ends, of a length that only the run knows, or with
// control inside stay what they are.
// CHECK-LABEL: func.func @stay(
// CHECK: control.loop @until
// CHECK: control.loop @some
// CHECK: control.loop @calls
func.func @stay(%x: tensor<2xf32>, %n: tensor<i64>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %t = graph.constant dense<9> : tensor<i64>
  %r = control.loop @until trip %t : tensor<i64> carried(%x : tensor<2xf32>) -> tensor<2xf32>
  %s = control.loop @some trip %n : tensor<i64> carried(%x : tensor<2xf32>) -> tensor<2xf32>
  %u = control.loop @calls trip %t : tensor<i64> carried(%x : tensor<2xf32>) -> tensor<2xf32>
  return %r, %s, %u : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}
func.func @until(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>) {
  %five = graph.constant dense<5> : tensor<i64>
  %go = graph.less %i, %five : (tensor<i64>, tensor<i64>) -> tensor<i1>
  %n = graph.neg %h : (tensor<2xf32>) -> tensor<2xf32>
  return %go, %n : tensor<i1>, tensor<2xf32>
}
func.func @some(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>) {
  %n = graph.neg %h : (tensor<2xf32>) -> tensor<2xf32>
  return %c, %n : tensor<i1>, tensor<2xf32>
}
func.func @calls(%i: tensor<i64>, %c: tensor<i1>, %h: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>) {
  %n = control.if %c : tensor<i1> then @one else @one(%h) : (tensor<2xf32>) -> tensor<2xf32>
  return %c, %n : tensor<i1>, tensor<2xf32>
}
func.func @one(%h: tensor<2xf32>) -> tensor<2xf32> {
  %n = graph.neg %h : (tensor<2xf32>) -> tensor<2xf32>
  return %n : tensor<2xf32>
}
