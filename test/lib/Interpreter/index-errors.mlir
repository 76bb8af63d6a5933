// RUN: not tenon-run --interpret %s 2>&1 | FileCheck %s
// An operation that fails at run time is named with its place.

func.func @main() {
  %0 = graph.constant dense<[1, 2, 3]> : tensor<3xi64>
  %1 = graph.constant dense<[-4]> : tensor<1xi64>
  // CHECK: index-errors.mlir{{.*}}:9:8
  // CHECK-SAME: cannot be interpreted: 'graph.gather' index -4 is out of range: it selects from 3 rows
  %2 = graph.gather %0, %1 {axis = 0 : i64}
    : (tensor<3xi64>, tensor<1xi64>) -> tensor<1xi64>
  return
}
