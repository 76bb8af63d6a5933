// RUN: tenon-opt %s --tenon-schedule-launches="cap=511" --split-input-file --verify-diagnostics
// RUN: tenon-opt %s --tenon-schedule-launches="threads=16 waves cap=511" --split-input-file --verify-diagnostics

!small = !memory.buffer<tensor<16xf32>, [1], 0, 64>
!large = !memory.buffer<tensor<64xf32>, [1], 0, 256>

// 576 bytes in this order, 512 in that which makes b's later.
func.func @main() {
  %x = memory.input 0 : !small
  %a = memory.alloc : !large
  kernel.launch @k tiles(1) reads(%x : !small) writes(%a : !large) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !small
  kernel.launch @k tiles(1) reads(%x : !small) writes(%b : !small) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  %c = memory.alloc : !large
  // expected-error @+1 {{no order of launches fits into 511 bytes: the smallest arena found has 512 bytes, most of it in use at 'c'}}
  kernel.launch @k tiles(1) reads(%a : !large) writes(%c : !large) {bytes = 0 : i64, flops = 0 : i64, nodes = "c"}
  %y = memory.output 0 : !small
  kernel.launch @k tiles(1) reads(%b, %c : !small, !large) writes(%y : !small) {bytes = 0 : i64, flops = 0 : i64, nodes = "d"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

!b = !memory.buffer<tensor<64xf32>, [1], 0, 256>

// Streams are somebody else's: nothing moves.
func.func @main() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  %c = memory.alloc : !b
  // expected-error @+1 {{the order of launches, which has to stay, does not fit into 511 bytes: the smallest arena found has 768 bytes, most of it in use at 'c'}}
  kernel.launch @k tiles(1) reads(%a, %b : !b, !b) writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", stream = 1 : i64, waits = array<i64: 0, 1>}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

!n = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
// expected-error @+1 {{no arena can be capped whose size is known in the run only; --dim or --shape fixes it}}
func.func @main() {
  %a = memory.alloc : !n
  kernel.launch @k tiles("n") reads() writes(%a : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
