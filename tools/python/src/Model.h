//===- Model.h - loaded models ------------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_MODEL_H
#define TENON_TOOLS_PYTHON_MODEL_H

#include "Core.h"

#include <sys/types.h>

enum { mostIdle = 64 };

/// What a Model of Python is.
struct model {
  PyObject base;
  PyObject *core; ///< the module: its errors
  PyObject *tensorType;
  Py_buffer bytes; ///< of a model in memory
  tenon_model *model;
  size_t inputCount, outputCount;
  int threads;
  pid_t process; ///< that the contexts are of: their threads end in a fork
  tenon_context *idle[mostIdle];
  int idleCount;
};

/// The type that tenon.Model derives from; NULL on failure.
PyObject *makeModelType(PyObject *module);

/// The model in an object of another type that is given one; NULL with an error
/// set where it is none, or not loaded.
struct model *modelOf(PyObject *object);

/// A context that nobody uses; NULL with an error set.
tenon_context *takeContext(struct model *model);
void giveContext(struct model *model, tenon_context *context);

#endif // TENON_TOOLS_PYTHON_MODEL_H
