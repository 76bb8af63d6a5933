// RUN: tenon-run --interpret %s
// Functions of one real number.

func.func @main() {
  %0 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %1 = graph.abs %0
    : (tensor<5xf32>) -> tensor<5xf32>
  %2 = graph.constant dense<[2.0, 0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  check.expect_eq %1, %2 : tensor<5xf32>

  %3 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %4 = graph.neg %3
    : (tensor<5xf32>) -> tensor<5xf32>
  %5 = graph.constant dense<[2.0, 0.5, -0.0, -0.5, -2.0]> : tensor<5xf32>
  check.expect_eq %4, %5 : tensor<5xf32>

  %6 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %7 = graph.sign %6
    : (tensor<5xf32>) -> tensor<5xf32>
  %8 = graph.constant dense<[-1.0, -1.0, 0.0, 1.0, 1.0]> : tensor<5xf32>
  check.expect_eq %7, %8 : tensor<5xf32>

  %9 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %10 = graph.relu %9
    : (tensor<5xf32>) -> tensor<5xf32>
  %11 = graph.constant dense<[0.0, 0.0, 0.0, 0.5, 2.0]> : tensor<5xf32>
  check.expect_eq %10, %11 : tensor<5xf32>

  %12 = graph.constant dense<[0x7FC00000, -0.0]> : tensor<2xf32>
  %13 = graph.sign %12
    : (tensor<2xf32>) -> tensor<2xf32>
  %14 = graph.constant dense<[0x7FC00000, 0.0]> : tensor<2xf32>
  check.expect_eq %13, %14 : tensor<2xf32>

  %15 = graph.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %16 = graph.relu %15
    : (tensor<3xf32>) -> tensor<3xf32>
  %17 = graph.constant dense<[0x7F800000, 0.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_eq %16, %17 : tensor<3xf32>

  %18 = graph.constant dense<[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4, -2.6]> : tensor<8xf32>
  %19 = graph.round %18
    : (tensor<8xf32>) -> tensor<8xf32>
  %20 = graph.constant dense<[-2.0, -2.0, -0.0, 0.0, 2.0, 2.0, 2.0, -3.0]> : tensor<8xf32>
  check.expect_eq %19, %20 : tensor<8xf32>

  %21 = graph.constant dense<[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4, -2.6]> : tensor<8xf32>
  %22 = graph.ceil %21
    : (tensor<8xf32>) -> tensor<8xf32>
  %23 = graph.constant dense<[-2.0, -1.0, -0.0, 1.0, 2.0, 3.0, 3.0, -2.0]> : tensor<8xf32>
  check.expect_eq %22, %23 : tensor<8xf32>

  %24 = graph.constant dense<[-2.5, -1.5, -0.5, 0.5, 1.5, 2.5, 2.4, -2.6]> : tensor<8xf32>
  %25 = graph.floor %24
    : (tensor<8xf32>) -> tensor<8xf32>
  %26 = graph.constant dense<[-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 2.0, -3.0]> : tensor<8xf32>
  check.expect_eq %25, %26 : tensor<8xf32>

  %27 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %28 = graph.exp %27
    : (tensor<5xf32>) -> tensor<5xf32>
  %29 = graph.constant dense<[0.13533528, 0.60653067, 1.0, 1.6487212, 7.389056]> : tensor<5xf32>
  check.expect_close %28, %29 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %30 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %31 = graph.sin %30
    : (tensor<5xf32>) -> tensor<5xf32>
  %32 = graph.constant dense<[-0.9092974, -0.47942555, 0.0, 0.47942555, 0.9092974]> : tensor<5xf32>
  check.expect_close %31, %32 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %33 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %34 = graph.cos %33
    : (tensor<5xf32>) -> tensor<5xf32>
  %35 = graph.constant dense<[-0.41614684, 0.87758255, 1.0, 0.87758255, -0.41614684]> : tensor<5xf32>
  check.expect_close %34, %35 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %36 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %37 = graph.tan %36
    : (tensor<5xf32>) -> tensor<5xf32>
  %38 = graph.constant dense<[2.1850398, -0.5463025, 0.0, 0.5463025, -2.1850398]> : tensor<5xf32>
  check.expect_close %37, %38 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %39 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %40 = graph.atan %39
    : (tensor<5xf32>) -> tensor<5xf32>
  %41 = graph.constant dense<[-1.1071488, -0.4636476, 0.0, 0.4636476, 1.1071488]> : tensor<5xf32>
  check.expect_close %40, %41 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %42 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %43 = graph.sinh %42
    : (tensor<5xf32>) -> tensor<5xf32>
  %44 = graph.constant dense<[-3.6268604, -0.5210953, 0.0, 0.5210953, 3.6268604]> : tensor<5xf32>
  check.expect_close %43, %44 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %45 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %46 = graph.cosh %45
    : (tensor<5xf32>) -> tensor<5xf32>
  %47 = graph.constant dense<[3.7621956, 1.127626, 1.0, 1.127626, 3.7621956]> : tensor<5xf32>
  check.expect_close %46, %47 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %48 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %49 = graph.asinh %48
    : (tensor<5xf32>) -> tensor<5xf32>
  %50 = graph.constant dense<[-1.4436355, -0.4812118, 0.0, 0.4812118, 1.4436355]> : tensor<5xf32>
  check.expect_close %49, %50 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %51 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %52 = graph.tanh %51
    : (tensor<5xf32>) -> tensor<5xf32>
  %53 = graph.constant dense<[-0.9640276, -0.46211717, 0.0, 0.46211717, 0.9640276]> : tensor<5xf32>
  check.expect_close %52, %53 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %54 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %55 = graph.sigmoid %54
    : (tensor<5xf32>) -> tensor<5xf32>
  %56 = graph.constant dense<[0.11920292, 0.37754068, 0.5, 0.62245935, 0.8807971]> : tensor<5xf32>
  check.expect_close %55, %56 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %57 = graph.constant dense<[-2.0, -0.5, 0.0, 0.5, 2.0]> : tensor<5xf32>
  %58 = graph.erf %57
    : (tensor<5xf32>) -> tensor<5xf32>
  %59 = graph.constant dense<[-0.9953223, -0.5204999, 0.0, 0.5204999, 0.9953223]> : tensor<5xf32>
  check.expect_close %58, %59 {rtol = 1.0e-06, atol = 1.0e-07} : tensor<5xf32>

  %60 = graph.constant dense<[0.25, 1.0, 2.0, 9.0]> : tensor<4xf32>
  %61 = graph.log %60
    : (tensor<4xf32>) -> tensor<4xf32>
  %62 = graph.constant dense<[-1.3862944, 0.0, 0.6931472, 2.1972246]> : tensor<4xf32>
  check.expect_close %61, %62 {rtol = 1.0e-07, atol = 0.0e+00} : tensor<4xf32>

  %63 = graph.constant dense<[0.25, 1.0, 2.0, 9.0]> : tensor<4xf32>
  %64 = graph.sqrt %63
    : (tensor<4xf32>) -> tensor<4xf32>
  %65 = graph.constant dense<[0.5, 1.0, 1.4142135, 3.0]> : tensor<4xf32>
  check.expect_close %64, %65 {rtol = 1.0e-07, atol = 0.0e+00} : tensor<4xf32>

  %66 = graph.constant dense<[0.25, 1.0, 2.0, 9.0]> : tensor<4xf32>
  %67 = graph.rsqrt %66
    : (tensor<4xf32>) -> tensor<4xf32>
  %68 = graph.constant dense<[2.0, 1.0, 0.70710677, 0.33333334]> : tensor<4xf32>
  check.expect_close %67, %68 {rtol = 1.0e-07, atol = 0.0e+00} : tensor<4xf32>

  %69 = graph.constant dense<[0.25, 1.0, 2.0, 9.0]> : tensor<4xf32>
  %70 = graph.reciprocal %69
    : (tensor<4xf32>) -> tensor<4xf32>
  %71 = graph.constant dense<[4.0, 1.0, 0.5, 0.11111111]> : tensor<4xf32>
  check.expect_close %70, %71 {rtol = 1.0e-07, atol = 0.0e+00} : tensor<4xf32>

  %72 = graph.constant dense<[-0.5, 0.0, 0.5, 1.0]> : tensor<4xf32>
  %73 = graph.asin %72
    : (tensor<4xf32>) -> tensor<4xf32>
  %74 = graph.constant dense<[-0.5235988, 0.0, 0.5235988, 1.5707964]> : tensor<4xf32>
  check.expect_close %73, %74 {rtol = 1.0e-07, atol = 0.0e+00} : tensor<4xf32>

  %75 = graph.constant dense<[-0.5, 0.0, 0.5, 1.0]> : tensor<4xf32>
  %76 = graph.acos %75
    : (tensor<4xf32>) -> tensor<4xf32>
  %77 = graph.constant dense<[2.0943952, 1.5707964, 1.0471976, 0.0]> : tensor<4xf32>
  check.expect_close %76, %77 {rtol = 1.0e-07, atol = 0.0e+00} : tensor<4xf32>

  %78 = graph.constant dense<[-0.5, 0.0, 0.5, 1.0]> : tensor<4xf32>
  %79 = graph.atanh %78
    : (tensor<4xf32>) -> tensor<4xf32>
  %80 = graph.constant dense<[-0.54930615, 0.0, 0.54930615, 0x7F800000]> : tensor<4xf32>
  check.expect_close %79, %80 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<4xf32>

  %81 = graph.constant dense<[1.0, 2.0, 0.5]> : tensor<3xf32>
  %82 = graph.acosh %81
    : (tensor<3xf32>) -> tensor<3xf32>
  %83 = graph.constant dense<[0.0, 1.316958, 0x7FC00000]> : tensor<3xf32>
  check.expect_close %82, %83 {rtol = 1.0e-06, atol = 1.0e-06} : tensor<3xf32>

  // Outside of the domain, at infinity.
  %84 = graph.constant dense<[0.0, -1.0]> : tensor<2xf32>
  %85 = graph.log %84
    : (tensor<2xf32>) -> tensor<2xf32>
  %86 = graph.constant dense<[0xFF800000, 0x7FC00000]> : tensor<2xf32>
  check.expect_eq %85, %86 : tensor<2xf32>

  %87 = graph.constant dense<[-1.0, 4.0]> : tensor<2xf32>
  %88 = graph.sqrt %87
    : (tensor<2xf32>) -> tensor<2xf32>
  %89 = graph.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  check.expect_eq %88, %89 : tensor<2xf32>

  %90 = graph.constant dense<[0x7F800000, 0xFF800000, 1000.0]> : tensor<3xf32>
  %91 = graph.exp %90
    : (tensor<3xf32>) -> tensor<3xf32>
  %92 = graph.constant dense<[0x7F800000, 0.0, 0x7F800000]> : tensor<3xf32>
  check.expect_eq %91, %92 : tensor<3xf32>

  %93 = graph.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000]> : tensor<3xf32>
  %94 = graph.tanh %93
    : (tensor<3xf32>) -> tensor<3xf32>
  %95 = graph.constant dense<[1.0, -1.0, 0x7FC00000]> : tensor<3xf32>
  check.expect_eq %94, %95 : tensor<3xf32>

  %96 = graph.constant dense<[0x7F800000, 0xFF800000]> : tensor<2xf32>
  %97 = graph.erf %96
    : (tensor<2xf32>) -> tensor<2xf32>
  %98 = graph.constant dense<[1.0, -1.0]> : tensor<2xf32>
  check.expect_eq %97, %98 : tensor<2xf32>

  %99 = graph.constant dense<[-1000.0, 1000.0]> : tensor<2xf32>
  %100 = graph.sigmoid %99
    : (tensor<2xf32>) -> tensor<2xf32>
  %101 = graph.constant dense<[0.0, 1.0]> : tensor<2xf32>
  check.expect_eq %100, %101 : tensor<2xf32>

  %102 = graph.constant dense<[1.0]> : tensor<1xf64>
  %103 = graph.exp %102
    : (tensor<1xf64>) -> tensor<1xf64>
  %104 = graph.constant dense<[2.718281828459045e+00]> : tensor<1xf64>
  check.expect_eq %103, %104 : tensor<1xf64>

  %105 = graph.constant dense<[1.0]> : tensor<1xf16>
  %106 = graph.exp %105
    : (tensor<1xf16>) -> tensor<1xf16>
  %107 = graph.constant dense<[2.719]> : tensor<1xf16>
  check.expect_eq %106, %107 : tensor<1xf16>

  %108 = graph.constant dense<[2.0]> : tensor<1xbf16>
  %109 = graph.sqrt %108
    : (tensor<1xbf16>) -> tensor<1xbf16>
  %110 = graph.constant dense<[1.4140625]> : tensor<1xbf16>
  check.expect_eq %109, %110 : tensor<1xbf16>
  return
}
