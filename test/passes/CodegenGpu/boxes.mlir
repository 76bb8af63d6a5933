// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a | FileCheck %s --check-prefix=PLAN
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_90a --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=sm_90a | FileCheck %s
// RUN: tenon-opt %s "--tenon-plan-kernels=target=sm_90a precision=tf32" --tenon-assign-buffers=target=avx2 "--tenon-lower-kernels=target=sm_90a precision=tf32" | FileCheck %s --check-prefix=TF32
// RUN: tenon-opt %s --tenon-plan-kernels=target=sm_80 | FileCheck %s --check-prefix=OLD

// Weights become three planes of bf16. A tile is a box of pixels, which a tap
// moves: taps begin one pixel before the tile, and what lies outside is zero.

// PLAN: packs = [unit, {batch_dims = array<i64>, element = vector<3xbf16>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 1 : i64}, unit]
// PLAN-SAME: plan = #kernel.plan<"gpu_wgmma"

// OLD-NOT: gpu_wgmma
// OLD: #kernel.plan<"gpu_mma"

// CHECK: kernel.launch @gpu_wgmma_0
// CHECK-SAME: programmatic = true
// CHECK-SAME: #kernel.map<operand = 0, element = f32, dims = [128, 56, 56, 8], strides = [512, 28672, 1605632], box = [32, {{[0-9]+, [0-9]+, [0-9]+}}], steps = [1, 1, 1, 1], swizzle = 128, offset = 0>
// CHECK-SAME: #kernel.map<operand = 1, element = bf16, dims = [128, 9, 128, 3], strides = [256, 2304, 294912], box = [32, 1, {{[0-9]+}}, 3], steps = [1, 1, 1, 1], swizzle = 64, offset = 0>
// CHECK: llvm.func @gpu_wgmma_0(%{{.*}}: !llvm.ptr {llvm.align = 64 : i64, llvm.byval = !llvm.array<128 x i8>, nvvm.grid_constant}, %{{.*}}: !llvm.ptr {{.*}}, %{{.*}}: !llvm.ptr<1>

// One warp copies. Weights come first, which no kernel writes.
// CHECK: mbarrier.init
// CHECK: nvvm.shfl.sync
// CHECK: mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.tensor
// CHECK: nvvm.griddepcontrol wait
// CHECK: nvvm.cp.async.bulk.tensor
// CHECK: scf.for

// Others multiply. Sums are taken behind the wait, and added to those of all
// blocks by an ordinary addition.
// CHECK: nvvm.mbarrier.try_wait.parity
// CHECK: cvt.rn.bf16x2.f32
// CHECK: nvvm.wgmma.fence.aligned
// CHECK-COUNT-12: k16.f32.bf16.bf16
// CHECK: nvvm.wgmma.commit.group.sync.aligned
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: "// pin"
// CHECK: arith.addf
// CHECK: mbarrier.arrive.shared
// CHECK: nvvm.griddepcontrol launch_dependents
// CHECK: nvvm.griddepcontrol wait

// TF32: #kernel.map<operand = 1, element = f32, dims = [128, 9, 128]
// TF32: nvvm.wgmma.fence.aligned
// TF32-COUNT-4: nvvm.wgmma.mma_async
// TF32: nvvm.wgmma.commit.group.sync.aligned
// TF32: nvvm.wgmma.wait.group.sync.aligned 1
func.func @main(%x: tensor<8x56x56x128xf32>) -> tensor<8x56x56x128xf32> {
  %w = graph.constant dense_resource<w> : tensor<128x128x3x3xf32>
  %b = graph.constant dense_resource<b> : tensor<128xf32>
  %0 = kernel.group(%x, %w, %b) : (tensor<8x56x56x128xf32>, tensor<128x128x3x3xf32>, tensor<128xf32>) -> tensor<8x56x56x128xf32> {
  ^bb0(%x0: tensor<8x56x56x128xf32>, %w0: tensor<128x128x3x3xf32>, %b0: tensor<128xf32>):
    %1 = graph.conv %x0, %w0 {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, layout = #graph<layout nhwc>} : (tensor<8x56x56x128xf32>, tensor<128x128x3x3xf32>) -> tensor<8x56x56x128xf32>
    %2 = graph.add %1, %b0 : (tensor<8x56x56x128xf32>, tensor<128xf32>) -> tensor<8x56x56x128xf32>
    %3 = graph.relu %2 : (tensor<8x56x56x128xf32>) -> tensor<8x56x56x128xf32>
    kernel.yield %3 : tensor<8x56x56x128xf32>
  }
  return %0 : tensor<8x56x56x128xf32>
}
