// RUN: tenon-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(tenon-plan-kernels{target=sm_80},tenon-assign-buffers{target=sm_80},tenon-lower-kernels{target=sm_80})'

// Loops of the host are kernels of CPUs only.

func.func private @body(%x: tensor<4xf32>) -> tensor<4xf32> attributes {graph.steps_body} {
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    %1 = graph.exp %a : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = kernel.group(%x) : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{a GPU does not run loops of the host as a kernel}}
    %1 = "graph.steps"(%a) <{body = @body, count = 5 : i64, next = array<i64: 0>, scans = 0 : i64, stacked = array<i1: false>}> : (tensor<4xf32>) -> tensor<4xf32>
    kernel.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
