// RUN: tenon-opt %s --tenon-normalize-onnx -split-input-file -verify-diagnostics

func.func @main(%c: tensor<2xi1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{a number or condition of it is no scalar}}
  %0 = "onnx.If"(%c) ({
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }, {
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }) : (tensor<2xi1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<f32>) -> tensor<*xf32> {
  // expected-error @+1 {{its branches make different results 0: tensor<2xf32> and tensor<f32>}}
  %0 = "onnx.If"(%c) ({
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }, {
    "onnx.Yield"(%y) : (tensor<f32>) -> ()
  }) : (tensor<i1>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xf64>) -> tensor<2xf32> {
  // expected-error @+1 {{its branches make different results 0: tensor<2xf32> and tensor<2xf64>}}
  %0 = "onnx.If"(%c) ({
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }, {
    "onnx.Yield"(%y) : (tensor<2xf64>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%c: tensor<i1>, %x: tensor<?xf32, #graph.dims<[2 * "n"]>>) -> tensor<1xi64> {
  // expected-error @+1 {{a size in its body, n, is no extent of what is around it}}
  %0 = "onnx.If"(%c) ({
    %1 = "onnx.Shape"(%x) : (tensor<?xf32, #graph.dims<[2 * "n"]>>) -> tensor<1xi64>
    "onnx.Yield"(%1) : (tensor<1xi64>) -> ()
  }, {
    %2 = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
    "onnx.Yield"(%2) : (tensor<1xi64>) -> ()
  }) : (tensor<i1>) -> tensor<1xi64>
  return %0 : tensor<1xi64>
}

// -----

func.func @main(%n: tensor<2xi64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{a number or condition of it is no scalar}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %y: tensor<2xf32>):
    "onnx.Yield"(%d, %y) : (tensor<i1>, tensor<2xf32>) -> ()
  }) : (tensor<2xi64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>, %z: tensor<2x1xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{its body makes tensor<2x1xf32> of tensor<2xf32>, value 0 of those that it carries}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %y: tensor<2xf32>):
    "onnx.Yield"(%d, %z) : (tensor<i1>, tensor<2x1xf32>) -> ()
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: !control.sequence<tensor<2xf32>>, %z: tensor<2xf32>) -> !control.sequence<tensor<2xf32>> {
  // expected-error @+1 {{its body makes tensor<2xf32> of !control.sequence<tensor<2xf32>>, value 0 of those that it carries}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %y: !control.sequence<tensor<2xf32>>):
    "onnx.Yield"(%d, %z) : (tensor<i1>, tensor<2xf32>) -> ()
  }) : (tensor<i64>, tensor<i1>, !control.sequence<tensor<2xf32>>) -> !control.sequence<tensor<2xf32>>
  return %0 : !control.sequence<tensor<2xf32>>
}

// -----

func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{its body makes no condition}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %y: tensor<2xf32>):
    "onnx.Yield"(%i, %y) : (tensor<i64>, tensor<2xf32>) -> ()
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: !control.sequence<tensor<2xf32>>) -> tensor<2xf32> {
  // expected-error @+1 {{output 0 does not stack tensors}}
  %0 = "onnx.Loop"(%n, %c) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>):
    "onnx.Yield"(%d, %x) : (tensor<i1>, !control.sequence<tensor<2xf32>>) -> ()
  }) : (tensor<i64>, tensor<i1>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @+1 {{a value that it carries is absent}}
  %0:2 = "onnx.Loop"(%n, %c, %none, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %z: tensor<2xf32>, %y: tensor<2xf32>):
    "onnx.Yield"(%d, %z, %y) : (tensor<i1>, tensor<2xf32>, tensor<2xf32>) -> ()
  }) : (tensor<i64>, tensor<i1>, none, tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#1 : tensor<2xf32>
}

// -----

