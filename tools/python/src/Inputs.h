//===- Inputs.h - the caller's arrays as tensors ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_INPUTS_H
#define TENON_TOOLS_PYTHON_INPUTS_H

#include "Core.h"

/// What is held of an input while a model runs.
struct input {
  Py_buffer buffer;
  PyObject *capsule;
};

/// Views of an object that is a buffer or has `__dlpack__`, never a copy. -1
/// with an error set where it is neither, is not contiguous, or lies on another
/// device.
int openInput(PyObject *object, struct input *input, tenon_tensor *tensor);

/// Makes an error that is about the input a TypeError that names it.
void nameInput(const char *name);

void closeInput(struct input *input);

#endif // TENON_TOOLS_PYTHON_INPUTS_H
