// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-narrow-weights | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-narrow-weights=type=bf16 | FileCheck %s --check-prefix=BRAIN
// RUN: tenon-opt %s --compile-to=codegen --mcpu=x86-64-v4 --weights=f16 -o - | FileCheck %s --check-prefix=CODE

// One tenth is not exact, 70000 is more than f16 holds. Whoever reads a constant
// the same way shares it. A single column is read by other code.
// CHECK: module attributes {kernel.narrowed = [
// CHECK-SAME: {bytes_saved = 512 : i64, element = f16, error = 2.4415552{{[0-9]*}}E-4 : f64, error_of_largest = 2.4415552{{[0-9]*}}E-4 : f64, nodes = ""}
// CHECK-SAME: {bytes_saved = 0 : i64, element = f32, error = 0.000000e+00 : f64, error_of_largest = 0.000000e+00 : f64, kept = "a weight is too large for 16 bits", nodes = ""}
// CHECK-SAME: {bytes_saved = 0 : i64, element = f32, {{.*}}kept = "its kernel reads f32", nodes = ""}
// BRAIN: module attributes {kernel.narrowed = [
// BRAIN-SAME: element = bf16, error = 9.765475{{[0-9]*}}E-4
// BRAIN-SAME: bytes_saved = 512 : i64, element = bf16

// CODE: memory.constant dense<1.000000e-01> : tensor<16x16xf32> {pack = {{{.*}}element = f16{{.*}}}} : <tensor<1x8x32xf16>, [256, 32, 1], 0, 512>
// CODE: llvm.load {{.*}} -> vector<16xf16>
// CODE: arith.extf {{.*}} : vector<16xf16> to vector<16xf32>
func.func @main(%x: tensor<4x16xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x1xf32>) {
  %w = graph.constant dense<1.0e-01> : tensor<16x16xf32>
  %large = graph.constant dense<7.0e+04> : tensor<16x16xf32>
  %column = graph.constant dense<1.0e-01> : tensor<16x1xf32>
  // CHECK: kernel.group
  // CHECK-SAME: packs = [unit, {{{.*}}element = f16, {{.*}}panel = 32 : i64}]
  %0 = kernel.group(%x, %w) : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x16xf32>):
    %4 = graph.matmul %a, %b : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    kernel.yield %4 : tensor<4x16xf32>
  }
  // CHECK: kernel.group
  // CHECK-SAME: packs = [unit, {{{.*}}element = f16, {{.*}}panel = 32 : i64}]
  %1 = kernel.group(%0, %w) : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x16xf32>):
    %4 = graph.matmul %a, %b : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    kernel.yield %4 : tensor<4x16xf32>
  }
  // CHECK: kernel.group
  // CHECK-SAME: packs = [unit, {batch_dims = array<i64>, fold = 2 : i64, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 32 : i64}]
  %2 = kernel.group(%x, %large) : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x16xf32>):
    %4 = graph.matmul %a, %b : (tensor<4x16xf32>, tensor<16x16xf32>) -> tensor<4x16xf32>
    kernel.yield %4 : tensor<4x16xf32>
  }
  // CHECK: kernel.group
  // CHECK-NOT: element
  %3 = kernel.group(%x, %column) : (tensor<4x16xf32>, tensor<16x1xf32>) -> tensor<4x1xf32> {
  ^bb0(%a: tensor<4x16xf32>, %b: tensor<16x1xf32>):
    %4 = graph.matmul %a, %b : (tensor<4x16xf32>, tensor<16x1xf32>) -> tensor<4x1xf32>
    kernel.yield %4 : tensor<4x1xf32>
  }
  return %0, %1, %2, %3 : tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x16xf32>, tensor<4x1xf32>
}
