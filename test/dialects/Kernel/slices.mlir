// RUN: tenon-opt %s --split-input-file --verify-diagnostics | FileCheck %s

// CHECK: kernel.slices [@two, @two, @one](%{{.*}}, %{{.*}}) : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
func.func @main(%x: tensor<5x8xf32>, %w: tensor<8x8xf32>) -> tensor<5x8xf32> {
  %y = kernel.slices [@two, @two, @one](%x, %w) : (tensor<5x8xf32>, tensor<8x8xf32>) -> tensor<5x8xf32>
  return %y : tensor<5x8xf32>
}
func.func private @two(%x: tensor<2x8xf32>, %w: tensor<8x8xf32>) -> tensor<2x8xf32> {
  return %x : tensor<2x8xf32>
}
func.func private @one(%x: tensor<1x8xf32>, %w: tensor<8x8xf32>) -> tensor<1x8xf32> {
  return %x : tensor<1x8xf32>
}

// -----

func.func @nothing(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{calls nothing}}
  %y = kernel.slices [](%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @unknown(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{there is no function @half}}
  %y = kernel.slices [@half, @half](%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func @size(%x: tensor<?xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has an operand of unknown size}}
  %y = kernel.slices [@half, @half](%x) : (tensor<?xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func private @half(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}
func.func @operands(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has other operands or results than @half}}
  %y = kernel.slices [@half, @half](%x, %x) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func private @half(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}
func.func @tooShort(%x: tensor<3xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{does not fit what its callees take}}
  %y = kernel.slices [@half, @half](%x) : (tensor<3xf32>) -> tensor<2xf32>
  return %y : tensor<2xf32>
}

// -----

func.func private @half(%x: tensor<1xf32>) -> tensor<1xf32> {
  return %x : tensor<1xf32>
}
func.func @result(%x: tensor<2xf32>) -> tensor<2xi32> {
  // expected-error @+1 {{does not fit what its callees give}}
  %y = kernel.slices [@half, @half](%x) : (tensor<2xf32>) -> tensor<2xi32>
  return %y : tensor<2xi32>
}
