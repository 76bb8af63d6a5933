// RUN: tenon-opt %s -split-input-file -tenon-lower-control | FileCheck %s

// Branches meet in a block that takes their results.
// CHECK-LABEL: vm.func @main(
// CHECK-SAME: %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>
// CHECK: vm.if %[[C]], ^[[THEN:.*]], ^[[ELSE:.*]] : tensor<i1>
// CHECK: ^[[THEN]]:
// CHECK: %[[A:.*]] = vm.call @a(%[[X]])
// CHECK: vm.goto ^[[JOIN:.*]](%[[A]] : tensor<4xf32>)
// CHECK: ^[[ELSE]]:
// CHECK: %[[B:.*]] = vm.call @b(%[[X]])
// CHECK: vm.goto ^[[JOIN]](%[[B]] : tensor<4xf32>)
// CHECK: ^[[JOIN]](%[[R:.*]]: tensor<4xf32>):
// CHECK: vm.return %[[R]]
control.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = control.if %c : tensor<i1> then @a else @b (%x) : (tensor<4xf32>) -> tensor<4xf32>
  control.return %r : tensor<4xf32>
}
control.func private @a(%x: tensor<4xf32>) -> tensor<4xf32> {
  control.return %x : tensor<4xf32>
}
control.func private @b(%x: tensor<4xf32>) -> tensor<4xf32> {
  control.return %x : tensor<4xf32>
}

// -----

// A loop tests at its head; scan outputs are gathered in sequences. The body's
// invariants are those of the loop.
// CHECK-LABEL: vm.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>, %[[W:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<i64>
// CHECK: %[[ZERO:.*]] = vm.call "constant"() value dense<0>
// CHECK: %[[TRUE:.*]] = vm.call "constant"() value dense<true>
// CHECK: %[[NONE:.*]] = vm.call "sequence_construct"() integers [2, 32]
// CHECK: vm.goto ^[[HEAD:.*]](%[[ZERO]], %[[TRUE]], %[[X]], %[[NONE]]
// CHECK: ^[[HEAD]](%[[I:.*]]: tensor<i64>, %[[C:.*]]: tensor<i1>, %[[S:.*]]: tensor<4xf32>, %[[L:.*]]: !control.sequence<tensor<4xf32>>):
// CHECK: %[[GO:.*]] = vm.call "loop_test"(%[[I]], %[[N]], %[[C]])
// CHECK: vm.if %[[GO]], ^[[BODY:.*]], ^[[EXIT:[a-z0-9]*]]
// CHECK: ^[[BODY]]:
// CHECK: %[[R:.*]]:3 = vm.call @body(%[[I]], %[[C]], %[[S]], %[[W]])
// CHECK: vm.call "kill"(%[[S]])
// CHECK: %[[NEXT:.*]] = vm.call "increment"(%[[I]])
// CHECK: %[[MORE:.*]] = vm.call "sequence_insert"(%[[L]], %[[R]]#2)
// CHECK: vm.goto ^[[HEAD]](%[[NEXT]], %[[R]]#0, %[[R]]#1, %[[MORE]]
// CHECK: ^[[EXIT]]:
// CHECK: %[[ALL:.*]] = vm.call "stack"(%[[L]]) integers [2, 32, 4]
// CHECK: vm.return %[[S]], %[[ALL]]
control.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>, %n: tensor<i64>) -> (tensor<4xf32>, tensor<?x4xf32, #graph.dims<["t", 4]>>) {
  %r:2 = control.loop @body trip %n : tensor<i64> carried(%x : tensor<4xf32>) invariant(%w : tensor<4xf32>)
    -> tensor<4xf32>, tensor<?x4xf32, #graph.dims<["t", 4]>>
  control.return %r#0, %r#1 : tensor<4xf32>, tensor<?x4xf32, #graph.dims<["t", 4]>>
}
control.func private @body(%i: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>, %w: tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>, tensor<4xf32>) {
  control.return %c, %x, %w : tensor<i1>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Without a number of iterations, the condition alone decides.
// CHECK-LABEL: vm.func @main(
// CHECK-SAME: %[[C:.*]]: tensor<i1>, %[[X:.*]]: tensor<4xf32>
// CHECK: vm.goto ^[[HEAD:.*]](%{{.*}}, %[[C]], %[[X]]
// CHECK: ^[[HEAD]](%{{.*}}: tensor<i64>, %[[GO:.*]]: tensor<i1>,
// CHECK-NEXT: vm.if %[[GO]]
control.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %r = control.loop @body while %c : tensor<i1> carried(%x : tensor<4xf32>) -> tensor<4xf32>
  control.return %r : tensor<4xf32>
}
control.func private @body(%i: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>) {
  control.return %c, %x : tensor<i1>, tensor<4xf32>
}
