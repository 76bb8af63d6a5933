//===- Shapes.c - what follows from the inputs' shapes --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file resolves the sizes, references and launches of an entry for the
// extents of its inputs, and remembers them: a shape that comes again costs a
// comparison. An entry without symbols has one shape, made with the context.
//===----------------------------------------------------------------------===//
#include "src/Context.h"

#include <string.h>

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Hands out parts of a block; with no block it only counts.
struct parts {
  uint8_t *block;
  size_t end;
};

static void *take(struct parts *parts, size_t count, size_t size) {
  size_t begin = parts->end;
  parts->end += (count * size + TENON_LINE_BYTES - 1) / TENON_LINE_BYTES *
                TENON_LINE_BYTES;
  return parts->block ? parts->block + begin : NULL;
}

static bool isPatched(const struct tenon_ref_record *ref) {
  return ref->space == TENON_SPACE_INPUT || ref->space == TENON_SPACE_OUTPUT;
}

static size_t countPatches(const tenon_context *context) {
  size_t count = 0;
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenon_launch_record *launch = tenonLaunchRecord(context, i);
    for (uint32_t k = 0; k < launch->ref_count; ++k)
      count += isPatched(&context->model->refs[launch->first_ref + k]);
  }
  return count;
}

static void layWave(const tenon_context *context, struct tenonShape *shape,
                    uint32_t index, struct parts *parts) {
  const struct tenon_wave_record *record = tenonWaveRecord(context, index);
  size_t threads = (size_t)context->threads;
  size_t most = tenonMostParts(record->launch_count, threads);
  struct tenonWave wave = {
      .context = context,
      .first = record->first_launch - context->firstLaunch,
      .count = record->launch_count,
      .members = take(parts, record->launch_count, sizeof(struct tenonMember)),
      .parts = take(parts, most, sizeof(struct tenonPart)),
      .ends = take(parts, threads + 1, sizeof(uint32_t))};
  if (context->times)
    wave.times = take(parts, most, sizeof(struct tenonPartTime));
  if (!shape)
    return;
  wave.launches = shape->launches + wave.first;
  shape->waves[index] = wave;
}

/// Points the members of a shape at their parts of the block.
static struct tenonShape *lay(const tenon_context *context,
                              struct parts *parts) {
  const struct tenon_entry_record *entry = context->entry;
  struct tenonShape *shape = take(parts, 1, sizeof *shape);
  struct tenonShape made = {
      .registers =
          take(parts,
               context->givenSizes +
                   tenonSizeProgram(context->model, entry).instruction_count,
               sizeof(int64_t)),
      .outputDims = take(parts, context->outputDims, sizeof(int64_t)),
      .tensorBytes = take(parts, entry->input_count + entry->output_count,
                          sizeof(int64_t)),
      .sizes = take(parts, context->sizes.count, sizeof(int64_t)),
      .pointers = take(parts, context->refs.count, sizeof(void *)),
      .patches = take(parts, countPatches(context), sizeof(struct tenonPatch)),
      .launches = take(parts, context->launchCount, sizeof(struct tenonLaunch)),
      .waves = take(parts, context->waves.count, sizeof(struct tenonWave))};
  if (shape)
    *shape = made;
  for (uint32_t i = 0; i < context->waves.count; ++i)
    layWave(context, shape, i, parts);
  return shape;
}

