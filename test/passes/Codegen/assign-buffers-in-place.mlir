// RUN: tenon-opt %s --split-input-file --tenon-fuse-groups --tenon-plan-kernels=target=avx2 --tenon-form-views --tenon-assign-buffers=target=avx2 | FileCheck %s

// Both producers write into the output's storage; `a` is read there, too.
// CHECK-LABEL: func.func @shared
// CHECK: kernel.group{{.*}}buffers = [!memory.buffer<tensor<2x8xf32>, [8, 1], 0, 64>, !memory.buffer<tensor<2x8xf32>, [24, 1], 0, 128>]
// CHECK: kernel.group{{.*}}buffers = [!memory.buffer<tensor<2x8xf32>, [24, 1], 0, 128>, {{.*}}, !memory.buffer<tensor<2x16xf32>, [24, 1], 0, 160>], {{.*}}offsets = array<i64: 0, 0, 32>
// CHECK: kernel.group{{.*}}in_place = array<i64: 0, 1>
func.func @shared(%x: tensor<2x8xf32>, %w: tensor<8x16xf32>) -> tensor<2x24xf32> {
  %a = graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %b = graph.matmul %a, %w : (tensor<2x8xf32>, tensor<8x16xf32>) -> tensor<2x16xf32>
  %c = graph.concat %a, %b {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x16xf32>) -> tensor<2x24xf32>
  return %c : tensor<2x24xf32>
}

// -----

