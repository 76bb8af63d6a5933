// RUN: tenon-run --interpret %s
// Results whose sizes depend on data.

func.func @main() {
  %x = graph.constant dense<[[1.0, 0.0, -2.0], [0.0, 0.0, 3.0]]> : tensor<2x3xf32>

  %0 = control.call "nonzero"(%x)
    : (tensor<2x3xf32>) -> tensor<2x?xi64, #graph.dims<[2, "found"]>>
  %1 = control.call "copy"(%0)
    : (tensor<2x?xi64, #graph.dims<[2, "found"]>>) -> tensor<2x3xi64>
  %2 = graph.constant dense<[[0, 0, 1], [0, 2, 2]]> : tensor<2x3xi64>
  check.expect_eq %1, %2 : tensor<2x3xi64>
  %3 = graph.constant dense<true> : tensor<i1>
  %4 = control.call "nonzero"(%3) : (tensor<i1>) -> tensor<0x1xi64>

  // Numbers become symbols.
  %5 = graph.constant dense<[2, 0, 5]> : tensor<3xi64>
  %6 = control.call "extents"(%5) : (tensor<3xi64>)
    -> tensor<?x?x?x0xi8, #graph.dims<["a", "b", "c", 0]>>
  %7 = graph.sizes {dims = #graph.dims<["c", "a" + "b"]>} : () -> tensor<2xi64>
  %8 = graph.constant dense<[5, 2]> : tensor<2xi64>
  check.expect_eq %7, %8 : tensor<2xi64>

  // Of all elements, and along an axis; a short condition ends early.
  %9 = graph.constant dense<[false, true, true, false, true]> : tensor<5xi1>
  %10 = control.call "compress"(%x, %9) integers [0, 0]
    : (tensor<2x3xf32>, tensor<5xi1>) -> tensor<3xf32>
  %11 = graph.constant dense<[0.0, -2.0, 0.0]> : tensor<3xf32>
  check.expect_eq %10, %11 : tensor<3xf32>
  %12 = graph.constant dense<[true, false, true]> : tensor<3xi1>
  %13 = control.call "compress"(%x, %12) integers [1, -1]
    : (tensor<2x3xf32>, tensor<3xi1>) -> tensor<2x2xf32>
  %14 = graph.constant dense<[[1.0, -2.0], [0.0, 3.0]]> : tensor<2x2xf32>
  check.expect_eq %13, %14 : tensor<2x2xf32>
  %15 = control.constant dense<[["a", "b"], ["c", "d"]]> : tensor<2x2x!control.string>
  %16 = control.constant dense<[false, true]> : tensor<2xi1>
  %17 = control.call "compress"(%15, %16) integers [1, 0]
    : (tensor<2x2x!control.string>, tensor<2xi1>) -> tensor<1x2x!control.string>
  %18 = control.constant dense<[["c", "d"]]> : tensor<1x2x!control.string>
  check.expect_eq %17, %18 : tensor<1x2x!control.string>
  return
}
