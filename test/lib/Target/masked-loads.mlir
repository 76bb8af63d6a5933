// Lanes that a load leaves out are what it says, also where all of the vector is
// loaded at once.
// RUN: tenon-compile %s --device=cuda:sm_90a --emit=asm -o - | FileCheck %s
func.func @main() attributes {memory.arena_bytes = 0 : i64, memory.arena_lower_bound_bytes = 0 : i64, memory.inputs = [{name = "x", type = tensor<4xf32>}], memory.outputs = [{name = "y", type = tensor<4xf32>}]} {
  %0 = memory.input 0 : <tensor<4xf32>, [1], 0, 16>
  %1 = memory.output 0 : <tensor<4xf32>, [1], 0, 16>
  kernel.launch @part_0 tiles(1) reads(%0 : !memory.buffer<tensor<4xf32>, [1], 0, 16>) writes(%1 : !memory.buffer<tensor<4xf32>, [1], 0, 16>) {bytes = 32 : i64, flops = 0 : i64, nodes = "part", device = #kernel.device<grid = [1, 1], threads = 1, shared = 0, cluster = 1, cooperative = false, programmatic = false, maps = []>}
  return
}

// CHECK: .visible .entry part_0(
// CHECK: ld.global
// CHECK: st.global.v4.b32 {{.*}}, {%r{{[0-9]+}}, %r{{[0-9]+}}, 0f3F800000, 0f3F800000};
llvm.func @part_0(%x: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}, %y: !llvm.ptr<1> {llvm.align = 16 : i64, llvm.noalias}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 1>} {
  %mask = arith.constant dense<[true, true, false, false]> : vector<4xi1>
  %one = arith.constant dense<1.0> : vector<4xf32>
  %v = llvm.intr.masked.load %x, %mask, %one {alignment = 16 : i32} : (!llvm.ptr<1>, vector<4xi1>, vector<4xf32>) -> vector<4xf32>
  llvm.store %v, %y {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  llvm.return
}
