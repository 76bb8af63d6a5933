// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s

// A module that has no kernel yet: what it returns is copied by one.
// CHECK: kernel.group(%{{.*}}) {{.*}}plan = #kernel.plan<"loops"
// CHECK: graph.transpose
func.func @main(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  return %x : tensor<8x3xf32>
}
