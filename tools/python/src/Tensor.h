//===- Tensor.h - what a run makes --------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_TENSOR_H
#define TENON_TOOLS_PYTHON_TENSOR_H

#include "DlPack.h"

/// The type tenon.Tensor; NULL on failure.
PyObject *makeTensorType(PyObject *module);

/// A tensor of the type, shape and size of `info`, with memory of its own.
PyObject *newTensor(PyObject *type, const tenon_tensor_info *info);

/// A copy of the tensor of numbers in `value`: values may share their bytes
/// with others, and with the model.
PyObject *copyValue(PyObject *type, const tenon_value *value);

/// A copy, without strides.
PyObject *copyTensor(PyObject *type, const tenon_tensor *from);

/// The elements of `from` one after the other.
void copyDense(void *to, const tenon_tensor *from);

/// The function borrow of the module.
PyObject *borrowTensor(PyObject *module, PyObject *args);

/// A tensor of another library's kind, without a copy.
PyObject *exchangeTensor(PyObject *tensor, const struct exchangeTable *table);

/// The extents as a tuple.
PyObject *shapeOf(const tenon_tensor *view);

/// What it is to a run.
tenon_tensor viewOf(PyObject *tensor);

#endif // TENON_TOOLS_PYTHON_TENSOR_H
