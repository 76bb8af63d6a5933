// RUN: rm -rf %t && mkdir -p %t && tenon-compile %s -o %t/a.tenon --quiet
// DEFINE: %{n} =
// DEFINE: %{agree} = tenon-run --interpret %s --input random:3 --shape x=%{n}x3 --output-dir %t/%{n} && tenon-run %t/a.tenon --input random:3 --shape x=%{n}x3 --expect y=%t/%{n}/y.npy --expect z=%t/%{n}/z.npy
// REDEFINE: %{n} = 4
// RUN: %{agree}
// REDEFINE: %{n} = 5
// RUN: %{agree}
// REDEFINE: %{n} = 10
// RUN: %{agree}
// RUN: tenon-run %t/a.tenon --input random:3 --shape x=10x3 --output-dir %t/run
// RUN: FileCheck %s < %t/run/outputs.json

// Steps over an open dimension, from either end, have as many elements as they
// reach: none that is left is lost.
// CHECK: "y"
// CHECK: "shape": [5, 3]
// CHECK: "z"
// CHECK: "shape": [4, 3]
func.func @main(%x: tensor<?x3xf32, #graph.dims<["n", 3]>> {onnx.name = "x"})
    -> (tensor<?x3xf32> {onnx.name = "y"}, tensor<?x3xf32> {onnx.name = "z"}) {
  %one = "onnx.Constant"() {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %end = "onnx.Constant"() {value = dense<9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
  %axis = "onnx.Constant"() {value = dense<0> : tensor<1xi64>} : () -> tensor<1xi64>
  %two = "onnx.Constant"() {value = dense<2> : tensor<1xi64>} : () -> tensor<1xi64>
  %y = "onnx.Slice"(%x, %one, %end, %axis, %two) : (tensor<?x3xf32, #graph.dims<["n", 3]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %last = "onnx.Constant"() {value = dense<-1> : tensor<1xi64>} : () -> tensor<1xi64>
  %low = "onnx.Constant"() {value = dense<-9223372036854775807> : tensor<1xi64>} : () -> tensor<1xi64>
  %back = "onnx.Constant"() {value = dense<-3> : tensor<1xi64>} : () -> tensor<1xi64>
  %z = "onnx.Slice"(%x, %last, %low, %axis, %back) : (tensor<?x3xf32, #graph.dims<["n", 3]>>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  return %y, %z : tensor<?x3xf32>, tensor<?x3xf32>
}
