// The assembler takes what is written, for the oldest and the newest devices.
// REQUIRES: ptxas
// RUN: tenon-compile %S/ptx.mlir --device=cuda:sm_90a --emit=asm -o %t.ptx
// RUN: %ptxas -v -arch=sm_90a -o %t.cubin %t.ptx 2>&1 | FileCheck %s
// RUN: tenon-compile %S/ptx.mlir --device=cuda:sm_80 --emit=asm -o %t.ptx
// RUN: %ptxas -v -arch=sm_80 -o %t.cubin %t.ptx 2>&1 | FileCheck %s
// CHECK: Compiling entry function 'scale_0'
// CHECK: 0 bytes spill stores
// CHECK: Used {{[0-9]+}} registers
