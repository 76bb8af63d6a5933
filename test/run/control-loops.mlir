// RUN: tenon-run --interpret %s
// Loops: counted, ended by their condition, nested, of no iteration; what they
// carry grows, and what each iteration gives is stacked.

func.func @main() {
  %three = control.constant dense<3> : tensor<i64>
  %none = control.constant dense<[-1]> : tensor<1xi64>
  %true = control.constant dense<true> : tensor<i1>
  %false = control.constant dense<false> : tensor<i1>
  %one = graph.constant dense<1> : tensor<i64>
  %x = graph.constant dense<[1.0]> : tensor<1xf32>

  // Carried values that keep their shape.
  %0:2 = control.loop @add trip %three : tensor<i64>
    carried(%one : tensor<i64>) invariant(%three : tensor<i64>)
    -> tensor<i64>, tensor<3xi64>
  %1 = graph.constant dense<10> : tensor<i64>
  check.expect_eq %0#0, %1 : tensor<i64>
  %2 = graph.constant dense<[4, 7, 10]> : tensor<3xi64>
  check.expect_eq %0#1, %2 : tensor<3xi64>

  // The condition ends it: 1, 4, 7, 10, 13, and no further.
  %3:2 = control.loop @addUpTo while %true : tensor<i1>
    carried(%one : tensor<i64>) invariant(%three : tensor<i64>)
    -> tensor<i64>, tensor<?xi64, #graph.dims<["count"]>>
  %4 = graph.constant dense<13> : tensor<i64>
  check.expect_eq %3#0, %4 : tensor<i64>
  %5 = graph.sizes {dims = #graph.dims<["count"]>} : () -> tensor<1xi64>
  %6 = graph.constant dense<4> : tensor<1xi64>
  check.expect_eq %5, %6 : tensor<1xi64>

  // No iteration, by either bound: carried values as they were, scans of no row
  // and the extents that are known.
  %7:2 = control.loop @grow trip %none : tensor<1xi64> while %true : tensor<i1>
    carried(%x : tensor<1xf32>)
    -> tensor<?xf32, #graph.dims<["grown0"]>>, tensor<?x2xf32, #graph.dims<["rows0", 2]>>
  %8 = graph.sizes {dims = #graph.dims<["grown0", "rows0"]>} : () -> tensor<2xi64>
  %9 = graph.constant dense<[1, 0]> : tensor<2xi64>
  check.expect_eq %8, %9 : tensor<2xi64>
  %10:2 = control.loop @add while %false : tensor<i1>
    carried(%one : tensor<i64>) invariant(%three : tensor<i64>)
    -> tensor<i64>, tensor<?xi64>
  check.expect_eq %10#0, %one : tensor<i64>

  // A carried value that grows: 1, then 2, 4, 8 elements.
  %11:2 = control.loop @grow trip %three : tensor<i64>
    carried(%x : tensor<1xf32>)
    -> tensor<?xf32, #graph.dims<["grown"]>>, tensor<?x2xf32, #graph.dims<["rows", 2]>>
  %12 = graph.sizes {dims = #graph.dims<["grown", "rows"]>} : () -> tensor<2xi64>
  %13 = graph.constant dense<[8, 3]> : tensor<2xi64>
  check.expect_eq %12, %13 : tensor<2xi64>
  %14 = control.call "copy"(%11#1)
    : (tensor<?x2xf32, #graph.dims<["rows", 2]>>) -> tensor<3x2xf32>
  %15 = graph.constant dense<[[1.0, 1.0], [2.0, 2.0], [4.0, 4.0]]> : tensor<3x2xf32>
  check.expect_eq %14, %15 : tensor<3x2xf32>

  // A loop in a loop: 3 times 3 times 3 more.
  %16 = control.loop @outer trip %three : tensor<i64>
    carried(%one : tensor<i64>) -> tensor<i64>
  %17 = graph.constant dense<28> : tensor<i64>
  check.expect_eq %16, %17 : tensor<i64>

  // A sequence is carried.
  %18 = control.call "sequence_construct"() integers [2, 32]
    : () -> !control.sequence<tensor<?xf32>>
  %19 = control.loop @collect trip %three : tensor<i64>
    carried(%18 : !control.sequence<tensor<?xf32>>) invariant(%x : tensor<1xf32>)
    -> !control.sequence<tensor<?xf32>>
  %20 = control.call "sequence_concat"(%19) integers [0, 0]
    : (!control.sequence<tensor<?xf32>>) -> tensor<3xf32>
  %21 = graph.constant dense<1.0> : tensor<3xf32>
  check.expect_eq %20, %21 : tensor<3xf32>
  return
}

func.func @add(%i: tensor<i64>, %go: tensor<i1>, %sum: tensor<i64>,
               %step: tensor<i64>) -> (tensor<i1>, tensor<i64>, tensor<i64>) {
  %0 = graph.add %sum, %step : (tensor<i64>, tensor<i64>) -> tensor<i64>
  return %go, %0, %0 : tensor<i1>, tensor<i64>, tensor<i64>
}

func.func @addUpTo(%i: tensor<i64>, %go: tensor<i1>, %sum: tensor<i64>,
                   %step: tensor<i64>) -> (tensor<i1>, tensor<i64>, tensor<i64>) {
  %0 = graph.add %sum, %step : (tensor<i64>, tensor<i64>) -> tensor<i64>
  %1 = graph.less %i, %step : (tensor<i64>, tensor<i64>) -> tensor<i1>
  return %1, %0, %i : tensor<i1>, tensor<i64>, tensor<i64>
}

func.func @grow(%i: tensor<i64>, %go: tensor<i1>,
                %x: tensor<?xf32, #graph.dims<["n"]>>)
    -> (tensor<i1>, tensor<?xf32, #graph.dims<[2 * "n"]>>, tensor<2xf32>) {
  %0 = graph.concat %x, %x {axis = 0 : i64} : (tensor<?xf32, #graph.dims<["n"]>>,
    tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<[2 * "n"]>>
  %1 = graph.reduce_sum %x {axes = array<i64: 0>, keep_dims = false}
    : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<f32>
  %2 = graph.broadcast %1 : (tensor<f32>) -> tensor<2xf32>
  return %go, %0, %2
    : tensor<i1>, tensor<?xf32, #graph.dims<[2 * "n"]>>, tensor<2xf32>
}

func.func @outer(%i: tensor<i64>, %go: tensor<i1>, %sum: tensor<i64>)
    -> (tensor<i1>, tensor<i64>) {
  %three = control.constant dense<3> : tensor<i64>
  %0:2 = control.loop @add trip %three : tensor<i64>
    carried(%sum : tensor<i64>) invariant(%three : tensor<i64>)
    -> tensor<i64>, tensor<3xi64>
  return %go, %0#0 : tensor<i1>, tensor<i64>
}

func.func @collect(%i: tensor<i64>, %go: tensor<i1>,
                   %list: !control.sequence<tensor<?xf32>>, %x: tensor<1xf32>)
    -> (tensor<i1>, !control.sequence<tensor<?xf32>>) {
  %0 = control.call "sequence_insert"(%list, %x)
    : (!control.sequence<tensor<?xf32>>, tensor<1xf32>)
    -> !control.sequence<tensor<?xf32>>
  return %go, %0 : tensor<i1>, !control.sequence<tensor<?xf32>>
}
