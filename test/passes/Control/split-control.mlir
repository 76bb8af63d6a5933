// RUN: tenon-opt %s -split-input-file -tenon-split-control -tenon-verify-split | FileCheck %s

// A result whose size depends on data is an input of the next segment.
// CHECK-LABEL: control.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[A:.*]] = control.call @main_0(%[[X]])
// CHECK: %[[I:.*]] = control.call "nonzero"(%[[A]])
// CHECK: %[[Y:.*]] = control.call @main_1(%[[I]])
// CHECK: control.return %[[Y]]
// CHECK: func.func @main_0
// CHECK: graph.abs
// CHECK: func.func @main_1
// CHECK: graph.cast
func.func @main(%x: tensor<4xf32>) -> tensor<1x?xf32, #graph.dims<[1, "n"]>> {
  %a = graph.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  %i = control.call "nonzero"(%a) : (tensor<4xf32>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>>
  %y = graph.cast %i : (tensor<1x?xi64, #graph.dims<[1, "n"]>>) -> tensor<1x?xf32, #graph.dims<[1, "n"]>>
  return %y : tensor<1x?xf32, #graph.dims<[1, "n"]>>
}

// -----

// A segment that names a symbol takes a value that has it as an extent, though
// it reads nothing of it; constants belong to whoever reads them.
// CHECK-LABEL: control.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[I:.*]] = control.call "nonzero"(%[[X]])
// CHECK: %[[Y:.*]] = control.call @main_0(%[[I]])
// CHECK: control.return %[[Y]]
// CHECK: func.func @main_0(%{{.*}}: tensor<1x?xi64, #graph.dims<[1, "n"]>> {onnx.name = "nz"})
// CHECK: graph.constant
// CHECK: graph.broadcast
func.func @main(%x: tensor<4xf32>) -> tensor<?xf32, #graph.dims<["n"]>> {
  %one = graph.constant dense<1.0> : tensor<1xf32>
  %i = control.call "nonzero"(%x) : (tensor<4xf32>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>> loc("nz")
  %y = graph.broadcast %one : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<["n"]>>
  return %y : tensor<?xf32, #graph.dims<["n"]>>
}

// -----

// What brings one symbol may have extents of others, which come along.
// CHECK-LABEL: control.func @main(
// CHECK: func.func @main_0(%{{[^,]*}}: tensor<?x?xf32, #graph.dims<["b", "n" + 1]>>, %{{[^,]*}}: tensor<?xf32, #graph.dims<["n"]>>)
// CHECK: graph.broadcast
func.func @main(%a: tensor<?x?xf32, #graph.dims<["b", "n" + 1]>>, %x: tensor<?xf32, #graph.dims<["n"]>>)
    -> (tensor<?xf32, #graph.dims<["b"]>>, tensor<1x?xi64, #graph.dims<[1, "k"]>>) {
  %one = graph.constant dense<1.0> : tensor<1xf32>
  %i = control.call "nonzero"(%x) : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1x?xi64, #graph.dims<[1, "k"]>>
  %y = graph.broadcast %one : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<["b"]>>
  return %y, %i : tensor<?xf32, #graph.dims<["b"]>>, tensor<1x?xi64, #graph.dims<[1, "k"]>>
}

// -----

// What control reads, segments give; constants it makes itself. Sizes wait for
// their symbols. Bodies are private.
// CHECK-LABEL: control.func @main(
// CHECK: %[[R:.*]]:2 = control.loop @body trip %{{.*}} : tensor<i64> carried(
// CHECK: %[[N:.*]] = control.call @main_0(%[[R]]#1)
// CHECK: control.return %[[R]]#0, %[[N]]
// CHECK: control.func private @body(
// CHECK: %[[B:.*]] = control.call @body_0(
// CHECK: %[[C:.*]] = control.constant dense<true> : tensor<i1>
// CHECK: control.return %[[C]], %[[B]], %[[B]]
// CHECK: func.func @main_0(%{{.*}}: tensor<?x4xf32, #graph.dims<["t", 4]>>)
// CHECK: graph.sizes
func.func @main(%x: tensor<4xf32>, %n: tensor<i64>) -> (tensor<4xf32>, tensor<1xi64>) {
  %r:2 = control.loop @body trip %n : tensor<i64> carried(%x : tensor<4xf32>)
    -> tensor<4xf32>, tensor<?x4xf32, #graph.dims<["t", 4]>>
  %s = graph.sizes {dims = #graph.dims<["t"]>} : () -> tensor<1xi64>
  return %r#0, %s : tensor<4xf32>, tensor<1xi64>
}
func.func @body(%i: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) -> (tensor<i1>, tensor<4xf32>, tensor<4xf32>) {
  %true = graph.constant dense<true> : tensor<i1>
  %y = graph.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %true, %y, %y : tensor<i1>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Without control, nothing changes.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: control
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = graph.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
