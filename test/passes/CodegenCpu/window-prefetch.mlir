// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=zen4 | FileCheck %s --check-prefix=ZEN4
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefix=WIDE
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 | FileCheck %s --check-prefix=AVX2
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=sapphirerapids | FileCheck %s --check-prefix=FAR
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=zen4 --tenon-assign-buffers=target=zen4 --tenon-lower-kernels=target=zen4 | FileCheck %s --check-prefix=CODE
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 | FileCheck %s --check-prefix=HALF

// As many pixels as leave room for a kernel row's weights; a large map asks for
// its next row. Where two lines are multiplied in a cycle, reading five rows
// from the second-level cache costs more than reading two vectors of them at a
// time, and the map is small enough not to ask. So it does beside half lines.
// Where results are stored has left the caches, too, and is asked for.

// WIDE: kernel.plan<"{{depthwise|pool}}", {across = 1 : i64, band = 11 : i64, block = 2 : i64, {{.*}} prefetch = 0 : i64
// ZEN4: kernel.plan<"{{depthwise|pool}}", {across = 3 : i64, band = 42 : i64, block = 11 : i64, columns = 0 : i64, height = 1 : i64, lanes = 16 : i64, packed = 1 : i64, pixels = 14 : i64, prefetch = 1 : i64, results = 1 : i64, rolls = 0 : i64, rows = 1 : i64, vectors = 1 : i64}>
// AVX2: kernel.plan<"{{depthwise|pool}}", {across = 1 : i64, band = 11 : i64, block = 6 : i64, columns = 0 : i64, height = 1 : i64, lanes = 8 : i64, packed = 1 : i64, pixels = 11 : i64, prefetch = 1 : i64, results = 1 : i64, rolls = 0 : i64, rows = 4 : i64, vectors = 1 : i64}>

// Each kernel row asks for a fifth of the 14 columns, of both. One load per input column
// and kernel row, one per weight: 18 + 5 for 70 steps.
// CODE: func.func private @{{depthwise|pool}}
// CODE: scf.for {{.*}} iter_args
// CODE-COUNT-6: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// CODE-NOT: llvm.intr.prefetch
// CODE-COUNT-23: llvm.load {{.*}} vector<16xf32>
// CODE-NOT: llvm.load {{.*}} vector<16xf32>
// CODE: scf.yield

// Beside eleven sums 16 registers hold the weights of three taps: 13 + 3 loads,
// then 12 + 2. Half lines ask for half of the share, of columns that their
// neighbours leave out.
// HALF: func.func private @{{depthwise|pool}}
// HALF: scf.for {{.*}} iter_args
// HALF: arith.remui {{.*}} : i64
// HALF-COUNT-4: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
// HALF-NOT: llvm.intr.prefetch
// HALF-COUNT-16: llvm.load {{.*}} vector<8xf32>
// HALF-NOT: llvm.load
// HALF: llvm.fence syncscope("singlethread")
// HALF-COUNT-14: llvm.load {{.*}} vector<8xf32>
// HALF-NOT: llvm.load
// HALF: scf.yield
func.func @main(%x: tensor<1x42x42x176xf32>) -> tensor<1x42x42x176xf32> {
  %w = graph.constant dense_resource<w> : tensor<176x1x5x5xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x42x42x176xf32>, tensor<176x1x5x5xf32>) -> tensor<1x42x42x176xf32> {
  ^bb0(%x0: tensor<1x42x42x176xf32>, %w0: tensor<176x1x5x5xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 176 : i64, layout = #graph<layout nhwc>} : (tensor<1x42x42x176xf32>, tensor<176x1x5x5xf32>) -> tensor<1x42x42x176xf32>
    kernel.yield %1 : tensor<1x42x42x176xf32>
  }
  return %0 : tensor<1x42x42x176xf32>
}

// -----

// A map that comes from memory is walked down, where whole rows would be read
// three times, unless memory is further away than that. Short pixels of results
// are asked for, too.

