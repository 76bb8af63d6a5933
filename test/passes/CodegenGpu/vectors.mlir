// RUN: tenon-compile %s --device=cuda:sm_90a --schedule=order --emit=asm -o - | FileCheck %s
// A thread loads and stores neighbouring elements at once where the address of
// the buffer allows it. That of the second part of a larger one does not.

// CHECK: .entry {{[a-z_]+_0}}(
// CHECK: ld.global.v4.b32
// CHECK-NOT: st.global.b32
// CHECK: st.global.v4.b32
// CHECK: .entry {{[a-z_]+_1}}(
// CHECK: .entry {{[a-z_]+_2}}(
// CHECK: ld.global.b32
// CHECK-NOT: st.global.v
// CHECK: st.global.b32
func.func @main(%x: tensor<4096xf32> {onnx.name = "x"}, %y: tensor<3xf32> {onnx.name = "y"}) -> (tensor<4096xf32> {onnx.name = "p"}, tensor<4099xf32> {onnx.name = "q"}) {
  %0 = graph.exp %x : (tensor<4096xf32>) -> tensor<4096xf32>
  %1 = graph.sqrt %y : (tensor<3xf32>) -> tensor<3xf32>
  %2 = graph.sqrt %x : (tensor<4096xf32>) -> tensor<4096xf32>
  %3 = graph.concat %1, %2 {axis = 0 : i64} : (tensor<3xf32>, tensor<4096xf32>) -> tensor<4099xf32>
  return %0, %3 : tensor<4096xf32>, tensor<4099xf32>
}
