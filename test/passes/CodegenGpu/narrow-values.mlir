// What lies between groups in 16 bits, and what stays f32.
// RUN: tenon-opt %s --tenon-fuse-groups=mode=greedy --tenon-narrow-values=type=f16 | FileCheck %s
// RUN: tenon-opt %s --tenon-fuse-groups=mode=greedy --tenon-narrow-values=type=bf16 | FileCheck %s --check-prefix=BRAIN

// The first product reads an input of the program; what is stored is rounded.
// The second takes 16 bits as they are, and its sum is widened before the bias.
// CHECK-LABEL: func.func @products(
// CHECK: kernel.group
// CHECK-SAME: (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf16>
// CHECK: graph.matmul {{.*}} -> tensor<4x16xf32>
// CHECK: graph.relu {{.*}} -> tensor<4x16xf32>
// CHECK: graph.cast {{.*}} -> tensor<4x16xf16>
// CHECK: kernel.group
// CHECK-SAME: (tensor<4x16xf16>, tensor<16x8xf16>, tensor<8xf32>) -> tensor<4x8xf32>
// CHECK: graph.matmul {{.*}} -> tensor<4x8xf16>
// CHECK-NEXT: graph.cast {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: graph.add {{.*}} -> tensor<4x8xf32>
// CHECK-NEXT: kernel.yield
// BRAIN-LABEL: func.func @products(
// BRAIN: (tensor<4x16xbf16>, tensor<16x8xbf16>, tensor<8xf32>) -> tensor<4x8xf32>
func.func @products(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %v = graph.constant dense<0.5> : tensor<8x16xf32>
  %w = graph.constant dense<0.25> : tensor<16x8xf32>
  %b = graph.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
  %0 = graph.matmul %x, %v : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = graph.relu %0 : (tensor<4x16xf32>) -> tensor<4x16xf32>
  %2 = graph.matmul %1, %w : (tensor<4x16xf32>, tensor<16x8xf32>) -> tensor<4x8xf32>
  %3 = graph.add %2, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// A weight that f16 cannot hold: its product and what that reads stay f32.
// CHECK-LABEL: func.func @large_weight(
// CHECK: (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK-NOT: f16
// BRAIN-LABEL: func.func @large_weight(
// BRAIN: (tensor<4x4xbf16>, tensor<4x4xbf16>) -> tensor<4x4xf32>
func.func @large_weight(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %v = graph.constant dense<0.5> : tensor<4x4xf32>
  %w = graph.constant dense<1.0e+06> : tensor<4x4xf32>
  %0 = graph.matmul %x, %v : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %0, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// A mask is made of a number beyond 16 bits; what exp makes of it fits.
// CHECK-LABEL: func.func @mask(
// CHECK: (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
// CHECK: graph.concat {{.*}} -> tensor<8x4xf32>
// CHECK: (tensor<8x4xf32>) -> tensor<4x4xf16>
// CHECK: graph.exp {{.*}} -> tensor<4x4xf32>
// CHECK: graph.matmul {{.*}} : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// BRAIN-LABEL: func.func @mask(
// BRAIN: graph.concat {{.*}} -> tensor<8x4xf32>
// BRAIN: (tensor<8x4xf32>) -> tensor<4x4xbf16>
func.func @mask(%m: tensor<4x4xi1>) -> tensor<4x4xf32> {
  %low = graph.constant dense<-3.40282347e+38> : tensor<4x4xf32>
  %zero = graph.constant dense<0.0> : tensor<4x4xf32>
  %w = graph.constant dense<0.25> : tensor<4x4xf32>
  %0 = graph.select %m, %zero, %low : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %t = graph.concat %0, %0 {axis = 0 : i64} : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %s = graph.slice %t {starts = array<i64: 2, 0>, sizes = array<i64: 4, 4>, steps = array<i64: 1, 1>} : (tensor<8x4xf32>) -> tensor<4x4xf32>
  %1 = graph.exp %s : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = graph.matmul %1, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

// A factor that the epilogue reads, too, is widened there. Sizes that the inputs
// decide are left alone.
// CHECK-LABEL: func.func @shared(
// CHECK: (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf32>
// CHECK: graph.matmul %[[X:.*]], %[[W:.*]] : (tensor<4x4xf16>, tensor<4x4xf16>) -> tensor<4x4xf16>
// CHECK-DAG: graph.cast %[[X]] : (tensor<4x4xf16>) -> tensor<4x4xf32>
// CHECK-DAG: graph.cast %[[W]] : (tensor<4x4xf16>) -> tensor<4x4xf32>
func.func @shared(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %w = graph.constant dense<0.25> : tensor<4x4xf32>
  %0 = graph.exp %x : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = graph.matmul %0, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = graph.add %1, %0 : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = graph.mul %2, %w : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %3 : tensor<4x4xf32>
}

// CHECK-LABEL: func.func @symbols(
// CHECK-NOT: f16
func.func @symbols(%x: tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["n", 4]>> {
  %w = graph.constant dense<0.25> : tensor<4x4xf32>
  %0 = graph.exp %x : (tensor<?x4xf32, #graph.dims<["n", 4]>>) -> tensor<?x4xf32, #graph.dims<["n", 4]>>
  %1 = graph.matmul %0, %w : (tensor<?x4xf32, #graph.dims<["n", 4]>>, tensor<4x4xf32>) -> tensor<?x4xf32, #graph.dims<["n", 4]>>
  return %1 : tensor<?x4xf32, #graph.dims<["n", 4]>>
}
