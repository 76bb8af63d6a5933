// RUN: tenon-opt %s -split-input-file -verify-diagnostics

func.func @broadcast_shapes(%x: tensor<2x3xf32>, %y: tensor<2xf32>) {
  // expected-error @+2 {{shapes do not broadcast: 2x3 and 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.add %x, %y : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @element_types(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error @+2 {{element types differ: 'f32' and 'f64'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @result_type(%x: tensor<2xf32>) {
  // expected-error @+2 {{inferred type(s) 'tensor<2xf32>' are incompatible with return type(s) of operation 'tensor<3xf32>'}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.relu %x : (tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

func.func @cast_shape(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.cast' op changes the shape from 2 to 3}}
  %0 = graph.cast %x : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @matmul_rank(%x: tensor<2xf32>, %y: tensor<2x2xf32>) {
  // expected-error @+2 {{operands need rank 2 or more}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @matmul_depth(%x: tensor<2x3xf32>, %y: tensor<2x2xf32>) {
  // expected-error @+2 {{inner dimensions differ: 2x3 and 2x2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2x3xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @matmul_leading(%x: tensor<2x3x3xf32>, %y: tensor<4x3x3xf32>) {
  // expected-error @+2 {{leading dimensions do not broadcast: 2x3x3 and 4x3x3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2x3x3xf32>, tensor<4x3x3xf32>) -> tensor<4x3x3xf32>
  return
}

// -----

func.func @matmul_elements(%x: tensor<2x2xf32>, %y: tensor<2x2xf64>) {
  // expected-error @+2 {{element types of the operands differ}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.matmul %x, %y : (tensor<2x2xf32>, tensor<2x2xf64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @conv_rank(%x: tensor<1x4xf32>, %w: tensor<4x4xf32>) {
  // expected-error @+2 {{needs one to three spatial dimensions}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_ranks(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1xf32>) {
  // expected-error @+2 {{input and filter differ in rank}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_elements(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf16>) {
  // expected-error @+2 {{element types of input and filter differ}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf16>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_group(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) {
  // expected-error @+2 {{group must be positive}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 0 : i64} : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_filter(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x0x1xf32>) {
  // expected-error @+2 {{the filter needs a static shape without zeros}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x0x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<4x3x1x1xf32>) {
  // expected-error @+2 {{input has 4 channels, filter 3 times 1 groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_groups(%x: tensor<1x4x8x8xf32>, %w: tensor<3x2x1x1xf32>) {
  // expected-error @+2 {{output channels are not a multiple of the groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, group = 2 : i64} : (tensor<1x4x8x8xf32>, tensor<3x2x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_reach(%x: tensor<1x4x2x8xf32>, %w: tensor<4x4x3x3xf32>) {
  // expected-error @+2 {{the kernel reaches over 3 positions, the padded input has 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x2x8xf32>, tensor<4x4x3x3xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_entries(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) {
  // expected-error @+2 {{kernel, strides and dilations need 2 entries, pads 4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @conv_strides(%x: tensor<1x4x8x8xf32>, %w: tensor<4x4x1x1xf32>) {
  // expected-error @+2 {{kernel, strides and dilations must be positive}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv %x, %w {strides = array<i64: 1, 0>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x8x8xf32>, tensor<4x4x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @transpose_channels(%x: tensor<1x4x8x8xf32>, %w: tensor<3x2x1x1xf32>) {
  // expected-error @+2 {{input channels differ from the filter's}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x8x8xf32>, tensor<3x2x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @transpose_groups(%x: tensor<1x4x8x8xf32>, %w: tensor<4x2x1x1xf32>) {
  // expected-error @+2 {{input channels are not a multiple of the groups}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 3 : i64} : (tensor<1x4x8x8xf32>, tensor<4x2x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @transpose_padding(%x: tensor<1x4x8x8xf32>, %w: tensor<4x2x1x1xf32>) {
  // expected-error @+2 {{output_padding needs one entry per spatial dimension}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0>} : (tensor<1x4x8x8xf32>, tensor<4x2x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @transpose_pads(%x: tensor<1x4x1x1xf32>, %w: tensor<4x2x1x1xf32>) {
  // expected-error @+2 {{the pads leave nothing of the result}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.conv_transpose %x, %w {strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 1, 1>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>} : (tensor<1x4x1x1xf32>, tensor<4x2x1x1xf32>) -> tensor<1x1x1x1xf32>
  return
}

// -----

func.func @pack_dims(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{batch_dims, k_dims and n_dims must name each dimension once}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 0>, panel = 8 : i64} : (tensor<4x4xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

func.func @pack_panel(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{needs a static operand and a positive panel}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 0 : i64} : (tensor<4x4xf32>) -> tensor<1x4x8xf32>
  return
}

// -----

func.func @pack_winograd_window(%x: tensor<4x4x3x5xf32>) {
  // expected-error @+2 {{winograd needs an f32 filter of windows with equal sides, which k_dims name first}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 4 : i64, winograd = 2 : i64} : (tensor<4x4x3x5xf32>) -> tensor<1x64x4xf32>
  return
}

// -----

func.func @pack_winograd_size(%x: tensor<4x4x3x3xf32>) {
  // expected-error @+2 {{winograd has no F(3, 3)}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 2, 3, 1>, n_dims = array<i64: 0>, panel = 4 : i64, winograd = 3 : i64} : (tensor<4x4x3x3xf32>) -> tensor<1x100x4xf32>
  return
}

// -----

func.func @reduce_axes(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{axes must be sorted, distinct and below rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.reduce_sum %x {axes = array<i64: 1, 0>} : (tensor<4x4xf32>) -> tensor<1x1xf32>
  return
}

// -----

func.func @softmax_axis(%x: tensor<4x4xf32>) {
  // expected-error @+2 {{axis 2 is outside of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.softmax %x {axis = 2 : i64} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @norm_elements(%x: tensor<4x4xf32>, %s: tensor<4xf16>) {
  // expected-error @+2 {{element types of the operands differ}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.0 : f32} : (tensor<4x4xf32>, tensor<4xf16>) -> tensor<4x4xf32>
  return
}

// -----

func.func @norm_scale(%x: tensor<4x4xf32>, %s: tensor<3xf32>) {
  // expected-error @+2 {{scale and bias must broadcast to the input: 3 and 4x4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.layer_norm %x, %s {axis = 1 : i64, epsilon = 0.0 : f32} : (tensor<4x4xf32>, tensor<3xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @pool_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{input and result need one equal rank of at least 3}}
  %0 = graph.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @pool_elements(%x: tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{element types of input and result differ}}
  %0 = graph.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x2x2xf64>
  return
}

// -----

func.func @pool_channels(%x: tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{batch and channels of input and result differ}}
  %0 = graph.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x3x2x2xf32>
  return
}

// -----

func.func @pool_extent(%x: tensor<1x2x4x4xf32>) {
  // expected-error @+1 {{the last window of dimension 2 starts behind the input}}
  %0 = graph.max_pool %x {kernel = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x2x4x4xf32>) -> tensor<1x2x3x2xf32>
  return
}

// -----

func.func @lrn_size(%x: tensor<1x2x4x4xf32>) {
  // expected-error @+2 {{needs an image of rank 3 or more and a positive size}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.lrn %x {size = 0 : i64, alpha = 1.0 : f32, beta = 1.0 : f32, bias = 1.0 : f32} : (tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32>
  return
}

// -----

func.func @pack_fold(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{fold must divide the last dimension of K, without winograd}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 2 : i64, fold = 4 : i64} : (tensor<2x3xf32>) -> tensor<2x2x2xf32>
  return
}

// -----

func.func @pack_groups(%x: tensor<2x3xf32>) {
  // expected-error @+2 {{groups must divide N}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 2 : i64, groups = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x2x2xf32>
  return
}

// -----

func.func @pack_element(%x: tensor<2x4xf32>) {
  // expected-error @+2 {{element must be f16, bf16 or tf32, of f32}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 2 : i64, element = f64} : (tensor<2x4xf32>) -> tensor<2x2x2xf64>
  return
}

// -----

func.func @pack_planes(%x: tensor<16x4xf32>) {
  // expected-error @+2 {{three of bf16 must be of f32, in panels of one column and sixteens of K}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pack %x {batch_dims = array<i64>, k_dims = array<i64: 0>, n_dims = array<i64: 1>, panel = 2 : i64, element = vector<3xbf16>} : (tensor<16x4xf32>) -> tensor<3x2x16x2xbf16>
  return
}

// -----

func.func @bitcast_shape(%x: tensor<2xf32>) {
  // expected-error @+1 {{'graph.bitcast' op changes the shape from 2 to 3}}
  %0 = graph.bitcast %x : (tensor<2xf32>) -> tensor<3xi32>
  return
}

// -----

func.func @bitcast_width(%x: tensor<2xf8E5M2>) {
  // expected-error @+1 {{'graph.bitcast' op changes the width of 'f8E5M2' to that of 'i4'}}
  %0 = graph.bitcast %x : (tensor<2xf8E5M2>) -> tensor<2xi4>
  return
}

// -----

func.func @det_not_square(%x: tensor<2x3x4xf32>) {
  // expected-error @+2 {{needs square matrices, got 2x3x4}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.det %x : (tensor<2x3x4xf32>) -> tensor<2xf32>
  return
}
