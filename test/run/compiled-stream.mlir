// What is too large for the caches goes past them when its layout changes: to
// other threads, which read it in the next kernel, and to a result.
// RUN: rm -rf %t.dir && tenon-run --interpret %s --input random:3 --output-dir %t.dir
// DEFINE: %{expect} = --input random:3 --expect p=%t.dir/p.npy --expect t=%t.dir/t.npy --rtol 0 --atol 0
// RUN: tenon-compile %s --quiet --fusion=greedy --mcpu=haswell --emit=asm -o - | FileCheck %s
// RUN: tenon-compile %s --quiet --fusion=greedy -o %t.native.tenon
// RUN: tenon-run %t.native.tenon --threads 2 %{expect}
// RUN: tenon-compile %s --quiet --fusion=greedy --mcpu=haswell --guard-memory -o %t.haswell.tenon
// RUN: %if avx2 %{ tenon-run %t.haswell.tenon --threads 2 %{expect} %}

// CHECK: vmovnt
// CHECK: sfence
func.func @main(%x: tensor<1x96x211x211xf32> {onnx.name = "x"}) -> (tensor<1x96x105x105xf32> {onnx.name = "p"}, tensor<1x211x211x96xf32> {onnx.name = "t"}) {
  %p = "onnx.MaxPool"(%x) {kernel_shape = array<i64: 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x96x211x211xf32>) -> tensor<1x96x105x105xf32>
  %t = "onnx.Transpose"(%x) {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x96x211x211xf32>) -> tensor<1x211x211x96xf32>
  return %p, %t : tensor<1x96x105x105xf32>, tensor<1x211x211x96xf32>
}
