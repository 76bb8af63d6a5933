// RUN: tenon-opt %s --tenon-schedule-launches="threads=16 waves" | FileCheck %s
// RUN: tenon-opt %s --tenon-schedule-launches="threads=16 waves cap=800000" | FileCheck %s --check-prefix=CAP

// Without a cap, half as much again is more than waves may make of an arena
// that is not small.
// CHECK-LABEL: func.func @main
// CHECK-NOT: wave =
// CHECK: return
// CAP-LABEL: func.func @main
// CAP: nodes = "b", time = 80000 : i64, wave = 0 : i64

!b = !memory.buffer<tensor<65536xf32>, [1], 0, 262144>

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
