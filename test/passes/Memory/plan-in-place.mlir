// RUN: tenon-opt %s --tenon-plan-arena --tenon-verify-memory --split-input-file | FileCheck %s

// A chain that is allowed to overwrite, through a view of the same bytes: one
// buffer serves it all.
// CHECK-LABEL: @main
// CHECK-SAME: memory.arena_bytes = 64 : i64, memory.arena_lower_bound_bytes = 64 : i64
// CHECK: memory.alloc {offset = 0 : i64}
// CHECK: memory.alloc {offset = 0 : i64}
// CHECK: memory.alloc {offset = 0 : i64}
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
!v = !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %v = memory.view %a : !b -> !v
  %b = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%x, %v : !b, !v) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0, 1, 0>}
  %c = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%b : !b) writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", in_place = array<i64: 0, 0>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%c : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "y", in_place = array<i64: 0, 0>}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// One storage stands for one pair: of two results one lies on the operand.
// CHECK-LABEL: @main
// CHECK-SAME: memory.arena_bytes = 128 : i64, memory.arena_lower_bound_bytes = 128 : i64
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
func.func @main() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !b
  %c = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%b, %c : !b, !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0, 0, 1>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%b, %c : !b, !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "y"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// `a` is read again later; no launch can overwrite it.
// CHECK-LABEL: @main
// CHECK-SAME: memory.arena_bytes = 128 : i64
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
func.func @main() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a, %b : !b, !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "y", in_place = array<i64: 0, 0, 1, 0>}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// What is read is read twice.
// CHECK-LABEL: @main
// CHECK-SAME: memory.arena_bytes = 128 : i64
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
func.func @main() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%a, %a : !b, !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%b : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "y"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// What is written was written before (its halo was cleared, say).
// CHECK-LABEL: @main
// CHECK-SAME: memory.arena_bytes = 128 : i64
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
func.func @main() {
  %b = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  %c = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "zero halo"}
  kernel.launch @k tiles(1) reads(%b : !b) writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", in_place = array<i64: 0, 0>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%c : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "y"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// It is read through a part of other storage.
// CHECK-LABEL: @main
// CHECK-SAME: memory.arena_bytes = 192 : i64
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
!w = !memory.buffer<tensor<32xf32>, [1], 0, 128>
func.func @main() {
  %w = memory.alloc : !w
  kernel.launch @k tiles(1) reads() writes(%w : !w) {bytes = 0 : i64, flops = 0 : i64, nodes = "w"}
  %part = memory.view %w {byte_offset = 64 : i64} : !w -> !b
  %b = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%part : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", in_place = array<i64: 0, 0>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%b : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "y"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
