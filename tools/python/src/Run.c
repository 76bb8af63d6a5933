//===- Run.c - one run of a model -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is on the path of each call, whose overhead test/bench/calls
// measures: it allocates nothing for few tensors.
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "Results.h"
#include "Tensor.h"

#include <string.h>

static size_t inputAt(const struct setting *with, size_t i) {
  return with->inputs ? with->inputs[i] : i;
}

static size_t outputAt(const struct setting *with, size_t i) {
  return with->outputs ? with->outputs[i] : i;
}

//===-- Inputs ------------------------------------------------------------===//

static const char *inputName(const struct setting *with, size_t i) {
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  tenon_status_destroy(
      tenon_model_input(with->model->model, inputAt(with, i), &info));
  return info.name ? info.name : "?";
}

static int openInputs(struct run *run, PyObject *inputs) {
  const struct use use = {run->with->model->tensorType, adaptHook(),
                          run->with->stream, 0};
  for (size_t i = 0; i < run->with->inputCount; ++i) {
    PyObject *object = PyTuple_GetItem(inputs, (Py_ssize_t)i);
    if (openInput(object, &use, &run->held[i], &run->inputs[i])) {
      nameInput("input", inputName(run->with, i));
      return -1;
    }
  }
  return 0;
}

/// Room for what is held.
static int makeRoom(struct run *run) {
  size_t inputs = run->with->inputCount, outputs = run->with->outputCount;
  run->held = run->heldRoom;
  run->inputs = run->room;
  if (inputs > fewTensors)
    run->held = PyMem_Malloc(inputs * sizeof *run->held);
  if (inputs + outputs > 2 * fewTensors)
    run->inputs = PyMem_Malloc((inputs + outputs) * sizeof *run->inputs);
  if (!run->held || !run->inputs) {
    PyErr_NoMemory();
    return -1;
  }
  memset(run->held, 0, inputs * sizeof *run->held);
  memset(run->inputs, 0, (inputs + outputs) * sizeof *run->inputs);
  run->outputs = run->inputs + inputs;
  return 0;
}

int prepareRun(struct run *run, const struct setting *with, PyObject *inputs) {
  run->with = with;
  run->context = NULL;
  run->results = NULL;
  run->held = NULL;
  run->inputs = NULL;
  if ((size_t)PyTuple_Size(inputs) != with->inputCount) {
    PyErr_Format(PyExc_TypeError, "%zd inputs were given; the model has %zu",
                 PyTuple_Size(inputs), with->inputCount);
    return -1;
  }
  if (makeRoom(run) || openInputs(run, inputs))
    return -1;
  run->context = with->context ? with->context : takeContext(with->model);
  return run->context ? 0 : -1;
}

void finishRun(struct run *run) {
  if (run->held && run->inputs)
    for (size_t i = 0; i < run->with->inputCount; ++i)
      closeInput(&run->held[i]);
  if (run->context && !run->with->context)
    giveContext(run->with->model, run->context);
  if (run->held != run->heldRoom)
    PyMem_Free(run->held);
  if (run->inputs != run->room)
    PyMem_Free(run->inputs);
}

//===-- Outputs -----------------------------------------------------------===//

static int isStatic(const tenon_tensor_info *info) {
  for (int32_t i = 0; i < info->rank; ++i)
    if (info->shape[i] < 0)
      return 0;
  return info->rank >= 0 && info->kind == TENON_VALUE_TENSOR;
}

/// All inputs in the signature's order, the state's among them. The shapes of
/// the state's are its own.
static tenon_status *allInputs(const struct run *run, tenon_tensor *all) {
  const struct setting *with = run->with;
  tenon_status *status = NULL;
  size_t states = tenon_model_state_count(with->model->model, 0);
  for (size_t i = 0; i < with->inputCount; ++i)
    all[inputAt(with, i)] = run->inputs[i];
  for (size_t i = 0; with->state && i < states && !status; ++i) {
    tenon_state_info info = TENON_INIT(tenon_state_info);
    status = tenon_model_state(with->model->model, 0, i, &info);
    if (!status)
      status = tenon_state_get(with->state, i, &all[info.input]);
  }
  return status;
}

