//===- Flow.c - in which order registers are written and read -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks that functions read only what has been written on every way
// to the instruction, and that they do not call each other in a circle.
//
// A block begins where a target is, or behind an instruction that does not fall
// through. The set of registers that are written when it begins is the
// intersection over the ways there: it starts full and shrinks, so that a
// register that is missing at any time is missing in the end.
//===----------------------------------------------------------------------===//
#include "src/vm/Bytecode.h"

#include <stdlib.h>
#include <string.h>

/// Of sets: what larger functions would take is not taken.
#define MOST_WORDS ((uint64_t)1 << 24)
/// Of work, in words and operands: a few seconds.
#define MOST_WORK ((uint64_t)1 << 32)

struct flow {
  const struct tenonBytecode *bytecode;
  const struct tenon_function_record *function;
  const struct tenon_instruction_record *instructions;
  /// The block that begins at each instruction, or NO_BLOCK.
  uint32_t *blocks;
  uint32_t blockCount;
  uint32_t words;
  uint64_t *sets;
  uint64_t *current;
  /// Blocks to look at, each once.
  uint32_t *pending;
  uint32_t pendingCount;
  uint8_t *isPending;
  uint8_t *isReached;
  uint64_t work;
};

#define NO_BLOCK UINT32_MAX

static bool fallsThrough(const struct tenon_instruction_record *instruction) {
  return tenonFindOpcode(instruction->opcode)->fallsThrough;
}

static uint32_t
countTargets(const struct tenon_instruction_record *instruction) {
  return tenonFindOpcode(instruction->opcode)->targets;
}

static void numberBlocks(struct flow *flow) {
  uint32_t count = flow->function->instruction_count;
  memset(flow->blocks, 0xff, count * sizeof *flow->blocks);
  flow->blocks[0] = 0;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < countTargets(&flow->instructions[i]); ++k)
      flow->blocks[flow->instructions[i].targets[k]] = 0;
  for (uint32_t i = 0; i < count; ++i)
    if (flow->blocks[i] != NO_BLOCK)
      flow->blocks[i] = flow->blockCount++;
}

/// Whether a set shrinks when it is met with the current one.
static bool meet(struct flow *flow, uint64_t *set) {
  uint64_t lost = 0;
  for (uint32_t i = 0; i < flow->words; ++i) {
    lost |= set[i] & ~flow->current[i];
    set[i] &= flow->current[i];
  }
  flow->work += flow->words;
  return lost;
}

static void goTo(struct flow *flow, uint32_t instruction) {
  uint32_t block = flow->blocks[instruction];
  bool isNew = !flow->isReached[block];
  bool shrinks = meet(flow, flow->sets + (uint64_t)block * flow->words);
  flow->isReached[block] = 1;
  if ((!isNew && !shrinks) || flow->isPending[block])
    return;
  flow->isPending[block] = 1;
  flow->pending[flow->pendingCount++] = instruction;
}

static bool has(const uint64_t *set, uint32_t number) {
  return set[number / 64] >> number % 64 & 1;
}

static void put(uint64_t *set, uint32_t number, bool isThere) {
  uint64_t bit = (uint64_t)1 << number % 64;
  if (isThere)
    set[number / 64] |= bit;
  else
    set[number / 64] &= ~bit;
}

/// Does to the current set what an instruction does to registers.
static tenon_status *pass(struct flow *flow,
                          const struct tenon_instruction_record *instruction) {
  const uint32_t *operands = tenonOperands(flow->bytecode, instruction);
  const uint32_t *results = tenonResults(flow->bytecode, instruction);
  uint32_t number;
  bool isKill = tenonIsCallOf(flow->bytecode, instruction,
                              TENON_CALLEE_primitive, &number) &&
                number == TENON_PRIMITIVE_kill;
  for (uint32_t i = 0; i < instruction->operand_count; ++i) {
    if (!isKill && !has(flow->current, operands[i]))
      return tenonBadInstruction(
          flow->bytecode, instruction,
          "reads a register that may not have been written");
    if (isKill)
      put(flow->current, operands[i], false);
  }
  for (uint32_t i = 0; i < instruction->result_count; ++i)
    put(flow->current, results[i], true);
  flow->work += 1 + instruction->operand_count + instruction->result_count;
  return NULL;
}

static tenon_status *walkBlock(struct flow *flow, uint32_t first) {
  uint32_t block = flow->blocks[first];
  flow->isPending[block] = 0;
  memcpy(flow->current, flow->sets + (uint64_t)block * flow->words,
         flow->words * sizeof *flow->current);
  flow->work += flow->words;
  for (uint32_t i = first;; ++i) {
    const struct tenon_instruction_record *instruction = &flow->instructions[i];
    TENON_TRY(pass(flow, instruction));
    for (uint32_t k = 0; k < countTargets(instruction); ++k)
      goTo(flow, instruction->targets[k]);
    if (!fallsThrough(instruction))
      return NULL;
    if (flow->blocks[i + 1] != NO_BLOCK) {
      goTo(flow, i + 1);
      return NULL;
    }
  }
}

static tenon_status *tooLarge(void) {
  return TENON_BAD("the bytecode is too intricate to be checked");
}

static tenon_status *walk(struct flow *flow) {
  memset(flow->sets, 0xff,
         (size_t)flow->blockCount * flow->words * sizeof *flow->sets);
  memset(flow->current, 0, flow->words * sizeof *flow->current);
  for (uint32_t i = 0; i < flow->function->parameter_count; ++i)
    put(flow->current, i, true);
  goTo(flow, 0);
  while (flow->pendingCount) {
    if (flow->work > MOST_WORK)
      return tooLarge();
    TENON_TRY(walkBlock(flow, flow->pending[--flow->pendingCount]));
  }
  return NULL;
}

