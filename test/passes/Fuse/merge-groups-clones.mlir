// RUN: tenon-opt %s --tenon-merge-groups="target=avx2 threads=4" --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-merge-groups="target=avx2 threads=4" --tenon-verify-fuse --split-input-file | FileCheck %s

// The first kernel could leave the concatenation to a clone of the activation
// elsewhere: as much as the activation itself, which is not computed again then.
// CHECK-LABEL: func.func @stored_once
// CHECK: %[[first:.*]]:2 = kernel.group(
// CHECK: graph.concat
// CHECK: %[[relu:.*]] = kernel.stage({{.*}}) in memory
// CHECK: graph.relu
// CHECK: kernel.yield %[[relu]], %{{.*}}
// CHECK: graph.reshape %[[first]]#1
// CHECK: kernel.group(%{{.*}}, %{{.*}}, %{{.*}}, %[[first]]#0)
// CHECK-NOT: graph.relu
// CHECK: return
func.func @stored_once(%x: tensor<1x28x28x112xf32>, %w: tensor<112x28x1x1xf32>, %side: tensor<1x28x28x24xf32>, %v: tensor<136x34x1x1xf32>, %d: tensor<136x1x3x3xf32>, %u: tensor<136x34x1x1xf32>) -> tensor<1x28x28x136xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x28x28x112xf32>, tensor<112x28x1x1xf32>) -> tensor<1x28x28x112xf32> {
  ^bb0(%a: tensor<1x28x28x112xf32>, %b: tensor<112x28x1x1xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x28x28x112xf32>, tensor<112x28x1x1xf32>) -> tensor<1x28x28x112xf32>
    kernel.yield %9 : tensor<1x28x28x112xf32>
  }
  %1 = kernel.group(%0, %side) : (tensor<1x28x28x112xf32>, tensor<1x28x28x24xf32>) -> tensor<1x28x28x136xf32> {
  ^bb0(%a: tensor<1x28x28x112xf32>, %b: tensor<1x28x28x24xf32>):
    %9 = graph.concat %a, %b {axis = 3 : i64} : (tensor<1x28x28x112xf32>, tensor<1x28x28x24xf32>) -> tensor<1x28x28x136xf32>
    kernel.yield %9 : tensor<1x28x28x136xf32>
  }
  %2 = kernel.group(%1) : (tensor<1x28x28x136xf32>) -> tensor<1x28x28x136xf32> {
  ^bb0(%a: tensor<1x28x28x136xf32>):
    %9 = graph.relu %a : (tensor<1x28x28x136xf32>) -> tensor<1x28x28x136xf32>
    kernel.yield %9 : tensor<1x28x28x136xf32>
  }
  %3 = kernel.group(%2, %v) : (tensor<1x28x28x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x28x28x136xf32> {
  ^bb0(%a: tensor<1x28x28x136xf32>, %b: tensor<136x34x1x1xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x28x28x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x28x28x136xf32>
    kernel.yield %9 : tensor<1x28x28x136xf32>
  }
  %parted = graph.reshape %3 : (tensor<1x28x28x136xf32>) -> tensor<1x28x28x4x34xf32>
  %4 = kernel.group(%parted) : (tensor<1x28x28x4x34xf32>) -> tensor<1x28x28x34x4xf32> {
  ^bb0(%a: tensor<1x28x28x4x34xf32>):
    %9 = graph.transpose %a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x28x28x4x34xf32>) -> tensor<1x28x28x34x4xf32>
    kernel.yield %9 : tensor<1x28x28x34x4xf32>
  }
  %mixed = graph.reshape %4 : (tensor<1x28x28x34x4xf32>) -> tensor<1x28x28x136xf32>
  %5 = kernel.group(%mixed, %d) : (tensor<1x28x28x136xf32>, tensor<136x1x3x3xf32>) -> tensor<1x28x28x136xf32> {
  ^bb0(%a: tensor<1x28x28x136xf32>, %b: tensor<136x1x3x3xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 136 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x28x28x136xf32>, tensor<136x1x3x3xf32>) -> tensor<1x28x28x136xf32>
    kernel.yield %9 : tensor<1x28x28x136xf32>
  }
  %6 = kernel.group(%5, %u, %2) : (tensor<1x28x28x136xf32>, tensor<136x34x1x1xf32>, tensor<1x28x28x136xf32>) -> tensor<1x28x28x136xf32> {
  ^bb0(%a: tensor<1x28x28x136xf32>, %b: tensor<136x34x1x1xf32>, %c: tensor<1x28x28x136xf32>):
    %8 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x28x28x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x28x28x136xf32>
    %9 = graph.add %8, %c : (tensor<1x28x28x136xf32>, tensor<1x28x28x136xf32>) -> tensor<1x28x28x136xf32>
    kernel.yield %9 : tensor<1x28x28x136xf32>
  }
  return %6 : tensor<1x28x28x136xf32>
}

// -----

