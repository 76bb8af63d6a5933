//===- Model.c - loaded models --------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file runs models. Threads share one, and each run takes a context that
// is idle, or makes one.
//===----------------------------------------------------------------------===//
#include "Model.h"
#include "Results.h"
#include "Run.h"
#include "Types.h"

#include <unistd.h>

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
  model->core = PyImport_ImportModule(TENON_PYTHON_PACKAGE "._core");
  if (!model->core)
    return -1;
  model->tensorType = PyObject_GetAttrString(model->core, "Tensor");
  if (!model->tensorType)
    return -1;
  tenon_status *status = load(model, source, &failed);
  if (status)
    raiseStatus(model->core, status);
  if (failed || status)
    return -1;
  model->inputCount = tenon_model_input_count(model->model);
  model->outputCount = tenon_model_output_count(model->model);
  return 0;
}

static int isLoaded(const struct model *model) {
  if (!model->model)
    PyErr_SetString(PyExc_RuntimeError, "the model is not loaded");
  return model->model != NULL;
}

//===-- Contexts ----------------------------------------------------------===//

tenon_context *takeContext(struct model *model) {
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

void giveContext(struct model *model, tenon_context *context) {
  if (model->idleCount < mostIdle)
    model->idle[model->idleCount++] = context;
  else
    tenon_context_destroy(context);
}

//===-- Runs --------------------------------------------------------------===//

static struct setting settingOf(struct model *model) {
  struct setting with = {.model = model,
                         .inputCount = model->inputCount,
                         .outputCount = model->outputCount};
  return with;
}

/// The outputs as tensors.
static PyObject *compute(PyObject *self, PyObject *inputs) {
  struct setting with = settingOf((struct model *)self);
  return isLoaded(with.model) ? runModel(&with, inputs) : NULL;
}

/// The outputs as what the first input is. With keywords, by Python.
static PyObject *call(PyObject *self, PyObject *inputs, PyObject *keywords) {
  if (!keywords || !PyDict_Size(keywords))
    return convertResults(inputs, compute(self, inputs));
  PyObject *method = PyObject_GetAttrString(self, "_call_with");
  PyObject *results = method ? PyObject_Call(method, inputs, keywords) : NULL;
  Py_XDECREF(method);
  return results;
}

struct model *modelOf(PyObject *object) {
  PyObject *core = PyImport_ImportModule(TENON_PYTHON_PACKAGE "._core");
  PyObject *type = core ? PyObject_GetAttrString(core, "Model") : NULL;
  int is = type ? PyObject_IsInstance(object, type) : -1;
  Py_XDECREF(core);
  Py_XDECREF(type);
  if (!is)
    PyErr_Format(PyExc_TypeError, "%S is no Model", Py_TYPE(object));
  return is == 1 && isLoaded((struct model *)object) ? (struct model *)object
                                                     : NULL;
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

/// Sizes and names of the whole model, as a dictionary.
static PyObject *facts(PyObject *self, PyObject *unused) {
  (void)unused;
  struct model *model = (struct model *)self;
  if (!isLoaded(model))
    return NULL;
  tenon_model_info info = TENON_INIT(tenon_model_info);
  tenon_status *status = tenon_model_query(model->model, &info);
  if (status)
    return raiseStatus(model->core, status);
  return Py_BuildValue(
      "{sNsNsNsnsnsnsnsnsnsnsn}", "name", textOf(info.name), "target_cpu",
      textOf(info.target_cpu), "producer", textOf(info.producer), "arena_bytes",
      (Py_ssize_t)info.arena_bytes, "arena_lower_bound_bytes",
      (Py_ssize_t)info.arena_lower_bound_bytes, "scratch_bytes",
      (Py_ssize_t)info.scratch_bytes, "weights_bytes",
      (Py_ssize_t)info.weights_bytes, "code_bytes", (Py_ssize_t)info.code_bytes,
      "file_bytes", (Py_ssize_t)info.file_bytes, "kernel_count",
      (Py_ssize_t)info.kernel_count, "launch_count",
      (Py_ssize_t)info.launch_count);
}

PyObject *makeModelType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"compute", compute, METH_VARARGS, "The outputs, as tensors."},
      {"signature", signature, METH_NOARGS,
       "Inputs and outputs, each a name, a type and a shape."},
      {"facts", facts, METH_NOARGS, "Sizes and names of the whole model."},
      {NULL, NULL, 0, NULL}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, "A loaded model."}, {Py_tp_init, initialize},
      {Py_tp_dealloc, release},       {Py_tp_call, call},
      {Py_tp_methods, methods},       {0, NULL}};
  static PyType_Spec spec = {TENON_PYTHON_PACKAGE "._core.Model",
                             sizeof(struct model), 0,
                             Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
  return PyType_FromModuleAndSpec(module, &spec, NULL);
}
