// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --rtol 0 --atol 2e-5
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/b.tenon --quiet --guard-memory
// RUN: tenon-run %t/b.tenon %{expect} --threads 1

// Two groups of equal stages that differ only in which stage reads which are
// two kernels.
func.func @main(%x: tensor<8x6xf32> {onnx.name = "x"}) -> (tensor<8x1xf32> {onnx.name = "y"}, tensor<8x1xf32> {onnx.name = "z"}) {
  %y = kernel.group(%x) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x1xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    %s = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      %0 = graph.reduce_sum %i {axes = array<i64: 1>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    %m = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      %0 = graph.reduce_max %i {axes = array<i64: 1>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    %d = kernel.stage(%s, %m) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x1xf32>, %j: tensor<8x1xf32>):
      %0 = graph.sub %i, %j : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    kernel.yield %d : tensor<8x1xf32>
  }
  %z = kernel.group(%x) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x1xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    %s = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      %0 = graph.reduce_sum %i {axes = array<i64: 1>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    %m = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      %0 = graph.reduce_max %i {axes = array<i64: 1>} : (tensor<8x6xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    %d = kernel.stage(%m, %s) : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32> {
    ^bb0(%i: tensor<8x1xf32>, %j: tensor<8x1xf32>):
      %0 = graph.sub %i, %j : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x1xf32>
      kernel.yield %0 : tensor<8x1xf32>
    }
    kernel.yield %d : tensor<8x1xf32>
  }
  return %y, %z : tensor<8x1xf32>, tensor<8x1xf32>
}
