// What the assembler says of representative kernels: nothing is spilled, and no
// products are serialised: of f32, TF32 and f16, whatever plan a group gets.
// REQUIRES: ptxas
// RUN: env TENON_PTXAS=%ptxas tenon-compile %s --device=cuda --mcpu=x86-64 -o %t.tenon --quiet --report=%t.json
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=KINDS < %t.json
// RUN: env TENON_PTXAS=%ptxas tenon-compile %s --device=cuda --precision=tf32 --mcpu=x86-64 -o %t.tenon --quiet --report=%t.json
// RUN: FileCheck %s < %t.json
// RUN: env TENON_PTXAS=%ptxas tenon-compile %s --device=cuda --precision=f16 --mcpu=x86-64 -o %t.tenon --quiet --report=%t.json
// RUN: FileCheck %s < %t.json

// CHECK: "name": "ptxas
// CHECK-NEXT: "remarks": []
// CHECK-NOT: "spilled_bytes": {{[1-9]}}

// KINDS-DAG: "name": "gpu_wgmma
// KINDS-DAG: "name": "gpu_mma
// KINDS-DAG: "name": "gpu_rows
// KINDS-DAG: "name": "gpu_points
// KINDS-DAG: "name": "gpu_recurrent
// KINDS-DAG: "spilled_bytes": 0
func.func @main(%image: tensor<32x56x56x64xf32> {onnx.name = "image"}, %rows: tensor<4096x768xf32> {onnx.name = "rows"}, %columns: tensor<768x768xf32> {onnx.name = "columns"}, %few: tensor<49x1024xf32> {onnx.name = "few"}, %depth: tensor<256x1024xf32> {onnx.name = "depth"}, %gates: tensor<16x1x1x2048xf32> {onnx.name = "gates"}) -> (tensor<32x28x28x64xf32> {onnx.name = "b"}, tensor<4096x768xf32> {onnx.name = "c"}, tensor<49x256xf32> {onnx.name = "d"}, tensor<4096x768xf32> {onnx.name = "e"}, tensor<768x768xf32> {onnx.name = "f"}, tensor<16x1x1x512xf32> {onnx.name = "g"}) {
  %w = graph.constant dense<0.5> : tensor<64x64x3x3xf32>
  %0 = graph.conv %image, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<32x56x56x64xf32>, tensor<64x64x3x3xf32>) -> tensor<32x56x56x64xf32>
  %1 = graph.add %0, %image : (tensor<32x56x56x64xf32>, tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  %a = graph.relu %1 : (tensor<32x56x56x64xf32>) -> tensor<32x56x56x64xf32>
  %b = graph.conv %a, %w {strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<32x56x56x64xf32>, tensor<64x64x3x3xf32>) -> tensor<32x28x28x64xf32>
  %7 = graph.matmul %rows, %columns {transpose_rhs} : (tensor<4096x768xf32>, tensor<768x768xf32>) -> tensor<4096x768xf32>
  %8 = graph.relu %7 : (tensor<4096x768xf32>) -> tensor<4096x768xf32>
  %c = graph.matmul %8, %columns {transpose_rhs} : (tensor<4096x768xf32>, tensor<768x768xf32>) -> tensor<4096x768xf32>
  %2 = graph.matmul %few, %depth {transpose_rhs} : (tensor<49x1024xf32>, tensor<256x1024xf32>) -> tensor<49x256xf32>
  %d = graph.tanh %2 : (tensor<49x256xf32>) -> tensor<49x256xf32>
  %3 = graph.reduce_max %rows {axes = array<i64: 1>} : (tensor<4096x768xf32>) -> tensor<4096x1xf32>
  %4 = graph.sub %rows, %3 : (tensor<4096x768xf32>, tensor<4096x1xf32>) -> tensor<4096x768xf32>
  %5 = graph.exp %4 : (tensor<4096x768xf32>) -> tensor<4096x768xf32>
  %6 = graph.reduce_sum %5 {axes = array<i64: 1>} : (tensor<4096x768xf32>) -> tensor<4096x1xf32>
  %e = graph.div %5, %6 : (tensor<4096x768xf32>, tensor<4096x1xf32>) -> tensor<4096x768xf32>
  %f = graph.sigmoid %columns : (tensor<768x768xf32>) -> tensor<768x768xf32>
  %m = graph.constant dense<0.0625> : tensor<1x512x2048xf32>
  %g:3 = "graph.recurrence"(%gates, %m) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (tensor<16x1x1x2048xf32>, tensor<1x512x2048xf32>) -> (tensor<16x1x1x512xf32>, tensor<1x1x512xf32>, tensor<1x1x512xf32>)
  return %b, %c, %d, %e, %f, %g#0 : tensor<32x28x28x64xf32>, tensor<4096x768xf32>, tensor<49x256xf32>, tensor<4096x768xf32>, tensor<768x768xf32>, tensor<16x1x1x512xf32>
}