/// What a run on these inputs gives as output `index`.
static tenon_status *describeOutput(const struct run *run, size_t index,
                                    tenon_tensor_info *info) {
  const struct model *model = run->with->model;
  if (!run->with->state)
    return tenon_context_output(run->context, run->inputs, model->inputCount,
                                index, info);
  tenon_tensor *all = PyMem_Calloc(model->inputCount + 1, sizeof *all);
  if (!all)
    return tenon_status_create(TENON_OUT_OF_MEMORY, "", "out of memory");
  tenon_status *status = allInputs(run, all);
  if (!status)
    status =
        tenon_context_output(run->context, all, model->inputCount, index, info);
  PyMem_Free(all);
  return status;
}

/// Makes outputs; the status is of one whose size only a run can tell.
static tenon_status *makeOutputs(struct run *run) {
  const struct setting *with = run->with;
  for (size_t i = 0; i < with->outputCount; ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    tenon_status *status =
        tenon_model_output(with->model->model, outputAt(with, i), &info);
    if (!status && !isStatic(&info))
      status = describeOutput(run, outputAt(with, i), &info);
    if (status)
      return status;
    PyObject *tensor = newTensor(with->model->tensorType, &info);
    if (!tensor)
      return NULL;
    run->outputs[i] = viewOf(tensor);
    PyList_SetItem(run->results, (Py_ssize_t)i, tensor);
  }
  return NULL;
}

/// Those that the caller gave.
static tenon_status *takeGiven(struct run *run) {
  const struct setting *with = run->with;
  for (size_t i = 0; i < with->outputCount; ++i) {
    PyObject *object = PyTuple_GetItem(with->given, (Py_ssize_t)i);
    PyList_SetItem(run->results, (Py_ssize_t)i, Py_NewRef(object));
    run->outputs[i] = with->givenTensors[i];
  }
  return NULL;
}

//===-- Running -----------------------------------------------------------===//

static tenon_status *valuesOf(const struct run *run, tenon_value **values) {
  tenon_status *status = NULL;
  for (size_t i = 0; i < run->with->inputCount && !status; ++i)
    status = tenon_value_tensor(&run->inputs[i], &values[i]);
  return status;
}

/// A run that makes its outputs: their sizes depend on data.
static tenon_status *runValues(struct run *run) {
  size_t inputs = run->with->inputCount, outputs = run->with->outputCount;
  tenon_value **values = PyMem_Calloc(inputs + outputs + 1, sizeof *values);
  if (!values)
    return tenon_status_create(TENON_OUT_OF_MEMORY, "", "out of memory");
  tenon_value **made = values + inputs;
  tenon_status *status = valuesOf(run, values);
  if (!status) {
    Py_BEGIN_ALLOW_THREADS;
    status = tenon_run_values(run->context, values, inputs, made, outputs);
    Py_END_ALLOW_THREADS;
  }
  for (size_t i = 0; i < inputs; ++i)
    tenon_value_release(values[i]);
  for (size_t i = 0; i < outputs && !status; ++i) {
    if (!PyErr_Occurred())
      PyList_SetItem(run->results, (Py_ssize_t)i,
                     copyValue(run->with->model->tensorType, made[i]));
    tenon_value_release(made[i]);
  }
  PyMem_Free(values);
  return status;
}

static tenon_status *compute(struct run *run, int isAsync) {
  const struct setting *with = run->with;
  tenon_status *status;
  Py_BEGIN_ALLOW_THREADS;
  if (with->state)
    status = tenon_run_state(run->context, with->state, run->inputs,
                             with->inputCount, run->outputs, with->outputCount);
  else if (isAsync)
    status = tenon_run_async(run->context, run->inputs, with->inputCount,
                             run->outputs, with->outputCount);
  else
    status = tenon_run(run->context, run->inputs, with->inputCount,
                       run->outputs, with->outputCount);
  Py_END_ALLOW_THREADS;
  return status;
}

tenon_status *doRun(struct run *run, int isAsync) {
  run->results = PyList_New((Py_ssize_t)run->with->outputCount);
  if (!run->results)
    return NULL;
  tenon_status *status = run->with->given ? takeGiven(run) : makeOutputs(run);
  if (tenon_status_code_of(status) == TENON_DATA_DEPENDENT &&
      !run->with->state && !isAsync) {
    tenon_status_destroy(status);
    return runValues(run);
  }
  return status || PyErr_Occurred() ? status : compute(run, isAsync);
}

PyObject *runModel(const struct setting *with, PyObject *inputs) {
  struct run run;
  tenon_status *status = NULL;
  if (!prepareRun(&run, with, inputs))
    status = doRun(&run, 0);
  finishRun(&run);
  if (status)
    raiseStatus(with->model->core, status);
  if (PyErr_Occurred())
    Py_CLEAR(run.results);
  return run.results;
}
