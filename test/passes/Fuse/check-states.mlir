// RUN: not tenon-opt %s --split-input-file --tenon-check-states 2>&1 | FileCheck %s

// CHECK: error: state 'past': dimension 1 is 8 in the input, but 9 in the output 'present'
module attributes {graph.states = [{input = "past", output = "present"}]} {
  func.func @main(%x: tensor<2x1xf32> {onnx.name = "x"}, %past: tensor<2x8xf32> {onnx.name = "past"}) -> (tensor<2x9xf32> {onnx.name = "present"}) {
    %0 = graph.concat %past, %x {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x1xf32>) -> tensor<2x9xf32>
    return %0 : tensor<2x9xf32>
  }
}

// -----

// CHECK: error: state 'a': the input has rank 1, but the output 'b' 2
module attributes {graph.states = [{input = "a", output = "b"}]} {
  func.func @main(%a: tensor<4xf32> {onnx.name = "a"}) -> (tensor<2x2xf32> {onnx.name = "b"}) {
    %0 = graph.reshape %a : (tensor<4xf32>) -> tensor<2x2xf32>
    return %0 : tensor<2x2xf32>
  }
}

// -----

// CHECK: error: state 'a': the input has element type 'f32', but the output 'b' 'i1'
module attributes {graph.states = [{input = "a", output = "b"}]} {
  func.func @main(%a: tensor<4xf32> {onnx.name = "a"}) -> (tensor<4xi1> {onnx.name = "b"}) {
    %0 = graph.is_nan %a : (tensor<4xf32>) -> tensor<4xi1>
    return %0 : tensor<4xi1>
  }
}

// -----

// CHECK: error: state 'c': the program has no such input
module attributes {graph.states = [{input = "c", output = "b"}]} {
  func.func @main(%a: tensor<4xf32> {onnx.name = "a"}) -> (tensor<4xf32> {onnx.name = "b"}) {
    return %a : tensor<4xf32>
  }
}

// -----

// CHECK: error: state 'a': the program has no output 'c'
module attributes {graph.states = [{input = "a", output = "c"}]} {
  func.func @main(%a: tensor<4xf32> {onnx.name = "a"}) -> (tensor<4xf32> {onnx.name = "b"}) {
    return %a : tensor<4xf32>
  }
}

// -----

// CHECK: error: a model of several programs, as control flow makes them, has no states
module attributes {graph.states = [{input = "a", output = "b"}]} {
  func.func @main(%a: tensor<4xf32> {onnx.name = "a"}) -> (tensor<4xf32> {onnx.name = "b"}) {
    return %a : tensor<4xf32>
  }
  func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
    return %a : tensor<4xf32>
  }
}

// -----

// What symbols are, each run checks.
// CHECK-NOT: error
module attributes {graph.states = [{input = "a", output = "b"}]} {
  func.func @main(%a: tensor<?xf32, #graph.dims<["n"]>> {onnx.name = "a"}) -> (tensor<?xf32, #graph.dims<["n"]>> {onnx.name = "b"}) {
    return %a : tensor<?xf32, #graph.dims<["n"]>>
  }
}

// -----

// CHECK: error: graph.states is a list of {input, output} of a module, with axis and room or without
module attributes {graph.states = [{input = "a"}]} {
}
