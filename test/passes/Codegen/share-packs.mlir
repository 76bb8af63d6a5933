// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-share-packs | FileCheck %s
// RUN: tenon-opt %s --compile-to=codegen --mcpu=x86-64-v3 -o - | FileCheck %s --check-prefix=CODE
// RUN: tenon-opt %s --compile-to=codegen --mcpu=x86-64-v3 --weights=f16 -o - | FileCheck %s --check-prefix=NARROW

// A gather reads the rows of a table where the product has them; another table
// and columns of the same one are read as they are.
// CODE: memory.constant {{.*}} : tensor<40x8xf32> {pack = {{.*}}} : <tensor<[[PANELS:[0-9]+]]x8x[[PANEL:[0-9]+]]xf32>
// CODE-NOT: memory.constant dense<{{.*}}> : tensor<40x8xf32> : <
// Weights in 16 bits are not the numbers that are gathered.
// NARROW: memory.constant {{.*}} : tensor<40x8xf32> :
// NARROW: memory.constant {{.*}} : tensor<40x8xf32> {pack = {{{.*}}element = f16
func.func @main(%x: tensor<64x8xf32>, %i: tensor<3xi64>) -> (tensor<3x8xf32>, tensor<3x4xf32>, tensor<64x40xf32>) {
  %table = graph.constant dense<1.0e-01> : tensor<40x8xf32>
  %other = graph.constant dense<2.0e-01> : tensor<30x4xf32>
  // CHECK: kernel.group
  // CHECK-SAME: packs = [{{{.*}}k_dims = array<i64: 1>, n_dims = array<i64: 0>, panel = {{[0-9]+}} : i64}, unit]
  %0 = kernel.group(%table, %i) : (tensor<40x8xf32>, tensor<3xi64>) -> tensor<3x8xf32> {
  ^bb0(%a: tensor<40x8xf32>, %b: tensor<3xi64>):
    %3 = graph.gather %a, %b {axis = 0 : i64} : (tensor<40x8xf32>, tensor<3xi64>) -> tensor<3x8xf32>
    kernel.yield %3 : tensor<3x8xf32>
  }
  // CHECK: kernel.group
  // CHECK-SAME: packs = [unit, unit]
  %1 = kernel.group(%other, %i) : (tensor<30x4xf32>, tensor<3xi64>) -> tensor<3x4xf32> {
  ^bb0(%a: tensor<30x4xf32>, %b: tensor<3xi64>):
    %3 = graph.gather %a, %b {axis = 0 : i64} : (tensor<30x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    kernel.yield %3 : tensor<3x4xf32>
  }
  %2 = kernel.group(%x, %table) : (tensor<64x8xf32>, tensor<40x8xf32>) -> tensor<64x40xf32> {
  ^bb0(%a: tensor<64x8xf32>, %b: tensor<40x8xf32>):
    %3 = graph.matmul %a, %b {transpose_rhs} : (tensor<64x8xf32>, tensor<40x8xf32>) -> tensor<64x40xf32>
    kernel.yield %3 : tensor<64x40xf32>
  }
  return %0, %1, %2 : tensor<3x8xf32>, tensor<3x4xf32>, tensor<64x40xf32>
}
