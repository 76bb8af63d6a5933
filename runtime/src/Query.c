//===- Query.c - what a model says of itself ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file answers questions about signatures and sizes.
//===----------------------------------------------------------------------===//
#include "src/Model.h"
#include "src/base/Cpu.h"
#include "src/cuda/Cuda.h"

#include <string.h>

size_t tenon_model_entry_count(const tenon_model *model) {
  return model->publicEntryCount;
}

static tenon_status *checkEntry(const tenon_model *model, size_t entry) {
  if (!model || entry >= model->publicEntryCount)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no entry %zu",
                     entry);
  return NULL;
}

tenon_status *tenon_model_entry(const tenon_model *model, size_t index,
                                tenon_entry_info *info) {
  TENON_TRY(checkEntry(model, index));
  const struct tenon_entry_record *entry = &model->entries[index];
  tenon_entry_info full = {.name = tenonName(model, entry->name),
                           .input_count = entry->input_count,
                           .output_count = entry->output_count,
                           .has_bytecode = entry->function != 0};
  return tenonFillStruct(info, &full, sizeof full);
}

size_t tenon_model_input_count(const tenon_model *model) {
  return model->entries->input_count;
}

size_t tenon_model_output_count(const tenon_model *model) {
  return model->entries->output_count;
}

tenon_status *tenonDescribe(const tenon_model *model,
                            const struct tenon_tensor_record *record,
                            tenon_tensor_info *info) {
  const int64_t *dims = model->publicDims ? model->publicDims : model->dims;
  bool hasRank = record->rank != TENON_RANK_ANY;
  bool isFixed = tenonHasExtents(record);
  for (uint32_t i = 0; isFixed && i < record->rank; ++i)
    isFixed = dims[record->first_dim + i] >= 0;
  tenon_tensor_info full = {.name = tenonName(model, record->name),
                            .dtype = {record->type_code, record->type_bits, 1},
                            .rank = hasRank ? (int32_t)record->rank : -1,
                            .shape = dims + (hasRank ? record->first_dim : 0),
                            .byte_size =
                                isFixed ? (size_t)record->byte_size : 0,
                            .kind = (tenon_value_kind)record->kind};
  return tenonFillStruct(info, &full, sizeof full);
}

tenon_status *tenon_model_entry_input(const tenon_model *model, size_t entry,
                                      size_t index, tenon_tensor_info *info) {
  TENON_TRY(checkEntry(model, entry));
  const struct tenon_entry_record *record = &model->entries[entry];
  if (index >= record->input_count)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no input %zu",
                     index);
  return tenonDescribe(model, tenonEntryTensors(model, record) + index, info);
}

tenon_status *tenon_model_entry_output(const tenon_model *model, size_t entry,
                                       size_t index, tenon_tensor_info *info) {
  TENON_TRY(checkEntry(model, entry));
  const struct tenon_entry_record *record = &model->entries[entry];
  if (index >= record->output_count)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no output %zu",
                     index);
  return tenonDescribe(
      model, tenonEntryTensors(model, record) + record->input_count + index,
      info);
}

const char *tenon_model_dim_name(const tenon_model *model, size_t entry,
                                 size_t tensor, size_t dim) {
  if (entry >= model->publicEntryCount)
    return "";
  const struct tenon_entry_record *record = &model->entries[entry];
  if (tensor >= (size_t)record->input_count + record->output_count)
    return "";
  const struct tenon_tensor_record *info =
      tenonEntryTensors(model, record) + tensor;
  return info->rank != TENON_RANK_ANY && dim < info->rank
             ? tenonName(model, model->dimNames[info->first_dim + dim])
             : "";
}

tenon_status *tenon_model_input(const tenon_model *model, size_t index,
                                tenon_tensor_info *info) {
  return tenon_model_entry_input(model, 0, index, info);
}

tenon_status *tenon_model_output(const tenon_model *model, size_t index,
                                 tenon_tensor_info *info) {
  return tenon_model_entry_output(model, 0, index, info);
}

tenon_tensor tenon_tensor_over(const tenon_tensor_info *info, void *data) {
  tenon_tensor tensor = {.data = data,
                         .device = {TENON_DEVICE_CPU, 0},
                         .ndim = info->rank,
                         .dtype = info->dtype,
                         .shape = (int64_t *)info->shape};
  return tensor;
}

tenon_status *tenon_model_query(const tenon_model *model,
                                tenon_model_info *info) {
  if (!model)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null model");
  tenon_model_info full = {
      .name = tenonName(model, model->info->model_name),
      .target_cpu = tenonVariantName(model, model->variant),
      .producer = tenonName(model, model->info->producer),
      .arena_bytes = model->isArenaFixed ? model->plan->arena_bytes : 0,
      .arena_alignment = model->plan->arena_alignment,
      .arena_lower_bound_bytes = model->plan->lower_bound_bytes,
      .weights_bytes = model->sections[TENON_SECTION_WEIGHTS].size,
      .code_bytes = model->sections[TENON_SECTION_CODE].size,
      .file_bytes = model->file.size,
      .kernel_count = model->counts->kernel_count,
      .launch_count = model->counts->launch_count,
      .is_guarded = tenonIsGuarded(model),
      .vector_bits =
          tenonIsCuda(model) ? 0 : tenonCpuVectorBits(model->header->features),
      .scratch_bytes = model->scratchBytes,
      .device = model->device,
      .device_name = model->deviceName};
  if (tenonIsCuda(model)) {
    full.device_flops = 1e9 * model->deviceCounts->gflops;
    full.device_rate = tenonGpuRate(model->device.device_id);
  }
  return tenonFillStruct(info, &full, sizeof full);
}

size_t tenon_model_arena_bytes(const tenon_model *model, int32_t threads) {
  size_t bytes = model->isArenaFixed ? model->plan->arena_bytes
                                     : model->plan->arena_bound_bytes;
  if (!model->isArenaFixed && !bytes)
    return 0;
  if (!model->scratchBytes || threads < 1)
    return bytes;
  // The arena may end, and a caller's begin, anywhere in such a unit.
  return bytes + TENON_SCRATCH_ALIGNMENT +
         (size_t)threads * tenonScratchPitch(model);
}

size_t tenon_model_variant_count(const tenon_model *model) {
  return model->variantCount;
}

tenon_status *tenon_model_variant(const tenon_model *model, size_t index,
                                  tenon_variant_info *info) {
  if (!model || index >= model->variantCount)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no variant %zu",
                     index);
  uint32_t variant = (uint32_t)index;
  struct tenonRefusal refusal = tenonRefuse(model, variant);
  tenon_variant_info full = {
      .name = tenonVariantName(model, variant),
      .is_supported = !*refusal.text,
      .is_loaded = variant == model->variant,
      .code_bytes =
          tenonVariantSection(model, variant, TENON_SECTION_CODE).size,
      .device_type = tenonIsForCuda(model, variant) ? TENON_DEVICE_CUDA
                                                    : TENON_DEVICE_CPU};
  memcpy(full.reason, refusal.text, sizeof full.reason);
  return tenonFillStruct(info, &full, sizeof full);
}
