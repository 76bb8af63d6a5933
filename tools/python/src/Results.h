//===- Results.h - tensors as what the caller has -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_RESULTS_H
#define TENON_TOOLS_PYTHON_RESULTS_H

#include "Core.h"

/// The function setHooks of the module: (kind, dtype, adapt), functions of
/// Python. `kind` says of a type what makes results of its kind: a function of
/// a tensor, the type numpy.ndarray, or None. `dtype` gives numpy's type of a
/// name, or a function that makes an array of a tensor. `adapt` makes a tensor
/// of an array whose buffer has no format, or raises what it is told.
PyObject *setHooks(PyObject *module, PyObject *args);

/// `adapt`, or NULL.
PyObject *adaptHook(void);

/// The list `results` of tensors (NULL: an error is set) as things of the kind
/// of the first of `inputs`, a tuple.
PyObject *convertResults(PyObject *inputs, PyObject *results);

#endif // TENON_TOOLS_PYTHON_RESULTS_H
