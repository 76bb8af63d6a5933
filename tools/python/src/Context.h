//===- Context.h - contexts of a caller's own ---------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_CONTEXT_H
#define TENON_TOOLS_PYTHON_CONTEXT_H

#include "Core.h"

/// The type that tenon.Context derives from; NULL on failure.
PyObject *makeContextType(PyObject *module);

#endif // TENON_TOOLS_PYTHON_CONTEXT_H
