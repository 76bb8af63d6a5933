// RUN: tenon-run --interpret %s
// Groups compute what their regions say.

func.func @main() {
  %0 = graph.constant dense<[[1.0, -2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = graph.constant dense<[[1.0, 0.0], [0.0, -1.0]]> : tensor<2x2xf32>
  %2:2 = kernel.group(%0, %1)
    : (tensor<2x2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  ^bb0(%a: tensor<2x2xf32>, %b: tensor<2x2xf32>):
    %3 = graph.matmul %a, %b
      : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %4 = graph.relu %3 : (tensor<2x2xf32>) -> tensor<2x2xf32>
    kernel.yield %4, %3 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  %5 = graph.constant dense<[[1.0, 2.0], [3.0, 0.0]]> : tensor<2x2xf32>
  check.expect_eq %2#0, %5 : tensor<2x2xf32>
  %6 = graph.constant dense<[[1.0, 2.0], [3.0, -4.0]]> : tensor<2x2xf32>
  check.expect_eq %2#1, %6 : tensor<2x2xf32>
  return
}
