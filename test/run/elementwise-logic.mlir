// RUN: tenon-run --interpret %s
// Truth values, bits, comparisons, choices.

func.func @main() {
  %0 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  %1 = graph.constant dense<[true, false, true, false]> : tensor<4xi1>
  %2 = graph.and %0, %1
    : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %3 = graph.constant dense<[true, false, false, false]> : tensor<4xi1>
  check.expect_eq %2, %3 : tensor<4xi1>

  %4 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  %5 = graph.constant dense<[true, false, true, false]> : tensor<4xi1>
  %6 = graph.or %4, %5
    : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %7 = graph.constant dense<[true, true, true, false]> : tensor<4xi1>
  check.expect_eq %6, %7 : tensor<4xi1>

  %8 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  %9 = graph.constant dense<[true, false, true, false]> : tensor<4xi1>
  %10 = graph.xor %8, %9
    : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %11 = graph.constant dense<[false, true, true, false]> : tensor<4xi1>
  check.expect_eq %10, %11 : tensor<4xi1>

  %12 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  %13 = graph.not %12
    : (tensor<4xi1>) -> tensor<4xi1>
  %14 = graph.constant dense<[false, false, true, true]> : tensor<4xi1>
  check.expect_eq %13, %14 : tensor<4xi1>

  %15 = graph.constant dense<[12, -1]> : tensor<2xi8>
  %16 = graph.constant dense<[10, 127]> : tensor<2xi8>
  %17 = graph.and %15, %16
    : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %18 = graph.constant dense<[8, 127]> : tensor<2xi8>
  check.expect_eq %17, %18 : tensor<2xi8>

  %19 = graph.constant dense<[12]> : tensor<1xui32>
  %20 = graph.constant dense<[10]> : tensor<1xui32>
  %21 = graph.or %19, %20
    : (tensor<1xui32>, tensor<1xui32>) -> tensor<1xui32>
  %22 = graph.constant dense<[14]> : tensor<1xui32>
  check.expect_eq %21, %22 : tensor<1xui32>

  %23 = graph.constant dense<[12]> : tensor<1xi64>
  %24 = graph.constant dense<[10]> : tensor<1xi64>
  %25 = graph.xor %23, %24
    : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %26 = graph.constant dense<[6]> : tensor<1xi64>
  check.expect_eq %25, %26 : tensor<1xi64>

  %27 = graph.constant dense<[0, 5]> : tensor<2xui8>
  %28 = graph.not %27
    : (tensor<2xui8>) -> tensor<2xui8>
  %29 = graph.constant dense<[255, 250]> : tensor<2xui8>
  check.expect_eq %28, %29 : tensor<2xui8>

  // Shifts by the width or more give 0; to the right zeros come in.
  %30 = graph.constant dense<[1, 255, 3]> : tensor<3xui8>
  %31 = graph.constant dense<[7, 4, 8]> : tensor<3xui8>
  %32 = graph.shift_left %30, %31
    : (tensor<3xui8>, tensor<3xui8>) -> tensor<3xui8>
  %33 = graph.constant dense<[128, 240, 0]> : tensor<3xui8>
  check.expect_eq %32, %33 : tensor<3xui8>

  %34 = graph.constant dense<[-128, -1]> : tensor<2xi8>
  %35 = graph.constant dense<[7, 9]> : tensor<2xi8>
  %36 = graph.shift_right %34, %35
    : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %37 = graph.constant dense<[1, 0]> : tensor<2xi8>
  check.expect_eq %36, %37 : tensor<2xi8>

  %38 = graph.constant dense<[9223372036854775808, 5]> : tensor<2xui64>
  %39 = graph.constant dense<[63, 64]> : tensor<2xui64>
  %40 = graph.shift_right %38, %39
    : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  %41 = graph.constant dense<[1, 0]> : tensor<2xui64>
  check.expect_eq %40, %41 : tensor<2xui64>

  %42 = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %43 = graph.constant dense<[2.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %44 = graph.equal %42, %43
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %45 = graph.constant dense<[false, true, false]> : tensor<3xi1>
  check.expect_eq %44, %45 : tensor<3xi1>

  %46 = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %47 = graph.constant dense<[2.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %48 = graph.less %46, %47
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %49 = graph.constant dense<[true, false, false]> : tensor<3xi1>
  check.expect_eq %48, %49 : tensor<3xi1>

  %50 = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %51 = graph.constant dense<[2.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %52 = graph.less_equal %50, %51
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %53 = graph.constant dense<[true, true, false]> : tensor<3xi1>
  check.expect_eq %52, %53 : tensor<3xi1>

  %54 = graph.constant dense<[2.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %55 = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %56 = graph.greater %54, %55
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %57 = graph.constant dense<[true, false, false]> : tensor<3xi1>
  check.expect_eq %56, %57 : tensor<3xi1>

  %58 = graph.constant dense<[2.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %59 = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %60 = graph.greater_equal %58, %59
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xi1>
  %61 = graph.constant dense<[true, true, false]> : tensor<3xi1>
  check.expect_eq %60, %61 : tensor<3xi1>

  %62 = graph.constant dense<[200]> : tensor<1xui8>
  %63 = graph.constant dense<[100]> : tensor<1xui8>
  %64 = graph.less %62, %63
    : (tensor<1xui8>, tensor<1xui8>) -> tensor<1xi1>
  %65 = graph.constant dense<[false]> : tensor<1xi1>
  check.expect_eq %64, %65 : tensor<1xi1>

  %66 = graph.constant dense<[-56]> : tensor<1xi8>
  %67 = graph.constant dense<[100]> : tensor<1xi8>
  %68 = graph.less %66, %67
    : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi1>
  %69 = graph.constant dense<[true]> : tensor<1xi1>
  check.expect_eq %68, %69 : tensor<1xi1>

  %70 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  %71 = graph.constant dense<[true, false, true, false]> : tensor<4xi1>
  %72 = graph.equal %70, %71
    : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %73 = graph.constant dense<[true, false, false, true]> : tensor<4xi1>
  check.expect_eq %72, %73 : tensor<4xi1>

  %74 = graph.constant dense<[[true], [false]]> : tensor<2x1xi1>
  %75 = graph.constant dense<[1, 2]> : tensor<2xi64>
  %76 = graph.constant dense<7> : tensor<i64>
  %77 = graph.select %74, %75, %76
    : (tensor<2x1xi1>, tensor<2xi64>, tensor<i64>) -> tensor<2x2xi64>
  %78 = graph.constant dense<[[1, 2], [7, 7]]> : tensor<2x2xi64>
  check.expect_eq %77, %78 : tensor<2x2xi64>

  %79 = graph.constant dense<[true, false, true, false]> : tensor<4xi1>
  %80 = graph.constant dense<[0.0, 1.0, 2.0, 3.0]> : tensor<4xf16>
  %81 = graph.constant dense<[-0.0, -1.0, -2.0, -3.0]> : tensor<4xf16>
  %82 = graph.select %79, %80, %81
    : (tensor<4xi1>, tensor<4xf16>, tensor<4xf16>) -> tensor<4xf16>
  %83 = graph.constant dense<[0.0, -1.0, 2.0, -3.0]> : tensor<4xf16>
  check.expect_eq %82, %83 : tensor<4xf16>

  %84 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  %85 = graph.constant dense<[true, false, true, false]> : tensor<4xi1>
  %86 = graph.constant dense<[false, true, false, true]> : tensor<4xi1>
  %87 = graph.select %84, %85, %86
    : (tensor<4xi1>, tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
  %88 = graph.constant dense<[true, false, false, true]> : tensor<4xi1>
  check.expect_eq %87, %88 : tensor<4xi1>

  %89 = graph.constant dense<[1.0, 2.0, 0x7FC00000]> : tensor<3xf32>
  %90 = graph.is_nan %89
    : (tensor<3xf32>) -> tensor<3xi1>
  %91 = graph.constant dense<[false, false, true]> : tensor<3xi1>
  check.expect_eq %90, %91 : tensor<3xi1>

  %92 = graph.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.0]> : tensor<4xf32>
  %93 = graph.is_inf %92
    : (tensor<4xf32>) -> tensor<4xi1>
  %94 = graph.constant dense<[true, true, false, false]> : tensor<4xi1>
  check.expect_eq %93, %94 : tensor<4xi1>

  %95 = graph.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.0]> : tensor<4xf32>
  %96 = graph.is_inf %95 {detect_negative = false}
    : (tensor<4xf32>) -> tensor<4xi1>
  %97 = graph.constant dense<[true, false, false, false]> : tensor<4xi1>
  check.expect_eq %96, %97 : tensor<4xi1>

  %98 = graph.constant dense<[0x7F800000, 0xFF800000, 0x7FC00000, 0.0]> : tensor<4xf32>
  %99 = graph.is_inf %98 {detect_positive = false}
    : (tensor<4xf32>) -> tensor<4xi1>
  %100 = graph.constant dense<[false, true, false, false]> : tensor<4xi1>
  check.expect_eq %99, %100 : tensor<4xi1>
  return
}
