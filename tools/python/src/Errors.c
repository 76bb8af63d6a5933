//===- Errors.c - statuses as exceptions ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Core.h"

#include <string.h>

PyObject *textOf(const char *utf8) {
  return PyUnicode_DecodeUTF8(utf8, (Py_ssize_t)strlen(utf8), "replace");
}

static int setAttribute(PyObject *object, const char *name, PyObject *value) {
  int result = value ? PyObject_SetAttrString(object, name, value) : -1;
  Py_XDECREF(value);
  return result;
}

/// The exception for a status; NULL with an error set.
static PyObject *exceptionOf(PyObject *type, const tenon_status *status) {
  int number = tenon_status_number(status);
  PyObject *message = textOf(tenon_status_message(status));
  PyObject *exception = PyObject_CallFunction(
      type, "N", PyUnicode_FromFormat("%U [TN%04d]", message, number));
  Py_XDECREF(message);
  if (!exception)
    return NULL;
  PyObject *code = PyUnicode_FromFormat("TN%04d", number);
  PyObject *kind = PyLong_FromLong(tenon_status_code_of(status));
  PyObject *node = textOf(tenon_status_node(status));
  int wrong = setAttribute(exception, "code", code);
  wrong |= setAttribute(exception, "status", kind);
  wrong |= setAttribute(exception, "node", node);
  if (wrong)
    Py_CLEAR(exception);
  return exception;
}

PyObject *raiseStatus(PyObject *errors, tenon_status *status) {
  int isTensor = tenon_status_code_of(status) == TENON_TENSOR_MISMATCH;
  PyObject *type =
      PyObject_GetAttrString(errors, isTensor ? "TensorError" : "Error");
  PyObject *exception = type ? exceptionOf(type, status) : NULL;
  if (exception)
    PyErr_SetObject(type, exception);
  Py_XDECREF(exception);
  Py_XDECREF(type);
  tenon_status_destroy(status);
  return NULL;
}

int addErrors(PyObject *module) {
  PyObject *error = PyErr_NewExceptionWithDoc(
      TENON_PYTHON_PACKAGE ".Error",
      "What Tenon refuses or cannot do. `code`, as 'TN0206', is what "
      "tenon-compile --explain tells more of; `status` is the "
      "tenon_status_code, `node` the input, output or ONNX node that it is "
      "about, or ''.",
      NULL, NULL);
  PyObject *bases = error ? PyTuple_Pack(2, error, PyExc_TypeError) : NULL;
  PyObject *tensor =
      bases ? PyErr_NewExceptionWithDoc(
                  TENON_PYTHON_PACKAGE ".TensorError",
                  "A tensor of another type, shape, layout or device.", bases,
                  NULL)
            : NULL;
  int wrong = !tensor || PyModule_AddObjectRef(module, "Error", error) ||
              PyModule_AddObjectRef(module, "TensorError", tensor);
  Py_XDECREF(error);
  Py_XDECREF(bases);
  Py_XDECREF(tensor);
  return wrong ? -1 : 0;
}
