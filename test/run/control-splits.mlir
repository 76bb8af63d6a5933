// RUN: tenon-run --interpret %s
// Tensors cut into sequences, of numbers and of strings.

func.func @main() {
  %x = graph.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %first = graph.constant dense<0> : tensor<i64>
  %last = graph.constant dense<-1> : tensor<i64>

  // Slices of one, with their dimension and without.
  %0 = control.call "split_to_sequence"(%x) integers [1, 1]
    : (tensor<2x3xi32>) -> !control.sequence<tensor<2x1xi32>>
  %1 = control.call "sequence_at"(%0, %last)
    : (!control.sequence<tensor<2x1xi32>>, tensor<i64>) -> tensor<2x1xi32>
  %2 = graph.constant dense<[[3], [6]]> : tensor<2x1xi32>
  check.expect_eq %1, %2 : tensor<2x1xi32>
  %3 = control.call "split_to_sequence"(%x) integers [-1, 0]
    : (tensor<2x3xi32>) -> !control.sequence<tensor<2xi32>>
  %4 = control.call "sequence_at"(%3, %first)
    : (!control.sequence<tensor<2xi32>>, tensor<i64>) -> tensor<2xi32>
  %5 = graph.constant dense<[1, 4]> : tensor<2xi32>
  check.expect_eq %4, %5 : tensor<2xi32>

  // Pieces of two, the last one shorter.
  %two = graph.constant dense<2> : tensor<i64>
  %6 = control.call "split_to_sequence"(%x, %two) integers [1, 0]
    : (tensor<2x3xi32>, tensor<i64>) -> !control.sequence<tensor<2x?xi32>>
  %7 = control.call "sequence_at"(%6, %first)
    : (!control.sequence<tensor<2x?xi32>>, tensor<i64>) -> tensor<2x2xi32>
  %8 = graph.constant dense<[[1, 2], [4, 5]]> : tensor<2x2xi32>
  check.expect_eq %7, %8 : tensor<2x2xi32>
  %9 = control.call "sequence_at"(%6, %last)
    : (!control.sequence<tensor<2x?xi32>>, tensor<i64>) -> tensor<2x1xi32>
  check.expect_eq %9, %2 : tensor<2x1xi32>

  // Lengths of their own, one of them zero.
  %lengths = graph.constant dense<[0, 1, 2]> : tensor<3xi32>
  %words = control.constant dense<["a", "b", "c"]> : tensor<3x!control.string>
  %10 = control.call "split_to_sequence"(%words, %lengths) integers [0, 1]
    : (tensor<3x!control.string>, tensor<3xi32>)
    -> !control.sequence<tensor<?x!control.string>>
  %11 = control.call "sequence_at"(%10, %first)
    : (!control.sequence<tensor<?x!control.string>>, tensor<i64>) -> tensor<0x!control.string>
  %12 = control.call "sequence_at"(%10, %last)
    : (!control.sequence<tensor<?x!control.string>>, tensor<i64>) -> tensor<2x!control.string>
  %13 = control.constant dense<["b", "c"]> : tensor<2x!control.string>
  check.expect_eq %12, %13 : tensor<2x!control.string>
  return
}
