// RUN: tenon-opt %s --split-input-file --verify-diagnostics

// A program of stages has a tile that fits the result of its last stage.

func.func @no_tile(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{of stages needs a tile and a result}}
  %r = kernel.group(%x0) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @twice(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  // expected-error @+1 {{yields a stage's result twice}}
  %r:2 = kernel.group(%x) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  ^bb0(%a: tensor<8x6xf32>):
    %t = kernel.stage(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t, %t : tensor<8x6xf32>, tensor<8x6xf32>
  }
  return %r#0, %r#1 : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

func.func @one_size(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{needs a positive tile size for each of some dimensions, in order}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0, 1], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @out_of_order(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{needs a positive tile size for each of some dimensions, in order}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [1, 0], sizes = [2, 2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @twice(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{needs a positive tile size for each of some dimensions, in order}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0, 0], sizes = [2, 2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @negative(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{needs a positive tile size for each of some dimensions, in order}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [-1], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @beyond(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{has results that are not cut into the same tiles}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [2], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @no_elements(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{needs a positive tile size for each of some dimensions, in order}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [0]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @beside(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{has 'graph.relu' beside stages}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    %u = graph.relu %t : (tensor<8x6xf32>) -> tensor<8x6xf32>
    kernel.yield %u : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @operand(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{yields something that no stage computes}}
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %x : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

// Seven rows and eight.
func.func @unequal(%x0: tensor<8x7xf32>) -> (tensor<8x7xf32>, tensor<7x8xf32>) {
  // expected-error @+1 {{has results that are not cut into the same tiles}}
  %r:2 = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x7xf32>) -> (tensor<8x7xf32>, tensor<7x8xf32>) {
  ^bb0(%x: tensor<8x7xf32>):
    %t = kernel.stage(%x) : (tensor<8x7xf32>) -> tensor<8x7xf32> {
    ^bb0(%p0: tensor<8x7xf32>):
      %0 = graph.relu %p0 : (tensor<8x7xf32>) -> tensor<8x7xf32>
      kernel.yield %0 : tensor<8x7xf32>
    }
    %u = kernel.stage(%x) : (tensor<8x7xf32>) -> tensor<7x8xf32> {
    ^bb0(%p0: tensor<8x7xf32>):
      %0 = graph.transpose %p0 {permutation = array<i64: 1, 0>} : (tensor<8x7xf32>) -> tensor<7x8xf32>
      kernel.yield %0 : tensor<7x8xf32>
    }
    kernel.yield %t, %u : tensor<8x7xf32>, tensor<7x8xf32>
  }
  return %r#0, %r#1 : tensor<8x7xf32>, tensor<7x8xf32>
}

// -----

func.func @arguments(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    // expected-error @+1 {{block arguments differ from the operands}}
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8xf32>):
      %0 = graph.constant dense<0.0> : tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @yielded(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    // expected-error @+1 {{yielded values differ from the results}}
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.constant dense<0.0> : tensor<8xf32>
      kernel.yield %0 : tensor<8xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @anchors(%x0: tensor<8x6xf32>, %w0: tensor<6x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0, %w0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>, %w: tensor<6x6xf32>):
    // expected-error @+1 {{has 2 anchors}}
    %t = kernel.stage(%x, %w) : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>, %p1: tensor<6x6xf32>):
      %0 = graph.matmul %p0, %p1 : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
      %1 = graph.matmul %0, %p1 : (tensor<8x6xf32>, tensor<6x6xf32>) -> tensor<8x6xf32>
      kernel.yield %1 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @alone(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-error @+1 {{expects parent op 'kernel.group'}}
  %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    kernel.yield %a : tensor<8x6xf32>
  }
  return %t : tensor<8x6xf32>
}

// -----

func.func @late(%x: tensor<8x6xf32>) -> (tensor<8x6xf32>) {
  // expected-error @+1 {{has 'graph.relu' beside stages}}
  %y = kernel.group(%x) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%a: tensor<8x6xf32>):
    %r = graph.relu %a : (tensor<8x6xf32>) -> tensor<8x6xf32>
    %t = kernel.stage(%r) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%i: tensor<8x6xf32>):
      %0 = graph.relu %i : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %t : tensor<8x6xf32>
  }
  return %y : tensor<8x6xf32>
}

// -----

func.func @kept(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    // expected-error @+1 {{has its result in memory, though the group does not yield it}}
    %t = kernel.stage(%x) in memory : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    %u = kernel.stage(%t) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %u : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}

// -----

func.func @yielded(%x0: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %r = kernel.group(%x0) {tile = #kernel.tile<dims = [0], sizes = [2]>} : (tensor<8x6xf32>) -> tensor<8x6xf32> {
  ^bb0(%x: tensor<8x6xf32>):
    %t = kernel.stage(%x) : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    // expected-error @+1 {{has its result in register, though the group yields it}}
    %u = kernel.stage(%t) in register : (tensor<8x6xf32>) -> tensor<8x6xf32> {
    ^bb0(%p0: tensor<8x6xf32>):
      %0 = graph.relu %p0 : (tensor<8x6xf32>) -> tensor<8x6xf32>
      kernel.yield %0 : tensor<8x6xf32>
    }
    kernel.yield %u : tensor<8x6xf32>
  }
  return %r : tensor<8x6xf32>
}
