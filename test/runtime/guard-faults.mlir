// Kernels that lie about memory, made on purpose: FIRST and LAST are the kernels
// of the first and the last launch, which touch byte OFFSET of operand WHICH.
// With guards above, buffer 0 ends at 131072 of the arena, buffer 1 at 262144.

// DEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/copy/
// DEFINE: %{guard} = above
// DEFINE: %{run} = sed %{lie} %s > %t.mlir && tenon-compile %t.mlir --quiet --guard-memory=%{guard} -o %t.tenon && not tenon-run %t.tenon --input random:1 > %t.log 2>&1 && FileCheck %s --input-file=%t.log

// An honest program runs.
// RUN: sed %{lie} -e s/WHICH/0/ -e s/OFFSET/0/ %s > %t.mlir
// RUN: tenon-compile %t.mlir --quiet --guard-memory -o %t.tenon
// RUN: tenon-run %t.tenon --input random:1 --threads 2 | FileCheck %s --check-prefix=HONEST
// HONEST: y: float32 [64]

// Reads one byte too much.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/read/ -e s/WHICH/0/ -e s/OFFSET/256/
// RUN: %{run} --check-prefix=ABOVE
// ABOVE: tenon-run: error: kernel 'read' of launch 2 (nodes 'third', 'fourth') {{read|touched}} 1 byte above the end of buffer 1 (256 bytes){{$}}

// Reads before the first byte.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/read/ -e s/WHICH/0/ -e s/OFFSET/-3840/
// REDEFINE: %{guard} = below
// RUN: %{run} --check-prefix=UNDER
// UNDER: kernel 'read' {{.*}} 3840 bytes below the start of buffer 1 (256 bytes){{$}}

// Writes below the start: into the guard, or into the rest of the first page.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/write/ -e s/WHICH/1/ -e s/OFFSET/-4/
// RUN: %{run} --check-prefix=BELOW
// BELOW: kernel 'write' of launch 2 {{.*}} {{wrote|touched}} 4 bytes below the start of output 'y' (256 bytes){{$}}
// REDEFINE: %{guard} = above
// RUN: %{run} --check-prefix=LATE
// LATE: kernel 'write' of launch 2 {{.*}} wrote 4 bytes below the start of output 'y' (256 bytes) (seen after the launch)

// Writes into the rest of the last page.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/write/ -e s/WHICH/1/ -e s/OFFSET/256/
// REDEFINE: %{guard} = below
// RUN: %{run} --check-prefix=LATEABOVE
// LATEABOVE: wrote 1 byte above the end of output 'y' (256 bytes) (seen after the launch)
// REDEFINE: %{guard} = above

// Uses a buffer after its death, through a pointer to another.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/read/ -e s/WHICH/0/ -e s/OFFSET/-131070/
// RUN: %{run} --check-prefix=DEAD
// DEAD: kernel 'read' of launch 2 {{.*}} byte 2 of buffer 0 (256 bytes), which is dead since kernel 'copy' of launch 1 (nodes 'second'); that is 131070 bytes below the start of buffer 1 (256 bytes)

// Uses one before its life.
// REDEFINE: %{lie} = -e s/FIRST/write/ -e s/LAST/copy/ -e s/WHICH/2/ -e s/OFFSET/131072/
// RUN: %{run} --check-prefix=EARLY
// EARLY: kernel 'write' of launch 0 (nodes 'first') {{.*}} byte 0 of buffer 1 (256 bytes), which is not alive before kernel 'copy' of launch 1 (nodes 'second'); that is 130817 bytes above the end of buffer 0

// Writes what it said it reads.
// REDEFINE: %{lie} = -e s/FIRST/write/ -e s/LAST/copy/ -e s/WHICH/0/ -e s/OFFSET/8/
// RUN: %{run} --check-prefix=READONLY
// READONLY: kernel 'write' of launch 0 {{.*}} byte 8 of input 'x' (256 bytes), which the launch only reads{{$}}

