// RUN: tenon-run --interpret %s
// Control by itself, which calls segments and what the machine has for loops.

control.func @main() {
  %x = control.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %0:2 = control.call @main_0(%x)
    : (tensor<2xf32>) -> (tensor<2xf32>, tensor<?xf32, #graph.dims<["n"]>>)
  %1 = control.call @twice(%0#0) : (tensor<2xf32>) -> tensor<2xf32>
  control.call @expect(%1, %0#1)
    : (tensor<2xf32>, tensor<?xf32, #graph.dims<["n"]>>) -> ()

  %2 = control.constant dense<2> : tensor<i64>
  %3 = control.constant dense<3> : tensor<i64>
  %4 = control.constant dense<false> : tensor<i1>
  %none = control.call "optional"() : () -> !control.optional<tensor<i64>>
  %5 = control.call "loop_test"(%2, %3, %none)
    : (tensor<i64>, tensor<i64>, !control.optional<tensor<i64>>) -> tensor<i1>
  %6 = control.call "loop_test"(%3, %3, %none)
    : (tensor<i64>, tensor<i64>, !control.optional<tensor<i64>>) -> tensor<i1>
  %7 = control.call "loop_test"(%2, %none, %4)
    : (tensor<i64>, !control.optional<tensor<i64>>, tensor<i1>) -> tensor<i1>
  %8 = control.call "increment"(%2) : (tensor<i64>) -> tensor<i64>
  %9 = control.call "sequence_construct"(%0#0, %1) integers [2, 32]
    : (tensor<2xf32>, tensor<2xf32>) -> !control.sequence<tensor<2xf32>>
  %10 = control.call "stack"(%9) integers [2, 32, 2]
    : (!control.sequence<tensor<2xf32>>) -> tensor<2x2xf32>
  %11 = control.call "sequence_construct"() integers [2, 32]
    : () -> !control.sequence<tensor<?x2xf32>>
  %12 = control.call "stack"(%11) integers [2, 32, -1, 2]
    : (!control.sequence<tensor<?x2xf32>>) -> tensor<0x0x2xf32>
  control.call "kill"(%9) : (!control.sequence<tensor<2xf32>>) -> ()
  control.call @expectTests(%5, %6, %7, %8, %10)
    : (tensor<i1>, tensor<i1>, tensor<i1>, tensor<i64>, tensor<2x2xf32>) -> ()
  control.return
}

control.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0:2 = control.call @main_0(%x)
    : (tensor<2xf32>) -> (tensor<2xf32>, tensor<?xf32>)
  control.return %0#0 : tensor<2xf32>
}

func.func @main_0(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
  %0 = graph.add %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.reduce_sum %0 {axes = array<i64: 0>, keep_dims = true}
    : (tensor<2xf32>) -> tensor<1xf32>
  return %0, %1 : tensor<2xf32>, tensor<1xf32>
}

func.func @expect(%y: tensor<2xf32>, %sum: tensor<?xf32, #graph.dims<["n"]>>) {
  %0 = graph.constant dense<[4.0, 8.0]> : tensor<2xf32>
  check.expect_eq %y, %0 : tensor<2xf32>
  %1 = graph.sizes {dims = #graph.dims<["n"]>} : () -> tensor<1xi64>
  %2 = graph.constant dense<1> : tensor<1xi64>
  check.expect_eq %1, %2 : tensor<1xi64>
  return
}

func.func @expectTests(%a: tensor<i1>, %b: tensor<i1>, %c: tensor<i1>,
                       %d: tensor<i64>, %e: tensor<2x2xf32>) {
  %true = graph.constant dense<true> : tensor<i1>
  %false = graph.constant dense<false> : tensor<i1>
  check.expect_eq %a, %true : tensor<i1>
  check.expect_eq %b, %false : tensor<i1>
  check.expect_eq %c, %false : tensor<i1>
  %0 = graph.constant dense<3> : tensor<i64>
  check.expect_eq %d, %0 : tensor<i64>
  %1 = graph.constant dense<[[2.0, 4.0], [4.0, 8.0]]> : tensor<2x2xf32>
  check.expect_eq %e, %1 : tensor<2x2xf32>
  return
}
