// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{level} = exact
// DEFINE: %{tolerance} = 4e-6
// DEFINE: %{expect} = --input random:3 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --expect y3=%t/y3.npy --expect y4=%t/y4.npy --rtol 0 --atol %{tolerance}
// DEFINE: %{agree} = tenon-compile %s --winograd=%{level} -o %t/a.tenon | FileCheck %s && tenon-run %t/a.tenon %{expect} --threads 1 && tenon-run %t/a.tenon %{expect} --threads 3 && tenon-compile %s --winograd=%{level} --mcpu=haswell -o %t/b.tenon --quiet && tenon-compile %s --winograd=%{level} --mcpu=x86-64 -o %t/c.tenon --quiet && tenon-run %t/c.tenon %{expect} --threads 2
// RUN: %{agree}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} %}
// REDEFINE: %{level} = safe
// REDEFINE: %{tolerance} = 2e-5
// RUN: %{agree}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} %}
// REDEFINE: %{level} = max
// REDEFINE: %{tolerance} = 2e-4
// RUN: %{agree}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} %}

// The last one is F(6), the only one whose errors grow as much.
// RUN: tenon-compile %s --winograd=max -o %t/a.tenon --report=%t/a.json | FileCheck %s --check-prefix=MAX
// RUN: FileCheck %s --check-prefix=SIX --input-file=%t/a.json
// RUN: tenon-compile %s --winograd=max --mcpu=x86-64-v3 -o %t/b.tenon --report=%t/b.json | FileCheck %s --check-prefix=MAX
// RUN: FileCheck %s --check-prefix=SIX --input-file=%t/b.json
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} --threads 1 %}
// RUN: %if avx2 %{ tenon-run %t/b.tenon %{expect} --threads 3 %}
// MAX: rounding errors {{ *}}10.23 of plain sums
// SIX-COUNT-1: "error_growth": 10.2
// SIX-NOT: "error_growth": 10.2
// RUN: tenon-compile %s --winograd=max --guard-memory -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 2
// RUN: tenon-compile %s --winograd=max --guard-memory=below -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 2
// RUN: tenon-compile %s --winograd=safe --guard-memory -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{expect} --threads 2
// CHECK-COUNT-5: winograd_
// CHECK: rounding errors {{ *}}{{[0-9.]+}} of plain sums