// What is an output anyway is read there by the second clone, also where the
// first one shares a kernel with what computes it.
// CHECK-LABEL: func.func @computed_again
// CHECK: %[[first:.*]]:2 = kernel.group(
// CHECK: %[[concat:.*]] = kernel.stage({{.*}}) in memory
// CHECK: graph.concat
// CHECK: kernel.stage(%[[concat]]) in scratch
// CHECK: graph.relu
// CHECK: kernel.yield %[[concat]], %{{.*}}
// CHECK: graph.reshape %[[first]]#1
// CHECK-NOT: graph.relu
// CHECK: %[[second:.*]] = kernel.group(%[[first]]#0,
// CHECK: graph.relu
// CHECK-NOT: graph.relu
// CHECK: return %[[first]]#0, %[[second]]
func.func @computed_again(%x: tensor<1x112x112x112xf32>, %w: tensor<112x28x1x1xf32>, %side: tensor<1x112x112x24xf32>, %v: tensor<136x34x1x1xf32>, %d: tensor<136x1x3x3xf32>, %u: tensor<136x34x1x1xf32>) -> (tensor<1x112x112x136xf32>, tensor<1x112x112x136xf32>) {
  %0 = kernel.group(%x, %w) : (tensor<1x112x112x112xf32>, tensor<112x28x1x1xf32>) -> tensor<1x112x112x112xf32> {
  ^bb0(%a: tensor<1x112x112x112xf32>, %b: tensor<112x28x1x1xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x112xf32>, tensor<112x28x1x1xf32>) -> tensor<1x112x112x112xf32>
    kernel.yield %9 : tensor<1x112x112x112xf32>
  }
  %1 = kernel.group(%0, %side) : (tensor<1x112x112x112xf32>, tensor<1x112x112x24xf32>) -> tensor<1x112x112x136xf32> {
  ^bb0(%a: tensor<1x112x112x112xf32>, %b: tensor<1x112x112x24xf32>):
    %9 = graph.concat %a, %b {axis = 3 : i64} : (tensor<1x112x112x112xf32>, tensor<1x112x112x24xf32>) -> tensor<1x112x112x136xf32>
    kernel.yield %9 : tensor<1x112x112x136xf32>
  }
  %2 = kernel.group(%1) : (tensor<1x112x112x136xf32>) -> tensor<1x112x112x136xf32> {
  ^bb0(%a: tensor<1x112x112x136xf32>):
    %9 = graph.relu %a : (tensor<1x112x112x136xf32>) -> tensor<1x112x112x136xf32>
    kernel.yield %9 : tensor<1x112x112x136xf32>
  }
  %3 = kernel.group(%2, %v) : (tensor<1x112x112x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x112x112x136xf32> {
  ^bb0(%a: tensor<1x112x112x136xf32>, %b: tensor<136x34x1x1xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x112x112x136xf32>
    kernel.yield %9 : tensor<1x112x112x136xf32>
  }
  %parted = graph.reshape %3 : (tensor<1x112x112x136xf32>) -> tensor<1x112x112x4x34xf32>
  %4 = kernel.group(%parted) : (tensor<1x112x112x4x34xf32>) -> tensor<1x112x112x34x4xf32> {
  ^bb0(%a: tensor<1x112x112x4x34xf32>):
    %9 = graph.transpose %a {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x112x112x4x34xf32>) -> tensor<1x112x112x34x4xf32>
    kernel.yield %9 : tensor<1x112x112x34x4xf32>
  }
  %mixed = graph.reshape %4 : (tensor<1x112x112x34x4xf32>) -> tensor<1x112x112x136xf32>
  %5 = kernel.group(%mixed, %d) : (tensor<1x112x112x136xf32>, tensor<136x1x3x3xf32>) -> tensor<1x112x112x136xf32> {
  ^bb0(%a: tensor<1x112x112x136xf32>, %b: tensor<136x1x3x3xf32>):
    %9 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 136 : i64, layout = #graph<layout nhwc>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x112x112x136xf32>, tensor<136x1x3x3xf32>) -> tensor<1x112x112x136xf32>
    kernel.yield %9 : tensor<1x112x112x136xf32>
  }
  %6 = kernel.group(%5, %u, %2) : (tensor<1x112x112x136xf32>, tensor<136x34x1x1xf32>, tensor<1x112x112x136xf32>) -> tensor<1x112x112x136xf32> {
  ^bb0(%a: tensor<1x112x112x136xf32>, %b: tensor<136x34x1x1xf32>, %c: tensor<1x112x112x136xf32>):
    %8 = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 4 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x136xf32>, tensor<136x34x1x1xf32>) -> tensor<1x112x112x136xf32>
    %9 = graph.add %8, %c : (tensor<1x112x112x136xf32>, tensor<1x112x112x136xf32>) -> tensor<1x112x112x136xf32>
    kernel.yield %9 : tensor<1x112x112x136xf32>
  }
  return %1, %6 : tensor<1x112x112x136xf32>, tensor<1x112x112x136xf32>
}
