//===- Sizes.c - size programs and the sizes of tensors -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks that size programs can be run from their first instruction
// to their last, and that tensors have sizes that their entries can compute.
//===----------------------------------------------------------------------===//
#include "src/Model.h"

#include <stdlib.h>

static uint32_t entryNumber(const tenon_model *model,
                            const struct tenon_entry_record *entry) {
  return (uint32_t)(entry - model->entries);
}

static tenon_status *slice(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_SIZES];
  const struct tenon_sizes_header *header = (const void *)bytes.data;
  if (bytes.size < sizeof *header)
    return TENON_BAD("the sizes section is too small");
  if (bytes.size != sizeof *header +
                        header->program_count *
                            (uint64_t)sizeof(struct tenon_size_program_record) +
                        header->instruction_count *
                            (uint64_t)sizeof(struct tenon_size_instruction))
    return TENON_BAD("the sizes section has the wrong size");
  if (header->program_count && header->program_count != model->entryCount)
    return TENON_BAD("the size programs are not those of the entries");
  const struct tenon_size_program_record *programs = (const void *)(header + 1);
  uint64_t end = 0;
  for (uint32_t i = 0; i < header->program_count; ++i) {
    if (programs[i].first_instruction != end)
      return TENON_BAD("the size programs are not those of the entries");
    end += programs[i].instruction_count;
  }
  if (end != header->instruction_count)
    return TENON_BAD("the size programs are not those of the entries");
  model->sizePrograms = header->program_count ? programs : NULL;
  model->sizeInstructions = (const void *)(programs + header->program_count);
  return NULL;
}

/// Sets what an entry's size values may name.
static tenon_status *countRegisters(tenon_model *model,
                                    const struct tenon_entry_record *entry) {
  const struct tenon_tensor_record *inputs = tenonEntryTensors(model, entry);
  uint64_t count = 0;
  bool isFixed = true;
  for (uint32_t i = 0; i < entry->input_count; ++i)
    for (uint32_t k = 0; k < tenonExtentCount(&inputs[i]); ++k, ++count) {
      tenon_size_value dim = model->dims[inputs[i].first_dim + k];
      if (dim < 0 && dim != -1 - (int64_t)count)
        return tenonFail(TENON_BAD_ARTIFACT, tenonName(model, inputs[i].name),
                         "'%s' has a bad shape",
                         tenonName(model, inputs[i].name));
      isFixed &= dim >= 0;
    }
  uint32_t instructions = tenonSizeProgram(model, entry).instruction_count;
  count +=
      (uint64_t)model->capacities[entryNumber(model, entry)] + instructions;
  if (count > INT32_MAX)
    return TENON_BAD("an entry has too many sizes");
  if (!isFixed || instructions)
    model->registers[entryNumber(model, entry)] = (uint32_t)count;
  return NULL;
}

static tenon_status *checkProgram(const tenon_model *model,
                                  const struct tenon_entry_record *entry) {
  const struct tenon_size_program_record program =
      tenonSizeProgram(model, entry);
  uint32_t known =
      model->registers[entryNumber(model, entry)] - program.instruction_count;
  for (uint32_t i = 0; i < program.instruction_count; ++i) {
    const struct tenon_size_instruction *instruction =
        &model->sizeInstructions[program.first_instruction + i];
    if (instruction->op < TENON_SIZE_ADD ||
        instruction->op > TENON_SIZE_CHECK_MULTIPLE ||
        !tenonIsSizeValue(instruction->a, known + i) ||
        !tenonIsSizeValue(instruction->b, known + i))
      return TENON_BAD("instruction %u of the sizes is bad",
                       program.first_instruction + i);
    TENON_TRY(tenonCheckName(model, instruction->text));
  }
  return NULL;
}

bool tenonTensorBytes(const struct tenon_tensor_record *tensor,
                      const int64_t *dims, int64_t *bytes) {
  *bytes = (tensor->type_bits + 7) / 8;
  bool fits = true;
  for (uint32_t i = 0; i < tensor->rank; ++i)
    fits &= !__builtin_mul_overflow(*bytes, dims[i], bytes);
  return fits;
}

