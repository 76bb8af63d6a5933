// A profile names each kernel once, or each launch; the trace has an event for
// each launch, in order.
// RUN: tenon-compile %s --no-bf16x6 --quiet -o %t.tenon
// RUN: tenon-run %t.tenon --profile=%t.json --runs 3 --threads 1 | FileCheck %s --check-prefix=KERNELS
// RUN: tenon-run %t.tenon --profile --by-launch --runs 3 --threads 2 | FileCheck %s --check-prefix=LAUNCHES
// RUN: %stdlib_python -m json.tool %t.json %t.indented.json
// RUN: FileCheck %s --check-prefix=TRACE --input-file %t.json
// RUN: tenon-run %t.tenon --profile --json --runs 3 | %stdlib_python -m json.tool --compact | FileCheck %s --check-prefix=JSON
// RUN: %if avx2 %{ tenon-compile %s --quiet --mcpu=x86-64-v3 -o %t.v3.tenon %}
// RUN: %if avx2 %{ tenon-run %t.v3.tenon --profile --runs 1 | FileCheck %s --check-prefix=WIDTH %}
// RUN: tenon-run --roof --threads 2 | %stdlib_python -m json.tool --compact | FileCheck %s --check-prefix=ROOF
// RUN: not tenon-run %t.tenon --profile=/nonexistent/t.json --runs 1 2>&1 | FileCheck %s --check-prefix=WRITE

// KERNELS: roofline of 1 thread: {{[0-9.]+}} GFLOP/s ({{128|256|512}}-bit f32){{.*}}, memory {{[0-9.]+}} GB/s
// KERNELS-NEXT: us     %  calls   us/call  GFLOP/s  %peak    GB/s  %read from    bound     tiles  kernel  [nodes]
// KERNELS-DAG: {{^ +[0-9.]+ +[0-9.]+ +2 +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+ +(L2|L3|memory) +(compute|memory) +[0-9]+  gemm_[0-9]+  \[(first third|third first)\]$}}
// KERNELS-DAG: {{^ +[0-9.]+ +[0-9.]+ +1 .* +[0-9]+  loops_[0-9]+  \[second\]$}}
// KERNELS: {{^ +[0-9.]+ 100.0 +3 .*  total$}}
// KERNELS-NEXT: median

// LAUNCHES: roofline of 2 threads:
// LAUNCHES-DAG: {{ 1 .* gemm_[0-9]+  \[first\]$}}
// LAUNCHES-DAG: {{ 1 .* gemm_[0-9]+  \[third\]$}}
// LAUNCHES-DAG: {{ 1 .* loops_[0-9]+  \[second\]$}}
// LAUNCHES: total

// TRACE: "traceEvents": {{[[]}}{"ph": "M", "name": "process_name", "pid": 1, "tid": 1, "args": {"name": "profile"}},
// TRACE-NEXT: {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "run"}},
// TRACE-NEXT: {"ph": "X", "name": "[[K:gemm_[0-9]+]]", "pid": 1, "tid": 1, "ts": {{[0-9.e-]+}}, "dur": {{[0-9.e-]+}}, "args": {"kernel": "[[K]]", "nodes": ["first"], "tiles": {{[0-9]+}}, "flops": {{[0-9]+}}, "bytes": {{[0-9]+}}, "gflops": {{[0-9.e-]+}}, "gbytes": {{[0-9.e-]+}}, {{.*}}}},
// TRACE-NEXT: {"ph": "X", "name": "loops_{{[0-9]+}}", {{.*}}"nodes": ["second"], {{.*}}}},
// TRACE-NEXT: {"ph": "X", "name": "[[K]]", {{.*}}"nodes": ["third"], {{.*}}}}]}
// TRACE-NOT: {{.}}

// JSON: "roof":{"threads":{{[0-9]+}},"peaks":[{"vector_bits":{{128|256|512}},"gflops":{{[0-9.]+}}}],"reads":[
// JSON-SAME: "profile":[{"kernel":"gemm_{{[0-9]+}}","nodes":["first"]
// JSON-SAME: "of_peak":{{[0-9.e-]+}},"of_read":{{[0-9.e-]+}},"read_from":"{{L2|L3|memory}}","bound":"{{compute|memory}}","us":{{[0-9.e-]+}}}

// WIDTH: roofline of {{.*}} GFLOP/s (256-bit f32)
// ROOF: {"threads":2,"peaks":[{"vector_bits":128,"gflops":{{[0-9.]+}}}
// WRITE: error: cannot write '/nonexistent/t.json': No such file or directory

func.func @main(%x: tensor<64x64xf32> {onnx.name = "x"})
    -> (tensor<64x64xf32> {onnx.name = "y"}) {
  %w = graph.constant dense<0.5> : tensor<64x64xf32>
  %0 = graph.matmul %x, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("first")
  %1 = graph.softmax %0 {axis = 1} : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("second")
  %2 = graph.matmul %1, %w : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("third")
  return %2 : tensor<64x64xf32>
}
