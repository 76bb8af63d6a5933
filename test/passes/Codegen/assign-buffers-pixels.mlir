// RUN: tenon-opt %s --tenon-plan-kernels=target=zen4 --tenon-assign-buffers=target=zen4 --split-input-file | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=zen4 --tenon-assign-buffers=target=zen4 --tenon-lower-kernels=target=zen4 --split-input-file | FileCheck %s --check-prefix=LAUNCH

// A pixel of 42 channels is followed by 6 free elements, so that no vector of
// it crosses a line. Nobody reads them: only the free columns to the left and
// right of the second map are cleared.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x8x8x42xf32>, [3072, 384, 48, 1], 0, 12288>]
// CHECK: kernel.group
// CHECK-SAME: buffers = [!memory.buffer<tensor<1x8x8x42xf32>, [3072, 384, 48, 1], 0, 12288>
// CHECK-SAME: !memory.buffer<tensor<1x6x6x42xf32>, [2304, 384, 48, 1], 48, 9216>]
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x6x6x42xf32>, [1728, 288, 48, 1], 0, 6912>]
// CHECK: kernel.group
// CHECK-SAME: buffers = [!memory.buffer<tensor<1x6x6x42xf32>, [1728, 288, 48, 1], 0, 6912>
// CHECK-SAME: !memory.buffer<tensor<1x6x6x16xf32>, [576, 96, 16, 1], 0, 2304>]
// LAUNCH: kernel.launch @gemm_0
// LAUNCH-NOT: @zero_halo
// LAUNCH: kernel.launch @zero_halo{{.*}}{bytes = 2304
// LAUNCH-NOT: kernel.launch @zero_halo
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x6x6x16xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<42x16x1x1xf32>
  %d = graph.constant dense<5.0e-01> : tensor<42x1x3x3xf32>
  %p = graph.constant dense<5.0e-01> : tensor<16x42x1x1xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x8x8x16xf32>, tensor<42x16x1x1xf32>) -> tensor<1x8x8x42xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<42x16x1x1xf32>):
    %4 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<42x16x1x1xf32>) -> tensor<1x8x8x42xf32>
    kernel.yield %4 : tensor<1x8x8x42xf32>
  }
  %1 = kernel.group(%0, %d) : (tensor<1x8x8x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x6x6x42xf32> {
  ^bb0(%a: tensor<1x8x8x42xf32>, %b: tensor<42x1x3x3xf32>):
    %4 = graph.conv %a, %b {group = 42, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x6x6x42xf32>
    kernel.yield %4 : tensor<1x6x6x42xf32>
  }
  %2 = kernel.group(%1, %d) : (tensor<1x6x6x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x6x6x42xf32> {
  ^bb0(%a: tensor<1x6x6x42xf32>, %b: tensor<42x1x3x3xf32>):
    %4 = graph.conv %a, %b {group = 42, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x6x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x6x6x42xf32>
    kernel.yield %4 : tensor<1x6x6x42xf32>
  }
  %3 = kernel.group(%2, %p) : (tensor<1x6x6x42xf32>, tensor<16x42x1x1xf32>) -> tensor<1x6x6x16xf32> {
  ^bb0(%a: tensor<1x6x6x42xf32>, %b: tensor<16x42x1x1xf32>):
    %4 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x6x42xf32>, tensor<16x42x1x1xf32>) -> tensor<1x6x6x16xf32>
    kernel.yield %4 : tensor<1x6x6x16xf32>
  }
  return %3 : tensor<1x6x6x16xf32>
}

// -----

// 12 free elements behind 20 would cost more than they save.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x8x8x20xf32>, [1280, 160, 20, 1], 0, 5120>]
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x6x6x20xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<20x16x1x1xf32>
  %d = graph.constant dense<5.0e-01> : tensor<20x1x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x8x8x16xf32>, tensor<20x16x1x1xf32>) -> tensor<1x8x8x20xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<20x16x1x1xf32>):
    %4 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<20x16x1x1xf32>) -> tensor<1x8x8x20xf32>
    kernel.yield %4 : tensor<1x8x8x20xf32>
  }
  %1 = kernel.group(%0, %d) : (tensor<1x8x8x20xf32>, tensor<20x1x3x3xf32>) -> tensor<1x6x6x20xf32> {
  ^bb0(%a: tensor<1x8x8x20xf32>, %b: tensor<20x1x3x3xf32>):
    %4 = graph.conv %a, %b {group = 20, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x20xf32>, tensor<20x1x3x3xf32>) -> tensor<1x6x6x20xf32>
    kernel.yield %4 : tensor<1x6x6x20xf32>
  }
  return %1 : tensor<1x6x6x20xf32>
}

// -----

