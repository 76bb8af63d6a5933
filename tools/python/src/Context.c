//===- Context.c - contexts of a caller's own -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Context.h"
#include "Results.h"
#include "Run.h"

#include <stdint.h>
#include <unistd.h>

struct context {
  PyObject base;
  struct setting with; ///< owns model, context and outputs
  pid_t process;
  struct input *held; ///< of the outputs that were given
  tenon_tensor *tensors;
  struct run *pending; ///< that run_async started
  PyObject *pendingInputs;
  int isBusy; ///< a call uses it that may let other threads go on
};

static void dropPending(struct context *self) {
  if (!self->pending)
    return;
  finishRun(self->pending);
  Py_XDECREF(self->pending->results);
  PyMem_Free(self->pending);
  self->pending = NULL;
  Py_CLEAR(self->pendingInputs);
}

static void release(PyObject *object) {
  struct context *self = (struct context *)object;
  PyTypeObject *type = Py_TYPE(object);
  if (self->with.context && self->process == getpid()) {
    tenon_status_destroy(tenon_wait(self->with.context));
    tenon_context_destroy(self->with.context);
  }
  dropPending(self);
  for (size_t i = 0; self->held && i < self->with.outputCount; ++i)
    closeInput(&self->held[i]);
  PyMem_Free(self->held);
  PyMem_Free(self->tensors);
  Py_XDECREF(self->with.given);
  Py_XDECREF((PyObject *)self->with.model);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

static int openOutput(struct context *self, size_t i) {
  const struct use use = {self->with.model->tensorType, adaptHook(), NULL, 1};
  PyObject *object = PyTuple_GetItem(self->with.given, (Py_ssize_t)i);
  if (!openInput(object, &use, &self->held[i], &self->tensors[i]))
    return 0;
  tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
  tenon_status_destroy(tenon_model_output(self->with.model->model, i, &info));
  nameInput("output", info.name ? info.name : "?");
  return -1;
}

static int openOutputs(struct context *self, PyObject *outputs) {
  size_t count = self->with.outputCount;
  if (outputs == Py_None)
    return 0;
  self->with.given = PySequence_Tuple(outputs);
  if (!self->with.given)
    return -1;
  if ((size_t)PyTuple_Size(self->with.given) != count) {
    PyErr_Format(PyExc_TypeError, "%zd outputs were given; the model has %zu",
                 PyTuple_Size(self->with.given), count);
    return -1;
  }
  self->held = PyMem_Calloc(count + 1, sizeof *self->held);
  self->tensors = PyMem_Calloc(count + 1, sizeof *self->tensors);
  self->with.givenTensors = self->tensors;
  if (!self->held || !self->tensors) {
    PyErr_NoMemory();
    return -1;
  }
  for (size_t i = 0; i < count; ++i)
    if (openOutput(self, i))
      return -1;
  return 0;
}

static int initialize(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"model",  "threads", "outputs",
                          "stream", "profile", NULL};
  struct context *self = (struct context *)object;
  PyObject *model, *outputs = Py_None;
  Py_ssize_t stream = 0;
  tenon_context_options options = TENON_INIT(tenon_context_options);
  int profile = 0;
  if (self->with.model) {
    PyErr_SetString(PyExc_RuntimeError, "a context is made once");
    return -1;
  }
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$iOnp", names, &model,
                                   &options.threads, &outputs, &stream,
                                   &profile))
    return -1;
  self->with.model = modelOf(model);
  if (!self->with.model)
    return -1;
  Py_INCREF(model);
  self->process = getpid();
  self->with.inputCount = self->with.model->inputCount;
  self->with.outputCount = self->with.model->outputCount;
  self->with.stream = options.device_stream = (void *)(intptr_t)stream;
  options.profile = profile != 0;
  if (openOutputs(self, outputs))
    return -1;
  tenon_status *status = tenon_context_create(self->with.model->model, &options,
                                              &self->with.context);
  if (status)
    raiseStatus(self->with.model->core, status);
  return status ? -1 : 0;
}

/// Whether it can be used; else an error is set.
static int isUsable(const struct context *self) {
  if (!self->with.context)
    PyErr_SetString(PyExc_RuntimeError, "the context was not made");
  else if (self->process != getpid())
    PyErr_SetString(PyExc_RuntimeError,
                    "the context is of the process before the fork, whose "
                    "threads are not here: make another one");
  else if (self->isBusy)
    PyErr_SetString(PyExc_RuntimeError,
                    "another thread uses the context: make one for each");
  return !PyErr_Occurred();
}

/// Whether a run can begin; else an error is set.
static int isIdle(const struct context *self) {
  if (isUsable(self) && self->pending)
    PyErr_SetString(PyExc_RuntimeError, "wait() for the run that was started");
  return !PyErr_Occurred();
}

