// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t
// DEFINE: %{cpu} =
// DEFINE: %{options} =
// DEFINE: %{threads} = 1
// DEFINE: %{run} = tenon-run %t/a.tenon --input random:3 --threads %{threads} --expect a=%t/a.npy --expect c=%t/c.npy --expect w=%t/w.npy --expect v=%t/v.npy --expect o=%t/o.npy --expect n=%t/n.npy --expect s=%t/s.npy
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

// A cell of two states over 128 steps, of which one is stacked; a product that
// several threads share; a single step; a loop in a loop; a state that says
// which row of a table the next step takes.
func.func @main(%x: tensor<128x3x36xf32> {onnx.name = "x"}, %h: tensor<3x40xf32> {onnx.name = "h"}, %b: tensor<8x192xf32> {onnx.name = "b"})
    -> (tensor<128x3x40xf32> {onnx.name = "a"}, tensor<3x40xf32> {onnx.name = "c"}, tensor<9x8x192xf32> {onnx.name = "w"}, tensor<8x192xf32> {onnx.name = "v"}, tensor<1x3x40xf32> {onnx.name = "o"}, tensor<9x3x40xf32> {onnx.name = "n"}, tensor<12x3x40xf32> {onnx.name = "s"}) {
  %0:2 = graph.steps @cell(%x, %h, %h) {count = 128, scans = 1, next = array<i64: 0, 1>, stacked = array<i1: true, false>}
    : (tensor<128x3x36xf32>, tensor<3x40xf32>, tensor<3x40xf32>) -> (tensor<128x3x40xf32>, tensor<3x40xf32>)
  %1:2 = graph.steps @wide(%b) {count = 9, scans = 0, next = array<i64: 1>, stacked = array<i1: true, false>}
    : (tensor<8x192xf32>) -> (tensor<9x8x192xf32>, tensor<8x192xf32>)
  %2 = graph.steps @once(%h) {count = 1, scans = 0, next = array<i64: 0>, stacked = array<i1: true>} : (tensor<3x40xf32>) -> tensor<1x3x40xf32>
  %3 = graph.steps @outer(%h) {count = 9, scans = 0, next = array<i64: 0>, stacked = array<i1: true>} : (tensor<3x40xf32>) -> tensor<9x3x40xf32>
  %4 = graph.steps @rows(%h) {count = 12, scans = 0, next = array<i64: 0>, stacked = array<i1: true>} : (tensor<3x40xf32>) -> tensor<12x3x40xf32>
  return %0#0, %0#1, %1#0, %1#1, %2, %3, %4 : tensor<128x3x40xf32>, tensor<3x40xf32>, tensor<9x8x192xf32>, tensor<8x192xf32>, tensor<1x3x40xf32>, tensor<9x3x40xf32>, tensor<12x3x40xf32>
}

func.func @cell(%x: tensor<3x36xf32>, %h: tensor<3x40xf32>, %c: tensor<3x40xf32>) -> (tensor<3x40xf32>, tensor<3x40xf32>) attributes {graph.steps_body} {
  %0 = graph.iota {axis = 0, start = 0.0, step = 1.7} : () -> tensor<9120xf32>
  %1 = graph.sin %0 : (tensor<9120xf32>) -> tensor<9120xf32>
  %2 = graph.constant dense<0.2> : tensor<f32>
  %3 = graph.mul %1, %2 : (tensor<9120xf32>, tensor<f32>) -> tensor<9120xf32>
  %w = graph.reshape %3 : (tensor<9120xf32>) -> tensor<76x120xf32>
  %xh = graph.concat %x, %h {axis = 1} : (tensor<3x36xf32>, tensor<3x40xf32>) -> tensor<3x76xf32>
  %g = graph.matmul %xh, %w : (tensor<3x76xf32>, tensor<76x120xf32>) -> tensor<3x120xf32>
  %i0 = graph.slice %g {starts = array<i64: 0, 0>, sizes = array<i64: 3, 40>, steps = array<i64: 1, 1>} : (tensor<3x120xf32>) -> tensor<3x40xf32>
  %f0 = graph.slice %g {starts = array<i64: 0, 40>, sizes = array<i64: 3, 40>, steps = array<i64: 1, 1>} : (tensor<3x120xf32>) -> tensor<3x40xf32>
  %o0 = graph.slice %g {starts = array<i64: 0, 80>, sizes = array<i64: 3, 40>, steps = array<i64: 1, 1>} : (tensor<3x120xf32>) -> tensor<3x40xf32>
  %i = graph.tanh %i0 : (tensor<3x40xf32>) -> tensor<3x40xf32>
  %f = graph.sigmoid %f0 : (tensor<3x40xf32>) -> tensor<3x40xf32>
  %o = graph.sigmoid %o0 : (tensor<3x40xf32>) -> tensor<3x40xf32>
  %fc = graph.mul %f, %c : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
  %cn = graph.add %fc, %i : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
  %t = graph.tanh %cn : (tensor<3x40xf32>) -> tensor<3x40xf32>
  %hn = graph.mul %o, %t : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
  return %hn, %cn : tensor<3x40xf32>, tensor<3x40xf32>
}

