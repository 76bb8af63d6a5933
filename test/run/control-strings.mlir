// RUN: tenon-run --interpret %s
// Strings: words left out and their case, joined, split, compared.

!string = !control.string

func.func @main() {
  %days = control.constant dense<["monday", "Tuesday", "\C3\89T\C3\89"]> : tensor<3x!string>
  %stop = control.constant dense<["tuesday"]> : tensor<1x!string>
  %none = control.constant dense<[]> : tensor<0x!string>
  %0 = control.call "string_normalizer"(%days, %stop) integers [1, 0]
    : (tensor<3x!string>, tensor<1x!string>) -> tensor<2x!string>
  %1 = control.constant dense<["monday", "\C3\A9t\C3\A9"]> : tensor<2x!string>
  check.expect_eq %0, %1 : tensor<2x!string>
  %2 = control.call "string_normalizer"(%days, %stop) integers [2, 1]
    : (tensor<3x!string>, tensor<1x!string>) -> tensor<3x!string>
  %3 = control.constant dense<["MONDAY", "TUESDAY", "\C3\89T\C3\89"]> : tensor<3x!string>
  check.expect_eq %2, %3 : tensor<3x!string>

  // Where none is left there is an empty one.
  %row = control.constant dense<[["tuesday", "Tuesday"]]> : tensor<1x2x!string>
  %4 = control.call "string_normalizer"(%row, %stop) integers [0, 0]
    : (tensor<1x2x!string>, tensor<1x!string>) -> tensor<1x1x!string>
  %5 = control.constant dense<[[""]]> : tensor<1x1x!string>
  check.expect_eq %4, %5 : tensor<1x1x!string>
  %6 = control.call "string_normalizer"(%row, %none) integers [0, 0]
    : (tensor<1x2x!string>, tensor<0x!string>) -> tensor<1x2x!string>
  check.expect_eq %6, %row : tensor<1x2x!string>

  %ends = control.constant dense<[["!"], [""]]> : tensor<2x1x!string>
  %7 = control.call "string_concat"(%stop, %ends)
    : (tensor<1x!string>, tensor<2x1x!string>) -> tensor<2x1x!string>
  %8 = control.constant dense<[["tuesday!"], ["tuesday"]]> : tensor<2x1x!string>
  check.expect_eq %7, %8 : tensor<2x1x!string>
  %9 = control.call "string_equal"(%7, %stop)
    : (tensor<2x1x!string>, tensor<1x!string>) -> tensor<2x1xi1>
  %10 = graph.constant dense<[[false], [true]]> : tensor<2x1xi1>
  check.expect_eq %9, %10 : tensor<2x1xi1>

  %shape = graph.constant dense<[2]> : tensor<1xi64>
  %11 = control.call "string_reshape"(%8, %shape)
    : (tensor<2x1x!string>, tensor<1xi64>) -> tensor<2x!string>
  %12 = control.constant dense<["tuesday!", "tuesday"]> : tensor<2x!string>
  check.expect_eq %11, %12 : tensor<2x!string>
  return
}
