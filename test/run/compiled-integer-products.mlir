// RUN: rm -rf %t && tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} =
// DEFINE: %{compile} = tenon-compile %s --mcpu=%{cpu} -o %t/a.tenon --quiet
// DEFINE: %{run} = tenon-run %t/a.tenon --input random:3 --expect y=%t/z.npy --expect z=%t/z.npy --rtol 0 --atol 0
// REDEFINE: %{cpu} = x86-64
// RUN: %{compile}
// RUN: %{run}
// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{compile}
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{compile}
// RUN: %if avx512 %{ %{run} %}
// RUN: tenon-compile %s --compile-to=simplify -o - --quiet | FileCheck %s

// Sums of 1201 products near 255 * -128 are odd numbers that f32 does not have.
// CHECK: graph.matmul {{.*}} -> tensor<5x7xf32>
// CHECK: graph.matmul {{.*}} -> tensor<5x7xf32>
// CHECK: graph.matmul {{.*}} -> tensor<5x7xf32>
// CHECK: graph.matmul {{.*}} -> tensor<5x7xi32>
func.func @main(%x: tensor<5x1201xi32> {onnx.name = "x"}, %w: tensor<1201x7xi32> {onnx.name = "w"})
    -> (tensor<5x7xi32> {onnx.name = "y"}, tensor<5x7xi32> {onnx.name = "z"}) {
  %three = "onnx.Constant"() {value = dense<3> : tensor<i32>} : () -> tensor<i32>
  %high = "onnx.Constant"() {value = dense<252> : tensor<i32>} : () -> tensor<i32>
  %low = "onnx.Constant"() {value = dense<-126> : tensor<i32>} : () -> tensor<i32>
  %0 = "onnx.Mod"(%x, %three) : (tensor<5x1201xi32>, tensor<i32>) -> tensor<5x1201xi32>
  %1 = "onnx.Add"(%0, %high) : (tensor<5x1201xi32>, tensor<i32>) -> tensor<5x1201xi32>
  %2 = "onnx.Mod"(%w, %three) : (tensor<1201x7xi32>, tensor<i32>) -> tensor<1201x7xi32>
  %3 = "onnx.Sub"(%low, %2) : (tensor<i32>, tensor<1201x7xi32>) -> tensor<1201x7xi32>
  %4 = "onnx.Cast"(%1) {to = 2 : i64} : (tensor<5x1201xi32>) -> tensor<5x1201xui8>
  %5 = "onnx.Cast"(%3) {to = 3 : i64} : (tensor<1201x7xi32>) -> tensor<1201x7xi8>
  %y = "onnx.MatMulInteger"(%4, %5) : (tensor<5x1201xui8>, tensor<1201x7xi8>) -> tensor<5x7xi32>
  %6 = "onnx.Cast"(%4) {to = 6 : i64} : (tensor<5x1201xui8>) -> tensor<5x1201xi32>
  %7 = "onnx.Cast"(%5) {to = 6 : i64} : (tensor<1201x7xi8>) -> tensor<1201x7xi32>
  %z = "onnx.MatMul"(%6, %7) : (tensor<5x1201xi32>, tensor<1201x7xi32>) -> tensor<5x7xi32>
  return %y, %z : tensor<5x7xi32>, tensor<5x7xi32>
}
