// RUN: not tenon-opt %s --tenon-merge-groups=target=abacus 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not tenon-opt %s --tenon-merge-groups=winograd=never 2>&1 | FileCheck %s --check-prefix=WINOGRAD

// TARGET: no target 'abacus' in the tables of processors and GPUs
// WINOGRAD: winograd must be off, exact, safe or max, not 'never'
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