/// Whether it is what launches take and give.
static bool isPlain(const tenon_model *model,
                    const struct tenon_tensor_record *tensor) {
  bool isPlain = tenonHasExtents(tensor) && tensor->type_code != TENON_STRING &&
                 tensor->byte_size != TENON_SIZE_UNKNOWN;
  for (uint32_t i = 0; isPlain && i < tensor->rank; ++i)
    isPlain = model->dims[tensor->first_dim + i] != TENON_SIZE_UNKNOWN;
  return isPlain;
}

/// What holds for elements is in numbers, as far as it is known.
static tenon_status *checkElements(const tenon_model *model,
                                   const struct tenon_tensor_record *tensor) {
  bool isGood = tensor->byte_size == TENON_SIZE_UNKNOWN;
  uint32_t rank = tensor->rank == TENON_RANK_ANY ? 0 : tensor->rank;
  for (uint32_t i = 0; isGood && i < rank; ++i) {
    tenon_size_value dim = model->dims[tensor->first_dim + i];
    isGood = dim >= 0 || dim == TENON_SIZE_UNKNOWN;
  }
  const char *name = tenonName(model, tensor->name);
  return isGood ? NULL
                : tenonFail(TENON_BAD_ARTIFACT, name, "'%s' has a bad shape",
                            name);
}

/// `registers`: what its size values may name.
static tenon_status *checkTensor(const tenon_model *model,
                                 const struct tenon_tensor_record *tensor,
                                 uint32_t registers, bool mayBeUnknown) {
  if (!tenonHasExtents(tensor))
    return checkElements(model, tensor);
  const tenon_size_value *dims = model->dims + tensor->first_dim;
  bool isFixed = true, isGood = true, isKnown = true;
  for (uint32_t i = 0; i < tensor->rank; ++i) {
    bool isUnknown = mayBeUnknown && dims[i] == TENON_SIZE_UNKNOWN;
    isGood &= isUnknown || tenonIsSizeValue(dims[i], registers);
    isFixed &= dims[i] >= 0;
    isKnown &= !isUnknown;
  }
  int64_t bytes = 0;
  if (isGood && isFixed)
    isGood =
        tenonTensorBytes(tensor, dims, &bytes) && bytes == tensor->byte_size;
  else
    isGood &= isKnown ? tenonIsSizeValue(tensor->byte_size, registers)
                      : tensor->byte_size == TENON_SIZE_UNKNOWN;
  const char *name = tenonName(model, tensor->name);
  return isGood ? NULL
                : tenonFail(TENON_BAD_ARTIFACT, name, "'%s' has a bad shape",
                            name);
}

static tenon_status *makePublicDims(tenon_model *model) {
  uint32_t count = model->signature->dim_count, i = 0;
  while (i < count && model->dims[i] >= 0)
    ++i;
  if (i == count)
    return NULL;
  model->publicDims = malloc(count * sizeof *model->publicDims);
  if (!model->publicDims)
    return tenonNoMemory(count * sizeof *model->publicDims);
  for (i = 0; i < count; ++i)
    model->publicDims[i] = model->dims[i] < 0 ? -1 : model->dims[i];
  return NULL;
}

static tenon_status *checkEntry(const tenon_model *model, uint32_t index) {
  const struct tenon_entry_record *entry = &model->entries[index];
  const struct tenon_tensor_record *tensors = tenonEntryTensors(model, entry);
  uint32_t count = entry->input_count + entry->output_count;
  for (uint32_t k = 0; k < count; ++k) {
    if (!entry->function && !isPlain(model, &tensors[k]))
      return tenonFail(TENON_BAD_ARTIFACT, tenonName(model, tensors[k].name),
                       "'%s' is not what launches take or give",
                       tenonName(model, tensors[k].name));
    TENON_TRY(checkTensor(model, &tensors[k], model->registers[index],
                          /*mayBeUnknown=*/k >= entry->input_count));
  }
  return NULL;
}

tenon_status *tenonParseSizes(tenon_model *model) {
  TENON_TRY(slice(model));
  model->registers = calloc(model->entryCount, sizeof *model->registers);
  if (!model->registers)
    return tenonNoMemory(model->entryCount * sizeof *model->registers);
  for (uint32_t i = 0; i < model->entryCount; ++i) {
    const struct tenon_entry_record *entry = &model->entries[i];
    TENON_TRY(countRegisters(model, entry));
    TENON_TRY(checkProgram(model, entry));
    TENON_TRY(checkEntry(model, i));
  }
  return makePublicDims(model);
}
