// Loop nests whose extents are known when they run.
!bsn = tensor<?x?x200xf32, #graph.dims<["b", "s", 200]>>
!bs1 = tensor<?x?x1xf32, #graph.dims<["b", "s", 1]>>
func.func @layer_norm(%x: !bsn, %scale: tensor<200xf32>, %bias: tensor<200xf32>) -> !bsn {
  %r = kernel.group(%x, %scale, %bias) : (!bsn, tensor<200xf32>, tensor<200xf32>) -> !bsn {
  ^bb0(%a: !bsn, %g: tensor<200xf32>, %h: tensor<200xf32>):
    %epsilon = graph.constant dense<1.0e-5> : tensor<f32>
    %m = graph.reduce_mean %a {axes = array<i64: 2>} : (!bsn) -> !bs1
    %d = graph.sub %a, %m : (!bsn, !bs1) -> !bsn
    %q = graph.mul %d, %d : (!bsn, !bsn) -> !bsn
    %v = graph.reduce_mean %q {axes = array<i64: 2>} : (!bsn) -> !bs1
    %e = graph.add %v, %epsilon : (!bs1, tensor<f32>) -> !bs1
    %i = graph.rsqrt %e : (!bs1) -> !bs1
    %n = graph.mul %d, %i : (!bsn, !bs1) -> !bsn
    %s = graph.mul %n, %g : (!bsn, tensor<200xf32>) -> !bsn
    %y = graph.add %s, %h : (!bsn, tensor<200xf32>) -> !bsn
    kernel.yield %y : !bsn
  }
  return %r : !bsn
}

!bhst = tensor<?x3x?x?xf32, #graph.dims<["b", 3, "s", "t"]>>
!bhs1 = tensor<?x3x?x1xf32, #graph.dims<["b", 3, "s", 1]>>
!mask = tensor<?x1x1x?xf32, #graph.dims<["b", 1, 1, "t"]>>
func.func @softmax(%x: !bhst, %mask: !mask) -> !bhst {
  %r = kernel.group(%x, %mask) : (!bhst, !mask) -> !bhst {
  ^bb0(%a0: !bhst, %m0: !mask):
    %a = graph.add %a0, %m0 : (!bhst, !mask) -> !bhst
    %m = graph.reduce_max %a {axes = array<i64: 3>} : (!bhst) -> !bhs1
    %s = graph.sub %a, %m : (!bhst, !bhs1) -> !bhst
    %e = graph.exp %s : (!bhst) -> !bhst
    %t = graph.reduce_sum %e {axes = array<i64: 3>} : (!bhst) -> !bhs1
    %y = graph.div %e, %t : (!bhst, !bhs1) -> !bhst
    kernel.yield %y : !bhst
  }
  return %r : !bhst
}

!bsm = tensor<?x?x30xf32, #graph.dims<["b", "s", 30]>>
func.func @gelu(%x: !bsm, %bias: tensor<30xf32>) -> !bsm {
  %r = kernel.group(%x, %bias) : (!bsm, tensor<30xf32>) -> !bsm {
  ^bb0(%a0: !bsm, %b: tensor<30xf32>):
    %half = graph.constant dense<0.5> : tensor<f32>
    %one = graph.constant dense<1.0> : tensor<f32>
    %c = graph.constant dense<0.70710678> : tensor<f32>
    %a = graph.add %a0, %b : (!bsm, tensor<30xf32>) -> !bsm
    %0 = graph.mul %a, %c : (!bsm, tensor<f32>) -> !bsm
    %1 = graph.erf %0 : (!bsm) -> !bsm
    %2 = graph.add %1, %one : (!bsm, tensor<f32>) -> !bsm
    %3 = graph.mul %a, %2 : (!bsm, !bsm) -> !bsm
    %4 = graph.mul %3, %half : (!bsm, tensor<f32>) -> !bsm
    kernel.yield %4 : !bsm
  }
  return %r : !bsm
}

