// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 | FileCheck %s

// What no other strategy takes of sizes that are open is computed element by
// element; the others are asked first.
!image = tensor<?x?x?x?xf32, #graph.dims<["n", "c", "h", "w"]>>
!pooled = tensor<?x?x?x?xf32, #graph.dims<["n", "c", ("h" - 1), ("w" - 1)]>>
// CHECK-LABEL: func.func @channels
// CHECK: plan = #kernel.plan<"points", {}>
func.func @channels(%x: !image {onnx.name = "x"}) -> !pooled {
  %0 = kernel.group(%x) : (!image) -> !pooled {
  ^bb0(%a: !image):
    %1 = graph.max_pool %a {kernel = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (!image) -> !pooled
    kernel.yield %1 : !pooled
  }
  return %0 : !pooled
}

!lhs = tensor<?x4x8xf32, #graph.dims<["p", 4, 8]>>
!rhs = tensor<?x8x5xf32, #graph.dims<["q", 8, 5]>>
!both = tensor<?x4x5xf32, #graph.dims<["broadcast(p, q)", 4, 5]>>
// CHECK-LABEL: func.func @batches
// CHECK: plan = #kernel.plan<"gemm"
func.func @batches(%x: !lhs {onnx.name = "x"}, %y: !rhs {onnx.name = "y"}) -> !both {
  %0 = kernel.group(%x, %y) : (!lhs, !rhs) -> !both {
  ^bb0(%a: !lhs, %b: !rhs):
    %1 = graph.matmul %a, %b : (!lhs, !rhs) -> !both
    kernel.yield %1 : !both
  }
  return %0 : !both
}
