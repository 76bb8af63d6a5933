// RUN: tenon-opt %s --tenon-plan-kernels=target=avx512 --tenon-assign-buffers --tenon-lower-kernels=target=avx512 | FileCheck %s

// One tile per direction; eight registers of gates, one row of the matrix each.
// CHECK: kernel.launch @[[KERNEL:.*]] tiles(1)
// CHECK: func.func @[[KERNEL]](
// CHECK: scf.for {{.*}} -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
// CHECK-COUNT-8: llvm.intr.fma
// CHECK: scf.yield
func.func @main(%g: tensor<16x1x1x2048xf32>, %m: tensor<1x512x2048xf32>) -> tensor<16x1x1x512xf32> {
  %r = kernel.group "recurrent"(%g, %m) : (tensor<16x1x1x2048xf32>, tensor<1x512x2048xf32>) -> tensor<16x1x1x512xf32> {
  ^bb0(%a: tensor<16x1x1x2048xf32>, %b: tensor<1x512x2048xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell lstm>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh", "Tanh"]}> : (tensor<16x1x1x2048xf32>, tensor<1x512x2048xf32>) -> (tensor<16x1x1x512xf32>, tensor<1x1x512xf32>, tensor<1x1x512xf32>)
    kernel.yield %0#0 : tensor<16x1x1x512xf32>
  }
  return %r : tensor<16x1x1x512xf32>
}
