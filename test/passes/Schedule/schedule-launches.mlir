// RUN: tenon-opt %s --tenon-schedule-launches --split-input-file | FileCheck %s

// What the second launch makes is read last of all: it waits until the third is
// done with what is large.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} nodes = "a"
// CHECK: kernel.launch {{.*}} nodes = "c"
// CHECK: kernel.launch {{.*}} nodes = "b"
// CHECK: kernel.launch {{.*}} nodes = "d"
// CHECK: return
func.func @main() {
  %x = memory.input 0 : <tensor<16xf32>, [1], 0, 64>
  %a = memory.alloc : <tensor<64xf32>, [1], 0, 256>
  kernel.launch @k tiles(1) reads(%x : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%a : !memory.buffer<tensor<64xf32>, [1], 0, 256>) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%x : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%b : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  %c = memory.alloc : <tensor<64xf32>, [1], 0, 256>
  kernel.launch @k tiles(1) reads(%a : !memory.buffer<tensor<64xf32>, [1], 0, 256>) writes(%c : !memory.buffer<tensor<64xf32>, [1], 0, 256>) {bytes = 0 : i64, flops = 0 : i64, nodes = "c"}
  %y = memory.output 0 : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%b, %c : !memory.buffer<tensor<16xf32>, [1], 0, 64>, !memory.buffer<tensor<64xf32>, [1], 0, 256>) writes(%y : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "d"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// Nothing is gained: all stays.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} nodes = "a"
// CHECK: kernel.launch {{.*}} nodes = "b"
// CHECK: return
func.func @main() {
  %x = memory.input 0 : <tensor<16xf32>, [1], 0, 64>
  %a = memory.alloc : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%x : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%a : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %y = memory.output 0 : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%a : !memory.buffer<tensor<16xf32>, [1], 0, 64>) writes(%y : !memory.buffer<tensor<16xf32>, [1], 0, 64>) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

// c may lie on a: with that its order needs no more than the program's, which
// stays; the least peak is that of a, c, d.
// CHECK-LABEL: func.func @main
// CHECK: kernel.launch {{.*}} nodes = "a"
// CHECK: kernel.launch {{.*}} nodes = "b"
// CHECK: kernel.launch {{.*}} nodes = "c"
// CHECK: kernel.launch {{.*}} nodes = "d"
// CHECK: return
!small = !memory.buffer<tensor<16xf32>, [1], 0, 64>
!large = !memory.buffer<tensor<64xf32>, [1], 0, 256>
func.func @main() {
  %x = memory.input 0 : <tensor<16xf32>, [1], 0, 64>
  %a = memory.alloc : !large
  kernel.launch @k tiles(1) reads(%x : !small) writes(%a : !large) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %b = memory.alloc : !small
  kernel.launch @k tiles(1) reads(%a : !large) writes(%b : !small) {bytes = 0 : i64, flops = 0 : i64, nodes = "b"}
  %c = memory.alloc : !large
  kernel.launch @k tiles(1) reads(%a : !large) writes(%c : !large) {bytes = 0 : i64, flops = 0 : i64, nodes = "c", in_place = array<i64: 0, 0>}
  %y = memory.output 0 : <tensor<16xf32>, [1], 0, 64>
  kernel.launch @k tiles(1) reads(%b, %c : !small, !large) writes(%y : !small) {bytes = 0 : i64, flops = 0 : i64, nodes = "d"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}
