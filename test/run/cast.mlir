// RUN: tenon-run --interpret %s
// Conversions of the element type.

func.func @main() {
  // To integers: toward zero, saturating, NaN to 0.
  %0 = graph.constant dense<[1.9, -1.9, 300.0, -300.0, 0x7FC00000, 0x7F800000]> : tensor<6xf32>
  %1 = graph.cast %0
    : (tensor<6xf32>) -> tensor<6xi8>
  %2 = graph.constant dense<[1, -1, 127, -128, 0, 127]> : tensor<6xi8>
  check.expect_eq %1, %2 : tensor<6xi8>

  %3 = graph.constant dense<[1.9, -1.9, 300.0, -300.0, 0x7FC00000, 0x7F800000]> : tensor<6xf32>
  %4 = graph.cast %3
    : (tensor<6xf32>) -> tensor<6xui8>
  %5 = graph.constant dense<[1, 0, 255, 0, 0, 255]> : tensor<6xui8>
  check.expect_eq %4, %5 : tensor<6xui8>

  %6 = graph.constant dense<[3000000000.0, -3000000000.0, 1.0e+20]> : tensor<3xf32>
  %7 = graph.cast %6
    : (tensor<3xf32>) -> tensor<3xi32>
  %8 = graph.constant dense<[2147483647, -2147483648, 2147483647]> : tensor<3xi32>
  check.expect_eq %7, %8 : tensor<3xi32>

  %9 = graph.constant dense<[3000000000.0, -1.0e+20, 1.0e+20]> : tensor<3xf32>
  %10 = graph.cast %9
    : (tensor<3xf32>) -> tensor<3xi64>
  %11 = graph.constant dense<[3000000000, -9223372036854775808, 9223372036854775807]> : tensor<3xi64>
  check.expect_eq %10, %11 : tensor<3xi64>

  %12 = graph.constant dense<[1.0e+20, -1.0]> : tensor<2xf32>
  %13 = graph.cast %12
    : (tensor<2xf32>) -> tensor<2xui64>
  %14 = graph.constant dense<[18446744073709551615, 0]> : tensor<2xui64>
  check.expect_eq %13, %14 : tensor<2xui64>

  // Between integers the low bits stay.
  %15 = graph.constant dense<[300, -1, 128]> : tensor<3xi32>
  %16 = graph.cast %15
    : (tensor<3xi32>) -> tensor<3xi8>
  %17 = graph.constant dense<[44, -1, -128]> : tensor<3xi8>
  check.expect_eq %16, %17 : tensor<3xi8>

  %18 = graph.constant dense<[-1]> : tensor<1xi8>
  %19 = graph.cast %18
    : (tensor<1xi8>) -> tensor<1xui32>
  %20 = graph.constant dense<[4294967295]> : tensor<1xui32>
  check.expect_eq %19, %20 : tensor<1xui32>

  %21 = graph.constant dense<[255]> : tensor<1xui8>
  %22 = graph.cast %21
    : (tensor<1xui8>) -> tensor<1xi64>
  %23 = graph.constant dense<[255]> : tensor<1xi64>
  check.expect_eq %22, %23 : tensor<1xi64>

  // To reals: nearest, ties to even, in one step.
  %24 = graph.constant dense<[16777217, 16777219, 9223372036854775807]> : tensor<3xi64>
  %25 = graph.cast %24
    : (tensor<3xi64>) -> tensor<3xf32>
  %26 = graph.constant dense<[16777216.0, 16777220.0, 9.223372e+18]> : tensor<3xf32>
  check.expect_eq %25, %26 : tensor<3xf32>

  %27 = graph.constant dense<[9007199791611905]> : tensor<1xi64>
  %28 = graph.cast %27
    : (tensor<1xi64>) -> tensor<1xf32>
  %29 = graph.constant dense<[9.0072e+15]> : tensor<1xf32>
  check.expect_eq %28, %29 : tensor<1xf32>

  %30 = graph.constant dense<[0.33333334, 65520.0, 65519.0]> : tensor<3xf32>
  %31 = graph.cast %30
    : (tensor<3xf32>) -> tensor<3xf16>
  %32 = graph.constant dense<[0.3333, 0x7C00, 65500.0]> : tensor<3xf16>
  check.expect_eq %31, %32 : tensor<3xf16>

  %33 = graph.constant dense<[2049, 2051, 70000]> : tensor<3xi32>
  %34 = graph.cast %33
    : (tensor<3xi32>) -> tensor<3xf16>
  %35 = graph.constant dense<[2048.0, 2052.0, 0x7C00]> : tensor<3xf16>
  check.expect_eq %34, %35 : tensor<3xf16>

  %36 = graph.constant dense<[1.0039062, 1.0117188]> : tensor<2xf32>
  %37 = graph.cast %36
    : (tensor<2xf32>) -> tensor<2xbf16>
  %38 = graph.constant dense<[1.0, 1.015625]> : tensor<2xbf16>
  check.expect_eq %37, %38 : tensor<2xbf16>

  %39 = graph.constant dense<[3.333333333333333e-01]> : tensor<1xf64>
  %40 = graph.cast %39
    : (tensor<1xf64>) -> tensor<1xf32>
  %41 = graph.constant dense<[0.33333334]> : tensor<1xf32>
  check.expect_eq %40, %41 : tensor<1xf32>

  %42 = graph.constant dense<[0.3333]> : tensor<1xf16>
  %43 = graph.cast %42
    : (tensor<1xf16>) -> tensor<1xf64>
  %44 = graph.constant dense<[0.333251953125]> : tensor<1xf64>
  check.expect_eq %43, %44 : tensor<1xf64>

  // To and from truth values.
  %45 = graph.constant dense<[0.0, -0.0, 0.1, 0x7FC00000]> : tensor<4xf32>
  %46 = graph.cast %45
    : (tensor<4xf32>) -> tensor<4xi1>
  %47 = graph.constant dense<[false, false, true, true]> : tensor<4xi1>
  check.expect_eq %46, %47 : tensor<4xi1>

  %48 = graph.constant dense<[0, 256]> : tensor<2xi64>
  %49 = graph.cast %48
    : (tensor<2xi64>) -> tensor<2xi1>
  %50 = graph.constant dense<[false, true]> : tensor<2xi1>
  check.expect_eq %49, %50 : tensor<2xi1>

  %51 = graph.constant dense<[true, false]> : tensor<2xi1>
  %52 = graph.cast %51
    : (tensor<2xi1>) -> tensor<2xf32>
  %53 = graph.constant dense<[1.0, 0.0]> : tensor<2xf32>
  check.expect_eq %52, %53 : tensor<2xf32>

  %54 = graph.constant dense<[true, false]> : tensor<2xi1>
  %55 = graph.cast %54
    : (tensor<2xi1>) -> tensor<2xi64>
  %56 = graph.constant dense<[1, 0]> : tensor<2xi64>
  check.expect_eq %55, %56 : tensor<2xi64>
  return
}
