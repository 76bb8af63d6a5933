// RUN: tenon-opt %s --tenon-verify-memory --split-input-file --verify-diagnostics

// The old value is read when it is gone.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v", updated}]} {
  // expected-error @+1 {{overwrites the state 'w', which is read or may have to stay after that}}
  func.func @main() attributes {memory.arena_bytes = 128 : i64, memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc {offset = 0 : i64} : !b
    %a = memory.alloc {offset = 64 : i64} : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "back"}
    return
  }
  func.func private @k(%call: !llvm.ptr) {
    return
  }
  func.func private @checked(%call: !llvm.ptr) attributes {kernel.checked} {
    return
  }
}

// -----

// A run could fail when the old value is gone.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v", updated}]} {
  // expected-error @+1 {{overwrites the state 'w', which is read or may have to stay after that}}
  func.func @main() attributes {memory.arena_bytes = 128 : i64, memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc {offset = 0 : i64} : !b
    %a = memory.alloc {offset = 64 : i64} : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
    kernel.launch @checked tiles(1) reads(%x : !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "check"}
    return
  }
  func.func private @k(%call: !llvm.ptr) {
    return
  }
  func.func private @checked(%call: !llvm.ptr) attributes {kernel.checked} {
    return
  }
}

// -----

// Nothing says that each element is read before it is written.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v", updated}]} {
  // expected-error @+1 {{overwrites the state 'w', which is read or may have to stay after that}}
  func.func @main() attributes {memory.arena_bytes = 128 : i64, memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc {offset = 0 : i64} : !b
    %a = memory.alloc {offset = 64 : i64} : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update"}
    return
  }
  func.func private @k(%call: !llvm.ptr) {
    return
  }
  func.func private @checked(%call: !llvm.ptr) attributes {kernel.checked} {
    return
  }
}

// -----

// Nobody writes it.
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v", updated}]} {
  // expected-error @+1 {{overwrites the state 'w', which is read or may have to stay after that}}
  func.func @main() attributes {memory.arena_bytes = 128 : i64, memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc {offset = 0 : i64} : !b
    %a = memory.alloc {offset = 64 : i64} : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    return
  }
  func.func private @k(%call: !llvm.ptr) {
    return
  }
  func.func private @checked(%call: !llvm.ptr) attributes {kernel.checked} {
    return
  }
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v", updated}]} {
  func.func @main() attributes {memory.arena_bytes = 128 : i64, memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc {offset = 0 : i64} : !b
    %a = memory.alloc {offset = 64 : i64} : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "back"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
    return
  }
  func.func private @k(%call: !llvm.ptr) {
    return
  }
  func.func private @checked(%call: !llvm.ptr) attributes {kernel.checked} {
    return
  }
}
