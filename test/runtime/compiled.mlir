// A compiled program agrees with the interpreter, and says what it ran.
// RUN: tenon-compile %s --quiet -o %t.tenon
// RUN: tenon-run --interpret %s --input random:3 --output-dir %t.dir
// RUN: tenon-run %t.tenon --input random:3 --expect y=%t.dir/y.npy --threads 2 | FileCheck %s --check-prefix=SAME
// RUN: tenon-run %t.tenon --signature | FileCheck %s --check-prefix=SIG
// RUN: tenon-run %t.tenon --profile --runs 3 | FileCheck %s --check-prefix=PROFILE
// RUN: tenon-run %t.tenon --benchmark --json --runs 3 | FileCheck %s --check-prefix=JSON
// RUN: not tenon-compile %s --quiet -o /nonexistent/x.tenon 2>&1 | FileCheck %s --check-prefix=WRITE

// SAME: y: agrees
// SIG: input   x: float32 [128x300]
// SIG: output  y: float32 [128x300]
// PROFILE: GFLOP/s
// PROFILE: {{[[]}}relu]
// JSON: "median_ms": {{[0-9.e-]+}}, "min_ms": {{[0-9.e-]+}}, "p99_ms": {{[0-9.e-]+}}
// JSON-SAME: "arena_bytes": {{[0-9]+}}
// JSON-SAME: "peak_rss_bytes": {{[0-9]+}}
// WRITE: cannot create '/nonexistent/x.tenon'

func.func @main(%x: tensor<128x300xf32> {onnx.name = "x"})
    -> (tensor<128x300xf32> {onnx.name = "y"}) {
  %0 = graph.relu %x : (tensor<128x300xf32>) -> tensor<128x300xf32> loc("relu")
  return %0 : tensor<128x300xf32>
}
