// RUN: not tenon-run --interpret %s 2>&1 | FileCheck %s
// A check that does not hold names its place and the first bad element.

func.func @main() {
  %0 = graph.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %1 = graph.constant dense<[[1.0, 2.0], [3.5, 9.0]]> : tensor<2x2xf32>
  check.expect_close %0, %0 : tensor<2x2xf32>
  // CHECK: check-errors.mlir{{.*}}:9:3
  check.expect_close %0, %1 {rtol = 0.1, atol = 0.1} : tensor<2x2xf32>
  // CHECK-SAME: element [1, 0] is 3 but 3.5 is expected
  return
}