// Reads what it did not ask for; behind the arena lie inputs, outputs, weights.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/read/ -e s/WHICH/0/ -e s/OFFSET/196608/
// RUN: %{run} --check-prefix=OPERAND
// OPERAND: byte 0 of input 'x' (256 bytes), which is not an operand of the launch; that is
// REDEFINE: %{lie} = -e s/FIRST/write/ -e s/LAST/copy/ -e s/WHICH/1/ -e s/OFFSET/0/
// RUN: %{run} --check-prefix=WEIGHTS
// WEIGHTS: byte 0 of the weights at 0 (16 bytes), which the launch only reads

// Addresses where nothing is, and that nothing can have.
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/read/ -e s/WHICH/0/ -e s/OFFSET/-35184372088832/
// RUN: %{run} --check-prefix=FAR
// FAR: kernel 'read' of launch 2 {{.*}} address 0x{{[0-9a-f]+}}, far from all buffers
// REDEFINE: %{lie} = -e s/FIRST/copy2/ -e s/LAST/read/ -e s/WHICH/0/ -e s/OFFSET/4611686018427387904/
// RUN: %{run} --check-prefix=CANONICAL
// CANONICAL: kernel 'read' of launch 2 {{.*}} {{an address that no memory can have|far from all buffers}}

!t = !memory.buffer<tensor<64xf32>, [1], 0, 256>
!w = !memory.buffer<tensor<4xf32>, [1], 0, 16>

func.func @main() attributes {memory.inputs = [{name = "x", type = tensor<64xf32>}], memory.outputs = [{name = "y", type = tensor<64xf32>}]} {
  %x = memory.input 0 : <tensor<64xf32>, [1], 0, 256>
  %w = memory.constant dense<1.0> : tensor<4xf32> : <tensor<4xf32>, [1], 0, 16>
  %a = memory.alloc : <tensor<64xf32>, [1], 0, 256>
  %b = memory.alloc : <tensor<64xf32>, [1], 0, 256>
  %y = memory.output 0 : <tensor<64xf32>, [1], 0, 256>
  kernel.launch @FIRST tiles(1) reads(%x, %w : !t, !w) writes(%a : !t) {bytes = 0 : i64, flops = 0 : i64, nodes = "first"}
  kernel.launch @copy tiles(1) reads(%a : !t) writes(%b : !t) {bytes = 0 : i64, flops = 0 : i64, nodes = "second"}
  kernel.launch @LAST tiles(1) reads(%b : !t) writes(%y : !t) {bytes = 0 : i64, flops = 0 : i64, nodes = "third;fourth"}
  return
}

func.func private @copy(%call: !llvm.ptr) {
  %buffers = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %target = llvm.getelementptr %buffers[1] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %from = llvm.load %buffers : !llvm.ptr -> !llvm.ptr
  %to = llvm.load %target : !llvm.ptr -> !llvm.ptr
  %values = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<64xf32>
  llvm.store %values, %to {alignment = 4 : i64} : vector<64xf32>, !llvm.ptr
  return
}

func.func private @copy2(%call: !llvm.ptr) {
  %buffers = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %target = llvm.getelementptr %buffers[2] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %from = llvm.load %buffers : !llvm.ptr -> !llvm.ptr
  %to = llvm.load %target : !llvm.ptr -> !llvm.ptr
  %values = llvm.load %from {alignment = 4 : i64} : !llvm.ptr -> vector<64xf32>
  llvm.store %values, %to {alignment = 4 : i64} : vector<64xf32>, !llvm.ptr
  return
}

func.func private @read(%call: !llvm.ptr) {
  %buffers = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %operand = llvm.getelementptr %buffers[WHICH] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %start = llvm.load %operand : !llvm.ptr -> !llvm.ptr
  %offset = arith.constant OFFSET : i64
  %place = llvm.getelementptr %start[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %value = llvm.load volatile %place : !llvm.ptr -> i8
  return
}

func.func private @write(%call: !llvm.ptr) {
  %buffers = llvm.load %call : !llvm.ptr -> !llvm.ptr
  %operand = llvm.getelementptr %buffers[WHICH] : (!llvm.ptr) -> !llvm.ptr, !llvm.ptr
  %start = llvm.load %operand : !llvm.ptr -> !llvm.ptr
  %offset = arith.constant OFFSET : i64
  %place = llvm.getelementptr %start[%offset] : (!llvm.ptr, i64) -> !llvm.ptr, i8
  %value = arith.constant 1 : i8
  llvm.store %value, %place : i8, !llvm.ptr
  return
}
