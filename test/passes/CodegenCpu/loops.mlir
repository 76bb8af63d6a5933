// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 | FileCheck %s
// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefix=AVX2
// RUN: tenon-opt %s --tenon-plan-kernels=target=zen5 | FileCheck %s --check-prefix=ZEN5
// RUN: tenon-opt %s --tenon-plan-kernels=target=baseline | FileCheck %s --check-prefix=BASE

// A row of a softmax is one vector loop per stage; rows of several heads make
// a tile.
// CHECK-LABEL: @softmax
// CHECK: #kernel.plan<"loops", {ahead = 8 : i64, chunk = 1 : i64, jam = 8 : i64, lanes = 16 : i64, rows = 64 : i64, unroll = 1 : i64, vector = 2 : i64}>
// BASE-LABEL: @softmax
// BASE: lanes = 4 : i64
func.func @softmax(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  %r = kernel.group(%x) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%a: tensor<12x128x128xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %s = graph.sub %a, %m : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %e = graph.exp %s : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %y = graph.div %e, %t : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    kernel.yield %y : tensor<12x128x128xf32>
  }
  return %r : tensor<12x128x128xf32>
}

// One pass finds mean and variance, so that the next rows' pass comes before
// these rows' results, and rows are asked for earlier.
// CHECK-LABEL: @short_norm
// CHECK: #kernel.plan<"loops", {ahead = 24 : i64, chunk = 1 : i64, jam = 8 : i64, lanes = 16 : i64, overlap = 1 : i64,
func.func @short_norm(%x: tensor<3136x96xf32>) -> tensor<3136x96xf32> {
  %r = kernel.group(%x) : (tensor<3136x96xf32>) -> tensor<3136x96xf32> {
  ^bb0(%a: tensor<3136x96xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<3136x96xf32>) -> tensor<3136x1xf32>
    %d = graph.sub %a, %m : (tensor<3136x96xf32>, tensor<3136x1xf32>) -> tensor<3136x96xf32>
    %q = graph.mul %d, %d : (tensor<3136x96xf32>, tensor<3136x96xf32>) -> tensor<3136x96xf32>
    %v = graph.reduce_mean %q {axes = array<i64: 1>} : (tensor<3136x96xf32>) -> tensor<3136x1xf32>
    %s = graph.rsqrt %v : (tensor<3136x1xf32>) -> tensor<3136x1xf32>
    %y = graph.mul %d, %s : (tensor<3136x96xf32>, tensor<3136x1xf32>) -> tensor<3136x96xf32>
    kernel.yield %y : tensor<3136x96xf32>
  }
  return %r : tensor<3136x96xf32>
}

