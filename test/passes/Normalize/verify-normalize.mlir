// RUN: tenon-opt %s --tenon-verify-normalize --split-input-file --verify-diagnostics

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

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{after normalize @main holds graph operations and control only}}
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func @main(%x: f32) -> f32 {
  // expected-error @+1 {{after normalize every value is a ranked tensor, but here is one of type 'f32'}}
  return %x : f32
}
