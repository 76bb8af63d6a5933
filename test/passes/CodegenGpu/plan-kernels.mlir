// RUN: tenon-opt %s --pass-pipeline='builtin.module(tenon-plan-kernels{target=sm_90a})' | FileCheck %s
// RUN: not tenon-opt %s --pass-pipeline='builtin.module(tenon-plan-kernels{target=sm_1})' 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not tenon-opt %s --pass-pipeline='builtin.module(tenon-plan-kernels{precision=f8})' 2>&1 | FileCheck %s --check-prefix=PRECISION
// RUN: tenon-opt %s --pass-pipeline='builtin.module(tenon-plan-kernels{target=sm_90a attempt=0})' | FileCheck %s --check-prefix=FIRST
// RUN: tenon-opt %s --pass-pipeline='builtin.module(tenon-plan-kernels{target=sm_90a attempt=1},tenon-assign-buffers{target=sm_90a},tenon-lower-kernels{target=sm_90a})' | FileCheck %s --check-prefix=SECOND
// Strategies compete by nanoseconds. What none for GPUs computes, a CPU's does
// with threads. The output that is an input is copied.

// TARGET: error: no target 'sm_1' in the tables of processors and GPUs
// PRECISION: error: precision must be f32, tf32, f16 or bf16, not 'f8'

// CHECK-LABEL: func.func @main
// CHECK: costs = {gpu_points = {{[0-9]+}} : i64, loops = {{[0-9]+}} : i64}, {{.*}}plan = #kernel.plan<"gpu_points"
// CHECK: costs = {copy = {{[0-9]+}} : i64, gpu_moves = {{[0-9]+}} : i64}, {{.*}}plan = #kernel.plan<"gpu_moves"
// CHECK: costs = {gpu_points = {{[0-9]+}} : i64, loops = {{[0-9]+}} : i64}, {{.*}}plan = #kernel.plan<"gpu_points"

// The time of a group, and of its launch, is that of the plan that is taken,
// also where another one looks faster.
// FIRST: costs = {gpu_points = [[TIME:[0-9]+]] : i64, loops = {{[0-9]+}} : i64}, {{.*}}plan = #kernel.plan<"gpu_points", {{.*}}time = [[TIME]] : i64
// SECOND: kernel.launch @loops_{{[0-9]+}} {{.*}}costs = {gpu_points = {{[0-9]+}} : i64, loops = [[TIME:[0-9]+]] : i64}, {{.*}}time = [[TIME]] : i64
func.func @main(%x: tensor<64x96xf32>) -> (tensor<128x96xf32>, tensor<64x96xf32>) {
  %0 = kernel.group(%x) : (tensor<64x96xf32>) -> tensor<64x96xf32> {
  ^bb0(%a: tensor<64x96xf32>):
    %1 = graph.exp %a : (tensor<64x96xf32>) -> tensor<64x96xf32>
    kernel.yield %1 : tensor<64x96xf32>
  }
  %2 = kernel.group(%0, %x) : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<128x96xf32> {
  ^bb0(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>):
    %1 = graph.concat %a, %b {axis = 0 : i64} : (tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<128x96xf32>
    kernel.yield %1 : tensor<128x96xf32>
  }
  return %2, %x : tensor<128x96xf32>, tensor<64x96xf32>
}
