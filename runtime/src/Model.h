//===- Model.h - a loaded model's insides -------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the struct behind tenon_model. After loading, every index and
// offset in the records has been checked: code that reads them needs no
// further test.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_MODEL_H
#define TENON_RUNTIME_MODEL_H

#include "src/base/File.h"
#include "src/base/Status.h"
#include "tenon/artifact_format.h"

#include <pthread.h>

/// What no two threads' scratch shares: the pair of lines that some processors
/// fetch at once.
#define TENON_SCRATCH_ALIGNMENT 128u

/// Of a context.
#define TENON_MAX_THREADS 1024

struct tenonBytes {
  const uint8_t *data;
  size_t size;
};

struct tenon_model {
  /// The artifact, and who holds it: a mapping, a copy, or the caller.
  struct tenonBytes file;
  struct tenonMapping mapping;
  void *copy;
  int descriptor;
  const tenon_static_model *linked;

  const struct tenon_file_header *header;
  const struct tenon_section *table;
  /// By kind, of the chosen variant; WEIGHTS of a linked model are elsewhere.
  struct tenonBytes sections[TENON_SECTION_SCHEDULE + 1];
  uint32_t variantCount;
  /// The chosen one.
  uint32_t variant;

  const struct tenon_info_record *info;
  /// Null when there is one variant, which header and info describe.
  const struct tenon_variant_record *variants;
  const struct tenon_signature_header *signature;
  const struct tenon_tensor_record *tensors;
  const tenon_size_value *dims;
  /// What callers see of them: -1 for a register. NULL where there is none.
  int64_t *publicDims;
  /// One for each dimension.
  const tenon_name_ref *dimNames;
  const struct tenon_entry_record *entries;
  uint32_t entryCount;
  /// Of all entries, those of each follow each other.
  const struct tenon_state_record *states;
  /// Of each entry: how many registers hold capacities.
  uint32_t *capacities;
  /// Those that users see, which are the first.
  uint32_t publicEntryCount;
  /// One for each entry, or NULL: none has symbols.
  const struct tenon_size_program_record *sizePrograms;
  const struct tenon_size_instruction *sizeInstructions;
  /// Of each entry, what size values may name; 0: it has no symbols.
  uint32_t *registers;
  const struct tenon_launches_header *counts;
  const struct tenon_kernel_record *kernelRecords;
  const struct tenon_launch_record *launches;
  const struct tenon_ref_record *refs;
  /// One for each entry.
  const struct tenon_program_record *programs;
  const tenon_size_value *sizes;
  const uint32_t *waits;
  /// NULL: the launches of the variant run in their order.
  const struct tenon_schedule_header *schedule;
  const struct tenon_wave_record *waves;
  const struct tenon_piece_record *pieces;
  /// Of the launches of all waves.
  const uint32_t *waveTimes;
  /// The most that a launch wants for each thread.
  uint64_t scratchBytes;
  const struct tenon_plan_header *plan;
  /// Whether all programs' arenas are numbers.
  bool isArenaFixed;
  const char **nodeNames;
  struct tenonBytecode *bytecode;

  struct tenonMapping codeMapping;
  const tenon_kernel_fn *kernels;
  tenon_kernel_fn *ownKernels;

  /// What the model runs on; of a GPU also its name.
  tenon_device device;
  char deviceName[128];
  /// Of a variant for a GPU.
  const struct tenon_device_header *deviceCounts;
  const struct tenon_device_launch_record *deviceLaunches;
  const struct tenon_device_map_record *maps;
  const struct tenon_device_module_record *modules;
  uint32_t unitCount;
  /// What its contexts share on each GPU that they run on, and who changes
  /// the list.
  struct tenonDevice *devices;
  pthread_mutex_t devicesLock;
};

static inline const char *tenonName(const tenon_model *model,
                                    tenon_name_ref name) {
  return (const char *)model->sections[TENON_SECTION_NAMES].data + name;
}

static inline const char *tenonVariantName(const tenon_model *model,
                                           uint32_t variant) {
  return tenonName(model, model->variants ? model->variants[variant].target_cpu
                                          : model->info->target_cpu);
}

/// Whether a number is an architecture of GPUs, as variants have it.
static inline bool tenonIsArchitecture(uint64_t number) {
  return (number & TENON_CUDA_ARCHITECTURE) >= TENON_CUDA_LEAST &&
         !(number & ~(uint64_t)(TENON_CUDA_ARCHITECTURE | TENON_CUDA_EXACT));
}

static inline bool tenonIsForCuda(const tenon_model *model, uint32_t variant) {
  return model->variants && model->variants[variant].kind == TENON_VARIANT_CUDA;
}

/// Whether the chosen variant runs on a GPU.
static inline bool tenonIsCuda(const tenon_model *model) {
  return tenonIsForCuda(model, model->variant);
}

/// Inputs, then outputs.
static inline const struct tenon_tensor_record *
tenonEntryTensors(const tenon_model *model,
                  const struct tenon_entry_record *entry) {
  return model->tensors + entry->first_tensor;
}

static inline const struct tenon_program_record *
tenonEntryProgram(const tenon_model *model,
                  const struct tenon_entry_record *entry) {
  return &model->programs[entry - model->entries];
}

/// The states of an entry.
struct tenonStates {
  const struct tenon_state_record *first;
  uint32_t count;
};

struct tenonStates tenonEntryStates(const tenon_model *model,
                                    const struct tenon_entry_record *entry);

static inline bool tenonGrows(const struct tenon_state_record *state) {
  return state->axis < TENON_STATE_UPDATED;
}

/// Whether its input and output may be one buffer, which launches overwrite.
static inline bool tenonIsUpdated(const struct tenon_state_record *state) {
  return state->axis == TENON_STATE_UPDATED;
}

