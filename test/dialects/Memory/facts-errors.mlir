// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// Facts about programs.
// expected-error @+1 {{needs a name and a tensor type of known shape in each entry of 'memory.inputs'}}
func.func private @main() attributes {memory.inputs = [{name = "x"}]}

// -----

// expected-error @+1 {{needs a name and a tensor type of known shape in each entry of 'memory.inputs'}}
func.func private @main() attributes {memory.inputs = [{type = tensor<4xf32>}]}

// -----

// expected-error @+1 {{needs a name and a tensor type of known shape in each entry of 'memory.outputs'}}
func.func private @main() attributes {memory.outputs = [{name = "y", type = tensor<?xf32>}]}

// -----

// expected-error @+1 {{needs a name and a tensor type of known shape in each entry of 'memory.outputs'}}
func.func private @main() attributes {memory.outputs = [{name = "y", type = f32}]}

// -----

// expected-error @+1 {{needs a name and a tensor type of known shape in each entry of 'memory.outputs'}}
func.func private @main() attributes {memory.outputs = 1}

// -----

// expected-error @+1 {{needs a number of bytes for 'memory.arena_bytes'}}
func.func private @main() attributes {memory.arena_bytes = -64}

// -----

// expected-error @+1 {{needs a number of bytes for 'memory.arena_bytes'}}
func.func private @main() attributes {memory.arena_bytes = 64 : i32}

// -----

// expected-error @+1 {{needs a number of bytes for 'memory.arena_lower_bound_bytes'}}
func.func private @main() attributes {memory.arena_lower_bound_bytes = "64"}

// -----

// expected-error @+1 {{needs a solver's name}}
func.func private @main() attributes {memory.arena_solver = 1}

// -----

// expected-error @+1 {{is guarded above or below only}}
func.func private @main() attributes {memory.arena_guard = "left"}

// -----

// expected-error @+1 {{has an unknown attribute 'memory.arena_color'}}
func.func private @main() attributes {memory.arena_color = "red"}

// -----

// expected-error @+1 {{is no function that 'memory.arena_bytes' could be said of}}
module attributes {memory.arena_bytes = 64} {
}

// -----

!b = !memory.buffer<tensor<4xf32>, [1], 0, 16>
func.func @main() attributes {memory.inputs = [{name = "x", type = tensor<4xf32>}], memory.outputs = []} {
  %0 = memory.input 0 : !b
  // expected-error @+1 {{is number 1 of 1 in the signature}}
  %1 = memory.input 1 : !b
  return
}

// -----

func.func @main() attributes {memory.inputs = [], memory.outputs = []} {
  // expected-error @+1 {{is number 0 of 0 in the signature}}
  %0 = memory.output 0 : !memory.buffer<tensor<4xf32>, [1], 0, 16>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{whose value is non-negative}}
  %0 = memory.input -1 : !memory.buffer<tensor<4xf32>, [1], 0, 16>
  return
}
