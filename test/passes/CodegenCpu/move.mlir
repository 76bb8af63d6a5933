// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 --split-input-file | FileCheck %s

// Each operand's rows are copied with whole registers, the last one masked;
// halves and quarters of one need no mask.
// CHECK: kernel.launch @[[CONCAT:.*]] tiles(1)
// CHECK: func.func private @[[CONCAT]](
// CHECK: llvm.load {{.*}} -> vector<16xf32>
// CHECK: llvm.intr.masked.load
// CHECK: llvm.intr.masked.store
func.func @main(%x: tensor<4x32xf32>, %y: tensor<4x21xf32>) -> tensor<4x53xf32> {
  %r = kernel.group(%x, %y) : (tensor<4x32xf32>, tensor<4x21xf32>) -> tensor<4x53xf32> {
  ^bb0(%a: tensor<4x32xf32>, %b: tensor<4x21xf32>):
    %0 = graph.concat %a, %b {axis = 1 : i64} : (tensor<4x32xf32>, tensor<4x21xf32>) -> tensor<4x53xf32>
    kernel.yield %0 : tensor<4x53xf32>
  }
  return %r : tensor<4x53xf32>
}

// -----

// CHECK: kernel.launch @[[QUARTER:.*]] tiles(1)
// CHECK: func.func private @[[QUARTER]](
// CHECK: llvm.intr.masked.load
// CHECK: vector.shuffle {{.*}} [0, 1, 2, 3] : vector<16xf32>, vector<16xf32>
// CHECK: llvm.store {{.*}} : vector<4xf32>
// CHECK-NOT: llvm.intr.masked.store
func.func @main(%x: tensor<4x32xf32>, %y: tensor<4x20xf32>) -> tensor<4x52xf32> {
  %r = kernel.group(%x, %y) : (tensor<4x32xf32>, tensor<4x20xf32>) -> tensor<4x52xf32> {
  ^bb0(%a: tensor<4x32xf32>, %b: tensor<4x20xf32>):
    %0 = graph.concat %a, %b {axis = 1 : i64} : (tensor<4x32xf32>, tensor<4x20xf32>) -> tensor<4x52xf32>
    kernel.yield %0 : tensor<4x52xf32>
  }
  return %r : tensor<4x52xf32>
}

// -----

// Indices are forced inside, so that no input can make a kernel read outside.
// CHECK: func.func private @[[GATHER:copy.*]](
// CHECK: arith.maxsi
// CHECK: arith.minsi
func.func @main(%x: tensor<9x64xf32>, %i: tensor<17xi64>) -> tensor<17x64xf32> {
  %r = kernel.group(%x, %i) : (tensor<9x64xf32>, tensor<17xi64>) -> tensor<17x64xf32> {
  ^bb0(%a: tensor<9x64xf32>, %b: tensor<17xi64>):
    %0 = graph.gather %a, %b {axis = 0 : i64} : (tensor<9x64xf32>, tensor<17xi64>) -> tensor<17x64xf32>
    kernel.yield %0 : tensor<17x64xf32>
  }
  return %r : tensor<17x64xf32>
}
