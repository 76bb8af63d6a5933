// RUN: tenon-opt %s --tenon-verify-codegen --split-input-file --verify-diagnostics

func.func @main() {
  // expected-error @+1 {{calls 'k', which does not exist}}
  kernel.launch @k tiles(1) reads() writes() {bytes = 0 : i64, flops = 0 : i64, nodes = "n"}
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{has no tiles}}
  kernel.launch @k tiles(0) reads() writes() {bytes = 0 : i64, flops = 0 : i64, nodes = "n"}
  return
}
func.func private @k(%call: !llvm.ptr) {
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{calls the program 'k'; kernels are private}}
  kernel.launch @k tiles(1) reads() writes() {bytes = 0 : i64, flops = 0 : i64, nodes = "n"}
  return
}
func.func @k() {
  return
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'graph.relu' must not survive codegen}}
  %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
