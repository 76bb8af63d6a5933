//===- Guard.h - runs that catch kernels lying about memory -------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a context of a guarded model has in addition.
//
// Everything that kernels touch lies in one reservation of address space: the
// arena as the compiler laid it out, then copies of inputs, outputs and
// weights in the same manner. Nothing of it is accessible between launches:
//
//   |  guard  |pad| buffer 0 |  guard  |pad| buffer 1 |  guard  | ...
//   |---------|--------------|---------|--------------|---------|
//      none     rw, r or none   none     rw, r or none
//
// During a launch the pages of its operands open up: those that it writes for
// writing, those that it reads for reading, those that are dead or not yet
// written not at all. A stray access is therefore a fault in the thread that
// runs the kernel. Its handler notes the address and leaves the kernel by
// siglongjmp, which is safe because kernels hold nothing: no lock, no memory,
// no callee. What pages are too coarse for, the rest of a buffer's first or
// last page ("pad"), is filled with a pattern and looked at after the launch.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_GUARD_GUARD_H
#define TENON_RUNTIME_GUARD_GUARD_H

#include "src/Model.h"

#include <stdatomic.h>

/// The space of a thread's scratch, which no reference points into.
#define TENON_SPACE_SCRATCH UINT32_MAX

/// A buffer of the arena, an input, an output, weights that launches refer to
/// as one piece, or scratch, which is as large as the launch that runs says.
struct tenonRegion {
  uint32_t space;
  /// The number of the plan's buffer, input, output or thread; 0 for weights.
  uint32_t index;
  /// In its space; `size` bytes.
  uint64_t offset;
  uint64_t size;
  uint8_t *base;
  /// Alive from launch `first` to launch `last`. `first` is the first that
  /// writes; UINT32_MAX when none does.
  uint32_t first;
  uint32_t last;
  /// How the launch that runs may touch it: PROT_NONE, PROT_READ or both.
  int access;
  /// Whether it has its contents, or the poison that stands for them.
  bool isAwake;
};

enum tenonTouch { TENON_TOUCHED, TENON_READ, TENON_WROTE };

/// The first stray access of a run.
struct tenonFault {
  atomic_bool isClaimed;
  /// Whether it was found after the launch, in a pad.
  bool isLate;
  /// Whether the processor refused to even form the address.
  bool hasNoAddress;
  enum tenonTouch touch;
  const uint8_t *address;
};

struct tenonGuard {
  const tenon_model *model;
  const struct tenon_entry_record *entry;
  int32_t threads;
  uint8_t *reservation;
  size_t reservedBytes;
  size_t pageBytes;
  /// By address: the arena's, inputs, outputs, weights, scratch.
  struct tenonRegion *regions;
  uint32_t regionCount;
  uint32_t firstScratch;
  /// What the first of the pointers belongs to.
  uint32_t firstRef;
  /// The number of a reference's region.
  uint32_t *regionOf;
  struct tenonFault fault;
};

/// Maps and fills the regions of an entry of a guarded model and points
/// `pointers`, one per reference from `firstRef` on, at them. On failure there
/// is nothing to destroy.
tenon_status *tenonGuardCreate(const tenon_model *model,
                               const struct tenon_entry_record *entry,
                               int32_t threads, uint32_t firstRef,
                               void **pointers, struct tenonGuard **guard);
void tenonGuardDestroy(struct tenonGuard *guard);

/// Before the first launch: copies inputs, installs handlers.
tenon_status *tenonGuardBegin(struct tenonGuard *guard,
                              const tenon_tensor *inputs);
/// Around each launch. Leaving reports what its kernel did wrong.
tenon_status *tenonGuardEnter(struct tenonGuard *guard, uint32_t launch);
tenon_status *tenonGuardLeave(struct tenonGuard *guard, uint32_t launch);
/// After the last launch, when all went well: copies outputs.
tenon_status *tenonGuardFinish(struct tenonGuard *guard,
                               const tenon_tensor *outputs);
/// In any case: removes handlers, closes all regions.
void tenonGuardEnd(struct tenonGuard *guard);

/// A thread's scratch in the launch that runs.
void *tenonGuardScratch(const struct tenonGuard *guard, int32_t thread);

/// Calls a kernel in any thread; does nothing once a kernel has failed.
void tenonGuardCall(struct tenonGuard *guard, tenon_kernel_fn kernel,
                    const tenon_call *call);

//===----------------------------------------------------------------------===//
// Between the guard's own files
//===----------------------------------------------------------------------===//

/// The whole pages of a region: its bytes and its pads.
uint8_t *tenonRegionBegin(const struct tenonGuard *guard,
                          const struct tenonRegion *region);
uint8_t *tenonRegionEnd(const struct tenonGuard *guard,
                        const struct tenonRegion *region);

/// Installs the handlers for the first run of all, and restores what was
/// there before after the last.
void tenonInstallHandlers(void);
void tenonRestoreHandlers(void);

/// The status for `guard->fault`, which happened during `launch`.
tenon_status *tenonReportFault(const struct tenonGuard *guard, uint32_t launch);

#endif // TENON_RUNTIME_GUARD_GUARD_H
