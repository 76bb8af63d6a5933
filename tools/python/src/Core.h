//===- Core.h - what the extension modules share ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the extensions, which use Python's stable interface
// of 3.11 only, so that one build serves all later versions.
//===----------------------------------------------------------------------===//
#ifndef TENON_TOOLS_PYTHON_CORE_H
#define TENON_TOOLS_PYTHON_CORE_H

#define PY_SSIZE_T_CLEAN
#ifndef TENON_PYTHON_FULL_INTERFACE
#define Py_LIMITED_API 0x030b0000
#endif
#include <Python.h>

#include "tenon-c/Runtime.h"

/// The package that the modules are in: tenon, or tenon_runtime.
#ifndef TENON_PYTHON_PACKAGE
#define TENON_PYTHON_PACKAGE "tenon"
#endif

/// UTF-8 as a string; what is not, is replaced.
PyObject *textOf(const char *utf8);

/// Raises tenon.Error with status, code and node of `status` (tenon.TensorError
/// where an input or output is wrong), and frees it. Returns NULL.
PyObject *raiseStatus(PyObject *errors, tenon_status *status);

/// tenon.Error and tenon.TensorError, of the module `errors`; -1 on failure.
int addErrors(PyObject *module);

#endif // TENON_TOOLS_PYTHON_CORE_H
