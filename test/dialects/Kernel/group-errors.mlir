// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// What planning and buffer assignment leave on a group fits its operands.

func.func @halos(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs one halo per operand}}
  %0 = kernel.group(%x) {halos = [array<i64>, array<i64>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @widths(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs two widths per dimension in the halo of operand 0}}
  %0 = kernel.group(%x) {halos = [array<i64: 1>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @negative(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a negative halo for operand 0}}
  %0 = kernel.group(%x) {halos = [array<i64: 0, -1>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @halo_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{failed to satisfy constraint: one array of halo widths per operand}}
  %0 = kernel.group(%x) {halos = [0 : i64]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @packs(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs one pack per operand}}
  %0 = kernel.group(%x) {packs = [unit, unit]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @pack_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{failed to satisfy constraint: one pack or unit per operand}}
  %0 = kernel.group(%x) {packs = [0 : i64]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @scratch(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a scratch buffer of 0 bytes}}
  %0 = kernel.group(%x) {scratch = array<i64: 64, 0>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @checked(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is checked and has no fault word}}
  %0 = kernel.group(%x) {checked} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @fault(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{is checked and has no fault word}}
  %0 = kernel.group(%x) {checked, scratch = array<i64: 8, 64>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @buffer_type(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{failed to satisfy constraint: one buffer type per operand and result}}
  %0 = kernel.group(%x) {buffers = [f32, f32]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @offsets(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs one offset per buffer}}
  %0 = kernel.group(%x) {offsets = array<i64: 0, 0>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @few_offsets(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs one offset per buffer}}
  %0 = kernel.group(%x) {buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>, !memory.buffer<tensor<4xf32>, [1], 0, 16>], offsets = array<i64: 0>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @before(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has a negative offset}}
  %0 = kernel.group(%x) {buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>, !memory.buffer<tensor<4xf32>, [1], 0, 16>], offsets = array<i64: 0, -4>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @part(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has no operand 1 that could be in place}}
  %0 = kernel.group(%x) {in_place = array<i64: 1>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @twice(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs ascending numbers in 'in_place'}}
  %0 = kernel.group(%x) {in_place = array<i64: 0, 0>} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.relu %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @costs(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs a number of nanoseconds for 'loops'}}
  %0 = kernel.group(%x) {costs = {gemm = 100, loops = -1}} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @time(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{attribute 'time' failed to satisfy constraint}}
  %0 = kernel.group(%x) {time = -1 : i64} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @launch() {
  // expected-error @+1 {{needs a number of nanoseconds for 'loops'}}
  kernel.launch @k tiles(1) reads() writes() {bytes = 0 : i64, flops = 0 : i64, nodes = "", costs = {loops = 1.0}}
  return
}
