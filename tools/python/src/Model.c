//===- Model.c - loaded models --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs models. Threads share one, and each run takes a context that
// is idle, or makes one.
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "Inputs.h"
#include "Tensor.h"
#include "Types.h"

#include <string.h>
#include <unistd.h>

enum { mostIdle = 64 };

struct model {
  PyObject base;
  PyObject *core; ///< the module: its errors
  PyObject *tensorType;
  Py_buffer bytes; ///< of a model in memory
  tenon_model *model;
  int threads;
  pid_t process; ///< that the contexts are of: their threads end in a fork
  tenon_context *idle[mostIdle];
  int idleCount;
};

static void release(PyObject *self) {
  struct model *model = (struct model *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (model->process == getpid())
    for (int i = 0; i < model->idleCount; ++i)
      tenon_context_destroy(model->idle[i]);
  tenon_model_destroy(model->model);
  if (model->bytes.obj)
    PyBuffer_Release(&model->bytes);
  Py_XDECREF(model->core);
  Py_XDECREF(model->tensorType);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

/// Bytes that stay as they are verified: a copy where they can be written.
static int openBytes(PyObject *source, Py_buffer *bytes) {
  if (PyObject_GetBuffer(source, bytes, PyBUF_SIMPLE))
    return -1;
  if (bytes->readonly)
    return 0;
  PyObject *copy = PyBytes_FromStringAndSize(bytes->buf, bytes->len);
  PyBuffer_Release(bytes);
  int failed = copy ? PyObject_GetBuffer(copy, bytes, PyBUF_SIMPLE) : -1;
  Py_XDECREF(copy);
  return failed;
}

/// Loads from a path or from bytes.
static tenon_status *load(struct model *model, PyObject *source, int *failed) {
  PyObject *path = NULL;
  tenon_status *status;
  if (PyObject_CheckBuffer(source)) {
    *failed = openBytes(source, &model->bytes);
    if (*failed)
      return NULL;
    return tenon_model_load_memory(model->bytes.buf, (size_t)model->bytes.len,
                                   NULL, &model->model);
  }
  *failed = !PyUnicode_FSConverter(source, &path);
  if (*failed)
    return NULL;
  status = tenon_model_load_file(PyBytes_AsString(path), NULL, &model->model);
  Py_DECREF(path);
  return status;
}

static int initialize(PyObject *self, PyObject *args, PyObject *keywords) {
  static char *names[] = {"source", "threads", NULL};
  struct model *model = (struct model *)self;
  PyObject *source;
  int failed = 0;
  if (model->core) {
    PyErr_SetString(PyExc_RuntimeError, "a model is loaded once");
    return -1;
  }
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$i", names, &source,
                                   &model->threads))
    return -1;
  model->process = getpid();
  model->core = PyImport_ImportModule("tenon._core");
  if (!model->core)
    return -1;
  model->tensorType = PyObject_GetAttrString(model->core, "Tensor");
  if (!model->tensorType)
    return -1;
  tenon_status *status = load(model, source, &failed);
  if (status)
    raiseStatus(model->core, status);
  return failed || status ? -1 : 0;
}

static int isLoaded(const struct model *model) {
  if (!model->model)
    PyErr_SetString(PyExc_RuntimeError, "the model is not loaded");
  return model->model != NULL;
}

//===-- Contexts ----------------------------------------------------------===//

/// One that nobody uses; NULL with an error set.
static tenon_context *takeContext(struct model *model) {
  if (model->process != getpid()) {
    // A fork: the threads of these are not here.
    model->process = getpid();
    model->idleCount = 0;
  }
  if (model->idleCount)
    return model->idle[--model->idleCount];
  tenon_context *context = NULL;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = model->threads;
  tenon_status *status = tenon_context_create(model->model, &options, &context);
  if (status)
    raiseStatus(model->core, status);
  return context;
}

static void giveContext(struct model *model, tenon_context *context) {
  if (model->idleCount < mostIdle)
    model->idle[model->idleCount++] = context;
  else
    tenon_context_destroy(context);
}

