// RUN: tenon-opt %s -split-input-file -verify-diagnostics -tenon-build-step="loss=cross_entropy(y) optimizer=sgd(momentum=0.5)"

// expected-error @+1 {{--train: the model has nothing that can be trained}}
func.func @main(%x: tensor<4x3xf32>) -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %x : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{--train: the model has control flow that is decided in the run}}
func.func @segment(%w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>})
    -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %w : tensor<4x3xf32>
}
control.func private @other(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  control.return %x : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{--train: the loss depends on nothing that is trained}}
func.func @main(%x: tensor<4x3xf32>, %w: tensor<3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<3xf32>})
    -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %x : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{--train: --loss: the model has no output 'y'; it has 'a', 'b'}}
func.func @main(%x: tensor<4x3xf32>, %w: tensor<3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<3xf32>})
    -> (tensor<4x3xf32> {onnx.name = "a"}, tensor<3xf32> {onnx.name = "b"}) {
  return %x, %w : tensor<4x3xf32>, tensor<3xf32>
}

// -----

// expected-error @+1 {{--train: --loss: cross_entropy needs classes in dimension 1, which 'tensor<3xf32>' does not have}}
func.func @main(%w: tensor<3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<3xf32>}) -> (tensor<3xf32> {onnx.name = "y"}) {
  return %w : tensor<3xf32>
}

// -----

// expected-error @+1 {{--train: --loss: labels 'labels' are 'tensor<4xf32>', and cross_entropy takes 'tensor<4xi64>'}}
func.func @main(%labels: tensor<4xf32> {onnx.name = "labels"},
    %w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>}) -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %w : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{--train: --loss: labels 'labels' are trained}}
func.func @main(%labels: tensor<4xi64> {onnx.name = "labels", tenon.initial = dense<1> : tensor<4xi64>},
    %w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>}) -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %w : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{--train: --loss: an output of type 'tensor<4x3xi64>' has no gradient}}
func.func @main(%x: tensor<4x3xi64>, %w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>})
    -> (tensor<4x3xi64> {onnx.name = "y"}) {
  return %x : tensor<4x3xi64>
}

// -----

// expected-error @+1 {{--train: --loss: the output has sizes that are open, 'tensor<?x3xf32, #graph.dims<["n", 3]>>'; --dim or --shape fix them}}
func.func @main(%x: tensor<?x3xf32, #graph.dims<["n", 3]>>, %w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>})
    -> (tensor<?x3xf32, #graph.dims<["n", 3]>> {onnx.name = "y"}) {
  return %x : tensor<?x3xf32, #graph.dims<["n", 3]>>
}

// -----

// expected-error @+1 {{--train: the model has an input 'w.momentum' already}}
func.func @main(%m: tensor<4x3xf32> {onnx.name = "w.momentum"},
    %w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>}) -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %w : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{--train: the model has an input 'step' already}}
func.func @main(%s: tensor<f32> {onnx.name = "step"},
    %w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>}) -> (tensor<4x3xf32> {onnx.name = "y"}) {
  return %w : tensor<4x3xf32>
}

// -----

func.func @main(%x: tensor<2x2xf32>, %w: tensor<2x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<2x3xf32>})
    -> (tensor<2x3xf32> {onnx.name = "y"}) {
  // expected-error @+1 {{'graph.prefix' has no gradient yet: running products}}
  %0 = graph.prefix %w {axis = 0 : i64, product = true} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// expected-error @+1 {{--train: the model has an output 'w.next' already}}
func.func @main(%w: tensor<4x3xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<4x3xf32>})
    -> (tensor<4x3xf32> {onnx.name = "y"}, tensor<4x3xf32> {onnx.name = "w.next"}) {
  return %w, %w : tensor<4x3xf32>, tensor<4x3xf32>
}
