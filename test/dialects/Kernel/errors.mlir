// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{block arguments differ from the operands}}
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @yield(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{yielded values differ from the results}}
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @buffers(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs one buffer type per operand and result}}
  %0 = kernel.group(%x) {buffers = [!memory.buffer<tensor<4xf32>, [1], 0, 16>]} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @odd() {
  %a = memory.alloc : !b
  // expected-error @+1 {{needs pairs of a read and a write in 'in_place'}}
  kernel.launch @k tiles(1) reads(%a : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", in_place = array<i64: 0>}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @range() {
  %a = memory.alloc : !b
  // expected-error @+1 {{has no read 0 and write 1 that could be in place}}
  kernel.launch @k tiles(1) reads(%a : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", in_place = array<i64: 0, 1>}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
!c = !memory.buffer<tensor<4xf64>, [1], 0, 32>
func.func @size() {
  %a = memory.alloc : !b
  %c = memory.alloc : !c
  // expected-error @+1 {{cannot write '!memory.buffer<tensor<4xf64>, [1], 0, 32>' over '!memory.buffer<tensor<4xf32>, [1], 0, 16>'}}
  kernel.launch @k tiles(1) reads(%a : !b) writes(%c : !c) {bytes = 0 : i64, flops = 0 : i64, nodes = "", in_place = array<i64: 0, 0>}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @steps() {
  %a = memory.alloc : !b
  // expected-error @+1 {{needs at least one step}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", steps = 0 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @scratch() {
  %a = memory.alloc : !b
  // expected-error @+1 {{asks for a negative number of bytes of scratch}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", thread_scratch = -1 : i64}
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{a number that is known is needed}}
  kernel.launch @k tiles(?) reads() writes() {bytes = 0 : i64, flops = 0 : i64, nodes = ""}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @apart() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", wave = 2 : i64}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = ""}
  // expected-error @+1 {{is in wave 2 behind launches of wave 2: a wave's launches are neighbours, and their numbers grow}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", wave = 2 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @falling() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", wave = 2 : i64}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = ""}
  // expected-error @+1 {{is in wave 1 behind launches of wave 2}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", wave = 1 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @steps() {
  %a = memory.alloc : !b
  // expected-error @+1 {{in a wave has steps}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", steps = 2 : i64, wave = 0 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @stream() {
  %a = memory.alloc : !b
  // expected-error @+1 {{is in a wave, which only launches of a processor's one stream form}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", stream = 1 : i64, wave = 0 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @waits() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", wave = 0 : i64}
  // expected-error @+1 {{is in a wave, which only launches of a processor's one stream form}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", waits = array<i64: 0>, wave = 1 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @negative() {
  %a = memory.alloc : !b
  // expected-error @+1 {{attribute 'wave' failed to satisfy constraint}}
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "", wave = -1 : i64}
  return
}
