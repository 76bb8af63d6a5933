// RUN: tenon-run --interpret %s
// The elements or slices that differ, where each is first, which of them each
// is, and how often it is there.

func.func @main() {
  %x = graph.constant dense<[2.0, 1.0, 1.0, 3.0, 4.0, 3.0]> : tensor<6xf32>
  %0:4 = control.call "unique"(%x) integers [0, 0, 1] : (tensor<6xf32>)
    -> (tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>)
  %1 = graph.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %2 = graph.constant dense<[1, 0, 3, 4]> : tensor<4xi64>
  %3 = graph.constant dense<[1, 0, 0, 2, 3, 2]> : tensor<6xi64>
  %4 = graph.constant dense<[2, 1, 2, 1]> : tensor<4xi64>
  check.expect_eq %0#0, %1 : tensor<4xf32>
  check.expect_eq %0#1, %2 : tensor<4xi64>
  check.expect_eq %0#2, %3 : tensor<6xi64>
  check.expect_eq %0#3, %4 : tensor<4xi64>

  // In the order in which they are first met.
  %5:4 = control.call "unique"(%x) integers [0, 0, 0] : (tensor<6xf32>)
    -> (tensor<4xf32>, tensor<4xi64>, tensor<6xi64>, tensor<4xi64>)
  %6 = graph.constant dense<[2.0, 1.0, 3.0, 4.0]> : tensor<4xf32>
  %7 = graph.constant dense<[0, 1, 3, 4]> : tensor<4xi64>
  %8 = graph.constant dense<[0, 1, 1, 2, 3, 2]> : tensor<6xi64>
  %9 = graph.constant dense<[1, 2, 2, 1]> : tensor<4xi64>
  check.expect_eq %5#0, %6 : tensor<4xf32>
  check.expect_eq %5#1, %7 : tensor<4xi64>
  check.expect_eq %5#2, %8 : tensor<6xi64>
  check.expect_eq %5#3, %9 : tensor<4xi64>

  // Slices along an axis, compared element by element.
  %10 = graph.constant dense<[[1, 0, 1, 2], [1, -1, 1, 2]]> : tensor<2x4xi32>
  %11:4 = control.call "unique"(%10) integers [1, -1, 1] : (tensor<2x4xi32>)
    -> (tensor<2x3xi32>, tensor<3xi64>, tensor<4xi64>, tensor<3xi64>)
  %12 = graph.constant dense<[[0, 1, 2], [-1, 1, 2]]> : tensor<2x3xi32>
  %13 = graph.constant dense<[1, 0, 3]> : tensor<3xi64>
  %14 = graph.constant dense<[1, 0, 1, 2]> : tensor<4xi64>
  %15 = graph.constant dense<[1, 2, 1]> : tensor<3xi64>
  check.expect_eq %11#0, %12 : tensor<2x3xi32>
  check.expect_eq %11#1, %13 : tensor<3xi64>
  check.expect_eq %11#2, %14 : tensor<4xi64>
  check.expect_eq %11#3, %15 : tensor<3xi64>

  // Strings; nothing; not-a-number is one element and the largest.
  %16 = control.constant dense<["b", "a", "b"]> : tensor<3x!control.string>
  %17:4 = control.call "unique"(%16) integers [0, 0, 1] : (tensor<3x!control.string>)
    -> (tensor<2x!control.string>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>)
  %18 = control.constant dense<["a", "b"]> : tensor<2x!control.string>
  check.expect_eq %17#0, %18 : tensor<2x!control.string>
  %19 = graph.constant dense<[]> : tensor<0xf32>
  %20:4 = control.call "unique"(%19) integers [0, 0, 1] : (tensor<0xf32>)
    -> (tensor<0xf32>, tensor<0xi64>, tensor<0xi64>, tensor<0xi64>)
  %21 = graph.constant dense<[0x7FC00000, 0.0, 0xFFC00000]> : tensor<3xf32>
  %22:4 = control.call "unique"(%21) integers [0, 0, 1] : (tensor<3xf32>)
    -> (tensor<2xf32>, tensor<2xi64>, tensor<3xi64>, tensor<2xi64>)
  %23 = graph.constant dense<[1, 0]> : tensor<2xi64>
  check.expect_eq %22#1, %23 : tensor<2xi64>
  return
}
