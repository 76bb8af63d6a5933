// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=zen4 --tenon-assign-buffers=target=zen4 --split-input-file | FileCheck %s --check-prefix=LINES

// Rows of 4096 bytes would all lie in one set of the first-level cache: a line
// is left free behind each, and tiles have as many rows as for any others.
// Vectors that are whole lines need none.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<96x1024xf32>, [1040, 1], 0, 399360>]
// CHECK: kernel.group
// CHECK-SAME: buffers = [!memory.buffer<tensor<96x1024xf32>, [1040, 1], 0, 399360>
// CHECK-SAME: mr = 6 : i64, nv = 2 : i64
// LINES: kernel.group
// LINES-SAME: !memory.buffer<tensor<96x1024xf32>, [1024, 1], 0, 393216>]
func.func @main(%x: tensor<96x64xf32>) -> tensor<96x64xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<64x1024xf32>
  %v = graph.constant dense<2.5e-01> : tensor<1024x64xf32>
  %0 = kernel.group(%x, %w) : (tensor<96x64xf32>, tensor<64x1024xf32>) -> tensor<96x1024xf32> {
  ^bb0(%a: tensor<96x64xf32>, %b: tensor<64x1024xf32>):
    %2 = graph.matmul %a, %b : (tensor<96x64xf32>, tensor<64x1024xf32>) -> tensor<96x1024xf32>
    kernel.yield %2 : tensor<96x1024xf32>
  }
  %1 = kernel.group(%0, %v) : (tensor<96x1024xf32>, tensor<1024x64xf32>) -> tensor<96x64xf32> {
  ^bb0(%a: tensor<96x1024xf32>, %b: tensor<1024x64xf32>):
    %2 = graph.matmul %a, %b : (tensor<96x1024xf32>, tensor<1024x64xf32>) -> tensor<96x64xf32>
    kernel.yield %2 : tensor<96x64xf32>
  }
  return %1 : tensor<96x64xf32>
}

// -----

// A user's rows lie as they are: tiles have fewer of them.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<96x1024xf32>, [1024, 1], 0, 393216>
// CHECK-SAME: mr = 4 : i64, nv = 3 : i64
func.func @main(%x: tensor<96x1024xf32>) -> tensor<96x64xf32> {
  %v = graph.constant dense<2.5e-01> : tensor<1024x64xf32>
  %0 = kernel.group(%x, %v) : (tensor<96x1024xf32>, tensor<1024x64xf32>) -> tensor<96x64xf32> {
  ^bb0(%a: tensor<96x1024xf32>, %b: tensor<1024x64xf32>):
    %1 = graph.matmul %a, %b : (tensor<96x1024xf32>, tensor<1024x64xf32>) -> tensor<96x64xf32>
    kernel.yield %1 : tensor<96x64xf32>
  }
  return %0 : tensor<96x64xf32>
}
