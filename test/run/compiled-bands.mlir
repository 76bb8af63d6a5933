// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --rtol 0 --atol 2e-5
// RUN: tenon-compile %s --fusion=greedy --compile-to=fuse -o %t/s.mlir --quiet
// RUN: tenon-opt %t/s.mlir --tenon-plan-kernels=target=avx512 | FileCheck %s
// RUN: tenon-opt %t/s.mlir --tenon-plan-kernels=target=zen4 | FileCheck %s
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-run %t/a.tenon %{expect} --threads 3
// RUN: tenon-run %t/a.tenon %{expect} --threads 7
// RUN: %if avx512 %{ tenon-compile %s --mcpu=znver4 -o %t/b.tenon --quiet %}
// RUN: %if avx512 %{ tenon-run %t/b.tenon %{expect} --threads 1 %}
// RUN: %if avx512 %{ tenon-run %t/b.tenon %{expect} --threads 5 %}
// RUN: tenon-compile %s --mcpu=haswell -o %t/c.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/c.tenon %{expect} --threads 3 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/d.tenon --quiet
// RUN: tenon-run %t/d.tenon %{expect} --threads 1
// RUN: tenon-run %t/d.tenon %{expect} --threads 5
// RUN: tenon-compile %s --guard-memory -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 1
// RUN: tenon-compile %s --guard-memory=below -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 3
// CHECK-COUNT-3: kernel.plan<"{{depthwise|pool}}", {across = {{[0-9]+}} : i64, band = {{[2-9]|[1-9][0-9]}} : i64

// Depthwise windows that are walked down in bands: a map of odd rows and
// channels that are no whole vectors; planes of several images, with a third
// dimension; one with a stride. One call of all units has no bands, calls of some have pieces of
// them.
func.func @main(%x0: tensor<1x90x45x43xf32> {onnx.name = "x0"},
                %x1: tensor<2x72x3x31x37xf32> {onnx.name = "x1"},
                %x2: tensor<1x144x57x55xf32> {onnx.name = "x2"})
    -> (tensor<1x90x45x43xf32> {onnx.name = "y0"}, tensor<2x72x3x31x37xf32> {onnx.name = "y1"}, tensor<1x144x29x28xf32> {onnx.name = "y2"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %scale = "onnx.Constant"() {value = dense<0.05> : tensor<f32>} : () -> tensor<f32>
  %n0 = "onnx.Constant"() {value = dense<810.0> : tensor<f32>} : () -> tensor<f32>
  %s0 = "onnx.Constant"() {value = dense<[90, 1, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r0 = "onnx.Range"(%zero, %n0, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<810xf32>
  %q0 = "onnx.Sin"(%r0) : (tensor<810xf32>) -> tensor<810xf32>
  %m0 = "onnx.Mul"(%q0, %scale) : (tensor<810xf32>, tensor<f32>) -> tensor<810xf32>
  %w0 = "onnx.Reshape"(%m0, %s0) : (tensor<810xf32>, tensor<4xi64>) -> tensor<90x1x3x3xf32>
  %y0 = "onnx.Conv"(%x0, %w0) {kernel_shape = array<i64: 3, 3>, group = 90 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x90x45x43xf32>, tensor<90x1x3x3xf32>) -> tensor<1x90x45x43xf32>
  %n1 = "onnx.Constant"() {value = dense<1944.0> : tensor<f32>} : () -> tensor<f32>
  %s1 = "onnx.Constant"() {value = dense<[72, 1, 3, 3, 3]> : tensor<5xi64>} : () -> tensor<5xi64>
  %r1 = "onnx.Range"(%zero, %n1, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1944xf32>
  %q1 = "onnx.Sin"(%r1) : (tensor<1944xf32>) -> tensor<1944xf32>
  %m1 = "onnx.Mul"(%q1, %scale) : (tensor<1944xf32>, tensor<f32>) -> tensor<1944xf32>
  %w1 = "onnx.Reshape"(%m1, %s1) : (tensor<1944xf32>, tensor<5xi64>) -> tensor<72x1x3x3x3xf32>
  %y1 = "onnx.Conv"(%x1, %w1) {kernel_shape = array<i64: 3, 3, 3>, group = 72 : i64, pads = array<i64: 1, 1, 1, 1, 1, 1>} : (tensor<2x72x3x31x37xf32>, tensor<72x1x3x3x3xf32>) -> tensor<2x72x3x31x37xf32>
  %n2 = "onnx.Constant"() {value = dense<1296.0> : tensor<f32>} : () -> tensor<f32>
  %s2 = "onnx.Constant"() {value = dense<[144, 1, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r2 = "onnx.Range"(%zero, %n2, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1296xf32>
  %q2 = "onnx.Sin"(%r2) : (tensor<1296xf32>) -> tensor<1296xf32>
  %m2 = "onnx.Mul"(%q2, %scale) : (tensor<1296xf32>, tensor<f32>) -> tensor<1296xf32>
  %w2 = "onnx.Reshape"(%m2, %s2) : (tensor<1296xf32>, tensor<4xi64>) -> tensor<144x1x3x3xf32>
  %y2 = "onnx.Conv"(%x2, %w2) {kernel_shape = array<i64: 3, 3>, group = 144 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x144x57x55xf32>, tensor<144x1x3x3xf32>) -> tensor<1x144x29x28xf32>
  return %y0, %y1, %y2 : tensor<1x90x45x43xf32>, tensor<2x72x3x31x37xf32>, tensor<1x144x29x28xf32>
}
