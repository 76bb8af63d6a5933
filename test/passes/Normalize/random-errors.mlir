// RUN: tenon-opt %s --split-input-file --verify-diagnostics --tenon-normalize-onnx

func.func @program() -> (tensor<?xf32> {onnx.name = "y"}) {
  // expected-error @below {{'shape' has a negative size}}
  %0 = "onnx.RandomNormal"() {shape = array<i64: -3>} : () -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @program() -> (tensor<3xf32> {onnx.name = "y"}) {
  // expected-error @below {{'dtype' names no type of real numbers}}
  %0 = "onnx.RandomUniform"() {shape = array<i64: 3>, dtype = 6 : i64} : () -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @program(%x: tensor<4xf32> {onnx.name = "x"}) -> (tensor<4xf32> {onnx.name = "y"}) {
  // expected-error @below {{'dtype' names no element type}}
  %0 = "onnx.Bernoulli"(%x) {dtype = 99 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @program(%x: tensor<4xf32> {onnx.name = "x"}) -> (tensor<4x1xi32> {onnx.name = "y"}) {
  // expected-error @below {{it needs logarithms [batch, classes] and a number of samples}}
  %0 = "onnx.Multinomial"(%x) : (tensor<4xf32>) -> tensor<4x1xi32>
  return %0 : tensor<4x1xi32>
}

// -----

func.func @program(%x: tensor<2x4xf32> {onnx.name = "x"}) -> (tensor<2x1xi32> {onnx.name = "y"}) {
  // expected-error @below {{'dtype' names no type of integers}}
  %0 = "onnx.Multinomial"(%x) {dtype = 1 : i64} : (tensor<2x4xf32>) -> tensor<2x1xi32>
  return %0 : tensor<2x1xi32>
}
