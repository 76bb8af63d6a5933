// RUN: tenon-run --interpret %s
// Lists of tensors, and values that may be absent.

!sequence = !control.sequence<tensor<?xf32>>

func.func @main() {
  %a = graph.constant dense<[1.0]> : tensor<1xf32>
  %b = graph.constant dense<[2.0, 3.0]> : tensor<2xf32>
  %0 = control.call "sequence_construct"(%a, %b) integers [2, 32]
    : (tensor<1xf32>, tensor<2xf32>) -> !sequence
  %n0 = control.call "sequence_length"(%0) : (!sequence) -> tensor<i64>
  %two = graph.constant dense<2> : tensor<i64>
  check.expect_eq %n0, %two : tensor<i64>

  // Behind the last, before one, before the last: b a b a b.
  %1 = control.call "sequence_insert"(%0, %b)
    : (!sequence, tensor<2xf32>) -> !sequence
  %zero = graph.constant dense<0> : tensor<i64>
  %2 = control.call "sequence_insert"(%1, %b, %zero)
    : (!sequence, tensor<2xf32>, tensor<i64>) -> !sequence
  %last = graph.constant dense<-1> : tensor<i32>
  %3 = control.call "sequence_insert"(%2, %a, %last)
    : (!sequence, tensor<1xf32>, tensor<i32>) -> !sequence
  %4 = control.call "sequence_concat"(%3) integers [-1, 0]
    : (!sequence) -> tensor<8xf32>
  %5 = graph.constant dense<[2.0, 3.0, 1.0, 2.0, 3.0, 1.0, 2.0, 3.0]> : tensor<8xf32>
  check.expect_eq %4, %5 : tensor<8xf32>

  // Away with the last, and with the first.
  %6 = control.call "sequence_erase"(%3) : (!sequence) -> !sequence
  %7 = control.call "sequence_erase"(%6, %zero) : (!sequence, tensor<i64>) -> !sequence
  %8 = control.call "sequence_concat"(%7) integers [0, 0] : (!sequence) -> tensor<4xf32>
  %9 = graph.constant dense<[1.0, 2.0, 3.0, 1.0]> : tensor<4xf32>
  check.expect_eq %8, %9 : tensor<4xf32>
  %10 = control.call "sequence_at"(%7, %last)
    : (!sequence, tensor<i32>) -> tensor<?xf32, #graph.dims<["n"]>>
  %11 = control.call "copy"(%10) : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1xf32>
  check.expect_eq %11, %a : tensor<1xf32>

  // Along a new dimension behind.
  %12 = control.call "sequence_construct"(%b, %b) integers [2, 32]
    : (tensor<2xf32>, tensor<2xf32>) -> !sequence
  %13 = control.call "sequence_concat"(%12) integers [-1, 1] : (!sequence) -> tensor<2x2xf32>
  %14 = graph.constant dense<[[2.0, 2.0], [3.0, 3.0]]> : tensor<2x2xf32>
  check.expect_eq %13, %14 : tensor<2x2xf32>
  return
}

