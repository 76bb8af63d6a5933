// Launches that share waves compute the same bits as one after the other, in
// any number of threads: pieces of a concatenation, and what reads it.
// RUN: rm -rf %t && mkdir -p %t/one
// RUN: tenon-compile %s --compile-to=codegen -o %t/c.mlir --quiet
// RUN: sed -E 's/nodes = "(narrow|wide)"/&, wave = 3 : i64/; /@loops/!s/nodes = "(left|right|middle)"/&, wave = 4294967299 : i64/' %t/c.mlir > %t/w.mlir
// RUN: tenon-opt %t/w.mlir --tenon-plan-arena --tenon-verify-memory -o %t/m.mlir
// RUN: FileCheck %s --input-file %t/m.mlir
// RUN: tenon-compile %t/m.mlir -o %t/w.tenon --quiet
// RUN: tenon-compile %t/m.mlir -o %t/w1.tenon --quiet --threads=1
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-run %t/w.tenon --input random:3 --rtol 0 --atol 2e-5 --expect y0=%t/y0.npy --expect y1=%t/y1.npy --expect y2=%t/y2.npy --threads 2
// RUN: env TENON_SCHEDULE=order tenon-run %t/w.tenon --input random:3 --threads 2 --output-dir %t/one
// DEFINE: %{same} = --input random:3 --rtol 0 --atol 0 --expect y0=%t/one/y0.npy --expect y1=%t/one/y1.npy --expect y2=%t/one/y2.npy
// RUN: tenon-run %t/w.tenon %{same} --threads 1
// RUN: tenon-run %t/w.tenon %{same} --threads 2
// RUN: tenon-run %t/w.tenon %{same} --threads 3
// RUN: tenon-run %t/w.tenon %{same} --threads 4
// RUN: tenon-run %t/w.tenon %{same} --threads 5
// RUN: tenon-run %t/w.tenon %{same} --threads 8
// RUN: tenon-run %t/w.tenon %{same} --threads 16
// RUN: tenon-run %t/w.tenon --profile=%t.json --by-launch --runs 2 --threads 2 | FileCheck %s --check-prefix=PROFILE
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json
// RUN: env TENON_SCHEDULE=order tenon-run %t/w.tenon --profile --by-launch --runs 2 --threads 2 | FileCheck %s --check-prefix=ORDER
// RUN: tenon-opt %t/w.mlir --tenon-plan-arena --tenon-guard-arena --tenon-verify-memory -o %t/g.mlir
// RUN: tenon-compile %t/g.mlir -o %t/g.tenon --quiet
// RUN: tenon-run %t/g.tenon %{same} --threads 3
// RUN: not env TENON_SCHEDULE=tracks tenon-run %t/w.tenon --input random:3 2>&1 | FileCheck %s --check-prefix=WRONG

// CHECK: kernel.launch {{.*}}wave = 3
// CHECK: kernel.launch {{.*}}wave = 3
// CHECK: kernel.launch {{.*}}wave = 4294967299
// CHECK: kernel.launch {{.*}}wave = 4294967299
// CHECK: kernel.launch {{.*}}wave = 4294967299
// PROFILE-DAG: {{ 1 +[12] +[0-9.]+  [a-z]+_[0-9]+  \[wide\]$}}
// PROFILE-DAG: {{ 2 +[12] +[0-9.]+  [a-z]+_[0-9]+  \[left\]$}}
// PROFILE-DAG: {{ - +- +-  [a-z]+_[0-9]+  \[squeeze\]$}}
// TRACE-DAG: "args": {"name": "thread {{[01]}}"}
// TRACE-DAG: "tid": {{[23]}}, {{.*}}"args": {"nodes": ["wide"], "tiles": {{[0-9]+}}, "wave": 1}
// ORDER: tiles  kernel
// WRONG: TENON_SCHEDULE is 'tracks'

