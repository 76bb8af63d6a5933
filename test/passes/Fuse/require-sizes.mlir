// RUN: not tenon-opt %s --split-input-file --tenon-require-sizes 2>&1 | FileCheck %s
// RUN: not tenon-opt %s --split-input-file --tenon-require-sizes 2>&1 | FileCheck %s --check-prefix=DEAD

// Symbols stay, and what is made of them.
// DEAD: func.func @named
// DEAD-SAME: #graph.dims<["batch", 4]>
func.func @named(%x: tensor<?x4xf32, #graph.dims<["batch", 4]>> {onnx.name = "x"}, %y: tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["broadcast(batch, n)", 4]>> {
  %0 = graph.add %x, %y : (tensor<?x4xf32, #graph.dims<["batch", 4]>>, tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["broadcast(batch, n)", 4]>>
  return %0 : tensor<?x4xf32, #graph.dims<["broadcast(batch, n)", 4]>>
}

// -----

// The name of no input: where it is made.
// CHECK: error: loc("nonzero"): sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: [count], a result of node 'nonzero'
// CHECK-NEXT: --const x=VALUE: 'count', which node 'nonzero' computes from inputs
func.func @found(%x: tensor<4xf32> {onnx.name = "x"}) -> tensor<?xf32, #graph.dims<["count"]>> {
  %0 = graph.reshape %x : (tensor<4xf32>) -> tensor<?xf32, #graph.dims<["count"]>> loc("nonzero")
  return %0 : tensor<?xf32, #graph.dims<["count"]>>
}

// -----

// Nothing uses it.
// CHECK: warning: input '0' has no shape and nothing uses it: it is left out
// DEAD: func.func @dead(%arg0: tensor<4xf32>)
func.func @dead(%x: tensor<?xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// Its bytes are asked for, even if nothing uses it.
// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: [m + 1], input '0'
func.func @sum(%x: tensor<?xf32, #graph.dims<["m" + 1]>>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// Without a name a dimension has its place.
// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: [4, ?], input '0'
// CHECK-NEXT: no option: dimension 1 of input '0', which has no name
func.func @unnamed(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  return %x : tensor<4x?xf32>
}

// -----

// What depends on data is told by its node.
// CHECK: error: loc("compress"): sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: [?], a result of node 'compress'
func.func @data(%x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = graph.reshape %x : (tensor<4xf32>) -> tensor<?xf32> loc("compress")
  return %0 : tensor<?xf32>
}

// -----

// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: [...], input '0'
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}
