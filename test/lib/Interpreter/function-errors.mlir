// RUN: not tenon-run --interpret %s 2>&1 | FileCheck %s
// A program is one list of operations.

// CHECK: function-errors.mlir{{.*}}:[[#@LINE+1]]:1: only a function of one block can be interpreted
func.func @main() {
  return
^bb1:
  return
}