//===-- Runs --------------------------------------------------------------===//

/// What a run holds.
struct run {
  struct model *model;
  tenon_context *context;
  PyObject *results;
  size_t inputCount, outputCount;
  struct input *held;
  tenon_tensor *inputs, *outputs;
};

static const char *inputName(const struct run *run, size_t index) {
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  tenon_status_destroy(tenon_model_input(run->model->model, index, &info));
  return info.name ? info.name : "?";
}

static int openInputs(struct run *run, PyObject *args) {
  for (size_t i = 0; i < run->inputCount; ++i) {
    PyObject *object = PyTuple_GetItem(args, (Py_ssize_t)i);
    if (openInput(object, &run->held[i], &run->inputs[i])) {
      nameInput(inputName(run, i));
      return -1;
    }
  }
  return 0;
}

/// Makes outputs; the status is of one whose size only a run can tell.
static tenon_status *makeOutputs(struct run *run) {
  for (size_t i = 0; i < run->outputCount; ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    tenon_status *status = tenon_context_output(run->context, run->inputs,
                                                run->inputCount, i, &info);
    if (status)
      return status;
    PyObject *tensor = newTensor(run->model->tensorType, &info);
    if (!tensor)
      return NULL;
    run->outputs[i] = viewOf(tensor);
    PyList_SetItem(run->results, (Py_ssize_t)i, tensor);
  }
  return NULL;
}

static tenon_status *valuesOf(const struct run *run, tenon_value **values) {
  tenon_status *status = NULL;
  for (size_t i = 0; i < run->inputCount && !status; ++i)
    status = tenon_value_tensor(&run->inputs[i], &values[i]);
  return status;
}

/// A run that makes its outputs: their sizes depend on data.
static tenon_status *runValues(struct run *run) {
  size_t count = run->inputCount + run->outputCount;
  tenon_value **values = PyMem_Calloc(count + 1, sizeof *values);
  if (!values)
    return tenon_status_create(TENON_OUT_OF_MEMORY, "", "out of memory");
  tenon_value **made = values + run->inputCount;
  tenon_status *status = valuesOf(run, values);
  if (!status) {
    Py_BEGIN_ALLOW_THREADS;
    status = tenon_run_values(run->context, values, run->inputCount, made,
                              run->outputCount);
    Py_END_ALLOW_THREADS;
  }
  for (size_t i = 0; i < run->inputCount; ++i)
    tenon_value_release(values[i]);
  for (size_t i = 0; i < run->outputCount && !status; ++i) {
    if (!PyErr_Occurred())
      PyList_SetItem(run->results, (Py_ssize_t)i,
                     copyValue(run->model->tensorType, made[i]));
    tenon_value_release(made[i]);
  }
  PyMem_Free(values);
  return status;
}

static tenon_status *compute(struct run *run) {
  tenon_status *status = makeOutputs(run);
  if (tenon_status_code_of(status) == TENON_DATA_DEPENDENT) {
    tenon_status_destroy(status);
    return runValues(run);
  }
  if (status || PyErr_Occurred())
    return status;
  Py_BEGIN_ALLOW_THREADS;
  status = tenon_run(run->context, run->inputs, run->inputCount, run->outputs,
                     run->outputCount);
  Py_END_ALLOW_THREADS;
  return status;
}

static int prepare(struct run *run, PyObject *args) {
  run->inputCount = (size_t)PyTuple_Size(args);
  run->outputCount = tenon_model_output_count(run->model->model);
  if (run->inputCount != tenon_model_input_count(run->model->model)) {
    PyErr_Format(PyExc_TypeError, "%zu inputs were given; the model has %zu",
                 run->inputCount, tenon_model_input_count(run->model->model));
    return -1;
  }
  size_t tensors = run->inputCount + run->outputCount + 1;
  run->inputs = PyMem_Calloc(tensors, sizeof *run->inputs);
  run->held = PyMem_Calloc(run->inputCount + 1, sizeof *run->held);
  if (!run->inputs || !run->held) {
    PyErr_NoMemory();
    return -1;
  }
  run->outputs = run->inputs + run->inputCount;
  run->results = PyList_New((Py_ssize_t)run->outputCount);
  return run->results ? openInputs(run, args) : -1;
}