// Channels and filters that are no whole vectors, maps that are no whole tiles,
// several images, no padding and more padding than the window has, and an
// epilogue with a bias and a residual.
func.func @main(%x0: tensor<1x16x13x13xf32> {onnx.name = "x0"},
                %z0: tensor<1x16x13x13xf32> {onnx.name = "z0"},
                %x1: tensor<2x17x10x13xf32> {onnx.name = "x1"},
                %z1: tensor<2x33x10x13xf32> {onnx.name = "z1"},
                %x2: tensor<1x48x20x18xf32> {onnx.name = "x2"},
                %z2: tensor<1x40x18x16xf32> {onnx.name = "z2"},
                %x3: tensor<3x40x7x11xf32> {onnx.name = "x3"},
                %z3: tensor<3x70x9x13xf32> {onnx.name = "z3"},
                %x4: tensor<1x16x50x53xf32> {onnx.name = "x4"},
                %z4: tensor<1x24x50x53xf32> {onnx.name = "z4"})
    -> (tensor<1x16x13x13xf32> {onnx.name = "y0"}, tensor<2x33x10x13xf32> {onnx.name = "y1"}, tensor<1x40x18x16xf32> {onnx.name = "y2"}, tensor<3x70x9x13xf32> {onnx.name = "y3"}, tensor<1x24x50x53xf32> {onnx.name = "y4"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %scale = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %n0 = "onnx.Constant"() {value = dense<2304.0> : tensor<f32>} : () -> tensor<f32>
  %s0 = "onnx.Constant"() {value = dense<[16, 16, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r0 = "onnx.Range"(%zero, %n0, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2304xf32>
  %q0 = "onnx.Sin"(%r0) : (tensor<2304xf32>) -> tensor<2304xf32>
  %m0 = "onnx.Mul"(%q0, %scale) : (tensor<2304xf32>, tensor<f32>) -> tensor<2304xf32>
  %w0 = "onnx.Reshape"(%m0, %s0) : (tensor<2304xf32>, tensor<4xi64>) -> tensor<16x16x3x3xf32>
  %c0 = "onnx.Conv"(%x0, %w0) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x13x13xf32>, tensor<16x16x3x3xf32>) -> tensor<1x16x13x13xf32>
  %a0 = "onnx.Add"(%c0, %z0) : (tensor<1x16x13x13xf32>, tensor<1x16x13x13xf32>) -> tensor<1x16x13x13xf32>
  %y0 = "onnx.Relu"(%a0) : (tensor<1x16x13x13xf32>) -> tensor<1x16x13x13xf32>
  %n1 = "onnx.Constant"() {value = dense<5049.0> : tensor<f32>} : () -> tensor<f32>
  %s1 = "onnx.Constant"() {value = dense<[33, 17, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r1 = "onnx.Range"(%zero, %n1, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<5049xf32>
  %q1 = "onnx.Sin"(%r1) : (tensor<5049xf32>) -> tensor<5049xf32>
  %m1 = "onnx.Mul"(%q1, %scale) : (tensor<5049xf32>, tensor<f32>) -> tensor<5049xf32>
  %w1 = "onnx.Reshape"(%m1, %s1) : (tensor<5049xf32>, tensor<4xi64>) -> tensor<33x17x3x3xf32>
  %c1 = "onnx.Conv"(%x1, %w1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x17x10x13xf32>, tensor<33x17x3x3xf32>) -> tensor<2x33x10x13xf32>
  %a1 = "onnx.Add"(%c1, %z1) : (tensor<2x33x10x13xf32>, tensor<2x33x10x13xf32>) -> tensor<2x33x10x13xf32>
  %y1 = "onnx.Relu"(%a1) : (tensor<2x33x10x13xf32>) -> tensor<2x33x10x13xf32>
  %n2 = "onnx.Constant"() {value = dense<17280.0> : tensor<f32>} : () -> tensor<f32>
  %s2 = "onnx.Constant"() {value = dense<[40, 48, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r2 = "onnx.Range"(%zero, %n2, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<17280xf32>
  %q2 = "onnx.Sin"(%r2) : (tensor<17280xf32>) -> tensor<17280xf32>
  %m2 = "onnx.Mul"(%q2, %scale) : (tensor<17280xf32>, tensor<f32>) -> tensor<17280xf32>
  %w2 = "onnx.Reshape"(%m2, %s2) : (tensor<17280xf32>, tensor<4xi64>) -> tensor<40x48x3x3xf32>
  %c2 = "onnx.Conv"(%x2, %w2) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>} : (tensor<1x48x20x18xf32>, tensor<40x48x3x3xf32>) -> tensor<1x40x18x16xf32>
  %a2 = "onnx.Add"(%c2, %z2) : (tensor<1x40x18x16xf32>, tensor<1x40x18x16xf32>) -> tensor<1x40x18x16xf32>
  %y2 = "onnx.Relu"(%a2) : (tensor<1x40x18x16xf32>) -> tensor<1x40x18x16xf32>
  %n3 = "onnx.Constant"() {value = dense<25200.0> : tensor<f32>} : () -> tensor<f32>
  %s3 = "onnx.Constant"() {value = dense<[70, 40, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r3 = "onnx.Range"(%zero, %n3, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<25200xf32>
  %q3 = "onnx.Sin"(%r3) : (tensor<25200xf32>) -> tensor<25200xf32>
  %m3 = "onnx.Mul"(%q3, %scale) : (tensor<25200xf32>, tensor<f32>) -> tensor<25200xf32>
  %w3 = "onnx.Reshape"(%m3, %s3) : (tensor<25200xf32>, tensor<4xi64>) -> tensor<70x40x3x3xf32>
  %c3 = "onnx.Conv"(%x3, %w3) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 2, 2, 2, 2>} : (tensor<3x40x7x11xf32>, tensor<70x40x3x3xf32>) -> tensor<3x70x9x13xf32>
  %a3 = "onnx.Add"(%c3, %z3) : (tensor<3x70x9x13xf32>, tensor<3x70x9x13xf32>) -> tensor<3x70x9x13xf32>
  %y3 = "onnx.Relu"(%a3) : (tensor<3x70x9x13xf32>) -> tensor<3x70x9x13xf32>
  %n4 = "onnx.Constant"() {value = dense<3456.0> : tensor<f32>} : () -> tensor<f32>
  %s4 = "onnx.Constant"() {value = dense<[24, 16, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %r4 = "onnx.Range"(%zero, %n4, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<3456xf32>
  %q4 = "onnx.Sin"(%r4) : (tensor<3456xf32>) -> tensor<3456xf32>
  %m4 = "onnx.Mul"(%q4, %scale) : (tensor<3456xf32>, tensor<f32>) -> tensor<3456xf32>
  %w4 = "onnx.Reshape"(%m4, %s4) : (tensor<3456xf32>, tensor<4xi64>) -> tensor<24x16x3x3xf32>
  %c4 = "onnx.Conv"(%x4, %w4) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x16x50x53xf32>, tensor<24x16x3x3xf32>) -> tensor<1x24x50x53xf32>
  %a4 = "onnx.Add"(%c4, %z4) : (tensor<1x24x50x53xf32>, tensor<1x24x50x53xf32>) -> tensor<1x24x50x53xf32>
  %y4 = "onnx.Relu"(%a4) : (tensor<1x24x50x53xf32>) -> tensor<1x24x50x53xf32>
  return %y0, %y1, %y2, %y3, %y4 : tensor<1x16x13x13xf32>, tensor<2x33x10x13xf32>, tensor<1x40x18x16xf32>, tensor<3x70x9x13xf32>, tensor<1x24x50x53xf32>
}
