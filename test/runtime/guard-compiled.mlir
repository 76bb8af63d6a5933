// Compiled kernels keep to their buffers, with guards on either side, and write
// what they always write; and when the program tells them wrong, they are named.
// REQUIRES: avx2
// RUN: rm -rf %t && mkdir %t
// RUN: tenon-compile %s --quiet --winograd=off --mcpu=x86-64-v3 -o %t/normal.tenon
// RUN: tenon-run %t/normal.tenon --input random:1 --output-dir %t/normal

// DEFINE: %{guard} = above
// DEFINE: %{agree} = tenon-compile %s --winograd=off --mcpu=x86-64-v3 --guard-memory=%{guard} -o %t/a.tenon | FileCheck %s --check-prefix=REPORT && tenon-run %t/a.tenon --input random:1 --threads 2 --output-dir %t/%{guard} && cmp %t/normal/y.npy %t/%{guard}/y.npy && cmp %t/normal/s.npy %t/%{guard}/s.npy
// RUN: %{agree}
// REDEFINE: %{guard} = below
// RUN: %{agree}
// RUN: tenon-run %t/a.tenon --signature | FileCheck %s --check-prefix=SIG
// REPORT: arena {{ *}}458752 bytes
// SIG: arena   448.0 KiB ({{.*}}), guarded

// Three ways to lie to kernels: a buffer that is too short, a buffer without the
// halo that was granted, a launch before the one whose result it reads.
// RUN: tenon-compile %s --quiet --winograd=off --mcpu=x86-64-v3 --compile-to=codegen -o %t/honest.mlir
// DEFINE: %{lie} = ''
// DEFINE: %{run} = sed %{lie} %t/honest.mlir > %t/lie.mlir && tenon-compile %t/lie.mlir --quiet --mcpu=x86-64-v3 --guard-memory -o %t/lie.tenon && not tenon-run %t/lie.tenon 2>&1 | FileCheck %s

// REDEFINE: %{lie} = 's/\[800, 80, 8, 1\], 0, 3200>/[800, 80, 8, 1], 0, 3136>/g'
// RUN: %{run} --check-prefix=SHORT
// SHORT: kernel 'gemm_{{[0-9]+}}' of launch 4 (nodes 'second') {{wrote|touched}} 1 byte above the end of buffer 2 (3136 bytes)
// REDEFINE: %{lie} = 's/, 104, 4608>/, 104, 4544>/g'
// RUN: %{run} --check-prefix=HALO
// HALO: kernel 'zero_halo_{{[0-9]+}}' of launch 0 (nodes 'zero halo') {{wrote|touched}} 1 byte above the end of buffer 0 (4544 bytes)
// REDEFINE: %{lie} = '/gemm.*"second"/{h;d};/loops.*"second"/G'
// RUN: %{run} --check-prefix=ORDER
// ORDER: kernel 'loops_{{[0-9]+}}' of launch 5 (nodes 'second') {{read|touched}} byte 0 of buffer 2 (3200 bytes), which is not alive before kernel 'gemm_{{[0-9]+}}' of launch 6 (nodes 'second')

func.func @main(%x: tensor<1x8x10x10xf32> {onnx.name = "x"}, %m: tensor<5x37xf32> {onnx.name = "m"})
    -> (tensor<1x8x10x10xf32> {onnx.name = "y"}, tensor<5x37xf32> {onnx.name = "s"}) {
  %w = graph.constant dense<0.125> : tensor<8x8x3x3xf32>
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x8x10x10xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x10x10xf32> loc("first")
  %1 = graph.relu %0 : (tensor<1x8x10x10xf32>) -> tensor<1x8x10x10xf32> loc("relu")
  %2 = graph.conv %1, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>}
    : (tensor<1x8x10x10xf32>, tensor<8x8x3x3xf32>) -> tensor<1x8x10x10xf32> loc("second")
  %3 = graph.softmax %m {axis = 1} : (tensor<5x37xf32>) -> tensor<5x37xf32> loc("softmax")
  return %2, %3 : tensor<1x8x10x10xf32>, tensor<5x37xf32>
}
