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
// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: the size of a result of node 'nonzero', which depends on data (--const may give it)
func.func @found(%x: tensor<4xf32>) -> tensor<?xf32, #graph.dims<["count"]>> {
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

// Without a name a dimension has its place.
// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: dimension 1 of input '0'
func.func @unnamed(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  return %x : tensor<4x?xf32>
}

// -----

// What depends on data is told by its node.
// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: the size of a result of node 'compress', which depends on data (--const may give it)
func.func @data(%x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = graph.reshape %x : (tensor<4xf32>) -> tensor<?xf32> loc("compress")
  return %0 : tensor<?xf32>
}

// -----

// CHECK: error: sizes that the shapes of the inputs do not determine:
// CHECK-NEXT: the shape of input '0'
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}