/// Whether the entry gives it a new value.
static inline bool tenonWrites(const struct tenon_state_record *state) {
  return state->output != TENON_STATE_READ;
}

/// From the scratch of one thread to that of the next.
static inline uint64_t tenonScratchPitch(const tenon_model *model) {
  const uint64_t unit = TENON_SCRATCH_ALIGNMENT;
  return (model->scratchBytes + unit - 1) / unit * unit;
}

static inline bool tenonIsGuarded(const tenon_model *model) {
  return model->header->flags & TENON_FILE_GUARDED;
}

static inline const struct tenon_buffer_record *
tenonPlanBuffers(const tenon_model *model) {
  return (const struct tenon_buffer_record *)(model->plan + 1);
}

/// Whether [offset, offset + size) lies in [0, limit).
static inline bool tenonWithin(uint64_t offset, uint64_t size, uint64_t limit) {
  return offset <= limit && size <= limit - offset;
}

/// Whether `value` is a number or one of so many registers.
static inline bool tenonIsSizeValue(tenon_size_value value,
                                    uint32_t registers) {
  return value >= -(int64_t)registers;
}

/// As tenonWithin, on size values: as far as numbers can tell.
static inline bool tenonMayBeWithin(tenon_size_value offset,
                                    tenon_size_value size,
                                    tenon_size_value limit) {
  return limit < 0 ||
         (offset <= limit && size <= limit - (offset < 0 ? 0 : offset));
}

/// Whether it has extents: no sequence, no optional, nothing of any rank.
static inline bool tenonHasExtents(const struct tenon_tensor_record *tensor) {
  return tensor->kind == TENON_KIND_tensor && tensor->rank != TENON_RANK_ANY;
}

/// How many extents of it are registers, when it is an input.
static inline uint32_t
tenonExtentCount(const struct tenon_tensor_record *tensor) {
  return tenonHasExtents(tensor) ? tensor->rank : 0;
}

/// The registers that the plan's buffers may name: those of the only entry.
static inline uint32_t tenonPlanRegisters(const tenon_model *model) {
  return model->entryCount == 1 ? model->registers[0] : 0;
}

static inline struct tenon_size_program_record
tenonSizeProgram(const tenon_model *model,
                 const struct tenon_entry_record *entry) {
  if (!model->sizePrograms)
    return (struct tenon_size_program_record){0, 0};
  return model->sizePrograms[entry - model->entries];
}

/// A status for damaged bytes.
#define TENON_BAD(...) tenonFail(TENON_BAD_ARTIFACT, "", __VA_ARGS__)

/// Checks header, section table, checksums and architecture, and fills
/// `header`, `table`, `variantCount`, and `sections` but for the variants' own.
tenon_status *tenonParseSections(tenon_model *model, bool verifyWeights);

/// The section of that kind, which each variant has.
struct tenonBytes tenonVariantSection(const tenon_model *model,
                                      uint32_t variant, uint32_t kind);

/// Checks the sections' contents and fills the pointers into them, those of the
/// variant and for the device that the options ask for, or of the first that
/// can run here.
tenon_status *tenonParseContents(tenon_model *model,
                                 const tenon_load_options *options);

/// The part of it that chooses. Entries must have been checked.
tenon_status *tenonParseVariants(tenon_model *model,
                                 const tenon_load_options *options);

/// Why a variant cannot run: what this processor lacks, or why no GPU runs it.
/// Empty where it can.
struct tenonRefusal {
  char text[256];
};
struct tenonRefusal tenonRefuse(const tenon_model *model, uint32_t variant);

/// The part of it for DEVICE; PLAN must have been checked.
tenon_status *tenonParseDevice(tenon_model *model);

/// The part of it for the states in SIGNATURE.
tenon_status *tenonParseStates(tenon_model *model);

/// Proves that launches leave no state that is updated between old and new:
/// none of an old value is read once it may be gone, and nothing fails from
/// then on. Launches must have been checked.
tenon_status *tenonProveUpdates(const tenon_model *model);

/// The number of the first launch of an entry that overwrites a state; that of
/// its launches where none does.
uint32_t tenonFirstUpdate(const tenon_model *model,
                          const struct tenon_entry_record *entry);

/// The part of it for SIZES, and for the sizes of entries' tensors.
tenon_status *tenonParseSizes(tenon_model *model);

/// The bytes of a tensor that has these extents, at least 0 each; false where
/// they are too many.
bool tenonTensorBytes(const struct tenon_tensor_record *tensor,
                      const int64_t *dims, int64_t *bytes);

/// Whether there is such an element type.
bool tenonIsElementType(uint8_t code, uint8_t bits);

/// That an offset into NAMES is one.
tenon_status *tenonCheckName(const tenon_model *model, tenon_name_ref name);

/// The part of it for BYTECODE. Entries must have been checked.
tenon_status *tenonParseBytecode(tenon_model *model);
void tenonFreeBytecode(struct tenonBytecode *bytecode);

/// The part of it for LAUNCHES and PLAN.
tenon_status *tenonParseLaunches(tenon_model *model);

/// The part of it for SCHEDULE; launches must have been checked.
tenon_status *tenonParseSchedule(tenon_model *model);

/// Describes a tensor of an entry.
tenon_status *tenonDescribe(const tenon_model *model,
                            const struct tenon_tensor_record *record,
                            tenon_tensor_info *info);

/// What a guarded artifact must hold in addition.
tenon_status *tenonCheckGuards(const tenon_model *model);

/// The number of the buffer of a guarded plan that the bytes lie in; the
/// number of buffers when there is none.
uint32_t tenonGuardedBuffer(const tenon_model *model, int64_t offset,
                            int64_t size);

#endif // TENON_RUNTIME_MODEL_H
