//===- Machine.h - what runs bytecode -----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the machine of a context whose entry is bytecode.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_VM_MACHINE_H
#define TENON_RUNTIME_VM_MACHINE_H

#include "src/Context.h"
#include "src/vm/Bytecode.h"
#include "src/vm/Value.h"

/// A function that is active.
struct tenonFrame {
  const struct tenon_function_record *function;
  tenon_value **registers;
  /// The next instruction's number in it.
  uint32_t next;
};

struct tenonMachine {
  tenon_context *context;
  const struct tenonBytecode *bytecode;
  struct tenonHeap *heap;
  /// The contexts of programs, and the number of that of each callee.
  tenon_context **programs;
  uint32_t programCount;
  uint32_t *programOf;
  /// The registers of all active functions; those not in use are NULL.
  tenon_value **stack;
  struct tenonFrame *frames;
  /// What the entry's function takes and gives.
  tenon_value **results;
  /// The data of a program's tensors while it is called.
  tenon_value **tensors;
  uint64_t steps;
  /// What many instructions give, made once.
  tenon_value *booleans[2];
  tenon_value *empty;
  /// For traces.
  char *text;
};

/// A call of a primitive. It owns its results as soon as it sets them.
struct tenonPrimitiveCall {
  struct tenonMachine *machine;
  struct tenonHeap *heap;
  const struct tenon_instruction_record *instruction;
  tenon_value **registers;
  const uint32_t *operands;
  const uint8_t *moves;
  const int64_t *integers;
  uint32_t operandCount;
  uint32_t integerCount;
  const char *node;
  tenon_value *results[4];
};

typedef tenon_status *(*tenonPrimitiveFn)(struct tenonPrimitiveCall *call);

static inline tenon_value *tenonOperand(const struct tenonPrimitiveCall *call,
                                        uint32_t index) {
  return call->registers[call->operands[index]];
}

/// NULL where it is left out, or an optional that is empty.
static inline tenon_value *
tenonOptionalOperand(const struct tenonPrimitiveCall *call, uint32_t index) {
  if (index >= call->operandCount)
    return NULL;
  tenon_value *value = tenonOperand(call, index);
  return value->kind == TENON_IS_EMPTY ? NULL : value;
}

/// A failure of the call's node: "node 'at': the position is ...".
tenon_status *tenonNodeFails(const struct tenonPrimitiveCall *call,
                             tenon_status_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// Memory of the heap for the length of a call.
struct tenonScratch {
  void *block;
  uint8_t sizeClass;
};
tenon_status *tenonTakeScratch(const struct tenonPrimitiveCall *call,
                               uint64_t count, size_t size,
                               struct tenonScratch *scratch);
/// A scratch without a block is allowed.
void tenonGiveScratch(const struct tenonPrimitiveCall *call,
                      struct tenonScratch *scratch);

/// The one element of an operand, which must have one; `what` goes into the
/// error.
tenon_status *tenonReadInteger(const struct tenonPrimitiveCall *call,
                               const tenon_value *value, const char *what,
                               int64_t *number);
tenon_status *tenonReadBoolean(const struct tenonPrimitiveCall *call,
                               const tenon_value *value, const char *what,
                               bool *isTrue);

/// An axis, which may be negative, of so many.
tenon_status *tenonReadAxis(const struct tenonPrimitiveCall *call, int64_t axis,
                            int32_t rank, int32_t *result);

/// New tensors of results.
tenon_status *tenonNewInteger(const struct tenonPrimitiveCall *call,
                              int64_t number, tenon_value **value);
tenon_value *tenonBoolean(const struct tenonPrimitiveCall *call, bool isTrue);

/// How the elements of a tensor lie around an axis: `outer` times `extent`
/// pieces of `inner` bytes.
struct tenonAxis {
  int64_t outer;
  int64_t extent;
  int64_t inner;
};
struct tenonAxis tenonAxisOf(const tenon_value *tensor, int32_t axis);

/// What computes a primitive, by its number.
tenonPrimitiveFn tenonPrimitiveFunction(uint32_t number);

#define TENON_PRIMITIVE(number, name, ...)                                     \
  tenon_status *tenonRun_##name(struct tenonPrimitiveCall *call);
#include "tenon/primitives.def"

/// For a context whose entry is bytecode: makes its machine.
tenon_status *tenonCreateMachine(tenon_context *context);
/// NULL is allowed.
void tenonDestroyMachine(struct tenonMachine *machine);

/// The context of program `index` of those that are called; NULL: no more.
const tenon_context *tenonProgramAt(const struct tenonMachine *machine,
                                    uint32_t index);

/// tenon_run of such a context, which is locked.
tenon_status *tenonRunMachine(tenon_context *context,
                              const tenon_tensor *inputs, size_t inputCount,
                              const tenon_tensor *outputs, size_t outputCount);

/// tenon_run_into of such a context; the outputs have been counted.
tenon_status *tenonRunMachineInto(tenon_context *context,
                                  const tenon_tensor *inputs, size_t inputCount,
                                  tenon_output_buffer *outputs);

/// Runs the entry's function on what lies in its first registers, which the
/// machine then owns. The results are the caller's.
tenon_status *tenonExecute(struct tenonMachine *machine);

/// Empties the first registers, and the results.
void tenonDropParameters(struct tenonMachine *machine);
void tenonDropResults(struct tenonMachine *machine);

/// A view of a tensor's data.
tenon_tensor tenonViewOf(const tenon_value *value);

/// New tensors for the outputs of the context's shape.
tenon_status *tenonMakeOutputs(struct tenonHeap *heap,
                               const tenon_context *context,
                               tenon_value **outputs);

/// Names the node that a status is about, in place of what only the compiler
/// knows, inputs of programs; not where it names another node.
tenon_status *tenonOfNode(tenon_status *status, const char *node);

/// Calls program `callee`, whose operands and results are registers.
tenon_status *
tenonCallProgram(struct tenonMachine *machine, uint32_t callee,
                 const struct tenon_instruction_record *instruction,
                 const struct tenonFrame *frame);

/// Puts a value into a register, which owns it then, or drops it when its rank
/// is not the register's.
tenon_status *tenonStore(struct tenonMachine *machine,
                         const struct tenonFrame *frame, uint32_t number,
                         tenon_value *value, const char *node);

/// Traces: what an instruction is before it runs, and what has become of it.
void tenonTraceBegin(struct tenonMachine *machine,
                     const struct tenon_instruction_record *instruction,
                     const struct tenonFrame *frame);
void tenonTraceEnd(struct tenonMachine *machine,
                   const struct tenon_instruction_record *instruction,
                   const struct tenonFrame *frame, int64_t nanoseconds);

/// "f32"
size_t tenonPrintType(char *text, size_t size, uint8_t code, uint8_t bits);

/// The name of what a callee is.
const char *tenonCalleeName(const tenon_model *model,
                            const struct tenon_callee_record *callee);

#endif // TENON_RUNTIME_VM_MACHINE_H
