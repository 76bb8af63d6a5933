// Numbers are narrowed to f16 and widened by the processor's own instructions,
// also those of a row that fill no vector.
// DEFINE: %{mcpu} =
// DEFINE: %{asm} = tenon-compile %s --emit=asm --mcpu=%{mcpu} -o - --quiet
// REDEFINE: %{mcpu} = haswell
// RUN: %{asm} | FileCheck %s --check-prefix=X86 --implicit-check-not=call --implicit-check-not=vpsrld
// REDEFINE: %{mcpu} = skylake-avx512
// RUN: %{asm} | FileCheck %s --check-prefix=X86 --implicit-check-not=call --implicit-check-not=vpsrld
// REDEFINE: %{mcpu} = neoverse-n1
// RUN: %{asm} | FileCheck %s --check-prefix=ARM --implicit-check-not='{{[[:space:]]bl[[:space:]]}}'
//
// RUN: rm -rf %t && tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s --mcpu=haswell -o %t/a.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/a.tenon --input random:3 --expect y=%t/y.npy --expect w=%t/w.npy --rtol 0 --atol 0 %}

// X86-DAG: vcvtps2ph ${{[0-9]+}}, %{{[yz]}}mm
// X86-DAG: vcvtph2ps {{.*}}%{{[yz]}}mm
// ARM-DAG: fcvtn v{{[0-9]+}}.4h, v{{[0-9]+}}.4s
// ARM-DAG: fcvtl v{{[0-9]+}}.4s, v{{[0-9]+}}.4h
func.func @main(%x: tensor<4x45xf32> {onnx.name = "x"}, %z: tensor<4x45xf16> {onnx.name = "z"})
    -> (tensor<4x45xf16> {onnx.name = "y"}, tensor<4x45xf32> {onnx.name = "w"}) {
  %y = "onnx.Cast"(%x) {to = 10 : i64} : (tensor<4x45xf32>) -> tensor<4x45xf16>
  %w = "onnx.Cast"(%z) {to = 1 : i64} : (tensor<4x45xf16>) -> tensor<4x45xf32>
  return %y, %w : tensor<4x45xf16>, tensor<4x45xf32>
}