// What loops walk stays in one piece, and so does a result of the program.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x6x6x42xf32>, [1512, 252, 42, 1], 0, 6048>]
// CHECK: graph.relu
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x4x4x42xf32>, [672, 168, 42, 1], 0, 2688>]
func.func @main(%x: tensor<1x8x8x42xf32>) -> (tensor<1x6x6x42xf32>, tensor<1x4x4x42xf32>) {
  %d = graph.constant dense<5.0e-01> : tensor<42x1x3x3xf32>
  %0 = kernel.group(%x, %d) : (tensor<1x8x8x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x6x6x42xf32> {
  ^bb0(%a: tensor<1x8x8x42xf32>, %b: tensor<42x1x3x3xf32>):
    %4 = graph.conv %a, %b {group = 42, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x6x6x42xf32>
    kernel.yield %4 : tensor<1x6x6x42xf32>
  }
  %1 = kernel.group(%0) : (tensor<1x6x6x42xf32>) -> tensor<1x6x6x42xf32> {
  ^bb0(%a: tensor<1x6x6x42xf32>):
    %4 = graph.relu %a : (tensor<1x6x6x42xf32>) -> tensor<1x6x6x42xf32>
    kernel.yield %4 : tensor<1x6x6x42xf32>
  }
  %2 = kernel.group(%0, %d) : (tensor<1x6x6x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x4x4x42xf32> {
  ^bb0(%a: tensor<1x6x6x42xf32>, %b: tensor<42x1x3x3xf32>):
    %4 = graph.conv %a, %b {group = 42, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x6x42xf32>, tensor<42x1x3x3xf32>) -> tensor<1x4x4x42xf32>
    kernel.yield %4 : tensor<1x4x4x42xf32>
  }
  return %1, %2 : tensor<1x6x6x42xf32>, tensor<1x4x4x42xf32>
}

// -----

// Pixels of 128 channels, 512 bytes, meet an eighth of the cache's sets: where a
// window reads them they get another line. Nothing is lost where none does.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x8x8x128xf32>, [9216, 1152, 144, 1], 0, 36864>]
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x6x6x128xf32>, [4608, 768, 128, 1], 0, 18432>]
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x6x6x16xf32> {
  %w = graph.constant dense<5.0e-01> : tensor<128x16x1x1xf32>
  %d = graph.constant dense<5.0e-01> : tensor<128x1x3x3xf32>
  %p = graph.constant dense<5.0e-01> : tensor<16x128x1x1xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x8x8x16xf32>, tensor<128x16x1x1xf32>) -> tensor<1x8x8x128xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<128x16x1x1xf32>):
    %4 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<128x16x1x1xf32>) -> tensor<1x8x8x128xf32>
    kernel.yield %4 : tensor<1x8x8x128xf32>
  }
  %1 = kernel.group(%0, %d) : (tensor<1x8x8x128xf32>, tensor<128x1x3x3xf32>) -> tensor<1x6x6x128xf32> {
  ^bb0(%a: tensor<1x8x8x128xf32>, %b: tensor<128x1x3x3xf32>):
    %4 = graph.conv %a, %b {group = 128, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x128xf32>, tensor<128x1x3x3xf32>) -> tensor<1x6x6x128xf32>
    kernel.yield %4 : tensor<1x6x6x128xf32>
  }
  %2 = kernel.group(%1, %p) : (tensor<1x6x6x128xf32>, tensor<16x128x1x1xf32>) -> tensor<1x6x6x16xf32> {
  ^bb0(%a: tensor<1x6x6x128xf32>, %b: tensor<16x128x1x1xf32>):
    %4 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x6x128xf32>, tensor<16x128x1x1xf32>) -> tensor<1x6x6x16xf32>
    kernel.yield %4 : tensor<1x6x6x16xf32>
  }
  return %2 : tensor<1x6x6x16xf32>
}

// -----

