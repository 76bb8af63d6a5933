// RUN: tenon-opt %s "--tenon-plan-kernels=target=sm_90a precision=tf32" --tenon-form-views --tenon-assign-buffers=target=sm_90a "--tenon-lower-kernels=target=sm_90a precision=tf32" | FileCheck %s

// Maps begin at multiples of 16 bytes. A part of another tensor that begins
// elsewhere is copied first; one that does is read where it lies.

// CHECK-LABEL: func.func @main
// CHECK: %[[COPY:.*]] = memory.alloc
// CHECK: kernel.launch @{{.*}}_0 tiles
// CHECK: %[[FIRST:.*]] = memory.view %[[COPY]]
// CHECK: kernel.launch @gpu_wgmma_1 tiles({{[0-9]+}}) reads(%[[FIRST]],
// CHECK: %[[PART:.*]] = memory.view %{{.*}} {byte_offset = 16 : i64}
// CHECK: kernel.launch @gpu_wgmma_1 tiles({{[0-9]+}}) reads(%[[PART]],
// CHECK-NOT: kernel.launch
func.func @main(%x: tensor<1048640xf32>, %w: tensor<512x512xf32>) -> (tensor<2048x512xf32>, tensor<2048x512xf32>) {
  %0 = kernel.group(%x) : (tensor<1048640xf32>) -> tensor<1048576xf32> {
  ^bb0(%x0: tensor<1048640xf32>):
    %6 = graph.slice %x0 {starts = array<i64: 1>, sizes = array<i64: 1048576>, steps = array<i64: 1>} : (tensor<1048640xf32>) -> tensor<1048576xf32>
    kernel.yield %6 : tensor<1048576xf32>
  }
  %1 = graph.reshape %0 : (tensor<1048576xf32>) -> tensor<2048x512xf32>
  %2 = kernel.group(%1, %w) : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32> {
  ^bb0(%x0: tensor<2048x512xf32>, %w0: tensor<512x512xf32>):
    %6 = graph.matmul %x0, %w0 {transpose_rhs} : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32>
    kernel.yield %6 : tensor<2048x512xf32>
  }
  %3 = kernel.group(%x) : (tensor<1048640xf32>) -> tensor<1048576xf32> {
  ^bb0(%x0: tensor<1048640xf32>):
    %6 = graph.slice %x0 {starts = array<i64: 4>, sizes = array<i64: 1048576>, steps = array<i64: 1>} : (tensor<1048640xf32>) -> tensor<1048576xf32>
    kernel.yield %6 : tensor<1048576xf32>
  }
  %4 = graph.reshape %3 : (tensor<1048576xf32>) -> tensor<2048x512xf32>
  %5 = kernel.group(%4, %w) : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32> {
  ^bb0(%x0: tensor<2048x512xf32>, %w0: tensor<512x512xf32>):
    %6 = graph.matmul %x0, %w0 {transpose_rhs} : (tensor<2048x512xf32>, tensor<512x512xf32>) -> tensor<2048x512xf32>
    kernel.yield %6 : tensor<2048x512xf32>
  }
  return %2, %5 : tensor<2048x512xf32>, tensor<2048x512xf32>
}
