// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-normalize-onnx

func.func @main(%x: tensor<4xui8>, %s: tensor<f32>) -> tensor<4xf32> {
  // expected-error @+1 {{'output_dtype' is not a floating-point type}}
  %0 = "onnx.DequantizeLinear"(%x, %s) {output_dtype = 6 : i64} : (tensor<4xui8>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xi8> {
  // expected-error @+1 {{the result has no type to quantise to}}
  %0 = "onnx.QuantizeLinear"(%x, %s) {output_dtype = 1 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @main(%x: tensor<9xui8>, %s: tensor<2xf32>) -> tensor<9xf32> {
  // expected-error @+1 {{the blocks do not cover the tensor}}
  %0 = "onnx.DequantizeLinear"(%x, %s) {axis = 0 : i64, block_size = 4 : i64} : (tensor<9xui8>, tensor<2xf32>) -> tensor<9xf32>
  return %0 : tensor<9xf32>
}

// -----

func.func @main(%x: tensor<2x2xui8>, %s: tensor<2x2xf32>) -> tensor<2x2xf32> {
  // expected-error @+1 {{a scale or zero point has a shape that does not fit}}
  %0 = "onnx.DequantizeLinear"(%x, %s) : (tensor<2x2xui8>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}

// -----

func.func @main(%a: tensor<3xui8>, %b: tensor<3x4xi8>) -> tensor<4xi32> {
  // expected-error @+1 {{both operands must be matrices}}
  %0 = "onnx.MatMulInteger"(%a, %b) : (tensor<3xui8>, tensor<3x4xi8>) -> tensor<4xi32>
  return %0 : tensor<4xi32>
}

// -----

func.func @main(%x: tensor<4xf32>, %s: tensor<f32>) -> tensor<4xi8> {
  // expected-error @+1 {{'precision' is not a floating-point type}}
  %0 = "onnx.QuantizeLinear"(%x, %s) {output_dtype = 3 : i64, precision = 3 : i64} : (tensor<4xf32>, tensor<f32>) -> tensor<4xi8>
  return %0 : tensor<4xi8>
}

// -----

func.func @main(%a: tensor<2x3xf8E5M2>, %s: tensor<f32>, %z: tensor<f8E5M2>, %b: tensor<3x4xf8E5M2>) -> tensor<2x4xf8E5M2> {
  // expected-error @+1 {{only quantisation to integers is supported}}
  %0 = "onnx.QLinearMatMul"(%a, %s, %z, %b, %s, %z, %s, %z) : (tensor<2x3xf8E5M2>, tensor<f32>, tensor<f8E5M2>, tensor<3x4xf8E5M2>, tensor<f32>, tensor<f8E5M2>, tensor<f32>, tensor<f8E5M2>) -> tensor<2x4xf8E5M2>
  return %0 : tensor<2x4xf8E5M2>
}

// -----

func.func @main(%x: tensor<1x1x3x3xui8>, %s: tensor<2xf32>, %z: tensor<ui8>, %w: tensor<1x1x1x1xui8>) -> tensor<1x1x3x3xui8> {
  // expected-error @+1 {{only one scale of input and result is supported}}
  %0 = "onnx.QLinearConv"(%x, %s, %z, %w, %s, %z, %s, %z) : (tensor<1x1x3x3xui8>, tensor<2xf32>, tensor<ui8>, tensor<1x1x1x1xui8>, tensor<2xf32>, tensor<ui8>, tensor<2xf32>, tensor<ui8>) -> tensor<1x1x3x3xui8>
  return %0 : tensor<1x1x3x3xui8>
}
