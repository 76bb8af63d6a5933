// RUN: tenon-opt %s --tenon-normalize-onnx --split-input-file --verify-diagnostics

// Constants that lie outside of the data, with each operator.

func.func @main(%x: tensor<2x3xf32>) -> tensor<2xf32> {
  %i = "onnx.Constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{index 3 is out of range: it selects from 3 rows}}
  %0 = "onnx.Gather"(%x, %i) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<i64>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<1x3xf32> {
  %i = "onnx.Constant"() {value = dense<[[0, 1, -3]]> : tensor<1x3xi32>} : () -> tensor<1x3xi32>
  // expected-error @+1 {{index -3 is out of range: it selects from 2 rows}}
  %0 = "onnx.GatherElements"(%x, %i) : (tensor<2x3xf32>, tensor<1x3xi32>) -> tensor<1x3xf32>
  return %0 : tensor<1x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<1xf32> {
  %i = "onnx.Constant"() {value = dense<[[0, 3]]> : tensor<1x2xi64>} : () -> tensor<1x2xi64>
  // expected-error @+1 {{index 6 is out of range: it selects from 6 rows}}
  %0 = "onnx.GatherND"(%x, %i) : (tensor<2x3xf32>, tensor<1x2xi64>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %u: tensor<1x1xf32>) -> tensor<2x3xf32> {
  %i = "onnx.Constant"() {value = dense<-4> : tensor<1x1xi64>} : () -> tensor<1x1xi64>
  // expected-error @+1 {{index 6 is out of range: it selects from 6 rows}}
  %0 = "onnx.ScatterElements"(%x, %i, %u) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<1x1xi64>, tensor<1x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %u: tensor<1x3xf32>) -> tensor<2x3xf32> {
  %i = "onnx.Constant"() {value = dense<2> : tensor<1x1xi64>} : () -> tensor<1x1xi64>
  // expected-error @+1 {{index 2 is out of range: it selects from 2 rows}}
  %0 = "onnx.ScatterND"(%x, %i, %u) : (tensor<2x3xf32>, tensor<1x1xi64>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// What a linear cache has no room for.
func.func @main(%x: tensor<1x4x8xf32>, %u: tensor<1x2x8xf32>) -> tensor<1x4x8xf32> {
  %i = "onnx.Constant"() {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{index 4 is out of range: it selects from 4 rows}}
  %0 = "onnx.TensorScatter"(%x, %u, %i) : (tensor<1x4x8xf32>, tensor<1x2x8xf32>, tensor<1xi64>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @main(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %l = "onnx.Constant"() {value = dense<[3, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{index 6 is out of range: it selects from 6 rows}}
  %0 = "onnx.ReverseSequence"(%x, %l) : (tensor<3x2xf32>, tensor<2xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

// Operands that do not fit each other.

func.func @main(%x: tensor<3x2xf32>, %l: tensor<3xi64>) -> tensor<3x2xf32> {
  // expected-error @+1 {{'batch_axis', 'time_axis' and the lengths do not fit the input}}
  %0 = "onnx.ReverseSequence"(%x, %l) : (tensor<3x2xf32>, tensor<3xi64>) -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %i: tensor<3x1xi64>, %u: tensor<3x1xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{indices and updates do not fit the data}}
  %0 = "onnx.ScatterElements"(%x, %i, %u) {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3x1xi64>, tensor<3x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2xf32>, %i: tensor<1xi64>, %u: tensor<1xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{unknown reduction 'sum'}}
  %0 = "onnx.ScatterElements"(%x, %i, %u) {reduction = "sum"} : (tensor<2xf32>, tensor<1xi64>, tensor<1xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xi1>, %i: tensor<1xi64>, %u: tensor<1xi1>) -> tensor<2xi1> {
  // expected-error @+1 {{booleans have no reduction 'add'}}
  %0 = "onnx.ScatterElements"(%x, %i, %u) {reduction = "add"} : (tensor<2xi1>, tensor<1xi64>, tensor<1xi1>) -> tensor<2xi1>
  return %0 : tensor<2xi1>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %i: tensor<1x1xi64>, %u: tensor<1x2xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{index tuples and updates do not fit the data}}
  %0 = "onnx.ScatterND"(%x, %i, %u) : (tensor<2x3xf32>, tensor<1x1xi64>, tensor<1x2xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x8xf32>, %u: tensor<1x5x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error @+1 {{the update does not fit the cache}}
  %0 = "onnx.TensorScatter"(%x, %u) : (tensor<1x4x8xf32>, tensor<1x5x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @main(%x: tensor<1x4x8xf32>, %u: tensor<1x2x8xf32>) -> tensor<1x4x8xf32> {
  // expected-error @+1 {{unknown mode 'round'}}
  %0 = "onnx.TensorScatter"(%x, %u) {mode = "round"} : (tensor<1x4x8xf32>, tensor<1x2x8xf32>) -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// -----

func.func @main(%x: tensor<1x1x2xf32>, %i: tensor<1x1x3xi64>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{there is not one index for each element}}
  %0 = "onnx.MaxUnpool"(%x, %i) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x3xi64>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @main(%x: tensor<1x1x2xf32>, %i: tensor<1x1x2xi64>) -> tensor<1x1x4xf32> {
  // expected-error @+1 {{the pads are larger than the result}}
  %0 = "onnx.MaxUnpool"(%x, %i) {kernel_shape = array<i64: 2>, strides = array<i64: 2>, pads = array<i64: 2, 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @main(%x: tensor<1x1x2xf32>, %i: tensor<1x1x2xi64>) -> tensor<1x1x3xf32> {
  %s = "onnx.Constant"() {value = dense<[1, 1, 3]> : tensor<3xi64>} : () -> tensor<3xi64>
  // expected-error @+1 {{'output_shape' is smaller than what was pooled}}
  %0 = "onnx.MaxUnpool"(%x, %i, %s) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<3xi64>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// -----

func.func @main(%x: tensor<1x1x2xf32>, %i: tensor<1x1x2xi64>) -> tensor<1x1x4xf32> {
  %s = "onnx.Constant"() {value = dense<4> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{'output_shape' does not fit the input}}
  %0 = "onnx.MaxUnpool"(%x, %i, %s) {kernel_shape = array<i64: 2>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x2xi64>, tensor<1xi64>) -> tensor<1x1x4xf32>
  return %0 : tensor<1x1x4xf32>
}

// -----

func.func @main(%x: tensor<2x6x3xf32>) -> tensor<2x3x2x1xf32> {
  %i = "onnx.Constant"() {value = dense<[2, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{the blocks do not fit the image or the input}}
  %0 = "onnx.Col2Im"(%x, %i, %i) : (tensor<2x6x3xf32>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3x2x1xf32>
  return %0 : tensor<2x3x2x1xf32>
}

// -----

func.func @main(%x: tensor<3x7xf32>) -> (tensor<3x8xf32>, tensor<3x8xi64>) {
  %k = "onnx.Constant"() {value = dense<8> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{k = 8 does not fit dimension 1 of 3x7}}
  %0, %1 = "onnx.TopK"(%x, %k) : (tensor<3x7xf32>, tensor<1xi64>) -> (tensor<3x8xf32>, tensor<3x8xi64>)
  return %0, %1 : tensor<3x8xf32>, tensor<3x8xi64>
}
