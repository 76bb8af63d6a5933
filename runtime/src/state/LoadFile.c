//===- LoadFile.c - states from files -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads a file into a state of its own, which takes the other one's
// place when all is well.
//===----------------------------------------------------------------------===//
#include "src/base/File.h"
#include "src/state/SavedState.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct reading {
  tenon_state *state; ///< that the file is read into
  const char *path;
  const uint8_t *data; ///< behind the header
  uint64_t size;
  uint32_t found;
  bool isForeign; ///< the file is of another model, it says
  tenon_state_file about;
};

static tenon_status *foreign(const struct reading *reading, const char *name) {
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' is of another model: its '%s' is none of this one's "
                   "states",
                   reading->path, name);
}

static tenon_status *takeNote(void *user, const char *key, const char *text) {
  struct reading *reading = user;
  if (strcmp(key, "seed") == 0)
    reading->about.seed = strtoull(text, NULL, 10);
  if (strcmp(key, "step") == 0)
    reading->about.step = strtoll(text, NULL, 10);
  if (strcmp(key, "hash") == 0)
    reading->isForeign =
        strtoull(text, NULL, 16) != tenonStateHash(reading->state);
  return NULL;
}

static uint32_t find(const tenon_state *state, const char *name) {
  uint32_t index = 0;
  while (index < state->count &&
         strcmp(tenonHeldName(state, &state->held[index]), name) != 0)
    ++index;
  return index;
}

/// Whether a tensor of the file has the extents that the model wants.
static bool fits(const tenon_state *state, const struct tenonHeld *held,
                 const struct tenonFileTensor *tensor) {
  const char *type =
      tenonFileType(held->tensor->type_code, held->tensor->type_bits);
  const int64_t *dims = state->model->dims + held->tensor->first_dim;
  bool isGood = type && strcmp(type, tensor->type) == 0 &&
                tensor->rank == held->tensor->rank;
  for (uint32_t i = 0; isGood && i < tensor->rank; ++i)
    isGood = dims[i] < 0 || dims[i] == tensor->shape[i];
  return isGood;
}

static tenon_status *takeTensor(void *user,
                                const struct tenonFileTensor *tensor) {
  struct reading *reading = user;
  tenon_state *state = reading->state;
  uint32_t index = find(state, tensor->name);
  if (index == state->count)
    return foreign(reading, tensor->name);
  const struct tenonHeld *held = &state->held[index];
  // Of a state that does not run, this says which tensors the file has had.
  int32_t *seen = &state->inputs[held->record->input].ndim;
  if ((*seen)++)
    return tenonFail(TENON_BAD_ARTIFACT, tensor->name,
                     "'%s' is damaged: it has '%s' twice", reading->path,
                     tensor->name);
  if (!fits(state, held, tensor))
    return tenonFail(TENON_TENSOR_MISMATCH, tensor->name,
                     "'%s' of '%s' has another type or shape than the state of "
                     "this model",
                     tensor->name, reading->path);
  int64_t bytes;
  if (!tenonTensorBytes(held->tensor, tensor->shape, &bytes) ||
      tensor->end < tensor->begin ||
      tensor->end - tensor->begin != (uint64_t)bytes ||
      tensor->end > reading->size)
    return tenonFail(TENON_BAD_ARTIFACT, tensor->name,
                     "'%s' is cut off or damaged: it lacks elements of '%s'",
                     reading->path, tensor->name);
  ++reading->found;
  int64_t shape[TENON_MAX_RANK];
  memcpy(shape, tensor->shape, sizeof shape);
  tenon_tensor value = {
      .data = (void *)(uintptr_t)(reading->data + tensor->begin),
      .device = {TENON_DEVICE_CPU, 0},
      .ndim = (int32_t)tensor->rank,
      .dtype = {held->tensor->type_code, held->tensor->type_bits, 1},
      .shape = shape};
  return tenon_state_set(state, index, &value);
}

static tenon_status *checkAll(const struct reading *reading) {
  if (reading->isForeign)
    return tenonFail(TENON_TENSOR_MISMATCH, "",
                     "'%s' is of another model: names, types or shapes of "
                     "states differ",
                     reading->path);
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < reading->state->count; ++i)
    wanted += reading->state->held[i].isKnown;
  if (reading->found == wanted)
    return NULL;
  return tenonFail(TENON_TENSOR_MISMATCH, "",
                   "'%s' has %u of the %u states of this model", reading->path,
                   reading->found, wanted);
}

static tenon_status *readMapped(struct reading *reading,
                                const struct tenonMapping *mapping) {
  const uint8_t *bytes = mapping->base;
  uint64_t header;
  if (mapping->size < sizeof header)
    return tenonFail(TENON_BAD_ARTIFACT, "", "'%s' is cut off", reading->path);
  memcpy(&header, bytes, sizeof header);
  if (header > mapping->size - sizeof header)
    return tenonFail(TENON_BAD_ARTIFACT, "",
                     "'%s' is cut off, or no file of tensors", reading->path);
  reading->data = bytes + sizeof header + header;
  reading->size = mapping->size - sizeof header - header;
  struct tenonHeaderUser user = {takeTensor, takeNote, reading};
  TENON_TRY(tenonReadHeader((const char *)bytes + sizeof header, (size_t)header,
                            &user));
  return checkAll(reading);
}

tenon_status *tenon_state_load(tenon_state *state, const char *path,
                               tenon_state_file *about) {
  if (!state || !path)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  struct reading reading = {.path = path};
  struct tenonMapping mapping;
  int descriptor;
  if (about)
    TENON_TRY(tenonFillStruct(about, &reading.about, sizeof reading.about));
  TENON_TRY(tenonCreateLike(state, &reading.state));
  tenon_status *status = tenonMapFile(path, &mapping, &descriptor);
  if (!status) {
    close(descriptor);
    status = readMapped(&reading, &mapping);
    tenonUnmap(&mapping);
  }
  if (!status)
    status = tenonLockState(state);
  if (!status) {
    tenonSwapStates(state, reading.state);
    tenonUnlockState(state);
  }
  tenon_state_destroy(reading.state);
  if (!status && about)
    return tenonFillStruct(about, &reading.about, sizeof reading.about);
  return status;
}
