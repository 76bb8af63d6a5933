// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --rtol 0 --atol 2e-5
// RUN: tenon-compile %s --compile-to=fuse -o %t/s.mlir --quiet
// RUN: tenon-opt %t/s.mlir --tenon-plan-kernels=target=avx512 | FileCheck %s
// RUN: tenon-compile %s --no-bf16x6 -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-run %t/a.tenon %{expect} --threads 3
// RUN: tenon-run %t/a.tenon %{expect} --threads 7
// RUN: tenon-compile %s --mcpu=haswell -o %t/b.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} --threads 3 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/c.tenon --quiet
// RUN: tenon-run %t/c.tenon %{expect} --threads 5
// RUN: tenon-compile %s --no-bf16x6 --guard-memory -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 3
// RUN: tenon-compile %s --no-bf16x6 --guard-memory=below -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 1
// CHECK-COUNT-4: shares = {{[1-9]}}

// Rows that are shared out to threads, by numbers of threads that cut shares in
// the middle of their panels: rows that no height divides, with a residual;
// groups that share vectors; two dimensions of rows and a stride; blocks of k.
func.func @main(%x0: tensor<1x64x14x13xf32> {onnx.name = "x0"},
                %z0: tensor<1x200x14x13xf32> {onnx.name = "z0"},
                %x1: tensor<1x120x15x15xf32> {onnx.name = "x1"},
                %x2: tensor<1x33x19x17xf32> {onnx.name = "x2"},
                %x3: tensor<57x1400xf32> {onnx.name = "x3"})
    -> (tensor<1x200x14x13xf32> {onnx.name = "y0"}, tensor<1x204x15x15xf32> {onnx.name = "y1"}, tensor<1x70x10x9xf32> {onnx.name = "y2"}, tensor<57x120xf32> {onnx.name = "y3"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %scale = "onnx.Constant"() {value = dense<0.05> : tensor<f32>} : () -> tensor<f32>
  %n0 = "onnx.Constant"() {value = dense<12800.0> : tensor<f32>} : () -> tensor<f32>
  %s0 = "onnx.Constant"() {value = dense<[200, 64, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r0 = "onnx.Range"(%zero, %n0, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<12800xf32>
  %q0 = "onnx.Sin"(%r0) : (tensor<12800xf32>) -> tensor<12800xf32>
  %m0 = "onnx.Mul"(%q0, %scale) : (tensor<12800xf32>, tensor<f32>) -> tensor<12800xf32>
  %w0 = "onnx.Reshape"(%m0, %s0) : (tensor<12800xf32>, tensor<4xi64>) -> tensor<200x64x1x1xf32>
  %p0 = "onnx.Conv"(%x0, %w0) {kernel_shape = array<i64: 1, 1>} : (tensor<1x64x14x13xf32>, tensor<200x64x1x1xf32>) -> tensor<1x200x14x13xf32>
  %a0 = "onnx.Add"(%p0, %z0) : (tensor<1x200x14x13xf32>, tensor<1x200x14x13xf32>) -> tensor<1x200x14x13xf32>
  %y0 = "onnx.Relu"(%a0) : (tensor<1x200x14x13xf32>) -> tensor<1x200x14x13xf32>
  %n1 = "onnx.Constant"() {value = dense<8160.0> : tensor<f32>} : () -> tensor<f32>
  %s1 = "onnx.Constant"() {value = dense<[204, 40, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r1 = "onnx.Range"(%zero, %n1, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<8160xf32>
  %q1 = "onnx.Sin"(%r1) : (tensor<8160xf32>) -> tensor<8160xf32>
  %m1 = "onnx.Mul"(%q1, %scale) : (tensor<8160xf32>, tensor<f32>) -> tensor<8160xf32>
  %w1 = "onnx.Reshape"(%m1, %s1) : (tensor<8160xf32>, tensor<4xi64>) -> tensor<204x40x1x1xf32>
  %y1 = "onnx.Conv"(%x1, %w1) {kernel_shape = array<i64: 1, 1>, group = 3 : i64} : (tensor<1x120x15x15xf32>, tensor<204x40x1x1xf32>) -> tensor<1x204x15x15xf32>
  %n2 = "onnx.Constant"() {value = dense<20790.0> : tensor<f32>} : () -> tensor<f32>
  %s2 = "onnx.Constant"() {value = dense<[70, 33, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r2 = "onnx.Range"(%zero, %n2, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<20790xf32>
  %q2 = "onnx.Sin"(%r2) : (tensor<20790xf32>) -> tensor<20790xf32>
  %m2 = "onnx.Mul"(%q2, %scale) : (tensor<20790xf32>, tensor<f32>) -> tensor<20790xf32>
  %w2 = "onnx.Reshape"(%m2, %s2) : (tensor<20790xf32>, tensor<4xi64>) -> tensor<70x33x3x3xf32>
  %y2 = "onnx.Conv"(%x2, %w2) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x33x19x17xf32>, tensor<70x33x3x3xf32>) -> tensor<1x70x10x9xf32>
  %n3 = "onnx.Constant"() {value = dense<168000.0> : tensor<f32>} : () -> tensor<f32>
  %s3 = "onnx.Constant"() {value = dense<[1400, 120]> : tensor<2xi64>} : () -> tensor<2xi64>
  %r3 = "onnx.Range"(%zero, %n3, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<168000xf32>
  %q3 = "onnx.Sin"(%r3) : (tensor<168000xf32>) -> tensor<168000xf32>
  %m3 = "onnx.Mul"(%q3, %scale) : (tensor<168000xf32>, tensor<f32>) -> tensor<168000xf32>
  %w3 = "onnx.Reshape"(%m3, %s3) : (tensor<168000xf32>, tensor<2xi64>) -> tensor<1400x120xf32>
  %y3 = "onnx.MatMul"(%x3, %w3) : (tensor<57x1400xf32>, tensor<1400x120xf32>) -> tensor<57x120xf32>
  return %y0, %y1, %y2, %y3 : tensor<1x200x14x13xf32>, tensor<1x204x15x15xf32>, tensor<1x70x10x9xf32>, tensor<57x120xf32>
}