!n = tensor<?xf32, #graph.dims<["n"]>>
func.func @negate(%x: !n) -> !n {
  %r = kernel.group(%x) : (!n) -> !n {
  ^bb0(%a: !n):
    %0 = graph.neg %a : (!n) -> !n
    kernel.yield %0 : !n
  }
  return %r : !n
}

!bshd = tensor<?x?x48xf32, #graph.dims<["b", "s", 48]>>
!split = tensor<?x?x3x16xf32, #graph.dims<["b", "s", 3, 16]>>
!heads = tensor<?x3x?x16xf32, #graph.dims<["b", 3, "s", 16]>>
func.func @split_heads(%x: !bshd) -> !heads {
  %r = kernel.group(%x) : (!bshd) -> !heads {
  ^bb0(%a: !bshd):
    %0 = graph.reshape %a : (!bshd) -> !split
    %1 = graph.transpose %0 {permutation = array<i64: 0, 2, 1, 3>} : (!split) -> !heads
    kernel.yield %1 : !heads
  }
  return %r : !heads
}
!rows = tensor<?x48xf32, #graph.dims<["b" * "s", 48]>>
func.func @merge_heads(%x: !heads) -> !rows {
  %r = kernel.group(%x) : (!heads) -> !rows {
  ^bb0(%a: !heads):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 1, 3>} : (!heads) -> !split
    %1 = graph.reshape %0 : (!split) -> !rows
    %2 = graph.neg %1 : (!rows) -> !rows
    kernel.yield %2 : !rows
  }
  return %r : !rows
}

!keys = tensor<?x3x?x?xf32, #graph.dims<["b", 3, "s", "t"]>>
!turned = tensor<?x3x?x?xf32, #graph.dims<["b", 3, "t", "s"]>>
func.func @transpose(%x: !keys) -> !turned {
  %r = kernel.group(%x) : (!keys) -> !turned {
  ^bb0(%a: !keys):
    %0 = graph.transpose %a {permutation = array<i64: 0, 1, 3, 2>} : (!keys) -> !turned
    kernel.yield %0 : !turned
  }
  return %r : !turned
}
func.func @transpose_long(%x: !keys, %y: !turned) -> !turned {
  %r = kernel.group(%x, %y) : (!keys, !turned) -> !turned {
  ^bb0(%a: !keys, %b: !turned):
    %0 = graph.transpose %a {permutation = array<i64: 0, 1, 3, 2>} : (!keys) -> !turned
    %1 = graph.exp %0 : (!turned) -> !turned
    %2 = graph.add %1, %b : (!turned, !turned) -> !turned
    %3 = graph.mul %2, %b : (!turned, !turned) -> !turned
    kernel.yield %3 : !turned
  }
  return %r : !turned
}

!image = tensor<?x3x?x?xf32, #graph.dims<["b", 3, "s", "t"]>>
!pixels = tensor<?x?x?x3xf32, #graph.dims<["b", "s", "t", 3]>>
func.func @to_pixels(%x: !image) -> !pixels {
  %r = kernel.group(%x) : (!image) -> !pixels {
  ^bb0(%a: !image):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (!image) -> !pixels
    kernel.yield %0 : !pixels
  }
  return %r : !pixels
}
func.func @from_pixels(%x: !pixels) -> !image {
  %r = kernel.group(%x) : (!pixels) -> !image {
  ^bb0(%a: !pixels):
    %0 = graph.transpose %a {permutation = array<i64: 0, 3, 1, 2>} : (!pixels) -> !image
    kernel.yield %0 : !image
  }
  return %r : !image
}

