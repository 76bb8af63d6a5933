// DEFINE: %{expect} = --rtol 0 --atol 0 --expect av=%t/av.npy --expect ai=%t/ai.npy --expect bv=%t/bv.npy --expect bi=%t/bi.npy --expect cv=%t/cv.npy --expect ci=%t/ci.npy --expect dv=%t/dv.npy --expect di=%t/di.npy --expect ev=%t/ev.npy --expect ei=%t/ei.npy --expect fv=%t/fv.npy --expect fi=%t/fi.npy --expect gv=%t/gv.npy --expect gi=%t/gi.npy --expect hv=%t/hv.npy --expect hi=%t/hi.npy --expect iv=%t/iv.npy --expect ii=%t/ii.npy --expect jv=%t/jv.npy --expect ji=%t/ji.npy --expect kv=%t/kv.npy --expect ki=%t/ki.npy --expect lv=%t/lv.npy --expect li=%t/li.npy --expect mv=%t/mv.npy --expect mi=%t/mi.npy --expect nv=%t/nv.npy --expect ni=%t/ni.npy --expect ov=%t/ov.npy --expect oi=%t/oi.npy --expect pv=%t/pv.npy --expect pi=%t/pi.npy --expect qi=%t/qi.npy --expect rv=%t/rv.npy --expect ri=%t/ri.npy --expect si=%t/si.npy --expect tv=%t/tv.npy
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

