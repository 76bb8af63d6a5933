// RUN: not tenon-opt %s -tenon-guard-arena 2>&1 | FileCheck %s

// CHECK: error: buffers cannot be guarded in a model of several programs, as control flow makes them
func.func @first() {
  return
}
func.func @second() {
  return
}
