// Loop nests, each against the interpreter.
func.func @relu(%x: tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32> {
  %r = kernel.group(%x) : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32> {
  ^bb0(%a: tensor<1x32x112x112xf32>):
    %0 = graph.relu %a : (tensor<1x32x112x112xf32>) -> tensor<1x32x112x112xf32>
    kernel.yield %0 : tensor<1x32x112x112xf32>
  }
  return %r : tensor<1x32x112x112xf32>
}
func.func @gelu(%x: tensor<128x3072xf32>, %c0: tensor<f32>, %b0: tensor<3072xf32>) -> tensor<128x3072xf32> {
  %r = kernel.group(%x, %c0, %b0) : (tensor<128x3072xf32>, tensor<f32>, tensor<3072xf32>) -> tensor<128x3072xf32> {
  ^bb0(%a0: tensor<128x3072xf32>, %c: tensor<f32>, %b: tensor<3072xf32>):
    %half = graph.constant dense<0.5> : tensor<f32>
    %one = graph.constant dense<1.0> : tensor<f32>
    %a = graph.add %a0, %b : (tensor<128x3072xf32>, tensor<3072xf32>) -> tensor<128x3072xf32>
    %0 = graph.mul %a, %c : (tensor<128x3072xf32>, tensor<f32>) -> tensor<128x3072xf32>
    %1 = graph.erf %0 : (tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %2 = graph.add %1, %one : (tensor<128x3072xf32>, tensor<f32>) -> tensor<128x3072xf32>
    %3 = graph.mul %a, %2 : (tensor<128x3072xf32>, tensor<128x3072xf32>) -> tensor<128x3072xf32>
    %4 = graph.mul %3, %half : (tensor<128x3072xf32>, tensor<f32>) -> tensor<128x3072xf32>
    kernel.yield %4 : tensor<128x3072xf32>
  }
  return %r : tensor<128x3072xf32>
}
func.func @softmax(%x: tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  %r = kernel.group(%x) : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32> {
  ^bb0(%a: tensor<12x128x128xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %s = graph.sub %a, %m : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    %e = graph.exp %s : (tensor<12x128x128xf32>) -> tensor<12x128x128xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 2>} : (tensor<12x128x128xf32>) -> tensor<12x128x1xf32>
    %y = graph.div %e, %t : (tensor<12x128x128xf32>, tensor<12x128x1xf32>) -> tensor<12x128x128xf32>
    kernel.yield %y : tensor<12x128x128xf32>
  }
  return %r : tensor<12x128x128xf32>
}
func.func @softmax_odd(%x: tensor<7x1x77xf32>) -> tensor<7x1x77xf32> {
  %r = kernel.group(%x) : (tensor<7x1x77xf32>) -> tensor<7x1x77xf32> {
  ^bb0(%a: tensor<7x1x77xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 2>} : (tensor<7x1x77xf32>) -> tensor<7x1x1xf32>
    %s = graph.sub %a, %m : (tensor<7x1x77xf32>, tensor<7x1x1xf32>) -> tensor<7x1x77xf32>
    %e = graph.exp %s : (tensor<7x1x77xf32>) -> tensor<7x1x77xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 2>} : (tensor<7x1x77xf32>) -> tensor<7x1x1xf32>
    %y = graph.div %e, %t : (tensor<7x1x77xf32>, tensor<7x1x1xf32>) -> tensor<7x1x77xf32>
    kernel.yield %y : tensor<7x1x77xf32>
  }
  return %r : tensor<7x1x77xf32>
}
func.func @softmax_mid(%x: tensor<3x33x45xf32>) -> tensor<3x33x45xf32> {
  %r = kernel.group(%x) : (tensor<3x33x45xf32>) -> tensor<3x33x45xf32> {
  ^bb0(%a: tensor<3x33x45xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>, keep_dims = false} : (tensor<3x33x45xf32>) -> tensor<3x45xf32>
    %mm = graph.reshape %m : (tensor<3x45xf32>) -> tensor<3x1x45xf32>
    %s = graph.sub %a, %mm : (tensor<3x33x45xf32>, tensor<3x1x45xf32>) -> tensor<3x33x45xf32>
    %e = graph.exp %s : (tensor<3x33x45xf32>) -> tensor<3x33x45xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 1>} : (tensor<3x33x45xf32>) -> tensor<3x1x45xf32>
    %y = graph.div %e, %t : (tensor<3x33x45xf32>, tensor<3x1x45xf32>) -> tensor<3x33x45xf32>
    kernel.yield %y : tensor<3x33x45xf32>
  }
  return %r : tensor<3x33x45xf32>
}
func.func @layernorm(%x: tensor<1x128x768xf32>, %g: tensor<768xf32>, %b: tensor<768xf32>, %z: tensor<1x128x768xf32>) -> (tensor<1x128x768xf32>, tensor<1x128x768xf32>) {
  %r:2 = kernel.group(%x, %g, %b, %z) : (tensor<1x128x768xf32>, tensor<768xf32>, tensor<768xf32>, tensor<1x128x768xf32>) -> (tensor<1x128x768xf32>, tensor<1x128x768xf32>) {
  ^bb0(%a0: tensor<1x128x768xf32>, %gg: tensor<768xf32>, %bb: tensor<768xf32>, %res: tensor<1x128x768xf32>):
    %a = graph.add %a0, %res : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %eps = graph.constant dense<1.0e-5> : tensor<f32>
    %m = graph.reduce_mean %a {axes = array<i64: 2>} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %d = graph.sub %a, %m : (tensor<1x128x768xf32>, tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %q = graph.mul %d, %d : (tensor<1x128x768xf32>, tensor<1x128x768xf32>) -> tensor<1x128x768xf32>
    %v = graph.reduce_mean %q {axes = array<i64: 2>} : (tensor<1x128x768xf32>) -> tensor<1x128x1xf32>
    %ve = graph.add %v, %eps : (tensor<1x128x1xf32>, tensor<f32>) -> tensor<1x128x1xf32>
    %rs = graph.rsqrt %ve : (tensor<1x128x1xf32>) -> tensor<1x128x1xf32>
    %n = graph.mul %d, %rs : (tensor<1x128x768xf32>, tensor<1x128x1xf32>) -> tensor<1x128x768xf32>
    %s = graph.mul %n, %gg : (tensor<1x128x768xf32>, tensor<768xf32>) -> tensor<1x128x768xf32>
    %y = graph.add %s, %bb : (tensor<1x128x768xf32>, tensor<768xf32>) -> tensor<1x128x768xf32>
    kernel.yield %y, %a : tensor<1x128x768xf32>, tensor<1x128x768xf32>
  }
  return %r#0, %r#1 : tensor<1x128x768xf32>, tensor<1x128x768xf32>
}
func.func @gap_nhwc(%x: tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32> {
  %r = kernel.group(%x) : (tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32> {
  ^bb0(%a: tensor<1x7x7x2048xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1, 2>} : (tensor<1x7x7x2048xf32>) -> tensor<1x1x1x2048xf32>
    kernel.yield %m : tensor<1x1x1x2048xf32>
  }
  return %r : tensor<1x1x1x2048xf32>
}
func.func @gap_odd(%x: tensor<2x9x11x37xf32>) -> tensor<2x37xf32> {
  %r = kernel.group(%x) : (tensor<2x9x11x37xf32>) -> tensor<2x37xf32> {
  ^bb0(%a: tensor<2x9x11x37xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 1, 2>, keep_dims = false} : (tensor<2x9x11x37xf32>) -> tensor<2x37xf32>
    kernel.yield %m : tensor<2x37xf32>
  }
  return %r : tensor<2x37xf32>
}
func.func @nchw_nhwc3(%x: tensor<1x3x224x224xf32>) -> tensor<1x224x224x3xf32> {
  %r = kernel.group(%x) : (tensor<1x3x224x224xf32>) -> tensor<1x224x224x3xf32> {
  ^bb0(%a: tensor<1x3x224x224xf32>):
    %m = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x224x224xf32>) -> tensor<1x224x224x3xf32>
    kernel.yield %m : tensor<1x224x224x3xf32>
  }
  return %r : tensor<1x224x224x3xf32>
}
func.func @nchw_nhwc(%x: tensor<1x96x56x56xf32>, %bias: tensor<96xf32>) -> tensor<1x56x56x96xf32> {
  %r = kernel.group(%x, %bias) : (tensor<1x96x56x56xf32>, tensor<96xf32>) -> tensor<1x56x56x96xf32> {
  ^bb0(%a: tensor<1x96x56x56xf32>, %b: tensor<96xf32>):
    %m = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x96x56x56xf32>) -> tensor<1x56x56x96xf32>
    %n = graph.add %m, %b : (tensor<1x56x56x96xf32>, tensor<96xf32>) -> tensor<1x56x56x96xf32>
    %o = graph.sigmoid %n : (tensor<1x56x56x96xf32>) -> tensor<1x56x56x96xf32>
    kernel.yield %o : tensor<1x56x56x96xf32>
  }
  return %r : tensor<1x56x56x96xf32>
}
func.func @nhwc_nchw_odd(%x: tensor<2x9x13x37xf32>) -> tensor<2x37x9x13xf32> {
  %r = kernel.group(%x) : (tensor<2x9x13x37xf32>) -> tensor<2x37x9x13xf32> {
  ^bb0(%a: tensor<2x9x13x37xf32>):
    %m = graph.transpose %a {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x9x13x37xf32>) -> tensor<2x37x9x13xf32>
    kernel.yield %m : tensor<2x37x9x13xf32>
  }
  return %r : tensor<2x37x9x13xf32>
}
func.func @attn_split(%x: tensor<1x128x768xf32>) -> tensor<1x12x128x64xf32> {
  %r = kernel.group(%x) : (tensor<1x128x768xf32>) -> tensor<1x12x128x64xf32> {
  ^bb0(%a: tensor<1x128x768xf32>):
    %s = graph.reshape %a : (tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32>
    %m = graph.transpose %s {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
    kernel.yield %m : tensor<1x12x128x64xf32>
  }
  return %r : tensor<1x12x128x64xf32>
}
func.func @attn_join(%x: tensor<1x12x128x64xf32>) -> tensor<128x768xf32> {
  %r = kernel.group(%x) : (tensor<1x12x128x64xf32>) -> tensor<128x768xf32> {
  ^bb0(%a: tensor<1x12x128x64xf32>):
    %m = graph.transpose %a {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x12x128x64xf32>) -> tensor<1x128x12x64xf32>
    %s = graph.reshape %m : (tensor<1x128x12x64xf32>) -> tensor<128x768xf32>
    kernel.yield %s : tensor<128x768xf32>
  }
  return %r : tensor<128x768xf32>
}
func.func @attn_kt(%x: tensor<1x128x768xf32>) -> tensor<1x12x64x128xf32> {
  %r = kernel.group(%x) : (tensor<1x128x768xf32>) -> tensor<1x12x64x128xf32> {
  ^bb0(%a: tensor<1x128x768xf32>):
    %s = graph.reshape %a : (tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32>
    %m = graph.transpose %s {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x64x128xf32>
    kernel.yield %m : tensor<1x12x64x128xf32>
  }
  return %r : tensor<1x12x64x128xf32>
}
func.func @qkv_slice(%x: tensor<1x128x2304xf32>) -> tensor<1x12x128x64xf32> {
  %r = kernel.group(%x) : (tensor<1x128x2304xf32>) -> tensor<1x12x128x64xf32> {
  ^bb0(%a: tensor<1x128x2304xf32>):
    %q = graph.slice %a {starts = array<i64: 0, 0, 768>, sizes = array<i64: 1, 128, 768>, steps = array<i64: 1, 1, 1>} : (tensor<1x128x2304xf32>) -> tensor<1x128x768xf32>
    %s = graph.reshape %q : (tensor<1x128x768xf32>) -> tensor<1x128x12x64xf32>
    %m = graph.transpose %s {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xf32>) -> tensor<1x12x128x64xf32>
    kernel.yield %m : tensor<1x12x128x64xf32>
  }
  return %r : tensor<1x12x128x64xf32>
}
func.func @glu_rev(%x: tensor<5x40xf32>) -> tensor<5x20xf32> {
  %r = kernel.group(%x) : (tensor<5x40xf32>) -> tensor<5x20xf32> {
  ^bb0(%a: tensor<5x40xf32>):
    %e = graph.tanh %a : (tensor<5x40xf32>) -> tensor<5x40xf32>
    %p = graph.slice %e {starts = array<i64: 0, 39>, sizes = array<i64: 5, 20>, steps = array<i64: 1, -2>} : (tensor<5x40xf32>) -> tensor<5x20xf32>
    %q = graph.slice %e {starts = array<i64: 0, 0>, sizes = array<i64: 5, 20>, steps = array<i64: 1, 1>} : (tensor<5x40xf32>) -> tensor<5x20xf32>
    %m = graph.mul %p, %q : (tensor<5x20xf32>, tensor<5x20xf32>) -> tensor<5x20xf32>
    kernel.yield %m : tensor<5x20xf32>
  }
  return %r : tensor<5x20xf32>
}
func.func @shuffle(%x: tensor<1x28x28x116xf32>) -> tensor<1x28x28x116xf32> {
  %r = kernel.group(%x) : (tensor<1x28x28x116xf32>) -> tensor<1x28x28x116xf32> {
  ^bb0(%a: tensor<1x28x28x116xf32>):
    %s = graph.reshape %a : (tensor<1x28x28x116xf32>) -> tensor<1x28x28x2x58xf32>
    %m = graph.transpose %s {permutation = array<i64: 0, 1, 2, 4, 3>} : (tensor<1x28x28x2x58xf32>) -> tensor<1x28x28x58x2xf32>
    %t = graph.reshape %m : (tensor<1x28x28x58x2xf32>) -> tensor<1x28x28x116xf32>
    kernel.yield %t : tensor<1x28x28x116xf32>
  }
  return %r : tensor<1x28x28x116xf32>
}
func.func @bias_mul(%x: tensor<1x56x56x24xf32>, %b: tensor<1x1x1x24xf32>, %c: tensor<1x56x56x24xf32>) -> tensor<1x56x56x24xf32> {
  %r = kernel.group(%x, %b, %c) : (tensor<1x56x56x24xf32>, tensor<1x1x1x24xf32>, tensor<1x56x56x24xf32>) -> tensor<1x56x56x24xf32> {
  ^bb0(%a: tensor<1x56x56x24xf32>, %bb: tensor<1x1x1x24xf32>, %cc: tensor<1x56x56x24xf32>):
    %0 = graph.mul %a, %bb : (tensor<1x56x56x24xf32>, tensor<1x1x1x24xf32>) -> tensor<1x56x56x24xf32>
    %1 = graph.add %0, %cc : (tensor<1x56x56x24xf32>, tensor<1x56x56x24xf32>) -> tensor<1x56x56x24xf32>
    kernel.yield %1 : tensor<1x56x56x24xf32>
  }
  return %r : tensor<1x56x56x24xf32>
}
func.func @copy(%x: tensor<1x128x768xf32>) -> tensor<1x128x768xf32> {
  %r = kernel.group(%x) : (tensor<1x128x768xf32>) -> tensor<1x128x768xf32> {
  ^bb0(%a: tensor<1x128x768xf32>):
    kernel.yield %a : tensor<1x128x768xf32>
  }
  return %r : tensor<1x128x768xf32>
}
func.func @scalar(%x: tensor<f32>) -> tensor<f32> {
  %r = kernel.group(%x) : (tensor<f32>) -> tensor<f32> {
  ^bb0(%a: tensor<f32>):
    %0 = graph.exp %a : (tensor<f32>) -> tensor<f32>
    kernel.yield %0 : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @total(%x: tensor<9x100xf32>) -> tensor<f32> {
  %r = kernel.group(%x) : (tensor<9x100xf32>) -> tensor<f32> {
  ^bb0(%a: tensor<9x100xf32>):
    %0 = graph.reduce_max %a {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<9x100xf32>) -> tensor<f32>
    %1 = graph.reduce_sum %a {axes = array<i64: 0, 1>, keep_dims = false} : (tensor<9x100xf32>) -> tensor<f32>
    %2 = graph.sub %0, %1 : (tensor<f32>, tensor<f32>) -> tensor<f32>
    kernel.yield %2 : tensor<f32>
  }
  return %r : tensor<f32>
}
func.func @ints(%x: tensor<3x50xi64>, %y: tensor<50xi64>) -> (tensor<3x50xi64>, tensor<3x50xf32>) {
  %r:2 = kernel.group(%x, %y) : (tensor<3x50xi64>, tensor<50xi64>) -> (tensor<3x50xi64>, tensor<3x50xf32>) {
  ^bb0(%a: tensor<3x50xi64>, %b: tensor<50xi64>):
    %0 = graph.div %a, %b : (tensor<3x50xi64>, tensor<50xi64>) -> tensor<3x50xi64>
    %m = graph.mod %a, %b : (tensor<3x50xi64>, tensor<50xi64>) -> tensor<3x50xi64>
    %l = graph.less %a, %m : (tensor<3x50xi64>, tensor<3x50xi64>) -> tensor<3x50xi1>
    %s = graph.select %l, %0, %m : (tensor<3x50xi1>, tensor<3x50xi64>, tensor<3x50xi64>) -> tensor<3x50xi64>
    %f = graph.cast %s : (tensor<3x50xi64>) -> tensor<3x50xf32>
    kernel.yield %s, %f : tensor<3x50xi64>, tensor<3x50xf32>
  }
  return %r#0, %r#1 : tensor<3x50xi64>, tensor<3x50xf32>
}
func.func @empty(%x: tensor<0x7xf32>) -> tensor<0x7xf32> {
  %r = kernel.group(%x) : (tensor<0x7xf32>) -> tensor<0x7xf32> {
  ^bb0(%a: tensor<0x7xf32>):
    %0 = graph.relu %a : (tensor<0x7xf32>) -> tensor<0x7xf32>
    kernel.yield %0 : tensor<0x7xf32>
  }
  return %r : tensor<0x7xf32>
}
func.func @empty_last(%x: tensor<3x0xf32>, %y: tensor<3x1xf32>) -> tensor<3x0xf32> {
  %r = kernel.group(%x, %y) : (tensor<3x0xf32>, tensor<3x1xf32>) -> tensor<3x0xf32> {
  ^bb0(%a: tensor<3x0xf32>, %b: tensor<3x1xf32>):
    %0 = graph.add %a, %b : (tensor<3x0xf32>, tensor<3x1xf32>) -> tensor<3x0xf32>
    kernel.yield %0 : tensor<3x0xf32>
  }
  return %r : tensor<3x0xf32>
}
func.func @empty_sum(%x: tensor<3x0xf32>) -> tensor<3x1xf32> {
  %r = kernel.group(%x) : (tensor<3x0xf32>) -> tensor<3x1xf32> {
  ^bb0(%a: tensor<3x0xf32>):
    %0 = graph.reduce_sum %a {axes = array<i64: 1>} : (tensor<3x0xf32>) -> tensor<3x1xf32>
    kernel.yield %0 : tensor<3x1xf32>
  }
  return %r : tensor<3x1xf32>
}
func.func @softmax_long(%x: tensor<5x2101xf32>) -> tensor<5x2101xf32> {
  %r = kernel.group(%x) : (tensor<5x2101xf32>) -> tensor<5x2101xf32> {
  ^bb0(%a: tensor<5x2101xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<5x2101xf32>) -> tensor<5x1xf32>
    %s = graph.sub %a, %m : (tensor<5x2101xf32>, tensor<5x1xf32>) -> tensor<5x2101xf32>
    %e = graph.exp %s : (tensor<5x2101xf32>) -> tensor<5x2101xf32>
    %t = graph.reduce_sum %e {axes = array<i64: 1>} : (tensor<5x2101xf32>) -> tensor<5x1xf32>
    %i = graph.reciprocal %t : (tensor<5x1xf32>) -> tensor<5x1xf32>
    %y = graph.mul %e, %i : (tensor<5x2101xf32>, tensor<5x1xf32>) -> tensor<5x2101xf32>
    kernel.yield %y : tensor<5x2101xf32>
  }
  return %r : tensor<5x2101xf32>
}
// Rows that are reduced together share the weights, not the offsets.
func.func @norm_odd(%x: tensor<2x7x45xf32>, %g: tensor<45xf32>, %b: tensor<2x1x45xf32>) -> tensor<2x7x45xf32> {
  %r = kernel.group(%x, %g, %b) : (tensor<2x7x45xf32>, tensor<45xf32>, tensor<2x1x45xf32>) -> tensor<2x7x45xf32> {
  ^bb0(%a: tensor<2x7x45xf32>, %gg: tensor<45xf32>, %bb: tensor<2x1x45xf32>):
    %m = graph.reduce_mean %a {axes = array<i64: 2>} : (tensor<2x7x45xf32>) -> tensor<2x7x1xf32>
    %d = graph.sub %a, %m : (tensor<2x7x45xf32>, tensor<2x7x1xf32>) -> tensor<2x7x45xf32>
    %q = graph.mul %d, %gg : (tensor<2x7x45xf32>, tensor<45xf32>) -> tensor<2x7x45xf32>
    %v = graph.reduce_sum %q {axes = array<i64: 2>} : (tensor<2x7x45xf32>) -> tensor<2x7x1xf32>
    %n = graph.add %q, %v : (tensor<2x7x45xf32>, tensor<2x7x1xf32>) -> tensor<2x7x45xf32>
    %y = graph.add %n, %bb : (tensor<2x7x45xf32>, tensor<2x1x45xf32>) -> tensor<2x7x45xf32>
    kernel.yield %y : tensor<2x7x45xf32>
  }
  return %r : tensor<2x7x45xf32>
}
func.func @extrema(%x: tensor<6x39xf32>) -> (tensor<6x1xf32>, tensor<6x1xf32>) {
  %r:2 = kernel.group(%x) : (tensor<6x39xf32>) -> (tensor<6x1xf32>, tensor<6x1xf32>) {
  ^bb0(%a: tensor<6x39xf32>):
    %m = graph.reduce_max %a {axes = array<i64: 1>} : (tensor<6x39xf32>) -> tensor<6x1xf32>
    %n = graph.reduce_min %a {axes = array<i64: 1>} : (tensor<6x39xf32>) -> tensor<6x1xf32>
    kernel.yield %m, %n : tensor<6x1xf32>, tensor<6x1xf32>
  }
  return %r#0, %r#1 : tensor<6x1xf32>, tensor<6x1xf32>
}
// Few channels are interleaved in registers.
func.func @few_2(%x: tensor<1x2x7x19xf32>) -> tensor<1x7x19x2xf32> {
  %r = kernel.group(%x) : (tensor<1x2x7x19xf32>) -> tensor<1x7x19x2xf32> {
  ^bb0(%a: tensor<1x2x7x19xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x2x7x19xf32>) -> tensor<1x7x19x2xf32>
    kernel.yield %0 : tensor<1x7x19x2xf32>
  }
  return %r : tensor<1x7x19x2xf32>
}
func.func @few_3(%x: tensor<2x3x5x37xf32>, %s: tensor<3xf32>) -> (tensor<2x5x37x3xf32>, tensor<2x5x37x3xf32>) {
  %r:2 = kernel.group(%x, %s) : (tensor<2x3x5x37xf32>, tensor<3xf32>) -> (tensor<2x5x37x3xf32>, tensor<2x5x37x3xf32>) {
  ^bb0(%a: tensor<2x3x5x37xf32>, %b: tensor<3xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x3x5x37xf32>) -> tensor<2x5x37x3xf32>
    %1 = graph.mul %0, %b : (tensor<2x5x37x3xf32>, tensor<3xf32>) -> tensor<2x5x37x3xf32>
    %2 = graph.relu %1 : (tensor<2x5x37x3xf32>) -> tensor<2x5x37x3xf32>
    kernel.yield %1, %2 : tensor<2x5x37x3xf32>, tensor<2x5x37x3xf32>
  }
  return %r#0, %r#1 : tensor<2x5x37x3xf32>, tensor<2x5x37x3xf32>
}
func.func @few_4(%x: tensor<1x4x3x21xf32>, %s: tensor<4xf32>) -> (tensor<1x3x21x4xf32>, tensor<1x3x21x4xf32>) {
  %r:2 = kernel.group(%x, %s) : (tensor<1x4x3x21xf32>, tensor<4xf32>) -> (tensor<1x3x21x4xf32>, tensor<1x3x21x4xf32>) {
  ^bb0(%a: tensor<1x4x3x21xf32>, %b: tensor<4xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x4x3x21xf32>) -> tensor<1x3x21x4xf32>
    %1 = graph.mul %0, %b : (tensor<1x3x21x4xf32>, tensor<4xf32>) -> tensor<1x3x21x4xf32>
    %2 = graph.relu %1 : (tensor<1x3x21x4xf32>) -> tensor<1x3x21x4xf32>
    kernel.yield %1, %2 : tensor<1x3x21x4xf32>, tensor<1x3x21x4xf32>
  }
  return %r#0, %r#1 : tensor<1x3x21x4xf32>, tensor<1x3x21x4xf32>
}
func.func @few_i8(%x: tensor<1x3x4x70xi8>) -> tensor<1x4x70x3xi8> {
  %r = kernel.group(%x) : (tensor<1x3x4x70xi8>) -> tensor<1x4x70x3xi8> {
  ^bb0(%a: tensor<1x3x4x70xi8>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x4x70xi8>) -> tensor<1x4x70x3xi8>
    kernel.yield %0 : tensor<1x4x70x3xi8>
  }
  return %r : tensor<1x4x70x3xi8>
}
func.func @few_i64(%x: tensor<1x4x4x9xi64>) -> tensor<1x4x9x4xi64> {
  %r = kernel.group(%x) : (tensor<1x4x4x9xi64>) -> tensor<1x4x9x4xi64> {
  ^bb0(%a: tensor<1x4x4x9xi64>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x4x4x9xi64>) -> tensor<1x4x9x4xi64>
    kernel.yield %0 : tensor<1x4x9x4xi64>
  }
  return %r : tensor<1x4x9x4xi64>
}
// Lines of results that go past the caches: with rests of what is read, and of
// elements of which a line has more.
func.func @lines_f32(%x: tensor<2x32x11x13xf32>) -> tensor<2x11x13x32xf32> {
  %r = kernel.group(%x) : (tensor<2x32x11x13xf32>) -> tensor<2x11x13x32xf32> {
  ^bb0(%a: tensor<2x32x11x13xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 0, 2, 3, 1>} : (tensor<2x32x11x13xf32>) -> tensor<2x11x13x32xf32>
    kernel.yield %0 : tensor<2x11x13x32xf32>
  }
  return %r : tensor<2x11x13x32xf32>
}
func.func @lines_f16(%x: tensor<64x77xf16>) -> tensor<77x64xf16> {
  %r = kernel.group(%x) : (tensor<64x77xf16>) -> tensor<77x64xf16> {
  ^bb0(%a: tensor<64x77xf16>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<64x77xf16>) -> tensor<77x64xf16>
    kernel.yield %0 : tensor<77x64xf16>
  }
  return %r : tensor<77x64xf16>
}
func.func @lines_i8(%x: tensor<128x70xi8>) -> tensor<70x128xi8> {
  %r = kernel.group(%x) : (tensor<128x70xi8>) -> tensor<70x128xi8> {
  ^bb0(%a: tensor<128x70xi8>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<128x70xi8>) -> tensor<70x128xi8>
    kernel.yield %0 : tensor<70x128xi8>
  }
  return %r : tensor<70x128xi8>
}
// Rests of squares, whose results are long runs.
func.func @lines_of_planes(%x: tensor<256x21xf32>) -> tensor<21x256xf32> {
  %r = kernel.group(%x) : (tensor<256x21xf32>) -> tensor<21x256xf32> {
  ^bb0(%a: tensor<256x21xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<256x21xf32>) -> tensor<21x256xf32>
    kernel.yield %0 : tensor<21x256xf32>
  }
  return %r : tensor<21x256xf32>
}
// Two results, of lines of different length.
func.func @lines_of_two(%x: tensor<64x45xf32>, %s: tensor<64xf32>) -> (tensor<45x64xf32>, tensor<45x64xf16>) {
  %r:2 = kernel.group(%x, %s) : (tensor<64x45xf32>, tensor<64xf32>) -> (tensor<45x64xf32>, tensor<45x64xf16>) {
  ^bb0(%a: tensor<64x45xf32>, %b: tensor<64xf32>):
    %0 = graph.transpose %a {permutation = array<i64: 1, 0>} : (tensor<64x45xf32>) -> tensor<45x64xf32>
    %1 = graph.mul %0, %b : (tensor<45x64xf32>, tensor<64xf32>) -> tensor<45x64xf32>
    %2 = graph.cast %1 : (tensor<45x64xf32>) -> tensor<45x64xf16>
    kernel.yield %1, %2 : tensor<45x64xf32>, tensor<45x64xf16>
  }
  return %r#0, %r#1 : tensor<45x64xf32>, tensor<45x64xf16>
}
