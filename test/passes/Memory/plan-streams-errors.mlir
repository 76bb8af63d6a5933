// RUN: tenon-opt %s --tenon-plan-arena --split-input-file --verify-diagnostics

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{launches do not wait for what they need: node 'n1:b' on stream 1 reads 'b0:b' without waiting for 'n0:a'}}
func.func @main() {
  %a = memory.alloc : !b
  kernel.launch @k tiles(1) reads() writes(%a : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a"}
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads(%a : !b) writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "b", stream = 1 : i64}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
// expected-error @+1 {{launches do not wait for what they need: launch 0 waits for launch 4294967295, which does not come before it}}
func.func @main() {
  %y = memory.output 0 : !b
  kernel.launch @k tiles(1) reads() writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", waits = array<i64: -1>}
  return
}

// -----

!b = !memory.buffer<tensor<16xf32>, [1], 0, 64>
func.func @main() {
  %y = memory.output 0 : !b
  // expected-error @+1 {{attribute 'stream' failed to satisfy constraint}}
  kernel.launch @k tiles(1) reads() writes(%y : !b) {bytes = 0 : i64, flops = 0 : i64, nodes = "a", stream = 1024 : i64}
  return
}
