// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-normalize-onnx

func.func @main(%x: tensor<2x3x3xf32>) -> tensor<2x3x2xf32> {
  // expected-error @+1 {{the last dimension is neither a real nor a complex number}}
  %0 = "onnx.DFT"(%x) : (tensor<2x3x3xf32>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// -----

func.func @main(%x: tensor<2x3x1xf32>, %axis: tensor<2xi64>) -> tensor<2x3x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  // expected-error @+1 {{'axis' is not one number}}
  %0 = "onnx.DFT"(%x, %none, %axis) : (tensor<2x3x1xf32>, none, tensor<2xi64>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// -----

func.func @main(%x: tensor<2x3x1xf32>) -> tensor<2x3x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %axis = "onnx.Constant"() {value = dense<-1> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{the axis is that of real and imaginary parts}}
  %0 = "onnx.DFT"(%x, %none, %axis) : (tensor<2x3x1xf32>, none, tensor<i64>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// -----

func.func @main(%x: tensor<2x3x2xf32>) -> tensor<2x2x2xf32> {
  // expected-error @+1 {{only a real signal has a spectrum of one half}}
  %0 = "onnx.DFT"(%x) {onesided = 1 : i64} : (tensor<2x3x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}

// -----

func.func @main(%x: tensor<2x3x1xf32>) -> tensor<2x4x1xf32> {
  // expected-error @+1 {{one half of a spectrum is complex}}
  %0 = "onnx.DFT"(%x) {inverse = 1 : i64, onesided = 1 : i64} : (tensor<2x3x1xf32>) -> tensor<2x4x1xf32>
  return %0 : tensor<2x4x1xf32>
}

// -----

func.func @main(%x: tensor<2x3x1xf32>) -> tensor<2x3x2xf32> {
  %length = "onnx.Constant"() {value = dense<100000000> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{the transform's length is out of range}}
  %0 = "onnx.DFT"(%x, %length) : (tensor<2x3x1xf32>, tensor<i64>) -> tensor<2x3x2xf32>
  return %0 : tensor<2x3x2xf32>
}

// -----

func.func @main(%x: tensor<2x30x3xf32>) -> tensor<2x3x5x2xf32> {
  %step = "onnx.Constant"() {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{the signal is not [batch, length, 1 or 2]}}
  %0 = "onnx.STFT"(%x, %step) : (tensor<2x30x3xf32>, tensor<i64>) -> tensor<2x3x5x2xf32>
  return %0 : tensor<2x3x5x2xf32>
}

// -----

func.func @main(%x: tensor<2x30x1xf32>, %w: tensor<2x8xf32>) -> tensor<2x3x5x2xf32> {
  %step = "onnx.Constant"() {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{the window is not a vector of known size}}
  %0 = "onnx.STFT"(%x, %step, %w) : (tensor<2x30x1xf32>, tensor<i64>, tensor<2x8xf32>) -> tensor<2x3x5x2xf32>
  return %0 : tensor<2x3x5x2xf32>
}

// -----

func.func @main(%x: tensor<2x30x1xf32>, %w: tensor<8xf32>) -> tensor<2x3x5x2xf32> {
  %step = "onnx.Constant"() {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %length = "onnx.Constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{'frame_length' is not that of the window}}
  %0 = "onnx.STFT"(%x, %step, %w, %length) : (tensor<2x30x1xf32>, tensor<i64>, tensor<8xf32>, tensor<i64>) -> tensor<2x3x5x2xf32>
  return %0 : tensor<2x3x5x2xf32>
}

// -----

func.func @main(%x: tensor<2x30x1xf32>) -> tensor<2x3x5x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = "onnx.Constant"() {value = dense<8> : tensor<i64>} : () -> tensor<i64>
  %length = "onnx.Constant"() {value = dense<31> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{'frame_step' or the frame's length is out of range}}
  %0 = "onnx.STFT"(%x, %step, %none, %length) : (tensor<2x30x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<2x3x5x2xf32>
  return %0 : tensor<2x3x5x2xf32>
}

// -----

func.func @main(%x: tensor<1x9000x1xf32>) -> tensor<1x2x4101x2xf32> {
  %none = "onnx.NoValue"() : () -> none
  %step = "onnx.Constant"() {value = dense<1> : tensor<i64>} : () -> tensor<i64>
  %length = "onnx.Constant"() {value = dense<8200> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{frames are too long for so short a step}}
  %0 = "onnx.STFT"(%x, %step, %none, %length) : (tensor<1x9000x1xf32>, tensor<i64>, none, tensor<i64>) -> tensor<1x2x4101x2xf32>
  return %0 : tensor<1x2x4101x2xf32>
}

// -----

func.func @main(%size: tensor<2xi64>) -> tensor<?xf32> {
  // expected-error @+1 {{'size' is not one number}}
  %0 = "onnx.HannWindow"(%size) : (tensor<2xi64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main() -> tensor<?xf32> {
  %size = "onnx.Constant"() {value = dense<-3> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{'size' is negative or too large}}
  %0 = "onnx.BlackmanWindow"(%size) : (tensor<i64>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @main() -> tensor<3xf32> {
  %size = "onnx.Constant"() {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  // expected-error @+1 {{'output_datatype' names no element type}}
  %0 = "onnx.HammingWindow"(%size) {output_datatype = 99 : i64} : (tensor<i64>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// -----

func.func @main(%bins: tensor<2xi64>) -> tensor<?x?xf32> {
  %n = "onnx.Constant"() {value = dense<16> : tensor<i64>} : () -> tensor<i64>
  %f = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error @+1 {{'num_mel_bins' is not one number}}
  %0 = "onnx.MelWeightMatrix"(%bins, %n, %n, %f, %f) : (tensor<2xi64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main() -> tensor<?x?xf32> {
  %n = "onnx.Constant"() {value = dense<16> : tensor<i64>} : () -> tensor<i64>
  %f = "onnx.Constant"() {value = dense<-800.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error @+1 {{the numbers make no filter bank}}
  %0 = "onnx.MelWeightMatrix"(%n, %n, %n, %f, %f) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main() -> tensor<?x?xf32> {
  %n = "onnx.Constant"() {value = dense<16> : tensor<i64>} : () -> tensor<i64>
  %low = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %high = "onnx.Constant"() {value = dense<8000.0> : tensor<f32>} : () -> tensor<f32>
  // expected-error @+1 {{'upper_edge_hertz' is above the spectrum}}
  %0 = "onnx.MelWeightMatrix"(%n, %n, %n, %low, %high) : (tensor<i64>, tensor<i64>, tensor<i64>, tensor<f32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// -----

func.func @main(%x: tensor<1x2x3x4xf32>, %g: tensor<1x5x5x3xf32>) -> tensor<1x2x5x5xf32> {
  // expected-error @+1 {{image and grid do not fit; 2 or 3 dimensions are supported}}
  %0 = "onnx.GridSample"(%x, %g) : (tensor<1x2x3x4xf32>, tensor<1x5x5x3xf32>) -> tensor<1x2x5x5xf32>
  return %0 : tensor<1x2x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x2x0x4xf32>, %g: tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xf32> {
  // expected-error @+1 {{the image is empty}}
  %0 = "onnx.GridSample"(%x, %g) : (tensor<1x2x0x4xf32>, tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xf32>
  return %0 : tensor<1x2x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x2x3x4xf32>, %g: tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xf32> {
  // expected-error @+1 {{unknown mode}}
  %0 = "onnx.GridSample"(%x, %g) {padding_mode = "wrap"} : (tensor<1x2x3x4xf32>, tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xf32>
  return %0 : tensor<1x2x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x2x3x4x5xf32>, %g: tensor<1x5x5x5x3xf32>) -> tensor<1x2x5x5x5xf32> {
  // expected-error @+1 {{cubic interpolation takes 2 dimensions}}
  %0 = "onnx.GridSample"(%x, %g) {mode = "cubic"} : (tensor<1x2x3x4x5xf32>, tensor<1x5x5x5x3xf32>) -> tensor<1x2x5x5x5xf32>
  return %0 : tensor<1x2x5x5x5xf32>
}

// -----

func.func @main(%x: tensor<1x2x3x4xi32>, %g: tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xi32> {
  // expected-error @+1 {{only floats are interpolated}}
  %0 = "onnx.GridSample"(%x, %g) : (tensor<1x2x3x4xi32>, tensor<1x5x5x2xf32>) -> tensor<1x2x5x5xi32>
  return %0 : tensor<1x2x5x5xi32>
}

// -----

func.func @main(%x: tensor<1x2x3x4xf32>, %r: tensor<5x3xf32>, %i: tensor<5xi64>) -> tensor<5x2x1x1xf32> {
  // expected-error @+1 {{it needs an image [N, C, H, W], regions [count, 4] and the number of an image for each}}
  %0 = "onnx.RoiAlign"(%x, %r, %i) : (tensor<1x2x3x4xf32>, tensor<5x3xf32>, tensor<5xi64>) -> tensor<5x2x1x1xf32>
  return %0 : tensor<5x2x1x1xf32>
}

// -----

func.func @main(%x: tensor<1x2x3x4xf32>, %r: tensor<5x4xf32>, %i: tensor<5xi64>) -> tensor<5x2x1x0xf32> {
  // expected-error @+1 {{'sampling_ratio' or the extents of the output are out of range}}
  %0 = "onnx.RoiAlign"(%x, %r, %i) {output_width = 0 : i64} : (tensor<1x2x3x4xf32>, tensor<5x4xf32>, tensor<5xi64>) -> tensor<5x2x1x0xf32>
  return %0 : tensor<5x2x1x0xf32>
}

// -----

func.func @main(%x: tensor<1x4x5x5xf32>, %w: tensor<2x3x3x3xf32>, %o: tensor<1x18x3x3xf32>) -> tensor<1x2x3x3xf32> {
  // expected-error @+1 {{'group' or 'offset_group' does not fit the channels}}
  %0 = "onnx.DeformConv"(%x, %w, %o) : (tensor<1x4x5x5xf32>, tensor<2x3x3x3xf32>, tensor<1x18x3x3xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// -----

func.func @main(%x: tensor<1x3x5x5xf32>, %w: tensor<2x3x3x3xf32>, %o: tensor<1x18x3x4xf32>) -> tensor<1x2x3x3xf32> {
  // expected-error @+1 {{there is not one offset for each window}}
  %0 = "onnx.DeformConv"(%x, %w, %o) : (tensor<1x3x5x5xf32>, tensor<2x3x3x3xf32>, tensor<1x18x3x4xf32>) -> tensor<1x2x3x3xf32>
  return %0 : tensor<1x2x3x3xf32>
}

// -----

func.func @main(%x: tensor<1x3x2x5xf32>, %w: tensor<2x3x3x3xf32>, %o: tensor<1x18x1x3xf32>) -> tensor<1x2x1x3xf32> {
  // expected-error @+1 {{the kernel is larger than the padded input}}
  %0 = "onnx.DeformConv"(%x, %w, %o) : (tensor<1x3x2x5xf32>, tensor<2x3x3x3xf32>, tensor<1x18x1x3xf32>) -> tensor<1x2x1x3xf32>
  return %0 : tensor<1x2x1x3xf32>
}
