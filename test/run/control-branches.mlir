// RUN: tenon-run --interpret %s
// One of two functions; what they give may differ in size.

func.func @main() {
  %true = control.constant dense<true> : tensor<i1>
  %false = control.constant dense<[false]> : tensor<1xi1>
  %x = graph.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>

  %0 = control.if %true : tensor<i1> then @double else @drop(%x)
    : (tensor<3xf32>) -> tensor<?xf32, #graph.dims<["m"]>>
  %1 = graph.neg %0 : (tensor<?xf32, #graph.dims<["m"]>>)
    -> tensor<?xf32, #graph.dims<["m"]>>
  %2 = graph.constant dense<[-2.0, -4.0, -6.0]> : tensor<3xf32>
  %3 = control.call "copy"(%1) : (tensor<?xf32, #graph.dims<["m"]>>) -> tensor<3xf32>
  check.expect_eq %3, %2 : tensor<3xf32>

  %4 = control.if %false : tensor<1xi1> then @double else @drop(%x)
    : (tensor<3xf32>) -> tensor<?xf32, #graph.dims<["n"]>>
  %5 = graph.sizes {dims = #graph.dims<["n", "m" + 1]>} : () -> tensor<2xi64>
  %6 = graph.constant dense<[2, 4]> : tensor<2xi64>
  check.expect_eq %5, %6 : tensor<2xi64>

  // A branch within a branch, which reads what is around both.
  %7 = control.if %true : tensor<i1> then @nested else @drop(%x)
    : (tensor<3xf32>) -> tensor<?xf32, #graph.dims<["k"]>>
  %8 = control.call "copy"(%7) : (tensor<?xf32, #graph.dims<["k"]>>) -> tensor<2xf32>
  %9 = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
  check.expect_eq %8, %9 : tensor<2xf32>
  return
}

func.func @double(%x: tensor<?xf32, #graph.dims<["n"]>>)
    -> tensor<?xf32, #graph.dims<["n"]>> {
  %0 = graph.add %x, %x : (tensor<?xf32, #graph.dims<["n"]>>,
    tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<["n"]>>
  return %0 : tensor<?xf32, #graph.dims<["n"]>>
}

func.func @drop(%x: tensor<?xf32, #graph.dims<["n"]>>)
    -> tensor<?xf32, #graph.dims<["n" - 1]>> {
  %0 = graph.slice %x {starts = array<i64: 0>, steps = array<i64: 1>,
    sizes = array<i64: -9223372036854775808>, size_dims = #graph.dims<["n" - 1]>}
    : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<["n" - 1]>>
  return %0 : tensor<?xf32, #graph.dims<["n" - 1]>>
}

func.func @nested(%x: tensor<?xf32, #graph.dims<["n"]>>)
    -> tensor<?xf32, #graph.dims<["j"]>> {
  %false = control.constant dense<false> : tensor<i1>
  %0 = control.if %false : tensor<i1> then @double else @drop(%x)
    : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<?xf32, #graph.dims<["j"]>>
  return %0 : tensor<?xf32, #graph.dims<["j"]>>
}
