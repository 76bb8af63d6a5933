//===- Run.h - one run of a model ---------------------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_RUN_H
#define TENON_TOOLS_PYTHON_RUN_H

#include "Inputs.h"
#include "Model.h"

/// With what a model runs, besides the inputs.
struct setting {
  struct model *model;
  tenon_context *context; ///< NULL: one of the model's
  void *stream;           ///< see struct use
  tenon_state *state;     ///< NULL: none
  /// The inputs and outputs that are no states', by their numbers; NULL: all.
  const size_t *inputs, *outputs;
  size_t inputCount, outputCount;
  /// The outputs that the caller gave, as a tuple and as what they are; NULL:
  /// they are made.
  PyObject *given;
  const tenon_tensor *givenTensors;
};

enum { fewTensors = 8 };

/// What a run holds. Not to be moved.
struct run {
  const struct setting *with;
  tenon_context *context;
  PyObject *results;
  struct input *held;
  tenon_tensor *inputs, *outputs;
  struct input heldRoom[fewTensors];
  tenon_tensor room[2 * fewTensors];
};

/// Opens the inputs, a tuple, and takes a context. -1 with an error set;
/// finishRun is called in any case.
int prepareRun(struct run *run, const struct setting *with, PyObject *inputs);

/// Makes the outputs, and runs, or starts to. NULL with an error set, else
/// a status that is freed by raising it, or NULL without an error.
tenon_status *doRun(struct run *run, int isAsync);

/// Gives back all that is held, but the results.
void finishRun(struct run *run);

/// All of it: a list of tensors, or of the outputs that were given.
PyObject *runModel(const struct setting *with, PyObject *inputs);

#endif // TENON_TOOLS_PYTHON_RUN_H