static tenon_status *allocate(struct flow *flow) {
  size_t blocks = flow->blockCount;
  size_t words = flow->words ? flow->words : 1;
  flow->sets = malloc(blocks * words * sizeof *flow->sets);
  flow->current = malloc(words * sizeof *flow->current);
  flow->pending = malloc(blocks * sizeof *flow->pending);
  flow->isPending = calloc(blocks, 2);
  if (!flow->sets || !flow->current || !flow->pending || !flow->isPending)
    return tenonNoMemory(blocks * words * sizeof *flow->sets);
  flow->isReached = flow->isPending + blocks;
  return NULL;
}

static tenon_status *check(struct flow *flow) {
  size_t bytes = flow->function->instruction_count * sizeof *flow->blocks;
  flow->blocks = malloc(bytes);
  if (!flow->blocks)
    return tenonNoMemory(bytes);
  numberBlocks(flow);
  if ((uint64_t)flow->blockCount * flow->words > MOST_WORDS)
    return tooLarge();
  TENON_TRY(allocate(flow));
  return walk(flow);
}

tenon_status *tenonCheckFlow(const struct tenonBytecode *bytecode,
                             const struct tenon_function_record *function) {
  struct flow flow = {.bytecode = bytecode,
                      .function = function,
                      .instructions =
                          bytecode->instructions + function->first_instruction,
                      .words = function->register_count / 64 + 1};
  tenon_status *status = check(&flow);
  free(flow.blocks);
  free(flow.sets);
  free(flow.current);
  free(flow.pending);
  free(flow.isPending);
  return status;
}

//===----------------------------------------------------------------------===//
// Calls of functions
//===----------------------------------------------------------------------===//

#define MOST_STACK_REGISTERS ((uint64_t)1 << 24)
#define MOST_STACK_FRAMES ((uint64_t)1 << 16)

/// The callee of an instruction, when it is a function.
static bool calledFunction(const struct tenonBytecode *bytecode,
                           const struct tenon_function_record *function,
                           uint32_t index, uint32_t *callee) {
  return tenonIsCallOf(
      bytecode, &bytecode->instructions[function->first_instruction + index],
      TENON_CALLEE_function, callee);
}

/// Fills `order` with functions, each before all that it calls: those in a
/// circle are missing. `callers` is scratch, one for each function.
static uint32_t sortFunctions(const struct tenonBytecode *bytecode,
                              uint32_t *order, uint32_t *callers) {
  uint32_t count = bytecode->counts->function_count, end = 0, callee;
  for (uint32_t i = 0; i < count; ++i)
    for (uint32_t k = 0; k < bytecode->functions[i].instruction_count; ++k)
      if (calledFunction(bytecode, &bytecode->functions[i], k, &callee))
        ++callers[callee];
  for (uint32_t i = 0; i < count; ++i)
    if (!callers[i])
      order[end++] = i;
  for (uint32_t i = 0; i < end; ++i) {
    const struct tenon_function_record *function =
        &bytecode->functions[order[i]];
    for (uint32_t k = 0; k < function->instruction_count; ++k)
      if (calledFunction(bytecode, function, k, &callee) &&
          --callers[callee] == 0)
        order[end++] = callee;
  }
  return end;
}

/// Those of what it calls must be known.
static bool sumStack(struct tenonBytecode *bytecode, uint32_t index) {
  const struct tenon_function_record *function = &bytecode->functions[index];
  uint64_t registers = 0, frames = 0;
  uint32_t callee;
  for (uint32_t k = 0; k < function->instruction_count; ++k) {
    if (!calledFunction(bytecode, function, k, &callee))
      continue;
    if (bytecode->stackRegisters[callee] > registers)
      registers = bytecode->stackRegisters[callee];
    if (bytecode->stackFrames[callee] > frames)
      frames = bytecode->stackFrames[callee];
  }
  registers += function->register_count;
  ++frames;
  bytecode->stackRegisters[index] = (uint32_t)registers;
  bytecode->stackFrames[index] = (uint32_t)frames;
  return registers <= MOST_STACK_REGISTERS && frames <= MOST_STACK_FRAMES;
}

static tenon_status *sumStacks(struct tenonBytecode *bytecode, uint32_t *order,
                               uint32_t *callers) {
  uint32_t count = bytecode->counts->function_count;
  if (sortFunctions(bytecode, order, callers) != count)
    return TENON_BAD("functions of the bytecode call each other in a circle");
  for (uint32_t i = count; i-- > 0;)
    if (!sumStack(bytecode, order[i]))
      return TENON_BAD("the bytecode wants too many registers at once");
  return NULL;
}

tenon_status *tenonCheckDepth(struct tenonBytecode *bytecode) {
  size_t count = bytecode->counts->function_count;
  size_t size = count ? count : 1;
  bytecode->stackRegisters = calloc(size, sizeof *bytecode->stackRegisters);
  bytecode->stackFrames = calloc(size, sizeof *bytecode->stackFrames);
  uint32_t *order = calloc(2 * size, sizeof *order);
  tenon_status *status =
      bytecode->stackRegisters && bytecode->stackFrames && order
          ? sumStacks(bytecode, order, order + size)
          : tenonNoMemory(size * sizeof *order);
  free(order);
  return status;
}
