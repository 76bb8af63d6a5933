// RUN: tenon-opt %s -split-input-file -verify-diagnostics

func.func @constant_type() {
  // expected-error @+1 {{'graph.constant' op has a value of type 'tensor<2xf32>', not of its result's}}
  %0 = "graph.constant"() {value = dense<1.0> : tensor<2xf32>} : () -> tensor<3xf32>
  return
}

// -----

func.func @reshape_count(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.reshape' op changes the number of elements from 4 to 5}}
  %0 = graph.reshape %x : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_element(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.reshape' op changes the element type}}
  %0 = graph.reshape %x : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_element(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.broadcast' op changes the element type}}
  %0 = graph.broadcast %x : (tensor<4xf32>) -> tensor<4xi32>
  return
}

// -----

func.func @broadcast_result(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.broadcast' op cannot broadcast 4 to 4x5}}
  %0 = graph.broadcast %x : (tensor<4xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @transpose_order(%x: tensor<4x5xf32>) {
  // expected-error @+2 {{permutation must name each of the 2 dimensions once}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.transpose %x {permutation = array<i64: 0, 0>} : (tensor<4x5xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @slice_entries(%x: tensor<4xf32>) {
  // expected-error @+2 {{starts, sizes and steps need 1 entries}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.slice %x {starts = array<i64: 0, 0>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.slice' op has a negative size}}
  %0 = graph.slice %x {starts = array<i64: 0>, sizes = array<i64: -2>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_step(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.slice' op has a step of zero}}
  %0 = graph.slice %x {starts = array<i64: 0>, sizes = array<i64: 2>, steps = array<i64: 0>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @slice_outside(%x: tensor<4xf32>) {
  // expected-error @+1 {{'graph.slice' op reads outside of dimension 0: from 3 to 4 of 4}}
  %0 = graph.slice %x {starts = array<i64: 3>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @concat_axis(%x: tensor<4xf32>) {
  // expected-error @+2 {{axis 1 is outside of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.concat %x, %x {axis = 1 : i64} : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concat_none() {
  // expected-error @+2 {{needs an operand}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = "graph.concat"() {axis = 0 : i64} : () -> tensor<8xf32>
  return
}

// -----

func.func @concat_rank(%x: tensor<4xf32>, %y: tensor<4x1xf32>) {
  // expected-error @+2 {{operands differ in rank or element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.concat %x, %y {axis = 0 : i64} : (tensor<4xf32>, tensor<4x1xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @concat_dim(%x: tensor<4x2xf32>, %y: tensor<4x1xf32>) {
  // expected-error @+2 {{operands differ in dimension 1: 4x2 and 4x1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.concat %x, %y {axis = 0 : i64} : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<8x2xf32>
  return
}

// -----

func.func @pad_entries(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{low and high need 1 entries}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pad %x, %v {low = array<i64: 0, 1>, high = array<i64: 1>} : (tensor<4xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_value(%x: tensor<4xf32>, %v: tensor<1xf32>) {
  // expected-error @+2 {{value must be a scalar of the input's element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pad %x, %v {low = array<i64: 0>, high = array<i64: 1>} : (tensor<4xf32>, tensor<1xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_crop(%x: tensor<4xf32>, %v: tensor<f32>) {
  // expected-error @+2 {{crops more than dimension 0 has}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pad %x, %v {low = array<i64: -3>, high = array<i64: -2>} : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_nothing(%x: tensor<3x0xf32>) {
  // expected-error @+2 {{has nothing to repeat in dimension 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pad %x {low = array<i64: 0, 2>, high = array<i64: 0, 0>, mode = #graph<pad_mode wrap>} : (tensor<3x0xf32>) -> tensor<3x2xf32>
  return
}

// -----

func.func @gather_axis(%x: tensor<4xf32>, %i: tensor<2xi64>) {
  // expected-error @+2 {{axis 1 is outside of rank 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.gather %x, %i {axis = 1 : i64} : (tensor<4xf32>, tensor<2xi64>) -> tensor<2xf32>
  return
}

// -----

func.func @gather_rank(%x: tensor<4xf32>, %i: tensor<2x2xi64>) {
  // expected-error @+2 {{input and indices differ in rank}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.gather_elements %x, %i {axis = 0 : i64} : (tensor<4xf32>, tensor<2x2xi64>) -> tensor<2x2xf32>
  return
}

// -----

func.func @resize_scales(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'graph.resize' op needs one scale per dimension}}
  %0 = graph.resize %x {scales = array<f32: 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<4x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @resize_roi(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'graph.resize' op roi goes with tf_crop_and_resize and has two entries per dimension}}
  %0 = graph.resize %x {scales = array<f32: 2.0, 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode tf_crop_and_resize>, nearest_mode = #graph<nearest_mode floor>} : (tensor<4x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @resize_positive(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'graph.resize' op scales must be positive, or 0 where they follow from the sizes}}
  %0 = graph.resize %x {scales = array<f32: -1.0, 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<4x4xf32>) -> tensor<8x8xf32>
  return
}

// -----

func.func @resize_rank(%x: tensor<4x4xf32>) {
  // expected-error @+1 {{'graph.resize' op input and result differ in rank or element type}}
  %0 = graph.resize %x {scales = array<f32: 2.0, 2.0>, mode = #graph<resize_mode nearest>, coordinate_mode = #graph<coordinate_mode asymmetric>, nearest_mode = #graph<nearest_mode floor>} : (tensor<4x4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @layer_rank(%x: tensor<7x2xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x5x5xf32>) {
  // expected-error @+2 {{input, weights and recurrence need rank 3, the latter two static but for the length of inputs}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x2xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_weights(%x: tensor<7x2x3xf32>, %w: tensor<1x6x3xf32>, %r: tensor<1x5x5xf32>) {
  // expected-error @+2 {{weights must be [directions, gates * hidden, input]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x2x3xf32>, tensor<1x6x3xf32>, tensor<1x5x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_recurrence(%x: tensor<7x2x3xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x6x5xf32>) {
  // expected-error @+2 {{recurrence must be [directions, gates * hidden, hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x2x3xf32>, tensor<1x5x3xf32>, tensor<1x6x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_activations(%x: tensor<7x2x3xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x5x5xf32>) {
  // expected-error @+2 {{needs 1 activations}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh", "Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x2x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_bias(%x: tensor<7x2x3xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x5x5xf32>, %e: tensor<1x5xf32>) {
  // expected-error @+2 {{bias must be [directions, 2 * gates * hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r, %e {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 0, 0, 0>} : (tensor<7x2x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>, tensor<1x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_lengths(%x: tensor<7x2x3xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x5x5xf32>, %e: tensor<3xi32>) {
  // expected-error @+2 {{lengths must be [batch]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r, %e {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 1, 0, 0, 0>} : (tensor<7x2x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>, tensor<3xi32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_state(%x: tensor<7x2x3xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x5x5xf32>, %e: tensor<1x2x4xf32>) {
  // expected-error @+2 {{initial states must be [directions, batch, hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r, %e {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 1, 0, 0>} : (tensor<7x2x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>, tensor<1x2x4xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @layer_peephole(%x: tensor<7x2x3xf32>, %w: tensor<1x5x3xf32>, %r: tensor<1x5x5xf32>, %e: tensor<1x5xf32>) {
  // expected-error @+2 {{peephole must be [directions, 3 * hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrent %x, %w, %r, %e {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0, 1>} : (tensor<7x2x3xf32>, tensor<1x5x3xf32>, tensor<1x5x5xf32>, tensor<1x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @recurrence_rank(%g: tensor<7x2x5xf32>, %r: tensor<1x5x5xf32>) {
  // expected-error @+2 {{gates need rank 4, recurrence rank 3 and static}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrence %g, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x2x5xf32>, tensor<1x5x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @recurrence_gates(%g: tensor<7x1x2x6xf32>, %r: tensor<1x5x5xf32>) {
  // expected-error @+2 {{gates must be [steps, directions, batch, gates * hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrence %g, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x1x2x6xf32>, tensor<1x5x5xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @recurrence_matrix(%g: tensor<7x1x2x5xf32>, %r: tensor<1x5x6xf32>) {
  // expected-error @+2 {{recurrence must be [directions, hidden, gates * hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrence %g, %r {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0, 0>} : (tensor<7x1x2x5xf32>, tensor<1x5x6xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

func.func @recurrence_bias(%g: tensor<7x1x2x5xf32>, %r: tensor<1x5x5xf32>, %e: tensor<1x6xf32>) {
  // expected-error @+2 {{bias must be [directions, gates * hidden]}}
  // expected-error @+1 {{failed to infer returned types}}
  %0:3 = graph.recurrence %g, %r, %e {cell = #graph<cell rnn>, direction = #graph<direction forward>, activations = ["Tanh"], operandSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0, 0>} : (tensor<7x1x2x5xf32>, tensor<1x5x5xf32>, tensor<1x6xf32>) -> (tensor<7x1x2x5xf32>, tensor<1x2x5xf32>, tensor<1x2x5xf32>)
  return
}

// -----

// expected-error @+1 {{a symbol needs a name}}
func.func private @nameless(tensor<?xf32, #graph.dims<[""]>>)

// -----

// expected-error @+1 {{a size is an i64 of at least 0, not -1}}
func.func private @negative(tensor<?xf32, #graph.dims<[-1]>>)

// -----

// expected-error @+1 {{a dimension is a size, a name, an expression of these, or ?}}
func.func private @neither(tensor<?xf32, #graph.dims<[unit]>>)

// -----

// expected-error @+1 {{a dimension is a size, a name, an expression of these, or ?}}
func.func private @half(tensor<?xf32, #graph.dims<["n" + ]>>)

// -----

// expected-error @+1 {{a divisor must be positive}}
func.func private @divisor(tensor<?xf32, #graph.dims<["n" floordiv 0]>>)

// -----

// expected-error @+1 {{the encoding has 2 dimensions, the type 1}}
func.func private @count(tensor<?xf32, #graph.dims<["n", 2]>>)

// -----

// expected-error @+1 {{dimension 3 of the encoding disagrees with the type}}
func.func private @size(tensor<2xf32, #graph.dims<[3]>>)

// -----

// expected-error @+1 {{dimension 2 * n of the encoding disagrees with the type}}
func.func private @symbol(tensor<2xf32, #graph.dims<[2 * "n"]>>)

// -----

func.func @concat_of_symbols(%x: tensor<?x?xf32, #graph.dims<["n", "m"]>>, %y: tensor<?x?xf32, #graph.dims<["n" + 1, "m"]>>) {
  // expected-error @+2 {{operands differ in dimension 0: ?x? and ?x?}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.concat %x, %y {axis = 1} : (tensor<?x?xf32, #graph.dims<["n", "m"]>>, tensor<?x?xf32, #graph.dims<["n" + 1, "m"]>>) -> tensor<?x?xf32>
  return
}

// -----

// expected-error @+1 {{symbol 'n' has no value that satisfies its constraints}}
module attributes {graph.symbols = {n = {min = 5, max = 3}}} {}

// -----

// expected-error @+1 {{symbol 'n' has no fact 'maximum = 3}}
module attributes {graph.symbols = {n = {maximum = 3}}} {}

// -----

// expected-error @+1 {{symbol 'n' needs a dictionary}}
module attributes {graph.symbols = {n = 3}} {}

// -----

// expected-error @+1 {{graph.symbols is a dictionary of a module}}
func.func private @symbols() attributes {graph.symbols = {}}

// -----

// expected-error @+1 {{graph.typical is an array of positive sizes of a module}}
func.func private @symbols() attributes {graph.typical = array<i64: 3>}

// -----

// expected-error @+1 {{graph.typical is an array of positive sizes of a module}}
module attributes {graph.typical = array<i64: 3, 0>} {}

// -----

// expected-error @+1 {{graph.further is a number, or a list of positive sizes by name, of a module}}
module attributes {graph.further = 0 : i64} {}

// -----

// expected-error @+1 {{graph.further is a number, or a list of positive sizes by name, of a module}}
module attributes {graph.further = [{seq = 0 : i64}]} {}

// -----

// expected-error @+1 {{graph.further is a number, or a list of positive sizes by name, of a module}}
func.func private @further() attributes {graph.further = 3 : i64}

// -----

func.func @scatter_element(%x: tensor<4x2xf32>, %i: tensor<3xi64>, %u: tensor<3x2xf64>) {
  // expected-error @+2 {{input and updates differ in element type}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<4x2xf32>, tensor<3xi64>, tensor<3x2xf64>) -> tensor<4x2xf32>
  return
}

// -----

func.func @scatter_rank(%x: tensor<4x2xf32>, %i: tensor<3x1xi64>, %u: tensor<3x2xf32>) {
  // expected-error @+2 {{input needs rows, and indices must be a vector}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<4x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @scatter_rows(%x: tensor<4x2xf32>, %i: tensor<3xi64>, %u: tensor<3x5xf32>) {
  // expected-error @+2 {{updates of shape 3x5 do not fit input 4x2 and indices 3}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.scatter %x, %i, %u : (tensor<4x2xf32>, tensor<3xi64>, tensor<3x5xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @top_k(%x: tensor<4x2xf32>) {
  // expected-error @+2 {{k = 3 does not fit dimension 1 of 4x2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0, %1 = graph.top_k %x {axis = 1 : i64, k = 3 : i64} : (tensor<4x2xf32>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return
}

// -----

func.func @prefix(%x: tensor<4x2xf32>) {
  // expected-error @+2 {{axis 2 is outside of rank 2}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.prefix %x {axis = 2 : i64} : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @sizesOfOthers() -> tensor<3xi64> {
  // expected-error @+1 {{has 2 numbers for a result of 3}}
  %0 = graph.sizes {dims = #graph.dims<["n", 2]>} : () -> tensor<3xi64>
  return %0 : tensor<3xi64>
}

// -----

func.func @sizesUnknown() -> tensor<2xi64> {
  // expected-error @+1 {{has a number that is not known}}
  %0 = graph.sizes {dims = #graph.dims<["n", ?]>} : () -> tensor<2xi64>
  return %0 : tensor<2xi64>
}

// -----

func.func @sliceWithoutStart(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+1 {{has a start that is not known}}
  %0 = graph.slice %x {starts = array<i64: -9223372036854775808>, sizes = array<i64: 2>, steps = array<i64: 1>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @sliceDims(%x: tensor<4xf32>) -> tensor<2xf32> {
  // expected-error @+2 {{start_dims and size_dims need 1 entries}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.slice %x {starts = array<i64: -9223372036854775808>, sizes = array<i64: 2>, steps = array<i64: 1>, start_dims = #graph.dims<["n", 1]>} : (tensor<4xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @padDims(%x: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error @+2 {{low_dims and high_dims need 1 entries}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = graph.pad %x {low = array<i64: -9223372036854775808>, high = array<i64: 0>, low_dims = #graph.dims<["n", 1]>} : (tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
