// RUN: sed s/@LANES@/16/ %s | tenon-opt --tenon-assign-buffers --tenon-lower-kernels=target=avx512 | FileCheck %s
// RUN: sed s/@LANES@/8/ %s | tenon-opt --tenon-assign-buffers --tenon-lower-kernels=target=avx2 | FileCheck %s --check-prefix=AVX2
// RUN: sed s/@LANES@/4/ %s | tenon-opt --tenon-assign-buffers --tenon-lower-kernels=target=neon | FileCheck %s --check-prefix=NEON

// NEON-NOT: nontemporal
// NEON-NOT: sfence

// Results that begin with a line go past the caches, and are there for other
// threads when the kernel ends; elsewhere they are stored as ever.
// CHECK: llvm.ptrtoint
// CHECK: arith.remui
// CHECK: scf.if
// CHECK-COUNT-16: llvm.store {{.*}}alignment = 64 : i64, nontemporal} : vector<16xf32>
// CHECK: llvm.x86.sse.sfence
// CHECK: } else {
// CHECK-NOT: nontemporal
// CHECK: llvm.store {{.*}}alignment = 4 : i64} : vector<16xf32>
// CHECK-NOT: nontemporal
// CHECK: return

// Two squares write the halves of lines, one after the other.
// AVX2: scf.for {{.*}} step %c16_i64
// AVX2: scf.for {{.*}} step %c8_i64
// AVX2-NOT: scf.for
// AVX2-COUNT-16: llvm.store {{.*}}alignment = 32 : i64, nontemporal} : vector<8xf32>
// AVX2: llvm.x86.sse.sfence
func.func @main(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  %r = kernel.group(%x) {plan = #kernel.plan<"loops", {vector = 1, lanes = @LANES@, unroll = 1, rows = 1, chunk = 64, transposed = 0, stream = 1}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%a: tensor<32x64xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %0 : tensor<64x32xf32>
  }
  return %r : tensor<64x32xf32>
}
