// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-verify-split

func.func @main(%x: tensor<4xf32>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>> {
  // expected-error@+1 {{control among programs}}
  %i = control.call "nonzero"(%x) : (tensor<4xf32>) -> tensor<1x?xi64, #graph.dims<[1, "n"]>>
  return %i : tensor<1x?xi64, #graph.dims<[1, "n"]>>
}

// -----

control.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{stands among control}}
  %y = graph.abs %x : (tensor<4xf32>) -> tensor<4xf32>
  control.return %y : tensor<4xf32>
}

// -----

control.func @main(%x: tensor<1xf32>) -> tensor<?xf32, #graph.dims<["n"]>> {
  %y = control.call @main_0(%x) : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<["n"]>>
  control.return %y : tensor<?xf32, #graph.dims<["n"]>>
}
func.func @main_0(%x: tensor<1xf32>) -> tensor<?xf32, #graph.dims<["n"]>> {
  // expected-error@+1 {{no input of the segment has the extent "n"}}
  %y = graph.broadcast %x : (tensor<1xf32>) -> tensor<?xf32, #graph.dims<["n"]>>
  return %y : tensor<?xf32, #graph.dims<["n"]>>
}
