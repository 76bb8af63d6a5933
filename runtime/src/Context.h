//===- Context.h - a context's insides ----------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the struct behind tenon_context.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_CONTEXT_H
#define TENON_RUNTIME_CONTEXT_H

#include "src/Model.h"
#include "src/base/Pool.h"
#include "src/base/Shares.h"
#include "src/guard/Guard.h"

#include <stdatomic.h>

/// How many shapes of its inputs a context remembers.
#define TENON_MAX_SHAPES 32

/// A reference that each run points at the caller's tensor.
struct tenonPatch {
  /// Of the program.
  uint32_t ref;
  /// The number in the signature: inputs, then outputs.
  uint32_t tensor;
  int64_t offset;
};

/// Elements [first, first + count) of a list.
struct tenonSlice {
  uint32_t first;
  uint32_t count;
};

/// A launch as the threads that run it see it. In runs nobody writes to it, so
/// that each thread keeps it in its own cache.
struct tenonLaunch {
  _Alignas(TENON_LINE_BYTES) tenon_kernel_fn kernel;
  struct tenonGuard *guard;
  void *const *buffers;
  const int64_t *sizes; ///< NULL: it wants none
  /// Of the first thread; NULL: it wants none.
  uint8_t *scratch;
  uint64_t scratchPitch;
  int64_t first; ///< tile of the step
  int64_t tiles; ///< of a step
  int64_t steps;
  int32_t perThread; ///< chunks
  int32_t chunks;    ///< for an executor
  int64_t *fault;    ///< its fault word; NULL unless it checks indices
};

/// Of a part of a wave in the latest run: when it began, since the run's begin,
/// how long it took, and who ran it.
struct tenonPartTime {
  int64_t begin;
  int64_t nanoseconds;
  int32_t thread;
};

/// Launches that run at once, and who runs which of their tiles.
struct tenonWave {
  const tenon_context *context;
  struct tenonLaunch *launches;
  uint32_t first; ///< of the entry's launches
  uint32_t count;
  struct tenonMember *members;
  struct tenonPart *parts;
  uint32_t *ends; ///< of each thread's parts; the first is 0
  bool hasScratch;
  struct tenonPartTime *times; ///< of the parts; NULL unless profiling
};

struct tenonDeviceContext;
struct tenonDeviceGraph;

struct tenonLaunchTime {
  int64_t calls;
  int64_t nanoseconds;
  /// Of the latest run: since its begin, and how long.
  int64_t lastBegin;
  int64_t lastNanoseconds;
};

/// All that follows from the extents of the inputs. What it takes of memory
/// does not depend on them, so another shape can have its place.
struct tenonShape {
  /// The inputs' extents, the capacities of states, and what the entry's
  /// instructions yield.
  int64_t *registers;
  int64_t *outputDims;
  /// Of each input and output; where one grows, with its room.
  int64_t *tensorBytes;
  /// Those of the program's launches.
  int64_t *sizes;
  int64_t arenaBytes;
  /// One for each of the program's references; a launch's buffers are a slice.
  void **pointers;
  struct tenonPatch *patches;
  size_t patchCount;
  /// One for each launch of the entry's program.
  struct tenonLaunch *launches;
  /// In the order of their launches.
  struct tenonWave *waves;
  /// Whether a launch or wave has work for more than one thread.
  bool isShared;
  /// Of the inputs' extents.
  uint64_t hash;
  uint64_t lastUse;
  /// Of the arena that pointers point into; 0: none yet.
  uint64_t arenaVersion;
  /// How it runs on a GPU; NULL elsewhere, and before its first run there.
  struct tenonDeviceGraph *graph;
};

