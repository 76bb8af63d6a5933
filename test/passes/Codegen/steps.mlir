// RUN: tenon-opt %s -tenon-plan-kernels="target=avx2" -tenon-assign-buffers="target=avx2" -tenon-lower-kernels="target=avx2" -tenon-verify-codegen | FileCheck %s
// RUN: tenon-opt %s -tenon-plan-kernels="target=avx2 threads=1" -tenon-assign-buffers="target=avx2 threads=1" -tenon-lower-kernels="target=avx2 threads=1" | FileCheck %s --check-prefix=ONE

// Little work: one tile runs all steps. The state that is not stacked lies in
// two buffers by turns, beside what one part of a step leaves for the other. A
// body's constants are read by the launch, and nothing else is left of it.
// CHECK-LABEL: func.func @main
// CHECK: %[[H:.*]] = memory.input 0
// CHECK: %[[W:.*]] = memory.constant
// CHECK-SAME: pack =
// CHECK: %[[LAST:.*]] = memory.output 0
// CHECK: %[[PART:.*]] = memory.alloc {{.*}}tensor<{{.*}}xi8>
// CHECK: kernel.launch @steps_{{[0-9]+}} tiles(1) reads(%[[H]], %[[W]] :
// CHECK-NOT: nodes = "", steps
// A large product: a turn for each step, and tiles for all threads.
// CHECK: kernel.launch @steps_{{[0-9]+}} tiles(22)
// CHECK-SAME: steps = 9
// A product of 2 us is worth barriers of 0.2 us, too.
// CHECK: kernel.launch @steps_{{[0-9]+}} tiles({{[2-9]|[1-9][0-9]+}})
// CHECK-SAME: steps = 7
// CHECK-NOT: func.func{{.*}}@body
// CHECK-NOT: func.func private @gemm
// CHECK-COUNT-3: func.func private @steps_

// ONE-LABEL: func.func @main
// ONE: kernel.launch @steps_{{[0-9]+}} tiles(1)
// ONE-NOT: nodes = "", steps
// ONE: kernel.launch @steps_{{[0-9]+}} tiles(1)
// ONE-NOT: nodes = "", steps
// ONE: kernel.launch @steps_{{[0-9]+}} tiles(1)
// ONE-NOT: nodes = "", steps
func.func @main(%h: tensor<1x16xf32>, %b: tensor<4x1024xf32>, %m: tensor<4x180xf32>) -> (tensor<1x16xf32>, tensor<9x4x1024xf32>, tensor<7x4x180xf32>) {
  %r = kernel.group(%h) : (tensor<1x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%h0: tensor<1x16xf32>):
    %0 = graph.steps @body(%h0) {count = 5, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<1x16xf32>) -> tensor<1x16xf32>
    kernel.yield %0 : tensor<1x16xf32>
  }
  %s = kernel.group(%b) : (tensor<4x1024xf32>) -> tensor<9x4x1024xf32> {
  ^bb0(%b0: tensor<4x1024xf32>):
    %0 = graph.steps @body_large(%b0) {count = 9, scans = 0, next = array<i64: 0>, stacked = array<i1: true>} : (tensor<4x1024xf32>) -> tensor<9x4x1024xf32>
    kernel.yield %0 : tensor<9x4x1024xf32>
  }
  %t = kernel.group(%m) : (tensor<4x180xf32>) -> tensor<7x4x180xf32> {
  ^bb0(%m0: tensor<4x180xf32>):
    %0 = graph.steps @body_middle(%m0) {count = 7, scans = 0, next = array<i64: 0>, stacked = array<i1: true>} : (tensor<4x180xf32>) -> tensor<7x4x180xf32>
    kernel.yield %0 : tensor<7x4x180xf32>
  }
  return %r, %s, %t : tensor<1x16xf32>, tensor<9x4x1024xf32>, tensor<7x4x180xf32>
}
func.func @body(%h: tensor<1x16xf32>) -> tensor<1x16xf32> attributes {graph.steps_body} {
  %w = graph.constant dense<1.0> : tensor<16x16xf32>
  %a = kernel.group(%h, %w) : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%h0: tensor<1x16xf32>, %w0: tensor<16x16xf32>):
    %0 = graph.matmul %h0, %w0 : (tensor<1x16xf32>, tensor<16x16xf32>) -> tensor<1x16xf32>
    kernel.yield %0 : tensor<1x16xf32>
  }
  %n = kernel.group(%a, %h) : (tensor<1x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32> {
  ^bb0(%a0: tensor<1x16xf32>, %h0: tensor<1x16xf32>):
    %0 = graph.add %a0, %h0 : (tensor<1x16xf32>, tensor<1x16xf32>) -> tensor<1x16xf32>
    kernel.yield %0 : tensor<1x16xf32>
  }
  return %n : tensor<1x16xf32>
}
func.func @body_large(%b: tensor<4x1024xf32>) -> tensor<4x1024xf32> attributes {graph.steps_body} {
  %w = graph.constant dense<1.0> : tensor<1024x1024xf32>
  %a = kernel.group(%b, %w) : (tensor<4x1024xf32>, tensor<1024x1024xf32>) -> tensor<4x1024xf32> {
  ^bb0(%b0: tensor<4x1024xf32>, %w0: tensor<1024x1024xf32>):
    %0 = graph.matmul %b0, %w0 : (tensor<4x1024xf32>, tensor<1024x1024xf32>) -> tensor<4x1024xf32>
    kernel.yield %0 : tensor<4x1024xf32>
  }
  return %a : tensor<4x1024xf32>
}
func.func @body_middle(%b: tensor<4x180xf32>) -> tensor<4x180xf32> attributes {graph.steps_body} {
  %w = graph.constant dense<1.0> : tensor<180x180xf32>
  %a = kernel.group(%b, %w) : (tensor<4x180xf32>, tensor<180x180xf32>) -> tensor<4x180xf32> {
  ^bb0(%b0: tensor<4x180xf32>, %w0: tensor<180x180xf32>):
    %0 = graph.matmul %b0, %w0 : (tensor<4x180xf32>, tensor<180x180xf32>) -> tensor<4x180xf32>
    kernel.yield %0 : tensor<4x180xf32>
  }
  return %a : tensor<4x180xf32>
}
