// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} =
// DEFINE: %{options} =
// DEFINE: %{threads} = 1
// DEFINE: %{run} = tenon-run %t/a.tenon --input random:3 --threads %{threads} --expect a=%t/a.npy --expect ah=%t/ah.npy --expect ac=%t/ac.npy --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy
// DEFINE: %{compile} = tenon-compile %s --mcpu=%{cpu} %{options} -o %t/a.tenon --quiet

// REDEFINE: %{cpu} = x86-64-v3
// RUN: %{compile}
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{threads} = 2
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{threads} = 3
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{options} = --guard-memory
// RUN: %{compile}
// RUN: %if avx2 %{ %{run} %}
// REDEFINE: %{options} = --guard-memory=below
// REDEFINE: %{cpu} = x86-64-v4
// RUN: %{compile}
// RUN: %if avx512 %{ %{run} %}
// REDEFINE: %{options} =
// RUN: %{compile}
// RUN: %if avx512 %{ %{run} %}
// REDEFINE: %{threads} = 2
// RUN: %if avx512 %{ %{run} %}
// REDEFINE: %{threads} = 1
// RUN: %if avx512 %{ %{run} %}

// On a GPU layers are launches of blocks that wait for each other, in a graph
// and one by one.
// RUN: tenon-compile %s --device=cuda:sm_90a -o %t/a.tenon --quiet
// RUN: %gpu %{run} --device=cuda
// RUN: %gpu TENON_CUDA_STEPWISE=1 %{run} --device=cuda

// Layers whose steps are split, with constant weights: both directions with
// lengths, a reset gate before and after the product, and sizes that are no
// multiple of a panel. Then a small one.
func.func @main(%x: tensor<5x3x8xf32> {onnx.name = "x"}, %l: tensor<3xi32> {onnx.name = "l"}, %h: tensor<2x3x168xf32> {onnx.name = "h"})
    -> (tensor<5x2x3x168xf32> {onnx.name = "a"}, tensor<2x3x168xf32> {onnx.name = "ah"}, tensor<2x3x168xf32> {onnx.name = "ac"}, tensor<5x1x3x200xf32> {onnx.name = "b"}, tensor<5x1x3x200xf32> {onnx.name = "c"}, tensor<5x1x3x20xf32> {onnx.name = "d"}) {
  %none = "onnx.NoValue"() : () -> none
  %zero = "onnx.Constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %one = "onnx.Constant"() {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %small = "onnx.Constant"() {value = dense<0.1> : tensor<f32>} : () -> tensor<f32>
  %count = "onnx.Constant"() {value = dense<240000.0> : tensor<f32>} : () -> tensor<f32>
  %0 = "onnx.Range"(%zero, %count, %one) : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<240000xf32>
  %1 = "onnx.Sin"(%0) : (tensor<240000xf32>) -> tensor<240000xf32>
  %2 = "onnx.Mul"(%1, %small) : (tensor<240000xf32>, tensor<f32>) -> tensor<240000xf32>
  %from = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>

  %n0 = "onnx.Constant"() {value = dense<225792> : tensor<1xi64>} : () -> tensor<1xi64>
  %s0 = "onnx.Constant"() {value = dense<[2, 672, 168]> : tensor<3xi64>} : () -> tensor<3xi64>
  %3 = "onnx.Slice"(%2, %from, %n0) : (tensor<240000xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<225792xf32>
  %r0 = "onnx.Reshape"(%3, %s0) : (tensor<225792xf32>, tensor<3xi64>) -> tensor<2x672x168xf32>
  %w0 = "onnx.Constant"() {value = dense<0.3> : tensor<2x672x8xf32>} : () -> tensor<2x672x8xf32>
  %a, %ah, %ac = "onnx.LSTM"(%x, %w0, %r0, %none, %l, %h, %none, %none) {direction = "bidirectional", hidden_size = 168 : i64}
    : (tensor<5x3x8xf32>, tensor<2x672x8xf32>, tensor<2x672x168xf32>, none, tensor<3xi32>, tensor<2x3x168xf32>, none, none) -> (tensor<5x2x3x168xf32>, tensor<2x3x168xf32>, tensor<2x3x168xf32>)

  %n1 = "onnx.Constant"() {value = dense<120000> : tensor<1xi64>} : () -> tensor<1xi64>
  %s1 = "onnx.Constant"() {value = dense<[1, 600, 200]> : tensor<3xi64>} : () -> tensor<3xi64>
  %4 = "onnx.Slice"(%2, %from, %n1) : (tensor<240000xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<120000xf32>
  %r1 = "onnx.Reshape"(%4, %s1) : (tensor<120000xf32>, tensor<3xi64>) -> tensor<1x600x200xf32>
  %w1 = "onnx.Constant"() {value = dense<0.2> : tensor<1x600x8xf32>} : () -> tensor<1x600x8xf32>
  %b, %bh = "onnx.GRU"(%x, %w1, %r1) {hidden_size = 200 : i64}
    : (tensor<5x3x8xf32>, tensor<1x600x8xf32>, tensor<1x600x200xf32>) -> (tensor<5x1x3x200xf32>, tensor<1x3x200xf32>)
  %c, %ch = "onnx.GRU"(%x, %w1, %r1) {hidden_size = 200 : i64, linear_before_reset = 1 : i64, direction = "reverse"}
    : (tensor<5x3x8xf32>, tensor<1x600x8xf32>, tensor<1x600x200xf32>) -> (tensor<5x1x3x200xf32>, tensor<1x3x200xf32>)

  %n2 = "onnx.Constant"() {value = dense<400> : tensor<1xi64>} : () -> tensor<1xi64>
  %s2 = "onnx.Constant"() {value = dense<[1, 20, 20]> : tensor<3xi64>} : () -> tensor<3xi64>
  %5 = "onnx.Slice"(%2, %from, %n2) : (tensor<240000xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<400xf32>
  %r2 = "onnx.Reshape"(%5, %s2) : (tensor<400xf32>, tensor<3xi64>) -> tensor<1x20x20xf32>
  %w2 = "onnx.Constant"() {value = dense<0.2> : tensor<1x20x8xf32>} : () -> tensor<1x20x8xf32>
  %d, %dh = "onnx.RNN"(%x, %w2, %r2) {hidden_size = 20 : i64}
    : (tensor<5x3x8xf32>, tensor<1x20x8xf32>, tensor<1x20x20xf32>) -> (tensor<5x1x3x20xf32>, tensor<1x3x20xf32>)
  return %a, %ah, %ac, %b, %c, %d : tensor<5x2x3x168xf32>, tensor<2x3x168xf32>, tensor<2x3x168xf32>, tensor<5x1x3x200xf32>, tensor<5x1x3x200xf32>, tensor<5x1x3x20xf32>
}
