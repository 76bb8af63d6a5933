// RUN: tenon-opt %s --tenon-merge-groups=target=avx2 --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-merge-groups=target=avx2 --tenon-verify-fuse --split-input-file | FileCheck %s
// Reasons are for people: without them the same groups are found.
// RUN: tenon-opt %s --tenon-merge-groups="target=avx2 reasons=false" --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-merge-groups="target=avx2 reasons=false" --split-input-file | FileCheck %s --check-prefix=SILENT
// RUN: tenon-opt %s --tenon-merge-groups=target=avx2 --split-input-file | FileCheck %s --check-prefix=REASONS
// SILENT-NOT: reason =
// REASONS: reason =

// What two products hand to each other stays in a cache: 9.6 MB of it would
// go through memory. A tile has all columns.
// CHECK-LABEL: func.func @wide
// CHECK: kernel.group({{.*}}) {{.*}}tile = #kernel.tile<dims = [1{{[^>]*}}>}
// CHECK: kernel.stage({{.*}}) in scratch :
// CHECK: graph.conv
// CHECK: kernel.stage({{.*}}) in memory :
// CHECK: graph.conv
// CHECK-NOT: kernel.group
// CHECK: return
func.func @wide(%x: tensor<1x112x112x16xf32>, %w: tensor<192x16x1x1xf32>, %v: tensor<16x192x1x1xf32>) -> tensor<1x112x112x16xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x112x112x16xf32>, tensor<192x16x1x1xf32>) -> tensor<1x112x112x192xf32> {
  ^bb0(%a: tensor<1x112x112x16xf32>, %b: tensor<192x16x1x1xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x16xf32>, tensor<192x16x1x1xf32>) -> tensor<1x112x112x192xf32>
    kernel.yield %1 : tensor<1x112x112x192xf32>
  }
  %2 = kernel.group(%0, %v) : (tensor<1x112x112x192xf32>, tensor<16x192x1x1xf32>) -> tensor<1x112x112x16xf32> {
  ^bb0(%a: tensor<1x112x112x192xf32>, %b: tensor<16x192x1x1xf32>):
    %1 = graph.conv %a, %b {dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x112x112x192xf32>, tensor<16x192x1x1xf32>) -> tensor<1x112x112x16xf32>
    kernel.yield %1 : tensor<1x112x112x16xf32>
  }
  return %2 : tensor<1x112x112x16xf32>
}

// -----

// What somebody else reads, too, leaves the kernel.
// CHECK-LABEL: func.func @read_twice
// CHECK: %[[r:.*]]:2 = kernel.group({{.*}}) {{.*}}tile
// CHECK-NOT: kernel.group
// CHECK: return %[[r]]#0, %[[r]]#1
func.func @read_twice(%x: tensor<4x1024x1024xf32>) -> (tensor<4x1024x1024xf32>, tensor<4x1024x1024xf32>) {
  %0 = kernel.group(%x) : (tensor<4x1024x1024xf32>) -> tensor<4x1024x1024xf32> {
  ^bb0(%a: tensor<4x1024x1024xf32>):
    %2 = graph.exp %a : (tensor<4x1024x1024xf32>) -> tensor<4x1024x1024xf32>
    kernel.yield %2 : tensor<4x1024x1024xf32>
  }
  %1 = kernel.group(%0) : (tensor<4x1024x1024xf32>) -> tensor<4x1024x1024xf32> {
  ^bb0(%a: tensor<4x1024x1024xf32>):
    %2 = graph.neg %a : (tensor<4x1024x1024xf32>) -> tensor<4x1024x1024xf32>
    kernel.yield %2 : tensor<4x1024x1024xf32>
  }
  return %0, %1 : tensor<4x1024x1024xf32>, tensor<4x1024x1024xf32>
}

// -----

// Little gains nothing; what a reshape is between has no tiles.
// CHECK-LABEL: func.func @apart
// CHECK-NOT: kernel.stage
// CHECK: return
func.func @apart(%x: tensor<64x1024x32xf32>) -> tensor<2048x1024xf32> {
  %0 = kernel.group(%x) : (tensor<64x1024x32xf32>) -> tensor<64x1024x32xf32> {
  ^bb0(%a: tensor<64x1024x32xf32>):
    %2 = graph.exp %a : (tensor<64x1024x32xf32>) -> tensor<64x1024x32xf32>
    kernel.yield %2 : tensor<64x1024x32xf32>
  }
  %r = graph.reshape %0 : (tensor<64x1024x32xf32>) -> tensor<2048x1024xf32>
  %1 = kernel.group(%r) : (tensor<2048x1024xf32>) -> tensor<2048x1024xf32> {
  ^bb0(%a: tensor<2048x1024xf32>):
    %2 = graph.neg %a : (tensor<2048x1024xf32>) -> tensor<2048x1024xf32>
    kernel.yield %2 : tensor<2048x1024xf32>
  }
  return %1 : tensor<2048x1024xf32>
}

