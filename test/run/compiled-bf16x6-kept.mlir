// REQUIRES: amx
// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --expect y4=%t/y4.npy --rtol 0 --atol 2e-5
// RUN: tenon-compile %s --compile-to=fuse -o %t/s.mlir --quiet
// RUN: tenon-opt %t/s.mlir --tenon-plan-kernels=target=amx | FileCheck %s
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon %{expect} --threads 3
// RUN: tenon-compile %s --guard-memory -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 2
// RUN: tenon-compile %s --guard-memory=below -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 1
// CHECK-COUNT-5: keeps_columns = 1

// Small right operands, of which all pieces are kept: rows, columns and steps
// that are no whole squares, two dimensions of rows and an epilogue with a
// residual; sums that wait for later steps; a window with a stride; operands
// that are no constants, as they lie and transposed.
func.func @main(%x0: tensor<2x330x100xf32> {onnx.name = "x0"},
                %z0: tensor<2x330x170xf32> {onnx.name = "z0"},
                %x1: tensor<710x300xf32> {onnx.name = "x1"},
                %x2: tensor<1x64x57x55xf32> {onnx.name = "x2"},
                %x3: tensor<2x620x520xf32> {onnx.name = "x3"},
                %z3: tensor<2x520x125xf32> {onnx.name = "z3"},
                %x4: tensor<2x620x544xf32> {onnx.name = "x4"},
                %z4: tensor<2x125x544xf32> {onnx.name = "z4"})
    -> (tensor<2x330x170xf32> {onnx.name = "y0"}, tensor<710x90xf32> {onnx.name = "y1"}, tensor<1x96x29x28xf32> {onnx.name = "y2"}, tensor<2x620x125xf32> {onnx.name = "y3"}, tensor<2x620x125xf32> {onnx.name = "y4"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %scale = "onnx.Constant"() {value = dense<0.05> : tensor<f32>} : () -> tensor<f32>
  %n0 = "onnx.Constant"() {value = dense<17000.0> : tensor<f32>} : () -> tensor<f32>
  %s0 = "onnx.Constant"() {value = dense<[100, 170]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r0 = "onnx.Range"(%zero, %n0, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<17000xf32>
  %q0 = "onnx.Sin"(%r0) : (tensor<17000xf32>) -> tensor<17000xf32>
  %m0 = "onnx.Mul"(%q0, %scale) : (tensor<17000xf32>, tensor<f32>) -> tensor<17000xf32>
  %w0 = "onnx.Reshape"(%m0, %s0) : (tensor<17000xf32>, tensor<2xi64>) -> tensor<100x170xf32>
  %p0 = "onnx.MatMul"(%x0, %w0) : (tensor<2x330x100xf32>, tensor<100x170xf32>) -> tensor<2x330x170xf32>
  %a0 = "onnx.Add"(%p0, %z0) : (tensor<2x330x170xf32>, tensor<2x330x170xf32>) -> tensor<2x330x170xf32>
  %y0 = "onnx.Relu"(%a0) : (tensor<2x330x170xf32>) -> tensor<2x330x170xf32>
  %n1 = "onnx.Constant"() {value = dense<27000.0> : tensor<f32>} : () -> tensor<f32>
  %s1 = "onnx.Constant"() {value = dense<[300, 90]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r1 = "onnx.Range"(%zero, %n1, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<27000xf32>
  %q1 = "onnx.Sin"(%r1) : (tensor<27000xf32>) -> tensor<27000xf32>
  %m1 = "onnx.Mul"(%q1, %scale) : (tensor<27000xf32>, tensor<f32>) -> tensor<27000xf32>
  %w1 = "onnx.Reshape"(%m1, %s1) : (tensor<27000xf32>, tensor<2xi64>) -> tensor<300x90xf32>
  %y1 = "onnx.MatMul"(%x1, %w1) : (tensor<710x300xf32>, tensor<300x90xf32>) -> tensor<710x90xf32>
  %n2 = "onnx.Constant"() {value = dense<55296.0> : tensor<f32>} : () -> tensor<f32>
  %s2 = "onnx.Constant"() {value = dense<[96, 64, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r2 = "onnx.Range"(%zero, %n2, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<55296xf32>
  %q2 = "onnx.Sin"(%r2) : (tensor<55296xf32>) -> tensor<55296xf32>
  %m2 = "onnx.Mul"(%q2, %scale) : (tensor<55296xf32>, tensor<f32>) -> tensor<55296xf32>
  %w2 = "onnx.Reshape"(%m2, %s2) : (tensor<55296xf32>, tensor<4xi64>) -> tensor<96x64x3x3xf32>
  %y2 = "onnx.Conv"(%x2, %w2) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x64x57x55xf32>, tensor<96x64x3x3xf32>) -> tensor<1x96x29x28xf32>
  %y3 = "onnx.MatMul"(%x3, %z3) : (tensor<2x620x520xf32>, tensor<2x520x125xf32>) -> tensor<2x620x125xf32>
  %t4 = "onnx.Transpose"(%z4) {perm = array<i64: 0, 2, 1>} : (tensor<2x125x544xf32>) -> tensor<2x544x125xf32>
  %y4 = "onnx.MatMul"(%x4, %t4) : (tensor<2x620x544xf32>, tensor<2x544x125xf32>) -> tensor<2x620x125xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<2x330x170xf32>, tensor<710x90xf32>, tensor<1x96x29x28xf32>, tensor<2x620x125xf32>, tensor<2x620x125xf32>
}
