// Errors do not print operations; tenon-opt does when it is asked to.
// RUN: not tenon-opt %s 2>&1 | FileCheck %s --implicit-check-not="see current operation"
// RUN: not tenon-compile %s -o %t.tenon 2>&1 | FileCheck %s --implicit-check-not="see current operation"
// RUN: not tenon-opt %s --debug-ir 2>&1 | FileCheck %s --check-prefix=DEBUG
// CHECK: error: inner dimensions differ: 2x3 and 4x5
// DEBUG: note: see current operation: %0 = "graph.matmul"
func.func @main(%x: tensor<2x3xf32>, %y: tensor<4x5xf32>) -> tensor<2x5xf32> {
  %0 = "graph.matmul"(%x, %y) : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  return %0 : tensor<2x5xf32>
}
