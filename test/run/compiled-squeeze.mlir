// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --rtol 0 --atol 2e-6 --expect y=%t/y.npy
// RUN: tenon-compile %s --mcpu=x86-64-v4 --compile-to=fuse -o - | FileCheck %s
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/a.tenon --quiet --guard-memory=above
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon --input random:3 --threads 1 --output-dir %t/one
// RUN: tenon-run %t/a.tenon --input random:3 --rtol 0 --atol 0 --expect y=%t/one/y.npy --threads 3
// RUN: %if avx2 %{ tenon-compile %s --mcpu=x86-64-v3 -o %t/b.tenon --quiet && tenon-run %t/b.tenon %{expect} --threads 2 %}
// RUN: %if avx512 %{ tenon-compile %s --mcpu=x86-64-v4 -o %t/c.tenon --quiet && tenon-run %t/c.tenon %{expect} --threads 2 %}

// Squeeze and excite: blocks of rows are added up beside the window. Sums do not
// depend on the number of threads.
// CHECK: kernel.group({{.*}}) {{.*}}tile =
// CHECK: group = 32 : i64
// CHECK: kernel.stage
// CHECK: graph.reduce_sum {{.*}} {axes = array<i64: 2, 4>, keep_dims = false}
// CHECK: kernel.group
// CHECK: graph.reduce_sum
// CHECK: graph.div
func.func @main(%x: tensor<1x112x112x32xf32> {onnx.name = "x"}) -> (tensor<1x112x112x32xf32> {onnx.name = "y"}) {
  %w = graph.constant dense<0.25> : tensor<32x1x3x3xf32>
  %a = graph.constant dense<0.125> : tensor<8x32x1x1xf32>
  %b = graph.constant dense<-0.5> : tensor<32x8x1x1xf32>
  %0 = graph.conv %x, %w {dilations = array<i64: 1, 1>, group = 32 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x112x112x32xf32>, tensor<32x1x3x3xf32>) -> tensor<1x112x112x32xf32>
  %s = graph.sigmoid %0 : (tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
  %1 = graph.mul %0, %s : (tensor<1x112x112x32xf32>, tensor<1x112x112x32xf32>) -> tensor<1x112x112x32xf32>
  %2 = graph.reduce_mean %1 {axes = array<i64: 1, 2>} : (tensor<1x112x112x32xf32>) -> tensor<1x1x1x32xf32>
  %3 = graph.conv %2, %a {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x32xf32>, tensor<8x32x1x1xf32>) -> tensor<1x1x1x8xf32>
  %4 = graph.relu %3 : (tensor<1x1x1x8xf32>) -> tensor<1x1x1x8xf32>
  %5 = graph.conv %4, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x8xf32>, tensor<32x8x1x1xf32>) -> tensor<1x1x1x32xf32>
  %6 = graph.sigmoid %5 : (tensor<1x1x1x32xf32>) -> tensor<1x1x1x32xf32>
  %7 = graph.mul %1, %6 : (tensor<1x112x112x32xf32>, tensor<1x1x1x32xf32>) -> tensor<1x112x112x32xf32>
  return %7 : tensor<1x112x112x32xf32>
}
