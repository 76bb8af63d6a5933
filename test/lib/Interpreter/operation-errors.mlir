// RUN: not tenon-run --interpret %s 2>&1 | FileCheck %s
// Operations of other dialects have no semantics here.

func.func @main() -> tensor<2xf32> {
  // CHECK: cannot be interpreted: 'arith.constant' has no semantics
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  return %0 : tensor<2xf32>
}