// A pool's map gets the line, too, even where it is a concatenation, whose
// parts then lie in it as far apart, and so does what a pool writes.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x8x8x160xf32>, [17408, 2176, 272, 1], 0,
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<1x8x8x96xf32>, [17408, 2176, 272, 1], 0,
// CHECK: kernel.group
// CHECK-SAME: in_place = array<i64: 0, 1>
// CHECK: kernel.group
// CHECK-SAME: buffers = [!memory.buffer<tensor<1x8x8x256xf32>, [17408, 2176, 272, 1], 0, 69632>
// CHECK-SAME: !memory.buffer<tensor<1x6x6x256xf32>, [9792, 1632, 272, 1], 0, 39168>]
func.func @main(%x: tensor<1x8x8x16xf32>) -> tensor<1x6x6x16xf32> {
  %v = graph.constant dense<5.0e-01> : tensor<160x16x1x1xf32>
  %w = graph.constant dense<5.0e-01> : tensor<96x16x1x1xf32>
  %p = graph.constant dense<5.0e-01> : tensor<16x256x1x1xf32>
  %0 = kernel.group(%x, %v) : (tensor<1x8x8x16xf32>, tensor<160x16x1x1xf32>) -> tensor<1x8x8x160xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<160x16x1x1xf32>):
    %5 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<160x16x1x1xf32>) -> tensor<1x8x8x160xf32>
    kernel.yield %5 : tensor<1x8x8x160xf32>
  }
  %1 = kernel.group(%x, %w) : (tensor<1x8x8x16xf32>, tensor<96x16x1x1xf32>) -> tensor<1x8x8x96xf32> {
  ^bb0(%a: tensor<1x8x8x16xf32>, %b: tensor<96x16x1x1xf32>):
    %5 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x16xf32>, tensor<96x16x1x1xf32>) -> tensor<1x8x8x96xf32>
    kernel.yield %5 : tensor<1x8x8x96xf32>
  }
  %2 = kernel.group(%0, %1) : (tensor<1x8x8x160xf32>, tensor<1x8x8x96xf32>) -> tensor<1x8x8x256xf32> {
  ^bb0(%a: tensor<1x8x8x160xf32>, %b: tensor<1x8x8x96xf32>):
    %5 = graph.concat %a, %b {axis = 3} : (tensor<1x8x8x160xf32>, tensor<1x8x8x96xf32>) -> tensor<1x8x8x256xf32>
    kernel.yield %5 : tensor<1x8x8x256xf32>
  }
  %3 = kernel.group(%2) : (tensor<1x8x8x256xf32>) -> tensor<1x6x6x256xf32> {
  ^bb0(%a: tensor<1x8x8x256xf32>):
    %5 = graph.max_pool %a {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x256xf32>) -> tensor<1x6x6x256xf32>
    kernel.yield %5 : tensor<1x6x6x256xf32>
  }
  %4 = kernel.group(%3, %p) : (tensor<1x6x6x256xf32>, tensor<16x256x1x1xf32>) -> tensor<1x6x6x16xf32> {
  ^bb0(%a: tensor<1x6x6x256xf32>, %b: tensor<16x256x1x1xf32>):
    %5 = graph.conv %a, %b {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x6x6x256xf32>, tensor<16x256x1x1xf32>) -> tensor<1x6x6x16xf32>
    kernel.yield %5 : tensor<1x6x6x16xf32>
  }
  return %4 : tensor<1x6x6x16xf32>
}

// -----

// Rows of scores have whole vectors, too; both buffers have one pitch, so that
// the softmax can overwrite what it reads. A result of the program is dense.
// CHECK-LABEL: func.func @main
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<2x30x197xf32>, [6240, 208, 1], 0, 49920>]
// CHECK: kernel.group
// CHECK-SAME: buffers = [!memory.buffer<tensor<2x30x197xf32>, [6240, 208, 1], 0, 49920>, !memory.buffer<tensor<2x30x197xf32>, [6240, 208, 1], 0, 49920>]
// CHECK: kernel.group
// CHECK-SAME: !memory.buffer<tensor<2x30x99xf32>, [2970, 99, 1], 0, 23760>]
func.func @main(%q: tensor<2x30x16xf32>, %k: tensor<2x16x197xf32>, %v: tensor<2x197x99xf32>) -> tensor<2x30x99xf32> {
  %0 = kernel.group(%q, %k) : (tensor<2x30x16xf32>, tensor<2x16x197xf32>) -> tensor<2x30x197xf32> {
  ^bb0(%a: tensor<2x30x16xf32>, %b: tensor<2x16x197xf32>):
    %3 = graph.matmul %a, %b : (tensor<2x30x16xf32>, tensor<2x16x197xf32>) -> tensor<2x30x197xf32>
    kernel.yield %3 : tensor<2x30x197xf32>
  }
  %1 = kernel.group(%0) : (tensor<2x30x197xf32>) -> tensor<2x30x197xf32> {
  ^bb0(%a: tensor<2x30x197xf32>):
    %3 = graph.exp %a : (tensor<2x30x197xf32>) -> tensor<2x30x197xf32>
    kernel.yield %3 : tensor<2x30x197xf32>
  }
  %2 = kernel.group(%1, %v) : (tensor<2x30x197xf32>, tensor<2x197x99xf32>) -> tensor<2x30x99xf32> {
  ^bb0(%a: tensor<2x30x197xf32>, %b: tensor<2x197x99xf32>):
    %3 = graph.matmul %a, %b : (tensor<2x30x197xf32>, tensor<2x197x99xf32>) -> tensor<2x30x99xf32>
    kernel.yield %3 : tensor<2x30x99xf32>
  }
  return %2 : tensor<2x30x99xf32>
}