// ZEN4: kernel.plan<"{{depthwise|pool}}", {across = 8 : i64, band = 15 : i64, block = 1 : i64, {{.*}} prefetch = 1 : i64
// WIDE: kernel.plan<"{{depthwise|pool}}", {across = 6 : i64, band = 15 : i64, block = 1 : i64, {{.*}} prefetch = 1 : i64
// FAR: kernel.plan<"{{depthwise|pool}}", {across = 23 : i64, band = 318 : i64, block = 1 : i64
// AVX2: prefetch = 1 : i64
// CODE: func.func private @{{depthwise|pool}}
// CODE: scf.for {{.*}} iter_args
// CODE-COUNT-10: "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 2 : i32, rw = 0 : i32}>
func.func @main(%x: tensor<1x320x322x16xf32>) -> tensor<1x318x320x16xf32> {
  %w = graph.constant dense_resource<w> : tensor<16x1x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x320x322x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x318x320x16xf32> {
  ^bb0(%x0: tensor<1x320x322x16xf32>, %w0: tensor<16x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 16 : i64, layout = #graph<layout nhwc>} : (tensor<1x320x322x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x318x320x16xf32>
    kernel.yield %1 : tensor<1x318x320x16xf32>
  }
  return %0 : tensor<1x318x320x16xf32>
}

// -----

// Of two windows over the same small map the first meets it in the caches; 32
// MiB later the second one does not.

// ZEN4: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 0 : i64
// ZEN4: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 1 : i64
// AVX2: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 0 : i64
// AVX2: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 1 : i64
func.func @main(%x: tensor<1x44x42x16xf32>, %y: tensor<4x1024x1024xf32>) -> (tensor<1x42x40x16xf32>, tensor<4x1024x1024xf32>, tensor<1x42x40x16xf32>) {
  %w = graph.constant dense_resource<w> : tensor<16x1x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x44x42x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x42x40x16xf32> {
  ^bb0(%x0: tensor<1x44x42x16xf32>, %w0: tensor<16x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 16 : i64, layout = #graph<layout nhwc>} : (tensor<1x44x42x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x42x40x16xf32>
    kernel.yield %1 : tensor<1x42x40x16xf32>
  }
  %2 = kernel.group(%y) : (tensor<4x1024x1024xf32>) -> tensor<4x1024x1024xf32> {
  ^bb0(%y0: tensor<4x1024x1024xf32>):
    %1 = graph.relu %y0 : (tensor<4x1024x1024xf32>) -> tensor<4x1024x1024xf32>
    kernel.yield %1 : tensor<4x1024x1024xf32>
  }
  %3 = kernel.group(%x, %w) : (tensor<1x44x42x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x42x40x16xf32> {
  ^bb0(%x0: tensor<1x44x42x16xf32>, %w0: tensor<16x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 16 : i64, layout = #graph<layout nhwc>} : (tensor<1x44x42x16xf32>, tensor<16x1x3x3xf32>) -> tensor<1x42x40x16xf32>
    kernel.yield %1 : tensor<1x42x40x16xf32>
  }
  return %0, %2, %3 : tensor<1x42x40x16xf32>, tensor<4x1024x1024xf32>, tensor<1x42x40x16xf32>
}

// -----

// A pool asks for all at once, and twice from memory: what finds all miss
// buffers taken is dropped. Half lines are asked for twice by themselves.

// ZEN4: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 2 : i64
// AVX2: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 1 : i64
// CODE: func.func private @{{depthwise|pool}}
// CODE: "llvm.intr.prefetch"
// CODE: llvm.load
// CODE: "llvm.intr.prefetch"
func.func @main(%x: tensor<1x320x320x16xf32>) -> tensor<1x318x318x16xf32> {
  %0 = kernel.group(%x) : (tensor<1x320x320x16xf32>) -> tensor<1x318x318x16xf32> {
  ^bb0(%x0: tensor<1x320x320x16xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x320x320x16xf32>) -> tensor<1x318x318x16xf32>
    kernel.yield %1 : tensor<1x318x318x16xf32>
  }
  return %0 : tensor<1x318x318x16xf32>
}

// -----

// 8 MB: two lines loaded in a cycle need no asking yet.

// ZEN4: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 1 : i64
// WIDE: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 0 : i64
func.func @main(%x: tensor<1x250x252x16xf32>) -> tensor<1x248x250x16xf32> {
  %0 = kernel.group(%x) : (tensor<1x250x252x16xf32>) -> tensor<1x248x250x16xf32> {
  ^bb0(%x0: tensor<1x250x252x16xf32>):
    %1 = graph.max_pool %x0 {kernel = array<i64: 3, 3>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<1x250x252x16xf32>) -> tensor<1x248x250x16xf32>
    kernel.yield %1 : tensor<1x248x250x16xf32>
  }
  return %0 : tensor<1x248x250x16xf32>
}

// -----

// Few multiply-adds for each line that is read have no time to ask for results,
// unless the map is large.

// ZEN4: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 1 : i64, results = 0 : i64
// ZEN4: kernel.plan<"{{depthwise|pool}}", {{.*}} prefetch = 1 : i64, results = 1 : i64
func.func @main(%x: tensor<1x57x57x144xf32>, %y: tensor<1x113x113x96xf32>) -> (tensor<1x28x28x144xf32>, tensor<1x56x56x96xf32>) {
  %w = graph.constant dense_resource<w> : tensor<144x1x3x3xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x57x57x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x28x28x144xf32> {
  ^bb0(%x0: tensor<1x57x57x144xf32>, %w0: tensor<144x1x3x3xf32>):
    %2 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 144 : i64, layout = #graph<layout nhwc>} : (tensor<1x57x57x144xf32>, tensor<144x1x3x3xf32>) -> tensor<1x28x28x144xf32>
    kernel.yield %2 : tensor<1x28x28x144xf32>
  }
  %v = graph.constant dense_resource<v> : tensor<96x1x3x3xf32>
  %1 = kernel.group(%y, %v) : (tensor<1x113x113x96xf32>, tensor<96x1x3x3xf32>) -> tensor<1x56x56x96xf32> {
  ^bb0(%x0: tensor<1x113x113x96xf32>, %w0: tensor<96x1x3x3xf32>):
    %2 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 96 : i64, layout = #graph<layout nhwc>} : (tensor<1x113x113x96xf32>, tensor<96x1x3x3xf32>) -> tensor<1x56x56x96xf32>
    kernel.yield %2 : tensor<1x56x56x96xf32>
  }
  return %0, %1 : tensor<1x28x28x144xf32>, tensor<1x56x56x96xf32>
}

// -----

// Of stride 2 every other tap reads the same columns, so those three and the
// two between them are together: of six pixels 8 + 3 loads, then 7 + 2, and the
// same for the second vector.
// HALF: func.func @main() {{.*}}tensor<1x25x25x64xf32>
// HALF: func.func private @{{depthwise|pool}}
// HALF: scf.for {{.*}} iter_args
// HALF-COUNT-11: llvm.load {{.*}} vector<8xf32>
// HALF-NOT: llvm.load
// HALF: llvm.fence syncscope("singlethread")
// HALF-COUNT-20: llvm.load {{.*}} vector<8xf32>
// HALF-NOT: llvm.load
// HALF: llvm.fence syncscope("singlethread")
// HALF-COUNT-9: llvm.load {{.*}} vector<8xf32>
// HALF-NOT: llvm.load
// HALF: scf.yield
func.func @main(%x: tensor<1x25x25x64xf32>) -> tensor<1x11x11x64xf32> {
  %w = graph.constant dense_resource<w> : tensor<64x1x5x5xf32>
  %0 = kernel.group(%x, %w) : (tensor<1x25x25x64xf32>, tensor<64x1x5x5xf32>) -> tensor<1x11x11x64xf32> {
  ^bb0(%x0: tensor<1x25x25x64xf32>, %w0: tensor<64x1x5x5xf32>):
    %2 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 64 : i64, layout = #graph<layout nhwc>} : (tensor<1x25x25x64xf32>, tensor<64x1x5x5xf32>) -> tensor<1x11x11x64xf32>
    kernel.yield %2 : tensor<1x11x11x64xf32>
  }
  return %0 : tensor<1x11x11x64xf32>
}

// -----

// Where memory is far, rows of what the second-level cache does not hold are
// walked whole, and few multiply-adds ask for nothing that is not in memory.

// WIDE: kernel.plan<"{{depthwise|pool}}", {across = 2 : i64, band = 14 : i64, block = 1 : i64, {{.*}} prefetch = 1 : i64
// FAR: kernel.plan<"{{depthwise|pool}}", {across = 4 : i64, band = 56 : i64, block = 6 : i64, {{.*}} prefetch = 0 : i64, results = 0 : i64
func.func @main(%x: tensor<1x112x112x96xf32>, %w: tensor<96x1x3x3xf32>) -> tensor<1x56x56x96xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x112x112x96xf32>, tensor<96x1x3x3xf32>) -> tensor<1x56x56x96xf32> {
  ^bb0(%x0: tensor<1x112x112x96xf32>, %w0: tensor<96x1x3x3xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>, group = 96 : i64, layout = #graph<layout nhwc>} : (tensor<1x112x112x96xf32>, tensor<96x1x3x3xf32>) -> tensor<1x56x56x96xf32>
    kernel.yield %1 : tensor<1x56x56x96xf32>
  }
  return %0 : tensor<1x56x56x96xf32>
}

// -----

// More multiply-adds ask for inputs, not for where they store with a stride.

// WIDE: prefetch = 1 : i64, results = 1 : i64
// FAR: kernel.plan<"{{depthwise|pool}}", {across = 6 : i64, band = 83 : i64, block = 3 : i64, {{.*}} prefetch = 1 : i64, results = 0 : i64
func.func @main(%x: tensor<1x165x165x42xf32>, %w: tensor<42x1x5x5xf32>) -> tensor<1x83x83x42xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x165x165x42xf32>, tensor<42x1x5x5xf32>) -> tensor<1x83x83x42xf32> {
  ^bb0(%x0: tensor<1x165x165x42xf32>, %w0: tensor<42x1x5x5xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 42 : i64, layout = #graph<layout nhwc>} : (tensor<1x165x165x42xf32>, tensor<42x1x5x5xf32>) -> tensor<1x83x83x42xf32>
    kernel.yield %1 : tensor<1x83x83x42xf32>
  }
  return %0 : tensor<1x83x83x42xf32>
}

// -----

// What would be read five times from the second-level cache is not.

// FAR: kernel.plan<"{{depthwise|pool}}", {across = 1 : i64, band = 14 : i64
func.func @main(%x: tensor<1x83x83x96xf32>, %w: tensor<96x1x5x5xf32>) -> tensor<1x83x83x96xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x83x83x96xf32>, tensor<96x1x5x5xf32>) -> tensor<1x83x83x96xf32> {
  ^bb0(%x0: tensor<1x83x83x96xf32>, %w0: tensor<96x1x5x5xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 2, 2, 2, 2>, dilations = array<i64: 1, 1>, group = 96 : i64, layout = #graph<layout nhwc>} : (tensor<1x83x83x96xf32>, tensor<96x1x5x5xf32>) -> tensor<1x83x83x96xf32>
    kernel.yield %1 : tensor<1x83x83x96xf32>
  }
  return %0 : tensor<1x83x83x96xf32>
}

// -----

// Nor are seven rows, however few for each step.

// FAR: kernel.plan<"{{depthwise|pool}}", {across = 1 : i64, band = 11 : i64, block = 2 : i64
func.func @main(%x: tensor<1x47x47x336xf32>, %w: tensor<336x1x7x7xf32>) -> tensor<1x21x21x336xf32> {
  %0 = kernel.group(%x, %w) : (tensor<1x47x47x336xf32>, tensor<336x1x7x7xf32>) -> tensor<1x21x21x336xf32> {
  ^bb0(%x0: tensor<1x47x47x336xf32>, %w0: tensor<336x1x7x7xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 336 : i64, layout = #graph<layout nhwc>} : (tensor<1x47x47x336xf32>, tensor<336x1x7x7xf32>) -> tensor<1x21x21x336xf32>
    kernel.yield %1 : tensor<1x21x21x336xf32>
  }
  return %0 : tensor<1x21x21x336xf32>
}
