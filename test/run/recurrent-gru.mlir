// RUN: tenon-run --interpret %s
// Gated recurrent units, whole and after the projection.

func.func @main() {
  %0 = graph.constant dense<[[[0.25, -0.5], [-0.875, -1.0]], [[0.625, 0.875], [0.25, 0.5]], [[0.125, 0.875], [0.625, -1.0]]]> : tensor<3x2x2xf32>
  %1 = graph.constant dense<[[[0.75, -0.875], [0.5, -0.625], [0.75, 0.125], [-0.375, -0.125], [-1.0, -0.75], [0.375, 0.25]]]> : tensor<1x6x2xf32>
  %2 = graph.constant dense<[[[0.25, -0.25], [1.0, 1.0], [0.375, 0.25], [0.375, -0.25], [-0.75, 0.5], [0.0, -0.375]]]> : tensor<1x6x2xf32>
  %3 = graph.constant dense<[[-0.0, 0.75, 0.875, -0.25, 0.125, -0.375, 0.25, -0.375, -0.25, 0.75, -0.5, 0.25]]> : tensor<1x12xf32>
  %4:3 = graph.recurrent %0, %1, %2, %3 {cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<3x2x2xf32>, tensor<1x6x2xf32>, tensor<1x6x2xf32>, tensor<1x12xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  %5 = graph.constant dense<[[[[-0.07205874, -0.04763764], [0.3265147, -0.22008552]]], [[[-0.5102086, 0.13693455], [-0.22019114, -0.06438596]]], [[[-0.6318667, 0.12210329], [-0.20814712, -0.08060484]]]]> : tensor<3x1x2x2xf32>
  %6 = graph.constant dense<[[[-0.6318667, 0.12210329], [-0.20814712, -0.08060484]]]> : tensor<1x2x2xf32>
  check.expect_close %4#0, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %4#1, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %4#2, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  %7 = graph.constant dense<[[[[0.875, 0.8125, 0.75, 0.46875, -0.25, -0.15625], [0.46875, 0.5625, -0.15625, 0.953125, 1.25, -0.703125]]], [[[-0.046875, 0.140625, 1.203125, 0.15625, -1.65625, 0.328125], [0.0, 0.1875, 0.875, 0.34375, -1.0, 0.09375]]], [[[-0.421875, -0.109375, 0.828125, 0.34375, -1.15625, 0.140625], [1.59375, 1.3125, 0.96875, 0.390625, -0.25, -0.140625]]]]> : tensor<3x1x2x6xf32>
  %8 = graph.constant dense<[[[0.25, 1.0, 0.375, 0.375, -0.75, 0.0], [-0.25, 1.0, 0.25, -0.25, 0.5, -0.375]]]> : tensor<1x2x6xf32>
  %9:3 = graph.recurrence %7, %8 {cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<3x1x2x6xf32>, tensor<1x2x6xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  check.expect_close %9#0, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %9#1, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %9#2, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>

  %10 = graph.constant dense<[[[-0.875, -0.5], [0.625, 0.125]], [[-0.75, -0.125], [-0.0, -0.625]], [[0.5, -0.75], [-0.25, 0.0]]]> : tensor<3x2x2xf32>
  %11 = graph.constant dense<[[[-0.125, 0.125], [0.5, 0.875], [-0.375, 0.25], [0.375, -0.375], [-1.0, 1.0], [-0.375, -0.375]], [[0.75, 0.125], [-0.0, 0.5], [-1.0, 0.375], [-0.25, -0.875], [0.375, 0.875], [-0.625, 0.25]]]> : tensor<2x6x2xf32>
  %12 = graph.constant dense<[[[-0.375, 0.5], [0.5, -0.625], [0.625, 0.375], [0.375, 0.625], [-0.125, 0.5], [0.75, -0.75]], [[0.75, -0.25], [-0.0, -0.75], [0.375, -0.375], [0.75, -0.5], [0.125, -0.25], [0.25, -0.625]]]> : tensor<2x6x2xf32>
  %13 = graph.constant dense<[[-0.625, 0.5, 0.5, 0.125, 0.875, -0.625, 0.75, -0.625, 0.875, 0.25, 0.25, 1.0], [0.625, 0.625, -0.875, -0.25, -0.875, -0.625, -0.625, 0.75, -0.75, -0.375, -0.0, 0.75]]> : tensor<2x12xf32>
  %14 = graph.constant dense<[3, 2]> : tensor<2xi32>
  %15 = graph.constant dense<[[[0.875, 0.375], [-0.625, 0.125]], [[0.375, -0.875], [0.375, -0.25]]]> : tensor<2x2x2xf32>
  %16:3 = graph.recurrent %10, %11, %12, %13, %14, %15 {cell = #graph<cell gru>, direction = #graph<direction bidirectional>, activations = ["Sigmoid", "Tanh", "Sigmoid", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>}
    : (tensor<3x2x2xf32>, tensor<2x6x2xf32>, tensor<2x6x2xf32>, tensor<2x12xf32>, tensor<2xi32>, tensor<2x2x2xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %17 = graph.constant dense<[[[[0.8924484, 0.708948], [-0.115232706, -0.087499335]], [[-0.802055, -0.34677935], [-0.2935352, -0.18223312]]], [[[0.9208277, 0.7257124], [0.16036686, 0.3193444]], [[-0.49500594, -0.54830784], [-0.1698485, -0.17765325]]], [[[0.49724844, 0.6113316], [0.0, 0.0]], [[-0.0041328073, -0.73588663], [0.0, 0.0]]]]> : tensor<3x2x2x2xf32>
  %18 = graph.constant dense<[[[0.49724844, 0.6113316], [0.16036686, 0.3193444]], [[-0.802055, -0.34677935], [-0.2935352, -0.18223312]]]> : tensor<2x2x2xf32>
  check.expect_close %16#0, %17 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x2x2x2xf32>
  check.expect_close %16#1, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  check.expect_close %16#2, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  %19 = graph.constant dense<[[[[0.171875, -1.0, 1.578125, 0.234375, 1.5, 0.890625], [0.0625, 0.296875, 1.171875, 0.5625, 0.625, 0.09375]], [[-0.71875, 1.125, -0.9375, 0.03125, -1.640625, 0.546875], [0.484375, 1.4375, -2.203125, -0.890625, -0.53125, -0.234375]]], [[[0.203125, -0.609375, 1.625, 0.140625, 1.75, 0.703125], [0.046875, -0.671875, 1.21875, 0.609375, 0.5, 0.609375]], [[-0.578125, 1.3125, -0.921875, -0.328125, -1.265625, 0.5625], [-0.078125, 1.0625, -1.859375, -0.078125, -1.421875, -0.03125]]], [[[-0.03125, -0.53125, 1.0, 0.84375, -0.125, 0.46875], [0.15625, -0.25, 1.46875, 0.28125, 1.375, 0.46875]], [[0.28125, 1.0, -2.40625, -0.09375, -1.34375, -0.375], [-0.1875, 1.375, -1.375, -0.5625, -0.96875, 0.28125]]]]> : tensor<3x2x2x6xf32>
  %20 = graph.constant dense<[[[-0.375, 0.5, 0.625, 0.375, -0.125, 0.75], [0.5, -0.625, 0.375, 0.625, 0.5, -0.75]], [[0.75, -0.0, 0.375, 0.75, 0.125, 0.25], [-0.25, -0.75, -0.375, -0.5, -0.25, -0.625]]]> : tensor<2x2x6xf32>
  %21 = graph.constant dense<[3, 2]> : tensor<2xi32>
  %22 = graph.constant dense<[[[0.875, 0.375], [-0.625, 0.125]], [[0.375, -0.875], [0.375, -0.25]]]> : tensor<2x2x2xf32>
  %23:3 = graph.recurrence %19, %20, %21, %22 {cell = #graph<cell gru>, direction = #graph<direction bidirectional>, activations = ["Sigmoid", "Tanh", "Sigmoid", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0>}
    : (tensor<3x2x2x6xf32>, tensor<2x2x6xf32>, tensor<2xi32>, tensor<2x2x2xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  check.expect_close %23#0, %17 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x2x2x2xf32>
  check.expect_close %23#1, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  check.expect_close %23#2, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>

  // The reset gate behind the product.
  %24 = graph.constant dense<[[[0.875, 0.0]], [[1.0, -0.875]], [[0.25, -0.25]]]> : tensor<3x1x2xf32>
  %25 = graph.constant dense<[[[0.625, -0.625], [0.75, 0.125], [0.75, -0.0], [-0.125, 0.625], [1.0, -0.25], [1.0, 0.875]]]> : tensor<1x6x2xf32>
  %26 = graph.constant dense<[[[-0.625, 0.25], [0.375, 0.875], [0.375, -0.75], [-0.0, -0.0], [0.0, 0.875], [-0.25, -0.5]]]> : tensor<1x6x2xf32>
  %27 = graph.constant dense<[[0.0, 0.25, 0.875, 0.125, -0.5, 0.875, -0.0, 0.375, -0.0, -0.625, 0.375, 0.5]]> : tensor<1x12xf32>
  %28 = graph.constant dense<[[[-0.625, -0.125]]]> : tensor<1x1x2xf32>
  %29:3 = graph.recurrent %24, %25, %26, %27, %28 {cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"], linear_before_reset = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 0, 0>}
    : (tensor<3x1x2xf32>, tensor<1x6x2xf32>, tensor<1x6x2xf32>, tensor<1x12xf32>, tensor<1x1x2xf32>) -> (tensor<3x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %30 = graph.constant dense<[[[[-0.29313815, 0.18152085]]], [[[-0.073784694, 0.32108533]]], [[[0.05638069, 0.43939668]]]]> : tensor<3x1x1x2xf32>
  %31 = graph.constant dense<[[[0.05638069, 0.43939668]]]> : tensor<1x1x2xf32>
  check.expect_close %29#0, %30 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x1x2xf32>
  check.expect_close %29#1, %31 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %29#2, %31 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %32 = graph.constant dense<[[[[0.546875, 0.90625, 1.53125, 0.015625, 0.375, 1.75]]], [[[1.171875, 0.890625, 1.625, -0.546875, 0.71875, 1.109375]]], [[[0.3125, 0.40625, 1.0625, -0.0625, -0.1875, 0.90625]]]]> : tensor<3x1x1x6xf32>
  %33 = graph.constant dense<[[[-0.625, 0.375, 0.375, -0.0, 0.0, -0.25], [0.25, 0.875, -0.75, -0.0, 0.875, -0.5]]]> : tensor<1x2x6xf32>
  %34 = graph.constant dense<[[-0.0, 0.375, -0.0, -0.625, 0.375, 0.5]]> : tensor<1x6xf32>
  %35 = graph.constant dense<[[[-0.625, -0.125]]]> : tensor<1x1x2xf32>
  %36:3 = graph.recurrence %32, %33, %34, %35 {cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"], linear_before_reset = true, operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0>}
    : (tensor<3x1x1x6xf32>, tensor<1x2x6xf32>, tensor<1x6xf32>, tensor<1x1x2xf32>) -> (tensor<3x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %36#0, %30 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x1x2xf32>
  check.expect_close %36#1, %31 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %36#2, %31 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %37 = graph.constant dense<[[[0.625, 0.625]], [[0.0, -0.375]]]> : tensor<2x1x2xf32>
  %38 = graph.constant dense<[[[-0.875, -0.25], [-0.125, -0.875], [-0.875, 1.0], [0.25, -0.5], [-0.125, 1.0], [0.75, 0.75]]]> : tensor<1x6x2xf32>
  %39 = graph.constant dense<[[[-0.25, -0.0], [0.375, -0.875], [0.125, -0.5], [0.75, -0.875], [0.375, 0.75], [-0.5, 0.75]]]> : tensor<1x6x2xf32>
  %40:3 = graph.recurrent %37, %38, %39 {cell = #graph<cell gru>, direction = #graph<direction reverse>, activations = ["HardSigmoid", "Softsign"], clip = 0.5 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x6x2xf32>, tensor<1x6x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %41 = graph.constant dense<[[[[0.14424215, 0.16185978]]], [[[-0.13125, -0.09535061]]]]> : tensor<2x1x1x2xf32>
  %42 = graph.constant dense<[[[0.14424215, 0.16185978]]]> : tensor<1x1x2xf32>
  check.expect_close %40#0, %41 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %40#1, %42 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %40#2, %42 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %43 = graph.constant dense<[[[[-0.703125, -0.625, 0.078125, -0.15625, 0.546875, 0.9375]]], [[[0.09375, 0.328125, -0.375, 0.1875, -0.375, -0.28125]]]]> : tensor<2x1x1x6xf32>
  %44 = graph.constant dense<[[[-0.25, 0.375, 0.125, 0.75, 0.375, -0.5], [-0.0, -0.875, -0.5, -0.875, 0.75, 0.75]]]> : tensor<1x2x6xf32>
  %45:3 = graph.recurrence %43, %44 {cell = #graph<cell gru>, direction = #graph<direction reverse>, activations = ["HardSigmoid", "Softsign"], clip = 0.5 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x1x6xf32>, tensor<1x2x6xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %45#0, %41 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %45#1, %42 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %45#2, %42 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  return
}
