//===- Launches.c - the launch table and the memory plan ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks that each launch calls a kernel inside the code, on buffers
// inside their spaces.
//===----------------------------------------------------------------------===//
#include "src/Model.h"

#include <stdlib.h>

#define MAX_ARENA_ALIGNMENT ((uint64_t)1 << 21)

/// The bytes that an arena of the plan's must have.
static uint64_t mostArena(tenon_model *model) {
  int64_t most = 0;
  model->isArenaFixed = true;
  for (uint32_t i = 0; i < model->entryCount; ++i) {
    tenon_size_value bytes = model->programs[i].arena_bytes;
    model->isArenaFixed &= bytes >= 0;
    most = bytes > most ? bytes : most;
  }
  return (uint64_t)most;
}

/// The programs must have been checked.
static tenon_status *parsePlan(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_PLAN];
  const struct tenon_plan_header *plan = (const void *)bytes.data;
  if (bytes.size < sizeof *plan ||
      bytes.size != sizeof *plan + (uint64_t)plan->buffer_count *
                                       sizeof(struct tenon_buffer_record))
    return TENON_BAD("the plan section has the wrong size");
  uint64_t alignment = plan->arena_alignment;
  uint32_t registers = tenonPlanRegisters(model);
  if (!alignment || alignment & (alignment - 1) ||
      alignment > MAX_ARENA_ALIGNMENT ||
      plan->arena_bytes != mostArena(model) ||
      plan->lower_bound_bytes > plan->arena_bytes ||
      plan->arena_bound_bytes > (uint64_t)INT64_MAX / 2 ||
      (plan->arena_bound_bytes && plan->arena_bound_bytes < plan->arena_bytes))
    return TENON_BAD("the memory plan has a bad arena");
  model->plan = plan;
  tenon_size_value arena = model->entryCount == 1
                               ? model->programs->arena_bytes
                               : (tenon_size_value)plan->arena_bytes;
  const struct tenon_buffer_record *buffers = tenonPlanBuffers(model);
  for (uint32_t i = 0; i < plan->buffer_count; ++i)
    if (!tenonIsSizeValue(buffers[i].offset, registers) ||
        !tenonIsSizeValue(buffers[i].size, registers) ||
        !tenonMayBeWithin(buffers[i].offset, buffers[i].size, arena) ||
        buffers[i].first_launch > buffers[i].last_launch)
      return TENON_BAD("buffer %u of the memory plan is bad", i);
  return NULL;
}

static tenon_status *sliceLaunches(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_LAUNCHES];
  const struct tenon_launches_header *header = (const void *)bytes.data;
  if (bytes.size < sizeof *header)
    return TENON_BAD("the launches section is too small");
  uint64_t size =
      sizeof *header +
      header->kernel_count * (uint64_t)sizeof(struct tenon_kernel_record) +
      header->launch_count * (uint64_t)sizeof(struct tenon_launch_record) +
      header->ref_count * (uint64_t)sizeof(struct tenon_ref_record) +
      header->size_count * (uint64_t)sizeof(tenon_size_value) +
      header->program_count * (uint64_t)sizeof(struct tenon_program_record) +
      header->node_count * (uint64_t)sizeof(tenon_name_ref) +
      header->wait_count * (uint64_t)sizeof(uint32_t);
  if (bytes.size != size || header->reserved)
    return TENON_BAD("the launches section has the wrong size");
  model->counts = header;
  model->kernelRecords = (const struct tenon_kernel_record *)(header + 1);
  model->launches = (const void *)(model->kernelRecords + header->kernel_count);
  model->refs = (const void *)(model->launches + header->launch_count);
  model->sizes = (const void *)(model->refs + header->ref_count);
  model->programs = (const void *)(model->sizes + header->size_count);
  model->waits = (const uint32_t *)(model->programs + header->program_count) +
                 header->node_count;
  return NULL;
}

static tenon_status *checkKernels(const tenon_model *model) {
  uint64_t names = model->sections[TENON_SECTION_NAMES].size;
  uint64_t code = model->sections[TENON_SECTION_CODE].size;
  for (uint32_t i = 0; i < model->counts->kernel_count; ++i) {
    const struct tenon_kernel_record *kernel = &model->kernelRecords[i];
    // Linked kernels are numbered from the first of the variant on. The modules
    // of a GPU are not known yet.
    bool good = model->linked ? kernel->entry == model->kernelRecords->entry + i
                              : kernel->entry < code || tenonIsCuda(model);
    if (!good || kernel->name >= names ||
        kernel->flags & ~(TENON_KERNEL_ONE_CALL | TENON_KERNEL_CHECKED))
      return TENON_BAD("kernel %u is bad", i);
  }
  return NULL;
}

