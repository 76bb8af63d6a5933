// What devices do not have is refused with the kernel's name and its nodes: left
// to the code generator, it would end the process.
// RUN: split-file %s %t
// RUN: not tenon-compile %t/exp.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=EXP
// RUN: not tenon-compile %t/exp2.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=EXP2
// RUN: not tenon-compile %t/erf.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=ERF
// RUN: not tenon-compile %t/call.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not tenon-compile %t/pointer.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=POINTER
// RUN: not tenon-compile %t/type.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not tenon-compile %t/atomic.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=ATOMIC
// RUN: not tenon-compile %t/data.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=DATA
// RUN: not tenon-compile %t/wide.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=WIDE
// RUN: not tenon-compile %t/scope.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: not tenon-compile %t/convert.mlir --device=cuda:sm_90a --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=CONVERT
// RUN: not tenon-compile %t/hopper.mlir --device=cuda:sm_80 --emit=asm -o - 2>&1 | FileCheck %s --check-prefix=HOPPER
// RUN: tenon-compile %t/hopper.mlir --device=cuda:sm_90a --emit=asm -o - | FileCheck %s --check-prefix=WAIT

//--- exp.mlir
// EXP: error: kernel 'k_0' of node 'softmax' calls llvm.exp.f32, which sm_90a does not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> f32
  %1 = math.exp %0 : f32
  llvm.store %1, %x : f32, !llvm.ptr<1>
  llvm.return
} loc("softmax")

//--- exp2.mlir
// EXP2: error: kernel 'k_0' calls llvm.exp2.f64, which sm_90a does not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> f64
  %1 = math.exp2 %0 : f64
  llvm.store %1, %x : f64, !llvm.ptr<1>
  llvm.return
}

//--- erf.mlir
// ERF: error: kernel 'k_0' of node 'gelu' has math.erf, which devices do not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> f32
  %1 = math.erf %0 : f32
  llvm.store %1, %x : f32, !llvm.ptr<1>
  llvm.return
} loc("gelu")

//--- call.mlir
// CALL: error: kernel 'k_0' calls expf, which sm_90a does not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @expf(f32) -> f32
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> f32
  %1 = llvm.call @expf(%0) : (f32) -> f32
  llvm.store %1, %x : f32, !llvm.ptr<1>
  llvm.return
}

//--- pointer.mlir
// POINTER: error: kernel 'k_0' calls what a pointer says
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> !llvm.ptr
  llvm.call %0() : !llvm.ptr, () -> ()
  llvm.return
}

//--- type.mlir
// TYPE: error: kernel 'k_0' has a type that devices do not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> f80
  %1 = arith.addf %0, %0 : f80
  llvm.store %1, %x : f80, !llvm.ptr<1>
  llvm.return
}

//--- atomic.mlir
// ATOMIC: error: kernel 'k_0' has an atomic update whose order would be lost
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = arith.constant 1 : i32
  %1 = llvm.atomicrmw add %x, %0 acq_rel : !llvm.ptr<1>, i32
  llvm.return
}

//--- data.mlir
// DATA: error: kernel 'k_0' reads table, which is nowhere
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.mlir.global external @table() {addr_space = 0 : i32} : !llvm.array<4 x f32>
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.mlir.addressof @table : !llvm.ptr
  %1 = llvm.load %0 : !llvm.ptr -> f32
  llvm.store %1, %x : f32, !llvm.ptr<1>
  llvm.return
}

//--- wide.mlir
// WIDE: error: kernel 'k_0' has an atomic access of more than 64 bits
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x atomic acquire {alignment = 16 : i64} : !llvm.ptr<1> -> i128
  llvm.store %0, %x : i128, !llvm.ptr<1>
  llvm.return
}

//--- scope.mlir
// SCOPE: error: kernel 'k_0' has an atomic access of a scope that devices do not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  llvm.fence syncscope("device") release
  llvm.fence syncscope("workgroup") release
  llvm.return
}

//--- convert.mlir
// CONVERT: error: kernel 'k_0' has a type that devices do not have
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  %0 = llvm.load %x : !llvm.ptr<1> -> f32
  %1 = arith.fptosi %0 : f32 to i128
  llvm.store %1, %x : i128, !llvm.ptr<1>
  llvm.return
}

//--- hopper.mlir
// HOPPER: error: kernel 'k_0' calls llvm.nvvm.griddepcontrol.wait, which sm_80 does not have
// WAIT: griddepcontrol.wait
func.func @main() attributes {memory.arena_bytes = 0 : i64} { return }
llvm.func @k_0(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  nvvm.griddepcontrol wait
  llvm.return
}
