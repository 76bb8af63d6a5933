// RUN: tenon-opt %s --tenon-checkpoint-steps="budget=none" | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: tenon-opt %s --tenon-checkpoint-steps="budget=0.75" | FileCheck %s --check-prefixes=CHECK,LESS
// RUN: tenon-opt %s --tenon-checkpoint-steps="budget=0.75" --mlir-print-debuginfo | FileCheck %s --check-prefix=NAMES

// What the gradient reads of the forward part, %a, stands in front; the copy of
// it that only the gradient reads comes late.
// CHECK: tenon.frontier = {again = [
// CHECK-LABEL: @step
// CHECK: %[[A:.*]] = kernel.group(%arg0)
// CHECK: graph.sqrt
// CHECK: %[[B:.*]] = kernel.group(%[[A]])
// CHECK: graph.exp
// CHECK: %[[C:.*]] = kernel.group(%[[B]])
// CHECK: graph.neg
// CHECK: %[[LOSS:.*]] = kernel.group(%[[C]])
// CHECK: graph.reduce_sum
// CHECK: %[[G:.*]] = kernel.group(%[[B]], %[[C]])
// CHECK: graph.mul
// NONE: %[[T:.*]] = kernel.group(%[[A]])
// LESS: %[[AGAIN:.*]] = kernel.group(%arg0)
// LESS: graph.sqrt
// LESS: %[[T:.*]] = kernel.group(%[[AGAIN]])
// CHECK: graph.cos
// CHECK: kernel.group(%[[G]], %[[T]], %arg1)
// CHECK: return
// NAMES: tenon.frontier = {again = ["first"]
// NAMES: loc(fused<"recomputed">[#
module attributes {graph.states = [{input = "w", output = "w.next"}]} {
  func.func @step(%x: tensor<512x512xf32> {onnx.name = "x"}, %w: tensor<1x512xf32> {onnx.name = "w"}) -> (tensor<1x512xf32> {onnx.name = "w.next"}, tensor<1x1xf32> {onnx.name = "loss"}) {
    %a = kernel.group(%x) : (tensor<512x512xf32>) -> tensor<512x512xf32> {
    ^bb0(%0: tensor<512x512xf32>):
      %1 = graph.sqrt %0 : (tensor<512x512xf32>) -> tensor<512x512xf32>
      kernel.yield %1 : tensor<512x512xf32>
    } loc("first")
    %t = kernel.group(%a) : (tensor<512x512xf32>) -> tensor<512x512xf32> {
    ^bb0(%0: tensor<512x512xf32>):
      %1 = graph.cos %0 : (tensor<512x512xf32>) -> tensor<512x512xf32>
      kernel.yield %1 : tensor<512x512xf32>
    }
    %b = kernel.group(%a) : (tensor<512x512xf32>) -> tensor<512x512xf32> {
    ^bb0(%0: tensor<512x512xf32>):
      %1 = graph.exp %0 : (tensor<512x512xf32>) -> tensor<512x512xf32>
      kernel.yield %1 : tensor<512x512xf32>
    }
    %c = kernel.group(%b) : (tensor<512x512xf32>) -> tensor<512x512xf32> {
    ^bb0(%0: tensor<512x512xf32>):
      %1 = graph.neg %0 : (tensor<512x512xf32>) -> tensor<512x512xf32>
      kernel.yield %1 : tensor<512x512xf32>
    }
    %loss = kernel.group(%c) : (tensor<512x512xf32>) -> tensor<1x1xf32> {
    ^bb0(%0: tensor<512x512xf32>):
      %1 = graph.reduce_sum %0 {axes = array<i64: 0, 1>} : (tensor<512x512xf32>) -> tensor<1x1xf32>
      kernel.yield %1 : tensor<1x1xf32>
    }
    %g = kernel.group(%b, %c) : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32> {
    ^bb0(%0: tensor<512x512xf32>, %1: tensor<512x512xf32>):
      %2 = graph.mul %0, %1 : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
      kernel.yield %2 : tensor<512x512xf32>
    }
    %n = kernel.group(%g, %t, %w) : (tensor<512x512xf32>, tensor<512x512xf32>, tensor<1x512xf32>) -> tensor<1x512xf32> {
    ^bb0(%0: tensor<512x512xf32>, %1: tensor<512x512xf32>, %2: tensor<1x512xf32>):
      %3 = graph.mul %0, %1 : (tensor<512x512xf32>, tensor<512x512xf32>) -> tensor<512x512xf32>
      %4 = graph.reduce_sum %3 {axes = array<i64: 0>} : (tensor<512x512xf32>) -> tensor<1x512xf32>
      %5 = graph.sub %2, %4 : (tensor<1x512xf32>, tensor<1x512xf32>) -> tensor<1x512xf32>
      kernel.yield %5 : tensor<1x512xf32>
    }
    return %n, %loss : tensor<1x512xf32>, tensor<1x1xf32>
  }
}
