//===- Problem.td - allocation problems as IR --------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TENON_MEMORY_PROBLEM
#define TENON_MEMORY_PROBLEM

include "dialects/Memory/MemoryTypes.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/IR/RegionKindInterface.td"

class Memory_ProblemItem<string mnemonic, list<Trait> traits = []>
    : Op<Memory_Dialect, mnemonic, traits # [HasParent<"::tenon::memory::ProblemOp">]>;

class NaturalUpTo<int most> : ConfinedAttr<I64Attr, [IntNonNegative, IntMaxValue<most>]>;

def Memory_ProblemOp : Op<Memory_Dialect, "problem", [
    IsolatedFromAbove, NoRegionArguments, NoTerminator, SingleBlock, Symbol, SymbolTable]> {
  let summary = "an allocation problem, and its plan once it is solved";
  let description = [{
    The problem of `lib/Memory` as text, for tests and bug reports:
    `--tenon-solve-memory-problems` gives each storage its offset and writes
    down one arena and one lower bound per scope.

    ```mlir
    memory.problem @small {
      memory.storage @a lives 0 to 3 bytes 4096
      memory.storage @b lives 2 to 5 bytes 1024 align 64
      memory.in_place @b over @a
    }
    ```

    The verifier refuses problems that have no solution and, once there are
    offsets, plans that are wrong.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name,
    OptionalAttr<DenseI64ArrayAttr>:$arena_bytes,
    OptionalAttr<DenseI64ArrayAttr>:$lower_bound_bytes,
    OptionalAttr<StrAttr>:$solver, UnitAttr:$optimal);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name attr-dict-with-keyword $body";
  let hasRegionVerifier = 1;
}

def Memory_StorageOp : Memory_ProblemItem<"storage", [Symbol]> {
  let summary = "a piece of storage, its life and what is known of its place";
  let description = [{
    It lives from `lower` to `upper`, half-open: integers, or with several
    streams one counter per stream, `[1, 0]`. `fixed` is an offset that is given,
    `at` the one of the plan.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, DenseI64ArrayAttr:$lower,
    DenseI64ArrayAttr:$upper, I64Attr:$size,
    DefaultValuedAttr<I64Attr, "1">:$alignment,
    DefaultValuedAttr<NaturalUpTo<255>, "0">:$scope,
    DefaultValuedAttr<NaturalUpTo<65535>, "0">:$stream,
    OptionalAttr<I64Attr>:$fixed, OptionalAttr<I64Attr>:$offset);
  let assemblyFormat = [{
    $sym_name `lives` custom<Clock>($lower) `to` custom<Clock>($upper)
    `bytes` $size (`align` $alignment^)? (`scope` $scope^)? (`stream` $stream^)?
    (`fixed` $fixed^)? (`at` $offset^)? attr-dict
  }];
}

def Memory_ContiguousOp : Memory_ProblemItem<"contiguous"> {
  let summary = "storage that lies one directly after the other";
  let description = [{
    `guard` bytes before the first and after the last belong to them too.
  }];
  let arguments = (ins FlatSymbolRefArrayAttr:$members,
    DefaultValuedAttr<I64Attr, "0">:$guard);
  let assemblyFormat = "$members (`guard` $guard^)? attr-dict";
}

def Memory_InPlaceOp : Memory_ProblemItem<"in_place"> {
  let summary = "storage whose writer overwrites what it reads for the last time";
  let arguments = (ins FlatSymbolRefAttr:$part, FlatSymbolRefAttr:$whole);
  let assemblyFormat = "$part `over` $whole attr-dict";
}

def Memory_PieceOp : Memory_ProblemItem<"piece"> {
  let summary = "storage that is a piece of other storage, read or written in place";
  let description = [{
    It begins `at` bytes after the start of the whole.
  }];
  let arguments = (ins FlatSymbolRefAttr:$part, FlatSymbolRefAttr:$whole,
    DefaultValuedAttr<I64Attr, "0">:$delta);
  let assemblyFormat = "$part `of` $whole (`at` $delta^)? attr-dict";
}

#endif // TENON_MEMORY_PROBLEM
