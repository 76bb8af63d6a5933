// RUN: tenon-run --interpret %s
// Long short-term memory, whole and after the projection.

func.func @main() {
  %0 = graph.constant dense<[[[0.25, -0.5], [-0.875, -1.0]], [[0.625, 0.875], [0.25, 0.5]], [[0.125, 0.875], [0.625, -1.0]]]> : tensor<3x2x2xf32>
  %1 = graph.constant dense<[[[0.75, -0.875], [0.5, -0.625], [0.75, 0.125], [-0.375, -0.125], [-1.0, -0.75], [0.375, 0.25], [0.25, -0.25], [1.0, 1.0]]]> : tensor<1x8x2xf32>
  %2 = graph.constant dense<[[[0.375, 0.25], [0.375, -0.25], [-0.75, 0.5], [0.0, -0.375], [-0.0, 0.75], [0.875, -0.25], [0.125, -0.375], [0.25, -0.375]]]> : tensor<1x8x2xf32>
  %3 = graph.constant dense<[[-0.25, 0.75, -0.5, 0.25, -0.875, 0.625, 0.625, -0.5, 0.75, -0.875, -0.375, -0.75, -0.125, 0.625, -0.5, -0.875]]> : tensor<1x16xf32>
  %4:3 = graph.recurrent %0, %1, %2, %3 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<3x2x2xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  %5 = graph.constant dense<[[[[0.07206404, -0.1809382], [0.016640358, -0.2310126]]], [[[0.036811903, -0.11164465], [0.031041954, -0.20349526]]], [[[0.0017196693, -0.13935645], [0.15616257, -0.30354914]]]]> : tensor<3x1x2x2xf32>
  %6 = graph.constant dense<[[[0.0017196693, -0.13935645], [0.15616257, -0.30354914]]]> : tensor<1x2x2xf32>
  %7 = graph.constant dense<[[[0.0053796303, -0.420034], [0.4937435, -1.1593904]]]> : tensor<1x2x2xf32>
  check.expect_close %4#0, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %4#1, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %4#2, %7 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  %8 = graph.constant dense<[[[[1.125, 0.3125, -0.75, -0.53125, -0.875, 1.21875, 0.3125, -1.625], [0.71875, 0.0625, -1.65625, -0.046875, 0.625, 0.671875, 0.15625, -3.25]]], [[[0.203125, -0.359375, -0.296875, -0.84375, -2.28125, 1.703125, 0.0625, 0.125], [0.25, -0.3125, -0.625, -0.65625, -1.625, 1.46875, 0.0625, -0.625]]], [[[-0.171875, -0.609375, -0.671875, -0.65625, -1.78125, 1.515625, -0.0625, -0.375], [1.84375, 0.8125, -0.53125, -0.609375, -0.875, 1.234375, 0.53125, -1.75]]]]> : tensor<3x1x2x8xf32>
  %9 = graph.constant dense<[[[0.375, 0.375, -0.75, 0.0, -0.0, 0.875, 0.125, 0.25], [0.25, -0.25, 0.5, -0.375, 0.75, -0.25, -0.375, -0.375]]]> : tensor<1x2x8xf32>
  %10:3 = graph.recurrence %8, %9 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<3x1x2x8xf32>, tensor<1x2x8xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  check.expect_close %10#0, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %10#1, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %10#2, %7 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>

  %11 = graph.constant dense<[[[0.125, -0.375], [-0.25, -0.25]], [[1.0, 0.25], [0.375, -0.375]], [[0.375, -0.75], [-0.875, 0.75]]]> : tensor<3x2x2xf32>
  %12 = graph.constant dense<[[[-1.0, 1.0], [0.625, 0.625], [-0.875, -0.625], [0.75, -0.125], [0.25, -0.75], [-0.625, -0.0], [0.5, 0.125], [-0.75, 0.75]], [[-0.75, -0.125], [0.125, -0.375], [-0.125, 0.75], [-0.125, 0.125], [1.0, -0.5], [0.75, -0.25], [-0.375, 0.75], [-0.875, 0.75]]]> : tensor<2x8x2xf32>
  %13 = graph.constant dense<[[[0.625, 0.75], [-0.875, -0.5], [0.5, -0.125], [-1.0, 0.375], [0.625, 1.0], [-0.75, -0.5], [0.625, -0.875], [-0.5, -0.125]], [[-0.125, 0.125], [0.75, 0.25], [0.25, 0.125], [-0.625, -0.125], [1.0, 0.875], [0.5, 0.125], [0.75, 0.25], [-0.25, 0.0]]]> : tensor<2x8x2xf32>
  %14 = graph.constant dense<[[-0.625, 0.125, -0.375, 0.625, 0.625, 1.0, 0.625, -0.875, 0.5, 0.625, 0.75, -0.0, -0.0, 0.0, -0.75, 0.875], [1.0, -0.5, 0.875, -0.625, -0.875, 0.5, 0.625, -0.625, 0.875, -0.25, -0.625, -0.375, -0.75, 0.5, -0.375, 0.375]]> : tensor<2x16xf32>
  %15 = graph.constant dense<[3, 2]> : tensor<2xi32>
  %16 = graph.constant dense<[[[-0.125, -0.75], [0.125, 0.875]], [[-0.625, 0.875], [-0.75, 0.125]]]> : tensor<2x2x2xf32>
  %17 = graph.constant dense<[[[-0.625, 1.0], [0.125, 0.75]], [[0.375, -0.125], [-0.5, 0.75]]]> : tensor<2x2x2xf32>
  %18:3 = graph.recurrent %11, %12, %13, %14, %15, %16, %17 {cell = #graph<cell lstm>, direction = #graph<direction bidirectional>, activations = ["Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 1, 0>}
    : (tensor<3x2x2xf32>, tensor<2x8x2xf32>, tensor<2x8x2xf32>, tensor<2x16xf32>, tensor<2xi32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %19 = graph.constant dense<[[[[-0.14437012, 0.36595353], [-0.24197462, 0.25605023]], [[-0.08689191, -0.13882102], [-0.034077805, 0.06610935]]], [[[-0.05323437, -0.025920374], [-0.19713376, -0.019016968]], [[-0.09378685, -0.12698749], [-0.23313479, 0.13215499]]], [[[-0.08662657, -0.3128637], [0.0, 0.0]], [[-0.15332098, -0.100781605], [0.0, 0.0]]]]> : tensor<3x2x2x2xf32>
  %20 = graph.constant dense<[[[-0.08662657, -0.3128637], [-0.19713376, -0.019016968]], [[-0.08689191, -0.13882102], [-0.034077805, 0.06610935]]]> : tensor<2x2x2xf32>
  %21 = graph.constant dense<[[[-0.1404943, -0.45141187], [-0.38904676, -0.024250686]], [[-0.18364272, -0.56500053], [-0.06652729, 0.22789963]]]> : tensor<2x2x2xf32>
  check.expect_close %18#0, %19 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x2x2x2xf32>
  check.expect_close %18#1, %20 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  check.expect_close %18#2, %21 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  %22 = graph.constant dense<[[[[-0.625, 0.59375, 0.5, 0.765625, 0.9375, 0.921875, -0.109375, -0.375], [-0.125, 0.4375, 0.75, 0.46875, 0.75, 1.15625, -0.28125, 0.0]], [[1.828125, -0.59375, -0.046875, -1.0625, -1.3125, 1.1875, -0.078125, -0.640625], [2.09375, -0.6875, 0.09375, -1.0, -1.75, 0.875, 0.15625, -0.21875]]], [[[-0.875, 1.53125, -0.65625, 1.34375, 0.6875, 0.375, 0.40625, -0.5625], [-0.875, 0.75, 0.28125, 0.953125, 1.0, 0.765625, 0.015625, -0.5625]], [[1.09375, -0.71875, 0.3125, -1.09375, -0.75, 1.6875, 0.0625, -0.9375], [1.640625, -0.5625, -0.078125, -1.09375, -1.0625, 1.375, -0.171875, -0.859375]]], [[[-1.25, 0.515625, 0.515625, 1.0, 1.28125, 0.765625, -0.03125, -0.84375], [1.5, 0.671875, 0.671875, -0.125, -0.15625, 1.546875, -0.46875, 1.21875]], [[1.6875, -0.421875, -0.359375, -1.140625, -0.875, 1.46875, -0.453125, -1.140625], [2.4375, -1.140625, 0.921875, -0.796875, -2.875, 0.15625, 1.140625, 1.078125]]]]> : tensor<3x2x2x8xf32>
  %23 = graph.constant dense<[[[0.625, -0.875, 0.5, -1.0, 0.625, -0.75, 0.625, -0.5], [0.75, -0.5, -0.125, 0.375, 1.0, -0.5, -0.875, -0.125]], [[-0.125, 0.75, 0.25, -0.625, 1.0, 0.5, 0.75, -0.25], [0.125, 0.25, 0.125, -0.125, 0.875, 0.125, 0.25, 0.0]]]> : tensor<2x2x8xf32>
  %24 = graph.constant dense<[3, 2]> : tensor<2xi32>
  %25 = graph.constant dense<[[[-0.125, -0.75], [0.125, 0.875]], [[-0.625, 0.875], [-0.75, 0.125]]]> : tensor<2x2x2xf32>
  %26 = graph.constant dense<[[[-0.625, 1.0], [0.125, 0.75]], [[0.375, -0.125], [-0.5, 0.75]]]> : tensor<2x2x2xf32>
  %27:3 = graph.recurrence %22, %23, %24, %25, %26 {cell = #graph<cell lstm>, direction = #graph<direction bidirectional>, activations = ["Sigmoid", "Tanh", "Tanh", "Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 0>}
    : (tensor<3x2x2x8xf32>, tensor<2x2x8xf32>, tensor<2xi32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  check.expect_close %27#0, %19 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x2x2x2xf32>
  check.expect_close %27#1, %20 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  check.expect_close %27#2, %21 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>

  // Peepholes, coupled gates, a clip, other activations.
  %28 = graph.constant dense<[[[0.25, 0.75]], [[0.5, -0.5]], [[-0.375, 0.75]]]> : tensor<3x1x2xf32>
  %29 = graph.constant dense<[[[-1.0, 0.625], [0.625, -0.125], [-0.375, -0.5], [-0.5, -0.125], [0.0, 0.125], [1.0, 0.625], [0.25, 1.0], [-0.625, -0.625]]]> : tensor<1x8x2xf32>
  %30 = graph.constant dense<[[[0.25, -0.875], [-0.875, 0.0], [-0.125, 0.875], [0.25, 0.0], [-0.0, -0.5], [-1.0, -0.625], [0.375, -0.625], [-0.25, -1.0]]]> : tensor<1x8x2xf32>
  %31 = graph.constant dense<[[0.625, -0.75, -0.5, 0.75, 0.0, 0.75, 0.25, 0.5, -0.875, 0.125, 0.0, 0.75, -0.25, 0.25, -0.875, -0.25]]> : tensor<1x16xf32>
  %32 = graph.constant dense<[[[-0.375, -0.75]]]> : tensor<1x1x2xf32>
  %33 = graph.constant dense<[[0.625, -0.25, 1.0, 0.125, 0.25, 0.25]]> : tensor<1x6xf32>
  %34:3 = graph.recurrent %28, %29, %30, %31, %32, %33 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 1>}
    : (tensor<3x1x2xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>, tensor<1x1x2xf32>, tensor<1x6xf32>) -> (tensor<3x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %35 = graph.constant dense<[[[[-0.021620033, -0.4922491]]], [[[-0.058967095, -0.22184423]]], [[[-0.0053859553, -0.12335285]]]]> : tensor<3x1x1x2xf32>
  %36 = graph.constant dense<[[[-0.0053859553, -0.12335285]]]> : tensor<1x1x2xf32>
  %37 = graph.constant dense<[[[-0.019180365, -0.150392]]]> : tensor<1x1x2xf32>
  check.expect_close %34#0, %35 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x1x2xf32>
  check.expect_close %34#1, %36 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %34#2, %37 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %38 = graph.constant dense<[[[[-0.03125, -0.5625, -0.96875, 1.28125, -0.15625, 1.71875, 0.1875, -0.375]]], [[[-1.0625, -0.25, -0.4375, 1.3125, -0.3125, 1.1875, -1.0, 0.25]]], [[[0.59375, -0.953125, -0.734375, 1.59375, -0.15625, 1.09375, 0.03125, 0.015625]]]]> : tensor<3x1x1x8xf32>
  %39 = graph.constant dense<[[[0.25, -0.875, -0.125, 0.25, -0.0, -1.0, 0.375, -0.25], [-0.875, 0.0, 0.875, 0.0, -0.5, -0.625, -0.625, -1.0]]]> : tensor<1x2x8xf32>
  %40 = graph.constant dense<[[[-0.375, -0.75]]]> : tensor<1x1x2xf32>
  %41 = graph.constant dense<[[0.625, -0.25, 1.0, 0.125, 0.25, 0.25]]> : tensor<1x6xf32>
  %42:3 = graph.recurrence %38, %39, %40, %41 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 1>}
    : (tensor<3x1x1x8xf32>, tensor<1x2x8xf32>, tensor<1x1x2xf32>, tensor<1x6xf32>) -> (tensor<3x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %42#0, %35 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x1x2xf32>
  check.expect_close %42#1, %36 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %42#2, %37 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %43 = graph.constant dense<[[[-0.375, 1.0]], [[-0.375, 0.625]]]> : tensor<2x1x2xf32>
  %44 = graph.constant dense<[[[0.75, -0.25], [-0.125, -0.25], [-0.75, -0.0], [-0.5, -0.5], [-0.625, -0.625], [0.625, -0.125], [-0.5, 0.125], [0.25, 0.25]]]> : tensor<1x8x2xf32>
  %45 = graph.constant dense<[[[0.875, -0.75], [-0.25, -0.375], [-1.0, -0.625], [-0.25, -0.25], [0.25, -0.125], [0.25, -0.5], [-0.75, -0.375], [-0.75, -0.25]]]> : tensor<1x8x2xf32>
  %46 = graph.constant dense<[[-0.125, 0.5, 0.75, -0.875, 0.875, 0.5, 1.0, -0.75, -0.25, 0.0, 0.5, -0.375, -0.125, -0.5, -0.125, 0.0]]> : tensor<1x16xf32>
  %47:3 = graph.recurrent %43, %44, %45, %46 {cell = #graph<cell lstm>, direction = #graph<direction reverse>, activations = ["Sigmoid", "Tanh", "Tanh"], input_forget = true, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %48 = graph.constant dense<[[[[0.32394853, -0.078790925]]], [[[0.20166413, -0.06890271]]]]> : tensor<2x1x1x2xf32>
  %49 = graph.constant dense<[[[0.32394853, -0.078790925]]]> : tensor<1x1x2xf32>
  %50 = graph.constant dense<[[[0.43087015, -0.5066958]]]> : tensor<1x1x2xf32>
  check.expect_close %47#0, %48 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %47#1, %49 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %47#2, %50 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %51 = graph.constant dense<[[[[-0.90625, 0.296875, 1.53125, -1.5625, 0.359375, -0.359375, 1.1875, -0.59375]]], [[[-0.8125, 0.390625, 1.53125, -1.375, 0.59375, -0.3125, 1.140625, -0.6875]]]]> : tensor<2x1x1x8xf32>
  %52 = graph.constant dense<[[[0.875, -0.25, -1.0, -0.25, 0.25, 0.25, -0.75, -0.75], [-0.75, -0.375, -0.625, -0.25, -0.125, -0.5, -0.375, -0.25]]]> : tensor<1x2x8xf32>
  %53:3 = graph.recurrence %51, %52 {cell = #graph<cell lstm>, direction = #graph<direction reverse>, activations = ["Sigmoid", "Tanh", "Tanh"], input_forget = true, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x1x8xf32>, tensor<1x2x8xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %53#0, %48 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %53#1, %49 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %53#2, %50 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %54 = graph.constant dense<[[[0.75, -0.375]], [[0.25, 0.5]]]> : tensor<2x1x2xf32>
  %55 = graph.constant dense<[[[0.375, 0.875], [0.75, 0.875], [-1.0, -0.125], [-0.0, -0.875], [-1.0, 0.625], [1.0, 0.625], [-0.375, 0.375], [-0.375, 0.5]]]> : tensor<1x8x2xf32>
  %56 = graph.constant dense<[[[-0.5, 0.625], [1.0, 1.0], [0.75, 0.875], [0.375, 0.125], [0.875, -0.875], [-0.25, 0.25], [-0.0, 0.625], [-0.625, -0.875]]]> : tensor<1x8x2xf32>
  %57 = graph.constant dense<[[-0.75, 0.875, -0.75, -0.5, -0.25, 0.25, 0.625, -0.875, 0.875, 0.5, -0.375, -0.625, 0.25, 0.25, -0.5, -0.625]]> : tensor<1x16xf32>
  %58 = graph.constant dense<[[[0.5, 0.375]]]> : tensor<1x1x2xf32>
  %59:3 = graph.recurrent %54, %55, %56, %57, %58 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"], clip = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 1, 0>}
    : (tensor<2x1x2xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>, tensor<1x1x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %60 = graph.constant dense<[[[[0.04002379, 0.03196049]]], [[[0.07760425, -0.042152394]]]]> : tensor<2x1x1x2xf32>
  %61 = graph.constant dense<[[[0.07760425, -0.042152394]]]> : tensor<1x1x2xf32>
  %62 = graph.constant dense<[[[0.17914215, -0.09657629]]]> : tensor<1x1x2xf32>
  check.expect_close %59#0, %60 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %59#1, %61 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %59#2, %62 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %63 = graph.constant dense<[[[[0.078125, 1.609375, -1.828125, -0.796875, -0.984375, 1.015625, -0.296875, -1.96875]]], [[[0.65625, 2.0, -1.4375, -1.5625, 0.0625, 1.0625, 0.21875, -1.34375]]]]> : tensor<2x1x1x8xf32>
  %64 = graph.constant dense<[[[-0.5, 1.0, 0.75, 0.375, 0.875, -0.25, -0.0, -0.625], [0.625, 1.0, 0.875, 0.125, -0.875, 0.25, 0.625, -0.875]]]> : tensor<1x2x8xf32>
  %65 = graph.constant dense<[[[0.5, 0.375]]]> : tensor<1x1x2xf32>
  %66:3 = graph.recurrence %63, %64, %65 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"], clip = 0.25 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 1, 0>}
    : (tensor<2x1x1x8xf32>, tensor<1x2x8xf32>, tensor<1x1x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %66#0, %60 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %66#1, %61 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %66#2, %62 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %67 = graph.constant dense<[[[-0.5, 0.875]], [[-0.625, -0.625]]]> : tensor<2x1x2xf32>
  %68 = graph.constant dense<[[[-0.25, -0.5], [0.375, -0.75], [0.75, 0.75], [-1.0, 0.125], [-0.75, -0.5], [-0.125, -0.125], [-0.125, 0.875], [-0.5, -0.625]]]> : tensor<1x8x2xf32>
  %69 = graph.constant dense<[[[0.375, 0.875], [0.875, 0.75], [-0.875, 0.875], [0.25, 0.75], [-0.125, -0.5], [0.625, 0.375], [0.5, -0.625], [-0.75, 0.5]]]> : tensor<1x8x2xf32>
  %70 = graph.constant dense<[[-1.0, 0.875, -0.75, 0.25, -0.125, -0.375, -0.625, 0.5, 0.875, 0.5, 0.25, 0.375, 0.125, 0.125, 0.75, -0.375]]> : tensor<1x16xf32>
  %71:3 = graph.recurrent %67, %68, %69, %70 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["HardSigmoid", "Softsign", "Relu"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x8x2xf32>, tensor<1x8x2xf32>, tensor<1x16xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %72 = graph.constant dense<[[[[0.09184313, 0.0]]], [[[0.0, 0.23486158]]]]> : tensor<2x1x1x2xf32>
  %73 = graph.constant dense<[[[0.0, 0.23486158]]]> : tensor<1x1x2xf32>
  %74 = graph.constant dense<[[[-0.00045776367, 0.3178241]]]> : tensor<1x1x2xf32>
  check.expect_close %71#0, %72 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %71#1, %73 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %71#2, %74 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %75 = graph.constant dense<[[[[-0.4375, 0.53125, -0.21875, 1.234375, -0.0625, -0.296875, 0.953125, -0.171875]]], [[[0.34375, 1.609375, -1.4375, 1.171875, 0.78125, -0.09375, -0.34375, 0.828125]]]]> : tensor<2x1x1x8xf32>
  %76 = graph.constant dense<[[[0.375, 0.875, -0.875, 0.25, -0.125, 0.625, 0.5, -0.75], [0.875, 0.75, 0.875, 0.75, -0.5, 0.375, -0.625, 0.5]]]> : tensor<1x2x8xf32>
  %77:3 = graph.recurrence %75, %76 {cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["HardSigmoid", "Softsign", "Relu"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x1x8xf32>, tensor<1x2x8xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %77#0, %72 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %77#1, %73 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %77#2, %74 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  return
}
