// RUN: tenon-opt %s --tenon-plan-kernels=target=amx --tenon-assign-buffers=target=amx --tenon-lower-kernels=target=amx | FileCheck %s

// CHECK: kernel.launch @bf16x6_0 tiles({{[0-9]+}})
// CHECK: func.func private @bf16x6_0
// CHECK: llvm.call_intrinsic "llvm.x86.ldtilecfg"
// A is split in three pieces of neighbours, then the first panel of B.
// CHECK-COUNT-3: llvm.call_intrinsic "llvm.x86.avx512.packusdw.512"
// CHECK: llvm.intr.prefetch
// CHECK: arith.constant dense<32768> : vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.tilezero"
// Six times four products, for which fourteen tiles are loaded; behind each the
// next pieces are asked for, and a part of the next panel is split.
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tileloadd64"
// CHECK-COUNT-4: llvm.call_intrinsic "llvm.x86.tdpbf16ps"
// CHECK: llvm.intr.prefetch
// CHECK: arith.constant dense<32768> : vector<16xi32>
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
// CHECK: llvm.intr.prefetch
// CHECK: arith.constant dense<32768> : vector<16xi32>
// The fifth keeps the unit awake.
// CHECK-COUNT-5: llvm.call_intrinsic "llvm.x86.tilestored64"
// CHECK-NOT: tdpbf16ps
// CHECK: llvm.call_intrinsic "llvm.x86.tilerelease"
// CHECK: return
func.func @main(%x: tensor<128x768xf32>) -> tensor<128x768xf32> {
  %w = graph.constant dense_resource<w> : tensor<768x768xf32>
  %0 = kernel.group(%x, %w) : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32> {
  ^bb0(%a: tensor<128x768xf32>, %b: tensor<768x768xf32>):
    %1 = graph.matmul %a, %b : (tensor<128x768xf32>, tensor<768x768xf32>) -> tensor<128x768xf32>
    kernel.yield %1 : tensor<128x768xf32>
  }
  return %0 : tensor<128x768xf32>
}
