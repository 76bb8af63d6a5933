// RUN: tenon-opt %s --tenon-plan-kernels=target=avx2 --tenon-assign-buffers=target=avx2 --tenon-lower-kernels=target=avx2 | FileCheck %s

// Two groups of one structure share a kernel; the program is launches on
// buffers, kernels are functions of what a call gets.
// CHECK: func.func @main()
// CHECK: %[[X:.*]] = memory.input 0
// CHECK: %[[T:.*]] = memory.alloc
// CHECK: kernel.launch @[[K:[a-z0-9_]+]] tiles({{[0-9]+}}) reads(%[[X]] {{.*}} writes(%[[T]]
// CHECK: %[[Y:.*]] = memory.output 0
// CHECK: kernel.launch @[[K]] tiles({{[0-9]+}}) reads(%[[T]] {{.*}} writes(%[[Y]]
// CHECK: func.func private @[[K]](%{{.*}}: !llvm.ptr)
// CHECK-NOT: func.func
func.func @main(%x: tensor<64xf32> {onnx.name = "x"}) -> (tensor<64xf32> {onnx.name = "y"}) {
  %0 = kernel.group(%x) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64xf32>):
    %1 = graph.relu %a : (tensor<64xf32>) -> tensor<64xf32>
    kernel.yield %1 : tensor<64xf32>
  }
  %2 = kernel.group(%0) : (tensor<64xf32>) -> tensor<64xf32> {
  ^bb0(%a: tensor<64xf32>):
    %3 = graph.relu %a : (tensor<64xf32>) -> tensor<64xf32>
    kernel.yield %3 : tensor<64xf32>
  }
  return %2 : tensor<64xf32>
}