static void finish(struct run *run) {
  for (size_t i = 0; run->held && i < run->inputCount; ++i)
    closeInput(&run->held[i]);
  if (run->context)
    giveContext(run->model, run->context);
  PyMem_Free(run->held);
  PyMem_Free(run->inputs);
}

static PyObject *call(PyObject *self, PyObject *args) {
  struct run run = {.model = (struct model *)self};
  if (!isLoaded(run.model))
    return NULL;
  tenon_status *status = NULL;
  if (!prepare(&run, args) && (run.context = takeContext(run.model)))
    status = compute(&run);
  finish(&run);
  if (status)
    raiseStatus(run.model->core, status);
  if (PyErr_Occurred())
    Py_CLEAR(run.results);
  return run.results;
}

//===-- Signatures --------------------------------------------------------===//

/// A number, else the name of what the inputs decide, else None.
static PyObject *extentOf(const struct model *model, size_t tensor,
                          const tenon_tensor_info *info, int32_t dim) {
  if (info->shape[dim] >= 0)
    return PyLong_FromLongLong(info->shape[dim]);
  const char *name = tenon_model_dim_name(model->model, 0, tensor, (size_t)dim);
  return *name ? textOf(name) : Py_NewRef(Py_None);
}

/// (name, dtype, shape); the shape of any rank is None.
static PyObject *describe(const struct model *model, size_t tensor,
                          const tenon_tensor_info *info) {
  if (info->rank < 0)
    return Py_BuildValue("(NsO)", textOf(info->name), nameOfType(info->dtype),
                         Py_None);
  PyObject *shape = PyTuple_New(info->rank);
  for (int32_t i = 0; shape && i < info->rank; ++i)
    PyTuple_SetItem(shape, i, extentOf(model, tensor, info, i));
  return shape ? Py_BuildValue("(NsN)", textOf(info->name),
                               nameOfType(info->dtype), shape)
               : NULL;
}

static PyObject *signature(PyObject *self, PyObject *unused) {
  (void)unused;
  struct model *model = (struct model *)self;
  if (!isLoaded(model))
    return NULL;
  size_t inputs = tenon_model_input_count(model->model);
  size_t all = inputs + tenon_model_output_count(model->model);
  PyObject *lists[2] = {PyList_New(0), PyList_New(0)};
  for (size_t i = 0; lists[0] && lists[1] && i < all; ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    tenon_status *status =
        i < inputs ? tenon_model_input(model->model, i, &info)
                   : tenon_model_output(model->model, i - inputs, &info);
    PyObject *one =
        status ? raiseStatus(model->core, status) : describe(model, i, &info);
    if (one)
      PyList_Append(lists[i >= inputs], one);
    Py_XDECREF(one);
  }
  if (!PyErr_Occurred())
    return Py_BuildValue("(NN)", lists[0], lists[1]);
  Py_XDECREF(lists[0]);
  Py_XDECREF(lists[1]);
  return NULL;
}

PyObject *makeModelType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"compute", call, METH_VARARGS, "The outputs, as tensors."},
      {"signature", signature, METH_NOARGS,
       "Inputs and outputs, each a name, a type and a shape."},
      {NULL, NULL, 0, NULL}};
  static PyType_Slot slots[] = {{Py_tp_doc, "A loaded model."},
                                {Py_tp_init, initialize},
                                {Py_tp_dealloc, release},
                                {Py_tp_methods, methods},
                                {0, NULL}};
  static PyType_Spec spec = {"tenon._core.Model", sizeof(struct model), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return PyType_FromModuleAndSpec(module, &spec, NULL);
}
