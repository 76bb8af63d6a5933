// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// CHECK-LABEL: vm.func @main(%{{.*}}: tensor<i1>, %{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK: vm.call "constant"() value dense<3> : tensor<i64>
// CHECK: vm.if %{{.*}}, ^bb1, ^bb2 : tensor<i1>
// CHECK: vm.call @f(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: vm.goto ^bb3(%{{.*}} : tensor<4xf32>)
// CHECK: vm.return %{{.*}} : tensor<4xf32>
vm.func @main(%c: tensor<i1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %n = vm.call "constant"() value dense<3> : tensor<i64> : () -> tensor<i64>
  vm.if %c, ^a, ^b : tensor<i1>
^a:
  %y = vm.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  vm.goto ^c(%y : tensor<4xf32>)
^b:
  vm.goto ^c(%x : tensor<4xf32>)
^c(%z: tensor<4xf32>):
  vm.return %z : tensor<4xf32>
}
vm.func private @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  vm.return %x : tensor<4xf32>
}