func.func @main(%x: tensor<1x32x17x19xf32> {onnx.name = "x"})
    -> (tensor<1x30x17x19xf32> {onnx.name = "y0"}, tensor<1x20x17x19xf32> {onnx.name = "y1"}, tensor<1x12x9x10xf32> {onnx.name = "y2"}) {
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %scale = "onnx.Constant"() {value = dense<0.125> : tensor<f32>} : () -> tensor<f32>
  %wan = "onnx.Constant"() {value = dense<512.0> : tensor<f32>} : () -> tensor<f32>
  %war = "onnx.Range"(%zero, %wan, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<512xf32>
  %waq = "onnx.Sin"(%war) : (tensor<512xf32>) -> tensor<512xf32>
  %wam = "onnx.Mul"(%waq, %scale) : (tensor<512xf32>, tensor<f32>) -> tensor<512xf32>
  %was = "onnx.Constant"() {value = dense<[16, 32, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %wa = "onnx.Reshape"(%wam, %was) : (tensor<512xf32>, tensor<4xi64>) -> tensor<16x32x1x1xf32>
  %ac = "onnx.Conv"(%x, %wa) {kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x32x17x19xf32>, tensor<16x32x1x1xf32>) -> tensor<1x16x17x19xf32> loc("squeeze")
  %a = "onnx.Relu"(%ac) : (tensor<1x16x17x19xf32>) -> tensor<1x16x17x19xf32> loc("squeeze")
  %wbn = "onnx.Constant"() {value = dense<384.0> : tensor<f32>} : () -> tensor<f32>
  %wbr = "onnx.Range"(%zero, %wbn, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<384xf32>
  %wbq = "onnx.Sin"(%wbr) : (tensor<384xf32>) -> tensor<384xf32>
  %wbm = "onnx.Mul"(%wbq, %scale) : (tensor<384xf32>, tensor<f32>) -> tensor<384xf32>
  %wbs = "onnx.Constant"() {value = dense<[24, 16, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %wb = "onnx.Reshape"(%wbm, %wbs) : (tensor<384xf32>, tensor<4xi64>) -> tensor<24x16x1x1xf32>
  %bc = "onnx.Conv"(%a, %wb) {kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x16x17x19xf32>, tensor<24x16x1x1xf32>) -> tensor<1x24x17x19xf32> loc("narrow")
  %b = "onnx.Relu"(%bc) : (tensor<1x24x17x19xf32>) -> tensor<1x24x17x19xf32> loc("narrow")
  %wcn = "onnx.Constant"() {value = dense<5760.0> : tensor<f32>} : () -> tensor<f32>
  %wcr = "onnx.Range"(%zero, %wcn, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<5760xf32>
  %wcq = "onnx.Sin"(%wcr) : (tensor<5760xf32>) -> tensor<5760xf32>
  %wcm = "onnx.Mul"(%wcq, %scale) : (tensor<5760xf32>, tensor<f32>) -> tensor<5760xf32>
  %wcs = "onnx.Constant"() {value = dense<[40, 16, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %wc = "onnx.Reshape"(%wcm, %wcs) : (tensor<5760xf32>, tensor<4xi64>) -> tensor<40x16x3x3xf32>
  %cc = "onnx.Conv"(%a, %wc) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x16x17x19xf32>, tensor<40x16x3x3xf32>) -> tensor<1x40x17x19xf32> loc("wide")
  %c = "onnx.Relu"(%cc) : (tensor<1x40x17x19xf32>) -> tensor<1x40x17x19xf32> loc("wide")
  %z = "onnx.Concat"(%b, %c) {axis = 1 : i64} : (tensor<1x24x17x19xf32>, tensor<1x40x17x19xf32>) -> tensor<1x64x17x19xf32> loc("joined")
  %w0n = "onnx.Constant"() {value = dense<1920.0> : tensor<f32>} : () -> tensor<f32>
  %w0r = "onnx.Range"(%zero, %w0n, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<1920xf32>
  %w0q = "onnx.Sin"(%w0r) : (tensor<1920xf32>) -> tensor<1920xf32>
  %w0m = "onnx.Mul"(%w0q, %scale) : (tensor<1920xf32>, tensor<f32>) -> tensor<1920xf32>
  %w0s = "onnx.Constant"() {value = dense<[30, 64, 1, 1]> : tensor<4xi64>} : () -> tensor<4xi64>
  %w0 = "onnx.Reshape"(%w0m, %w0s) : (tensor<1920xf32>, tensor<4xi64>) -> tensor<30x64x1x1xf32>
  %y0c = "onnx.Conv"(%z, %w0) {kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x64x17x19xf32>, tensor<30x64x1x1xf32>) -> tensor<1x30x17x19xf32> loc("left")
  %y0 = "onnx.Relu"(%y0c) : (tensor<1x30x17x19xf32>) -> tensor<1x30x17x19xf32> loc("left")
  %w1n = "onnx.Constant"() {value = dense<11520.0> : tensor<f32>} : () -> tensor<f32>
  %w1r = "onnx.Range"(%zero, %w1n, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<11520xf32>
  %w1q = "onnx.Sin"(%w1r) : (tensor<11520xf32>) -> tensor<11520xf32>
  %w1m = "onnx.Mul"(%w1q, %scale) : (tensor<11520xf32>, tensor<f32>) -> tensor<11520xf32>
  %w1s = "onnx.Constant"() {value = dense<[20, 64, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %w1 = "onnx.Reshape"(%w1m, %w1s) : (tensor<11520xf32>, tensor<4xi64>) -> tensor<20x64x3x3xf32>
  %y1c = "onnx.Conv"(%z, %w1) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x17x19xf32>, tensor<20x64x3x3xf32>) -> tensor<1x20x17x19xf32> loc("right")
  %y1 = "onnx.Relu"(%y1c) : (tensor<1x20x17x19xf32>) -> tensor<1x20x17x19xf32> loc("right")
  %w2n = "onnx.Constant"() {value = dense<6912.0> : tensor<f32>} : () -> tensor<f32>
  %w2r = "onnx.Range"(%zero, %w2n, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<6912xf32>
  %w2q = "onnx.Sin"(%w2r) : (tensor<6912xf32>) -> tensor<6912xf32>
  %w2m = "onnx.Mul"(%w2q, %scale) : (tensor<6912xf32>, tensor<f32>) -> tensor<6912xf32>
  %w2s = "onnx.Constant"() {value = dense<[12, 64, 3, 3]> : tensor<4xi64>} : () -> tensor<4xi64>
  %w2 = "onnx.Reshape"(%w2m, %w2s) : (tensor<6912xf32>, tensor<4xi64>) -> tensor<12x64x3x3xf32>
  %y2c = "onnx.Conv"(%z, %w2) {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x64x17x19xf32>, tensor<12x64x3x3xf32>) -> tensor<1x12x9x10xf32> loc("middle")
  %y2 = "onnx.Relu"(%y2c) : (tensor<1x12x9x10xf32>) -> tensor<1x12x9x10xf32> loc("middle")
  return %y0, %y1, %y2 : tensor<1x30x17x19xf32>, tensor<1x20x17x19xf32>, tensor<1x12x9x10xf32>
}
