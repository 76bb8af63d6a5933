// RUN: tenon-run --interpret %s
// Of boxes that overlap, the best one.

func.func @main() {
  // Corners y1, x1, y2, x2, in any order: the second covers most of the first,
  // the fifth most of the fourth.
  %boxes = graph.constant dense<[[[0.0, 0.0, 1.0, 1.0], [1.0, 1.1, 0.0, 0.1],
    [0.0, -0.1, 1.0, 0.9], [0.0, 10.0, 1.0, 11.0], [0.0, 10.1, 1.0, 11.1],
    [0.0, 100.0, 1.0, 101.0]]]> : tensor<1x6x4xf32>
  %scores = graph.constant dense<[[[0.9, 0.75, 0.6, 0.95, 0.5, 0.3]]]> : tensor<1x1x6xf32>
  %three = graph.constant dense<3> : tensor<1xi64>
  %half = graph.constant dense<0.5> : tensor<1xf32>
  %zero = graph.constant dense<0.0> : tensor<1xf32>
  %0 = control.call "non_max_suppression"(%boxes, %scores, %three, %half, %zero) integers [0]
    : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<?x3xi64, #graph.dims<["chosen", 3]>>
  %1 = control.call "copy"(%0)
    : (tensor<?x3xi64, #graph.dims<["chosen", 3]>>) -> tensor<3x3xi64>
  %2 = graph.constant dense<[[0, 0, 3], [0, 0, 0], [0, 0, 5]]> : tensor<3x3xi64>
  check.expect_eq %1, %2 : tensor<3x3xi64>

  // A score that only some have; all of them may be chosen.
  %least = graph.constant dense<0.4> : tensor<1xf32>
  %3 = control.call "non_max_suppression"(%boxes, %scores, %three, %half, %least) integers [0]
    : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, tensor<1xi64>, tensor<1xf32>, tensor<1xf32>)
    -> tensor<2x3xi64>
  %4 = graph.constant dense<[[0, 0, 3], [0, 0, 0]]> : tensor<2x3xi64>
  check.expect_eq %3, %4 : tensor<2x3xi64>

  // Without a number of boxes there are none.
  %none = control.call "optional"() : () -> !control.optional<tensor<1xi64>>
  %5 = control.call "non_max_suppression"(%boxes, %scores, %none, %half) integers [0]
    : (tensor<1x6x4xf32>, tensor<1x1x6xf32>, !control.optional<tensor<1xi64>>, tensor<1xf32>)
    -> tensor<0x3xi64>

  // Centres, widths and heights; two classes; equal scores in their order.
  %centred = graph.constant dense<[[[0.5, 0.5, 1.0, 1.0], [0.5, 0.6, 1.0, 1.0],
    [0.5, 10.5, 1.0, 1.0]]]> : tensor<1x3x4xf32>
  %two = graph.constant dense<[[[0.5, 0.5, 0.5], [0.1, 0.2, 0.3]]]> : tensor<1x2x3xf32>
  %6 = control.call "non_max_suppression"(%centred, %two, %three, %half) integers [1]
    : (tensor<1x3x4xf32>, tensor<1x2x3xf32>, tensor<1xi64>, tensor<1xf32>)
    -> tensor<4x3xi64>
  %7 = graph.constant dense<[[0, 0, 0], [0, 0, 2], [0, 1, 2], [0, 1, 1]]> : tensor<4x3xi64>
  check.expect_eq %6, %7 : tensor<4x3xi64>
  return
}
