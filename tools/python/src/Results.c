//===- Results.c - tensors as what the caller has -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is on the path of each call: what Python says of types is asked for
// once. The interpreter's lock guards what is kept.
//===----------------------------------------------------------------------===//
#include "Results.h"
#include "Tensor.h"
#include "Types.h"

static PyObject *kindHook, *dtypeHook, *adapt;

static void keep(PyObject **to, PyObject *object) {
  PyObject *before = *to;
  *to = Py_NewRef(object);
  Py_XDECREF(before);
}

PyObject *setHooks(PyObject *module, PyObject *args) {
  (void)module;
  PyObject *kind, *dtype, *adapted;
  if (!PyArg_ParseTuple(args, "OOO", &kind, &dtype, &adapted))
    return NULL;
  keep(&kindHook, kind);
  keep(&dtypeHook, dtype);
  keep(&adapt, adapted);
  return Py_NewRef(Py_None);
}

PyObject *adaptHook(void) { return adapt; }

//===-- Kinds -------------------------------------------------------------===//

static struct {
  PyTypeObject *type;
  PyObject *converter;
} kinds[4];

enum { kindCount = sizeof kinds / sizeof *kinds };

/// The converter for results of the kind of `object`, borrowed.
static PyObject *kindOf(PyObject *object) {
  static int next;
  PyTypeObject *type = Py_TYPE(object);
  for (int i = 0; i < kindCount; ++i)
    if (kinds[i].type == type)
      return kinds[i].converter;
  PyObject *converter = PyObject_CallFunctionObjArgs(kindHook, type, NULL);
  if (!converter)
    return NULL;
  keep((PyObject **)&kinds[next].type, (PyObject *)type);
  keep(&kinds[next].converter, converter);
  Py_DECREF(converter);
  next = (next + 1) % kindCount;
  return converter;
}

//===-- Arrays ------------------------------------------------------------===//

/// numpy's type of elements, or a function of a tensor; borrowed.
static PyObject *dtypeOf(tenon_dtype type) {
  static struct {
    tenon_dtype type;
    PyObject *dtype;
  } last[4];
  static int next;
  for (int i = 0; i < 4; ++i)
    if (last[i].dtype && last[i].type.code == type.code &&
        last[i].type.bits == type.bits)
      return last[i].dtype;
  PyObject *dtype = PyObject_CallFunction(dtypeHook, "s", nameOfType(type));
  if (!dtype)
    return NULL;
  keep(&last[next].dtype, dtype);
  last[next].type = type;
  next = (next + 1) % 4;
  Py_DECREF(dtype);
  return dtype;
}

/// numpy.ndarray(shape, dtype, buffer).
static PyObject *arrayOf(PyObject *ndarray, PyObject *tensor) {
  tenon_tensor view = viewOf(tensor);
  PyObject *dtype = dtypeOf(view.dtype);
  if (!dtype)
    return NULL;
  if (PyCallable_Check(dtype))
    return PyObject_CallFunctionObjArgs(dtype, tensor, NULL);
  PyObject *shape = shapeOf(&view);
  PyObject *array =
      shape ? PyObject_CallFunctionObjArgs(ndarray, shape, dtype, tensor, NULL)
            : NULL;
  Py_XDECREF(shape);
  return array;
}

static PyObject *convert(PyObject *converter, PyObject *tensor) {
  return PyType_Check(converter)
             ? arrayOf(converter, tensor)
             : PyObject_CallFunctionObjArgs(converter, tensor, NULL);
}

PyObject *convertResults(PyObject *inputs, PyObject *results) {
  if (!results || !kindHook || !PyTuple_Size(inputs))
    return results;
  PyObject *first = PyTuple_GetItem(inputs, 0);
  const struct exchangeTable *table = exchangeOf(Py_TYPE(first));
  PyObject *converter = table ? NULL : kindOf(first);
  if (converter == Py_None)
    return results;
  Py_XINCREF(converter); // other threads may have it forgotten
  Py_ssize_t count = table || converter ? PyList_Size(results) : 0;
  for (Py_ssize_t i = 0; i < count && !PyErr_Occurred(); ++i) {
    PyObject *tensor = PyList_GetItem(results, i);
    PyObject *made =
        table ? exchangeTensor(tensor, table) : convert(converter, tensor);
    if (made)
      PyList_SetItem(results, i, made);
  }
  Py_XDECREF(converter);
  if (PyErr_Occurred())
    Py_CLEAR(results);
  return results;
}
