// RUN: tenon-opt %s --tenon-check-indices --split-input-file --verify-diagnostics | FileCheck %s
// RUN: tenon-opt %s --tenon-check-indices=at-run-time=false --split-input-file --verify-diagnostics | FileCheck %s --check-prefix=UNCHECKED

// Indices that only the run knows are looked at there, known ones here.
// CHECK: kernel.group{{.*}}checked{{.*}}scratch = array<i64: 8>
// CHECK-NOT: checked
// UNCHECKED-NOT: checked
func.func @main(%x: tensor<9x4xf32>, %i: tensor<3xi64>) -> (tensor<3x4xf32>, tensor<3x4xf32>) {
  %0 = kernel.group(%x, %i) : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32> {
  ^bb0(%a: tensor<9x4xf32>, %b: tensor<3xi64>):
    %1 = graph.gather %a, %b {axis = 0 : i64} : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    kernel.yield %1 : tensor<3x4xf32>
  }
  %k = graph.constant dense<[8, -9, 0]> : tensor<3xi64>
  %2 = kernel.group(%x, %k) : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32> {
  ^bb0(%a: tensor<9x4xf32>, %b: tensor<3xi64>):
    %3 = graph.gather %a, %b {axis = 0 : i64} : (tensor<9x4xf32>, tensor<3xi64>) -> tensor<3x4xf32>
    kernel.yield %3 : tensor<3x4xf32>
  }
  return %0, %2 : tensor<3x4xf32>, tensor<3x4xf32>
}

// -----

func.func @main(%x: tensor<9x4xf32>) -> tensor<9x4xf32> {
  %k = graph.constant dense<[[0], [-10]]> : tensor<2x1xi64>
  %r = graph.reshape %k : (tensor<2x1xi64>) -> tensor<2xi64>
  %u = graph.constant dense<0.0> : tensor<2x4xf32>
  %0 = kernel.group(%x, %r, %u) : (tensor<9x4xf32>, tensor<2xi64>, tensor<2x4xf32>) -> tensor<9x4xf32> {
  ^bb0(%a: tensor<9x4xf32>, %b: tensor<2xi64>, %c: tensor<2x4xf32>):
    // expected-error @+1 {{index -10 is out of range: it selects from 9 rows}}
    %1 = graph.scatter %a, %b, %c : (tensor<9x4xf32>, tensor<2xi64>, tensor<2x4xf32>) -> tensor<9x4xf32>
    kernel.yield %1 : tensor<9x4xf32>
  }
  return %0 : tensor<9x4xf32>
}

// -----

func.func @main(%x: tensor<4x0xf32>, %i: tensor<4x1xi32>) -> tensor<4x1xf32> {
  %0 = kernel.group(%x, %i) : (tensor<4x0xf32>, tensor<4x1xi32>) -> tensor<4x1xf32> {
  ^bb0(%a: tensor<4x0xf32>, %b: tensor<4x1xi32>):
    // expected-error @+1 {{has indices, but no rows to select from}}
    %1 = graph.gather_elements %a, %b {axis = 1 : i64} : (tensor<4x0xf32>, tensor<4x1xi32>) -> tensor<4x1xf32>
    kernel.yield %1 : tensor<4x1xf32>
  }
  return %0 : tensor<4x1xf32>
}
