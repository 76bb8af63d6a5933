// RUN: tenon-opt %s --split-input-file --verify-diagnostics

func.func @beyond() {
  %0 = memory.alloc : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>
  // expected-error @+1 {{is outside its operand's storage}}
  %1 = memory.view %0 {byte_offset = 16 : i64} : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64> -> !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>
  return
}

// -----

func.func @before() {
  %0 = memory.alloc : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>
  // expected-error @+1 {{is outside its operand's storage}}
  %1 = memory.view %0 {byte_offset = -4 : i64} : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64> -> !memory.buffer<tensor<1xf32>, [1], 0, 4>
  return
}

// -----

func.func @pitch() {
  %0 = memory.alloc : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64>
  // expected-error @+1 {{has elements outside of its own bytes}}
  %1 = memory.view %0 : !memory.buffer<tensor<4x4xf32>, [4, 1], 0, 64> -> !memory.buffer<tensor<4x2xf32>, [4, 1], 0, 52>
  return
}

// -----

func.func @backwards() {
  %0 = memory.alloc : !memory.buffer<tensor<4xf32>, [1], 0, 16>
  // expected-error @+1 {{has elements outside of its own bytes}}
  %1 = memory.view %0 : !memory.buffer<tensor<4xf32>, [1], 0, 16> -> !memory.buffer<tensor<4xf32>, [-1], 0, 16>
  return
}

// -----

func.func @unknown() {
  // expected-error @+1 {{a number that is known is needed}}
  %0 = memory.alloc : !memory.buffer<tensor<?xf32, #graph.dims<["n"]>>, [1], 0, ?>
  return
}
