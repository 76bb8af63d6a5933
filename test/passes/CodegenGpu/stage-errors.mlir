// RUN: tenon-opt %s --tenon-lower-kernels=target=sm_90a --verify-diagnostics

// A tile that somebody wrote.

!map = !memory.buffer<tensor<1x64x64x16xf32>, [65536, 1024, 16, 1], 0, 262144>
!first = !memory.buffer<tensor<64x16x1x1xf32>, [16, 1, 1, 1], 0, 4096>
!second = !memory.buffer<tensor<16x64x1x1xf32>, [64, 1, 1, 1], 0, 4096>
func.func @large(%x: tensor<1x64x64x16xf32>, %w: tensor<64x16x1x1xf32>, %v: tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32> {
  // expected-error@+1 {{leaves 1048576 bytes between its stages, but a block has 232448}}
  %y = kernel.group(%x, %w, %v) {buffers = [!map, !first, !second, !map], plan = #kernel.plan<"gpu_stages", {}>, tile = #kernel.tile<dims = [], sizes = []>} : (tensor<1x64x64x16xf32>, tensor<64x16x1x1xf32>, tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32> {
  ^bb0(%x0: tensor<1x64x64x16xf32>, %w0: tensor<64x16x1x1xf32>, %v0: tensor<16x64x1x1xf32>):
    %0 = kernel.stage(%x0, %w0) in shared : (tensor<1x64x64x16xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x64x64xf32> {
    ^bb0(%a: tensor<1x64x64x16xf32>, %b: tensor<64x16x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x64x64x16xf32>, tensor<64x16x1x1xf32>) -> tensor<1x64x64x64xf32>
      kernel.yield %r : tensor<1x64x64x64xf32>
    }
    %1 = kernel.stage(%0, %v0) in memory : (tensor<1x64x64x64xf32>, tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32> {
    ^bb0(%a: tensor<1x64x64x64xf32>, %b: tensor<16x64x1x1xf32>):
      %r = graph.conv %a, %b {dilations = array<i64: 1, 1>, group = 1 : i64, layout = #graph<layout nhwc>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x64x64x64xf32>, tensor<16x64x1x1xf32>) -> tensor<1x64x64x16xf32>
      kernel.yield %r : tensor<1x64x64x16xf32>
    }
    kernel.yield %1 : tensor<1x64x64x16xf32>
  }
  return %y : tensor<1x64x64x16xf32>
}