func.func @main(%s: tensor<f32>, %x: tensor<?xf32, #graph.dims<["n"]>>) -> (tensor<f32>, tensor<?xf32>) {
  // expected-error @+1 {{'num_scan_inputs' does not fit}}
  %0:2 = "onnx.Scan"(%s, %x) ({
  ^bb0(%t: tensor<f32>, %y: tensor<f32>):
    "onnx.Yield"(%t, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) {num_scan_inputs = 3 : i64} : (tensor<f32>, tensor<?xf32, #graph.dims<["n"]>>) -> (tensor<f32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<f32>, tensor<?xf32>
}

// -----

func.func @main(%s: tensor<f32>, %x: tensor<?xf32, #graph.dims<["n"]>>) -> (tensor<f32>, tensor<?xf32>) {
  // expected-error @+1 {{'scan_input_axes' does not fit}}
  %0:2 = "onnx.Scan"(%s, %x) ({
  ^bb0(%t: tensor<f32>, %y: tensor<f32>):
    "onnx.Yield"(%t, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) {num_scan_inputs = 1 : i64, scan_input_axes = array<i64: 1>} : (tensor<f32>, tensor<?xf32, #graph.dims<["n"]>>) -> (tensor<f32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<f32>, tensor<?xf32>
}

// -----

func.func @main(%s: tensor<f32>, %x: tensor<?xf32, #graph.dims<["n"]>>) -> (tensor<f32>, tensor<?xf32>) {
  // expected-error @+1 {{'scan_output_axes' does not fit}}
  %0:2 = "onnx.Scan"(%s, %x) ({
  ^bb0(%t: tensor<f32>, %y: tensor<f32>):
    "onnx.Yield"(%t, %y) : (tensor<f32>, tensor<f32>) -> ()
  }) {num_scan_inputs = 1 : i64, scan_output_axes = array<i64: -2>} : (tensor<f32>, tensor<?xf32, #graph.dims<["n"]>>) -> (tensor<f32>, tensor<?xf32>)
  return %0#0, %0#1 : tensor<f32>, tensor<?xf32>
}

// -----

func.func @main(%x: tensor<9xf32>, %z: tensor<10xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{its inputs are 9 and 10 long}}
  %0 = "onnx.Scan"(%x, %z) ({
  ^bb0(%t: tensor<f32>, %y: tensor<f32>):
    "onnx.Yield"(%t) : (tensor<f32>) -> ()
  }) {num_scan_inputs = 2 : i64} : (tensor<9xf32>, tensor<10xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main() -> !control.sequence<tensor<*xf32>> {
  // expected-error @+1 {{'dtype' is unknown}}
  %0 = "onnx.SequenceEmpty"() {dtype = 99 : i64} : () -> !control.sequence<tensor<*xf32>>
  return %0 : !control.sequence<tensor<*xf32>>
}

// -----

func.func @main() -> !control.sequence<tensor<*xcomplex<f32>>> {
  // expected-error @+1 {{it has no sequences of such elements}}
  %0 = "onnx.SequenceEmpty"() {dtype = 14 : i64} : () -> !control.sequence<tensor<*xcomplex<f32>>>
  return %0 : !control.sequence<tensor<*xcomplex<f32>>>
}

// -----

func.func @main(%s: !control.sequence<tensor<2xf32>>, %x: tensor<2xf64>) -> !control.sequence<tensor<2xf32>> {
  // expected-error @+1 {{the sequence has elements of another type}}
  %0 = "onnx.SequenceInsert"(%s, %x) : (!control.sequence<tensor<2xf32>>, tensor<2xf64>) -> !control.sequence<tensor<2xf32>>
  return %0 : !control.sequence<tensor<2xf32>>
}

// -----

func.func @main(%s: !control.sequence<tensor<*xf32>>, %i: tensor<i64>) -> tensor<*xf32> {
  // expected-error @+1 {{the rank of the sequence's elements is not known}}
  %0 = "onnx.SequenceAt"(%s, %i) : (!control.sequence<tensor<*xf32>>, tensor<i64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @main(%s: !control.sequence<tensor<*xf32>>) -> tensor<*xf32> {
  // expected-error @+1 {{the rank of the sequence's elements is not known}}
  %0 = "onnx.ConcatFromSequence"(%s) {axis = 0 : i64} : (!control.sequence<tensor<*xf32>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @main(%s: !control.sequence<tensor<2xf32>>) -> tensor<2xf32> {
  // expected-error @+1 {{axis 1 is outside of rank 1}}
  %0 = "onnx.ConcatFromSequence"(%s) {axis = 1 : i64} : (!control.sequence<tensor<2xf32>>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main() -> !control.optional<tensor<2xf32>> {
  // expected-error @+1 {{it has neither a value nor 'type'}}
  %0 = "onnx.Optional"() : () -> !control.optional<tensor<2xf32>>
  return %0 : !control.optional<tensor<2xf32>>
}

// -----

func.func @main(%o: !control.optional<tensor<*xf32>>) -> tensor<*xf32> {
  // expected-error @+1 {{the rank of its element is not known}}
  %0 = "onnx.OptionalGetElement"(%o) : (!control.optional<tensor<*xf32>>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @main(%x: tensor<2x!control.string>) -> tensor<2x!control.string> {
  // expected-error @+1 {{unknown case_change_action}}
  %0 = "onnx.StringNormalizer"(%x) {case_change_action = "TITLE"} : (tensor<2x!control.string>) -> tensor<2x!control.string>
  return %0 : tensor<2x!control.string>
}

// -----

func.func @main(%x: tensor<1x1x2x!control.string>) -> tensor<1x1x2x!control.string> {
  // expected-error @+1 {{it takes strings [c] or [1, c]}}
  %0 = "onnx.StringNormalizer"(%x) : (tensor<1x1x2x!control.string>) -> tensor<1x1x2x!control.string>
  return %0 : tensor<1x1x2x!control.string>
}

// -----

func.func @main(%x: tensor<2x!control.string>, %y: tensor<3x!control.string>) -> tensor<2x!control.string> {
  // expected-error @+1 {{its operands cannot be broadcast}}
  %0 = "onnx.StringConcat"(%x, %y) : (tensor<2x!control.string>, tensor<3x!control.string>) -> tensor<2x!control.string>
  return %0 : tensor<2x!control.string>
}

// -----

func.func @main(%x: tensor<2x!control.string>) -> tensor<3x!control.string> {
  %s = "onnx.Constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{the shape does not fit}}
  %0 = "onnx.Reshape"(%x, %s) : (tensor<2x!control.string>, tensor<1xi64>) -> tensor<3x!control.string>
  return %0 : tensor<3x!control.string>
}

// -----

func.func @main(%x: tensor<2x!control.string>) -> tensor<2x!control.string> {
  // expected-error @+1 {{elements of type !control.string are not supported}}
  %0 = "onnx.Flatten"(%x) : (tensor<2x!control.string>) -> tensor<2x!control.string>
  return %0 : tensor<2x!control.string>
}

// -----

// A node of a body that cannot be lowered is told of as others are, once.
func.func @main(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %y: tensor<2xf32>):
    // expected-error @+1 {{1 node is not supported}}
    %1 = "onnx.Transpose"(%y) {perm = array<i64: 1>} : (tensor<2xf32>) -> tensor<2xf32>
    %2 = "onnx.Neg"(%1) : (tensor<2xf32>) -> tensor<2xf32>
    "onnx.Yield"(%d, %2) : (tensor<i1>, tensor<2xf32>) -> ()
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  %3 = "onnx.Neg"(%0) : (tensor<2xf32>) -> tensor<2xf32>
  return %3 : tensor<2xf32>
}
