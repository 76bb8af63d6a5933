//===- Inputs.h - the caller's arrays as tensors ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_INPUTS_H
#define TENON_TOOLS_PYTHON_INPUTS_H

#include "Core.h"

/// What is held of an array while a model runs on it.
struct input {
  Py_buffer buffer;
  PyObject *owner; ///< a capsule, or what stands for the array
  struct versionedTensor *managed;
};

/// How an array is used.
struct use {
  PyObject *tensorType; ///< tenon.Tensor
  PyObject *adapt;      ///< see Results.h
  void *stream;         ///< of a GPU, on which the run is put; or NULL
  int writes;
};

/// Views of an object that is a buffer or has `__dlpack__`, never a copy. -1
/// with an error set where it is neither, is not contiguous, or is to be
/// written to and must not.
int openInput(PyObject *object, const struct use *use, struct input *input,
              tenon_tensor *tensor);

/// Makes an error that is about the input (or output: `what`) a TypeError that
/// names it.
void nameInput(const char *what, const char *name);

void closeInput(struct input *input);

#endif // TENON_TOOLS_PYTHON_INPUTS_H