static tenon_status *checkNodes(tenon_model *model) {
  uint64_t names = model->sections[TENON_SECTION_NAMES].size;
  const tenon_name_ref *nodes =
      (const void *)(model->programs + model->counts->program_count);
  for (uint32_t i = 0; i < model->counts->node_count; ++i) {
    if (nodes[i] >= names)
      return TENON_BAD("a node's name is outside the names section");
    model->nodeNames[i] = tenonName(model, nodes[i]);
  }
  return NULL;
}

/// The bytes of what `ref` points into in a program of `entry`, a size value;
/// false when there is no such thing.
static bool spaceSize(const tenon_model *model,
                      const struct tenon_entry_record *entry,
                      const struct tenon_ref_record *ref,
                      tenon_size_value *size) {
  const struct tenon_tensor_record *tensors = tenonEntryTensors(model, entry);
  switch (ref->space) {
  case TENON_SPACE_ARENA:
    *size = tenonEntryProgram(model, entry)->arena_bytes;
    return ref->index == 0;
  case TENON_SPACE_WEIGHTS:
    *size = (int64_t)model->sections[TENON_SECTION_WEIGHTS].size;
    return ref->index == 0;
  case TENON_SPACE_INPUT:
    if (ref->index >= entry->input_count)
      return false;
    *size = tensors[ref->index].byte_size;
    return true;
  case TENON_SPACE_OUTPUT:
    if (ref->index >= entry->output_count)
      return false;
    *size = tensors[entry->input_count + ref->index].byte_size;
    return true;
  default:
    return false;
  }
}

static tenon_status *checkRef(const tenon_model *model,
                              const struct tenon_entry_record *entry,
                              uint32_t launch, uint32_t ref, bool isWritten) {
  const struct tenon_ref_record *record = &model->refs[ref];
  uint32_t registers = model->registers[entry - model->entries];
  tenon_size_value size = 0;
  if (!spaceSize(model, entry, record, &size) ||
      !tenonIsSizeValue(record->offset, registers) ||
      !tenonIsSizeValue(record->size, registers) ||
      !tenonMayBeWithin(record->offset, record->size, size))
    return TENON_BAD("launch %u refers to bytes outside of their space",
                     launch);
  if (isWritten && record->space != TENON_SPACE_ARENA &&
      record->space != TENON_SPACE_OUTPUT)
    return TENON_BAD("launch %u writes to an input or to weights", launch);
  return NULL;
}

/// Whether a launch of a checked kernel has its fault word.
static bool hasFaultWord(const tenon_model *model,
                         const struct tenon_launch_record *launch) {
  if (launch->ref_count == launch->read_count)
    return false;
  const struct tenon_ref_record *word =
      &model->refs[launch->first_ref + launch->ref_count - 1];
  const int64_t bytes = sizeof(int64_t);
  return word->space == TENON_SPACE_ARENA &&
         (word->size < 0 || word->size >= bytes) &&
         (word->offset < 0 || word->offset % bytes == 0);
}

/// On a processor all launches run in their order, as one stream does.
static tenon_status *checkOrder(const tenon_model *model, uint32_t index,
                                const struct tenon_program_record *program) {
  const struct tenon_launch_record *launch = &model->launches[index];
  if (launch->stream >= program->launch_count && tenonIsCuda(model))
    return TENON_BAD("launch %u is in a stream that does not exist", index);
  if ((launch->stream && !tenonIsCuda(model)) || launch->guard)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "launch %u %s, for which this library is too old", index,
                     launch->guard ? "runs on a condition"
                                   : "runs on a second stream");
  for (uint32_t i = 0; i < launch->wait_count; ++i) {
    uint32_t other = model->waits[launch->first_wait + i];
    if (other < program->first_launch || other >= index)
      return TENON_BAD("launch %u waits for launch %u, which does not come "
                       "before it",
                       index, other);
  }
  return NULL;
}

