// RUN: tenon-opt %s | tenon-opt | FileCheck %s

// CHECK: control.func @main(%{{.*}}: tensor<i1> {onnx.name = "c"}, %{{.*}}: !control.sequence<tensor<?xf32>>, %{{.*}}: !control.optional<tensor<2x!control.string>>)
// CHECK: control.constant dense<3> : tensor<i64>
// CHECK: control.call "sequence_at"(%{{.*}}, %{{.*}})
// CHECK: control.call "compress"(%{{.*}}, %{{.*}}) integers [1, 0]
// CHECK: control.if %{{.*}} : tensor<i1> then @f else @f(%{{.*}})
// CHECK: control.loop @body trip %{{.*}} : tensor<i64> while %{{.*}} : tensor<i1> carried(%{{.*}} : tensor<?xf32>) invariant(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
control.func @main(%c: tensor<i1> {onnx.name = "c"}, %s: !control.sequence<tensor<?xf32>>, %o: !control.optional<tensor<2x!control.string>>) -> tensor<?xf32> {
  %3 = control.constant dense<3> : tensor<i64>
  %x = control.call "sequence_at"(%s, %3) : (!control.sequence<tensor<?xf32>>, tensor<i64>) -> tensor<?xf32>
  %y = control.call "compress"(%x, %c) integers [1, 0] : (tensor<?xf32>, tensor<i1>) -> tensor<?xf32>
  %z = control.if %c : tensor<i1> then @f else @f(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %w = control.loop @body trip %3 : tensor<i64> while %c : tensor<i1> carried(%z : tensor<?xf32>) invariant(%y : tensor<?xf32>) -> tensor<?xf32>
  control.return %w : tensor<?xf32>
}
control.func private @f(%x: tensor<?xf32>) -> tensor<?xf32> {
  control.return %x : tensor<?xf32>
}
control.func private @body(%i: tensor<i64>, %c: tensor<i1>, %x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<i1>, tensor<?xf32>) {
  control.return %c, %y : tensor<i1>, tensor<?xf32>
}
