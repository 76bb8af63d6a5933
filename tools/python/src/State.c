//===- State.c - what one run leaves to the next --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "State.h"
#include "Results.h"
#include "Run.h"
#include "Tensor.h"

#include <string.h>

struct state {
  PyObject base;
  struct setting with; ///< owns the model and the state
  size_t *numbers;     ///< of inputs and outputs that are no states'
  int isRunning;
};

static void release(PyObject *object) {
  struct state *self = (struct state *)object;
  PyTypeObject *type = Py_TYPE(object);
  tenon_state_destroy(self->with.state);
  PyMem_Free(self->numbers);
  Py_XDECREF((PyObject *)self->with.model);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(object);
  Py_DECREF(type);
}

static PyObject *raised(const struct state *self, tenon_status *status) {
  if (status)
    return raiseStatus(self->with.model->core, status);
  return Py_NewRef(Py_None);
}

/// Gathers the inputs and outputs that the caller gives and gets.
static int findOthers(struct state *self) {
  struct model *model = self->with.model;
  size_t all = model->inputCount + model->outputCount;
  self->numbers = PyMem_Calloc(all + 1, sizeof *self->numbers);
  char *isState = PyMem_Calloc(all + 1, 1);
  if (!self->numbers || !isState) {
    PyMem_Free(isState);
    PyErr_NoMemory();
    return -1;
  }
  size_t states = tenon_model_state_count(model->model, 0);
  for (size_t i = 0; i < states; ++i) {
    tenon_state_info info = TENON_INIT(tenon_state_info);
    tenon_status_destroy(tenon_model_state(model->model, 0, i, &info));
    isState[info.input] = 1;
    if (info.output != TENON_NO_OUTPUT)
      isState[model->inputCount + info.output] = 1;
  }
  size_t *next = self->numbers;
  self->with.inputs = next;
  for (size_t i = 0; i < model->inputCount; ++i)
    if (!isState[i])
      *next++ = i;
  self->with.inputCount = (size_t)(next - self->numbers);
  self->with.outputs = next;
  for (size_t i = 0; i < model->outputCount; ++i)
    if (!isState[model->inputCount + i])
      *next++ = i;
  self->with.outputCount = (size_t)(next - self->with.outputs);
  PyMem_Free(isState);
  return 0;
}

static int initialize(PyObject *object, PyObject *args, PyObject *keywords) {
  static char *names[] = {"model", "capacity", "max_capacity", NULL};
  struct state *self = (struct state *)object;
  PyObject *model;
  long long capacity = 0, most = 0;
  if (self->with.model) {
    PyErr_SetString(PyExc_RuntimeError, "a state is made once");
    return -1;
  }
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|$LL", names, &model,
                                   &capacity, &most))
    return -1;
  self->with.model = modelOf(model);
  if (!self->with.model)
    return -1;
  Py_INCREF(model);
  tenon_state_options options = TENON_INIT(tenon_state_options);
  options.capacity = capacity;
  options.max_capacity = most;
  if (!tenon_model_state_count(self->with.model->model, 0)) {
    PyErr_SetString(PyExc_ValueError,
                    "the model has no states: compile it with states=");
    return -1;
  }
  if (findOthers(self))
    return -1;
  tenon_status *status =
      tenon_state_create(self->with.model->model, &options, &self->with.state);
  if (status)
    raiseStatus(self->with.model->core, status);
  return status ? -1 : 0;
}

/// Whether it can be used; else an error is set.
static int isUsable(const struct state *self) {
  if (!self->with.state)
    PyErr_SetString(PyExc_RuntimeError, "the state was not made");
  else if (self->isRunning)
    PyErr_SetString(PyExc_RuntimeError,
                    "another thread runs the model on this state");
  return !PyErr_Occurred();
}

static PyObject *call(PyObject *object, PyObject *inputs, PyObject *keywords) {
  struct state *self = (struct state *)object;
  if (keywords && PyDict_Size(keywords)) {
    PyErr_SetString(PyExc_TypeError, "a state takes inputs in their order");
    return NULL;
  }
  if (!isUsable(self))
    return NULL;
  self->isRunning = 1;
  PyObject *results = runModel(&self->with, inputs);
  self->isRunning = 0;
  return convertResults(inputs, results);
}

static PyObject *reset(PyObject *object, PyObject *unused) {
  (void)unused;
  struct state *self = (struct state *)object;
  if (!isUsable(self))
    return NULL;
  tenon_state_reset(self->with.state);
  return Py_NewRef(Py_None);
}

