//===- DlPack.h - how DLPack hands tensors on ---------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares DLPack's structs around tenon_tensor, which is laid out as
// its DLTensor.
//===----------------------------------------------------------------------===//
#ifndef TENON_TOOLS_PYTHON_DLPACK_H
#define TENON_TOOLS_PYTHON_DLPACK_H

#include "tenon-c/Runtime.h"

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

#define DLPACK_NAME "dltensor"
#define DLPACK_VERSIONED_NAME "dltensor_versioned"

#endif // TENON_TOOLS_PYTHON_DLPACK_H
