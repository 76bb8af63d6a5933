//===- State.h - what one run leaves to the next ------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_STATE_H
#define TENON_TOOLS_PYTHON_STATE_H

#include "Core.h"

/// The type that tenon.State derives from; NULL on failure.
PyObject *makeStateType(PyObject *module);

#endif // TENON_TOOLS_PYTHON_STATE_H
