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
