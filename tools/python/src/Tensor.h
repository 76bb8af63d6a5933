//===- Tensor.h - what a run makes --------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_TENSOR_H
#define TENON_TOOLS_PYTHON_TENSOR_H

#include "Core.h"

/// The type tenon.Tensor; NULL on failure.
PyObject *makeTensorType(PyObject *module);

/// A tensor of the type, shape and size of `info`, with memory of its own.
PyObject *newTensor(PyObject *type, const tenon_tensor_info *info);

/// A copy of the tensor of numbers in `value`: values may share their bytes
/// with others, and with the model.
PyObject *copyValue(PyObject *type, const tenon_value *value);

/// What it is to a run.
tenon_tensor viewOf(PyObject *tensor);

#endif // TENON_TOOLS_PYTHON_TENSOR_H
