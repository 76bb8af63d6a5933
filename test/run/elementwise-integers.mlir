// RUN: tenon-run --interpret %s
// Integers wrap, division truncates, x / 0 is 0.

func.func @main() {
  %0 = graph.constant dense<[127, -128, 5]> : tensor<3xi8>
  %1 = graph.constant dense<[1, -1, -7]> : tensor<3xi8>
  %2 = graph.add %0, %1
    : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  %3 = graph.constant dense<[-128, 127, -2]> : tensor<3xi8>
  check.expect_eq %2, %3 : tensor<3xi8>

  %4 = graph.constant dense<[0, 200]> : tensor<2xui8>
  %5 = graph.constant dense<[1, 100]> : tensor<2xui8>
  %6 = graph.sub %4, %5
    : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %7 = graph.constant dense<[255, 100]> : tensor<2xui8>
  check.expect_eq %6, %7 : tensor<2xui8>

  %8 = graph.constant dense<[2147483647, -3]> : tensor<2xi32>
  %9 = graph.constant dense<[2, 5]> : tensor<2xi32>
  %10 = graph.mul %8, %9
    : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi32>
  %11 = graph.constant dense<[-2, -15]> : tensor<2xi32>
  check.expect_eq %10, %11 : tensor<2xi32>

  %12 = graph.constant dense<[9223372036854775807]> : tensor<1xi64>
  %13 = graph.constant dense<[3]> : tensor<1xi64>
  %14 = graph.mul %12, %13
    : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %15 = graph.constant dense<[9223372036854775805]> : tensor<1xi64>
  check.expect_eq %14, %15 : tensor<1xi64>

  %16 = graph.constant dense<[7, -7, 7, -7, 5]> : tensor<5xi32>
  %17 = graph.constant dense<[2, 2, -2, -2, 0]> : tensor<5xi32>
  %18 = graph.div %16, %17
    : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
  %19 = graph.constant dense<[3, -3, -3, 3, 0]> : tensor<5xi32>
  check.expect_eq %18, %19 : tensor<5xi32>

  %20 = graph.constant dense<[-128]> : tensor<1xi8>
  %21 = graph.constant dense<[-1]> : tensor<1xi8>
  %22 = graph.div %20, %21
    : (tensor<1xi8>, tensor<1xi8>) -> tensor<1xi8>
  %23 = graph.constant dense<[-128]> : tensor<1xi8>
  check.expect_eq %22, %23 : tensor<1xi8>

  %24 = graph.constant dense<[-9223372036854775808]> : tensor<1xi64>
  %25 = graph.constant dense<[-1]> : tensor<1xi64>
  %26 = graph.div %24, %25
    : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %27 = graph.constant dense<[-9223372036854775808]> : tensor<1xi64>
  check.expect_eq %26, %27 : tensor<1xi64>

  %28 = graph.constant dense<[18446744073709551615, 9]> : tensor<2xui64>
  %29 = graph.constant dense<[2, 0]> : tensor<2xui64>
  %30 = graph.div %28, %29
    : (tensor<2xui64>, tensor<2xui64>) -> tensor<2xui64>
  %31 = graph.constant dense<[9223372036854775807, 0]> : tensor<2xui64>
  check.expect_eq %30, %31 : tensor<2xui64>

  // mod takes the sign of the divisor, fmod of the dividend.
  %32 = graph.constant dense<[7, -7, 7, -7, 5]> : tensor<5xi64>
  %33 = graph.constant dense<[3, 3, -3, -3, 0]> : tensor<5xi64>
  %34 = graph.mod %32, %33
    : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
  %35 = graph.constant dense<[1, 2, -2, -1, 0]> : tensor<5xi64>
  check.expect_eq %34, %35 : tensor<5xi64>

  %36 = graph.constant dense<[7, -7, 7, -7]> : tensor<4xi64>
  %37 = graph.constant dense<[3, 3, -3, -3]> : tensor<4xi64>
  %38 = graph.mod %36, %37 {fmod = true}
    : (tensor<4xi64>, tensor<4xi64>) -> tensor<4xi64>
  %39 = graph.constant dense<[1, -1, 1, -1]> : tensor<4xi64>
  check.expect_eq %38, %39 : tensor<4xi64>

  %40 = graph.constant dense<[5.5, -5.5, 5.5]> : tensor<3xf32>
  %41 = graph.constant dense<[2.0, 2.0, -2.0]> : tensor<3xf32>
  %42 = graph.mod %40, %41 {fmod = true}
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %43 = graph.constant dense<[1.5, -1.5, 1.5]> : tensor<3xf32>
  check.expect_eq %42, %43 : tensor<3xf32>

  %44 = graph.constant dense<[5.5, -5.5, 5.5]> : tensor<3xf32>
  %45 = graph.constant dense<[2.0, 2.0, -2.0]> : tensor<3xf32>
  %46 = graph.mod %44, %45
    : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  %47 = graph.constant dense<[1.5, 0.5, -0.5]> : tensor<3xf32>
  check.expect_eq %46, %47 : tensor<3xf32>

  // Powers: by integers, by reals, of reals by integers.
  %48 = graph.constant dense<[2, -3, 0, 7, 1, -1, 5]> : tensor<7xi32>
  %49 = graph.constant dense<[10, 3, 0, 0, -1, -3, -2]> : tensor<7xi32>
  %50 = graph.pow %48, %49
    : (tensor<7xi32>, tensor<7xi32>) -> tensor<7xi32>
  %51 = graph.constant dense<[1024, -27, 1, 1, 1, -1, 0]> : tensor<7xi32>
  check.expect_eq %50, %51 : tensor<7xi32>

  %52 = graph.constant dense<[2, 9]> : tensor<2xi64>
  %53 = graph.constant dense<[3.0, 0.5]> : tensor<2xf32>
  %54 = graph.pow %52, %53
    : (tensor<2xi64>, tensor<2xf32>) -> tensor<2xi64>
  %55 = graph.constant dense<[8, 3]> : tensor<2xi64>
  check.expect_eq %54, %55 : tensor<2xi64>

  %56 = graph.constant dense<[2.0, 9.0]> : tensor<2xf32>
  %57 = graph.constant dense<[-1, 2]> : tensor<2xi64>
  %58 = graph.pow %56, %57
    : (tensor<2xf32>, tensor<2xi64>) -> tensor<2xf32>
  %59 = graph.constant dense<[0.5, 81.0]> : tensor<2xf32>
  check.expect_eq %58, %59 : tensor<2xf32>

  %60 = graph.constant dense<[4.0, -8.0]> : tensor<2xf32>
  %61 = graph.constant dense<[0.5, 0.33333334]> : tensor<2xf32>
  %62 = graph.pow %60, %61
    : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %63 = graph.constant dense<[2.0, 0x7FC00000]> : tensor<2xf32>
  check.expect_eq %62, %63 : tensor<2xf32>

  // Sign and size.
  %64 = graph.constant dense<[-128, -5, 5]> : tensor<3xi8>
  %65 = graph.abs %64
    : (tensor<3xi8>) -> tensor<3xi8>
  %66 = graph.constant dense<[-128, 5, 5]> : tensor<3xi8>
  check.expect_eq %65, %66 : tensor<3xi8>

  %67 = graph.constant dense<[-128, -5, 5]> : tensor<3xi8>
  %68 = graph.neg %67
    : (tensor<3xi8>) -> tensor<3xi8>
  %69 = graph.constant dense<[-128, 5, -5]> : tensor<3xi8>
  check.expect_eq %68, %69 : tensor<3xi8>

  %70 = graph.constant dense<[1, 0]> : tensor<2xui16>
  %71 = graph.neg %70
    : (tensor<2xui16>) -> tensor<2xui16>
  %72 = graph.constant dense<[65535, 0]> : tensor<2xui16>
  check.expect_eq %71, %72 : tensor<2xui16>

  %73 = graph.constant dense<[-9, 0, 9]> : tensor<3xi64>
  %74 = graph.sign %73
    : (tensor<3xi64>) -> tensor<3xi64>
  %75 = graph.constant dense<[-1, 0, 1]> : tensor<3xi64>
  check.expect_eq %74, %75 : tensor<3xi64>

  %76 = graph.constant dense<[0, 200]> : tensor<2xui8>
  %77 = graph.sign %76
    : (tensor<2xui8>) -> tensor<2xui8>
  %78 = graph.constant dense<[0, 1]> : tensor<2xui8>
  check.expect_eq %77, %78 : tensor<2xui8>

  %79 = graph.constant dense<[-9, 0, 9]> : tensor<3xi32>
  %80 = graph.relu %79
    : (tensor<3xi32>) -> tensor<3xi32>
  %81 = graph.constant dense<[0, 0, 9]> : tensor<3xi32>
  check.expect_eq %80, %81 : tensor<3xi32>

  %82 = graph.constant dense<[200, 3]> : tensor<2xui8>
  %83 = graph.constant dense<[100, 4]> : tensor<2xui8>
  %84 = graph.max %82, %83
    : (tensor<2xui8>, tensor<2xui8>) -> tensor<2xui8>
  %85 = graph.constant dense<[200, 4]> : tensor<2xui8>
  check.expect_eq %84, %85 : tensor<2xui8>

  %86 = graph.constant dense<[-56, 3]> : tensor<2xi8>
  %87 = graph.constant dense<[100, 4]> : tensor<2xi8>
  %88 = graph.min %86, %87
    : (tensor<2xi8>, tensor<2xi8>) -> tensor<2xi8>
  %89 = graph.constant dense<[-56, 3]> : tensor<2xi8>
  check.expect_eq %88, %89 : tensor<2xi8>

  %90 = graph.constant dense<[18446744073709551615]> : tensor<1xui64>
  %91 = graph.constant dense<[1]> : tensor<1xui64>
  %92 = graph.max %90, %91
    : (tensor<1xui64>, tensor<1xui64>) -> tensor<1xui64>
  %93 = graph.constant dense<[18446744073709551615]> : tensor<1xui64>
  check.expect_eq %92, %93 : tensor<1xui64>
  return
}
