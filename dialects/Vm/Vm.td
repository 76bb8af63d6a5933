//===- Vm.td - bytecode as operations ----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_VM
#define TENON_VM

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/FunctionInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Vm_Dialect : Dialect {
  let name = "vm";
  let cppNamespace = "::tenon::vm";
  let summary = "The four instructions of the virtual machine";
  let description = [{
    `call`, `return`, `goto` and `if`, over values of the control dialect's
    types; everything else is a call. Each operation becomes one instruction of
    the artifact's bytecode, each value a register; arguments of blocks become
    calls of `copy`.
  }];
  let dependentDialects = ["::tenon::control::ControlDialect"];
}

class Vm_Op<string mnemonic, list<Trait> traits = []> : Op<Vm_Dialect, mnemonic, traits>;

def Vm_FuncOp : Vm_Op<"func", [IsolatedFromAbove, FunctionOpInterface, Symbol]> {
  let summary = "a function of bytecode";
  let description = "The public one is the model's entry.";
  let arguments = (ins SymbolNameAttr:$sym_name, TypeAttrOf<FunctionType>:$function_type,
    OptionalAttr<StrAttr>:$sym_visibility,
    OptionalAttr<DictArrayAttr>:$arg_attrs, OptionalAttr<DictArrayAttr>:$res_attrs);
  let regions = (region AnyRegion:$body);
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

def Vm_CallOp : Vm_Op<"call", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "a function, a segment or a primitive";
  let description = [{
    As `control.call`; `constant` has its `value` here, and gets its integers
    when weights are laid out.
  }];
  let arguments = (ins AnyAttr:$callee, Variadic<AnyType>:$arguments,
    DefaultValuedAttr<DenseI64ArrayAttr, "{}">:$integers, OptionalAttr<ElementsAttr>:$value);
  let results = (outs Variadic<AnyType>:$results);
  let assemblyFormat = [{
    $callee `(` $arguments `)` (`integers` $integers^)? (`value` $value^)? attr-dict `:`
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

def Vm_GotoOp : Vm_Op<"goto", [Terminator,
    DeclareOpInterfaceMethods<BranchOpInterface, ["areTypesCompatible"]>]> {
  let summary = "go on with a block";
  let arguments = (ins Variadic<AnyType>:$operands);
  let successors = (successor AnySuccessor:$target);
  let assemblyFormat = "$target (`(` $operands^ `:` type($operands) `)`)? attr-dict";
}

def Vm_IfOp : Vm_Op<"if", [Terminator,
    DeclareOpInterfaceMethods<BranchOpInterface>]> {
  let summary = "go on with one of two blocks, which take no arguments";
  let arguments = (ins AnyRankedTensor:$condition);
  let successors = (successor AnySuccessor:$then_block, AnySuccessor:$else_block);
  let assemblyFormat = "$condition `,` $then_block `,` $else_block attr-dict `:` type($condition)";
}

def Vm_ReturnOp : Vm_Op<"return", [Terminator, HasParent<"FuncOp">]> {
  let summary = "the results of a function";
  let arguments = (ins Variadic<AnyType>:$values);
  let assemblyFormat = "attr-dict ($values^ `:` type($values))?";
  let hasVerifier = 1;
}

#endif // TENON_VM
