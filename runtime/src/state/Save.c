//===- Save.c - states as files -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file describes what a state keeps, copies it, and writes it to a file,
// which has its name when it is whole.
//===----------------------------------------------------------------------===//
#include "src/state/SavedState.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

size_t tenon_state_count(const tenon_state *state) {
  return state ? state->count : 0;
}

tenon_status *tenon_state_describe(const tenon_state *state, size_t index,
                                   tenon_state_tensor *info) {
  if (index >= tenon_state_count(state))
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no state %zu",
                     index);
  const struct tenonHeld *held = &state->held[index];
  tenon_state_tensor full = {
      .name = tenonHeldName(state, held),
      .role = (tenon_state_role)held->record->role,
      .dtype = {held->tensor->type_code, held->tensor->type_bits, 1},
      .rank = (int32_t)held->tensor->rank,
      .shape = held->shape,
      .has_value = held->isKnown};
  return tenonFillStruct(info, &full, sizeof full);
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static tenon_status *copyInto(const tenon_state *state, tenon_state *copy) {
  for (uint32_t i = 0; i < state->count; ++i) {
    tenon_tensor view;
    if (!state->held[i].isKnown)
      continue;
    TENON_TRY(tenon_state_get(state, i, &view));
    TENON_TRY(tenon_state_set(copy, i, &view));
  }
  return NULL;
}

tenon_status *tenon_state_clone(const tenon_state *state, tenon_state **clone) {
  if (!state || !clone)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  TENON_TRY(tenonCheckWhole(state));
  tenon_state *copy;
  TENON_TRY(tenonCreateLike(state, &copy));
  tenon_status *status = copyInto(state, copy);
  if (status)
    tenon_state_destroy(copy);
  else
    *clone = copy;
  return status;
}

//===----------------------------------------------------------------------===//
// What is said of a state
//===----------------------------------------------------------------------===//

