// RUN: tenon-opt %s --tenon-expand-gradients -o %t.mlir
// RUN: tenon-run --interpret %t.mlir
// A gradient of a gradient: x^3, 3 x^2, 6 x. Then of x^2 at another place.

func.func @main() {
  %x = graph.constant dense<[1.0, -2.0]> : tensor<2xf64>
  %z = graph.constant dense<[5.0, 7.0]> : tensor<2xf64>
  %1 = graph.mul %x, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %2 = graph.mul %1, %x : (tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %3 = "builtin.unrealized_conversion_cast"(%x, %x, %2) {tenon.gradient} : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %4 = "builtin.unrealized_conversion_cast"(%x, %x, %3) {tenon.gradient} : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %5 = "builtin.unrealized_conversion_cast"(%z, %x, %1) {tenon.gradient} : (tensor<2xf64>, tensor<2xf64>, tensor<2xf64>) -> tensor<2xf64>
  %slope = graph.constant dense<[3.0, 12.0]> : tensor<2xf64>
  %second = graph.constant dense<[6.0, -12.0]> : tensor<2xf64>
  %elsewhere = graph.constant dense<[10.0, 14.0]> : tensor<2xf64>
  check.expect_eq %3, %slope : tensor<2xf64>
  check.expect_eq %4, %second : tensor<2xf64>
  check.expect_eq %5, %elsewhere : tensor<2xf64>
  return
}
