//===- Compile.c - the module tenon._compiler -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is a module of its own, so that programs that only run models never
// load the compiler.
//===----------------------------------------------------------------------===//
#include "Core.h"
#include "tenon-c/Compiler.h"

#include <stdlib.h>

//===-- Artifacts in memory -----------------------------------------------===//

struct artifact {
  PyObject base;
  tenon_sink sink;
};

static void release(PyObject *self) {
  PyTypeObject *type = Py_TYPE(self);
  tenon_sink_release(&((struct artifact *)self)->sink);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static int getBuffer(PyObject *self, Py_buffer *buffer, int flags) {
  tenon_sink *sink = &((struct artifact *)self)->sink;
  return PyBuffer_FillInfo(buffer, self, sink->data, (Py_ssize_t)sink->size, 1,
                           flags);
}

static PyObject *newArtifact(PyObject *module, const tenon_sink *sink) {
  PyObject *type = PyObject_GetAttrString(module, "Artifact");
  if (!type)
    return NULL;
  allocfunc allocate =
      (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
  PyObject *self = allocate((PyTypeObject *)type, 0);
  if (self)
    ((struct artifact *)self)->sink = *sink;
  Py_DECREF(type);
  return self;
}

//===-- Calls -------------------------------------------------------------===//

/// What a call of the compiler holds; callbacks come with the lock released.
struct call {
  PyObject *errors;   ///< the module that has tenon.Error
  PyObject *path;     ///< of the model, as bytes
  Py_buffer bytes;    ///< of a model in memory
  PyObject *external; ///< a function of a location
  PyObject *given;    ///< what it gave, held to the end
  PyObject *told;     ///< warnings, or nodes
  const char **words;
  tenon_source source;
  tenon_compile_options options;
};

static bool checkSignals(void *user, const char *phase) {
  (void)user, (void)phase;
  PyGILState_STATE state = PyGILState_Ensure();
  bool goOn = PyErr_CheckSignals() == 0;
  PyGILState_Release(state);
  return goOn;
}

static void noteWarning(void *user, const tenon_diagnostic *diagnostic) {
  if (diagnostic->severity != TENON_WARNING)
    return;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *pair =
      Py_BuildValue("(NN)", textOf(diagnostic->node), textOf(diagnostic->text));
  if (pair)
    PyList_Append(((struct call *)user)->told, pair);
  Py_XDECREF(pair);
  PyGILState_Release(state);
}

static void noteNode(void *user, const tenon_node_support *node) {
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *reason = node->reason ? textOf(node->reason) : Py_NewRef(Py_None);
  PyObject *code = node->number ? PyUnicode_FromFormat("TN%04d", node->number)
                                : Py_NewRef(Py_None);
  PyObject *entry = Py_BuildValue("(NNNN)", textOf(node->name),
                                  textOf(node->op), reason, code);
  if (entry)
    PyList_Append(((struct call *)user)->told, entry);
  Py_XDECREF(entry);
  PyGILState_Release(state);
}

/// What a bytes object holds, which is kept; NULL of None.
static const void *keep(struct call *call, PyObject *object, size_t *size) {
  if (!object || object == Py_None)
    return NULL;
  char *data = NULL;
  Py_ssize_t length = 0;
  if (PyBytes_AsStringAndSize(object, &data, &length) ||
      PyList_Append(call->given, object))
    return NULL;
  *size = (size_t)length;
  return data;
}

static const void *readExternal(void *user, const char *location,
                                size_t *size) {
  struct call *call = user;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject *object = PyObject_CallFunction(call->external, "s", location);
  const void *data = keep(call, object, size);
  Py_XDECREF(object);
  PyGILState_Release(state);
  return data;
}

static int setSource(struct call *call, PyObject *source) {
  if (PyObject_CheckBuffer(source)) {
    if (PyObject_GetBuffer(source, &call->bytes, PyBUF_SIMPLE))
      return -1;
    call->source.data = call->bytes.buf;
    call->source.size = (size_t)call->bytes.len;
    return 0;
  }
  if (!PyUnicode_FSConverter(source, &call->path))
    return -1;
  call->source.path = PyBytes_AsString(call->path);
  return 0;
}

static int setWords(struct call *call, PyObject *words) {
  Py_ssize_t count = PyTuple_Size(words);
  if (count < 0)
    return -1;
  call->words = PyMem_Calloc((size_t)count + 1, sizeof *call->words);
  if (!call->words) {
    PyErr_NoMemory();
    return -1;
  }
  for (Py_ssize_t i = 0; i < count; ++i) {
    call->words[i] = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(words, i), NULL);
    if (!call->words[i])
      return -1;
  }
  call->options.arguments = call->words;
  call->options.argument_count = (size_t)count;
  return 0;
}

static int begin(struct call *call, PyObject *args) {
  PyObject *source, *words;
  call->source = TENON_INIT(tenon_source);
  call->options = TENON_INIT(tenon_compile_options);
  int isolate;
  if (!PyArg_ParseTuple(args, "OzO!Op", &source, &call->source.name,
                        &PyTuple_Type, &words, &call->external, &isolate))
    return -1;
  call->options.isolate = isolate != 0;
  call->errors = PyImport_ImportModule(TENON_PYTHON_PACKAGE "._core");
  call->told = PyList_New(0);
  call->given = PyList_New(0);
  if (!call->errors || !call->told || !call->given || setSource(call, source) ||
      setWords(call, words))
    return -1;
  if (call->external != Py_None)
    call->source.external = readExternal;
  call->source.user = call->options.user = call;
  call->options.progress = checkSignals;
  call->options.diagnostic = noteWarning;
  return 0;
}

static void end(struct call *call) {
  if (call->bytes.obj)
    PyBuffer_Release(&call->bytes);
  PyMem_Free(call->words);
  Py_XDECREF(call->path);
  Py_XDECREF(call->errors);
  Py_XDECREF(call->told);
  Py_XDECREF(call->given);
}

/// Turns a status into the error, unless a callback has raised one before.
static int failed(struct call *call, tenon_status *status) {
  if (PyErr_Occurred())
    tenon_status_destroy(status);
  else if (status)
    raiseStatus(call->errors, status);
  return PyErr_Occurred() != NULL;
}

static PyObject *factsOf(const tenon_compile_report *report) {
  return Py_BuildValue("{sdsnsn}", "compile_seconds", report->compile_seconds,
                       "cached_kernel_count",
                       (Py_ssize_t)report->cached_kernel_count,
                       "artifact_bytes", (Py_ssize_t)report->artifact_bytes);
}

/// (source, name, words, external, isolate) -> (artifact, warnings, facts)
static PyObject *compileModel(PyObject *module, PyObject *args) {
  struct call call = {0};
  PyObject *result = NULL;
  tenon_sink sink = TENON_INIT(tenon_sink);
  if (!begin(&call, args)) {
    tenon_status *status;
    tenon_compile_report report = TENON_INIT(tenon_compile_report);
    Py_BEGIN_ALLOW_THREADS;
    status = tenon_compile(&call.source, &sink, &call.options, &report);
    Py_END_ALLOW_THREADS;
    PyObject *artifact =
        failed(&call, status) ? NULL : newArtifact(module, &sink);
    if (artifact)
      result = Py_BuildValue("(NON)", artifact, call.told, factsOf(&report));
    else
      tenon_sink_release(&sink);
  }
  end(&call);
  return result;
}

/// (source, name, words, external, isolate) -> [(name, op, reason, code)]
static PyObject *checkModel(PyObject *module, PyObject *args) {
  (void)module;
  struct call call = {0};
  PyObject *result = NULL;
  if (!begin(&call, args)) {
    tenon_status *status;
    call.options.diagnostic = NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = tenon_check(&call.source, &call.options, noteNode, &call);
    Py_END_ALLOW_THREADS;
    if (!failed(&call, status))
      result = Py_NewRef(call.told);
  }
  end(&call);
  return result;
}

static int execute(PyObject *module) {
  static PyType_Slot slots[] = {{Py_tp_doc, "A compiled model: a buffer."},
                                {Py_tp_dealloc, release},
                                {Py_bf_getbuffer, getBuffer},
                                {0, NULL}};
  static PyType_Spec spec = {
      "tenon.Artifact", sizeof(struct artifact), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  PyObject *type = PyType_FromModuleAndSpec(module, &spec, NULL);
  int wrong = !type || PyModule_AddObjectRef(module, "Artifact", type);
  Py_XDECREF(type);
  return wrong ? -1 : 0;
}

PyMODINIT_FUNC PyInit__compiler(void) {
  static PyMethodDef functions[] = {
      {"compile", compileModel, METH_VARARGS, NULL},
      {"check", checkModel, METH_VARARGS, NULL},
      {NULL, NULL, 0, NULL}};
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};
  static PyModuleDef module = {
      PyModuleDef_HEAD_INIT, .m_name = "tenon._compiler",
      .m_doc = "The compiler.", .m_methods = functions, .m_slots = slots};
  return PyModuleDef_Init(&module);
}
