// RUN: tenon-opt %s --split-input-file --verify-diagnostics --tenon-slice-batch=images=6

// As many as there are is all at once.
func.func @all(%x: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = graph.relu %x : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// -----

// expected-error @+1 {{--micro-batch: a batch of 5 has no slices of 6 images; the most is 5}}
func.func @fewer(%x: tensor<5x4xf32>) -> tensor<5x4xf32> {
  %0 = graph.relu %x : (tensor<5x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// -----

// expected-error @+1 {{--micro-batch: a batch of 1 has no slices of 6 images; the most is 1}}
func.func @one(%x: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %0 = graph.relu %x : (tensor<1x4xf32>) -> tensor<1x4xf32>
  return %0 : tensor<1x4xf32>
}
