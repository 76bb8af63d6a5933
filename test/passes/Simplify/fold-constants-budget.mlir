// The budget counts steps over all operations: the first negation fits, the
// second does not.
// RUN: tenon-opt %s --tenon-fold-constants="max-work=5" | FileCheck %s

// CHECK-LABEL: func.func @main
// CHECK: graph.constant dense<[-1.000000e+00, -2.000000e+00]>
// CHECK: graph.neg
func.func @main() -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %1 = graph.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
  %2 = graph.constant dense<[3.0, 4.0]> : tensor<2xf32>
  %3 = graph.neg %2 : (tensor<2xf32>) -> tensor<2xf32>
  return %1, %3 : tensor<2xf32>, tensor<2xf32>
}