// Kernels of top_k give the same as the interpreter: few and many of each row, all
// types, ties, zeros of both signs, NaN.
func.func @main(
    %a0: tensor<7x1000xf32> {onnx.name = "a0"},
    %b0: tensor<3x5000xf32> {onnx.name = "b0"},
    %c0: tensor<4x257xf32> {onnx.name = "c0"},
    %d0: tensor<5x300xf64> {onnx.name = "d0"},
    %e0: tensor<6x129xf16> {onnx.name = "e0"},
    %f0: tensor<6x131xbf16> {onnx.name = "f0"},
    %g0: tensor<5x600xi8> {onnx.name = "g0"},
    %h0: tensor<5x600xui8> {onnx.name = "h0"},
    %i0: tensor<5x77xi16> {onnx.name = "i0"},
    %j0: tensor<5x77xui16> {onnx.name = "j0"},
    %k0: tensor<5x500xi32> {onnx.name = "k0"},
    %l0: tensor<5x500xui32> {onnx.name = "l0"},
    %m0: tensor<4x400xi64> {onnx.name = "m0"},
    %n0: tensor<4x400xui64> {onnx.name = "n0"},
    %o0: tensor<40x10xf32> {onnx.name = "o0"},
    %p0: tensor<1x1xf32> {onnx.name = "p0"}) -> (
    tensor<7x5xf32> {onnx.name = "av"},
    tensor<7x5xi64> {onnx.name = "ai"},
    tensor<3x50xf32> {onnx.name = "bv"},
    tensor<3x50xi64> {onnx.name = "bi"},
    tensor<4x257xf32> {onnx.name = "cv"},
    tensor<4x257xi64> {onnx.name = "ci"},
    tensor<5x299xf64> {onnx.name = "dv"},
    tensor<5x299xi64> {onnx.name = "di"},
    tensor<6x1xf16> {onnx.name = "ev"},
    tensor<6x1xi64> {onnx.name = "ei"},
    tensor<6x9xf32> {onnx.name = "fv"},
    tensor<6x9xi64> {onnx.name = "fi"},
    tensor<5x70xi8> {onnx.name = "gv"},
    tensor<5x70xi64> {onnx.name = "gi"},
    tensor<5x70xui8> {onnx.name = "hv"},
    tensor<5x70xi64> {onnx.name = "hi"},
    tensor<5x20xi16> {onnx.name = "iv"},
    tensor<5x20xi64> {onnx.name = "ii"},
    tensor<5x20xui16> {onnx.name = "jv"},
    tensor<5x20xi64> {onnx.name = "ji"},
    tensor<5x33xi32> {onnx.name = "kv"},
    tensor<5x33xi64> {onnx.name = "ki"},
    tensor<5x33xui32> {onnx.name = "lv"},
    tensor<5x33xi64> {onnx.name = "li"},
    tensor<4x21xi64> {onnx.name = "mv"},
    tensor<4x21xi64> {onnx.name = "mi"},
    tensor<4x21xui64> {onnx.name = "nv"},
    tensor<4x21xi64> {onnx.name = "ni"},
    tensor<40x4xf32> {onnx.name = "ov"},
    tensor<40x4xi64> {onnx.name = "oi"},
    tensor<1x1xf32> {onnx.name = "pv"},
    tensor<1x1xi64> {onnx.name = "pi"},
    tensor<7x600xi64> {onnx.name = "qi"},
    tensor<7x40xf32> {onnx.name = "rv"},
    tensor<7x40xi64> {onnx.name = "ri"},
    tensor<7x900xi64> {onnx.name = "si"},
    tensor<7x900xf32> {onnx.name = "tv"}) {
  %av, %ai = graph.top_k %a0 {axis = 1 : i64, k = 5 : i64, largest = true} : (tensor<7x1000xf32>) -> (tensor<7x5xf32>, tensor<7x5xi64>)
  %bv, %bi = graph.top_k %b0 {axis = 1 : i64, k = 50 : i64, largest = false} : (tensor<3x5000xf32>) -> (tensor<3x50xf32>, tensor<3x50xi64>)
  %cv, %ci = graph.top_k %c0 {axis = 1 : i64, k = 257 : i64, largest = true} : (tensor<4x257xf32>) -> (tensor<4x257xf32>, tensor<4x257xi64>)
  %dv, %di = graph.top_k %d0 {axis = 1 : i64, k = 299 : i64, largest = true} : (tensor<5x300xf64>) -> (tensor<5x299xf64>, tensor<5x299xi64>)
  %ev, %ei = graph.top_k %e0 {axis = 1 : i64, k = 1 : i64, largest = true} : (tensor<6x129xf16>) -> (tensor<6x1xf16>, tensor<6x1xi64>)
  %fv, %fi = graph.top_k %f0 {axis = 1 : i64, k = 9 : i64, largest = false} : (tensor<6x131xbf16>) -> (tensor<6x9xbf16>, tensor<6x9xi64>)
  %fw = graph.cast %fv : (tensor<6x9xbf16>) -> tensor<6x9xf32>
  %gv, %gi = graph.top_k %g0 {axis = 1 : i64, k = 70 : i64, largest = true} : (tensor<5x600xi8>) -> (tensor<5x70xi8>, tensor<5x70xi64>)
  %hv, %hi = graph.top_k %h0 {axis = 1 : i64, k = 70 : i64, largest = false} : (tensor<5x600xui8>) -> (tensor<5x70xui8>, tensor<5x70xi64>)
  %iv, %ii = graph.top_k %i0 {axis = 1 : i64, k = 20 : i64, largest = true} : (tensor<5x77xi16>) -> (tensor<5x20xi16>, tensor<5x20xi64>)
  %jv, %ji = graph.top_k %j0 {axis = 1 : i64, k = 20 : i64, largest = false} : (tensor<5x77xui16>) -> (tensor<5x20xui16>, tensor<5x20xi64>)
  %kv, %ki = graph.top_k %k0 {axis = 1 : i64, k = 33 : i64, largest = false} : (tensor<5x500xi32>) -> (tensor<5x33xi32>, tensor<5x33xi64>)
  %lv, %li = graph.top_k %l0 {axis = 1 : i64, k = 33 : i64, largest = true} : (tensor<5x500xui32>) -> (tensor<5x33xui32>, tensor<5x33xi64>)
  %mv, %mi = graph.top_k %m0 {axis = 1 : i64, k = 21 : i64, largest = true} : (tensor<4x400xi64>) -> (tensor<4x21xi64>, tensor<4x21xi64>)
  %nv, %ni = graph.top_k %n0 {axis = 1 : i64, k = 21 : i64, largest = false} : (tensor<4x400xui64>) -> (tensor<4x21xui64>, tensor<4x21xi64>)
  %ov, %oi = graph.top_k %o0 {axis = 1 : i64, k = 4 : i64, largest = true} : (tensor<40x10xf32>) -> (tensor<40x4xf32>, tensor<40x4xi64>)
  %pv, %pi = graph.top_k %p0 {axis = 1 : i64, k = 1 : i64, largest = true} : (tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1x1xi64>)
  %root = graph.sqrt %a0 : (tensor<7x1000xf32>) -> tensor<7x1000xf32>
  %sign = graph.sign %root : (tensor<7x1000xf32>) -> tensor<7x1000xf32>
  %tiny = graph.constant dense<1.0e-30> : tensor<f32>
  %small = graph.mul %a0, %tiny : (tensor<7x1000xf32>, tensor<f32>) -> tensor<7x1000xf32>
  %zeros = graph.mul %small, %tiny : (tensor<7x1000xf32>, tensor<f32>) -> tensor<7x1000xf32>
  %qv, %qi = graph.top_k %root {axis = 1 : i64, k = 600 : i64} : (tensor<7x1000xf32>) -> (tensor<7x600xf32>, tensor<7x600xi64>)
  %rv, %ri = graph.top_k %sign {axis = 1 : i64, k = 40 : i64, largest = false} : (tensor<7x1000xf32>) -> (tensor<7x40xf32>, tensor<7x40xi64>)
  %sv, %si = graph.top_k %zeros {axis = 1 : i64, k = 900 : i64} : (tensor<7x1000xf32>) -> (tensor<7x900xf32>, tensor<7x900xi64>)
  // Nobody reads the indices.
  %tv, %ti = graph.top_k %sign {axis = 1 : i64, k = 900 : i64, largest = false} : (tensor<7x1000xf32>) -> (tensor<7x900xf32>, tensor<7x900xi64>)
  return %av, %ai, %bv, %bi, %cv, %ci, %dv, %di, %ev, %ei, %fw, %fi, %gv, %gi, %hv, %hi, %iv, %ii, %jv, %ji, %kv, %ki, %lv, %li, %mv, %mi, %nv, %ni, %ov, %oi, %pv, %pi, %qi, %rv, %ri, %si, %tv :
    tensor<7x5xf32>,
    tensor<7x5xi64>,
    tensor<3x50xf32>,
    tensor<3x50xi64>,
    tensor<4x257xf32>,
    tensor<4x257xi64>,
    tensor<5x299xf64>,
    tensor<5x299xi64>,
    tensor<6x1xf16>,
    tensor<6x1xi64>,
    tensor<6x9xf32>,
    tensor<6x9xi64>,
    tensor<5x70xi8>,
    tensor<5x70xi64>,
    tensor<5x70xui8>,
    tensor<5x70xi64>,
    tensor<5x20xi16>,
    tensor<5x20xi64>,
    tensor<5x20xui16>,
    tensor<5x20xi64>,
    tensor<5x33xi32>,
    tensor<5x33xi64>,
    tensor<5x33xui32>,
    tensor<5x33xi64>,
    tensor<4x21xi64>,
    tensor<4x21xi64>,
    tensor<4x21xui64>,
    tensor<4x21xi64>,
    tensor<40x4xf32>,
    tensor<40x4xi64>,
    tensor<1x1xf32>,
    tensor<1x1xi64>,
    tensor<7x600xi64>,
    tensor<7x40xf32>,
    tensor<7x40xi64>,
    tensor<7x900xi64>,
    tensor<7x900xf32>
}
