// RUN: tenon-opt %s --tenon-schedule-launches="threads=16 waves cap=16384" --tenon-plan-arena --tenon-verify-memory --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-schedule-launches="threads=16" --tenon-plan-arena --tenon-verify-memory --split-input-file | FileCheck %s --check-prefix=ORDER
// ORDER-NOT: wave =
// RUN: tenon-opt %s --tenon-schedule-launches="threads=16 waves" --split-input-file | FileCheck %s --check-prefix=SMALL

!b = !memory.buffer<tensor<1024xf32>, [1], 0, 4096>

// Two launches of 8 tiles leave 8 of 16 threads without work; as one they do
// not. Both results live together, and neither may lie on what the other launch
// reads: half as much again, which nobody notices of so little.
// SMALL-LABEL: func.func @main
// SMALL: nodes = "b", time = 80000 : i64, wave = 0 : i64
// CHECK-LABEL: func.func @main
// CHECK-SAME: memory.arena_bytes = 12288
// CHECK: kernel.launch {{.*}} nodes = "a", time
// CHECK: kernel.launch {{.*}} nodes = "b", time = 80000 : i64, wave = 0 : i64
// CHECK: kernel.launch {{.*}} nodes = "c", time = 80000 : i64, wave = 0 : i64
// CHECK: kernel.launch {{.*}} nodes = "d", time
// CHECK: return
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  kernel.launch @k tiles(16) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", time = 160000 : i64}
  %b = memory.alloc : !b
  kernel.launch @k tiles(8) reads(%a : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", time = 80000 : i64, in_place = array<i64: 0, 0>}
  %c = memory.alloc : !b
  kernel.launch @k tiles(8) reads(%a : !b) writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", time = 80000 : i64, in_place = array<i64: 0, 0>}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(16) reads(%b, %c : !b, !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "d", time = 160000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

!b = !memory.buffer<tensor<1024xf32>, [1], 0, 4096>

// All threads have work with each: nothing is gained.
// SMALL-LABEL: func.func @main
// CHECK-LABEL: func.func @main
// CHECK-NOT: wave =
// CHECK: return
func.func @main() {
  %x = memory.input 0 : !b
  %b = memory.output 0 : !b
  kernel.launch @k tiles(1600) reads(%x : !b) writes(%b : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", time = 16000000 : i64}
  %c = memory.output 1 : !b
  kernel.launch @k tiles(1600) reads(%x : !b) writes(%c : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", time = 16000000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

!b = !memory.buffer<tensor<16x32xf32>, [32, 1], 0, 2048>
!p = !memory.buffer<tensor<16x16xf32>, [32, 1], 0, 1984>

// Pieces of a concatenation are in no order. They are in no arena, which is no
// cap.
// SMALL-LABEL: func.func @main
// SMALL: kernel.launch {{.*}} nodes = "left", time = 80000 : i64, wave = 0 : i64
// SMALL: kernel.launch {{.*}} nodes = "right", time = 80000 : i64, wave = 0 : i64
// SMALL: return
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} nodes = "left", time = 80000 : i64, wave = 0 : i64
// CHECK: kernel.launch {{.*}} nodes = "right", time = 80000 : i64, wave = 0 : i64
// CHECK: return
func.func @main() {
  %x = memory.input 0 : !b
  %y = memory.output 0 : !b
  %l = memory.view %y : !b -> !p
  kernel.launch @k tiles(8) reads(%x : !b) writes(%l : !p) {bytes = 0 : i64, flops = 0 : i64, nodes = "left", time = 80000 : i64}
  %r = memory.view %y {byte_offset = 64 : i64} : !b -> !p
  kernel.launch @k tiles(8) reads(%x : !b) writes(%r : !p) {bytes = 0 : i64, flops = 0 : i64, nodes = "right", time = 80000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

!b = !memory.buffer<tensor<16x32xf32>, [32, 1], 0, 2048>
!p = !memory.buffer<tensor<16x16xf32>, [32, 1], 0, 1984>

// One that has steps waits for all threads between them, and one that reads
// nothing may write between elements.
// CHECK-LABEL: func.func @main
// CHECK-NOT: wave =
// CHECK: return
func.func @main() {
  %x = memory.input 0 : !b
  %y = memory.output 0 : !b
  %l = memory.view %y : !b -> !p
  kernel.launch @k tiles(8) reads() writes(%l : !p) {bytes = 0 : i64, flops = 0 : i64, nodes = "left", time = 80000 : i64}
  %r = memory.view %y {byte_offset = 64 : i64} : !b -> !p
  kernel.launch @k tiles(8) reads(%x : !b) writes(%r : !p) {bytes = 0 : i64, flops = 0 : i64, nodes = "right", time = 80000 : i64}
  %z = memory.output 1 : !b
  kernel.launch @k tiles(8) reads(%x : !b) writes(%z : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "steps", steps = 4 : i64, time = 80000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
