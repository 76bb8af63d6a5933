// RUN: tenon-opt %s -split-input-file -verify-diagnostics

func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{there is no primitive 'sort'}}
  %0 = control.call "sort"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{'nonzero' does not take 2 operands}}
  %0 = control.call "nonzero"(%x, %x) : (tensor<4xf32>, tensor<4xf32>) -> tensor<1x?xi64>
  return
}

// -----

func.func @main(%x: tensor<4xf32>, %c: tensor<4xi1>) {
  // expected-error@+1 {{'compress' wants the integers 'has_axis axis'}}
  %0 = control.call "compress"(%x, %c) : (tensor<4xf32>, tensor<4xi1>) -> tensor<?xf32>
  return
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{'nonzero' has 1 results, not 0}}
  control.call "nonzero"(%x) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{calls neither a function nor a primitive}}
  %0 = control.call 3 : i64(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{only primitives take integers}}
  %0 = control.call @f(%x) integers [1] : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{there is no function @f}}
  %0 = control.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xi64>) -> tensor<4xf32> {
  %0 = graph.cast %x : (tensor<4xi64>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @main(%x: tensor<4xf32>) {
  // expected-error@+1 {{@f does not take these arguments}}
  %0 = control.call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> }
func.func @main(%c: tensor<i1>, %x: tensor<4xf32>) {
  // expected-error@+1 {{@f does not give these results}}
  %0 = control.if %c : tensor<i1> then @f else @f (%x) : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @f(%i: tensor<i64>, %c: tensor<i1>, %x: tensor<4xf32>) -> tensor<i1> { return %c : tensor<i1> }
func.func @main(%n: tensor<i64>, %x: tensor<4xf32>) {
  // expected-error@+1 {{has fewer results than it carries}}
  control.loop @f trip %n : tensor<i64> carried(%x : tensor<4xf32>)
  return
}

// -----

func.func @f(%i: tensor<i64>, %c: tensor<i1>) -> (tensor<i1>, tensor<4xf32>, tensor<4xf32>) {
  %0 = graph.constant dense<0.0> : tensor<4xf32>
  return %c, %0, %0 : tensor<i1>, tensor<4xf32>, tensor<4xf32>
}
func.func @main(%n: tensor<i64>, %s: tensor<1xi64>) {
  // expected-error@+1 {{has sizes of some scan outputs only}}
  %0:2 = control.loop @f trip %n : tensor<i64> sizes(%s : tensor<1xi64>) -> tensor<?x4xf32>, tensor<?x4xf32>
  return
}

// -----

control.func @main(%x: tensor<4xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{its values are not what the function gives}}
  control.return %x : tensor<4xf32>
}
