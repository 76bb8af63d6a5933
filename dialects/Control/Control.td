//===- Control.td - what the host decides ------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_CONTROL
#define TENON_CONTROL

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Control_Dialect : Dialect {
  let name = "control";
  let cppNamespace = "::tenon::control";
  let summary = "What the host decides while a model runs";
  let description = [{
    Branches, loops, and operations whose results depend on data in size, over
    tensors, sequences, optionals and strings. Bodies are functions, and what
    they read of their surroundings is passed to them: each function has symbols
    of its own, so that a size may differ from one iteration to the next.

    Up to the end of `normalize` these operations stand among those of the graph
    dialect in `func.func`. Then `tenon-split-control` leaves a `control.func` of
    nothing but control, and a `func.func` for each stretch of graph operations
    in between, its *segments*.
  }];
  let useDefaultTypePrinterParser = 1;
}

//===-- Types -------------------------------------------------------------===//

class Control_Type<string name, string typeMnemonic> : TypeDef<Control_Dialect, name> {
  let mnemonic = typeMnemonic;
}

def Control_StringType : Control_Type<"String", "string"> {
  let summary = "The element type of tensors of strings";
}

def Control_SequenceType : Control_Type<"Sequence", "sequence"> {
  let summary = "A list of tensors of one element type";
  let description = [{
    `element` is what holds of each: `tensor<?x4xf32>`, an extent that differs
    without a name, or `tensor<*xf32>`.
  }];
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Control_OptionalType : Control_Type<"Optional", "optional"> {
  let summary = "A tensor or a sequence, or nothing";
  let parameters = (ins "::mlir::Type":$element);
  let assemblyFormat = "`<` $element `>`";
}

def Control_Value : AnyTypeOf<[AnyTensor, Control_SequenceType, Control_OptionalType]>;

//===-- Functions ---------------------------------------------------------===//

class Control_Op<string mnemonic, list<Trait> traits = []>
    : Op<Control_Dialect, mnemonic, traits>;

def Control_FuncOp : Control_Op<"func", [IsolatedFromAbove, FunctionOpInterface, Symbol,
    SingleBlock]> {
  let summary = "control, and calls of segments";
  let description = [{
    The public one is the model's entry: its arguments and results have an
    `onnx.name`. Private ones are branches and bodies of loops.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region SizedRegion<1>:$body);
  let hasCustomAssemblyFormat = 1;
  let extraClassDeclaration = [{
    static FuncOp create(::mlir::OpBuilder &builder, ::mlir::Location location,
                         ::llvm::StringRef name, ::mlir::FunctionType type);
    ::llvm::ArrayRef<::mlir::Type> getArgumentTypes() {
      return getFunctionType().getInputs();
    }
    ::llvm::ArrayRef<::mlir::Type> getResultTypes() {
      return getFunctionType().getResults();
    }
    ::mlir::Region *getCallableRegion() { return &getBody(); }
  }];
}

def Control_ReturnOp : Control_Op<"return", [Pure, Terminator, HasParent<"FuncOp">]> {
  let summary = "the results of a function";
  let arguments = (ins Variadic<Control_Value>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
}

//===-- Operations --------------------------------------------------------===//

def Control_ConstantOp : Control_Op<"constant", [Pure, AllTypesMatch<["value", "result"]>]> {
  let summary = "a tensor that is known";
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyRankedTensor:$result);
  let assemblyFormat = "attr-dict $value";
}

def Control_CallOp : Control_Op<"call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function, a segment or a primitive";
  let description = [{
    `control.call @main_0(%x)` calls a function. `control.call "nonzero"(%x)`
    calls a primitive of the run time, one of those in
    `runtime/include/tenon/primitives.def`, which gives it numbers; its integers
    are in `integers`, in the order that the list names them. Operands that may
    be left out stand last; one that is left out before others is an optional
    that is empty.
  }];
  let arguments = (ins AnyAttr:$callee, Variadic<AnyType>:$arguments,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$integers);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $arguments `)` (`integers` $integers^)? attr-dict `:`
    functional-type($arguments, $results)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// The name of the primitive, "" for a function.
    ::llvm::StringRef getPrimitive();
    /// The function, null for a primitive.
    ::mlir::FlatSymbolRefAttr getFunction();
  }];
}

def Control_IfOp : Control_Op<"if", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "one of two functions";
  let description = [{
    Both take the same arguments, which are all that either of them reads.
  }];
  let arguments = (ins AnyRankedTensor:$condition, FlatSymbolRefAttr:$then_function,
    FlatSymbolRefAttr:$else_function, Variadic<Control_Value>:$arguments);
  let results = (outs Variadic<Control_Value>:$results);
  let assemblyFormat = [{
    $condition `:` type($condition) `then` $then_function `else` $else_function
    `(` $arguments `)` attr-dict `:` functional-type($arguments, $results)
  }];
}

def Control_LoopOp : Control_Op<"loop", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function, again and again";
  let description = [{
    The body takes the number of the iteration (i64, from 0) and the condition
    (i1), both of rank 0, then what is carried, then the invariants; it gives the
    next condition, what is carried, and a tensor for each scan output. It runs
    while the number is below `trip` (where there is one) and the condition holds
    (where there is none at first, it holds). The results are what is carried in
    the end, and the scan outputs of all iterations, stacked along a new
    dimension in front. `sizes` has a vector of extents for each scan output, or
    nothing: what those of an iteration would be, for where there is none; 0 for
    those that only an iteration knows.
  }];
  let arguments = (ins FlatSymbolRefAttr:$body, Optional<AnyRankedTensor>:$trip,
    Optional<AnyRankedTensor>:$condition, Variadic<Control_Value>:$carried,
    Variadic<Control_Value>:$invariants, Variadic<AnyRankedTensor>:$sizes);
  let results = (outs Variadic<Control_Value>:$results);
  let assemblyFormat = [{
    $body (`trip` $trip^ `:` type($trip))? (`while` $condition^ `:` type($condition))?
    (`carried` `(` $carried^ `:` type($carried) `)`)?
    (`invariant` `(` $invariants^ `:` type($invariants) `)`)?
    (`sizes` `(` $sizes^ `:` type($sizes) `)`)? attr-dict (`->` type($results)^)?
  }];
  let builders = [OpBuilder<(ins "::mlir::TypeRange":$results,
    "::mlir::FlatSymbolRefAttr":$body, "::mlir::Value":$trip, "::mlir::Value":$condition,
    "::mlir::ValueRange":$carried, "::mlir::ValueRange":$invariants), [{
      build($_builder, $_state, results, body, trip, condition, carried,
            invariants, ::mlir::ValueRange());
    }]>];
  let extraClassDeclaration = [{
    unsigned getNumScans() {
      return getNumResults() - unsigned(getCarried().size());
    }
  }];
}

#endif // TENON_CONTROL
