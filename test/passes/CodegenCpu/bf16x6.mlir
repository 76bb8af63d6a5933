// RUN: tenon-opt %s --tenon-plan-kernels=target=amx --tenon-assign-buffers=target=amx --tenon-lower-kernels=target=amx | FileCheck %s

// CHECK: kernel.launch @bf16x6_0 tiles(8)
// CHECK: func.func @bf16x6_0
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// A is split in three pieces, then B.
// CHECK-COUNT-2: arith.constant dense<32768> : vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.tilezero"
// The next steps of B are asked for while these are multiplied: six times four
// tiles, of which fourteen are loaded.
// CHECK: llvm.intr.prefetch
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK-NOT: tdpbf16ps
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
// CHECK: return
func.func @main(%x: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group "contraction"(%x, %w) : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32> {
  ^bb0(%a: tensor<128x768xf32>, %b: tensor<768x768xf32>):
    %1 = graph.matmul %a, %b : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32>
    kernel.yield %1 : tensor<128x768xf32>
  }
  return %0 : tensor<128x768xf32>
}