static uint64_t mix(uint64_t hash, const void *data, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    hash = (hash ^ ((const uint8_t *)data)[i]) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t tenonStateHash(const tenon_state *state) {
  uint64_t hash = UINT64_C(0xcbf29ce484222325);
  for (uint32_t i = 0; i < state->count; ++i) {
    const struct tenonHeld *held = &state->held[i];
    const char *name = tenonHeldName(state, held);
    hash = mix(hash, name, strlen(name) + 1);
    hash = mix(hash, &held->tensor->type_code, 1);
    hash = mix(hash, &held->tensor->type_bits, 1);
    // Extents that runs decide are none of the model's.
    const int64_t *dims = state->model->dims + held->tensor->first_dim;
    for (uint32_t k = 0; k < held->tensor->rank; ++k) {
      int64_t extent = dims[k] < 0 ? -1 : dims[k];
      hash = mix(hash, &extent, sizeof extent);
    }
  }
  return hash;
}

/// What the counter says; 0 where there is none.
static int64_t stepOf(const tenon_state *state) {
  for (uint32_t i = 0; i < state->count; ++i) {
    const struct tenonHeld *held = &state->held[i];
    if (held->record->role == TENON_STATE_COUNTER && held->bytes == 8) {
      int64_t step;
      memcpy(&step, held->data, sizeof step);
      return step;
    }
  }
  return 0;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeText(FILE *file, const char *text) {
  fputc('"', file);
  for (; *text; ++text)
    if ((uint8_t)*text < 0x20 || *text == '"' || *text == '\\')
      fprintf(file, "\\u%04x", (unsigned)(uint8_t)*text);
    else
      fputc(*text, file);
  fputc('"', file);
}

static int64_t bytesOf(const struct tenonHeld *held) {
  int64_t bytes = 0;
  if (held->isKnown)
    tenonTensorBytes(held->tensor, held->shape, &bytes);
  return bytes;
}

static tenon_status *checkType(const tenon_state *state,
                               const struct tenonHeld *held) {
  if (tenonFileType(held->tensor->type_code, held->tensor->type_bits))
    return NULL;
  const char *name = tenonHeldName(state, held);
  return tenonFail(TENON_UNSUPPORTED, name,
                   "'%s' has elements that files of states cannot hold", name);
}

/// Tensors that have no value are left out.
static void writeHeader(FILE *file, const tenon_state *state, uint64_t seed) {
  fprintf(file,
          "{\"__metadata__\":{\"format\":\"tenon\",\"hash\":\"%016" PRIx64
          "\",\"seed\":\"%" PRIu64 "\",\"step\":\"%" PRId64 "\"}",
          tenonStateHash(state), seed, stepOf(state));
  int64_t begin = 0;
  for (uint32_t i = 0; i < state->count; ++i) {
    const struct tenonHeld *held = &state->held[i];
    if (!held->isKnown)
      continue;
    fputc(',', file);
    writeText(file, tenonHeldName(state, held));
    fprintf(file, ":{\"dtype\":\"%s\",\"shape\":[",
            tenonFileType(held->tensor->type_code, held->tensor->type_bits));
    for (uint32_t k = 0; k < held->tensor->rank; ++k)
      fprintf(file, "%s%" PRId64, k ? "," : "", held->shape[k]);
    int64_t end = begin + bytesOf(held);
    fprintf(file, "],\"data_offsets\":[%" PRId64 ",%" PRId64 "]}", begin, end);
    begin = end;
  }
  fputc('}', file);
  for (long end = ftell(file); end % 8 > 0; ++end)
    fputc(' ', file);
}

/// Row by row: what grows has room between its rows.
static void writeElements(FILE *file, struct tenonHeld *held) {
  tenon_tensor view = tenonHeldView(held);
  size_t bytes = (size_t)bytesOf(held);
  if (!bytes)
    return;
  int64_t rows = 1;
  for (uint32_t i = 0; tenonGrows(held->record) && i < held->record->axis; ++i)
    rows *= held->shape[i];
  size_t row = bytes / (size_t)rows, pitch = row;
  if (rows > 1)
    pitch =
        row / (size_t)held->shape[held->record->axis] * (size_t)held->capacity;
  for (int64_t i = 0; i < rows; ++i)
    fwrite((const uint8_t *)view.data + (size_t)i * pitch, 1, row, file);
}

/// Whether all went to the file.
static bool writeState(FILE *file, const tenon_state *state, uint64_t seed) {
  uint64_t size = 0;
  fwrite(&size, sizeof size, 1, file);
  writeHeader(file, state, seed);
  long end = ftell(file);
  for (uint32_t i = 0; i < state->count; ++i)
    if (state->held[i].isKnown)
      writeElements(file, &state->held[i]);
  if (end < 8 || fseek(file, 0, SEEK_SET) != 0)
    return false;
  size = (uint64_t)end - sizeof size;
  fwrite(&size, sizeof size, 1, file);
  return !ferror(file);
}

static tenon_status *cannotWrite(const char *path) {
  return tenonFail(TENON_IO_ERROR, "", "cannot write '%s': %s", path,
                   strerror(errno));
}

/// What is added to the name of a file that is not whole: `.part`, two numbers.
enum { partBytes = 32 };

/// Opens a file beside `name` that no other writer has, and says in `path` how
/// it is called.
static FILE *openPart(const char *name, char *path) {
  int descriptor = -1;
  size_t size = strlen(name) + partBytes;
  for (unsigned count = 0; descriptor < 0 && count < 1000; ++count) {
    snprintf(path, size, "%s.part%d.%u", name, (int)getpid(), count);
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST)
      return NULL;
  }
  return descriptor < 0 ? NULL : fdopen(descriptor, "wb");
}

/// `path`: room for the name of a file that is there only while it is written.
/// The name changes hands when all bytes are on the disk.
static tenon_status *writeFile(const tenon_state *state, char *path,
                               const char *name, uint64_t seed) {
  FILE *file = openPart(name, path);
  if (!file)
    return cannotWrite(name);
  bool isWhole = writeState(file, state, seed) && fflush(file) == 0 &&
                 fsync(fileno(file)) == 0;
  isWhole &= fclose(file) == 0;
  if (isWhole && rename(path, name) == 0)
    return NULL;
  tenon_status *status = cannotWrite(name);
  remove(path);
  return status;
}

tenon_status *tenon_state_save(const tenon_state *state, const char *path,
                               const tenon_state_file *about) {
  if (!state || !path)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  TENON_TRY(tenonCheckWhole(state));
  tenon_state_file local;
  TENON_TRY(tenonReadStruct(&local, sizeof local, about));
  for (uint32_t i = 0; i < state->count; ++i)
    TENON_TRY(checkType(state, &state->held[i]));
  size_t bytes = strlen(path) + partBytes;
  char *partial = tenonAllocate(&state->allocator, bytes, 1);
  if (!partial)
    return tenonNoMemory(bytes);
  tenon_status *status = writeFile(state, partial, path, local.seed);
  tenonRelease(&state->allocator, partial);
  return status;
}
