// RUN: tenon-opt %s --tenon-verify-memory --split-input-file --verify-diagnostics

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>

// What each launch of a wave writes lies apart: nothing is wrong.
func.func @main() attributes {memory.arena_bytes = 128 : i64} {
  %x = memory.input 0 : !b
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", wave = 0 : i64}
  %b = memory.alloc {offset = 64 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", wave = 0 : i64}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a, %b : !b, !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c"}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>

// Neither is read again, but both are written at once.
// expected-error @+1 {{has a wrong plan: buffers 'b0:a' and 'b1:b' overlap}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %x = memory.input 0 : !b
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", wave = 0 : i64}
  %b = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", wave = 0 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>

// One reads what the other writes.
// expected-error @+1 {{has a wrong plan: node 'n1:b' on stream 1 reads 'b0:a' without waiting for 'n0:a'}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %x = memory.input 0 : !b
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", wave = 0 : i64}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", wave = 0 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>

// Both write an output, which is in no arena.
// expected-error @+1 {{has a wrong plan: node 'n1:b' on stream 1 reads 'output0' without waiting for 'n0:a'}}
func.func @main() attributes {memory.arena_bytes = 0 : i64} {
  %x = memory.input 0 : !b
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", wave = 0 : i64}
  kernel.launch @k tiles(1) reads(%x : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", wave = 0 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>

// Overwritten in place while the other launch of the wave reads it.
// expected-error @+1 {{has a wrong plan: buffers 'b0:a' and 'b1:b' overlap}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %x = memory.input 0 : !b
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0>, wave = 0 : i64}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", wave = 0 : i64}
  %z = memory.output 1 : !b
  kernel.launch @k tiles(1) reads(%b : !b) writes(%z : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "d"}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>

// Scratch is written by its launch while the others of the wave run.
// expected-error @+1 {{has a wrong plan: buffers 'b0:a' and 'b1:b' overlap}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %x = memory.input 0 : !b
  %y = memory.output 0 : !b
  %z = memory.output 1 : !b
  %s = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%y : !b) scratch(%s : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", wave = 0 : i64}
  %t = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%z : !b) scratch(%t : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", wave = 0 : i64}
  return
}
