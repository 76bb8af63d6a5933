// RUN: tenon-opt %s --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

// Buffers whose innermost stride is not one: no pass assigns them, a program
// written by hand can.
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x1xi64> {
  %r = kernel.group(%x) {plan = #kernel.plan<"arg", {op = "arg_max"}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x6xf32>, [12, 2], 0, 192>, !memory.buffer<tensor<4x1xi64>, [1, 1], 0, 32>]} : (tensor<4x6xf32>) -> tensor<4x1xi64> {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{needs contiguous operands}}
    %0 = graph.arg_max %a {axis = 1 : i64} : (tensor<4x6xf32>) -> tensor<4x1xi64>
    kernel.yield %0 : tensor<4x1xi64>
  }
  return %r : tensor<4x1xi64>
}

// -----

func.func @main(%x: tensor<4x6xf32>) -> tensor<24xf32> {
  %r = kernel.group(%x) {plan = #kernel.plan<"copy", {op = "reshape"}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x6xf32>, [12, 2], 0, 192>, !memory.buffer<tensor<24xf32>, [1], 0, 96>]} : (tensor<4x6xf32>) -> tensor<24xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{a reshape copies dense buffers only}}
    %0 = graph.reshape %a : (tensor<4x6xf32>) -> tensor<24xf32>
    kernel.yield %0 : tensor<24xf32>
  }
  return %r : tensor<24xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<8xf32> {
  %r = kernel.group(%x) {plan = #kernel.plan<"resize", {op = "resize"}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4xf32>, [2], 0, 32>, !memory.buffer<tensor<8xf32>, [1], 0, 32>]} : (tensor<4xf32>) -> tensor<8xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{'graph.resize' needs contiguous rows}}
    %0 = graph.resize %a {scales = array<f32: 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<4xf32>) -> tensor<8xf32>
    kernel.yield %0 : tensor<8xf32>
  }
  return %r : tensor<8xf32>
}

// -----

func.func @main(%g: tensor<2x1x1x4xf32>, %m: tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32> {
  %r = kernel.group(%g, %m) {plan = #kernel.plan<"recurrence", {vectors = 8 : i64}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<2x1x1x4xf32>, [8, 8, 8, 2], 0, 64>, !memory.buffer<tensor<1x4x4xf32>, [16, 4, 1], 0, 64>, !memory.buffer<tensor<2x1x1x4xf32>, [4, 4, 4, 1], 0, 32>]} : (tensor<2x1x1x4xf32>, tensor<1x4x4xf32>) -> tensor<2x1x1x4xf32> {
  ^bb0(%a: tensor<2x1x1x4xf32>, %b: tensor<1x4x4xf32>):
    // expected-error @+1 {{'graph.recurrence' needs contiguous rows}}
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"]}> : (tensor<2x1x1x4xf32>, tensor<1x4x4xf32>) -> (tensor<2x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
    kernel.yield %0#0 : tensor<2x1x1x4xf32>
  }
  return %r : tensor<2x1x1x4xf32>
}

// -----

// Groups that no planner accepts, with plans written by hand.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no pool or convolution}}
  %r = kernel.group(%x) {plan = #kernel.plan<"depthwise", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>, !memory.buffer<tensor<4xf32>, [1], 0, 16>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  // expected-error @+1 {{has no pool or convolution}}
  %r = kernel.group(%x) {plan = #kernel.plan<"depthwise", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>, !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>]} : (tensor<4x4xf32>) -> tensor<4x4xf32> {
  ^bb0(%a: tensor<4x4xf32>):
    %0 = graph.matmul %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    kernel.yield %0 : tensor<4x4xf32>
  }
  return %r : tensor<4x4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no matmul or conv}}
  %r = kernel.group(%x) {plan = #kernel.plan<"gemm", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>, !memory.buffer<tensor<4xf32>, [1], 0, 16>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

// Plans that no planner makes.
func.func @main(%x: tensor<1x30x30x64xf32>, %w: tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32> {
  %r = kernel.group(%x, %w) {plan = #kernel.plan<"winograd", {m = 4, lanes = 16, nv = 1, mr = 14, panel = 1, packed = 1}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64: 4096, 4096>, buffers = [!memory.buffer<tensor<1x30x30x64xf32>, [57600, 1920, 64, 1], 0, 230400>, !memory.buffer<tensor<1x2304x32xf32>, [73728, 32, 1], 0, 294912>, !memory.buffer<tensor<1x30x30x32xf32>, [28800, 960, 32, 1], 0, 115200>]} : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<32x64x3x3xf32>):
    // expected-error @+1 {{invalid winograd plan: the panel is not of whole vectors}}
    %0 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x30x30x32xf32>
    kernel.yield %0 : tensor<1x30x30x32xf32>
  }
  return %r : tensor<1x30x30x32xf32>
}

// -----

func.func @main(%x: tensor<1x30x30x64xf32>, %w: tensor<32x64x3x3xf32>) -> tensor<1x15x15x32xf32> {
  %r = kernel.group(%x, %w) {plan = #kernel.plan<"winograd", {m = 4, lanes = 16, nv = 1, mr = 14, panel = 16, packed = 1}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64: 4096, 4096>, buffers = [!memory.buffer<tensor<1x30x30x64xf32>, [57600, 1920, 64, 1], 0, 230400>, !memory.buffer<tensor<1x2304x32xf32>, [73728, 32, 1], 0, 294912>, !memory.buffer<tensor<1x15x15x32xf32>, [7200, 480, 32, 1], 0, 28800>]} : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x15x15x32xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<32x64x3x3xf32>):
    // expected-error @+1 {{cannot be computed with Winograd}}
    %0 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x15x15x32xf32>
    kernel.yield %0 : tensor<1x15x15x32xf32>
  }
  return %r : tensor<1x15x15x32xf32>
}

// -----

func.func @main(%x: tensor<1x30x30x64xf32>, %w: tensor<32x64x3x3xf32>) -> tensor<1x28x28x32xf32> {
  %r = kernel.group(%x, %w) {plan = #kernel.plan<"bf16x6", {packed = 1}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64: 4096, 4096>, buffers = [!memory.buffer<tensor<1x30x30x64xf32>, [57600, 1920, 64, 1], 0, 230400>, !memory.buffer<tensor<1x2304x32xf32>, [73728, 32, 1], 0, 294912>, !memory.buffer<tensor<1x28x28x32xf32>, [25088, 896, 32, 1], 0, 100352>]} : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x28x28x32xf32> {
  ^bb0(%a: tensor<1x30x30x64xf32>, %b: tensor<32x64x3x3xf32>):
    // expected-error @+1 {{invalid bf16x6 plan: the target has no matrix unit}}
    %0 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x30x30x64xf32>, tensor<32x64x3x3xf32>) -> tensor<1x28x28x32xf32>
    kernel.yield %0 : tensor<1x28x28x32xf32>
  }
  return %r : tensor<1x28x28x32xf32>
}

// -----

// Windows that meet are no product.
func.func @main(%x: tensor<1x2x2x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x5x5x8xf32> {
  %r = kernel.group(%x, %w) {plan = #kernel.plan<"gemm", {lanes = 8 : i64, mr = 4 : i64, nv = 1 : i64, packed = 0 : i64, panel = 8 : i64}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<1x2x2x8xf32>, [32, 16, 8, 1], 0, 128>, !memory.buffer<tensor<8x8x3x3xf32>, [72, 9, 3, 1], 0, 2304>, !memory.buffer<tensor<1x5x5x8xf32>, [200, 40, 8, 1], 0, 800>]} : (tensor<1x2x2x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x5x5x8xf32> {
  ^bb0(%a: tensor<1x2x2x8xf32>, %b: tensor<8x8x3x3xf32>):
    // expected-error @+1 {{'graph.conv_transpose' is a product only in layout nhwc, where windows do not meet}}
    %0 = graph.conv_transpose %a, %b {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x2x2x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x5x5x8xf32>
    kernel.yield %0 : tensor<1x5x5x8xf32>
  }
  return %r : tensor<1x5x5x8xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no plan of any strategy}}
  %r = kernel.group(%x) {plan = #kernel.plan<"magic", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>, !memory.buffer<tensor<4xf32>, [1], 0, 16>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %0 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %0 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = kernel.group(%x) {plan = #kernel.plan<"copy", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>, !memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>]} : (tensor<4x6xf32>) -> tensor<4x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{'graph.softmax' is not of strategy 'copy'}}
    %0 = graph.softmax %a {axis = 1 : i64} : (tensor<4x6xf32>) -> tensor<4x6xf32>
    kernel.yield %0 : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}

// -----

func.func @main(%x: tensor<4x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{'graph.concat' must be alone in its group, with all its results}}
  %r = kernel.group(%x) {plan = #kernel.plan<"copy", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>, !memory.buffer<tensor<8x6xf32>, [6, 1], 0, 192>]} : (tensor<4x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    %0 = graph.concat %a, %a {axis = 0 : i64} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
    %1 = graph.relu %0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
    kernel.yield %1 : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @main(%x: tensor<1x4x4x9xf32>, %w: tensor<9x3x1x1xf32>) -> tensor<1x4x4x9xf32> {
  %r = kernel.group(%x, %w) {plan = #kernel.plan<"depthwise", {lanes = 8 : i64}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<1x4x4x9xf32>, [144, 36, 9, 1], 0, 576>, !memory.buffer<tensor<9x3x1x1xf32>, [3, 1, 1, 1], 0, 108>, !memory.buffer<tensor<1x4x4x9xf32>, [144, 36, 9, 1], 0, 576>]} : (tensor<1x4x4x9xf32>, tensor<9x3x1x1xf32>) -> tensor<1x4x4x9xf32> {
  ^bb0(%a: tensor<1x4x4x9xf32>, %b: tensor<9x3x1x1xf32>):
    // expected-error @+1 {{'graph.conv' has groups of 3 channels, which do not fill vectors of 8}}
    %0 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 3 : i64, layout = #graph<layout nhwc>} : (tensor<1x4x4x9xf32>, tensor<9x3x1x1xf32>) -> tensor<1x4x4x9xf32>
    kernel.yield %0 : tensor<1x4x4x9xf32>
  }
  return %r : tensor<1x4x4x9xf32>
}

// -----

// One index of rows that are summed is not the sum.
!x = tensor<?x8xf32, #graph.dims<["n", 8]>>
!b = !memory.buffer<tensor<?x8xf32, #graph.dims<["n", 8]>>, [8, 1], 0, 32 * "n">
func.func @main(%x: !x) -> tensor<1x8xf32> {
  // expected-error @+1 {{does not compute the same for each index of a leading dimension}}
  %r = kernel.group(%x) {each, plan = #kernel.plan<"loops", {}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!b, !memory.buffer<tensor<1x8xf32>, [8, 1], 0, 32>]} : (!x) -> tensor<1x8xf32> {
  ^bb0(%a: !x):
    %0 = graph.reduce_sum %a {axes = array<i64: 0>} : (!x) -> tensor<1x8xf32>
    kernel.yield %0 : tensor<1x8xf32>
  }
  return %r : tensor<1x8xf32>
}

// -----

// A filter grows with a scale that only the run knows.
!x = tensor<?x8xf32, #graph.dims<["n", 8]>>
!y = tensor<?x8xf32, #graph.dims<["m", 8]>>
!bx = !memory.buffer<tensor<?x8xf32, #graph.dims<["n", 8]>>, [8, 1], 0, 32 * "n">
!by = !memory.buffer<tensor<?x8xf32, #graph.dims<["m", 8]>>, [8, 1], 0, 32 * "m">
func.func @main(%x: !x, %n: tensor<?xf32, #graph.dims<["m"]>>) -> !y {
  %r = kernel.group(%x) {plan = #kernel.plan<"resize", {op = "resize"}>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!bx, !by]} : (!x) -> !y {
  ^bb0(%a: !x):
    // expected-error @+1 {{'graph.resize' whose taps no number says}}
    %0 = graph.resize %a {coordinate_mode = #graph<coordinate_mode half_pixel>, mode = #graph<resize_mode linear>, nearest_mode = #graph<nearest_mode round_prefer_floor>, antialias = true, scales = array<f32: 0.0, 1.0>} : (!x) -> !y
    kernel.yield %0 : !y
  }
  return %r : !y
}

// -----

func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = kernel.group(%x) {plan = #kernel.plan<"stages", {}>, tile = #kernel.tile<dims = [0], sizes = [2]>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>, !memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>]} : (tensor<4x6xf32>) -> tensor<4x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{has no plan of any strategy}}
    %t = kernel.stage(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32> {
    ^bb0(%p0: tensor<4x6xf32>):
      %0 = graph.relu %p0 : (tensor<4x6xf32>) -> tensor<4x6xf32>
      kernel.yield %0 : tensor<4x6xf32>
    }
    kernel.yield %t : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}

// -----

// The input of the program is no buffer of the thread.
func.func @main(%x: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %r = kernel.group(%x) {plan = #kernel.plan<"stages", {in_place = array<i64: 0>}>, tile = #kernel.tile<dims = [0], sizes = [2]>, halos = [array<i64>], packs = [unit], scratch = array<i64>, buffers = [!memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>, !memory.buffer<tensor<4x6xf32>, [6, 1], 0, 96>]} : (tensor<4x6xf32>) -> tensor<4x6xf32> {
  ^bb0(%a: tensor<4x6xf32>):
    // expected-error @+1 {{cannot overwrite operand 0}}
    %t = kernel.stage(%a) {plan = #kernel.plan<"loops", {chunk = 12 : i64, lanes = 4 : i64, rows = 2 : i64, unroll = 1 : i64, vector = 1 : i64}>} : (tensor<4x6xf32>) -> tensor<4x6xf32> {
    ^bb0(%p0: tensor<4x6xf32>):
      %0 = graph.transpose %p0 {permutation = array<i64: 0, 1>} : (tensor<4x6xf32>) -> tensor<4x6xf32>
      kernel.yield %0 : tensor<4x6xf32>
    }
    kernel.yield %t : tensor<4x6xf32>
  }
  return %r : tensor<4x6xf32>
}
