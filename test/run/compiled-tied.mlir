// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect v=%t/v.npy --expect w=%t/w.npy
// RUN: tenon-compile %s --mcpu=haswell -o %t/haswell.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/haswell.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect v=%t/v.npy --expect w=%t/w.npy %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --expect v=%t/v.npy --expect w=%t/w.npy
// RUN: tenon-compile %s --mcpu=neoverse-n1 --emit=none --quiet
// RUN: tenon-opt %s --compile-to=codegen --mcpu=haswell -o - | FileCheck %s
// RUN: tenon-opt %s --compile-to=codegen --mcpu=skylake-avx512 -o - | FileCheck %s

// Rows of tables whose last panel is not full, by positive and negative
// indices, from the panels of a product with many rows and with few, which
// folds steps of k. Each table is there once.
// CHECK-COUNT-2: memory.constant {{.*}}pack
// CHECK-NOT: memory.constant {{.*}}tensor<50x12xf32> :
// CHECK-NOT: memory.constant {{.*}}tensor<50x16xf32> :
func.func @main(%i: tensor<2x3xi64> {onnx.name = "i"}, %few: tensor<2x16xf32> {onnx.name = "few"}, %many: tensor<64x12xf32> {onnx.name = "many"})
    -> (tensor<2x3x12xf32> {onnx.name = "y"}, tensor<64x50xf32> {onnx.name = "z"}, tensor<2x3x16xf32> {onnx.name = "v"}, tensor<2x50xf32> {onnx.name = "w"}) {
  %fifty = graph.constant dense<50> : tensor<i64>
  %middle = graph.constant dense<25> : tensor<i64>
  %0 = graph.mod %i, %fifty : (tensor<2x3xi64>, tensor<i64>) -> tensor<2x3xi64>
  %index = graph.sub %0, %middle : (tensor<2x3xi64>, tensor<i64>) -> tensor<2x3xi64>
  %row = graph.iota {axis = 0 : i64, start = -1.0 : f64, step = 0.125 : f64} : () -> tensor<50x1xf32>
  %a = graph.iota {axis = 1 : i64, start = 0.25 : f64, step = 0.5 : f64} : () -> tensor<1x12xf32>
  %b = graph.iota {axis = 1 : i64, start = 0.5 : f64, step = 0.25 : f64} : () -> tensor<1x16xf32>
  %wide = graph.mul %row, %a : (tensor<50x1xf32>, tensor<1x12xf32>) -> tensor<50x12xf32>
  %long = graph.add %row, %b : (tensor<50x1xf32>, tensor<1x16xf32>) -> tensor<50x16xf32>
  %y = graph.gather %wide, %index {axis = 0 : i64} : (tensor<50x12xf32>, tensor<2x3xi64>) -> tensor<2x3x12xf32>
  %1 = graph.transpose %wide {permutation = array<i64: 1, 0>} : (tensor<50x12xf32>) -> tensor<12x50xf32>
  %z = graph.matmul %many, %1 : (tensor<64x12xf32>, tensor<12x50xf32>) -> tensor<64x50xf32>
  %v = graph.gather %long, %index {axis = 0 : i64} : (tensor<50x16xf32>, tensor<2x3xi64>) -> tensor<2x3x16xf32>
  %2 = graph.transpose %long {permutation = array<i64: 1, 0>} : (tensor<50x16xf32>) -> tensor<16x50xf32>
  %w = graph.matmul %few, %2 : (tensor<2x16xf32>, tensor<16x50xf32>) -> tensor<2x50xf32>
  return %y, %z, %v, %w : tensor<2x3x12xf32>, tensor<64x50xf32>, tensor<2x3x16xf32>, tensor<2x50xf32>
}
