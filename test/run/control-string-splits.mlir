// RUN: tenon-run --interpret %s
// Strings split at a delimiter, or at blanks: rows as long as the longest.

!string = !control.string

func.func @main() {
  %paths = control.constant dense<["a,b", ",", "c"]> : tensor<3x!string>
  %comma = control.constant dense<[","]> : tensor<1x!string>
  %0:2 = control.call "string_split"(%paths, %comma) integers [-1]
    : (tensor<3x!string>, tensor<1x!string>) -> (tensor<3x2x!string>, tensor<3xi64>)
  %1 = control.constant dense<[["a", "b"], ["", ""], ["c", ""]]> : tensor<3x2x!string>
  %2 = graph.constant dense<[2, 2, 1]> : tensor<3xi64>
  check.expect_eq %0#0, %1 : tensor<3x2x!string>
  check.expect_eq %0#1, %2 : tensor<3xi64>

  // At blanks, of which several are one, and those at the ends none.
  %text = control.constant dense<["  a \09 b  c ", "", "d"]> : tensor<3x!string>
  %blank = control.constant dense<""> : tensor<!string>
  %3:2 = control.call "string_split"(%text, %blank) integers [-1]
    : (tensor<3x!string>, tensor<!string>) -> (tensor<3x3x!string>, tensor<3xi64>)
  %4 = control.constant dense<[["a", "b", "c"], ["", "", ""], ["d", "", ""]]> : tensor<3x3x!string>
  %5 = graph.constant dense<[3, 0, 1]> : tensor<3xi64>
  check.expect_eq %3#0, %4 : tensor<3x3x!string>
  check.expect_eq %3#1, %5 : tensor<3xi64>

  // At most one split: what is left is one word.
  %6:2 = control.call "string_split"(%text, %blank) integers [1]
    : (tensor<3x!string>, tensor<!string>) -> (tensor<3x2x!string>, tensor<3xi64>)
  %7 = control.constant dense<[["a", "b  c"], ["", ""], ["d", ""]]> : tensor<3x2x!string>
  check.expect_eq %6#0, %7 : tensor<3x2x!string>
  %many = control.constant dense<"x,y,,z"> : tensor<!string>
  %8:2 = control.call "string_split"(%many, %comma) integers [2]
    : (tensor<!string>, tensor<1x!string>) -> (tensor<3x!string>, tensor<i64>)
  %9 = control.constant dense<["x", "y", ",z"]> : tensor<3x!string>
  check.expect_eq %8#0, %9 : tensor<3x!string>
  return
}