static PyObject *finish(const struct setting *with, PyObject *inputs,
                        PyObject *results) {
  return with->given ? results : convertResults(inputs, results);
}

static PyObject *call(PyObject *object, PyObject *inputs, PyObject *keywords) {
  struct context *self = (struct context *)object;
  if (keywords && PyDict_Size(keywords)) {
    PyErr_SetString(PyExc_TypeError, "a context takes inputs in their order");
    return NULL;
  }
  if (!isIdle(self))
    return NULL;
  self->isBusy = 1;
  PyObject *results = runModel(&self->with, inputs);
  self->isBusy = 0;
  return finish(&self->with, inputs, results);
}

static PyObject *runAsync(PyObject *object, PyObject *inputs) {
  struct context *self = (struct context *)object;
  if (!isIdle(self))
    return NULL;
  self->pending = PyMem_Calloc(1, sizeof *self->pending);
  if (!self->pending)
    return PyErr_NoMemory();
  self->pendingInputs = Py_NewRef(inputs);
  tenon_status *status = NULL;
  self->isBusy = 1;
  if (!prepareRun(self->pending, &self->with, inputs))
    status = doRun(self->pending, 1);
  self->isBusy = 0;
  if (status)
    raiseStatus(self->with.model->core, status);
  if (!PyErr_Occurred())
    return Py_NewRef(Py_None);
  dropPending(self);
  return NULL;
}

static PyObject *wait(PyObject *object, PyObject *unused) {
  (void)unused;
  struct context *self = (struct context *)object;
  if (isUsable(self) && !self->pending)
    PyErr_SetString(PyExc_RuntimeError, "no run was started");
  if (PyErr_Occurred())
    return NULL;
  tenon_status *status;
  self->isBusy = 1;
  Py_BEGIN_ALLOW_THREADS;
  status = tenon_wait(self->with.context);
  Py_END_ALLOW_THREADS;
  self->isBusy = 0;
  PyObject *results = status ? NULL : Py_NewRef(self->pending->results);
  PyObject *inputs = Py_NewRef(self->pendingInputs);
  dropPending(self);
  if (status)
    raiseStatus(self->with.model->core, status);
  results = finish(&self->with, inputs, results);
  Py_DECREF(inputs);
  return results;
}

static PyObject *nodesOf(const tenon_profile_entry *entry) {
  PyObject *nodes = PyTuple_New((Py_ssize_t)entry->node_count);
  for (size_t i = 0; nodes && i < entry->node_count; ++i)
    PyTuple_SetItem(nodes, (Py_ssize_t)i, textOf(entry->nodes[i]));
  return nodes;
}

/// [(kernel, nodes, calls, seconds, flops, bytes)] of each launch.
static PyObject *profile(PyObject *object, PyObject *unused) {
  (void)unused;
  struct context *self = (struct context *)object;
  if (!isIdle(self))
    return NULL;
  size_t count = tenon_profile_count(self->with.context);
  PyObject *list = PyList_New(0);
  for (size_t i = 0; list && i < count && !PyErr_Occurred(); ++i) {
    tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
    tenon_status_destroy(tenon_profile_get(self->with.context, i, &entry));
    PyObject *one =
        Py_BuildValue("(NNLdLL)", textOf(entry.kernel), nodesOf(&entry),
                      (long long)entry.calls, (double)entry.nanoseconds * 1e-9,
                      (long long)entry.flops, (long long)entry.bytes);
    if (one)
      PyList_Append(list, one);
    Py_XDECREF(one);
  }
  if (PyErr_Occurred())
    Py_CLEAR(list);
  return list;
}

static PyObject *threads(PyObject *object, void *unused) {
  (void)unused;
  struct context *self = (struct context *)object;
  return isIdle(self)
             ? PyLong_FromLong(tenon_context_threads(self->with.context))
             : NULL;
}

PyObject *makeContextType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"run_async", runAsync, METH_VARARGS,
       "Starts a run; on a GPU it returns at once."},
      {"wait", wait, METH_NOARGS, "The outputs of the run that was started."},
      {"launches", profile, METH_NOARGS,
       "Of each launch kernel, nodes, calls, seconds, flops and bytes."},
      {NULL, NULL, 0, NULL}};
  static PyGetSetDef attributes[] = {
      {"threads", threads, NULL, "The threads of a run.", NULL},
      {NULL, NULL, NULL, NULL, NULL}};
  static PyType_Slot slots[] = {{Py_tp_doc, "What one run at a time needs."},
                                {Py_tp_init, initialize},
                                {Py_tp_dealloc, release},
                                {Py_tp_call, call},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, attributes},
                                {0, NULL}};
  static PyType_Spec spec = {TENON_PYTHON_PACKAGE "._core.Context",
                             sizeof(struct context), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return PyType_FromModuleAndSpec(module, &spec, NULL);
}
