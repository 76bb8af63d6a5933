// RUN: tenon-opt %s "--tenon-schedule-launches=device=sm_90a streams=4" --tenon-plan-arena --tenon-verify-memory --split-input-file | FileCheck %s
// RUN: tenon-opt %s "--tenon-schedule-launches=device=sm_90a" --split-input-file | FileCheck %s --check-prefix=ONE
// RUN: not tenon-opt %s "--tenon-schedule-launches=device=sm_1" --split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: no target 'sm_1' in the table of GPUs
// ONE-NOT: stream =
// ONE-NOT: waits =
// RUN: not tenon-opt %s "--tenon-schedule-launches=device=sm_90a streams=4 cap=127" --split-input-file 2>&1 | FileCheck %s --check-prefix=CAP
// RUN: tenon-opt %s "--tenon-schedule-launches=device=sm_90a streams=4 cap=128" --split-input-file | FileCheck %s --check-prefix=FITS

// Two that leave most of the GPU free run beside each other, and what they
// store does not share bytes. What counts is the time of the plan that was
// taken, whatever others would have been expected to take. Both need their bytes
// on one stream, too.
// CAP: error: no order of launches fits into 127 bytes: the smallest arena found has 128 bytes
// FITS-LABEL: func.func @main
// FITS: stream = 1
// CHECK-LABEL: func.func @main
// CHECK: memory.alloc {offset = 0 : i64}
// CHECK: kernel.launch {{.*}} nodes = "a", time = 3000 : i64}
// CHECK: memory.alloc {offset = 64 : i64}
// CHECK: kernel.launch {{.*}} nodes = "b", stream = 1 : i64, time = 3000 : i64}
// CHECK: kernel.launch {{.*}} nodes = "c", time = 3000 : i64, waits = array<i64: 1>}
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
#small = #kernel.device<grid = [1, 1], threads = 128, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  kernel.launch @k tiles(8) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "a", time = 3000 : i64}
  %b = memory.alloc : !b
  kernel.launch @k tiles(8) reads(%x : !b) writes(%b : !b) {bytes = 0 : i64, costs = {gpu_mma = 10 : i64, gpu_points = 3000 : i64}, device = #small, flops = 0 : i64, nodes = "b", time = 3000 : i64}
  %y = memory.output 0 : !b
  kernel.launch @k2 tiles(8) reads(%a, %b : !b, !b) writes(%y : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "c", time = 3000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
func.func private @k2(%call: !llvm.ptr) {
  return
}

// -----

// Each takes the whole GPU: they stay one after the other, and one that reads
// "a" for the last time may overwrite it.
// CHECK-LABEL: func.func @main
// CHECK-NOT: stream =
// CHECK-NOT: waits =
// CHECK: return
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
#large = #kernel.device<grid = [1, 1], threads = 256, shared = 229376, cluster = 1, cooperative = false, programmatic = true, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  kernel.launch @k tiles(132) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, device = #large, flops = 0 : i64, nodes = "a", time = 3000 : i64}
  %b = memory.alloc : !b
  kernel.launch @k tiles(132) reads(%x : !b) writes(%b : !b) {bytes = 0 : i64, device = #large, flops = 0 : i64, nodes = "b", time = 3000 : i64}
  %y = memory.output 0 : !b
  kernel.launch @k2 tiles(132) reads(%a, %b : !b, !b) writes(%y : !b) {bytes = 0 : i64, device = #large, flops = 0 : i64, nodes = "c", time = 3000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
func.func private @k2(%call: !llvm.ptr) {
  return
}

// -----

// Columns of one buffer are written side by side; what reads both waits, and so
// does what writes where one of them did.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} nodes = "left", time = 3000 : i64}
// CHECK: kernel.launch {{.*}} nodes = "right", stream = 1 : i64, time = 3000 : i64}
// CHECK: kernel.launch {{.*}} nodes = "again"
// CHECK: kernel.launch {{.*}} nodes = "join"
!b = !memory.buffer<tensor<4x8xf32>, [8, 1], 0, 128>
!h = !memory.buffer<tensor<4x4xf32>, [8, 1], 0, 112>
#small = #kernel.device<grid = [1, 1], threads = 128, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  %left = memory.view %a : !b -> !h
  kernel.launch @k tiles(8) reads(%x : !b) writes(%left : !h) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "left", time = 3000 : i64}
  %right = memory.view %a {byte_offset = 16 : i64} : !b -> !h
  kernel.launch @k tiles(8) reads(%x : !b) writes(%right : !h) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "right", time = 3000 : i64}
  kernel.launch @k tiles(8) reads(%x : !b) writes(%left : !h) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "again", time = 3000 : i64}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(8) reads(%a : !b) writes(%y : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "join", time = 3000 : i64}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
