// RUN: tenon-opt %s -split-input-file -verify-diagnostics

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{has fewer operands than it slices and carries}}
  %r = graph.steps @body(%h) {count = 3, scans = 1, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{needs to know of each result whether it is stacked}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%h: tensor<?xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{has an operand of unknown size}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<?xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  // expected-error@+1 {{slices a tensor that is shorter than its 3 steps}}
  %r = graph.steps @body(%x) {count = 3, scans = 1, next = array<i64>, stacked = array<i1: true>} : (tensor<2xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// -----

func.func @main(%x: tensor<3xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{stacks a result that is not as long as its 3 steps}}
  %r = graph.steps @body(%x) {count = 3, scans = 1, next = array<i64>, stacked = array<i1: true>} : (tensor<3xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{carries on result 1, which is none}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 1>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{there is no function @body}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{needs a body with 'graph.steps_body' behind the body that it is in}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @body(%h: tensor<2xf32>) -> tensor<2xf32> {
  return %h : tensor<2xf32>
}

// -----

// It would run for ever.
func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @body(%h: tensor<2xf32>) -> tensor<2xf32> attributes {graph.steps_body} {
  // expected-error@+1 {{needs a body with 'graph.steps_body' behind the body that it is in}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}

// -----

func.func @main(%h: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@+1 {{does not fit its body @body}}
  %r = graph.steps @body(%h) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>) -> tensor<2xf32>
  return %r : tensor<2xf32>
}
func.func @body(%h: tensor<3xf32>) -> tensor<2xf32> attributes {graph.steps_body} {
  %n = graph.constant dense<0.0> : tensor<2xf32>
  return %n : tensor<2xf32>
}

// -----

func.func @main(%h: tensor<2xf32>, %c: tensor<1xf32>) -> (tensor<2xf32>, tensor<1xf32>) {
  // expected-error@+1 {{carries on result 1, which is not what step 0 finds}}
  %r:2 = graph.steps @body(%h, %c) {count = 3, scans = 0, next = array<i64: 1, 1>, stacked = array<i1: false, false>} : (tensor<2xf32>, tensor<1xf32>) -> (tensor<2xf32>, tensor<1xf32>)
  return %r#0, %r#1 : tensor<2xf32>, tensor<1xf32>
}
func.func @body(%h: tensor<2xf32>, %c: tensor<1xf32>) -> (tensor<2xf32>, tensor<1xf32>) attributes {graph.steps_body} {
  return %h, %c : tensor<2xf32>, tensor<1xf32>
}
