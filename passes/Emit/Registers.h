//===- Registers.h - which register holds a value ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_PASSES_EMIT_REGISTERS_H
#define TENON_PASSES_EMIT_REGISTERS_H

#include "dialects/Vm/Vm.h"
#include "lib/Target/Artifact/Artifact.h"

#include "llvm/ADT/DenseMap.h"

#include <optional>

namespace tenon::emit {

/// What a register says of a value; nothing for an element type that artifacts
/// do not have.
std::optional<artifact::ValueType> valueTypeOf(mlir::Type type);

/// Gives each value of a function a register of its own, arguments first; but
/// what a block hands to the next one is made in the register of the argument
/// there, where nothing needs that one's old value any more: then a loop moves
/// nothing.
class Registers {
public:
  explicit Registers(vm::FuncOp function);

  unsigned of(mlir::Value value) const { return numbers.lookup(value); }
  /// A further one, of a value's type.
  unsigned add(mlir::Type type);
  /// By number.
  llvm::ArrayRef<mlir::Type> types() const { return all; }

private:
  /// The argument of the next block that `result` becomes; null where it needs
  /// a register of its own.
  mlir::Value targetOf(mlir::OpResult result) const;

  llvm::DenseMap<mlir::Value, unsigned> numbers;
  llvm::SmallVector<mlir::Type> all;
};

} // namespace tenon::emit

#endif // TENON_PASSES_EMIT_REGISTERS_H