// Constants and graph inputs are copied, and so is the second of two.
// CHECK-LABEL: func.func @copied
// CHECK: kernel.group{{.*}}in_place = array<i64: 1>
func.func @copied(%x: tensor<2x8xf32>) -> tensor<2x32xf32> {
  %k = graph.constant dense<1.0> : tensor<2x8xf32>
  %a = graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = graph.concat %x, %a, %a, %k {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x32xf32>
  return %c : tensor<2x32xf32>
}

// -----

// A value that is a graph output itself has its own storage.
// CHECK-LABEL: func.func @output
// CHECK: kernel.group{{.*}}in_place = array<i64: 1>
func.func @output(%x: tensor<2x8xf32>) -> (tensor<2x16xf32>, tensor<2x8xf32>) {
  %a = graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %b = graph.exp %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = graph.concat %a, %b {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
  return %c, %a : tensor<2x16xf32>, tensor<2x8xf32>
}

// -----

// The inner concatenation lies in the outer one, and so do its operands.
// CHECK-LABEL: func.func @nested
// CHECK: buffers = [!memory.buffer<tensor<2x8xf32>, [8, 1], 0, 64>, !memory.buffer<tensor<2x8xf32>, [24, 1], 0, 128>], {{.*}}offsets = array<i64: 0, 32>
// CHECK: kernel.group{{.*}}in_place = array<i64: 0, 1>
// CHECK: kernel.group{{.*}}in_place = array<i64: 0, 1>
func.func @nested(%x: tensor<2x8xf32>) -> tensor<2x24xf32> {
  %a = graph.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %b = graph.exp %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %c = graph.concat %a, %b {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
  %m = graph.reduce_max %c {axes = array<i64: 1>, keep_dims = true} : (tensor<2x16xf32>) -> tensor<2x1xf32>
  %n = graph.broadcast %m : (tensor<2x1xf32>) -> tensor<2x8xf32>
  %d = graph.concat %n, %c {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x16xf32>) -> tensor<2x24xf32>
  return %d : tensor<2x24xf32>
}

// -----

// The first part has a halo for its convolution: it surrounds the whole.
// CHECK-LABEL: func.func @halo
// CHECK: graph.relu
// CHECK: kernel.group{{.*}}buffers = [!memory.buffer<tensor<1x4x4x8xf32>, [576, 96, 16, 1], 112,
// CHECK: kernel.group{{.*}}in_place = array<i64: 0, 1>{{.*}}
func.func @halo(%x: tensor<1x4x4x8xf32>, %w: tensor<8x8x3x3xf32>) -> tensor<1x2x2x16xf32> {
  %a = graph.relu %x : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %b = graph.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x4x8xf32>
  %c = graph.concat %a, %b {axis = 3 : i64} : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x16xf32>
  %p = graph.max_pool %c {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x16xf32>) -> tensor<1x2x2x16xf32>
  return %p : tensor<1x2x2x16xf32>
}

// -----

// Along the rows, the neighbour is where the halo would be: `a` keeps its own
// storage. Also where the whole is an output, around which nothing is free.
// CHECK-LABEL: func.func @no_halo
// CHECK: kernel.group{{.*}}in_place = array<i64: 1>
// CHECK: kernel.group{{.*}}in_place = array<i64: 1>
func.func @no_halo(%x: tensor<1x4x4x8xf32>, %w: tensor<8x8x3x3xf32>) -> (tensor<1x2x2x8xf32>, tensor<1x4x4x16xf32>) {
  %a = graph.relu %x : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %b = graph.conv %a, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x4x8xf32>
  %c = graph.concat %a, %b {axis = 1 : i64} : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x8x4x8xf32>
  %p = graph.max_pool %c {kernel = array<i64: 7, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x4x8xf32>) -> tensor<1x2x2x8xf32>
  %e = graph.exp %x : (tensor<1x4x4x8xf32>) -> tensor<1x4x4x8xf32>
  %f = graph.conv %e, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x4x4x8xf32>, tensor<8x8x3x3xf32>) -> tensor<1x4x4x8xf32>
  %g = graph.concat %e, %f {axis = 3 : i64} : (tensor<1x4x4x8xf32>, tensor<1x4x4x8xf32>) -> tensor<1x4x4x16xf32>
  return %p, %g : tensor<1x2x2x8xf32>, tensor<1x4x4x16xf32>
}

// -----

// Through a reshape where the part is contiguous, not where it has a pitch; the
// transposition's operand is computed in the result's order.
// CHECK-LABEL: func.func @reordered
// CHECK-DAG: kernel.group{{.*}}in_place = array<i64: 0, 1>{{.*}}-> tensor<4x8xf32>
// CHECK-DAG: kernel.group{{.*}}in_place = array<i64: 1>{{.*}}-> tensor<2x16xf32>
// CHECK-DAG: kernel.group{{.*}}in_place = array<i64: 0>{{.*}}-> tensor<8x2x8xf32>
func.func @reordered(%x: tensor<16xf32>, %y: tensor<2x8xf32>, %z: tensor<2x8x8xf32>) -> (tensor<4x8xf32>, tensor<2x16xf32>, tensor<8x2x8xf32>) {
  %a = graph.relu %x : (tensor<16xf32>) -> tensor<16xf32>
  %b = graph.reshape %a : (tensor<16xf32>) -> tensor<2x8xf32>
  %c = graph.exp %y : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %d = graph.concat %b, %c {axis = 0 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<4x8xf32>
  %e = graph.tanh %x : (tensor<16xf32>) -> tensor<16xf32>
  %f = graph.reshape %e : (tensor<16xf32>) -> tensor<2x8xf32>
  %g = graph.neg %y : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %h = graph.concat %f, %g {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x16xf32>
  %m = graph.matmul %z, %z : (tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x8xf32>
  %t = graph.transpose %m {permutation = array<i64: 1, 0, 2>} : (tensor<2x8x8xf32>) -> tensor<8x2x8xf32>
  return %d, %h, %t : tensor<4x8xf32>, tensor<2x16xf32>, tensor<8x2x8xf32>
}

// -----

// Kernels that walk whole rows and parts with rows of a few bytes.
// CHECK-LABEL: func.func @refused
// CHECK-NOT: in_place
func.func @refused(%x: tensor<1x2x3x4xf32>, %w: tensor<4x8x3x3xf32>, %y: tensor<64x2xf32>) -> (tensor<1x4x6x32xf32>, tensor<64x4xf32>) {
  %u = graph.conv_transpose %x, %w {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, layout = #graph<layout nhwc>} : (tensor<1x2x3x4xf32>, tensor<4x8x3x3xf32>) -> tensor<1x4x6x8xf32>
  %k = graph.constant dense<1.0> : tensor<1x4x6x24xf32>
  %c = graph.concat %u, %k {axis = 3 : i64} : (tensor<1x4x6x8xf32>, tensor<1x4x6x24xf32>) -> tensor<1x4x6x32xf32>
  %a = graph.relu %y : (tensor<64x2xf32>) -> tensor<64x2xf32>
  %d = graph.concat %a, %a {axis = 1 : i64} : (tensor<64x2xf32>, tensor<64x2xf32>) -> tensor<64x4xf32>
  return %c, %d : tensor<1x4x6x32xf32>, tensor<64x4xf32>
}

// -----

// A skip connection around something large: its concatenation would live all
// the time with it.
// CHECK-LABEL: func.func @memory
// CHECK: kernel.group{{.*}}in_place = array<i64: 1>
func.func @memory(%x: tensor<64x32xf32>, %w: tensor<32x256xf32>, %v: tensor<256x256xf32>, %u: tensor<256x96xf32>) -> tensor<1x224xf32> {
  %s = graph.relu %x : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %a = graph.matmul %s, %w : (tensor<64x32xf32>, tensor<32x256xf32>) -> tensor<64x256xf32>
  %b = graph.matmul %a, %v : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %c = graph.matmul %b, %u : (tensor<64x256xf32>, tensor<256x96xf32>) -> tensor<64x96xf32>
  %k = graph.constant dense<1.0> : tensor<64x96xf32>
  %d = graph.concat %s, %c, %k {axis = 1 : i64} : (tensor<64x32xf32>, tensor<64x96xf32>, tensor<64x96xf32>) -> tensor<64x224xf32>
  %e = graph.reduce_max %d {axes = array<i64: 0>, keep_dims = true} : (tensor<64x224xf32>) -> tensor<1x224xf32>
  return %e : tensor<1x224xf32>
}

// -----

// Rows of 8 of 40, read again, in more than the second-level cache holds: the
// reader would fetch all 40. What only the concatenation reads may be narrow.
// CHECK-LABEL: func.func @sparse
// CHECK: kernel.group{{.*}}in_place = array<i64: 1, 2>
func.func @sparse(%x: tensor<65536x8xf32>, %y: tensor<65536x24xf32>, %w: tensor<8x4xf32>) -> (tensor<65536x40xf32>, tensor<65536x4xf32>) {
  %a = graph.relu %x : (tensor<65536x8xf32>) -> tensor<65536x8xf32>
  %b = graph.exp %x : (tensor<65536x8xf32>) -> tensor<65536x8xf32>
  %c = graph.exp %y : (tensor<65536x24xf32>) -> tensor<65536x24xf32>
  %d = graph.concat %a, %b, %c {axis = 1 : i64} : (tensor<65536x8xf32>, tensor<65536x8xf32>, tensor<65536x24xf32>) -> tensor<65536x40xf32>
  %e = graph.matmul %a, %w : (tensor<65536x8xf32>, tensor<8x4xf32>) -> tensor<65536x4xf32>
  return %d, %e : tensor<65536x40xf32>, tensor<65536x4xf32>
}