// Means over the image keep the channels in lanes: no horizontal sums.
// CHECK-LABEL: @global_pool
// CHECK: #kernel.plan<"loops", {chunk = 256 : i64, lanes = 16 : i64, rows = 1 : i64, unroll = 8 : i64, vector = 0 : i64}>
func.func @global_pool(%x: tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32> {
  %r = kernel.group(%x) : (tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32> {
  ^bb0(%a: tensor<1x7x7x2048xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32>
    kernel.yield %m : tensor<1x1x1x2048xf32>
  }
  return %r : tensor<1x1x1x2048xf32>
}

// The operand is contiguous along the tokens, the result along the keys.
// CHECK-LABEL: @keys
// CHECK: transposed = {{[0-9]+}} : i64
func.func @keys(%x: tensor<1x128x768xf32>) -> tensor<1x12x64x128xf32> {
  %r = kernel.group(%x) : (tensor<1x128x768xf32>) -> tensor<1x12x64x128xf32> {
  ^bb0(%a: tensor<1x128x768xf32>):
    %s = graph.reshape %a : (tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32>
    %m = graph.transpose %s {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x64x128xf32>
    kernel.yield %m : tensor<1x12x64x128xf32>
  }
  return %r : tensor<1x12x64x128xf32>
}

// Planes are read in long runs, and pixels that leave the caches before they are
// read are written past them, where there are such stores and vectors fill lines.
// CHECK-LABEL: @large_image
// CHECK: chunk = 256 : i64, lanes = 16 : i64, {{.*}}stream = 1 : i64, transposed =
// AVX2-LABEL: @large_image
// AVX2: lanes = 8 : i64, {{.*}}stream = 1 : i64, transposed =
// ZEN5-LABEL: @large_image
// ZEN5-NOT: stream
// BASE-LABEL: @large_image
// BASE-NOT: stream
// CHECK-LABEL: @uneven_image
// CHECK-NOT: stream
// AVX2-LABEL: @uneven_image
// ZEN5-LABEL: @uneven_image
// BASE-LABEL: @uneven_image
func.func @large_image(%x: tensor<1x96x165x165xf32>) -> tensor<1x165x165x96xf32> {
  %r = kernel.group(%x) : (tensor<1x96x165x165xf32>) -> tensor<1x165x165x96xf32> {
  ^bb0(%a: tensor<1x96x165x165xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x96x165x165xf32>) -> tensor<1x165x165x96xf32>
    kernel.yield %0 : tensor<1x165x165x96xf32>
  }
  return %r : tensor<1x165x165x96xf32>
}
func.func @uneven_image(%x: tensor<1x104x165x165xf32>) -> tensor<1x165x165x104xf32> {
  %r = kernel.group(%x) : (tensor<1x104x165x165xf32>) -> tensor<1x165x165x104xf32> {
  ^bb0(%a: tensor<1x104x165x165xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x104x165x165xf32>) -> tensor<1x165x165x104xf32>
    kernel.yield %0 : tensor<1x165x165x104xf32>
  }
  return %r : tensor<1x165x165x104xf32>
}

// All dimensions of an element-wise group are one loop, cut into pieces.
// CHECK-LABEL: @relu
// CHECK: #kernel.plan<"loops", {chunk = 8192 : i64, lanes = 16 : i64, rows = 1 : i64, unroll = 4 : i64
func.func @relu(%x: tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32> {
  %r = kernel.group(%x) : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32> {
  ^bb0(%a: tensor<1x32x112x112xf32>):
    %0 = graph.relu %a : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    kernel.yield %0 : tensor<1x32x112x112xf32>
  }
  return %r : tensor<1x32x112x112xf32>
}

// Three channels beside each other: three vectors of pixels are interleaved.
// CHECK-LABEL: @few_channels
// CHECK: interleaved = {{[0-9]}} : i64, lanes = 16 : i64
func.func @few_channels(%x: tensor<1x3x64x64xf32>) -> tensor<1x64x64x3xf32> {
  %r = kernel.group(%x) : (tensor<1x3x64x64xf32>) -> tensor<1x64x64x3xf32> {
  ^bb0(%a: tensor<1x3x64x64xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x64x64xf32>) -> tensor<1x64x64x3xf32>
    kernel.yield %0 : tensor<1x64x64x3xf32>
  }
  return %r : tensor<1x64x64x3xf32>
}

// Planes of channels are reduced along their lanes, four at a time; one result
// per plane costs no vector anything.
// CHECK-LABEL: @global_pool_planes
// CHECK: #kernel.plan<"loops", {chunk = 1 : i64, jam = 4 : i64, lanes = 16 : i64, {{.*}}vector = 2 : i64}>
func.func @global_pool_planes(%x: tensor<1x64x7x7xf32>) -> tensor<1x64x1x1xf32> {
  %r = kernel.group(%x) : (tensor<1x64x7x7xf32>) -> tensor<1x64x1x1xf32> {
  ^bb0(%a: tensor<1x64x7x7xf32>):
    %0 = graph.reduce_mean %a {axes = array<i64: 2, 3>} : (tensor<1x64x7x7xf32>) -> tensor<1x64x1x1xf32>
    kernel.yield %0 : tensor<1x64x1x1xf32>
  }
  return %r : tensor<1x64x1x1xf32>
}

// Rows of 4 MiB would come from far away once more: mean and variance take one
// pass, around the mean of every 256th vector.
// CHECK-LABEL: @long_norm
// CHECK: #kernel.plan<"loops", {{{.*}}samples = 256 : i64
// AVX2-LABEL: @long_norm
// AVX2: samples = 512 : i64
// BASE-LABEL: @long_norm
// BASE: samples = 1024 : i64
func.func @long_norm(%x: tensor<8x1048576xf32>) -> tensor<8x1048576xf32> {
  %r = kernel.group(%x) : (tensor<8x1048576xf32>) -> tensor<8x1048576xf32> {
  ^bb0(%a: tensor<8x1048576xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<8x1048576xf32>) -> tensor<8x1xf32>
    %d = graph.sub %a, %m : (tensor<8x1048576xf32>, tensor<8x1xf32>) -> tensor<8x1048576xf32>
    %q = graph.mul %d, %d : (tensor<8x1048576xf32>, tensor<8x1048576xf32>) -> tensor<8x1048576xf32>
    %v = graph.reduce_mean %q {axes = array<i64: 1>} : (tensor<8x1048576xf32>) -> tensor<8x1xf32>
    %s = graph.rsqrt %v : (tensor<8x1xf32>) -> tensor<8x1xf32>
    %y = graph.mul %d, %s : (tensor<8x1048576xf32>, tensor<8x1xf32>) -> tensor<8x1048576xf32>
    kernel.yield %y : tensor<8x1048576xf32>
  }
  return %r : tensor<8x1048576xf32>
}

// Those of a softmax have maximum and sum in one pass; a second-level cache
// keeps shorter ones.
// CHECK-LABEL: @long_softmax
// CHECK: #kernel.plan<"loops", {{{.*}}online = 1 : i64
// AVX2-LABEL: @long_softmax
// AVX2: online = 1 : i64
// CHECK-LABEL: @kept_softmax
// CHECK-NOT: online
// CHECK: return
func.func @long_softmax(%x: tensor<8x1048576xf32>) -> tensor<8x1048576xf32> {
  %r = kernel.group(%x) : (tensor<8x1048576xf32>) -> tensor<8x1048576xf32> {
  ^bb0(%a: tensor<8x1048576xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<8x1048576xf32>) -> tensor<8x1xf32>
    %s = graph.sub %a, %m : (tensor<8x1048576xf32>, tensor<8x1xf32>) -> tensor<8x1048576xf32>
    %e = graph.exp %s : (tensor<8x1048576xf32>) -> tensor<8x1048576xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 1>} : (tensor<8x1048576xf32>) -> tensor<8x1xf32>
    %y = graph.div %e, %t : (tensor<8x1048576xf32>, tensor<8x1xf32>) -> tensor<8x1048576xf32>
    kernel.yield %y : tensor<8x1048576xf32>
  }
  return %r : tensor<8x1048576xf32>
}
func.func @kept_softmax(%x: tensor<8x16384xf32>) -> tensor<8x16384xf32> {
  %r = kernel.group(%x) : (tensor<8x16384xf32>) -> tensor<8x16384xf32> {
  ^bb0(%a: tensor<8x16384xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<8x16384xf32>) -> tensor<8x1xf32>
    %s = graph.sub %a, %m : (tensor<8x16384xf32>, tensor<8x1xf32>) -> tensor<8x16384xf32>
    %e = graph.exp %s : (tensor<8x16384xf32>) -> tensor<8x16384xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 1>} : (tensor<8x16384xf32>) -> tensor<8x1xf32>
    %y = graph.div %e, %t : (tensor<8x16384xf32>, tensor<8x1xf32>) -> tensor<8x16384xf32>
    kernel.yield %y : tensor<8x16384xf32>
  }
  return %r : tensor<8x16384xf32>
}
