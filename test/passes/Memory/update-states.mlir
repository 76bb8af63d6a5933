// RUN: tenon-opt %s --tenon-update-states --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-update-states=keep-peak=1 --split-input-file | FileCheck %s

// The last launch that reads the old value overwrites it.
// CHECK: graph.states = [{input = "w", output = "v", updated}]
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v"}]} {
  func.func @main() attributes {memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc : !b
    %a = memory.alloc : !b
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

// -----

// It moves behind others that read the old value, and behind checks.
// CHECK: graph.states = [{input = "w", output = "v", updated}]
// CHECK: nodes = "gradient"
// CHECK: nodes = "back"
// CHECK: nodes = "check"
// CHECK: nodes = "update"
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v"}]} {
  func.func @main() attributes {memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc : !b
    %a = memory.alloc : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "back"}
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

// What reads the new value cannot come before.
// CHECK: graph.states = [{input = "w", output = "v"}]
// CHECK: nodes = "update"
// CHECK: nodes = "last"
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v"}]} {
  func.func @main() attributes {memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc : !b
    %a = memory.alloc : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
    kernel.launch @k tiles(1) reads(%w, %v : !b, !b) writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "last"}
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

// It reads elsewhere than it writes.
// CHECK: graph.states = [{input = "w", output = "v"}]
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v"}]} {
  func.func @main() attributes {memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc : !b
    %a = memory.alloc : !b
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

// It may fail by itself.
// CHECK: graph.states = [{input = "w", output = "v"}]
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v"}]} {
  func.func @main() attributes {memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc : !b
    %a = memory.alloc : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @checked tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
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

// Two launches write it.
// CHECK: graph.states = [{input = "w", output = "v"}]
!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
module attributes {graph.states = [{input = "w", output = "v"}]} {
  func.func @main() attributes {memory.inputs = [{name = "w", type = tensor<16xf32>}, {name = "x", type = tensor<16xf32>}], memory.outputs = [{name = "v", type = tensor<16xf32>}]} {
    %w = memory.input 0 : !b
    %x = memory.input 1 : !b
    %g = memory.alloc : !b
    %a = memory.alloc : !b
    %v = memory.output 0 : !b
    kernel.launch @k tiles(1) reads(%w, %x : !b, !b) writes(%g : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "gradient"}
    kernel.launch @k tiles(1) reads(%w, %g : !b, !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "update", in_place = array<i64: 0, 0>}
    kernel.launch @k tiles(1) reads(%g : !b) writes(%v : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "again"}
    return
  }
  func.func private @k(%call: !llvm.ptr) {
    return
  }
  func.func private @checked(%call: !llvm.ptr) attributes {kernel.checked} {
    return
  }
}
