// RUN: tenon-opt %s --tenon-verify-memory --split-input-file --verify-diagnostics

// expected-error @+1 {{has no 'memory.arena_bytes'}}
func.func @main() {
  return
}

// -----

func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  // expected-error @+1 {{has no offset}}
  %0 = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  return
}

// -----

func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  // expected-error @+1 {{is outside the arena}}
  %0 = memory.alloc {offset = 64 : i64} : <tensor<16xf32>, [1], 0, 64>
  return
}

// -----

// Only what is declared may share: here it is.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0>}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{has a wrong plan: buffers 'b0:b' and 'b1:b' overlap}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  return
}

// -----

// Not at the same place.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{has a wrong plan}}
func.func @main() attributes {memory.arena_bytes = 128 : i64} {
  %a = memory.alloc {offset = 0 : i64, alignment = 4 : i64} : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc {offset = 4 : i64, alignment = 4 : i64} : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0>}
  return
}
