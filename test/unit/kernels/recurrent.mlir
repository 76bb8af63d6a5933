// Recurrences, each against the interpreter.
func.func @lstm_full(%g: tensor<9x2x3x84xf32>, %m: tensor<2x21x84xf32>, %l: tensor<3xi32>, %h: tensor<2x3x21xf32>, %c: tensor<2x3x21xf32>, %p: tensor<2x63xf32>) -> (tensor<9x2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>) {
  %r:3 = kernel.group(%g, %m, %l, %h, %c, %p) : (tensor<9x2x3x84xf32>, tensor<2x21x84xf32>, tensor<3xi32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x63xf32>) -> (tensor<9x2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>) {
  ^bb0(%a: tensor<9x2x3x84xf32>, %b: tensor<2x21x84xf32>, %ll: tensor<3xi32>, %hh: tensor<2x3x21xf32>, %cc: tensor<2x3x21xf32>, %pp: tensor<2x63xf32>):
    %0:3 = "graph.recurrence"(%a, %b, %ll, %hh, %cc, %pp) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1>, cell = #graph<cell lstm>, direction = #graph<direction bidirectional>, clip = 3.0 : f32, activations = ["Sigmoid", "Tanh", "Tanh", "HardSigmoid", "Relu", "Softsign"], alpha = array<f32: 0.25>}> : (tensor<9x2x3x84xf32>, tensor<2x21x84xf32>, tensor<3xi32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x63xf32>) -> (tensor<9x2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>)
    kernel.yield %0#0, %0#1, %0#2 : tensor<9x2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>
  }
  return %r#0, %r#1, %r#2 : tensor<9x2x3x21xf32>, tensor<2x3x21xf32>, tensor<2x3x21xf32>
}
func.func @gru(%g: tensor<6x1x2x60xf32>, %m: tensor<1x20x60xf32>, %bb: tensor<1x60xf32>) -> (tensor<6x1x2x20xf32>, tensor<1x2x20xf32>) {
  %r:2 = kernel.group(%g, %m, %bb) : (tensor<6x1x2x60xf32>, tensor<1x20x60xf32>, tensor<1x60xf32>) -> (tensor<6x1x2x20xf32>, tensor<1x2x20xf32>) {
  ^bb0(%a: tensor<6x1x2x60xf32>, %b: tensor<1x20x60xf32>, %c: tensor<1x60xf32>):
    %0:3 = "graph.recurrence"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>, cell = #graph<cell gru>, direction = #graph<direction reverse>, linear_before_reset = true, activations = ["Sigmoid", "Tanh"]}> : (tensor<6x1x2x60xf32>, tensor<1x20x60xf32>, tensor<1x60xf32>) -> (tensor<6x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>)
    kernel.yield %0#0, %0#1 : tensor<6x1x2x20xf32>, tensor<1x2x20xf32>
  }
  return %r#0, %r#1 : tensor<6x1x2x20xf32>, tensor<1x2x20xf32>
}
func.func @gru2(%g: tensor<6x1x2x60xf32>, %m: tensor<1x20x60xf32>) -> (tensor<6x1x2x20xf32>, tensor<1x2x20xf32>) {
  %r:2 = kernel.group(%g, %m) : (tensor<6x1x2x60xf32>, tensor<1x20x60xf32>) -> (tensor<6x1x2x20xf32>, tensor<1x2x20xf32>) {
  ^bb0(%a: tensor<6x1x2x60xf32>, %b: tensor<1x20x60xf32>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"]}> : (tensor<6x1x2x60xf32>, tensor<1x20x60xf32>) -> (tensor<6x1x2x20xf32>, tensor<1x2x20xf32>, tensor<1x2x20xf32>)
    kernel.yield %0#0, %0#1 : tensor<6x1x2x20xf32>, tensor<1x2x20xf32>
  }
  return %r#0, %r#1 : tensor<6x1x2x20xf32>, tensor<1x2x20xf32>
}
func.func @lstm_half(%g: tensor<9x2x3x84xf16>, %m: tensor<2x21x84xf16>, %l: tensor<3xi32>, %h: tensor<2x3x21xf16>, %c: tensor<2x3x21xf16>, %p: tensor<2x63xf16>) -> (tensor<9x2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x3x21xf16>) {
  %r:3 = kernel.group(%g, %m, %l, %h, %c, %p) : (tensor<9x2x3x84xf16>, tensor<2x21x84xf16>, tensor<3xi32>, tensor<2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x63xf16>) -> (tensor<9x2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x3x21xf16>) {
  ^bb0(%a: tensor<9x2x3x84xf16>, %b: tensor<2x21x84xf16>, %ll: tensor<3xi32>, %hh: tensor<2x3x21xf16>, %cc: tensor<2x3x21xf16>, %pp: tensor<2x63xf16>):
    %0:3 = "graph.recurrence"(%a, %b, %ll, %hh, %cc, %pp) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1>, cell = #graph<cell lstm>, direction = #graph<direction bidirectional>, clip = 3.0 : f32, activations = ["Sigmoid", "Tanh", "Tanh", "HardSigmoid", "Relu", "Softsign"], alpha = array<f32: 0.25>}> : (tensor<9x2x3x84xf16>, tensor<2x21x84xf16>, tensor<3xi32>, tensor<2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x63xf16>) -> (tensor<9x2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x3x21xf16>)
    kernel.yield %0#0, %0#1, %0#2 : tensor<9x2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x3x21xf16>
  }
  return %r#0, %r#1, %r#2 : tensor<9x2x3x21xf16>, tensor<2x3x21xf16>, tensor<2x3x21xf16>
}
func.func @lstm_brain(%g: tensor<9x2x3x84xbf16>, %m: tensor<2x21x84xbf16>, %l: tensor<3xi32>, %h: tensor<2x3x21xbf16>, %c: tensor<2x3x21xbf16>, %p: tensor<2x63xbf16>) -> (tensor<9x2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>) {
  %r:3 = kernel.group(%g, %m, %l, %h, %c, %p) : (tensor<9x2x3x84xbf16>, tensor<2x21x84xbf16>, tensor<3xi32>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x63xbf16>) -> (tensor<9x2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>) {
  ^bb0(%a: tensor<9x2x3x84xbf16>, %b: tensor<2x21x84xbf16>, %ll: tensor<3xi32>, %hh: tensor<2x3x21xbf16>, %cc: tensor<2x3x21xbf16>, %pp: tensor<2x63xbf16>):
    %0:3 = "graph.recurrence"(%a, %b, %ll, %hh, %cc, %pp) <{operandSegmentSizes = array<i32: 1, 1, 0, 1, 1, 1, 1>, cell = #graph<cell lstm>, direction = #graph<direction bidirectional>, clip = 3.0 : f32, activations = ["Sigmoid", "Tanh", "Tanh", "HardSigmoid", "Relu", "Softsign"], alpha = array<f32: 0.25>}> : (tensor<9x2x3x84xbf16>, tensor<2x21x84xbf16>, tensor<3xi32>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x63xbf16>) -> (tensor<9x2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>)
    kernel.yield %0#0, %0#1, %0#2 : tensor<9x2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>
  }
  return %r#0, %r#1, %r#2 : tensor<9x2x3x21xbf16>, tensor<2x3x21xbf16>, tensor<2x3x21xbf16>
}
func.func @gru_brain(%g: tensor<6x1x2x60xbf16>, %m: tensor<1x20x60xbf16>, %bb: tensor<1x60xbf16>) -> (tensor<6x1x2x20xbf16>, tensor<1x2x20xbf16>) {
  %r:2 = kernel.group(%g, %m, %bb) : (tensor<6x1x2x60xbf16>, tensor<1x20x60xbf16>, tensor<1x60xbf16>) -> (tensor<6x1x2x20xbf16>, tensor<1x2x20xbf16>) {
  ^bb0(%a: tensor<6x1x2x60xbf16>, %b: tensor<1x20x60xbf16>, %c: tensor<1x60xbf16>):
    %0:3 = "graph.recurrence"(%a, %b, %c) <{operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>, cell = #graph<cell gru>, direction = #graph<direction reverse>, linear_before_reset = true, activations = ["Sigmoid", "Tanh"]}> : (tensor<6x1x2x60xbf16>, tensor<1x20x60xbf16>, tensor<1x60xbf16>) -> (tensor<6x1x2x20xbf16>, tensor<1x2x20xbf16>, tensor<1x2x20xbf16>)
    kernel.yield %0#0, %0#1 : tensor<6x1x2x20xbf16>, tensor<1x2x20xbf16>
  }
  return %r#0, %r#1 : tensor<6x1x2x20xbf16>, tensor<1x2x20xbf16>
}
func.func @gru_half(%g: tensor<6x1x2x60xf16>, %m: tensor<1x20x60xf16>) -> (tensor<6x1x2x20xf16>, tensor<1x2x20xf16>) {
  %r:2 = kernel.group(%g, %m) : (tensor<6x1x2x60xf16>, tensor<1x20x60xf16>) -> (tensor<6x1x2x20xf16>, tensor<1x2x20xf16>) {
  ^bb0(%a: tensor<6x1x2x60xf16>, %b: tensor<1x20x60xf16>):
    %0:3 = "graph.recurrence"(%a, %b) <{operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>, cell = #graph<cell gru>, direction = #graph<direction forward>, activations = ["Sigmoid", "Tanh"]}> : (tensor<6x1x2x60xf16>, tensor<1x20x60xf16>) -> (tensor<6x1x2x20xf16>, tensor<1x2x20xf16>, tensor<1x2x20xf16>)
    kernel.yield %0#0, %0#1 : tensor<6x1x2x20xf16>, tensor<1x2x20xf16>
  }
  return %r#0, %r#1 : tensor<6x1x2x20xf16>, tensor<1x2x20xf16>
}
