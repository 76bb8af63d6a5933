// Launches that somebody else put into a wave, and that cannot be one kernel: blocks
// of other sizes, several blocks of operations, none, other parameters.
// RUN: tenon-opt %s --tenon-form-waves --split-input-file --verify-diagnostics
!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
#small = #kernel.device<grid = [1, 1], threads = 32, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
#large = #kernel.device<grid = [1, 1], threads = 64, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "", wave = 0 : i64}
  %c = memory.alloc : !b
  // expected-error @+1 {{cannot be one with others of its wave}}
  kernel.launch @k tiles(1) reads(%x : !b) writes(%c : !b) {bytes = 0 : i64, device = #large, flops = 0 : i64, nodes = "", wave = 0 : i64}
  return
}
llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
  llvm.return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
#small = #kernel.device<grid = [1, 1], threads = 32, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  // expected-error @+1 {{cannot be one with others of its wave}}
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "", wave = 0 : i64}
  %c = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%c : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "", wave = 0 : i64}
  return
}
llvm.func @k(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {nvvm.kernel} {
  llvm.br ^bb1
^bb1:
  llvm.return
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
#small = #kernel.device<grid = [1, 1], threads = 32, shared = 0, cluster = 1, cooperative = false, programmatic = true, maps = []>
func.func @main() {
  %x = memory.input 0 : !b
  %a = memory.alloc : !b
  // expected-error @+1 {{cannot be one with others of its wave}}
  kernel.launch @k tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "", wave = 0 : i64}
  %c = memory.alloc : !b
  kernel.launch @k tiles(1) reads(%x : !b) writes(%c : !b) {bytes = 0 : i64, device = #small, flops = 0 : i64, nodes = "", wave = 0 : i64}
  return
}
llvm.func @k(%x: !llvm.ptr<1>) attributes {nvvm.kernel} {
  llvm.return
}