struct tenon_context {
  const tenon_model *model;
  const struct tenon_entry_record *entry;
  tenon_context_options options;
  int32_t threads;
  struct tenonPool *pool;
  /// NULL, or the context of the bytecode that calls this program: threads and
  /// arena are its.
  tenon_context *parent;
  /// NULL unless the entry is bytecode.
  struct tenonMachine *machine;
  uint8_t *arena;
  void *ownArena;
  /// Of the arena, without the scratch behind it; below zero: there is none.
  int64_t arenaBytes;
  uint64_t arenaVersion;
  /// Whether sizes depend on the inputs' shapes.
  bool isSymbolic;
  uint32_t inputDims;
  uint32_t outputDims;
  /// The extents of inputs and the capacities of states: what shapes are found
  /// by, and the first registers.
  uint32_t givenSizes;
  /// Those at hand. A capacity of 0 is that of a dense tensor.
  int64_t *extents;
  struct tenonStates states;
  /// The launch from which on a run that fails leaves states half new.
  uint32_t firstUpdate;
  /// How many launches the latest run on a state had begun when it failed.
  uint32_t begun;
  /// Of each input and output the dimension that grows, or -1; NULL where none
  /// does.
  int32_t *axes;
  /// For runs into buffers.
  tenon_tensor *outputViews;
  /// Without symbols there is one, from the begin.
  struct tenonShape *shapes[TENON_MAX_SHAPES];
  uint32_t shapeCount;
  /// The latest; NULL before the first.
  struct tenonShape *shape;
  uint64_t uses;
  uint32_t launchCount;
  /// The first one's number in the model.
  uint32_t firstLaunch;
  /// What its launches have of the model's references and sizes.
  struct tenonSlice refs;
  struct tenonSlice sizes;
  /// Of the model's; none where its launches run one after the other.
  struct tenonSlice waves;
  /// Of the first one's launches and those behind.
  const uint32_t *waveTimes;
  /// NULL unless the model is guarded.
  struct tenonGuard *guard;
  /// NULL unless the model runs on a GPU.
  struct tenonDeviceContext *device;
  /// NULL unless profiling.
  struct tenonLaunchTime *times;
  /// When the run began, on the clock of `times`.
  int64_t runBegin;
  atomic_flag isRunning;
};

static inline const struct tenon_launch_record *
tenonLaunchRecord(const tenon_context *context, uint32_t index) {
  return &context->model->launches[context->firstLaunch + index];
}

static inline int64_t tenonSize(const struct tenonShape *shape,
                                tenon_size_value value) {
  return value < 0 ? shape->registers[-1 - value] : value;
}

/// A context of program `entry`, which bytecode in `parent` calls.
tenon_status *tenonCreateProgram(tenon_context *parent, uint32_t entry,
                                 tenon_context **result);

/// tenon_run of an entry without bytecode, whose context is locked.
tenon_status *tenonRunLocked(tenon_context *context, const tenon_tensor *inputs,
                             size_t inputCount, const tenon_tensor *outputs,
                             size_t outputCount);

/// What a launch says that met an index outside of so many rows.
tenon_status *tenonIndexFault(const tenon_model *model, uint32_t launch,
                              int64_t rows);

/// Whether the tensor maps of a launch lie in its references, of the sizes that
/// they have in the shape; NULL: as far as numbers can tell.
bool tenonMapsFit(const tenon_model *model, uint32_t launch,
                  const struct tenonShape *shape);

/// Runs tiles of a launch, as tenonRangeFn says.
void tenonRunRange(const void *launch, int32_t thread, int64_t begin,
                   int64_t end);

/// Finds the entry's waves; none where there is one thread, or TENON_SCHEDULE
/// says so.
tenon_status *tenonFindWaves(tenon_context *context);

const struct tenon_wave_record *tenonWaveRecord(const tenon_context *context,
                                                uint32_t index);

/// Shares the tiles of all waves out, whose launches have been resolved.
void tenonShareWaves(const tenon_context *context, struct tenonShape *shape);

/// Runs the launches of a wave. Fails as the first of those would that meet a
/// bad index.
tenon_status *tenonRunWave(tenon_context *context, struct tenonWave *wave);

/// Proves that no launch of an entry touches bytes that another one writes
/// which may run at the same time, for the sizes of the shape; NULL: all sizes
/// are numbers. Fails with the names of both.
tenon_status *tenonProveOrder(const tenon_model *model, uint32_t entry,
                              const struct tenonShape *shape);

