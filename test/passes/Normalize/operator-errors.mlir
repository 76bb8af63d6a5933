// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-normalize-onnx

func.func @main(%a: tensor<3xui8>, %b: tensor<3xui8>) -> tensor<3xui8> {
  // expected-error @+1 {{direction is neither LEFT nor RIGHT}}
  %0 = "onnx.BitShift"(%a, %b) {direction = "UP"} : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  return %0 : tensor<3xui8>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'to' names no element type}}
  %0 = "onnx.Cast"(%a) {to = 99 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{a bound is not a scalar}}
  %0 = "onnx.Clip"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'approximate' is neither none nor tanh}}
  %0 = "onnx.Gelu"(%a) {approximate = "cubic"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5x5x5xf32>, %w: tensor<4x4x3x3x3x3xf32>) -> tensor<1x4x3x3x3x3xf32> {
  // expected-error @+1 {{only 1 to 3 spatial dimensions are supported}}
  %0 = "onnx.Conv"(%x, %w) : (tensor<1x4x5x5x5x5xf32>, tensor<4x4x3x3x3x3xf32>) -> tensor<1x4x3x3x3x3xf32>
  return %0 : tensor<1x4x3x3x3x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{the kernel's rank does not fit the input's}}
  %0 = "onnx.Conv"(%x, %w) : (tensor<1x4x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{kernel_shape differs from the filter's}}
  %0 = "onnx.Conv"(%x, %w) {kernel_shape = array<i64: 1, 1>} : (tensor<1x4x5x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{'strides' does not fit}}
  %0 = "onnx.Conv"(%x, %w) {strides = array<i64: 0, 1>} : (tensor<1x4x5x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{'pads' does not fit}}
  %0 = "onnx.Conv"(%x, %w) {pads = array<i64: 0, 0, 0>} : (tensor<1x4x5x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{unknown auto_pad FULL}}
  %0 = "onnx.Conv"(%x, %w) {auto_pad = "FULL"} : (tensor<1x4x5x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x?x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x?x3xf32> {
  // expected-error @+1 {{dimensions without a size are left, which it needs}}
  %0 = "onnx.Conv"(%x, %w) {auto_pad = "SAME_UPPER", strides = array<i64: 2, 2>} : (tensor<1x4x?x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x?x3xf32>
  return %0 : tensor<1x4x?x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x2x2xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x1x1xf32> {
  // expected-error @+1 {{the kernel is larger than the padded input}}
  %0 = "onnx.Conv"(%x, %w) : (tensor<1x4x2x2xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x1x1xf32>
  return %0 : tensor<1x4x1x1xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{the kernel's shape is empty or unknown}}
  %0 = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 0, 1>} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{output_padding or output_shape does not fit}}
  %0 = "onnx.ConvTranspose"(%x, %w) {output_padding = array<i64: 1>} : (tensor<1x4x5x5xf32>, tensor<4x4x3x3xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the diagonal is not of a square}}
  %0 = "onnx.Einsum"(%a) {equation = "ii"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>, %b: tensor<4x4xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation names dimensions of 3 and 4 alike}}
  %0 = "onnx.Einsum"(%a, %b) {equation = "ij,jk->ik"} : (tensor<2x3xf32>, tensor<4x4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation names a dimension of the result that no operand has}}
  %0 = "onnx.Einsum"(%a) {equation = "ij->ijk"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation names a dimension of the result twice}}
  %0 = "onnx.Einsum"(%a) {equation = "ij->ii"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation has 2 terms for 1 operands}}
  %0 = "onnx.Einsum"(%a) {equation = "ij,j->i"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation does not fit an operand of rank 2}}
  %0 = "onnx.Einsum"(%a) {equation = "ijk->i"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation does not fit an operand of rank 2}}
  %0 = "onnx.Einsum"(%a) {equation = "ijk...->i"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation has a '.' that is not part of one '...'}}
  %0 = "onnx.Einsum"(%a) {equation = "i..j->i"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation has a character that is not a letter}}
  %0 = "onnx.Einsum"(%a) {equation = "i1->i"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation has a character that is not a letter}}
  %0 = "onnx.Einsum"(%a) {equation = "ij->i->j"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the equation hides too many dimensions}}
  %0 = "onnx.Einsum"(%a) {equation = "i..."} : (tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{A and B must be matrices}}
  %0 = "onnx.Gemm"(%a, %b) : (tensor<3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<f32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{a matrix product has no scalar operands}}
  %0 = "onnx.MatMul"(%a, %b) : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>, %axes: tensor<1xi64>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the axes are not known at compile time}}
  %0 = "onnx.ReduceSum"(%a, %axes) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{axis 2 is outside of rank 2}}
  %0 = "onnx.Softmax"(%a) {axis = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %axis = "onnx.Constant"() {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{'axis' is not one number}}
  %0 = "onnx.CumSum"(%a, %axis) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<4xf32>, %s: tensor<1xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{in training the input needs a batch and channels}}
  %0 = "onnx.BatchNormalization"(%x, %s, %s, %s, %s) {training_mode = 1 : i64} : (tensor<4xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the input has no spatial dimensions}}
  %0 = "onnx.InstanceNormalization"(%x, %s, %b) : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{num_groups does not divide the channels}}
  %0 = "onnx.GroupNormalization"(%x, %s, %b) {num_groups = 3 : i64} : (tensor<1x4x5x5xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{p is neither 1 nor 2}}
  %0 = "onnx.LpNormalization"(%x) {p = 3 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{'size' must be positive}}
  %0 = "onnx.LRN"(%x) {size = 0 : i64} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{the input has no spatial dimensions}}
  %0 = "onnx.GlobalMaxPool"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{p or the input's rank is out of range}}
  %0 = "onnx.GlobalLpPool"(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{p is out of range}}
  %0 = "onnx.LpPool"(%x) {kernel_shape = array<i64: 1, 1>, p = 0 : i64} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{ceil_mode is not supported}}
  %0 = "onnx.LpPool"(%x) {kernel_shape = array<i64: 1, 1>, ceil_mode = 1 : i64} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<?x3xf32>) -> tensor<2xi64> {
  // expected-error @+1 {{dimensions without a size are left, which it needs}}
  %0 = "onnx.Shape"(%x) : (tensor<?x3xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

func.func @main() -> tensor<?x3xf32> {
  %s = "onnx.Constant"() {value = dense<-1> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{a size is negative}}
  %0 = "onnx.ConstantOfShape"(%s) : (tensor<2xi64>) -> tensor<?x3xf32>
  return %0 : tensor<?x3xf32>
}

// -----

func.func @main() -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<2> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{'value' does not hold one element}}
  %0 = "onnx.ConstantOfShape"(%s) {value = dense<1.0> : tensor<2xf32>} : (tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main() -> tensor<?xi64> {
  %a = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %b = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %d = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{the range is endless or too long}}
  %0 = "onnx.Range"(%a, %b, %d) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// -----

func.func @main() -> tensor<?xi64> {
  %a = "onnx.Constant"() {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %b = "onnx.Constant"() {value = dense<9007199254740999> : tensor<i64>} : () -> tensor<i64>
  %d = "onnx.Constant"() {value = dense<9007199254740990> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{integers above 2^53 are not supported}}
  %0 = "onnx.Range"(%a, %b, %d) : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// -----

func.func @main() -> tensor<?xi64> {
  %a = "onnx.Constant"() {value = dense<[0, 1]> : tensor<2xi64>} : () -> tensor<2xi64>
  %b = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %d = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{an operand is not a scalar}}
  %0 = "onnx.Range"(%a, %b, %d) : (tensor<2xi64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  return %0 : tensor<?xi64>
}

// -----

func.func @main(%x: tensor<7x1x4xf32>, %w: tensor<1x12x4xf32>, %r: tensor<1x12x3xf32>) -> tensor<7x1x1x3xf32> {
  // expected-error @+1 {{unknown direction}}
  %0 = "onnx.LSTM"(%x, %w, %r) {hidden_size = 3 : i64, direction = "sideways"} : (tensor<7x1x4xf32>, tensor<1x12x4xf32>, tensor<1x12x3xf32>) -> tensor<7x1x1x3xf32>
  return %0 : tensor<7x1x1x3xf32>
}

// -----

func.func @main(%x: tensor<7x4xf32>, %w: tensor<1x9x4xf32>, %r: tensor<1x9x3xf32>) -> tensor<7x1x1x3xf32> {
  // expected-error @+1 {{operand 0 is not of rank 3}}
  %0 = "onnx.GRU"(%x, %w, %r) {hidden_size = 3 : i64} : (tensor<7x4xf32>, tensor<1x9x4xf32>, tensor<1x9x3xf32>) -> tensor<7x1x1x3xf32>
  return %0 : tensor<7x1x1x3xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{blocksize does not divide the channels}}
  %0 = "onnx.DepthToSpace"(%x) {blocksize = 3 : i64} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{'mode' is neither DCR nor CRD}}
  %0 = "onnx.DepthToSpace"(%x) {blocksize = 2 : i64, mode = "XYZ"} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32> {
  // expected-error @+1 {{blocksize does not divide the image}}
  %0 = "onnx.SpaceToDepth"(%x) {blocksize = 3 : i64} : (tensor<1x4x5x5xf32>) -> tensor<1x4x5x5xf32>
  return %0 : tensor<1x4x5x5xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "onnx.Constant"() {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %t = "onnx.Constant"() {value = dense<true> : tensor<i1>} : () -> tensor<i1>
  // expected-error @+1 {{only inference (training_mode = false) is supported}}
  %0 = "onnx.Dropout"(%x, %r, %t) : (tensor<2x3xf32>, tensor<f32>, tensor<i1>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{the operand is not a matrix}}
  %0 = "onnx.EyeLike"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'dtype' names no element type}}
  %0 = "onnx.EyeLike"(%x) {dtype = 99 : i64} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %i = "onnx.Constant"() {value = dense<0> : tensor<1x3xi64>} : () -> tensor<1x3xi64>
  // expected-error @+1 {{the index tuples do not fit the data}}
  %0 = "onnx.GatherND"(%x, %i) : (tensor<2x3xf32>, tensor<1x3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%i: tensor<3xi64>) -> tensor<3x?xf32> {
  %d = "onnx.Constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
  %v = "onnx.Constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  // expected-error @+1 {{'depth' or 'values' does not fit}}
  %0 = "onnx.OneHot"(%i, %d, %v) : (tensor<3xi64>, tensor<i64>, tensor<2xf32>) -> tensor<3x?xf32>
  return %0 : tensor<3x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %p = "onnx.Constant"() {value = dense<1> : tensor<3xi64>} : () -> tensor<3xi64>
  // expected-error @+1 {{'mode' or 'pads' does not fit}}
  %0 = "onnx.Pad"(%x, %p) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<[-1, -1]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{the shape operand is malformed}}
  %0 = "onnx.Reshape"(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<[-1, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{the shape operand does not divide the input}}
  %0 = "onnx.Reshape"(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<[2, 4]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{reshape}}
  %0 = "onnx.Reshape"(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<0> : tensor<3xi64>} : () -> tensor<3xi64>
  %e = "onnx.Constant"() {value = dense<1> : tensor<3xi64>} : () -> tensor<3xi64>
  // expected-error @+1 {{starts, ends, axes and steps do not fit}}
  %0 = "onnx.Slice"(%x, %s, %e) : (tensor<2x3xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<1> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{'split' does not fit the number of results}}
  %0 = "onnx.Split"(%x, %s) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<9> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{the parts are larger than the whole}}
  %0 = "onnx.Split"(%x, %s) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %s = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{the parts are smaller than the whole}}
  %0 = "onnx.Split"(%x, %s) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  // expected-error @+1 {{a dimension to be removed is not 1}}
  %0 = "onnx.Squeeze"(%x, %a) : (tensor<2x3xf32>, tensor<1xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %a = "onnx.Constant"() {value = dense<[0, 0]> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{an axis is named twice}}
  %0 = "onnx.Unsqueeze"(%x, %a) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = "onnx.Constant"() {value = dense<1> : tensor<3xi64>} : () -> tensor<3xi64>
  // expected-error @+1 {{'repeats' does not fit the rank}}
  %0 = "onnx.Tile"(%x, %r) : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error @+1 {{'perm' is not a permutation of the dimensions}}
  %0 = "onnx.Transpose"(%x) {perm = array<i64: 0, 0>} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  // expected-error @+1 {{the operand is not a matrix}}
  %0 = "onnx.Trilu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %k: tensor<2xi64>) -> tensor<2x3xf32> {
  // expected-error @+1 {{an operand is not a scalar}}
  %0 = "onnx.Trilu"(%x, %k) : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "onnx.Constant"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  // expected-error @+1 {{unknown mode}}
  %0 = "onnx.Resize"(%x, %roi, %s) {mode = "magic"} : (tensor<2x3xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<2xf32>} : () -> tensor<2xf32>
  %s = "onnx.Constant"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  // expected-error @+1 {{'roi' does not fit}}
  %0 = "onnx.Resize"(%x, %roi, %s) {coordinate_transformation_mode = "tf_crop_and_resize"} : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "onnx.Constant"() {value = dense<2.0> : tensor<3xf32>} : () -> tensor<3xf32>
  // expected-error @+1 {{'scales' does not fit}}
  %0 = "onnx.Resize"(%x, %roi, %s) : (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "onnx.Constant"() {value = dense<-2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  // expected-error @+1 {{a scale is out of range}}
  %0 = "onnx.Resize"(%x, %roi, %s) : (tensor<2x3xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "onnx.Constant"() {value = dense<> : tensor<0xf32>} : () -> tensor<0xf32>
  %z = "onnx.Constant"() {value = dense<0> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{'sizes' does not fit}}
  %0 = "onnx.Resize"(%x, %roi, %s, %z) : (tensor<2x3xf32>, tensor<4xf32>, tensor<0xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "onnx.Constant"() {value = dense<> : tensor<0xf32>} : () -> tensor<0xf32>
  %z = "onnx.Constant"() {value = dense<4> : tensor<2xi64>} : () -> tensor<2xi64>
  // expected-error @+1 {{unknown keep_aspect_ratio_policy}}
  %0 = "onnx.Resize"(%x, %roi, %s, %z) {keep_aspect_ratio_policy = "maybe"} : (tensor<2x3xf32>, tensor<4xf32>, tensor<0xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<0x3xf32>) -> tensor<?x?xf32> {
  %roi = "onnx.Constant"() {value = dense<0.0> : tensor<4xf32>} : () -> tensor<4xf32>
  %s = "onnx.Constant"() {value = dense<2.0> : tensor<2xf32>} : () -> tensor<2xf32>
  // expected-error @+1 {{the input is empty}}
  %0 = "onnx.Resize"(%x, %roi, %s) : (tensor<0x3xf32>, tensor<4xf32>, tensor<2xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<2x3xi64>) -> tensor<2x6xf32> {
  // expected-error @+1 {{this operator has no lowering and no function body}}
  %0 = "onnx.TfIdfVectorizer"(%x) {max_gram_length = 1 : i64, max_skip_count = 0 : i64, min_gram_length = 1 : i64, mode = "TF", ngram_counts = array<i64: 0>, ngram_indexes = array<i64: 0, 1, 2, 3, 4, 5>, pool_int64s = array<i64: 1, 2, 3, 4, 5, 6>} : (tensor<2x3xi64>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// -----

func.func @main(%t: tensor<2x2x3xf32>) -> tensor<2x4x5x2xf32> {
  %s = "onnx.Constant"() {value = dense<[3, 1, 4, 5]> : tensor<4xi64>} : () -> tensor<4xi64>
  // expected-error @+1 {{'theta' and 'size' do not fit}}
  %0 = "onnx.AffineGrid"(%t, %s) : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x4x5x2xf32>
  return %0 : tensor<2x4x5x2xf32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xi64> {
  // expected-error @+1 {{the types of input and output differ in width}}
  %0 = "onnx.BitCast"(%x) {to = 7 : i64} : (tensor<3xf32>) -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xi32> {
  // expected-error @+1 {{'to' names no type of numbers}}
  %0 = "onnx.BitCast"(%x) {to = 8 : i64} : (tensor<3xf32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3xf8E8M0FNU> {
  // expected-error @+1 {{'round_mode' is none of up, down, nearest}}
  %0 = "onnx.Cast"(%x) {to = 24 : i64, round_mode = "away"} : (tensor<3xf32>) -> tensor<3xf8E8M0FNU>
  return %0 : tensor<3xf8E8M0FNU>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<3x!control.string> {
  // expected-error @+1 {{elements of type !control.string are not supported}}
  %0 = "onnx.Cast"(%x) {to = 8 : i64} : (tensor<3xf32>) -> tensor<3x!control.string>
  return %0 : tensor<3x!control.string>
}

// -----

// No depth fits both operands.
func.func @main(%x: tensor<?x?xf32, #graph.dims<["m", "k"]>>, %a: tensor<4x2xf32>, %b: tensor<5x2xf32>) -> (tensor<?x2xf32>, tensor<?x2xf32>) {
  %0 = "onnx.MatMul"(%x, %a) : (tensor<?x?xf32, #graph.dims<["m", "k"]>>, tensor<4x2xf32>) -> tensor<?x2xf32>
  // expected-error @+1 {{needs k to be 5, which something else excludes}}
  %1 = "onnx.MatMul"(%x, %b) : (tensor<?x?xf32, #graph.dims<["m", "k"]>>, tensor<5x2xf32>) -> tensor<?x2xf32>
  return %0, %1 : tensor<?x2xf32>, tensor<?x2xf32>
}

// -----

func.func @main(%x: tensor<1x?xf32, #graph.dims<[1, 2 * "k"]>>, %a: tensor<3x2xf32>) -> tensor<1x2xf32> {
  // expected-error @+1 {{needs 2 * k to be 3, which something else excludes}}
  %0 = "onnx.MatMul"(%x, %a) : (tensor<1x?xf32, #graph.dims<[1, 2 * "k"]>>, tensor<3x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %s: tensor<65xi64>) -> tensor<*xf32> {
  // expected-error @+1 {{'shape' holds more than 64 numbers, or others}}
  %0 = "onnx.Reshape"(%x, %s) : (tensor<2x3xf32>, tensor<65xi64>) -> tensor<*xf32>
  return %0 : tensor<*xf32>
}

// -----

func.func @main(%x: tensor<2x3xf32>, %c: tensor<2x3xi1>) -> tensor<?xf32> {
  // expected-error @+1 {{the condition is not a vector}}
  %0 = "onnx.Compress"(%x, %c) : (tensor<2x3xf32>, tensor<2x3xi1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main(%b: tensor<6x4xf32>, %s: tensor<1x2x6xf32>) -> tensor<?x3xi64> {
  // expected-error @+1 {{boxes and scores do not fit}}
  %0 = "onnx.NonMaxSuppression"(%b, %s) : (tensor<6x4xf32>, tensor<1x2x6xf32>) -> tensor<?x3xi64>
  return %0 : tensor<?x3xi64>
}

// -----

func.func @main(%x: tensor<7x1x4xf32>, %w: tensor<1x3x4xf32>, %r: tensor<1x3x3xf32>) -> tensor<7x1x1x3xf32> {
  // expected-error @+1 {{'hidden_size' is -3}}
  %0, %1 = "onnx.RNN"(%x, %w, %r) {hidden_size = -3 : i64}
    : (tensor<7x1x4xf32>, tensor<1x3x4xf32>, tensor<1x3x3xf32>) -> (tensor<7x1x1x3xf32>, tensor<1x1x3xf32>)
  return %0 : tensor<7x1x1x3xf32>
}

// -----

func.func @main(%x: tensor<?x?x?xf32, #graph.dims<["s", "s", "s"]>>, %w: tensor<?x?x?xf32, #graph.dims<["d", "d", "s"]>>, %r: tensor<?x?x?xf32, #graph.dims<["e", "f", "g"]>>) -> tensor<?x?x?x?xf32> {
  // expected-error @+1 {{d cannot be 3}}
  %0, %1 = "onnx.RNN"(%x, %w, %r) {hidden_size = 3 : i64}
    : (tensor<?x?x?xf32, #graph.dims<["s", "s", "s"]>>, tensor<?x?x?xf32, #graph.dims<["d", "d", "s"]>>, tensor<?x?x?xf32, #graph.dims<["e", "f", "g"]>>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?xf32>)
  return %0 : tensor<?x?x?x?xf32>
}
