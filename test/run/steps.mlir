// RUN: tenon-run --interpret %s
// Loops of the host: slices, states that are stacked or not, one that is read
// by another, what never changes, and a loop in a loop.

func.func @main() {
  %xs = graph.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xf32>
  %h = graph.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %two = graph.constant dense<2.0> : tensor<f32>

  // Three of four slices. Sums so far, and twice the sum before.
  %0:3 = graph.steps @sums(%xs, %h, %h, %two) {count = 3, scans = 1, next = array<i64: 0, 1>, stacked = array<i1: true, false, true>}
    : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<f32>) -> (tensor<3x2xf32>, tensor<2xf32>, tensor<3x2xf32>)
  %1 = graph.constant dense<[[11.0, 22.0], [14.0, 26.0], [19.0, 32.0]]> : tensor<3x2xf32>
  check.expect_eq %0#0, %1 : tensor<3x2xf32>
  %2 = graph.constant dense<[28.0, 52.0]> : tensor<2xf32>
  check.expect_eq %0#1, %2 : tensor<2xf32>
  %3 = graph.constant dense<[[10.0, 20.0], [20.0, 40.0], [22.0, 44.0]]> : tensor<3x2xf32>
  check.expect_eq %0#2, %3 : tensor<3x2xf32>

  // 2 * 3 doublings.
  %4 = graph.steps @twice(%h, %two) {count = 2, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %5 = graph.constant dense<[640.0, 1280.0]> : tensor<2xf32>
  check.expect_eq %4, %5 : tensor<2xf32>
  return
}

func.func @sums(%x: tensor<2xf32>, %h: tensor<2xf32>, %d: tensor<2xf32>, %two: tensor<f32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) attributes {graph.steps_body} {
  %0 = graph.add %x, %h : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %1 = graph.mul %two, %h : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %0, %1, %d : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

func.func @twice(%h: tensor<2xf32>, %two: tensor<f32>) -> tensor<2xf32> attributes {graph.steps_body} {
  %0 = graph.steps @double(%h, %two) {count = 3, scans = 0, next = array<i64: 0>, stacked = array<i1: false>} : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

func.func @double(%h: tensor<2xf32>, %two: tensor<f32>) -> tensor<2xf32> attributes {graph.steps_body} {
  %0 = graph.mul %two, %h : (tensor<f32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
