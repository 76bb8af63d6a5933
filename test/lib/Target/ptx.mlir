// The kernels of a planned program as PTX: global and shared addresses, vectors,
// loops, what PTX has of mathematics, a function that is called, constants.
// RUN: tenon-compile %s --device=cuda:sm_90a --emit=asm -o - | FileCheck %s
// RUN: tenon-compile %s --device=cuda:sm_80 --emit=asm -o - | FileCheck %s --check-prefix=OLD

// CHECK: .version 8.3
// CHECK: .target sm_90a
// OLD: .version 8.0
// OLD: .target sm_80
func.func @main() attributes {memory.arena_bytes = 0 : i64, memory.arena_lower_bound_bytes = 0 : i64, memory.inputs = [{name = "x", type = tensor<256xf32>}], memory.outputs = [{name = "y", type = tensor<256xf32>}]} {
  %0 = memory.input 0 : <tensor<256xf32>, [1], 0, 1024>
  %1 = memory.output 0 : <tensor<256xf32>, [1], 0, 1024>
  kernel.launch @scale_0 tiles(2) reads(%0 : !memory.buffer<tensor<256xf32>, [1], 0, 1024>) writes(%1 : !memory.buffer<tensor<256xf32>, [1], 0, 1024>) {bytes = 2048 : i64, flops = 256 : i64, nodes = "scale", device = #kernel.device<grid = [1, 1], threads = 32, shared = 512, cluster = 1, cooperative = false, programmatic = false, maps = []>}
  return
}

llvm.mlir.global external @smem() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
llvm.mlir.global internal constant @factors(dense<[2.0, 3.0]> : tensor<2xf32>) {addr_space = 0 : i32} : !llvm.array<2 x f32>

// What is called becomes a part of the kernel.
llvm.func @twice(%v: vector<4xf32>) -> vector<4xf32> {
  %0 = arith.addf %v, %v : vector<4xf32>
  llvm.return %0 : vector<4xf32>
}

// CHECK-NOT: .func
// CHECK: .extern .shared .align 16 .b8 smem[];
// CHECK: .visible .entry scale_0(
// CHECK: .maxntid 32
// A generic pointer to global memory reads global memory; shared addresses have
// 32 bits.
// CHECK: ld.global{{.*}}.v4.b32
// CHECK: add.rn.f32
// CHECK: sqrt.rn.f32
// CHECK: ex2.approx{{.*}}.f32
// CHECK: st.shared{{.*}}.v4.b32 {{\[}}%r
// CHECK: bar{{.*}}.sync
// CHECK: st.global.v4.b32
llvm.func @scale_0(%x: !llvm.ptr<1> {llvm.noalias}, %y: !llvm.ptr<1> {llvm.noalias}) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 32>} {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  %b = nvvm.read.ptx.sreg.ctaid.x : i32
  %c32 = arith.constant 32 : i32
  %at = arith.muli %b, %c32 : i32
  %i = arith.addi %at, %t : i32
  %n = arith.extsi %i : i32 to i64
  %generic = llvm.addrspacecast %x : !llvm.ptr<1> to !llvm.ptr
  %from = llvm.getelementptr %generic[%n] : (!llvm.ptr, i64) -> !llvm.ptr, vector<4xf32>
  %v = llvm.load %from {alignment = 16 : i64} : !llvm.ptr -> vector<4xf32>
  %d = llvm.call @twice(%v) : (vector<4xf32>) -> vector<4xf32>
  %s = math.sqrt %d : vector<4xf32>
  %e = math.exp2 %s : vector<4xf32>
  %table = llvm.mlir.addressof @factors : !llvm.ptr
  %odd = arith.constant 1 : i64
  %bit = arith.andi %n, %odd : i64
  %entry = llvm.getelementptr %table[%bit] : (!llvm.ptr, i64) -> !llvm.ptr, f32
  %f = llvm.load %entry : !llvm.ptr -> f32
  %fs = vector.broadcast %f : f32 to vector<4xf32>
  %m = arith.mulf %e, %fs : vector<4xf32>
  %shared = llvm.mlir.addressof @smem : !llvm.ptr<3>
  %mine = llvm.getelementptr %shared[%t] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
  llvm.store %m, %mine {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<3>
  nvvm.barrier0
  %c1 = arith.constant 1 : i32
  %c31 = arith.constant 31 : i32
  %next = arith.xori %t, %c31 : i32
  %other = llvm.getelementptr %shared[%next] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xf32>
  %r = llvm.load %other {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
  %to = llvm.getelementptr %y[%n] : (!llvm.ptr<1>, i64) -> !llvm.ptr<1>, vector<4xf32>
  scf.for %k = %c1 to %c31 step %c31 : i32 {
    llvm.store %r, %to {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
  }
  llvm.return
}
