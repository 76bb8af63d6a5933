// RUN: tenon-opt %s --tenon-lower-kernels=target=avx512 --split-input-file --verify-diagnostics

// Plans that somebody wrote, of a transposition.

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @vector(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has a vector loop that does not exist}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 7}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @number(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has a number below one}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, unroll = 0}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @lanes(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has lanes that no vector has}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, lanes = 3}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @together(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has more vectors or rows at once than registers hold}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, unroll = 9}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @both(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has loops that are transposed and interleaved}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, transposed = 0, interleaved = 0}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @transposed(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops transposes what is not contiguous along another loop}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, transposed = 1}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @interleaved(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops interleaves results that do not lie beside each other}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, interleaved = 0}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @squares(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has several squares at once}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, lanes = 4, transposed = 0, unroll = 2}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @jam(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops has rows at once that are not reduced along lanes}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, jam = 4}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @overlap(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops overlaps single rows}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, overlap = 1}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @ahead(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops asks for rows that are not reduced along lanes}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, ahead = 4}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @samples(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops takes samples of no mean and variance}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, samples = 1}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}

// -----

!x = !memory.buffer<tensor<32x64xf32>, [64, 1], 0, 8192>
!y = !memory.buffer<tensor<64x32xf32>, [32, 1], 0, 8192>
func.func @online(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  // expected-error@+1 {{the schedule of the loops computes in one pass what is no softmax of single rows}}
  %0 = kernel.group(%x) {buffers = [!x, !y], plan = #kernel.plan<"loops", {vector = 1, online = 1}>, halos = [array<i64>], packs = [unit], scratch = array<i64>} : (tensor<32x64xf32>) -> tensor<64x32xf32> {
  ^bb0(%v: tensor<32x64xf32>):
    %1 = graph.transpose %v {permutation = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
    kernel.yield %1 : tensor<64x32xf32>
  }
  return %0 : tensor<64x32xf32>
}
