// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=amx | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=amx --tenon-assign-buffers=target=amx --tenon-lower-kernels=target=amx | FileCheck %s --check-prefix=CODE
// RUN: tenon-opt %s --split-input-file --tenon-plan-kernels=target=avx512 | FileCheck %s --check-prefix=VECTORS
// VECTORS-NOT: tenon.smaller

// Few rows go to vectors, in the panels that the matrix unit reads. Rows are
// compared once; each plan has its own tiles.
!open = tensor<?x?x768xf32, #graph.dims<["batch", "seq", 768]>>
module attributes {graph.further = 8 : i64, graph.symbols = {batch = {typical = 4}}} {
// CHECK-LABEL: func.func @main
// CHECK: panel = 32 : i64
// CHECK-SAME: plan = #kernel.plan<"bf16x6"
// CHECK-SAME: tenon.smaller = [{most = 27 : i64, plan = #kernel.plan<"gemm", {{{[^}]*}}panel = 32 : i64{{[^}]*}}}>}]
// CODE-LABEL: kernel.launch @bf16x6_0
// CODE-SAME: sizes = [#graph.dim<"batch" * "seq">
// CODE: func.func private @bf16x6_0
// CODE: %[[MOST:.*]] = arith.constant 27 : i64
// CODE: %[[MORE:.*]] = arith.cmpi sgt, %{{.*}}, %[[MOST]] : i64
// CODE: scf.if %[[MORE]] {
// CODE: llvm.call_intrinsic "llvm.x86.tdpbf16ps
// CODE: } else {
// CODE: llvm.intr.fma
func.func @main(%x: !open) -> !open {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group(%x, %w) : (!open, tensor<768x768xf32>) -> !open {
  ^bb0(%a: !open, %b: tensor<768x768xf32>):
    %1 = graph.matmul %a, %b : (!open, tensor<768x768xf32>) -> !open
    kernel.yield %1 : !open
  }
  return %0 : !open
}
}

// -----

// For two sizes that are far apart the limit is where both plans are predicted
// to take as long: that for one row stops far before half of the way.
!open = tensor<?x?x768xf32, #graph.dims<["batch", "seq", 768]>>
module attributes {graph.further = [{seq = 1}], graph.symbols = {batch = {typical = 1}, seq = {typical = 4096}}} {
// CHECK-LABEL: func.func @main
// CHECK: tenon.smaller = [{most = {{[2-9]}} : i64, plan = #kernel.plan<"gemm"
func.func @main(%x: !open) -> !open {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group(%x, %w) : (!open, tensor<768x768xf32>) -> !open {
  ^bb0(%a: !open, %b: tensor<768x768xf32>):
    %1 = graph.matmul %a, %b : (!open, tensor<768x768xf32>) -> !open
    kernel.yield %1 : !open
  }
  return %0 : !open
}
}

// -----

// Sizes that a list names out of order for a group take nothing from the size
// that its plan is for.
!open = tensor<?x768xf32, #graph.dims<["seq", 768]>>
module attributes {graph.further = [{seq = 72}, {seq = 36}], graph.symbols = {seq = {typical = 48}}} {
// CHECK-LABEL: func.func @main
// CHECK: tenon.smaller = [{most = 47 : i64, plan = #kernel.plan<"gemm"
func.func @main(%x: !open) -> !open {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group(%x, %w) : (!open, tensor<768x768xf32>) -> !open {
  ^bb0(%a: !open, %b: tensor<768x768xf32>):
    %1 = graph.matmul %a, %b : (!open, tensor<768x768xf32>) -> !open
    kernel.yield %1 : !open
  }
  return %0 : !open
}
}

// -----

// Nothing else has several plans: what somebody wrote goes, and so do those of
// groups without symbols.
!open = tensor<?x768xf32, #graph.dims<["n", 768]>>
module attributes {graph.further = 8 : i64} {
// CHECK-LABEL: func.func @main
// CHECK-NOT: tenon.smaller
func.func @main(%x: !open, %y: tensor<8x768xf32>) -> (!open, tensor<8x768xf32>) {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group(%x) {tenon.smaller = [{most = 3 : i64}]} : (!open) -> !open {
  ^bb0(%a: !open):
    %1 = graph.relu %a : (!open) -> !open
    kernel.yield %1 : !open
  }
  %2 = kernel.group(%y, %w) : (tensor<8x768xf32>, tensor<768x768xf32>) -> tensor<8x768xf32> {
  ^bb0(%a: tensor<8x768xf32>, %b: tensor<768x768xf32>):
    %3 = graph.matmul %a, %b : (tensor<8x768xf32>, tensor<768x768xf32>) -> tensor<8x768xf32>
    kernel.yield %3 : tensor<8x768xf32>
  }
  return %0, %2 : !open, tensor<8x768xf32>
}
}
