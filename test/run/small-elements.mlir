// Elements of eight bits and fewer are moved as the bytes that they are, and a
// bitcast is a view where it can be one.
// DEFINE: %{mcpu} =
// DEFINE: %{compile} = tenon-compile %s --mcpu=%{mcpu} -o %t/a.tenon --quiet
// DEFINE: %{same} = %{compile} && tenon-run %t/a.tenon --input random:3 --expect moved=%t/moved.npy --expect padded=%t/padded.npy --expect chosen=%t/chosen.npy --expect bits=%t/bits.npy --expect sign=%t/sign.npy --expect wide=%t/wide.npy --expect constant=%t/constant.npy --rtol 0 --atol 0
// RUN: rm -rf %t && tenon-run --interpret %s --input random:3 --output-dir %t
// REDEFINE: %{mcpu} = x86-64
// RUN: %{same}
// REDEFINE: %{mcpu} = haswell
// RUN: %if avx2 %{ %{same} %} %else %{ %{compile} %}
// REDEFINE: %{mcpu} = skylake-avx512
// RUN: %if avx512 %{ %{same} %} %else %{ %{compile} %}
// REDEFINE: %{mcpu} = neoverse-n1
// RUN: %{compile}
// RUN: tenon-opt %s --mcpu=haswell --compile-to=codegen | FileCheck %s
//
// CHECK: memory.view {{.*}} : <tensor<6x5xf32>{{.*}} -> <tensor<30xui32>
// CHECK-NEXT: memory.constant dense<31>
// CHECK-NEXT: memory.output 4
// CHECK-NEXT: kernel.launch {{.*}}30xui32
func.func @main(%x: tensor<5x37xf8E4M3FN> {onnx.name = "x"},
                %y: tensor<3x37xf8E4M3FN> {onnx.name = "y"},
                %n: tensor<4x33xi4> {onnx.name = "n"},
                %f: tensor<6x5xf32> {onnx.name = "f"},
                %c: tensor<5x37xi1> {onnx.name = "c"})
    -> (tensor<37x8xf8E4M3FN> {onnx.name = "moved"},
        tensor<6x35xi4> {onnx.name = "padded"},
        tensor<5x37xf8E4M3FN> {onnx.name = "chosen"},
        tensor<6x5xi32> {onnx.name = "bits"},
        tensor<30xui32> {onnx.name = "sign"},
        tensor<2x33xf32> {onnx.name = "wide"},
        tensor<3xi4> {onnx.name = "constant"}) {
  %joined = graph.concat %x, %y {axis = 0 : i64} : (tensor<5x37xf8E4M3FN>, tensor<3x37xf8E4M3FN>) -> tensor<8x37xf8E4M3FN>
  %moved = graph.transpose %joined {permutation = array<i64: 1, 0>} : (tensor<8x37xf8E4M3FN>) -> tensor<37x8xf8E4M3FN>
  %seven = graph.constant dense<-7> : tensor<i4>
  %padded = graph.pad %n, %seven {low = array<i64: 1, 2>, high = array<i64: 1, 0>} : (tensor<4x33xi4>, tensor<i4>) -> tensor<6x35xi4>
  %two = graph.constant dense<-2.0> : tensor<1x1xf8E4M3FN>
  %chosen = graph.select %c, %x, %two : (tensor<5x37xi1>, tensor<5x37xf8E4M3FN>, tensor<1x1xf8E4M3FN>) -> tensor<5x37xf8E4M3FN>
  %bits = graph.bitcast %f : (tensor<6x5xf32>) -> tensor<6x5xi32>
  %negative = graph.neg %f : (tensor<6x5xf32>) -> tensor<6x5xf32>
  %raw = graph.bitcast %negative : (tensor<6x5xf32>) -> tensor<6x5xui32>
  %flat = graph.reshape %raw : (tensor<6x5xui32>) -> tensor<30xui32>
  %shift = graph.constant dense<31> : tensor<ui32>
  %sign = graph.shift_right %flat, %shift : (tensor<30xui32>, tensor<ui32>) -> tensor<30xui32>
  %rows = graph.constant dense<[3, 0]> : tensor<2xi64>
  %taken = graph.gather %n, %rows {axis = 0 : i64} : (tensor<4x33xi4>, tensor<2xi64>) -> tensor<2x33xi4>
  %wide = graph.cast %taken : (tensor<2x33xi4>) -> tensor<2x33xf32>
  %constant = graph.constant dense<[-8, 7, -1]> : tensor<3xi4>
  return %moved, %padded, %chosen, %bits, %sign, %wide, %constant : tensor<37x8xf8E4M3FN>, tensor<6x35xi4>, tensor<5x37xf8E4M3FN>, tensor<6x5xi32>, tensor<30xui32>, tensor<2x33xf32>, tensor<3xi4>
}
