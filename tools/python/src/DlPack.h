//===- DlPack.h - how DLPack hands tensors on ---------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares DLPack's structs around tenon_tensor, which is laid out as
// its DLTensor, and the table by which types exchange tensors without calls of
// Python (DLPack 1.2 and newer).
//===----------------------------------------------------------------------===//
#ifndef TENON_TOOLS_PYTHON_DLPACK_H
#define TENON_TOOLS_PYTHON_DLPACK_H

#include "Core.h"

struct managedTensor {
  tenon_tensor tensor;
  void *context;
  void (*release)(struct managedTensor *self);
};

struct versionedTensor {
  uint32_t major, minor;
  void *context;
  void (*release)(struct versionedTensor *self);
  uint64_t flags;
  tenon_tensor tensor;
};

enum { dlpackReadOnly = 1, dlpackPadded = 4 };

#define DLPACK_NAME "dltensor"
#define DLPACK_VERSIONED_NAME "dltensor_versioned"

/// Functions give 0, or -1 with an error set.
struct exchangeTable {
  uint32_t major, minor;
  struct exchangeTable *previous;
  void *allocate;
  int (*fromObject)(void *object, struct versionedTensor **tensor);
  int (*toObject)(struct versionedTensor *tensor, void **object);
  /// A view that lives as long as the object; may be NULL.
  int (*viewOfObject)(void *object, tenon_tensor *view);
  void *currentStream;
};

/// The table of a type that has one, else NULL without an error.
const struct exchangeTable *exchangeOf(PyTypeObject *type);

#endif // TENON_TOOLS_PYTHON_DLPACK_H
