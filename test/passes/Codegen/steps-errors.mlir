// RUN: tenon-opt %s -verify-diagnostics -tenon-plan-kernels=target=avx2

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{a loop must be alone in its group}}
  %r = kernel.group(%h) : (tensor<2xf32>) -> tensor<2xf32> {
  ^bb0(%h0: tensor<2xf32>):
    %0 = graph.steps @body(%h0) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
    %1 = graph.neg %0 : (tensor<2xf32>) -> tensor<2xf32>
    kernel.yield %1 : tensor<2xf32>
  }
  return %r : tensor<2xf32>
}
func.func @body(%h: tensor<2xf32>) -> tensor<2xf32> attributes {graph.steps_body} {
  return %h : tensor<2xf32>
}
