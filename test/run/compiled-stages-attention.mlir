// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{expect} = --input random:3 --expect y=%t/y.npy --expect z=%t/z.npy --rtol 0 --atol 2e-6
// RUN: tenon-compile %s -o %t/a.tenon --quiet
// RUN: tenon-run %t/a.tenon %{expect} --threads 1
// RUN: tenon-run %t/a.tenon %{expect} --threads 2
// RUN: tenon-run %t/a.tenon %{expect} --threads 5
// RUN: %if avx2 %{ tenon-compile %s --mcpu=x86-64-v3 -o %t/b.tenon --quiet && tenon-run %t/b.tenon %{expect} --threads 2 %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/c.tenon --quiet --guard-memory=above && tenon-run %t/c.tenon %{expect} --threads 1
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/d.tenon --quiet --guard-memory=below && tenon-run %t/d.tenon %{expect} --threads 1

// Attention as one kernel: scores of a tile stay in scratch, and the softmax lies
// over them. Operands and results are views.
func.func @main(%n_q: tensor<1x37x5x12xf32> {onnx.name = "q"}, %n_k: tensor<1x37x5x12xf32> {onnx.name = "k"}, %n_v: tensor<1x37x5x12xf32> {onnx.name = "v"}, %n_m: tensor<1x1x1x37xf32> {onnx.name = "m"}) -> (tensor<1x37x5x12xf32> {onnx.name = "y"}, tensor<1x37x5x12xf32> {onnx.name = "z"}) {
  // Two heads and ten rows at a time: the last tiles have one, and seven.
  %yq = kernel.group(%n_q) : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%x: tensor<1x37x5x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32>
    kernel.yield %0 : tensor<1x5x37x12xf32>
  }
  %yk = kernel.group(%n_k) : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%x: tensor<1x37x5x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32>
    kernel.yield %0 : tensor<1x5x37x12xf32>
  }
  %yv = kernel.group(%n_v) : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%x: tensor<1x37x5x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32>
    kernel.yield %0 : tensor<1x5x37x12xf32>
  }
  %y = kernel.group(%yq, %yk, %yv, %n_m) {tile = #kernel.tile<dims = [1, 2], sizes = [2, 10]>} : (tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>, tensor<1x1x1x37xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%q: tensor<1x5x37x12xf32>, %k: tensor<1x5x37x12xf32>, %v: tensor<1x5x37x12xf32>, %m: tensor<1x1x1x37xf32>):
    %a = kernel.stage(%q, %k, %m) : (tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>, tensor<1x1x1x37xf32>) -> tensor<1x5x37x37xf32> {
    ^bb0(%p0: tensor<1x5x37x12xf32>, %p1: tensor<1x5x37x12xf32>, %p2: tensor<1x1x1x37xf32>):
      %0 = graph.matmul %p0, %p1 {transpose_rhs} : (tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x37xf32>
      %c = graph.constant dense<0.25> : tensor<f32>
      %1 = graph.mul %0, %c : (tensor<1x5x37x37xf32>, tensor<f32>) -> tensor<1x5x37x37xf32>
      %2 = graph.add %1, %p2 : (tensor<1x5x37x37xf32>, tensor<1x1x1x37xf32>) -> tensor<1x5x37x37xf32>
      kernel.yield %2 : tensor<1x5x37x37xf32>
    }
    %b = kernel.stage(%a) : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x37xf32> {
    ^bb0(%p0: tensor<1x5x37x37xf32>):
      %0 = graph.reduce_max %p0 {axes = array<i64: 3>} : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x1xf32>
      %1 = graph.sub %p0, %0 : (tensor<1x5x37x37xf32>, tensor<1x5x37x1xf32>) -> tensor<1x5x37x37xf32>
      %2 = graph.exp %1 : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x37xf32>
      %3 = graph.reduce_sum %2 {axes = array<i64: 3>} : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x1xf32>
      %4 = graph.reciprocal %3 : (tensor<1x5x37x1xf32>) -> tensor<1x5x37x1xf32>
      %5 = graph.mul %2, %4 : (tensor<1x5x37x37xf32>, tensor<1x5x37x1xf32>) -> tensor<1x5x37x37xf32>
      kernel.yield %5 : tensor<1x5x37x37xf32>
    }
    %u = kernel.stage(%b, %v) : (tensor<1x5x37x37xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x12xf32> {
    ^bb0(%p0: tensor<1x5x37x37xf32>, %p1: tensor<1x5x37x12xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<1x5x37x37xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x12xf32>
      kernel.yield %0 : tensor<1x5x37x12xf32>
    }
    kernel.yield %u : tensor<1x5x37x12xf32>
  }
  %yo = kernel.group(%y) : (tensor<1x5x37x12xf32>) -> tensor<1x37x5x12xf32> {
  ^bb0(%x: tensor<1x5x37x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x37x12xf32>) -> tensor<1x37x5x12xf32>
    kernel.yield %0 : tensor<1x37x5x12xf32>
  }
  // One head.
  %zq = kernel.group(%n_q) : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%x: tensor<1x37x5x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32>
    kernel.yield %0 : tensor<1x5x37x12xf32>
  }
  %zk = kernel.group(%n_k) : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%x: tensor<1x37x5x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32>
    kernel.yield %0 : tensor<1x5x37x12xf32>
  }
  %zv = kernel.group(%n_v) : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%x: tensor<1x37x5x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x37x5x12xf32>) -> tensor<1x5x37x12xf32>
    kernel.yield %0 : tensor<1x5x37x12xf32>
  }
  %z = kernel.group(%zq, %zk, %zv) {tile = #kernel.tile<dims = [1, 2], sizes = [1, 37]>} : (tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x12xf32> {
  ^bb0(%q: tensor<1x5x37x12xf32>, %k: tensor<1x5x37x12xf32>, %v: tensor<1x5x37x12xf32>):
    %a = kernel.stage(%q, %k) : (tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x37xf32> {
    ^bb0(%p0: tensor<1x5x37x12xf32>, %p1: tensor<1x5x37x12xf32>):
      %0 = graph.matmul %p0, %p1 {transpose_rhs} : (tensor<1x5x37x12xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x37xf32>
      %c = graph.constant dense<0.25> : tensor<f32>
      %1 = graph.mul %0, %c : (tensor<1x5x37x37xf32>, tensor<f32>) -> tensor<1x5x37x37xf32>
      kernel.yield %1 : tensor<1x5x37x37xf32>
    }
    %b = kernel.stage(%a) : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x37xf32> {
    ^bb0(%p0: tensor<1x5x37x37xf32>):
      %0 = graph.reduce_max %p0 {axes = array<i64: 3>} : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x1xf32>
      %1 = graph.sub %p0, %0 : (tensor<1x5x37x37xf32>, tensor<1x5x37x1xf32>) -> tensor<1x5x37x37xf32>
      %2 = graph.exp %1 : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x37xf32>
      %3 = graph.reduce_sum %2 {axes = array<i64: 3>} : (tensor<1x5x37x37xf32>) -> tensor<1x5x37x1xf32>
      %4 = graph.reciprocal %3 : (tensor<1x5x37x1xf32>) -> tensor<1x5x37x1xf32>
      %5 = graph.mul %2, %4 : (tensor<1x5x37x37xf32>, tensor<1x5x37x1xf32>) -> tensor<1x5x37x37xf32>
      kernel.yield %5 : tensor<1x5x37x37xf32>
    }
    %u = kernel.stage(%b, %v) : (tensor<1x5x37x37xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x12xf32> {
    ^bb0(%p0: tensor<1x5x37x37xf32>, %p1: tensor<1x5x37x12xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<1x5x37x37xf32>, tensor<1x5x37x12xf32>) -> tensor<1x5x37x12xf32>
      kernel.yield %0 : tensor<1x5x37x12xf32>
    }
    kernel.yield %u : tensor<1x5x37x12xf32>
  }
  %zo = kernel.group(%z) : (tensor<1x5x37x12xf32>) -> tensor<1x37x5x12xf32> {
  ^bb0(%x: tensor<1x5x37x12xf32>):
    %0 = graph.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x5x37x12xf32>) -> tensor<1x37x5x12xf32>
    kernel.yield %0 : tensor<1x37x5x12xf32>
  }
  return %yo, %zo : tensor<1x37x5x12xf32>, tensor<1x37x5x12xf32>
}
