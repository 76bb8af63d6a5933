// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// Facts about kernels and modules.
// expected-error @+1 {{needs a positive f64 as error growth}}
func.func private @k() attributes {kernel.error_growth = 1}

// -----

// expected-error @+1 {{needs a positive f64 as error growth}}
func.func private @k() attributes {kernel.error_growth = 0.0 : f64}

// -----

// expected-error @+1 {{needs a positive f64 as error growth}}
func.func private @k() attributes {kernel.error_growth = 0x7FF0000000000000 : f64}

// -----

// expected-error @+1 {{needs a unit attribute for 'kernel.one_call'}}
func.func private @k() attributes {kernel.one_call = true}

// -----

// expected-error @+1 {{needs a unit attribute for 'kernel.checked'}}
func.func private @k() attributes {kernel.checked = 1}

// -----

// expected-error @+1 {{needs a launch, flops and bytes for 'kernel.counts'}}
func.func private @k() attributes {kernel.counts = #graph.dims<[?, "n"]>}

// -----

// expected-error @+1 {{has an unknown attribute 'kernel.two_calls'}}
func.func private @k() attributes {kernel.two_calls}

// -----

// expected-error @+1 {{needs a module and one record per constant for 'kernel.narrowed'}}
func.func private @k() attributes {kernel.narrowed = []}

// -----

// expected-error @+1 {{is no function that 'kernel.one_call' could be said of}}
module attributes {kernel.one_call} {
}

// -----

// A record without errors.
// expected-error @+1 {{needs a module and one record per constant for 'kernel.narrowed'}}
module attributes {kernel.narrowed = [{nodes = "n", element = f16, bytes_saved = 8}]} {
}

// -----

// expected-error @+1 {{needs a module and one record per constant for 'kernel.narrowed'}}
module attributes {kernel.narrowed = [{nodes = "n", element = f32, bytes_saved = 0, error = 0.0, error_of_largest = 0.0, kept = 1}]} {
}

// -----

// expected-error @+1 {{needs a function and from, to and reason of each value for 'kernel.unfused'}}
func.func @main() attributes {kernel.unfused = [{from = "a", to = "b"}]} {
  return
}

// -----

// expected-error @+1 {{needs a program and a way and its numbers for 'kernel.scheduled'}}
func.func @main() attributes {kernel.scheduled = {way = "list"}} {
  return
}

// -----

// expected-error @+1 {{needs steps by four numbers, a front by two, and two numbers of bytes for the details of 'kernel.scheduled'}}
func.func @main() attributes {kernel.scheduled = {details = {front = array<i64: 1, 2>, least_bytes = 1 : i64, order_bytes = 1 : i64, steps = array<i64: 1, 2, 3>}}} {
  return
}

// -----

// expected-error @+1 {{needs a program, images and ranges with their first and last nodes and numbers for 'kernel.sliced'}}
func.func @main() attributes {kernel.sliced = {images = 8 : i64, ranges = [{first = "a"}]}} {
  return
}

// -----

// expected-error @+1 {{needs a function and from, to and reason of each value for 'kernel.unfused'}}
module attributes {kernel.unfused = []} {
}

// -----

// What fusion knows of a group.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs a number 'scratch' in 'fusion'}}
  %0 = kernel.group(%x) {fusion = {bytes = 32, bytes_before = 32, nanoseconds = 0, scratch = -1, work = 1.0}} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{needs a positive f64 'work' in 'fusion'}}
  %0 = kernel.group(%x) {fusion = {bytes = 32, bytes_before = 32, nanoseconds = 0, scratch = 0, work = 0.0}} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{has something unknown in 'fusion'}}
  %0 = kernel.group(%x) {fusion = {bytes = 32, bytes_before = 32, nanoseconds = 0, scratch = 0, work = 1.0, joules = 1}} : (tensor<4xf32>) -> tensor<4xf32> {
  ^bb0(%a: tensor<4xf32>):
    kernel.yield %a : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// -----

// An operator that reads itself.
func.func @main() {
  // expected-error @+1 {{needs kind, nodes and earlier operands in entry 1 of 'operators'}}
  kernel.launch @k tiles(4) reads() writes() {bytes = 64, flops = 0, nodes = "n", operators = [{kind = "add", nodes = "n", operands = array<i64>}, {kind = "add", nodes = "n", operands = array<i64: 1>}]}
  return
}
