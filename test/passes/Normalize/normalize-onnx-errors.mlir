// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-normalize-onnx

// expected-error @+1 {{there is no program: no public function that has a body}}
module {
}

// -----

// expected-error @+1 {{expected a program of one block}}
func.func @main() {
  cf.br ^bb1
^bb1:
  return
}

// -----

// expected-error @+1 {{input '0' has no shape; '--shape 0=1x3x224x224' gives it that one}}
func.func @main(%x: tensor<*xf32>) -> tensor<*xf32> {
  return %x : tensor<*xf32>
}
