// RUN: tenon-opt %s -split-input-file -verify-diagnostics

func.func @too_few(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Add' op has 1 operands but needs at least 2}}
  %0 = "onnx.Add"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @too_many(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Relu' op has 2 operands but takes at most 1}}
  %0 = "onnx.Relu"(%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @too_many_results(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Relu' op has 2 results but takes at most 1}}
  %0:2 = "onnx.Relu"(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return
}

// -----

func.func @required(%x: tensor<2xf32>) {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @+1 {{'onnx.Add' op operand #1 (B) is required but absent}}
  %0 = "onnx.Add"(%x, %none) : (tensor<2xf32>, none) -> tensor<2xf32>
  return
}

// -----

func.func @not_a_tensor(%x: i32) {
  // expected-error @+1 {{'onnx.Relu' op operand #0 (X) must be a tensor, but is 'i32'}}
  %0 = "onnx.Relu"(%x) : (i32) -> tensor<2xf32>
  return
}

// -----

func.func @wrong_type(%x: tensor<2xi1>) {
  // expected-error @+1 {{'onnx.Relu' op operand #0 (X) cannot have element type 'i1'}}
  %0 = "onnx.Relu"(%x) : (tensor<2xi1>) -> tensor<2xi1>
  return
}

// -----

func.func @unknown_type(%x: tensor<2xi17>) {
  // expected-error @+1 {{'onnx.Identity' op operand #0 (input) cannot have element type 'i17'}}
  %0 = "onnx.Identity"(%x) : (tensor<2xi17>) -> tensor<2xi17>
  return
}

// -----

func.func @type_parameter(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @+1 {{'onnx.Add' op operand #1 (B) has element type 'f64', but type parameter T is 'f32' already}}
  %0 = "onnx.Add"(%x, %y) : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @result_type_parameter(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Relu' op result #0 (Y) has element type 'f64', but type parameter T is 'f32' already}}
  %0 = "onnx.Relu"(%x) : (tensor<2xf32>) -> tensor<2xf64>
  return
}

// -----

func.func @unknown_attribute(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Relu' op has no attribute 'slope'}}
  %0 = "onnx.Relu"(%x) {slope = 1.0 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @missing_attribute(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Concat' op needs attribute 'axis'}}
  %0 = "onnx.Concat"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @int_kind(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Concat' op attribute 'axis' must be an i64}}
  %0 = "onnx.Concat"(%x) {axis = 0 : i32} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @float_kind(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Elu' op attribute 'alpha' must be an f32}}
  %0 = "onnx.Elu"(%x) {alpha = 1.0 : f64} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @ints_kind(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'onnx.Transpose' op attribute 'perm' must be an array<i64>}}
  %0 = "onnx.Transpose"(%x) {perm = [1, 0]} : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @floats_kind(%x: tensor<2x3xf32>) {
  // expected-error @+1 {{'onnx.ai_onnx_ml.Scaler' op attribute 'scale' must be an array<f32>}}
  %0 = "onnx.ai_onnx_ml.Scaler"(%x) {scale = array<i64: 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @string_kind(%x: tensor<1x1x4x4xf32>) {
  // expected-error @+1 {{'onnx.MaxPool' op attribute 'auto_pad' must be a string}}
  %0 = "onnx.MaxPool"(%x) {auto_pad = 1 : i64, kernel_shape = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>) -> tensor<1x1x3x3xf32>
  return
}

// -----

func.func @strings_kind(%x: tensor<2x1x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>) {
  // expected-error @+1 {{'onnx.LSTM' op attribute 'activations' must be a list of strings}}
  %0 = "onnx.LSTM"(%x, %w, %r) {activations = "Tanh"} : (tensor<2x1x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> none
  return
}

// -----

func.func @tensor_kind(%x: tensor<1xi64>) {
  // expected-error @+1 {{'onnx.ConstantOfShape' op attribute 'value' must be a tensor}}
  %0 = "onnx.ConstantOfShape"(%x) {value = 1 : i64} : (tensor<1xi64>) -> tensor<?xi64>
  return
}

// -----

func.func @graph_kind(%n: tensor<i64>, %c: tensor<i1>) {
  // expected-error @+1 {{'onnx.Loop' op attribute 'body' must be of a kind that this dialect has}}
  %0 = "onnx.Loop"(%n, %c) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>):
    "onnx.Yield"(%d, %i) : (tensor<i1>, tensor<i64>) -> ()
  }) {body = 1 : i64} : (tensor<i64>, tensor<i1>) -> tensor<?xi64>
  return
}

// -----

func.func @regions(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Relu' op must have 0 regions}}
  %0 = "onnx.Relu"(%x) ({}) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @no_value() {
  // expected-error @+1 {{'onnx.NoValue' op takes no operands and has one result of type none}}
  %0 = "onnx.NoValue"() : () -> tensor<2xf32>
  return
}

// -----

func.func @constant_operand(%x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Constant' op takes no operands and has one tensor result}}
  %0 = "onnx.Constant"(%x) {value = dense<1.0> : tensor<2xf32>} : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @constant_value() {
  // expected-error @+1 {{'onnx.Constant' op needs a tensor as attribute 'value'}}
  %0 = "onnx.Constant"() {value_float = 1.0 : f32} : () -> tensor<f32>
  return
}

// -----

func.func @constant_type() {
  // expected-error @+1 {{'onnx.Constant' op makes a value of type 'tensor<3xf32>' from an attribute of type 'tensor<2xf32>'}}
  %0 = "onnx.Constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @unknown_operator(%x: tensor<2xf32>) {
  // expected-error @+1 {{unregistered operation 'onnx.NoSuchOperator'}}
  %0 = "onnx.NoSuchOperator"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @branch_without_yield(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.If' op needs regions of 0 arguments, not 1}}
  %0 = "onnx.If"(%c) ({
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }, {
  ^bb0(%y: tensor<2xf32>):
    "onnx.Yield"(%y) : (tensor<2xf32>) -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @branch_of_other_count(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.If' op needs regions that yield 1 values, not 0}}
  %0 = "onnx.If"(%c) ({
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }, {
    "onnx.Yield"() : () -> ()
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @region_of_two_blocks(%c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.If' op needs regions of one block that ends in onnx.Yield}}
  %0 = "onnx.If"(%c) ({
    "onnx.Yield"(%x) : (tensor<2xf32>) -> ()
  }, {
  }) : (tensor<i1>) -> tensor<2xf32>
  return
}

// -----

func.func @loop_of_other_counts(%n: tensor<i64>, %c: tensor<i1>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Loop' op needs regions that yield 2 values, not 1}}
  %0 = "onnx.Loop"(%n, %c, %x) ({
  ^bb0(%i: tensor<i64>, %d: tensor<i1>, %y: tensor<2xf32>):
    "onnx.Yield"(%d) : (tensor<i1>) -> ()
  }) : (tensor<i64>, tensor<i1>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @scan_of_other_counts(%s: tensor<f32>, %x: tensor<2xf32>) {
  // expected-error @+1 {{'onnx.Scan' op needs regions of 2 arguments, not 1}}
  %0 = "onnx.Scan"(%s, %x) ({
  ^bb0(%t: tensor<f32>):
    "onnx.Yield"(%t) : (tensor<f32>) -> ()
  }) {num_scan_inputs = 1 : i64} : (tensor<f32>, tensor<2xf32>) -> tensor<f32>
  return
}

// -----

func.func @no_sequence(%s: !control.sequence<tensor<*xf32>>) {
  // expected-error @+1 {{'onnx.Relu' op operand #0 (X) cannot be '!control.sequence<tensor<*xf32>>'}}
  %0 = "onnx.Relu"(%s) : (!control.sequence<tensor<*xf32>>) -> tensor<2xf32>
  return
}
