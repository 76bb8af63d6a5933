// RUN: tenon-opt %s --tenon-plan-arena --tenon-guard-arena | FileCheck %s --check-prefixes=CHECK,ABOVE
// RUN: tenon-opt %s --compile-to=memory --guard-memory=below | FileCheck %s --check-prefixes=CHECK,BELOW
// RUN: tenon-opt %s --compile-to=memory -o %t.planned.mlir
// RUN: tenon-opt %t.planned.mlir --compile-to=memory --guard-memory -o %t.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,ABOVE < %t.mlir
// RUN: tenon-opt %t.mlir --tenon-verify-memory -o /dev/null
// RUN: not tenon-opt %s --tenon-plan-arena --tenon-guard-arena=side=left 2>&1 | FileCheck %s --check-prefix=SIDE
// RUN: not tenon-opt %s --tenon-guard-arena 2>&1 | FileCheck %s --check-prefix=PLAN

// Each buffer has 64 KiB of its own between 64 KiB of nothing; its end or its
// start touches them. A program that has its plan already gets another.
// CHECK: memory.arena_bytes = 327680 : i64
// ABOVE-SAME: memory.arena_guard = "above"
// BELOW-SAME: memory.arena_guard = "below"
// CHECK-SAME: memory.arena_lower_bound_bytes = 128 : i64
// SIDE: error: guards are above or below, not 'left'
// PLAN: has no plan that guards could be added to

func.func @main() attributes {memory.inputs = [], memory.outputs = []} {
  // ABOVE: memory.alloc {offset = 131008 : i64}
  // BELOW: memory.alloc {offset = 65536 : i64}
  %a = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads() writes(%a : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  // ABOVE: memory.alloc {offset = 262080 : i64}
  // BELOW: memory.alloc {offset = 196608 : i64}
  %b = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%a : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%b : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