static PyObject *truncateTo(PyObject *object, PyObject *args) {
  struct state *self = (struct state *)object;
  long long length;
  if (!PyArg_ParseTuple(args, "L", &length) || !isUsable(self))
    return NULL;
  return raised(self, tenon_state_truncate(self->with.state, length));
}

/// A copy, as it is given to the next run.
static PyObject *get(PyObject *object, PyObject *args) {
  struct state *self = (struct state *)object;
  Py_ssize_t index;
  tenon_tensor value;
  if (!PyArg_ParseTuple(args, "n", &index) || !isUsable(self))
    return NULL;
  tenon_status *status =
      tenon_state_get(self->with.state, (size_t)index, &value);
  return status ? raised(self, status)
                : copyTensor(self->with.model->tensorType, &value);
}

static PyObject *set(PyObject *object, PyObject *args) {
  struct state *self = (struct state *)object;
  Py_ssize_t index;
  PyObject *array;
  struct input held = {.owner = NULL};
  tenon_tensor value = {.data = NULL};
  if (!PyArg_ParseTuple(args, "nO", &index, &array) || !isUsable(self))
    return NULL;
  const struct use use = {self->with.model->tensorType, adaptHook(), NULL, 0};
  PyObject *result = NULL;
  // Opening may run Python, and other threads.
  if (!openInput(array, &use, &held, &value) && isUsable(self))
    result =
        raised(self, tenon_state_set(self->with.state, (size_t)index, &value));
  closeInput(&held);
  return result;
}

static tenon_status *saveTo(tenon_state *state, const char *path) {
  return tenon_state_save(state, path, NULL);
}

static tenon_status *loadFrom(tenon_state *state, const char *path) {
  return tenon_state_load(state, path, NULL);
}

/// Does something with a state and the file that the arguments name.
static PyObject *withFile(struct state *self, PyObject *args,
                          tenon_status *(*act)(tenon_state *, const char *)) {
  PyObject *path, *result = NULL;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path))
    return NULL;
  if (isUsable(self))
    result = raised(self, act(self->with.state, PyBytes_AsString(path)));
  Py_DECREF(path);
  return result;
}

static PyObject *save(PyObject *object, PyObject *args) {
  return withFile((struct state *)object, args, saveTo);
}

static PyObject *load(PyObject *object, PyObject *args) {
  return withFile((struct state *)object, args, loadFrom);
}

/// [(input, output or -1, axis)] of each: numbers in the signature.
static PyObject *list(PyObject *object, PyObject *unused) {
  (void)unused;
  struct state *self = (struct state *)object;
  if (!isUsable(self))
    return NULL;
  const tenon_model *model = self->with.model->model;
  size_t count = tenon_model_state_count(model, 0);
  PyObject *all = PyList_New((Py_ssize_t)count);
  for (size_t i = 0; all && i < count; ++i) {
    tenon_state_info info = TENON_INIT(tenon_state_info);
    tenon_status_destroy(tenon_model_state(model, 0, i, &info));
    Py_ssize_t output =
        info.output == TENON_NO_OUTPUT ? -1 : (Py_ssize_t)info.output;
    PyList_SetItem(
        all, (Py_ssize_t)i,
        Py_BuildValue("(nni)", (Py_ssize_t)info.input, output, info.axis));
  }
  return all;
}

PyObject *makeStateType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"reset", reset, METH_NOARGS, "Makes it what it was in the beginning."},
      {"truncate", truncateTo, METH_VARARGS,
       "Keeps so many elements of what grows."},
      {"get_at", get, METH_VARARGS, "A copy of the state of a number."},
      {"set_at", set, METH_VARARGS, "Copies an array to it."},
      {"save", save, METH_VARARGS,
       "Writes it as a safetensors file, whole or not at all."},
      {"load", load, METH_VARARGS,
       "Reads what save wrote; of another model it is an Error."},
      {"numbers", list, METH_NOARGS, "Input, output and axis of each state."},
      {NULL, NULL, 0, NULL}};
  static PyType_Slot slots[] = {{Py_tp_doc, "What one run leaves to the next."},
                                {Py_tp_init, initialize},
                                {Py_tp_dealloc, release},
                                {Py_tp_call, call},
                                {Py_tp_methods, methods},
                                {0, NULL}};
  static PyType_Spec spec = {TENON_PYTHON_PACKAGE "._core.State",
                             sizeof(struct state), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return PyType_FromModuleAndSpec(module, &spec, NULL);
}
