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

// -----

// What another stream makes is read without waiting for it.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{has launches that do not wait for what they need: node 'n1:b' on stream 1 reads 'b0:b' without waiting for 'n0:a'}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", stream = 1 : i64}
  return
}

// -----

// One launch overwrites what another one may read meanwhile.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{has a wrong plan: buffers 'b0:b' and 'b1:c' overlap}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %a = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", stream = 1 : i64, waits = array<i64: 0>}
  %c = memory.alloc {offset = 0 : i64} : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", in_place = array<i64: 0, 0>}
  return
}

// -----

// A launch that comes later cannot be waited for.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{has launches that do not wait for what they need: launch 0 waits for launch 0, which does not come before it}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads() writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", waits = array<i64: 0>}
  return
}

// -----

!b = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
// expected-error @+1 {{has several streams, and sizes that depend on symbols}}
func.func @main() attributes {memory.arena_bytes = 64 : i64} {
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads() writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", stream = 1 : i64}
  return
}
