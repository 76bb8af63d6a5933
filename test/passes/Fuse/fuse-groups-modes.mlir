// How much joins is an option. RUN lines count groups and show who is in them.
// RUN: tenon-opt %s --tenon-fuse-groups=mode=off | FileCheck %s --check-prefix=OFF
// RUN: tenon-opt %s --tenon-fuse-groups=mode=atoms | FileCheck %s --check-prefix=ATOMS
// RUN: tenon-opt %s --tenon-fuse-groups > %t.default
// RUN: tenon-opt %s --tenon-fuse-groups=mode=greedy | diff - %t.default
// RUN: not tenon-opt %s --tenon-fuse-groups=mode=all 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: not tenon-compile %s --fusion=all --emit=none 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// ERROR: error: fusion must be off, atoms, greedy or full, not 'all'
// UNKNOWN: for the --fusion option: Cannot find option named 'all'!

// The product takes its chain; the tree under the last sum is one atom, of which
// its first operand is none: it has two users. A maximum of rows reads more than
// an element of its operand.
// OFF-COUNT-10: kernel.group
// OFF-NOT: kernel.group

// ATOMS: kernel.group
// ATOMS: graph.matmul
// ATOMS-NEXT: graph.add
// ATOMS-NEXT: graph.relu
// ATOMS-NEXT: kernel.yield
// ATOMS: kernel.group
// ATOMS: graph.exp
// ATOMS-NEXT: kernel.yield
// ATOMS: kernel.group
// ATOMS: graph.neg
// ATOMS-NEXT: graph.erf
// ATOMS-NEXT: graph.mul
// ATOMS-NEXT: graph.add
// ATOMS-NEXT: kernel.yield
// ATOMS: kernel.group
// ATOMS: graph.reduce_max
// ATOMS-NEXT: graph.sqrt
// ATOMS-NEXT: kernel.yield
// ATOMS-NOT: kernel.group
func.func @main(%x: tensor<16x4xf32>, %w: tensor<4x4xf32>, %b: tensor<4xf32>) -> tensor<16x1xf32> {
  %0 = graph.matmul %x, %w : (tensor<16x4xf32>, tensor<4x4xf32>) -> tensor<16x4xf32>
  %1 = graph.add %0, %b : (tensor<16x4xf32>, tensor<4xf32>) -> tensor<16x4xf32>
  %2 = graph.relu %1 : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %3 = graph.exp %2 : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %4 = graph.neg %3 : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %5 = graph.erf %2 : (tensor<16x4xf32>) -> tensor<16x4xf32>
  %6 = graph.mul %4, %5 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %7 = graph.add %6, %3 : (tensor<16x4xf32>, tensor<16x4xf32>) -> tensor<16x4xf32>
  %8 = graph.reduce_max %7 {axes = array<i64: 1>} : (tensor<16x4xf32>) -> tensor<16x1xf32>
  %9 = graph.sqrt %8 : (tensor<16x1xf32>) -> tensor<16x1xf32>
  return %9 : tensor<16x1xf32>
}