// Reductions.
func.func @sum_rows(%x: tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<?x1xf32, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<?x1xf32, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xf32, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_sum %a {axes = array<i64: 1>} : (tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<?x1xf32, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xf32, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xf32, #graph.dims<["s", 1]>>
}
func.func @sum_columns(%x: tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<1x?xf32, #graph.dims<[1, "t"]>> {
  %r = kernel.group(%x) : (tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<1x?xf32, #graph.dims<[1, "t"]>> {
  ^bb0(%a: tensor<?x?xf32, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_sum %a {axes = array<i64: 0>} : (tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<1x?xf32, #graph.dims<[1, "t"]>>
    kernel.yield %0 : tensor<1x?xf32, #graph.dims<[1, "t"]>>
  }
  return %r : tensor<1x?xf32, #graph.dims<[1, "t"]>>
}
func.func @mean_rows(%x: tensor<?x5x?xf32, #graph.dims<["b", 5, "t"]>>) -> tensor<?x5x1xf32, #graph.dims<["b", 5, 1]>> {
  %r = kernel.group(%x) : (tensor<?x5x?xf32, #graph.dims<["b", 5, "t"]>>) -> tensor<?x5x1xf32, #graph.dims<["b", 5, 1]>> {
  ^bb0(%a: tensor<?x5x?xf32, #graph.dims<["b", 5, "t"]>>):
    %0 = graph.reduce_mean %a {axes = array<i64: 2>} : (tensor<?x5x?xf32, #graph.dims<["b", 5, "t"]>>) -> tensor<?x5x1xf32, #graph.dims<["b", 5, 1]>>
    kernel.yield %0 : tensor<?x5x1xf32, #graph.dims<["b", 5, 1]>>
  }
  return %r : tensor<?x5x1xf32, #graph.dims<["b", 5, 1]>>
}
func.func @mean_middle(%x: tensor<?x?x20xf16, #graph.dims<["b", "s", 20]>>) -> tensor<?x1x20xf16, #graph.dims<["b", 1, 20]>> {
  %r = kernel.group(%x) : (tensor<?x?x20xf16, #graph.dims<["b", "s", 20]>>) -> tensor<?x1x20xf16, #graph.dims<["b", 1, 20]>> {
  ^bb0(%a: tensor<?x?x20xf16, #graph.dims<["b", "s", 20]>>):
    %0 = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<?x?x20xf16, #graph.dims<["b", "s", 20]>>) -> tensor<?x1x20xf16, #graph.dims<["b", 1, 20]>>
    kernel.yield %0 : tensor<?x1x20xf16, #graph.dims<["b", 1, 20]>>
  }
  return %r : tensor<?x1x20xf16, #graph.dims<["b", 1, 20]>>
}
func.func @max_rows(%x: tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<?x1xf32, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<?x1xf32, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xf32, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<?x?xf32, #graph.dims<["s", "t"]>>) -> tensor<?x1xf32, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xf32, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xf32, #graph.dims<["s", 1]>>
}
func.func @sum_all(%x: tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1xf32> {
  %r = kernel.group(%x) : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1xf32> {
  ^bb0(%a: tensor<?xf32, #graph.dims<["n"]>>):
    %0 = graph.reduce_sum %a {axes = array<i64: 0>} : (tensor<?xf32, #graph.dims<["n"]>>) -> tensor<1xf32>
    kernel.yield %0 : tensor<1xf32>
  }
  return %r : tensor<1xf32>
}
func.func @mean_image(%x: tensor<?x?x?x8xf32, #graph.dims<["b", "s", "t", 8]>>) -> tensor<?x1x1x8xf32, #graph.dims<["b", 1, 1, 8]>> {
  %r = kernel.group(%x) : (tensor<?x?x?x8xf32, #graph.dims<["b", "s", "t", 8]>>) -> tensor<?x1x1x8xf32, #graph.dims<["b", 1, 1, 8]>> {
  ^bb0(%a: tensor<?x?x?x8xf32, #graph.dims<["b", "s", "t", 8]>>):
    %0 = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<?x?x?x8xf32, #graph.dims<["b", "s", "t", 8]>>) -> tensor<?x1x1x8xf32, #graph.dims<["b", 1, 1, 8]>>
    kernel.yield %0 : tensor<?x1x1x8xf32, #graph.dims<["b", 1, 1, 8]>>
  }
  return %r : tensor<?x1x1x8xf32, #graph.dims<["b", 1, 1, 8]>>
}
func.func @sum_outer(%x: tensor<?x6x?xf32, #graph.dims<["s", 6, "t"]>>) -> tensor<1x6x1xf32> {
  %r = kernel.group(%x) : (tensor<?x6x?xf32, #graph.dims<["s", 6, "t"]>>) -> tensor<1x6x1xf32> {
  ^bb0(%a: tensor<?x6x?xf32, #graph.dims<["s", 6, "t"]>>):
    %0 = graph.reduce_sum %a {axes = array<i64: 0, 2>} : (tensor<?x6x?xf32, #graph.dims<["s", 6, "t"]>>) -> tensor<1x6x1xf32>
    kernel.yield %0 : tensor<1x6x1xf32>
  }
  return %r : tensor<1x6x1xf32>
}
func.func @max_i32(%x: tensor<?x?xi32, #graph.dims<["s", "t"]>>) -> tensor<?x1xi32, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xi32, #graph.dims<["s", "t"]>>) -> tensor<?x1xi32, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xi32, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<?x?xi32, #graph.dims<["s", "t"]>>) -> tensor<?x1xi32, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xi32, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xi32, #graph.dims<["s", 1]>>
}
func.func @sum_i64(%x: tensor<?x?xi64, #graph.dims<["s", "t"]>>) -> tensor<?x1xi64, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xi64, #graph.dims<["s", "t"]>>) -> tensor<?x1xi64, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xi64, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_sum %a {axes = array<i64: 1>} : (tensor<?x?xi64, #graph.dims<["s", "t"]>>) -> tensor<?x1xi64, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xi64, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xi64, #graph.dims<["s", 1]>>
}
func.func @mean_i32(%x: tensor<?x?xi32, #graph.dims<["s", "t"]>>) -> tensor<?x1xi32, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xi32, #graph.dims<["s", "t"]>>) -> tensor<?x1xi32, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xi32, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_mean %a {axes = array<i64: 1>} : (tensor<?x?xi32, #graph.dims<["s", "t"]>>) -> tensor<?x1xi32, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xi32, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xi32, #graph.dims<["s", 1]>>
}
func.func @min_u8(%x: tensor<?x?xui8, #graph.dims<["s", "t"]>>) -> tensor<?x1xui8, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xui8, #graph.dims<["s", "t"]>>) -> tensor<?x1xui8, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xui8, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_min %a {axes = array<i64: 1>} : (tensor<?x?xui8, #graph.dims<["s", "t"]>>) -> tensor<?x1xui8, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xui8, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xui8, #graph.dims<["s", 1]>>
}
func.func @sum_f64(%x: tensor<?x?xf64, #graph.dims<["s", "t"]>>) -> tensor<?x1xf64, #graph.dims<["s", 1]>> {
  %r = kernel.group(%x) : (tensor<?x?xf64, #graph.dims<["s", "t"]>>) -> tensor<?x1xf64, #graph.dims<["s", 1]>> {
  ^bb0(%a: tensor<?x?xf64, #graph.dims<["s", "t"]>>):
    %0 = graph.reduce_sum %a {axes = array<i64: 1>} : (tensor<?x?xf64, #graph.dims<["s", "t"]>>) -> tensor<?x1xf64, #graph.dims<["s", 1]>>
    kernel.yield %0 : tensor<?x1xf64, #graph.dims<["s", 1]>>
  }
  return %r : tensor<?x1xf64, #graph.dims<["s", 1]>>
}

// Other types, slices, broadcasts.
!st = tensor<?x?xf32, #graph.dims<["s", "t"]>>
!sti = tensor<?x?xi1, #graph.dims<["s", "t"]>>
!stb = tensor<?x?xi8, #graph.dims<["s", "t"]>>
!sth = tensor<?x?xf16, #graph.dims<["s", "t"]>>
func.func @compare(%x: !st, %y: !st) -> !sti {
  %r = kernel.group(%x, %y) : (!st, !st) -> !sti {
  ^bb0(%a: !st, %b: !st):
    %0 = graph.less %a, %b : (!st, !st) -> !sti
    kernel.yield %0 : !sti
  }
  return %r : !sti
}
func.func @select(%c: !sti, %x: !st, %y: !st) -> !st {
  %r = kernel.group(%c, %x, %y) : (!sti, !st, !st) -> !st {
  ^bb0(%i: !sti, %a: !st, %b: !st):
    %0 = graph.select %i, %a, %b : (!sti, !st, !st) -> !st
    kernel.yield %0 : !st
  }
  return %r : !st
}
func.func @bytes(%x: !stb, %y: !stb) -> !stb {
  %r = kernel.group(%x, %y) : (!stb, !stb) -> !stb {
  ^bb0(%a: !stb, %b: !stb):
    %0 = graph.add %a, %b : (!stb, !stb) -> !stb
    kernel.yield %0 : !stb
  }
  return %r : !stb
}
func.func @half(%x: !sth) -> !sth {
  %r = kernel.group(%x) : (!sth) -> !sth {
  ^bb0(%a: !sth):
    %0 = graph.mul %a, %a : (!sth, !sth) -> !sth
    kernel.yield %0 : !sth
  }
  return %r : !sth
}
!wide = tensor<?x10xf32, #graph.dims<["s", 10]>>
!narrow = tensor<?x4xf32, #graph.dims<["s", 4]>>
func.func @slice(%x: !wide) -> !narrow {
  %r = kernel.group(%x) : (!wide) -> !narrow {
  ^bb0(%a: !wide):
    %0 = graph.slice %a {starts = array<i64: 0, 9>, sizes = array<i64: -9223372036854775808, 4>, steps = array<i64: 1, -2>} : (!wide) -> !narrow
    kernel.yield %0 : !narrow
  }
  return %r : !narrow
}
!sv = tensor<?x?xf32, #graph.dims<["s", "v"]>>
!uv = tensor<?x?xf32, #graph.dims<["u", "v"]>>
!both = tensor<?x?xf32, #graph.dims<["broadcast(s, u)", "v"]>>
func.func @repeat_rows(%x: !sv, %y: !uv) -> !both {
  %r = kernel.group(%x, %y) : (!sv, !uv) -> !both {
  ^bb0(%a: !sv, %b: !uv):
    %0 = graph.add %a, %b : (!sv, !uv) -> !both
    kernel.yield %0 : !both
  }
  return %r : !both
}
!vs = tensor<?x?xf32, #graph.dims<["v", "s"]>>
!vu = tensor<?x?xf32, #graph.dims<["v", "u"]>>
!last = tensor<?x?xf32, #graph.dims<["v", "broadcast(s, u)"]>>
func.func @repeat_columns(%x: !vs, %y: !vu) -> !last {
  %r = kernel.group(%x, %y) : (!vs, !vu) -> !last {
  ^bb0(%a: !vs, %b: !vu):
    %e = graph.exp %a : (!vs) -> !vs
    %0 = graph.add %e, %b : (!vs, !vu) -> !last
    kernel.yield %0 : !last
  }
  return %r : !last
}
!sf = tensor<?x20xf32, #graph.dims<["s", 20]>>
!tf = tensor<?x?xf32, #graph.dims<["s", "w"]>>
func.func @repeat_to_size(%x: !sf, %y: !tf) -> !sf {
  %r = kernel.group(%x, %y) : (!sf, !tf) -> !sf {
  ^bb0(%a: !sf, %b: !tf):
    %0 = graph.add %a, %b : (!sf, !tf) -> !sf
    kernel.yield %0 : !sf
  }
  return %r : !sf
}
!table = tensor<64x10xf32>
func.func @slice_from(%x: !table) -> !wide {
  %r = kernel.group(%x) : (!table) -> !wide {
  ^bb0(%a: !table):
    %0 = graph.slice %a {starts = array<i64: -9223372036854775808, 0>, start_dims = #graph.dims<["p", 0]>, sizes = array<i64: -9223372036854775808, 10>, size_dims = #graph.dims<["s", 10]>, steps = array<i64: 1, 1>} : (!table) -> !wide
    %1 = graph.neg %0 : (!wide) -> !wide
    kernel.yield %1 : !wide
  }
  return %r : !wide
}
