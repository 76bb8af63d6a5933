//===- Check.td - programs that check themselves -----------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_CHECK
#define TENON_CHECK

include "mlir/IR/OpBase.td"

def Check_Dialect : Dialect {
  let name = "check";
  let cppNamespace = "::tenon::check";
  let summary = "Expectations inside test programs";
  let description = [{
    A test program computes something and states what it must be; running it is
    the test. It survives every change of the printer and of the passes:

    ```mlir
    func.func @main() {
      %x = graph.constant dense<[-1.0, 2.0]> : tensor<2xf32>
      %y = graph.abs %x : (tensor<2xf32>) -> tensor<2xf32>
      %z = graph.constant dense<[1.0, 2.0]> : tensor<2xf32>
      check.expect_eq %y, %z : tensor<2xf32>
      return
    }
    ```
  }];
}

class Check_Op<string mnemonic, string text>
    : Op<Check_Dialect, mnemonic, [SameTypeOperands]> {
  let summary = text;
  let assemblyFormat = "$actual `,` $expected attr-dict `:` type($actual)";
}

def Check_ExpectEqOp : Check_Op<"expect_eq", "the two tensors are equal"> {
  let description = [{
    Element by element; NaN equals NaN, and -0 equals 0. The error names the
    first element that differs.
  }];
  let arguments = (ins AnyRankedTensor:$actual, AnyRankedTensor:$expected);
}

def Check_ExpectCloseOp : Check_Op<"expect_close", "the two tensors are nearly equal"> {
  let description = [{
    `|actual - expected| <= atol + rtol * |expected|`, element by element; NaN
    equals NaN, and infinities are equal to themselves alone.
  }];
  let arguments = (ins AnyRankedTensor:$actual, AnyRankedTensor:$expected,
    DefaultValuedAttr<F64Attr, "1e-6">:$rtol, DefaultValuedAttr<F64Attr, "1e-6">:$atol);
}

#endif // TENON_CHECK
