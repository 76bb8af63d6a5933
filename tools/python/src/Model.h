//===- Model.h - loaded models ------------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_MODEL_H
#define TENON_TOOLS_PYTHON_MODEL_H

#include "Core.h"

/// The type that tenon.Model derives from; NULL on failure.
PyObject *makeModelType(PyObject *module);

#endif // TENON_TOOLS_PYTHON_MODEL_H
