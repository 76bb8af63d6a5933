// RUN: tenon-run --interpret %s
// Simple recurrent layers, whole and after the projection.

func.func @main() {
  %0 = graph.constant dense<[[[0.25, -0.5], [-0.875, -1.0]], [[0.625, 0.875], [0.25, 0.5]], [[0.125, 0.875], [0.625, -1.0]]]> : tensor<3x2x2xf32>
  %1 = graph.constant dense<[[[0.75, -0.875], [0.5, -0.625]]]> : tensor<1x2x2xf32>
  %2 = graph.constant dense<[[[0.75, 0.125], [-0.375, -0.125]]]> : tensor<1x2x2xf32>
  %3 = graph.constant dense<[[-1.0, -0.75, 0.375, 0.25]]> : tensor<1x4xf32>
  %4:3 = graph.recurrent %0, %1, %2, %3 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<3x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  %5 = graph.constant dense<[[[[0.0, -0.0624187], [-0.38528395, -0.3027097]]], [[[-0.7304435, -0.62096405], [-0.8342033, -0.4661811]]], [[[-0.9581087, -0.5600034], [0.03481078, 0.6688167]]]]> : tensor<3x1x2x2xf32>
  %6 = graph.constant dense<[[[-0.9581087, -0.5600034], [0.03481078, 0.6688167]]]> : tensor<1x2x2xf32>
  check.expect_close %4#0, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %4#1, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %4#2, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  %7 = graph.constant dense<[[[[0.0, -0.0625], [-0.40625, -0.3125]]], [[[-0.921875, -0.734375], [-0.875, -0.6875]]], [[[-1.296875, -0.984375], [0.71875, 0.4375]]]]> : tensor<3x1x2x2xf32>
  %8 = graph.constant dense<[[[0.75, -0.375], [0.125, -0.125]]]> : tensor<1x2x2xf32>
  %9:3 = graph.recurrence %7, %8 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  check.expect_close %9#0, %5 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %9#1, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %9#2, %6 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>

  // Reverse and both ways, with lengths and initial state.
  %10 = graph.constant dense<[[[0.0, 0.875], [-0.75, 0.875]], [[-0.375, -0.125], [0.625, -0.125]], [[0.125, -1.0], [0.5, 0.125]]]> : tensor<3x2x2xf32>
  %11 = graph.constant dense<[[[-0.375, 0.625], [-0.375, -0.125]]]> : tensor<1x2x2xf32>
  %12 = graph.constant dense<[[[-0.75, -0.25], [-0.625, -0.5]]]> : tensor<1x2x2xf32>
  %13 = graph.constant dense<[[0.5, -0.5, -0.0, 1.0]]> : tensor<1x4xf32>
  %14 = graph.constant dense<[2, 3]> : tensor<2xi32>
  %15 = graph.constant dense<[[[0.875, 0.5], [0.125, -0.5]]]> : tensor<1x2x2xf32>
  %16:3 = graph.recurrent %10, %11, %12, %13, %14, %15 {cell = #graph<cell rnn>, direction = #graph<direction reverse>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>}
    : (tensor<3x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>, tensor<2xi32>, tensor<1x2x2xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  %17 = graph.constant dense<[[[[0.84639287, 0.5335226], [0.9116267, 0.7161735]]], [[[-0.21532631, -0.13970536], [-0.217165, -0.18428272]]], [[[0.0, 0.0], [0.3985089, 0.43718874]]]]> : tensor<3x1x2x2xf32>
  %18 = graph.constant dense<[[[0.84639287, 0.5335226], [0.9116267, 0.7161735]]]> : tensor<1x2x2xf32>
  check.expect_close %16#0, %17 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %16#1, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %16#2, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  %19 = graph.constant dense<[[[[1.046875, 0.390625], [1.328125, 0.671875]]], [[[0.5625, 0.65625], [0.1875, 0.28125]]], [[[-0.171875, 0.578125], [0.390625, 0.296875]]]]> : tensor<3x1x2x2xf32>
  %20 = graph.constant dense<[[[-0.75, -0.625], [-0.25, -0.5]]]> : tensor<1x2x2xf32>
  %21 = graph.constant dense<[2, 3]> : tensor<2xi32>
  %22 = graph.constant dense<[[[0.875, 0.5], [0.125, -0.5]]]> : tensor<1x2x2xf32>
  %23:3 = graph.recurrence %19, %20, %21, %22 {cell = #graph<cell rnn>, direction = #graph<direction reverse>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0>}
    : (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<2xi32>, tensor<1x2x2xf32>) -> (tensor<3x1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>)
  check.expect_close %23#0, %17 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x1x2x2xf32>
  check.expect_close %23#1, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>
  check.expect_close %23#2, %18 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x2x2xf32>

  %24 = graph.constant dense<[[[-0.5, -0.375], [0.625, -0.875]], [[0.25, 0.5], [-0.625, -0.875]], [[-0.5, 0.375], [0.125, -0.75]]]> : tensor<3x2x2xf32>
  %25 = graph.constant dense<[[[-0.125, 0.375], [-0.125, 0.25]], [[0.875, 0.375], [-0.25, -0.625]]]> : tensor<2x2x2xf32>
  %26 = graph.constant dense<[[[-0.25, 0.0], [0.75, 0.5]], [[-0.375, 0.875], [-0.0, 0.375]]]> : tensor<2x2x2xf32>
  %27 = graph.constant dense<[[-0.75, -0.75, -0.625, 0.75], [0.375, 0.75, 0.25, -0.125]]> : tensor<2x4xf32>
  %28 = graph.constant dense<[3, 1]> : tensor<2xi32>
  %29 = graph.constant dense<[[[0.0, 0.125], [0.75, -0.125]], [[0.75, 0.25], [0.625, -0.0]]]> : tensor<2x2x2xf32>
  %30:3 = graph.recurrent %24, %25, %26, %27, %28, %29 {cell = #graph<cell rnn>, direction = #graph<direction bidirectional>, activations = ["Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 1, 1, 0, 0>}
    : (tensor<3x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x4xf32>, tensor<2xi32>, tensor<2x2x2xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  %31 = graph.constant dense<[[[[-0.8963091, 0.031239867], [-0.96175194, 0.20037663]], [[0.08583081, 0.81568384], [0.543687, 0.76807857]]], [[[-0.75934774, -0.51009774], [0.0, 0.0]], [[0.88741875, 0.4250853], [0.0, 0.0]]], [[[-0.75394684, -0.58386695], [0.0, 0.0]], [[0.25954926, 0.543687], [0.0, 0.0]]]]> : tensor<3x2x2x2xf32>
  %32 = graph.constant dense<[[[-0.75394684, -0.58386695], [-0.96175194, 0.20037663]], [[0.08583081, 0.81568384], [0.543687, 0.76807857]]]> : tensor<2x2x2xf32>
  check.expect_close %30#0, %31 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x2x2x2xf32>
  check.expect_close %30#1, %32 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  check.expect_close %30#2, %32 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  %33 = graph.constant dense<[[[[-1.453125, -0.03125], [-1.78125, -0.296875]], [[0.046875, 0.984375], [0.84375, 1.015625]]], [[[-1.21875, 0.09375], [-1.625, -0.140625]], [[1.03125, 0.25], [-0.25, 1.328125]]], [[[-1.171875, 0.15625], [-1.671875, -0.203125]], [[0.328125, 0.515625], [0.453125, 1.0625]]]]> : tensor<3x2x2x2xf32>
  %34 = graph.constant dense<[[[-0.25, 0.75], [0.0, 0.5]], [[-0.375, -0.0], [0.875, 0.375]]]> : tensor<2x2x2xf32>
  %35 = graph.constant dense<[3, 1]> : tensor<2xi32>
  %36 = graph.constant dense<[[[0.0, 0.125], [0.75, -0.125]], [[0.75, 0.25], [0.625, -0.0]]]> : tensor<2x2x2xf32>
  %37:3 = graph.recurrence %33, %34, %35, %36 {cell = #graph<cell rnn>, direction = #graph<direction bidirectional>, activations = ["Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 0, 0>}
    : (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2xi32>, tensor<2x2x2xf32>) -> (tensor<3x2x2x2xf32>, tensor<2x2x2xf32>, tensor<2x2x2xf32>)
  check.expect_close %37#0, %31 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<3x2x2x2xf32>
  check.expect_close %37#1, %32 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>
  check.expect_close %37#2, %32 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x2x2xf32>

  // Every activation.
  %38 = graph.constant dense<[[[0.875, -0.625]], [[0.625, -0.75]]]> : tensor<2x1x2xf32>
  %39 = graph.constant dense<[[[0.0, -0.75], [0.375, 0.625]]]> : tensor<1x2x2xf32>
  %40 = graph.constant dense<[[[-0.125, 0.875], [0.625, -0.375]]]> : tensor<1x2x2xf32>
  %41 = graph.constant dense<[[0.125, 0.5, 0.625, 0.875]]> : tensor<1x4xf32>
  %42:3 = graph.recurrent %38, %39, %40, %41 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Relu"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %43 = graph.constant dense<[[[[1.21875, 1.3125]]], [[[2.3085938, 1.4101562]]]]> : tensor<2x1x1x2xf32>
  %44 = graph.constant dense<[[[2.3085938, 1.4101562]]]> : tensor<1x1x2xf32>
  check.expect_close %42#0, %43 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %42#1, %44 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %42#2, %44 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %45 = graph.constant dense<[[[-0.75, -0.0]], [[0.25, -1.0]]]> : tensor<2x1x2xf32>
  %46 = graph.constant dense<[[[-0.75, 0.875], [-0.875, -0.75]]]> : tensor<1x2x2xf32>
  %47 = graph.constant dense<[[[0.875, 0.25], [-0.25, 0.0]]]> : tensor<1x2x2xf32>
  %48:3 = graph.recurrent %45, %46, %47 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Sigmoid"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %49 = graph.constant dense<[[[[0.6370308, 0.6584175]]], [[[0.41568956, 0.5919403]]]]> : tensor<2x1x1x2xf32>
  %50 = graph.constant dense<[[[0.41568956, 0.5919403]]]> : tensor<1x1x2xf32>
  check.expect_close %48#0, %49 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %48#1, %50 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %48#2, %50 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %51 = graph.constant dense<[[[-0.5, 0.875]], [[-0.625, -0.625]]]> : tensor<2x1x2xf32>
  %52 = graph.constant dense<[[[-0.25, -0.5], [0.375, -0.75]]]> : tensor<1x2x2xf32>
  %53 = graph.constant dense<[[[0.75, 0.75], [-1.0, 0.125]]]> : tensor<1x2x2xf32>
  %54 = graph.constant dense<[[-0.75, -0.5, -0.125, -0.125]]> : tensor<1x4xf32>
  %55:3 = graph.recurrent %51, %52, %53, %54 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Softsign"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %56 = graph.constant dense<[[[[-0.54285717, -0.5949367]]], [[[-0.5574429, 0.072240084]]]]> : tensor<2x1x1x2xf32>
  %57 = graph.constant dense<[[[-0.5574429, 0.072240084]]]> : tensor<1x1x2xf32>
  check.expect_close %55#0, %56 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %55#1, %57 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %55#2, %57 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %58 = graph.constant dense<[[[0.75, 0.75]], [[0.625, -0.5]]]> : tensor<2x1x2xf32>
  %59 = graph.constant dense<[[[-0.875, 0.875], [0.25, -1.0]]]> : tensor<1x2x2xf32>
  %60 = graph.constant dense<[[[0.875, 1.0], [-0.375, 0.625]]]> : tensor<1x2x2xf32>
  %61:3 = graph.recurrent %58, %59, %60 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Softplus"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %62 = graph.constant dense<[[[[0.6931472, 0.4509373]]], [[[0.7303474, 1.088643]]]]> : tensor<2x1x1x2xf32>
  %63 = graph.constant dense<[[[0.7303474, 1.088643]]]> : tensor<1x1x2xf32>
  check.expect_close %61#0, %62 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %61#1, %63 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %61#2, %63 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %64 = graph.constant dense<[[[0.625, -0.25]], [[0.375, 0.75]]]> : tensor<2x1x2xf32>
  %65 = graph.constant dense<[[[0.25, 0.125], [0.5, 0.375]]]> : tensor<1x2x2xf32>
  %66 = graph.constant dense<[[[-0.125, 0.125], [0.5, -0.875]]]> : tensor<1x2x2xf32>
  %67 = graph.constant dense<[[0.25, 0.5, -0.25, 0.0]]> : tensor<1x4xf32>
  %68:3 = graph.recurrent %64, %65, %66, %67 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["LeakyRelu"], alpha = array<f32: 0.5>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %69 = graph.constant dense<[[[[0.125, 0.71875]]], [[[0.26171875, 0.40234375]]]]> : tensor<2x1x1x2xf32>
  %70 = graph.constant dense<[[[0.26171875, 0.40234375]]]> : tensor<1x1x2xf32>
  check.expect_close %68#0, %69 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %68#1, %70 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %68#2, %70 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %71 = graph.constant dense<[[[0.375, 0.625]], [[-0.25, -0.875]]]> : tensor<2x1x2xf32>
  %72 = graph.constant dense<[[[0.125, -0.75], [0.5, -0.25]]]> : tensor<1x2x2xf32>
  %73 = graph.constant dense<[[[-0.125, 1.0], [0.625, 0.75]]]> : tensor<1x2x2xf32>
  %74:3 = graph.recurrent %71, %72, %73 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["ThresholdedRelu"], alpha = array<f32: 0.25>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %75 = graph.constant dense<[[[[0.0, 0.0]]], [[[0.625, 0.0]]]]> : tensor<2x1x1x2xf32>
  %76 = graph.constant dense<[[[0.625, 0.0]]]> : tensor<1x1x2xf32>
  check.expect_close %74#0, %75 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %74#1, %76 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %74#2, %76 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %77 = graph.constant dense<[[[0.125, -0.125]], [[-0.75, -0.25]]]> : tensor<2x1x2xf32>
  %78 = graph.constant dense<[[[0.25, -1.0], [0.75, 0.75]]]> : tensor<1x2x2xf32>
  %79 = graph.constant dense<[[[-0.875, 0.625], [-0.625, 0.375]]]> : tensor<1x2x2xf32>
  %80 = graph.constant dense<[[-0.75, 0.375, 0.875, 1.0]]> : tensor<1x4xf32>
  %81:3 = graph.recurrent %77, %78, %79, %80 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Elu"], alpha = array<f32: 2.0>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %82 = graph.constant dense<[[[[0.28125, 1.375]]], [[[0.80078125, 0.96484375]]]]> : tensor<2x1x1x2xf32>
  %83 = graph.constant dense<[[[0.80078125, 0.96484375]]]> : tensor<1x1x2xf32>
  check.expect_close %81#0, %82 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %81#1, %83 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %81#2, %83 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %84 = graph.constant dense<[[[0.75, -0.625]], [[0.125, -0.25]]]> : tensor<2x1x2xf32>
  %85 = graph.constant dense<[[[-0.625, -0.25], [-0.125, 0.25]]]> : tensor<1x2x2xf32>
  %86 = graph.constant dense<[[[0.5, -1.0], [-0.5, 0.25]]]> : tensor<1x2x2xf32>
  %87:3 = graph.recurrent %84, %85, %86 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Affine"], alpha = array<f32: 0.5>, beta = array<f32: 0.25>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %88 = graph.constant dense<[[[[0.09375, 0.125]]], [[[0.203125, 0.203125]]]]> : tensor<2x1x1x2xf32>
  %89 = graph.constant dense<0.203125> : tensor<1x1x2xf32>
  check.expect_close %87#0, %88 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %87#1, %89 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %87#2, %89 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %90 = graph.constant dense<[[[-0.25, 0.375]], [[-0.5, -0.875]]]> : tensor<2x1x2xf32>
  %91 = graph.constant dense<[[[1.0, 0.125], [0.25, 0.125]]]> : tensor<1x2x2xf32>
  %92 = graph.constant dense<[[[-0.0, -0.75], [-0.375, 0.5]]]> : tensor<1x2x2xf32>
  %93 = graph.constant dense<[[0.875, 0.75, 0.875, -1.0]]> : tensor<1x4xf32>
  %94:3 = graph.recurrent %90, %91, %92, %93 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["ScaledTanh"], alpha = array<f32: 1.5>, beta = array<f32: 0.5>, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %95 = graph.constant dense<[[[[0.97338563, -0.19805557]]], [[[0.85201836, -0.66239345]]]]> : tensor<2x1x1x2xf32>
  %96 = graph.constant dense<[[[0.85201836, -0.66239345]]]> : tensor<1x1x2xf32>
  check.expect_close %94#0, %95 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %94#1, %96 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %94#2, %96 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  %97 = graph.constant dense<[[[-0.125, 0.875]], [[-0.5, -0.875]]]> : tensor<2x1x2xf32>
  %98 = graph.constant dense<[[[-0.375, 0.375], [0.5, 0.125]]]> : tensor<1x2x2xf32>
  %99 = graph.constant dense<[[[-0.375, 0.875], [0.875, -0.125]]]> : tensor<1x2x2xf32>
  %100:3 = graph.recurrent %97, %98, %99 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["HardSigmoid"], alpha = array<f32: 0.25>, beta = array<f32: 0.5>, operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %101 = graph.constant dense<[[[[0.59375, 0.51171875]]], [[[0.52111816, 0.52404785]]]]> : tensor<2x1x1x2xf32>
  %102 = graph.constant dense<[[[0.52111816, 0.52404785]]]> : tensor<1x1x2xf32>
  check.expect_close %100#0, %101 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %100#1, %102 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %100#2, %102 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>

  // A clip.
  %103 = graph.constant dense<[[[0.625, 0.625]], [[0.0, -0.375]]]> : tensor<2x1x2xf32>
  %104 = graph.constant dense<[[[-0.875, -0.25], [-0.125, -0.875]]]> : tensor<1x2x2xf32>
  %105 = graph.constant dense<[[[-0.875, 1.0], [0.25, -0.5]]]> : tensor<1x2x2xf32>
  %106 = graph.constant dense<[[-0.125, 1.0, 0.75, 0.75]]> : tensor<1x4xf32>
  %107:3 = graph.recurrent %103, %104, %105, %106 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], clip = 0.3 : f32, operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>}
    : (tensor<2x1x2xf32>, tensor<1x2x2xf32>, tensor<1x2x2xf32>, tensor<1x4xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  %108 = graph.constant dense<[[[[-0.07796645, 0.29131258]]], [[[0.29131258, 0.29131258]]]]> : tensor<2x1x1x2xf32>
  %109 = graph.constant dense<0.29131258> : tensor<1x1x2xf32>
  check.expect_close %107#0, %108 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %107#1, %109 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %107#2, %109 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  %110 = graph.constant dense<[[[[-0.078125, 1.125]]], [[[0.71875, 2.078125]]]]> : tensor<2x1x1x2xf32>
  %111 = graph.constant dense<[[[-0.875, 0.25], [1.0, -0.5]]]> : tensor<1x2x2xf32>
  %112:3 = graph.recurrence %110, %111 {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], clip = 0.3 : f32, operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>}
    : (tensor<2x1x1x2xf32>, tensor<1x2x2xf32>) -> (tensor<2x1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>)
  check.expect_close %112#0, %108 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<2x1x1x2xf32>
  check.expect_close %112#1, %109 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  check.expect_close %112#2, %109 {rtol = 1.0e-05, atol = 1.0e-05} : tensor<1x1x2xf32>
  return
}
