// RUN: tenon-opt %s --tenon-plan-arena | FileCheck %s

// The first and the third buffer never live together and share their bytes;
// a view keeps what it sees alive. The lower bound is met.
// CHECK: func.func @main() attributes {memory.arena_bytes = 128 : i64, memory.arena_lower_bound_bytes = 128 : i64, memory.arena_solver = "{{[a-z]+}}"}
func.func @main() {
  // CHECK: %[[X:.*]] = memory.input 0
  %x = memory.input 0 : <tensor<16xf32>, [1], 0, 64>
  // CHECK: %[[A:.*]] = memory.alloc {offset = [[FIRST:[0-9]+]] : i64}
  %a = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%x : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%a : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %v = memory.view %a : <tensor<16xf32>, [1], 0, 64> -> <tensor<4x4xf32>, [4, 1], 0, 64>
  // CHECK: memory.alloc {offset = {{[0-9]+}} : i64}
  %b = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%v : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>) writes(%b : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  // CHECK: memory.alloc {offset = [[FIRST]] : i64}
  %c = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%b : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%c : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "c"}
  %y = memory.output 0 : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%c : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%y : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "y"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
