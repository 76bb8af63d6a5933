// RUN: tenon-opt %s --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

// Plans that somebody wrote.

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @number(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has a number below one}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, rows = 0, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @asks(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window asks for what comes next more than twice}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, prefetch = 3, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @registers(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window needs more registers than there are}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, pixels = 31, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @lanes(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has lanes that no vector has}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 3, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @few_channels(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has more lanes than there are channels}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 16, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @several_rows(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has tiles of several rows without columns}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, height = 2, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @columns(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has columns of something else than a small pool}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, columns = 1, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
func.func @rolls(%x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window rolls down rows that do not follow each other}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"pool", {lanes = 8, columns = 1, rolls = 1, height = 2, packed = 0}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>):
    %1 = graph.max_pool %v {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @channels(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has more channels than there are}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, block = 2, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @blocks(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has tiles that reach into the next block of channels}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 4, vectors = 2, block = 3, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @pixels(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has more pixels than there are}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, pixels = 9, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
func.func @again(%x: tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window computes pixels more than once}}
  %0 = kernel.group(%x) {buffers = [!x, !x], plan = #kernel.plan<"pool", {lanes = 8, columns = 1, packed = 0}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>):
    %1 = graph.max_pool %v {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @band(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has more rows than there are}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, band = 9, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}

// -----

!x = !memory.buffer<tensor<1x8x8x8xf32>, [512, 64, 8, 1], 0, 2048>
!w = !memory.buffer<tensor<8x1x1x1xf32>, [1, 1, 1, 1], 0, 32>
func.func @units(%x: tensor<1x8x8x8xf32>, %w: tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  // expected-error@+1 {{the plan of the window has more units than there are}}
  %0 = kernel.group(%x, %w) {buffers = [!x, !w, !x], plan = #kernel.plan<"depthwise", {lanes = 8, rows = 999, packed = 0}>, halos = [array<i64>, array<i64>], packs = [unit, unit], scratch = array<i64>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32> {
  ^bb0(%v: tensor<1x8x8x8xf32>, %u: tensor<8x1x1x1xf32>):
    %1 = graph.conv %v, %u {group = 8 : i64, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x8x8x8xf32>, tensor<8x1x1x1xf32>) -> tensor<1x8x8x8xf32>
    kernel.yield %1 : tensor<1x8x8x8xf32>
  }
  return %0 : tensor<1x8x8x8xf32>
}