static tenon_status *addShape(tenon_context *context,
                              struct tenonShape **result) {
  struct parts parts = {NULL, 0};
  lay(context, &parts);
  void *block;
  TENON_TRY(tenonContextAllocate(context, parts.end, &block));
  parts = (struct parts){block, 0};
  *result = lay(context, &parts);
  context->shapes[context->shapeCount++] = *result;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// An extent that no tensor can have.
static tenon_status *badExtent(const char *name, uint32_t dim, int64_t extent) {
  return tenonFail(TENON_TENSOR_MISMATCH, name,
                   "'%s' would have %lld elements in dimension %u for inputs "
                   "of these shapes",
                   name, (long long)extent, dim);
}

/// Computes the bytes of tensor `number`, which has these extents.
static tenon_status *measure(const tenon_context *context,
                             struct tenonShape *shape, uint32_t number,
                             const int64_t *dims) {
  const tenon_model *model = context->model;
  const struct tenon_tensor_record *tensor =
      tenonEntryTensors(model, context->entry) + number;
  const char *name = tenonName(model, tensor->name);
  int64_t *bytes = &shape->tensorBytes[number];
  *bytes = TENON_SIZE_UNKNOWN;
  bool isKnown = true;
  for (uint32_t i = 0; i < tenonExtentCount(tensor); ++i) {
    isKnown &= dims[i] != TENON_SIZE_UNKNOWN;
    if (dims[i] < 0 && dims[i] != TENON_SIZE_UNKNOWN)
      return badExtent(name, i, dims[i]);
  }
  if (!isKnown || !tenonHasExtents(tensor))
    return NULL;
  if (!tenonTensorBytes(tensor, dims, bytes))
    return tenonFail(TENON_TENSOR_MISMATCH, name,
                     "'%s' has more bytes than can be counted", name);
  if (*bytes != tenonSize(shape, tensor->byte_size))
    return tenonFail(TENON_BAD_ARTIFACT, name,
                     "'%s' has %lld bytes, which the model computes as %lld",
                     name, (long long)*bytes,
                     (long long)tenonSize(shape, tensor->byte_size));
  return NULL;
}

/// One that data decide is computed as such, not as a wrong one.
static int64_t extentOf(const struct tenonShape *shape,
                        tenon_size_value value) {
  if (value == TENON_SIZE_UNKNOWN)
    return value;
  int64_t extent = tenonSize(shape, value);
  return extent == TENON_SIZE_UNKNOWN ? -1 : extent;
}

static tenon_status *measureTensors(const tenon_context *context,
                                    struct tenonShape *shape) {
  const tenon_model *model = context->model;
  const struct tenon_entry_record *entry = context->entry;
  const struct tenon_tensor_record *tensor = tenonEntryTensors(model, entry);
  const int64_t *dims = shape->registers;
  for (uint32_t i = 0; i < entry->input_count; ++i, ++tensor) {
    TENON_TRY(measure(context, shape, i, dims));
    dims += tenonExtentCount(tensor);
  }
  int64_t *next = shape->outputDims;
  for (uint32_t i = 0; i < entry->output_count; ++i, ++tensor) {
    uint32_t rank = tenonExtentCount(tensor);
    for (uint32_t k = 0; k < rank; ++k)
      next[k] = extentOf(shape, model->dims[tensor->first_dim + k]);
    TENON_TRY(measure(context, shape, entry->input_count + i, next));
    next += rank;
  }
  return context->axes ? tenonMeasureStates(context, shape) : NULL;
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static tenon_status *badLaunch(const tenon_context *context, uint32_t index) {
  return TENON_BAD("launch %u is bad for inputs of these shapes",
                   context->firstLaunch + index);
}

/// The bytes of what a reference points into.
static int64_t spaceBytes(const tenon_context *context,
                          const struct tenonShape *shape,
                          const struct tenon_ref_record *ref) {
  switch (ref->space) {
  case TENON_SPACE_ARENA:
    return shape->arenaBytes;
  case TENON_SPACE_WEIGHTS:
    return (int64_t)context->model->sections[TENON_SECTION_WEIGHTS].size;
  case TENON_SPACE_INPUT:
    return shape->tensorBytes[ref->index];
  default: // TENON_SPACE_OUTPUT; the loader knows no others
    return shape->tensorBytes[context->entry->input_count + ref->index];
  }
}

static bool resolveRef(const tenon_context *context, struct tenonShape *shape,
                       uint32_t index) {
  const struct tenon_ref_record *ref = &context->model->refs[index];
  int64_t offset = tenonSize(shape, ref->offset);
  int64_t size = tenonSize(shape, ref->size);
  int64_t limit = spaceBytes(context, shape, ref);
  // Of no rows, a part of each lies behind the end of what it is a part of.
  bool isInside = size == 0 || (offset <= limit && size <= limit - offset);
  if (offset < 0 || size < 0 || !isInside)
    return false;
  if (isPatched(ref)) {
    uint32_t tensor = ref->index;
    if (ref->space == TENON_SPACE_OUTPUT)
      tensor += context->entry->input_count;
    shape->patches[shape->patchCount++] =
        (struct tenonPatch){index - context->refs.first, tensor, offset};
  }
  return true;
}

/// Whether the last reference is a fault word, now that its size is known.
static bool hasFaultWord(const tenon_context *context,
                         const struct tenonShape *shape,
                         const struct tenon_launch_record *launch) {
  const struct tenon_ref_record *word =
      &context->model->refs[launch->first_ref + launch->ref_count - 1];
  return tenonSize(shape, word->size) >= (int64_t)sizeof(int64_t) &&
         tenonSize(shape, word->offset) % (int64_t)sizeof(int64_t) == 0;
}

static tenon_status *resolveLaunch(const tenon_context *context,
                                   struct tenonShape *shape, uint32_t index) {
  const tenon_model *model = context->model;
  const struct tenon_launch_record *launch = tenonLaunchRecord(context, index);
  uint32_t flags = model->kernelRecords[launch->kernel].flags;
  int64_t tiles = tenonSize(shape, launch->tiles);
  // Without tiles nothing is read: a view without elements may end before it
  // begins.
  for (uint32_t k = 0; k < launch->ref_count; ++k)
    if (!resolveRef(context, shape, launch->first_ref + k) && tiles != 0)
      return badLaunch(context, index);
  int64_t steps = tenonSize(shape, launch->steps);
  if (tiles < 0 || steps < 0 || (steps && tiles > INT64_MAX / steps) ||
      (flags & TENON_KERNEL_CHECKED && !hasFaultWord(context, shape, launch)))
    return badLaunch(context, index);
  int64_t *sizes = shape->sizes + (launch->first_size - context->sizes.first);
  for (uint32_t k = 0; k < launch->size_count; ++k)
    sizes[k] = tenonSize(shape, model->sizes[launch->first_size + k]);
  // An executor does not say which thread runs a chunk: with one for each
  // thread, chunks have the scratch.
  bool isOneCall = flags & TENON_KERNEL_ONE_CALL ||
                   (launch->scratch_bytes && !context->pool);
  int32_t perThread = tenonChunksPerThread(isOneCall);
  int64_t most = (int64_t)context->threads * perThread;
  shape->launches[index] = (struct tenonLaunch){
      .kernel = model->kernels ? model->kernels[launch->kernel] : NULL,
      .guard = context->guard,
      .buffers = shape->pointers + (launch->first_ref - context->refs.first),
      .sizes = launch->size_count ? sizes : NULL,
      .scratchPitch = tenonScratchPitch(model),
      .tiles = tiles,
      .steps = steps,
      .perThread = perThread,
      .chunks = (int32_t)(tiles < most ? tiles : most)};
  shape->isShared |= tiles > 1;
  return NULL;
}

/// Fills a shape from the extents of the inputs.
static tenon_status *resolve(const tenon_context *context,
                             struct tenonShape *shape) {
  memcpy(shape->registers, context->extents,
         context->givenSizes * sizeof *context->extents);
  shape->patchCount = 0;
  shape->arenaVersion = 0;
  shape->isShared = context->waves.count != 0;
  TENON_TRY(tenonComputeSizes(context, shape->registers));
  TENON_TRY(measureTensors(context, shape));
  shape->arenaBytes = tenonSize(
      shape, tenonEntryProgram(context->model, context->entry)->arena_bytes);
  if (shape->arenaBytes < 0)
    return TENON_BAD("the arena is bad for inputs of these shapes");
  for (uint32_t i = 0; i < context->launchCount; ++i)
    TENON_TRY(resolveLaunch(context, shape, i));
  if (context->isSymbolic)
    TENON_TRY(tenonProveOrder(
        context->model, (uint32_t)(context->entry - context->model->entries),
        shape));
  tenonShareWaves(context, shape);
  return NULL;
}

static void placeRef(const tenon_context *context, struct tenonShape *shape,
                     uint32_t index) {
  const tenon_model *model = context->model;
  const struct tenon_ref_record *ref = &model->refs[index];
  if (isPatched(ref))
    return;
  // Kernels get one kind of pointer; the loader has checked that no launch
  // writes to weights.
  uint8_t *base = ref->space == TENON_SPACE_ARENA
                      ? context->arena
                      : (uint8_t *)model->sections[TENON_SECTION_WEIGHTS].data;
  shape->pointers[index - context->refs.first] =
      base ? base + tenonSize(shape, ref->offset) : NULL;
}

tenon_status *tenonPlaceShape(tenon_context *context,
                              struct tenonShape *shape) {
  if (!context->guard)
    TENON_TRY(tenonReserveArena(context, shape->arenaBytes));
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenon_launch_record *record = tenonLaunchRecord(context, i);
    struct tenonLaunch *launch = &shape->launches[i];
    for (uint32_t k = 0; !context->guard && k < record->ref_count; ++k)
      placeRef(context, shape, record->first_ref + k);
    if (record->scratch_bytes && !context->guard)
      launch->scratch = tenonFirstScratch(context);
    if (context->model->kernelRecords[record->kernel].flags &
        TENON_KERNEL_CHECKED)
      launch->fault = launch->buffers[record->ref_count - 1];
  }
  shape->arenaVersion = context->arenaVersion;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Finding
//===----------------------------------------------------------------------===//

static bool hasExtents(const tenon_context *context,
                       const struct tenonShape *shape) {
  return memcmp(shape->registers, context->extents,
                context->givenSizes * sizeof *context->extents) == 0;
}

static uint64_t hashExtents(const tenon_context *context) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < context->givenSizes; ++i)
    hash = (hash ^ (uint64_t)context->extents[i]) * 0x9e3779b97f4a7c15u;
  return hash;
}