/// Makes sure that the arena of the shape is there, and wakes the threads where
/// they get work.
tenon_status *tenonPrepareRun(tenon_context *context);

/// Runs the launches of the shape; their pointers are in place.
tenon_status *tenonRunLaunches(tenon_context *context);

/// Zeroed memory of a context.
tenon_status *tenonContextAllocate(const tenon_context *context, size_t bytes,
                                   void **result);

/// Makes sure that the arena has so many bytes. Its contents are not kept.
tenon_status *tenonReserveArena(tenon_context *context, int64_t bytes);

/// The scratch of all threads, which lies behind the arena.
uint8_t *tenonFirstScratch(const tenon_context *context);

/// Runs the entry's size program: the registers begin with the extents of the
/// inputs. Fails where the inputs' shapes are not what it asks for.
tenon_status *tenonComputeSizes(const tenon_context *context,
                                int64_t *registers);

/// Makes `context->shape` the one that follows from `context->extents`.
tenon_status *tenonFindShape(tenon_context *context);

/// Makes its pointers point into the arena, with as much of it as it needs.
tenon_status *tenonPlaceShape(tenon_context *context, struct tenonShape *shape);

/// Checks types, layouts and extents of the inputs, and gives the shape that
/// follows from them to `context->shape`. States have the capacity of
/// `outputs`, which have been counted; where these are NULL, of their inputs.
/// `withData`: they have data.
tenon_status *tenonTakeInputs(tenon_context *context,
                              const tenon_tensor *inputs, size_t count,
                              const tenon_tensor *outputs, bool withData);

/// Checks how many outputs there are.
tenon_status *tenonCountOutputs(const tenon_context *context,
                                const tenon_tensor *outputs, size_t count);

/// How a tensor that grows along `axis` lies. `capacity` is what its strides
/// say, or 0 where they say nothing: a dense tensor, or one in which nothing
/// lies behind the elements along the axis. False: it lies in another way.
bool tenonReadCapacity(const tenon_tensor *tensor, int32_t axis,
                       int64_t *capacity);

/// Sets the capacities among `context->extents` to those of the states' tensors
/// in `tensors`: outputs, or inputs.
tenon_status *tenonTakeCapacities(tenon_context *context,
                                  const tenon_tensor *tensors, bool areOutputs);

/// Checks that there is room for what grows.
tenon_status *tenonCheckRoom(const tenon_context *context,
                             const tenon_tensor *outputs);

/// Counts the room of tensors that grow into their bytes.
tenon_status *tenonMeasureStates(const tenon_context *context,
                                 struct tenonShape *shape);

/// Copies a tensor that grows along `axis`, called `name`, to the begin of
/// another one, which has the same extents along all other dimensions; nothing
/// where that is the same memory.
tenon_status *tenonCopyGrown(const char *name, const tenon_tensor *input,
                             const tenon_tensor *output, int32_t axis);

/// Copies states' inputs to their outputs, unless these are one buffer.
tenon_status *tenonFillStates(const tenon_context *context,
                              const tenon_tensor *inputs,
                              const tenon_tensor *outputs);

/// That a tenon_tensor can be what the record describes.
tenon_status *tenonCheckPlain(const tenon_model *model,
                              const struct tenon_tensor_record *record);

/// That each output fits into its buffer; `byte_size` says what it takes.
tenon_status *tenonCheckCapacities(const tenon_context *context,
                                   const tenon_output_buffer *outputs);

/// Checks the extents of one input or output, of a record that has some, and
/// its layout; what is below zero in `expected` is not looked at.
tenon_status *tenonCheckTensor(const tenon_model *model,
                               const struct tenon_tensor_record *record,
                               const int64_t *expected,
                               const tenon_tensor *tensor, bool isInput);

/// Checks the outputs against `context->shape`.
tenon_status *tenonCheckOutputs(const tenon_context *context,
                                const tenon_tensor *outputs, size_t count);

/// Between these two no other thread uses the context; fails when one does.
tenon_status *tenonLock(tenon_context *context);
void tenonUnlock(tenon_context *context);

#endif // TENON_RUNTIME_CONTEXT_H
