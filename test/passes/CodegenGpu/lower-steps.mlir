// RUN: tenon-opt %s --compile-to=fuse --fusion=greedy | tenon-opt --pass-pipeline='builtin.module(tenon-plan-kernels{target=sm_80},tenon-assign-buffers{target=sm_80},tenon-lower-kernels{target=sm_80},tenon-verify-codegen)' - | FileCheck %s
// Steps of a recurrence that is too large for registers are launched one after
// the other; each is told its first block.

// CHECK: kernel.launch @recurrence_2 tiles(16) {{.*}}steps = 9
// CHECK: llvm.func @recurrence_2(%arg0: !llvm.ptr<1>{{.*}}, %[[FIRST:[a-z0-9]+]]: i64) attributes
// CHECK: %[[BLOCKS:.*]] = arith.constant 16 : i64
// CHECK: arith.divui %[[FIRST]], %[[BLOCKS]]
func.func @main(%x: tensor<8x1x512xf32>, %w: tensor<1x8192x512xf32>, %r: tensor<1x8192x2048xf32>) -> tensor<8x1x1x2048xf32> {
  %none = "onnx.NoValue"() : () -> none
  %y, %h, %c = "onnx.LSTM"(%x, %w, %r, %none, %none, %none, %none, %none) {hidden_size = 2048 : i64} : (tensor<8x1x512xf32>, tensor<1x8192x512xf32>, tensor<1x8192x2048xf32>, none, none, none, none, none) -> (tensor<8x1x1x2048xf32>, none, none)
  return %y : tensor<8x1x1x2048xf32>
}