func.func @wide(%h: tensor<8x192xf32>) -> (tensor<8x192xf32>, tensor<8x192xf32>) attributes {graph.steps_body} {
  %0 = graph.iota {axis = 0, start = 0.0, step = 1.3} : () -> tensor<36864xf32>
  %1 = graph.sin %0 : (tensor<36864xf32>) -> tensor<36864xf32>
  %2 = graph.constant dense<0.1> : tensor<f32>
  %3 = graph.mul %1, %2 : (tensor<36864xf32>, tensor<f32>) -> tensor<36864xf32>
  %w = graph.reshape %3 : (tensor<36864xf32>) -> tensor<192x192xf32>
  %4 = graph.matmul %h, %w : (tensor<8x192xf32>, tensor<192x192xf32>) -> tensor<8x192xf32>
  %5 = graph.tanh %4 : (tensor<8x192xf32>) -> tensor<8x192xf32>
  %6 = graph.matmul %5, %w : (tensor<8x192xf32>, tensor<192x192xf32>) -> tensor<8x192xf32>
  %7 = graph.tanh %6 : (tensor<8x192xf32>) -> tensor<8x192xf32>
  %8 = graph.add %7, %h : (tensor<8x192xf32>, tensor<8x192xf32>) -> tensor<8x192xf32>
  return %5, %8 : tensor<8x192xf32>, tensor<8x192xf32>
}

func.func @once(%h: tensor<3x40xf32>) -> tensor<3x40xf32> attributes {graph.steps_body} {
  %0 = graph.neg %h : (tensor<3x40xf32>) -> tensor<3x40xf32>
  return %0 : tensor<3x40xf32>
}

func.func @outer(%h: tensor<3x40xf32>) -> tensor<3x40xf32> attributes {graph.steps_body} {
  %0 = graph.sin %h : (tensor<3x40xf32>) -> tensor<3x40xf32>
  %1 = graph.steps @inner(%0, %h) {count = 5, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
  return %1 : tensor<3x40xf32>
}

func.func @inner(%a: tensor<3x40xf32>, %h: tensor<3x40xf32>) -> tensor<3x40xf32> attributes {graph.steps_body} {
  %0 = graph.add %a, %h : (tensor<3x40xf32>, tensor<3x40xf32>) -> tensor<3x40xf32>
  %1 = graph.tanh %0 : (tensor<3x40xf32>) -> tensor<3x40xf32>
  return %1 : tensor<3x40xf32>
}

func.func @rows(%h: tensor<3x40xf32>) -> tensor<3x40xf32> attributes {graph.steps_body} {
  %0 = graph.iota {axis = 0, start = 0.0, step = 2.3} : () -> tensor<1600xf32>
  %1 = graph.sin %0 : (tensor<1600xf32>) -> tensor<1600xf32>
  %w = graph.reshape %1 : (tensor<1600xf32>) -> tensor<40x40xf32>
  %2 = graph.arg_max %h {axis = 1, keep_dims = false, select_last = false} : (tensor<3x40xf32>) -> tensor<3xi64>
  %3 = graph.gather %w, %2 {axis = 0} : (tensor<40x40xf32>, tensor<3xi64>) -> tensor<3x40xf32>
  return %3 : tensor<3x40xf32>
}
