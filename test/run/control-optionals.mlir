// RUN: tenon-run --interpret %s
// Values that may be absent; a tensor or a sequence is one that is there.

func.func @main() {
  %true = graph.constant dense<true> : tensor<i1>
  %false = graph.constant dense<false> : tensor<i1>
  %x = graph.constant dense<[1, 2]> : tensor<2xi32>
  %list = control.call "sequence_construct"(%x) integers [0, 32]
    : (tensor<2xi32>) -> !control.sequence<tensor<2xi32>>

  %0 = control.call "optional"(%x) : (tensor<2xi32>) -> !control.optional<tensor<2xi32>>
  %1 = control.call "optional"() : () -> !control.optional<tensor<2xi32>>
  %2 = control.call "optional"(%list) : (!control.sequence<tensor<2xi32>>)
    -> !control.optional<!control.sequence<tensor<2xi32>>>

  %3 = control.call "optional_has"(%0) : (!control.optional<tensor<2xi32>>) -> tensor<i1>
  check.expect_eq %3, %true : tensor<i1>
  %4 = control.call "optional_has"(%1) : (!control.optional<tensor<2xi32>>) -> tensor<i1>
  check.expect_eq %4, %false : tensor<i1>
  %5 = control.call "optional_has"() : () -> tensor<i1>
  check.expect_eq %5, %false : tensor<i1>
  %6 = control.call "optional_has"(%list) : (!control.sequence<tensor<2xi32>>) -> tensor<i1>
  check.expect_eq %6, %true : tensor<i1>

  %7 = control.call "optional_get"(%0) : (!control.optional<tensor<2xi32>>) -> tensor<2xi32>
  check.expect_eq %7, %x : tensor<2xi32>
  %8 = control.call "optional_get"(%x) : (tensor<2xi32>) -> tensor<2xi32>
  check.expect_eq %8, %x : tensor<2xi32>
  %9 = control.call "optional_get"(%2)
    : (!control.optional<!control.sequence<tensor<2xi32>>>)
    -> !control.sequence<tensor<2xi32>>
  %10 = control.call "sequence_length"(%9) : (!control.sequence<tensor<2xi32>>) -> tensor<i64>
  %11 = graph.constant dense<1> : tensor<i64>
  check.expect_eq %10, %11 : tensor<i64>
  return
}
