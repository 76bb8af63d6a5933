// RUN: tenon-opt %s -split-input-file -verify-diagnostics

vm.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{its values are not what the function gives}}
  vm.return %x : tensor<4xf32>
}

// -----

vm.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{there is no function @f}}
  %0 = vm.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  vm.return
}

// -----

vm.func @f(%x: tensor<4xi64>) { vm.return }
vm.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{@f is of another type}}
  vm.call @f(%x) : (tensor<4xf32>) -> ()
  vm.return
}

// -----

vm.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{calls neither a function nor a primitive}}
  vm.call 3 : i64(%x) : (tensor<4xf32>) -> ()
  vm.return
}
