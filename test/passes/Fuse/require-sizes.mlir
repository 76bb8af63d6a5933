// RUN: not tenon-opt %s --split-input-file --tenon-require-sizes 2>&1 | FileCheck %s
// RUN: not tenon-opt %s --split-input-file --tenon-require-sizes 2>&1 | FileCheck %s --check-prefix=DEAD

// All symbols in one error, where they stand, and what fixes them.
// CHECK: error: dimensions without a size are left, but code is made for sizes that are known:
// CHECK-NEXT: 'batch', dimension 0 of input 'x', dimension 1 of input 'it's': --dim batch=1
// CHECK-NEXT: 'past + 1', dimension 0 of input 'it's': --dim 'past + 1=1'
// CHECK-NEXT: all of them, for other sizes than 1 with those in their place: --shape x=1x? --shape 'it'\''s=1x1'
// CHECK-NOT: error:
func.func @named(%x: tensor<?x4xf32, #graph.dims<["batch", 4]>> {onnx.name = "x"}, %y: tensor<?x?xf32, #graph.dims<["past + 1", "batch"]>> {onnx.name = "it's"}) -> (tensor<?x4xf32, #graph.dims<["batch", 4]>>, tensor<?x?xf32, #graph.dims<["past + 1", "batch"]>>) {
  %0 = graph.relu %x : (tensor<?x4xf32, #graph.dims<["batch", 4]>>) -> tensor<?x4xf32, #graph.dims<["batch", 4]>>
  %1 = graph.relu %y : (tensor<?x?xf32, #graph.dims<["past + 1", "batch"]>>) -> tensor<?x?xf32, #graph.dims<["past + 1", "batch"]>>
  return %0, %1 : tensor<?x4xf32, #graph.dims<["batch", 4]>>, tensor<?x?xf32, #graph.dims<["past + 1", "batch"]>>
}

// -----

// Nothing uses it.
// CHECK: warning: input '0' has no size and nothing uses it: it is left out
// DEAD: func.func @dead(%arg0: tensor<4xf32>)
func.func @dead(%x: tensor<?xf32, #graph.dims<["n"]>>, %y: tensor<4xf32>) -> tensor<4xf32> {
  return %y : tensor<4xf32>
}

// -----

// Without a name a dimension has its place.
// CHECK: error: dimensions without a size are left
// CHECK-NEXT: dimension 1 of input '0'
// CHECK-NEXT: --shape 0=?x1
func.func @unnamed(%x: tensor<4x?xf32>) -> tensor<4x?xf32> {
  return %x : tensor<4x?xf32>
}

// -----

// What depends on data is told by its node.
// CHECK: error: dimensions without a size are left
// CHECK-NEXT: the size of a result of node 'compress', which depends on data (--const may give it)
func.func @data(%x: tensor<4xf32>) -> tensor<?xf32> {
  %0 = graph.reshape %x : (tensor<4xf32>) -> tensor<?xf32> loc("compress")
  return %0 : tensor<?xf32>
}

// -----

// CHECK: error: dimensions without a size are left
// CHECK-NEXT: the shape of input '0'
func.func @unranked(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}
