//===- Bytecode.h - bytecode of a loaded model --------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what the loader makes of the BYTECODE section. After loading
// every number in the records has been checked, and so have the types of all
// registers: the machine looks at nothing but what only data decide.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_VM_BYTECODE_H
#define TENON_RUNTIME_VM_BYTECODE_H

#include "src/Model.h"

struct tenonBytecode {
  const struct tenon_bytecode_header *counts;
  const int64_t *integers;
  const struct tenon_function_record *functions;
  const struct tenon_instruction_record *instructions;
  const struct tenon_type_record *types;
  const struct tenon_callee_record *callees;
  const uint32_t *operands;
  /// For each operand whether the call may have it: nothing reads it again.
  uint8_t *moves;
  /// Of each function, with what it calls: registers and active functions.
  uint32_t *stackRegisters;
  uint32_t *stackFrames;
};

/// What bytecode.def says of an opcode.
struct tenonOpcode {
  const char *name;
  bool hasCallee;
  bool hasResults;
  uint32_t leastOperands;
  uint32_t mostOperands;
  bool hasIntegers;
  uint32_t targets;
  bool fallsThrough;
};

/// What primitives.def says of a primitive. NULL `name`: there is none.
struct tenonPrimitive {
  const char *name;
  uint32_t leastOperands;
  uint32_t mostOperands;
  uint32_t results;
  const char *integers;
};

/// NULL: there is no such opcode, no such primitive.
const struct tenonOpcode *tenonFindOpcode(uint32_t number);
const struct tenonPrimitive *tenonFindPrimitive(uint32_t number);

static inline const struct tenon_type_record *
tenonRegisterType(const struct tenonBytecode *bytecode,
                  const struct tenon_function_record *function,
                  uint32_t number) {
  return &bytecode->types[function->first_type + number];
}

static inline const struct tenon_type_record *
tenonResultType(const struct tenonBytecode *bytecode,
                const struct tenon_function_record *function, uint32_t number) {
  return tenonRegisterType(bytecode, function,
                           function->register_count + number);
}

/// The registers of an instruction's results, and behind them its operands'.
static inline const uint32_t *
tenonResults(const struct tenonBytecode *bytecode,
             const struct tenon_instruction_record *instruction) {
  return bytecode->operands + instruction->first_operand;
}

static inline const uint32_t *
tenonOperands(const struct tenonBytecode *bytecode,
              const struct tenon_instruction_record *instruction) {
  return bytecode->operands + instruction->first_operand +
         instruction->result_count;
}

/// Whether an instruction is a call of `kind`; what it calls goes to `number`.
bool tenonIsCallOf(const struct tenonBytecode *bytecode,
                   const struct tenon_instruction_record *instruction,
                   uint32_t kind, uint32_t *number);

/// Whether what `from` describes may stand where `to` is expected, as far as
/// ranks are known.
bool tenonIsAssignable(const struct tenon_type_record *from,
                       const struct tenon_type_record *to);

/// What an entry's tensor is to a register.
struct tenon_type_record
tenonTypeOfTensor(const struct tenon_tensor_record *tensor);

/// Checks operands, results and integers of a call against its callee.
tenon_status *
tenonCheckCall(const tenon_model *model, const struct tenonBytecode *bytecode,
               const struct tenon_function_record *function,
               const struct tenon_instruction_record *instruction);

/// Checks that a function reads no register before it is written.
tenon_status *tenonCheckFlow(const struct tenonBytecode *bytecode,
                             const struct tenon_function_record *function);

/// Fills `stackRegisters` and `stackFrames`; fails when functions call each
/// other in a circle, or want too much.
tenon_status *tenonCheckDepth(struct tenonBytecode *bytecode);

/// A bad instruction, by its number in the file.
tenon_status *
tenonBadInstruction(const struct tenonBytecode *bytecode,
                    const struct tenon_instruction_record *instruction,
                    const char *what);

#endif // TENON_RUNTIME_VM_BYTECODE_H