static struct tenonShape *leastRecentlyUsed(const tenon_context *context) {
  struct tenonShape *oldest = context->shapes[0];
  for (uint32_t i = 1; i < context->shapeCount; ++i)
    if (context->shapes[i]->lastUse < oldest->lastUse)
      oldest = context->shapes[i];
  return oldest;
}

/// A shape that is not used: a wrong one, one that was never filled, or, when
/// there are enough, the one whose latest use is the longest ago.
static tenon_status *freeShape(tenon_context *context,
                               struct tenonShape **result) {
  if (context->shapeCount)
    *result = leastRecentlyUsed(context);
  if (context->shapeCount < TENON_MAX_SHAPES &&
      (!context->shapeCount || (*result)->lastUse))
    return addShape(context, result);
  return NULL;
}

tenon_status *tenonFindShape(tenon_context *context) {
  if (context->shape && hasExtents(context, context->shape))
    return NULL;
  context->shape = NULL;
  uint64_t hash = hashExtents(context);
  for (uint32_t i = 0; i < context->shapeCount; ++i) {
    struct tenonShape *shape = context->shapes[i];
    if (!shape->lastUse || shape->hash != hash || !hasExtents(context, shape))
      continue;
    shape->lastUse = ++context->uses;
    context->shape = shape;
    return NULL;
  }
  struct tenonShape *shape;
  TENON_TRY(freeShape(context, &shape));
  shape->lastUse = 0;
  shape->hash = hash;
  TENON_TRY(resolve(context, shape));
  shape->lastUse = ++context->uses;
  context->shape = shape;
  return NULL;
}
