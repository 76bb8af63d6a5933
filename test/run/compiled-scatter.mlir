// DEFINE: %{expect} = --rtol 0 --atol 0 --expect a=%t/a.npy --expect b=%t/b.npy --expect c=%t/c.npy --expect d=%t/d.npy --expect e=%t/e.npy --expect f=%t/f.npy --expect g=%t/g.npy --expect h=%t/h.npy --expect i=%t/i.npy --expect j=%t/j.npy --expect k=%t/k.npy --expect l=%t/l.npy --expect m=%t/m.npy --expect p=%t/p.npy --expect q=%t/q.npy
// RUN: rm -rf %t && mkdir -p %t
// RUN: tenon-run --interpret %s --input random:5:40 --output-dir %t
// RUN: tenon-compile %s -o %t/native.tenon --quiet
// RUN: tenon-run %t/native.tenon --input random:5:40 --threads 1 %{expect}
// RUN: tenon-run %t/native.tenon --input random:5:40 --threads 3 %{expect}
// RUN: tenon-compile %s --guard-memory -o %t/guard.tenon --quiet
// RUN: tenon-run %t/guard.tenon --input random:5:40 %{expect}
// RUN: tenon-compile %s --mcpu=x86-64-v3 -o %t/v3.tenon --quiet
// RUN: %if avx2 %{ tenon-run %t/v3.tenon --input random:5:40 %{expect} %}
// RUN: tenon-compile %s --mcpu=x86-64-v4 -o %t/v4.tenon --quiet
// RUN: %if avx512 %{ tenon-run %t/v4.tenon --input random:5:40 %{expect} %}
// RUN: tenon-compile %s --mcpu=x86-64 -o %t/baseline.tenon --quiet
// RUN: tenon-run %t/baseline.tenon --input random:5:40 %{expect}
// RUN: tenon-compile %s --mcpu=neoverse-n1 -o %t/arm.tenon --quiet
// RUN: tenon-compile %s --device=cuda:sm_80 --compile-to=codegen -o - | FileCheck %s
// RUN: tenon-compile %s --device=cuda -o %t/gpu.tenon --quiet
// RUN: %gpu tenon-run %t/gpu.tenon --device=cuda --input random:5:40 %{expect}

