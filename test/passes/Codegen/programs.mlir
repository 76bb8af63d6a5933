// RUN: tenon-opt %s --mcpu=x86-64-v3 --compile-to=memory --fusion=greedy | FileCheck %s
// RUN: tenon-compile %s --mcpu=x86-64 -o %t.tenon --quiet
// RUN: tenon-run %t.tenon --input random:1 | FileCheck %s --check-prefix=FIRST
// RUN: not tenon-compile %s --mcpu=x86-64-v3 --compile-to=memory --fusion=greedy --memory-problem=%t.csv -o %t.mlir 2>&1 | FileCheck %s --check-prefixes=ONE,PLAN
// RUN: not tenon-run --interpret %s --input random:1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: tenon-compile %s --mcpu=x86-64-v3 --compile-to=memory --fusion=greedy --quiet -o %t.mlir
// RUN: FileCheck %s < %t.mlir

// Each public function is a program: it gets its signature, its launches and an
// arena, and is an entry of the artifact. Programs share kernels, whose names
// keep clear of theirs.
// FIRST: y: float32 [8x8] {{.*}} mean 0.898
// ONE: only one program is supported yet, and there are 'train', 'loops_0'
// PLAN: the memory plan cannot be reported
// CHECK: func.func @train() attributes {{.*}}memory.arena_bytes = 256 : i64
// CHECK-SAME: memory.inputs = [{name = "x", type = tensor<8x8xf32>}]
// CHECK: kernel.launch @[[K:loops_0_]] tiles
// CHECK: kernel.launch @[[PRODUCT:gemm_1]] tiles
// CHECK: func.func @loops_0() attributes {{.*}}memory.arena_bytes = 0 : i64
// CHECK: kernel.launch @[[K]] tiles
// CHECK: func.func private @[[K]](
// CHECK: func.func private @[[PRODUCT]](
func.func @train(%x: tensor<8x8xf32> {onnx.name = "x"}) -> (tensor<8x8xf32> {onnx.name = "y"}) {
  %0 = graph.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = graph.matmul %0, %0 : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
func.func @loops_0(%x: tensor<8x8xf32> {onnx.name = "x"}) -> (tensor<8x8xf32> {onnx.name = "y"}) {
  %0 = graph.relu %x : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
