// Every element-wise operation on every element type, against the interpreter.
// One group per type and arity; 37 elements leave a tail for each vector width.
func.func @unary_f32(%x0: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>) {
  %r:28 = kernel.group(%x0) : (tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf32>):
    %0 = graph.abs %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %1 = graph.neg %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %2 = graph.sign %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %3 = graph.relu %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %4 = graph.exp %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %5 = graph.log %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %6 = graph.sqrt %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %7 = graph.rsqrt %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %8 = graph.reciprocal %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %9 = graph.ceil %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %10 = graph.floor %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %11 = graph.round %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %12 = graph.sin %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %13 = graph.cos %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %14 = graph.tan %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %15 = graph.asin %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %16 = graph.acos %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %17 = graph.atan %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %18 = graph.sinh %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %19 = graph.cosh %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %20 = graph.asinh %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %21 = graph.acosh %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %22 = graph.atanh %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %23 = graph.tanh %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %24 = graph.erf %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %25 = graph.sigmoid %a0 : (tensor<37xf32>) -> tensor<37xf32>
    %26 = graph.is_nan %a0 : (tensor<37xf32>) -> tensor<37xi1>
    %27 = graph.is_inf %a0 : (tensor<37xf32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22, %r#23, %r#24, %r#25, %r#26, %r#27 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>
}
func.func @binary_f32(%x0: tensor<37xf32>, %x1: tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:13 = kernel.group(%x0, %x1) : (tensor<37xf32>, tensor<37xf32>) -> (tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf32>, %a1: tensor<37xf32>):
    %0 = graph.add %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %1 = graph.sub %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %2 = graph.mul %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %3 = graph.div %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %4 = graph.max %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %5 = graph.min %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %6 = graph.pow %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %7 = graph.mod %a0, %a1 {fmod = true} : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    %8 = graph.equal %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xi1>
    %9 = graph.less %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xi1>
    %10 = graph.less_equal %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xi1>
    %11 = graph.greater %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xi1>
    %12 = graph.greater_equal %a0, %a1 : (tensor<37xf32>, tensor<37xf32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12 : tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xf32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @unary_f64(%x0: tensor<37xf64>) -> (tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>) {
  %r:28 = kernel.group(%x0) : (tensor<37xf64>) -> (tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf64>):
    %0 = graph.abs %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %1 = graph.neg %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %2 = graph.sign %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %3 = graph.relu %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %4 = graph.exp %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %5 = graph.log %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %6 = graph.sqrt %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %7 = graph.rsqrt %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %8 = graph.reciprocal %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %9 = graph.ceil %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %10 = graph.floor %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %11 = graph.round %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %12 = graph.sin %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %13 = graph.cos %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %14 = graph.tan %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %15 = graph.asin %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %16 = graph.acos %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %17 = graph.atan %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %18 = graph.sinh %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %19 = graph.cosh %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %20 = graph.asinh %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %21 = graph.acosh %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %22 = graph.atanh %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %23 = graph.tanh %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %24 = graph.erf %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %25 = graph.sigmoid %a0 : (tensor<37xf64>) -> tensor<37xf64>
    %26 = graph.is_nan %a0 : (tensor<37xf64>) -> tensor<37xi1>
    %27 = graph.is_inf %a0 : (tensor<37xf64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 : tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22, %r#23, %r#24, %r#25, %r#26, %r#27 : tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>
}
func.func @binary_f64(%x0: tensor<37xf64>, %x1: tensor<37xf64>) -> (tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:13 = kernel.group(%x0, %x1) : (tensor<37xf64>, tensor<37xf64>) -> (tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf64>, %a1: tensor<37xf64>):
    %0 = graph.add %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %1 = graph.sub %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %2 = graph.mul %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %3 = graph.div %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %4 = graph.max %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %5 = graph.min %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %6 = graph.pow %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %7 = graph.mod %a0, %a1 {fmod = true} : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xf64>
    %8 = graph.equal %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xi1>
    %9 = graph.less %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xi1>
    %10 = graph.less_equal %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xi1>
    %11 = graph.greater %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xi1>
    %12 = graph.greater_equal %a0, %a1 : (tensor<37xf64>, tensor<37xf64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12 : tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xf64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @unary_f16(%x0: tensor<37xf16>) -> (tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>) {
  %r:28 = kernel.group(%x0) : (tensor<37xf16>) -> (tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf16>):
    %0 = graph.abs %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %1 = graph.neg %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %2 = graph.sign %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %3 = graph.relu %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %4 = graph.exp %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %5 = graph.log %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %6 = graph.sqrt %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %7 = graph.rsqrt %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %8 = graph.reciprocal %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %9 = graph.ceil %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %10 = graph.floor %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %11 = graph.round %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %12 = graph.sin %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %13 = graph.cos %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %14 = graph.tan %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %15 = graph.asin %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %16 = graph.acos %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %17 = graph.atan %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %18 = graph.sinh %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %19 = graph.cosh %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %20 = graph.asinh %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %21 = graph.acosh %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %22 = graph.atanh %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %23 = graph.tanh %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %24 = graph.erf %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %25 = graph.sigmoid %a0 : (tensor<37xf16>) -> tensor<37xf16>
    %26 = graph.is_nan %a0 : (tensor<37xf16>) -> tensor<37xi1>
    %27 = graph.is_inf %a0 : (tensor<37xf16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 : tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22, %r#23, %r#24, %r#25, %r#26, %r#27 : tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>
}
func.func @binary_f16(%x0: tensor<37xf16>, %x1: tensor<37xf16>) -> (tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:13 = kernel.group(%x0, %x1) : (tensor<37xf16>, tensor<37xf16>) -> (tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf16>, %a1: tensor<37xf16>):
    %0 = graph.add %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %1 = graph.sub %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %2 = graph.mul %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %3 = graph.div %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %4 = graph.max %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %5 = graph.min %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %6 = graph.pow %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %7 = graph.mod %a0, %a1 {fmod = true} : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xf16>
    %8 = graph.equal %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xi1>
    %9 = graph.less %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xi1>
    %10 = graph.less_equal %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xi1>
    %11 = graph.greater %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xi1>
    %12 = graph.greater_equal %a0, %a1 : (tensor<37xf16>, tensor<37xf16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12 : tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @unary_bf16(%x0: tensor<37xbf16>) -> (tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>) {
  %r:28 = kernel.group(%x0) : (tensor<37xbf16>) -> (tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xbf16>):
    %0 = graph.abs %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %1 = graph.neg %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %2 = graph.sign %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %3 = graph.relu %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %4 = graph.exp %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %5 = graph.log %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %6 = graph.sqrt %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %7 = graph.rsqrt %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %8 = graph.reciprocal %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %9 = graph.ceil %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %10 = graph.floor %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %11 = graph.round %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %12 = graph.sin %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %13 = graph.cos %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %14 = graph.tan %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %15 = graph.asin %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %16 = graph.acos %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %17 = graph.atan %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %18 = graph.sinh %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %19 = graph.cosh %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %20 = graph.asinh %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %21 = graph.acosh %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %22 = graph.atanh %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %23 = graph.tanh %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %24 = graph.erf %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %25 = graph.sigmoid %a0 : (tensor<37xbf16>) -> tensor<37xbf16>
    %26 = graph.is_nan %a0 : (tensor<37xbf16>) -> tensor<37xi1>
    %27 = graph.is_inf %a0 : (tensor<37xbf16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27 : tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22, %r#23, %r#24, %r#25, %r#26, %r#27 : tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>
}
func.func @binary_bf16(%x0: tensor<37xbf16>, %x1: tensor<37xbf16>) -> (tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:13 = kernel.group(%x0, %x1) : (tensor<37xbf16>, tensor<37xbf16>) -> (tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xbf16>, %a1: tensor<37xbf16>):
    %0 = graph.add %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %1 = graph.sub %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %2 = graph.mul %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %3 = graph.div %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %4 = graph.max %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %5 = graph.min %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %6 = graph.pow %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %7 = graph.mod %a0, %a1 {fmod = true} : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xbf16>
    %8 = graph.equal %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xi1>
    %9 = graph.less %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xi1>
    %10 = graph.less_equal %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xi1>
    %11 = graph.greater %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xi1>
    %12 = graph.greater_equal %a0, %a1 : (tensor<37xbf16>, tensor<37xbf16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12 : tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12 : tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xbf16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_i8(%x0: tensor<37xi8>, %x1: tensor<37xi8>) -> (tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xi8>, tensor<37xi8>) -> (tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi8>, %a1: tensor<37xi8>):
    %0 = graph.abs %a0 : (tensor<37xi8>) -> tensor<37xi8>
    %1 = graph.neg %a0 : (tensor<37xi8>) -> tensor<37xi8>
    %2 = graph.sign %a0 : (tensor<37xi8>) -> tensor<37xi8>
    %3 = graph.relu %a0 : (tensor<37xi8>) -> tensor<37xi8>
    %4 = graph.not %a0 : (tensor<37xi8>) -> tensor<37xi8>
    %5 = graph.add %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %6 = graph.sub %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %7 = graph.mul %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %8 = graph.div %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %9 = graph.max %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %10 = graph.min %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %11 = graph.pow %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %12 = graph.mod %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %13 = graph.and %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %14 = graph.or %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %15 = graph.xor %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi8>
    %18 = graph.equal %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xi8>, tensor<37xi8>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_i16(%x0: tensor<37xi16>, %x1: tensor<37xi16>) -> (tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xi16>, tensor<37xi16>) -> (tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi16>, %a1: tensor<37xi16>):
    %0 = graph.abs %a0 : (tensor<37xi16>) -> tensor<37xi16>
    %1 = graph.neg %a0 : (tensor<37xi16>) -> tensor<37xi16>
    %2 = graph.sign %a0 : (tensor<37xi16>) -> tensor<37xi16>
    %3 = graph.relu %a0 : (tensor<37xi16>) -> tensor<37xi16>
    %4 = graph.not %a0 : (tensor<37xi16>) -> tensor<37xi16>
    %5 = graph.add %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %6 = graph.sub %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %7 = graph.mul %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %8 = graph.div %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %9 = graph.max %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %10 = graph.min %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %11 = graph.pow %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %12 = graph.mod %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %13 = graph.and %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %14 = graph.or %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %15 = graph.xor %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi16>
    %18 = graph.equal %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xi16>, tensor<37xi16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_i32(%x0: tensor<37xi32>, %x1: tensor<37xi32>) -> (tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xi32>, tensor<37xi32>) -> (tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi32>, %a1: tensor<37xi32>):
    %0 = graph.abs %a0 : (tensor<37xi32>) -> tensor<37xi32>
    %1 = graph.neg %a0 : (tensor<37xi32>) -> tensor<37xi32>
    %2 = graph.sign %a0 : (tensor<37xi32>) -> tensor<37xi32>
    %3 = graph.relu %a0 : (tensor<37xi32>) -> tensor<37xi32>
    %4 = graph.not %a0 : (tensor<37xi32>) -> tensor<37xi32>
    %5 = graph.add %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %6 = graph.sub %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %7 = graph.mul %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %8 = graph.div %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %9 = graph.max %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %10 = graph.min %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %11 = graph.pow %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %12 = graph.mod %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %13 = graph.and %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %14 = graph.or %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %15 = graph.xor %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi32>
    %18 = graph.equal %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xi32>, tensor<37xi32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_i64(%x0: tensor<37xi64>, %x1: tensor<37xi64>) -> (tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xi64>, tensor<37xi64>) -> (tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi64>, %a1: tensor<37xi64>):
    %0 = graph.abs %a0 : (tensor<37xi64>) -> tensor<37xi64>
    %1 = graph.neg %a0 : (tensor<37xi64>) -> tensor<37xi64>
    %2 = graph.sign %a0 : (tensor<37xi64>) -> tensor<37xi64>
    %3 = graph.relu %a0 : (tensor<37xi64>) -> tensor<37xi64>
    %4 = graph.not %a0 : (tensor<37xi64>) -> tensor<37xi64>
    %5 = graph.add %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %6 = graph.sub %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %7 = graph.mul %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %8 = graph.div %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %9 = graph.max %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %10 = graph.min %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %11 = graph.pow %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %12 = graph.mod %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %13 = graph.and %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %14 = graph.or %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %15 = graph.xor %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi64>
    %18 = graph.equal %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xi64>, tensor<37xi64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_ui8(%x0: tensor<37xui8>, %x1: tensor<37xui8>) -> (tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xui8>, tensor<37xui8>) -> (tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui8>, %a1: tensor<37xui8>):
    %0 = graph.abs %a0 : (tensor<37xui8>) -> tensor<37xui8>
    %1 = graph.neg %a0 : (tensor<37xui8>) -> tensor<37xui8>
    %2 = graph.sign %a0 : (tensor<37xui8>) -> tensor<37xui8>
    %3 = graph.relu %a0 : (tensor<37xui8>) -> tensor<37xui8>
    %4 = graph.not %a0 : (tensor<37xui8>) -> tensor<37xui8>
    %5 = graph.add %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %6 = graph.sub %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %7 = graph.mul %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %8 = graph.div %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %9 = graph.max %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %10 = graph.min %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %11 = graph.pow %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %12 = graph.mod %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %13 = graph.and %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %14 = graph.or %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %15 = graph.xor %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xui8>
    %18 = graph.equal %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xui8>, tensor<37xui8>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xui8>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_ui16(%x0: tensor<37xui16>, %x1: tensor<37xui16>) -> (tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xui16>, tensor<37xui16>) -> (tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui16>, %a1: tensor<37xui16>):
    %0 = graph.abs %a0 : (tensor<37xui16>) -> tensor<37xui16>
    %1 = graph.neg %a0 : (tensor<37xui16>) -> tensor<37xui16>
    %2 = graph.sign %a0 : (tensor<37xui16>) -> tensor<37xui16>
    %3 = graph.relu %a0 : (tensor<37xui16>) -> tensor<37xui16>
    %4 = graph.not %a0 : (tensor<37xui16>) -> tensor<37xui16>
    %5 = graph.add %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %6 = graph.sub %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %7 = graph.mul %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %8 = graph.div %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %9 = graph.max %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %10 = graph.min %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %11 = graph.pow %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %12 = graph.mod %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %13 = graph.and %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %14 = graph.or %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %15 = graph.xor %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xui16>
    %18 = graph.equal %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xui16>, tensor<37xui16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xui16>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_ui32(%x0: tensor<37xui32>, %x1: tensor<37xui32>) -> (tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xui32>, tensor<37xui32>) -> (tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui32>, %a1: tensor<37xui32>):
    %0 = graph.abs %a0 : (tensor<37xui32>) -> tensor<37xui32>
    %1 = graph.neg %a0 : (tensor<37xui32>) -> tensor<37xui32>
    %2 = graph.sign %a0 : (tensor<37xui32>) -> tensor<37xui32>
    %3 = graph.relu %a0 : (tensor<37xui32>) -> tensor<37xui32>
    %4 = graph.not %a0 : (tensor<37xui32>) -> tensor<37xui32>
    %5 = graph.add %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %6 = graph.sub %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %7 = graph.mul %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %8 = graph.div %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %9 = graph.max %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %10 = graph.min %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %11 = graph.pow %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %12 = graph.mod %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %13 = graph.and %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %14 = graph.or %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %15 = graph.xor %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xui32>
    %18 = graph.equal %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xui32>, tensor<37xui32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xui32>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @integer_ui64(%x0: tensor<37xui64>, %x1: tensor<37xui64>) -> (tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  %r:23 = kernel.group(%x0, %x1) : (tensor<37xui64>, tensor<37xui64>) -> (tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui64>, %a1: tensor<37xui64>):
    %0 = graph.abs %a0 : (tensor<37xui64>) -> tensor<37xui64>
    %1 = graph.neg %a0 : (tensor<37xui64>) -> tensor<37xui64>
    %2 = graph.sign %a0 : (tensor<37xui64>) -> tensor<37xui64>
    %3 = graph.relu %a0 : (tensor<37xui64>) -> tensor<37xui64>
    %4 = graph.not %a0 : (tensor<37xui64>) -> tensor<37xui64>
    %5 = graph.add %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %6 = graph.sub %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %7 = graph.mul %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %8 = graph.div %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %9 = graph.max %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %10 = graph.min %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %11 = graph.pow %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %12 = graph.mod %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %13 = graph.and %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %14 = graph.or %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %15 = graph.xor %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %16 = graph.shift_left %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %17 = graph.shift_right %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xui64>
    %18 = graph.equal %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xi1>
    %19 = graph.less %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xi1>
    %20 = graph.less_equal %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xi1>
    %21 = graph.greater %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xi1>
    %22 = graph.greater_equal %a0, %a1 : (tensor<37xui64>, tensor<37xui64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22 : tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11, %r#12, %r#13, %r#14, %r#15, %r#16, %r#17, %r#18, %r#19, %r#20, %r#21, %r#22 : tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xui64>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>
}
func.func @cast_i8(%x0: tensor<37xi8>) -> (tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xi8>) -> (tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi8>):
    %0 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xi16>
    %1 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xi32>
    %2 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xi64>
    %3 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xui8>
    %4 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xui16>
    %5 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xui32>
    %6 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xi8>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_i16(%x0: tensor<37xi16>) -> (tensor<37xi8>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xi16>) -> (tensor<37xi8>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi16>):
    %0 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xi32>
    %2 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xi64>
    %3 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xui8>
    %4 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xui16>
    %5 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xui32>
    %6 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xi16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_i32(%x0: tensor<37xi32>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xi32>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi32>):
    %0 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xi64>
    %3 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xui8>
    %4 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xui16>
    %5 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xui32>
    %6 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xi32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_i64(%x0: tensor<37xi64>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xi64>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xi64>):
    %0 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xui8>
    %4 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xui16>
    %5 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xui32>
    %6 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xi64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_ui8(%x0: tensor<37xui8>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xui8>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui8>):
    %0 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xui16>
    %5 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xui32>
    %6 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xui8>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_ui16(%x0: tensor<37xui16>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xui16>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui16>):
    %0 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xui32>
    %6 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xui16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_ui32(%x0: tensor<37xui32>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xui32>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui32>):
    %0 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xui64>
    %7 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xui32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_ui64(%x0: tensor<37xui64>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xui64>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xui64>):
    %0 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xui32>
    %7 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xf32>
    %8 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xui64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_f32(%x0: tensor<37xf32>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xf32>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf32>):
    %0 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xui32>
    %7 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xui64>
    %8 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xf64>
    %9 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xf32>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_f64(%x0: tensor<37xf64>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xf64>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf64>):
    %0 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xui32>
    %7 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xui64>
    %8 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xf32>
    %9 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xf16>
    %10 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xf64>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf16>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_f16(%x0: tensor<37xf16>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xbf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xf16>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xbf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xf16>):
    %0 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xui32>
    %7 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xui64>
    %8 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xf32>
    %9 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xf64>
    %10 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xbf16>
    %11 = graph.cast %a0 : (tensor<37xf16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xbf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xbf16>, tensor<37xi1>
}
func.func @cast_bf16(%x0: tensor<37xbf16>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xi1>) {
  %r:12 = kernel.group(%x0) : (tensor<37xbf16>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xi1>) {
  ^bb0(%a0: tensor<37xbf16>):
    %0 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xui32>
    %7 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xui64>
    %8 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xf32>
    %9 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xf64>
    %10 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xf16>
    %11 = graph.cast %a0 : (tensor<37xbf16>) -> tensor<37xi1>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xi1>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xi1>
}
func.func @cast_i1(%x0: tensor<37xi1>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>) {
  %r:12 = kernel.group(%x0) : (tensor<37xi1>) -> (tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>) {
  ^bb0(%a0: tensor<37xi1>):
    %0 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xi8>
    %1 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xi16>
    %2 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xi32>
    %3 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xi64>
    %4 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xui8>
    %5 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xui16>
    %6 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xui32>
    %7 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xui64>
    %8 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xf32>
    %9 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xf64>
    %10 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xf16>
    %11 = graph.cast %a0 : (tensor<37xi1>) -> tensor<37xbf16>
    kernel.yield %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5, %r#6, %r#7, %r#8, %r#9, %r#10, %r#11 : tensor<37xi8>, tensor<37xi16>, tensor<37xi32>, tensor<37xi64>, tensor<37xui8>, tensor<37xui16>, tensor<37xui32>, tensor<37xui64>, tensor<37xf32>, tensor<37xf64>, tensor<37xf16>, tensor<37xbf16>
}
func.func @logic(%x0: tensor<37xi1>, %x1: tensor<37xi1>, %x2: tensor<37xf32>, %x3: tensor<37xf32>) -> (tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xf32>) {
  %r:5 = kernel.group(%x0, %x1, %x2, %x3) : (tensor<37xi1>, tensor<37xi1>, tensor<37xf32>, tensor<37xf32>) -> (tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xf32>) {
  ^bb0(%a0: tensor<37xi1>, %a1: tensor<37xi1>, %a2: tensor<37xf32>, %a3: tensor<37xf32>):
    %0 = graph.and %a0, %a1 : (tensor<37xi1>, tensor<37xi1>) -> tensor<37xi1>
    %1 = graph.or %a0, %a1 : (tensor<37xi1>, tensor<37xi1>) -> tensor<37xi1>
    %2 = graph.xor %a0, %a1 : (tensor<37xi1>, tensor<37xi1>) -> tensor<37xi1>
    %3 = graph.not %a0 : (tensor<37xi1>) -> tensor<37xi1>
    %4 = graph.select %a0, %a2, %a3 : (tensor<37xi1>, tensor<37xf32>, tensor<37xf32>) -> tensor<37xf32>
    kernel.yield %0, %1, %2, %3, %4 : tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xf32>
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4 : tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xi1>, tensor<37xf32>
}