// Kernels of scatters give the same as the interpreter, on any number of threads.
// A GPU has a thread for each of 300 rows, or for 4 of 1500 columns.
// CHECK: kernel.launch @scatter_{{[0-9]+}} tiles(10)
// CHECK: kernel.launch @scatter_{{[0-9]+}} tiles(12)
func.func @main(
    %a0: tensor<40x37xf32> {onnx.name = "a0"},
    %a1: tensor<29xi64> {onnx.name = "a1"},
    %a2: tensor<29x37xf32> {onnx.name = "a2"},
    %b0: tensor<40xf32> {onnx.name = "b0"},
    %b1: tensor<700xi64> {onnx.name = "b1"},
    %b2: tensor<700xf32> {onnx.name = "b2"},
    %c0: tensor<300x64xf32> {onnx.name = "c0"},
    %c1: tensor<900xi64> {onnx.name = "c1"},
    %c2: tensor<900x64xf32> {onnx.name = "c2"},
    %d0: tensor<9x1500xf32> {onnx.name = "d0"},
    %d1: tensor<13xi64> {onnx.name = "d1"},
    %d2: tensor<13x1500xf32> {onnx.name = "d2"},
    %e0: tensor<40x5xf16> {onnx.name = "e0"},
    %e1: tensor<50xi64> {onnx.name = "e1"},
    %e2: tensor<50x5xf16> {onnx.name = "e2"},
    %f0: tensor<40x3x3xbf16> {onnx.name = "f0"},
    %f1: tensor<50xi64> {onnx.name = "f1"},
    %f2: tensor<50x3x3xbf16> {onnx.name = "f2"},
    %g0: tensor<40x70xi8> {onnx.name = "g0"},
    %g1: tensor<50xi64> {onnx.name = "g1"},
    %g2: tensor<50x70xi8> {onnx.name = "g2"},
    %h0: tensor<40x70xui8> {onnx.name = "h0"},
    %h1: tensor<50xi64> {onnx.name = "h1"},
    %h2: tensor<50x70xui8> {onnx.name = "h2"},
    %i0: tensor<40x9xi64> {onnx.name = "i0"},
    %i1: tensor<50xi64> {onnx.name = "i1"},
    %i2: tensor<50x9xi64> {onnx.name = "i2"},
    %j0: tensor<40x17xf64> {onnx.name = "j0"},
    %j1: tensor<50xi64> {onnx.name = "j1"},
    %j2: tensor<50x17xf64> {onnx.name = "j2"},
    %k0: tensor<40x9xi1> {onnx.name = "k0"},
    %k1: tensor<20xi64> {onnx.name = "k1"},
    %k2: tensor<20x9xi1> {onnx.name = "k2"},
    %l0: tensor<3x2000xf32> {onnx.name = "l0"},
    %l1: tensor<5xi64> {onnx.name = "l1"},
    %l2: tensor<5x2000xf32> {onnx.name = "l2"},
    %m0: tensor<40xf32> {onnx.name = "m0"},
    %m1: tensor<90xi64> {onnx.name = "m1"},
    %m2: tensor<90xf32> {onnx.name = "m2"},
    %q1: tensor<40xi64> {onnx.name = "q1"}) -> (
    tensor<40x37xf32> {onnx.name = "a"},
    tensor<40xf32> {onnx.name = "b"},
    tensor<300x64xf32> {onnx.name = "c"},
    tensor<9x1500xf32> {onnx.name = "d"},
    tensor<40x5xf16> {onnx.name = "e"},
    tensor<40x3x3xf32> {onnx.name = "f"},
    tensor<40x70xi8> {onnx.name = "g"},
    tensor<40x70xui8> {onnx.name = "h"},
    tensor<40x9xi64> {onnx.name = "i"},
    tensor<40x17xf64> {onnx.name = "j"},
    tensor<40x9xi1> {onnx.name = "k"},
    tensor<3x2000xf32> {onnx.name = "l"},
    tensor<40xf32> {onnx.name = "m"},
    tensor<40x37xf32> {onnx.name = "p"},
    tensor<40x17xf64> {onnx.name = "q"}) {
  %an = graph.constant dense<40> : tensor<i64>
  %ai = graph.mod %a1, %an : (tensor<29xi64>, tensor<i64>) -> tensor<29xi64>
  %ad = graph.add %a0, %a0 : (tensor<40x37xf32>, tensor<40x37xf32>) -> tensor<40x37xf32>
  %a = graph.scatter %ad, %ai, %a2 : (tensor<40x37xf32>, tensor<29xi64>, tensor<29x37xf32>) -> tensor<40x37xf32>
  %bn = graph.constant dense<40> : tensor<i64>
  %bi = graph.mod %b1, %bn : (tensor<700xi64>, tensor<i64>) -> tensor<700xi64>
  %bd = graph.add %b0, %b0 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
  %b = graph.scatter %bd, %bi, %b2 {kind = #graph<scatter_kind add>} : (tensor<40xf32>, tensor<700xi64>, tensor<700xf32>) -> tensor<40xf32>
  %cn = graph.constant dense<300> : tensor<i64>
  %ci = graph.mod %c1, %cn : (tensor<900xi64>, tensor<i64>) -> tensor<900xi64>
  %cd = graph.add %c0, %c0 : (tensor<300x64xf32>, tensor<300x64xf32>) -> tensor<300x64xf32>
  %c = graph.scatter %cd, %ci, %c2 {kind = #graph<scatter_kind add>} : (tensor<300x64xf32>, tensor<900xi64>, tensor<900x64xf32>) -> tensor<300x64xf32>
  %dn = graph.constant dense<9> : tensor<i64>
  %di = graph.mod %d1, %dn : (tensor<13xi64>, tensor<i64>) -> tensor<13xi64>
  %dd = graph.add %d0, %d0 : (tensor<9x1500xf32>, tensor<9x1500xf32>) -> tensor<9x1500xf32>
  %d = graph.scatter %dd, %di, %d2 {kind = #graph<scatter_kind mul>} : (tensor<9x1500xf32>, tensor<13xi64>, tensor<13x1500xf32>) -> tensor<9x1500xf32>
  %en = graph.constant dense<40> : tensor<i64>
  %ei = graph.mod %e1, %en : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %ed = graph.add %e0, %e0 : (tensor<40x5xf16>, tensor<40x5xf16>) -> tensor<40x5xf16>
  %e = graph.scatter %ed, %ei, %e2 {kind = #graph<scatter_kind max>} : (tensor<40x5xf16>, tensor<50xi64>, tensor<50x5xf16>) -> tensor<40x5xf16>
  %fn = graph.constant dense<40> : tensor<i64>
  %fi = graph.mod %f1, %fn : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %fd = graph.add %f0, %f0 : (tensor<40x3x3xbf16>, tensor<40x3x3xbf16>) -> tensor<40x3x3xbf16>
  %f = graph.scatter %fd, %fi, %f2 {kind = #graph<scatter_kind min>} : (tensor<40x3x3xbf16>, tensor<50xi64>, tensor<50x3x3xbf16>) -> tensor<40x3x3xbf16>
  %fw = graph.cast %f : (tensor<40x3x3xbf16>) -> tensor<40x3x3xf32>
  %gn = graph.constant dense<40> : tensor<i64>
  %gi = graph.mod %g1, %gn : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %gd = graph.add %g0, %g0 : (tensor<40x70xi8>, tensor<40x70xi8>) -> tensor<40x70xi8>
  %g = graph.scatter %gd, %gi, %g2 {kind = #graph<scatter_kind add>} : (tensor<40x70xi8>, tensor<50xi64>, tensor<50x70xi8>) -> tensor<40x70xi8>
  %hn = graph.constant dense<40> : tensor<i64>
  %hi = graph.mod %h1, %hn : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %hd = graph.add %h0, %h0 : (tensor<40x70xui8>, tensor<40x70xui8>) -> tensor<40x70xui8>
  %h = graph.scatter %hd, %hi, %h2 {kind = #graph<scatter_kind max>} : (tensor<40x70xui8>, tensor<50xi64>, tensor<50x70xui8>) -> tensor<40x70xui8>
  %in = graph.constant dense<40> : tensor<i64>
  %ii = graph.mod %i1, %in : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %id = graph.add %i0, %i0 : (tensor<40x9xi64>, tensor<40x9xi64>) -> tensor<40x9xi64>
  %i = graph.scatter %id, %ii, %i2 {kind = #graph<scatter_kind min>} : (tensor<40x9xi64>, tensor<50xi64>, tensor<50x9xi64>) -> tensor<40x9xi64>
  %jn = graph.constant dense<40> : tensor<i64>
  %ji = graph.mod %j1, %jn : (tensor<50xi64>, tensor<i64>) -> tensor<50xi64>
  %jd = graph.add %j0, %j0 : (tensor<40x17xf64>, tensor<40x17xf64>) -> tensor<40x17xf64>
  %j = graph.scatter %jd, %ji, %j2 {kind = #graph<scatter_kind add>} : (tensor<40x17xf64>, tensor<50xi64>, tensor<50x17xf64>) -> tensor<40x17xf64>
  %kn = graph.constant dense<40> : tensor<i64>
  %ki = graph.mod %k1, %kn : (tensor<20xi64>, tensor<i64>) -> tensor<20xi64>
  %kd = graph.not %k0 : (tensor<40x9xi1>) -> tensor<40x9xi1>
  %k = graph.scatter %kd, %ki, %k2 : (tensor<40x9xi1>, tensor<20xi64>, tensor<20x9xi1>) -> tensor<40x9xi1>
  %ln = graph.constant dense<3> : tensor<i64>
  %li = graph.mod %l1, %ln : (tensor<5xi64>, tensor<i64>) -> tensor<5xi64>
  %ld = graph.add %l0, %l0 : (tensor<3x2000xf32>, tensor<3x2000xf32>) -> tensor<3x2000xf32>
  %l = graph.scatter %ld, %li, %l2 : (tensor<3x2000xf32>, tensor<5xi64>, tensor<5x2000xf32>) -> tensor<3x2000xf32>
  %mn = graph.constant dense<40> : tensor<i64>
  %mi = graph.mod %m1, %mn : (tensor<90xi64>, tensor<i64>) -> tensor<90xi64>
  %md = graph.add %m0, %m0 : (tensor<40xf32>, tensor<40xf32>) -> tensor<40xf32>
  %m = graph.scatter %md, %mi, %m2 {kind = #graph<scatter_kind max>} : (tensor<40xf32>, tensor<90xi64>, tensor<90xf32>) -> tensor<40xf32>
  %p = graph.scatter %a0, %ai, %a2 : (tensor<40x37xf32>, tensor<29xi64>, tensor<29x37xf32>) -> tensor<40x37xf32>
  %z = graph.constant dense<40> : tensor<i64>
  %qi = graph.mod %q1, %z : (tensor<40xi64>, tensor<i64>) -> tensor<40xi64>
  %q = graph.scatter %jd, %qi, %jd {kind = #graph<scatter_kind add>} : (tensor<40x17xf64>, tensor<40xi64>, tensor<40x17xf64>) -> tensor<40x17xf64>
  return %a, %b, %c, %d, %e, %fw, %g, %h, %i, %j, %k, %l, %m, %p, %q : tensor<40x37xf32>, tensor<40xf32>, tensor<300x64xf32>, tensor<9x1500xf32>, tensor<40x5xf16>, tensor<40x3x3xf32>, tensor<40x70xi8>, tensor<40x70xui8>, tensor<40x9xi64>, tensor<40x17xf64>, tensor<40x9xi1>, tensor<3x2000xf32>, tensor<40xf32>, tensor<40x37xf32>, tensor<40x17xf64>
}
