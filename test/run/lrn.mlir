// RUN: tenon-run --interpret %s
// Local response normalisation across channels.

func.func @main() {
  %0 = graph.constant dense<[[[[2.5, -2.5]], [[-0.5, 2.5]], [[-1.5, -1.5]], [[3.5, -1.5]], [[3.5, 3.5]]]]> : tensor<1x5x1x2xf32>
  %1 = graph.lrn %0 {size = 3 : i64, alpha = 0.5 : f32, beta = 0.75 : f32, bias = 1.0 : f32}
    : (tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32>
  %2 = graph.constant dense<[[[[1.4416869, -1.0744214]], [[-0.25467682, 0.9858024]], [[-0.59148145, -0.6945341]], [[0.9801059, -0.5520376]], [[1.0338478, 1.3927273]]]]> : tensor<1x5x1x2xf32>
  check.expect_close %1, %2 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x5x1x2xf32>

  %3 = graph.constant dense<[[[[2.5, -0.5, -1.5, 3.5, 3.5], [-2.5, 2.5, -1.5, -1.5, 3.5]]]]> : tensor<1x1x2x5xf32>
  %4 = graph.lrn %3 {size = 3 : i64, alpha = 0.5 : f32, beta = 0.75 : f32, bias = 1.0 : f32, layout = #graph<layout nhwc>}
    : (tensor<1x1x2x5xf32>) -> tensor<1x1x2x5xf32>
  %5 = graph.constant dense<[[[[1.4416869, -0.25467682, -0.59148145, 0.9801059, 1.0338478], [-1.0744214, 0.9858024, -0.6945341, -0.5520376, 1.3927273]]]]> : tensor<1x1x2x5xf32>
  check.expect_close %4, %5 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x1x2x5xf32>

  %6 = graph.constant dense<[[[[2.5, -2.5]], [[-0.5, 2.5]], [[-1.5, -1.5]], [[3.5, -1.5]], [[3.5, 3.5]]]]> : tensor<1x5x1x2xf32>
  %7 = graph.lrn %6 {size = 4 : i64, alpha = 0.5 : f32, beta = 0.75 : f32, bias = 1.0 : f32}
    : (tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32>
  %8 = graph.constant dense<[[[[1.4363041, -1.1416197]], [[-0.190322, 1.0636592]], [[-0.49585846, -0.5431096]], [[1.1632403, -0.64302427]], [[1.2231311, 1.6115681]]]]> : tensor<1x5x1x2xf32>
  check.expect_close %7, %8 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x5x1x2xf32>

  %9 = graph.constant dense<[[[[2.5, -2.5]], [[-0.5, 2.5]], [[-1.5, -1.5]], [[3.5, -1.5]], [[3.5, 3.5]]]]> : tensor<1x5x1x2xf32>
  %10 = graph.lrn %9 {size = 1 : i64, alpha = 0.5 : f32, beta = 0.75 : f32, bias = 1.0 : f32}
    : (tensor<1x5x1x2xf32>) -> tensor<1x5x1x2xf32>
  %11 = graph.constant dense<[[[[0.86371815, -0.86371815]], [[-0.45772603, 0.86371815]], [[-0.85225993, -0.85225993]], [[0.8025635, -0.85225993]], [[0.8025635, 0.8025635]]]]> : tensor<1x5x1x2xf32>
  check.expect_close %10, %11 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<1x5x1x2xf32>
  return
}
