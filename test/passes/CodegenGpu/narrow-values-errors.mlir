// RUN: tenon-opt %s --tenon-narrow-values=type=f8 --verify-diagnostics
// expected-error @+1 {{values cannot lie in 'f8'}}
module {}