// -----

// A dimension that only the run knows cannot be tiled yet.
// CHECK-LABEL: func.func @symbol
// CHECK-NOT: kernel.stage
// CHECK: return
func.func @symbol(%x: tensor<?x1024xf32, #graph.dims<["n", 1024]>>) -> tensor<?x1024xf32, #graph.dims<["n", 1024]>> {
  %0 = kernel.group(%x) : (tensor<?x1024xf32, #graph.dims<["n", 1024]>>) -> tensor<?x1024xf32, #graph.dims<["n", 1024]>> {
  ^bb0(%a: tensor<?x1024xf32, #graph.dims<["n", 1024]>>):
    %2 = graph.exp %a : (tensor<?x1024xf32, #graph.dims<["n", 1024]>>) -> tensor<?x1024xf32, #graph.dims<["n", 1024]>>
    kernel.yield %2 : tensor<?x1024xf32, #graph.dims<["n", 1024]>>
  }
  %1 = kernel.group(%0) : (tensor<?x1024xf32, #graph.dims<["n", 1024]>>) -> tensor<?x1024xf32, #graph.dims<["n", 1024]>> {
  ^bb0(%a: tensor<?x1024xf32, #graph.dims<["n", 1024]>>):
    %2 = graph.neg %a : (tensor<?x1024xf32, #graph.dims<["n", 1024]>>) -> tensor<?x1024xf32, #graph.dims<["n", 1024]>>
    kernel.yield %2 : tensor<?x1024xf32, #graph.dims<["n", 1024]>>
  }
  return %1 : tensor<?x1024xf32, #graph.dims<["n", 1024]>>
}

// -----

// Scores of a head's rows stay in a cache, in one buffer: what is computed of
// them overwrites them. All of them are 200 MB.
// CHECK-LABEL: func.func @attention
// CHECK: kernel.group({{.*}}) {{.*}}scratch = 262144 : i64{{.*}}tile = #kernel.tile<dims = [0, 1], sizes = [1, 32]>
// CHECK-NOT: kernel.group
// CHECK: return
func.func @attention(%q: tensor<12x2048x64xf32>, %k: tensor<12x64x2048xf32>, %v: tensor<12x2048x64xf32>) -> tensor<12x2048x64xf32> {
  %0 = kernel.group(%q, %k) : (tensor<12x2048x64xf32>, tensor<12x64x2048xf32>) -> tensor<12x2048x2048xf32> {
  ^bb0(%a: tensor<12x2048x64xf32>, %b: tensor<12x64x2048xf32>):
    %3 = graph.matmul %a, %b : (tensor<12x2048x64xf32>, tensor<12x64x2048xf32>) -> tensor<12x2048x2048xf32>
    kernel.yield %3 : tensor<12x2048x2048xf32>
  }
  %1 = kernel.group(%0) : (tensor<12x2048x2048xf32>) -> tensor<12x2048x2048xf32> {
  ^bb0(%a: tensor<12x2048x2048xf32>):
    %3 = graph.reduce_max %a {axes = array<i64: 2>} : (tensor<12x2048x2048xf32>) -> tensor<12x2048x1xf32>
    %4 = graph.sub %a, %3 : (tensor<12x2048x2048xf32>, tensor<12x2048x1xf32>) -> tensor<12x2048x2048xf32>
    %5 = graph.exp %4 : (tensor<12x2048x2048xf32>) -> tensor<12x2048x2048xf32>
    %6 = graph.reduce_sum %5 {axes = array<i64: 2>} : (tensor<12x2048x2048xf32>) -> tensor<12x2048x1xf32>
    %7 = graph.div %5, %6 : (tensor<12x2048x2048xf32>, tensor<12x2048x1xf32>) -> tensor<12x2048x2048xf32>
    kernel.yield %7 : tensor<12x2048x2048xf32>
  }
  %2 = kernel.group(%1, %v) : (tensor<12x2048x2048xf32>, tensor<12x2048x64xf32>) -> tensor<12x2048x64xf32> {
  ^bb0(%a: tensor<12x2048x2048xf32>, %b: tensor<12x2048x64xf32>):
    %3 = graph.matmul %a, %b : (tensor<12x2048x2048xf32>, tensor<12x2048x64xf32>) -> tensor<12x2048x64xf32>
    kernel.yield %3 : tensor<12x2048x64xf32>
  }
  return %2 : tensor<12x2048x64xf32>
}
