// RUN: tenon-opt %s --tenon-schedule-groups | FileCheck %s

// One stage per group, in program order; views take none.
// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {
  // CHECK: kernel.group(%{{.*}}) {stage = 0 : i64}
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  %2 = graph.reshape %0 : (tensor<4xf32>) -> tensor<2x2xf32>
  // CHECK: kernel.group(%{{.*}}) {stage = 1 : i64}
  %3 = kernel.group(%2) : (tensor<2x2xf32>) -> tensor<2x2xf32> {
  ^bb0(%a: tensor<2x2xf32>):
    %4 = graph.tanh %a : (tensor<2x2xf32>) -> tensor<2x2xf32>
    kernel.yield %4 : tensor<2x2xf32>
  }
  return %3 : tensor<2x2xf32>
}
