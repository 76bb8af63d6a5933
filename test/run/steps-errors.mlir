// RUN: not tenon-run --interpret %s 2>&1 | FileCheck %s

// CHECK: steps-errors.mlir:6:8: has a result that is too large
func.func @main() {
  %x = graph.constant dense<1.0> : tensor<1000000xf32>
  %0 = graph.steps @body(%x) {count = 1000000000000, scans = 0, next = array<i64: 0>, stacked = array<i1: true>} : (tensor<1000000xf32>) -> tensor<1000000000000x1000000xf32>
  return
}

func.func @body(%h: tensor<1000000xf32>) -> tensor<1000000xf32> attributes {graph.steps_body} {
  %0 = graph.neg %h : (tensor<1000000xf32>) -> tensor<1000000xf32>
  return %0 : tensor<1000000xf32>
}
