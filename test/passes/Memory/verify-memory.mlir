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

// -----

// Of sizes that are known in the run only, an order is proven.
!n = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
// expected-error @+1 {{has allocations that live at the same time without an order: 0 and 1}}
func.func @main() attributes {memory.arena_bytes = 1024 : i64} {
  %a = memory.alloc {offset = 0 : i64, above = array<i64>} : !n
  %b = memory.alloc {offset = 512 : i64, above = array<i64>} : !n
  kernel.launch @k tiles("n") reads(%a : !n) writes(%b : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  return
}

// -----

!n = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
// expected-error @+1 {{has allocations that lie above each other in a circle, or above none that exists}}
func.func @main() attributes {memory.arena_bytes = 1024 : i64} {
  %a = memory.alloc {offset = 0 : i64, above = array<i64: 1>} : !n
  %b = memory.alloc {offset = 512 : i64, above = array<i64: 0>} : !n
  kernel.launch @k tiles("n") reads(%a : !n) writes(%b : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  return
}

// -----

!n = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
!m = !memory.buffer<tensor<?xf32, #graph.dims<["m"]>>, [1], 0, 4 * "m">
// expected-error @+1 {{has an allocation in the place of another one of another size: 1}}
func.func @main() attributes {memory.arena_bytes = 512 : i64} {
  %a = memory.alloc {offset = 0 : i64, above = array<i64>} : !n
  kernel.launch @k tiles("n") reads() writes(%a : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc {offset = 0 : i64, in_place_of = 0 : i64} : !m
  kernel.launch @k tiles("n") reads() writes(%b : !m) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  return
}

// -----

// What lies above what lies above is above.
!n = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
func.func @main() attributes {memory.arena_bytes = 1536 : i64} {
  %a = memory.alloc {offset = 0 : i64, above = array<i64>} : !n
  %b = memory.alloc {offset = 512 : i64, above = array<i64: 0>} : !n
  %c = memory.alloc {offset = 1024 : i64, above = array<i64: 1>} : !n
  kernel.launch @k tiles("n") reads(%a, %b : !n, !n) writes(%c : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  return
}
