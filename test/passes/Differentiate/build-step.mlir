// RUN: tenon-opt %s --split-input-file --tenon-build-step="loss=mse(y,t) optimizer=sgd(momentum=0.5)" --canonicalize --cse | FileCheck %s
// RUN: tenon-opt %s --split-input-file --tenon-build-step="loss=mse(y,t) optimizer=adamw" --canonicalize --cse | FileCheck %s --check-prefix=ADAM

// Before the first step the parameter is what it is in the model; all that
// remains are states. The bias does not decide about the loss and stays.
// CHECK: graph.states = [{input = "w.momentum", output = "w.momentum.next", program = "step", role = 2 : i64}, {first = dense<2.000000e+00> : tensor<3x2xf32>, input = "w", output = "w.next", program = "step", role = 1 : i64}, {first = dense<3.000000e+00> : tensor<2xf32>, input = "b", output = "b.next", program = "step", role = 1 : i64}, {input = "step", output = "step.next", program = "step", role = 4 : i64}]
// CHECK-LABEL: @step(
// CHECK-SAME: %[[X:arg0]]: tensor<4x3xf32>
// CHECK-SAME: %[[W:arg1]]: tensor<3x2xf32> {onnx.name = "w"}
// CHECK-SAME: %arg3: tensor<i64> {onnx.name = "step"}
// CHECK-SAME: %[[RATE:arg4]]: tensor<f32> {onnx.name = "learning_rate"}
// CHECK-SAME: %[[T:arg5]]: tensor<4x2xf32> {onnx.name = "t"}
// CHECK-SAME: %[[M:arg6]]: tensor<3x2xf32> {onnx.name = "w.momentum"}
// CHECK-SAME: onnx.name = "loss"
// CHECK-DAG: %[[HALF:.*]] = graph.constant dense<5.000000e-01> : tensor<f32>
// CHECK: %[[Y:.*]] = graph.matmul %[[X]], %[[W]]
// CHECK: graph.sub %[[Y]], %[[T]]
// CHECK: %[[DW:.*]] = graph.matmul %[[X]], %{{.*}} {transpose_lhs}
// CHECK: %[[OLD:.*]] = graph.mul %[[M]], %[[HALF]]
// CHECK: %[[NEW:.*]] = graph.add %[[OLD]], %[[DW]]
// CHECK: %[[BY:.*]] = graph.mul %[[NEW]], %[[RATE]]
// CHECK: graph.sub %[[W]], %[[BY]]
// ADAM: graph.states = [{input = "w.mean", {{[^}]*}}}, {input = "w.square"
// ADAM: graph.pow %{{.*}} : (tensor<f64>, tensor<f64>) -> tensor<f64>
func.func @main(%x: tensor<4x3xf32> {onnx.name = "x"},
    %w: tensor<3x2xf32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<3x2xf32>},
    %b: tensor<2xf32> {onnx.name = "b", tenon.initial = dense<3.0> : tensor<2xf32>})
    -> (tensor<4x2xf32> {onnx.name = "y"}, tensor<2xf32> {onnx.name = "z"}) {
  %0 = graph.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = graph.exp %b : (tensor<2xf32>) -> tensor<2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<2xf32>
}

// -----

// Labels may be an input of the model.
// CHECK-LABEL: @step(
// CHECK-SAME: %arg2: tensor<4xf32> {onnx.name = "t"}
// CHECK-NOT: onnx.name = "t"
// CHECK: return
func.func @main(%x: tensor<4xf32> {onnx.name = "x"},
    %w: tensor<f32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<f32>},
    %t: tensor<4xf32> {onnx.name = "t"})
    -> (tensor<4xf32> {onnx.name = "y"}) {
  %0 = graph.mul %x, %w : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// What the model says of a statistic is its next value.
// CHECK: graph.states = [{first = dense<{{.*}}>, input = "m", output = "m.next", program = "step", role = 3 : i64}, {input = "w.momentum"
// CHECK-LABEL: @step(
// CHECK: %[[N:.*]] = graph.add %arg2
// CHECK: return %{{.*}}, %[[N]],
func.func @main(%x: tensor<4xf32> {onnx.name = "x"},
    %w: tensor<f32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<f32>},
    %m: tensor<4xf32> {onnx.name = "m", tenon.follows, tenon.initial = dense<1.0> : tensor<4xf32>})
    -> (tensor<4xf32> {onnx.name = "y"}, tensor<4xf32> {onnx.name = "m.next"}) {
  %0 = graph.mul %x, %w : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %1 = graph.add %m, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// What evaluates has the loss, and reads the states of what trains.
// CHECK: graph.states = [{{.*}}, {first = dense<2.000000e+00> : tensor<f32>, input = "w", program = "eval", role = 1 : i64}]
// CHECK-LABEL: @step(
// CHECK-LABEL: @eval(
// CHECK-SAME: %[[X:arg0]]: tensor<4xf32>
// CHECK-SAME: %[[W:arg1]]: tensor<f32> {onnx.name = "w"}
// CHECK-SAME: %[[T:arg2]]: tensor<4xf32> {onnx.name = "t"}
// CHECK-SAME: (tensor<4xf32> {onnx.name = "y"}, tensor<f32> {onnx.name = "loss"})
// CHECK: %[[Y:.*]] = graph.add %[[X]], %[[W]]
// CHECK: graph.sub %[[Y]], %[[T]]
func.func @main(%x: tensor<4xf32> {onnx.name = "x"},
    %w: tensor<f32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<f32>})
    -> (tensor<4xf32> {onnx.name = "y"}) {
  %0 = graph.mul %x, %w : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func @eval(%x: tensor<4xf32> {onnx.name = "x"},
    %w: tensor<f32> {onnx.name = "w", tenon.initial = dense<2.0> : tensor<f32>})
    -> (tensor<4xf32> {onnx.name = "y"}) {
  %0 = graph.add %x, %w : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
