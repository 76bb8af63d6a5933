// RUN: tenon-opt %s --tenon-plan-arena --tenon-verify-memory | FileCheck %s

// What lives at once is one above the other; what does not meet has no order.
!n = !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, 4 * "n">
!m = !memory.buffer<tensor<?xf32, #graph.dims<[3 * "n" + 1]>>, [1], 0, 12 * "n" + 4>
// CHECK-LABEL: func.func @main
// CHECK: memory.alloc {above = array<i64>, offset = 0 : i64}
// CHECK: memory.alloc {above = array<i64: 0, 2>, offset = {{[0-9]+}} : i64}
// CHECK: memory.alloc {above = array<i64>, offset = 0 : i64}
func.func @main() {
  %a = memory.alloc : !m
  kernel.launch @k tiles("n") reads() writes(%a : !m) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !n
  kernel.launch @k tiles("n") reads(%a : !m) writes(%b : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  %c = memory.alloc : !n
  kernel.launch @k tiles("n") reads(%b : !n) writes(%c : !n) {bytes = 0 : i64, flops = 0 : i64, nodes = "c"}
  return
}
