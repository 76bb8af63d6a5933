// RUN: tenon-opt %s --tenon-form-views | FileCheck %s

// Nothing is known of sizes, so nothing was planned and nothing is a view.
// CHECK-LABEL: func.func @dynamic
// CHECK: kernel.group
// CHECK-NEXT: ^bb0
// CHECK-NEXT: graph.transpose
func.func @dynamic(%x: tensor<2x?x64xf32>) -> tensor<?x2x64xf32> {
  %t = kernel.group(%x) : (tensor<2x?x64xf32>) -> tensor<?x2x64xf32> {
  ^bb0(%a: tensor<2x?x64xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0, 2>} : (tensor<2x?x64xf32>) -> tensor<?x2x64xf32>
    kernel.yield %0 : tensor<?x2x64xf32>
  }
  %r = kernel.group(%t) : (tensor<?x2x64xf32>) -> tensor<?x2x64xf32> {
  ^bb0(%a: tensor<?x2x64xf32>):
    %0 = graph.relu %a : (tensor<?x2x64xf32>) -> tensor<?x2x64xf32>
    kernel.yield %0 : tensor<?x2x64xf32>
  }
  return %r : tensor<?x2x64xf32>
}