/// Scratch of all threads can be counted in bytes.
#define MAX_SCRATCH_BYTES ((uint64_t)PTRDIFF_MAX / 2 / TENON_MAX_THREADS)

/// Whether tiles and steps may be what they are, and all sizes exist.
static bool hasGoodCounts(const tenon_model *model,
                          const struct tenon_launch_record *launch,
                          uint32_t registers) {
  int64_t tiles = launch->tiles, steps = launch->steps;
  if (!tenonIsSizeValue(tiles, registers) ||
      !tenonIsSizeValue(steps, registers) || !steps ||
      (tiles > 0 && steps > 0 && tiles > INT64_MAX / steps) ||
      !tenonWithin(launch->first_size, launch->size_count,
                   model->counts->size_count))
    return false;
  for (uint32_t i = 0; i < launch->size_count; ++i)
    if (!tenonIsSizeValue(model->sizes[launch->first_size + i], registers))
      return false;
  return true;
}

/// `registers`: what its size values may name.
static tenon_status *checkLaunch(const tenon_model *model, uint32_t index,
                                 uint32_t registers) {
  const struct tenon_launch_record *launch = &model->launches[index];
  const struct tenon_launches_header *counts = model->counts;
  if (launch->kernel >= counts->kernel_count ||
      !tenonWithin(launch->first_ref, launch->ref_count, counts->ref_count) ||
      launch->read_count > launch->ref_count ||
      !tenonWithin(launch->first_node, launch->node_count,
                   counts->node_count) ||
      !hasGoodCounts(model, launch, registers) ||
      !tenonIsSizeValue(launch->flops, registers) ||
      !tenonIsSizeValue(launch->bytes, registers) ||
      launch->scratch_bytes > MAX_SCRATCH_BYTES ||
      !tenonWithin(launch->first_wait, launch->wait_count, counts->wait_count))
    return TENON_BAD("launch %u is bad", index);
  if (model->kernelRecords[launch->kernel].flags & TENON_KERNEL_CHECKED &&
      !hasFaultWord(model, launch))
    return TENON_BAD("launch %u has no fault word in the arena", index);
  return NULL;
}

static tenon_status *checkProgram(tenon_model *model, uint32_t index) {
  const struct tenon_program_record *program = &model->programs[index];
  if (!tenonIsSizeValue(program->arena_bytes, model->registers[index]))
    return TENON_BAD("program %u has a bad arena", index);
  if (model->entries[index].function &&
      (program->launch_count || program->arena_bytes))
    return TENON_BAD("entry %u has both bytecode and launches", index);
  for (uint32_t i = 0; i < program->launch_count; ++i) {
    uint32_t number = program->first_launch + i;
    const struct tenon_launch_record *launch = &model->launches[number];
    TENON_TRY(checkLaunch(model, number, model->registers[index]));
    TENON_TRY(checkOrder(model, number, program));
    for (uint32_t k = 0; k < launch->ref_count; ++k)
      TENON_TRY(checkRef(model, &model->entries[index], number,
                         launch->first_ref + k, k >= launch->read_count));
    if (launch->scratch_bytes > model->scratchBytes)
      model->scratchBytes = launch->scratch_bytes;
  }
  return NULL;
}

static tenon_status *checkPrograms(tenon_model *model) {
  uint64_t end = 0;
  bool good = model->counts->program_count == model->entryCount;
  for (uint32_t i = 0; good && i < model->entryCount; ++i) {
    good = model->programs[i].first_launch == end;
    end += model->programs[i].launch_count;
  }
  if (!good || end != model->counts->launch_count)
    return TENON_BAD("the programs are not those of the entries");
  for (uint32_t i = 0; i < model->entryCount; ++i)
    TENON_TRY(checkProgram(model, i));
  return NULL;
}

tenon_status *tenonParseLaunches(tenon_model *model) {
  TENON_TRY(sliceLaunches(model));
  uint32_t count = model->counts->node_count;
  model->nodeNames = calloc(count ? count : 1, sizeof *model->nodeNames);
  if (!model->nodeNames)
    return tenonNoMemory(count * sizeof *model->nodeNames);
  TENON_TRY(checkKernels(model));
  TENON_TRY(checkNodes(model));
  TENON_TRY(checkPrograms(model));
  TENON_TRY(parsePlan(model));
  TENON_TRY(tenonParseSchedule(model));
  return tenonCheckGuards(model);
}
