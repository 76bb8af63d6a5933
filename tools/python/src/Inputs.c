//===- Inputs.c - the caller's arrays as tensors --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Inputs.h"
#include "DlPack.h"
#include "Tensor.h"
#include "Types.h"

/// KeyboardInterrupt, MemoryError and others are about no input.
static int isOfInput(void) {
  return PyErr_ExceptionMatches(PyExc_TypeError) ||
         PyErr_ExceptionMatches(PyExc_BufferError) ||
         PyErr_ExceptionMatches(PyExc_ValueError) ||
         PyErr_ExceptionMatches(PyExc_RuntimeError);
}

void nameInput(const char *what, const char *name) {
  if (!isOfInput())
    return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_Format(PyExc_TypeError, "%s '%s': %S", what, name,
               value ? value : type);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

//===-- Buffers -----------------------------------------------------------===//

static int openBuffer(PyObject *object, const struct use *use,
                      struct input *input, tenon_tensor *tensor) {
  int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT;
  if (PyObject_GetBuffer(object, &input->buffer,
                         use->writes ? flags | PyBUF_WRITABLE : flags))
    return -1;
  const Py_buffer *buffer = &input->buffer;
  tensor->data = buffer->buf;
  tensor->device.device_type = TENON_DEVICE_CPU;
  tensor->dtype = typeOfFormat(buffer->format, buffer->itemsize);
  tensor->ndim = buffer->ndim;
  tensor->shape = (int64_t *)buffer->shape;
  if (tensor->dtype.bits)
    return 0;
  PyErr_Format(PyExc_TypeError, "no tensor has elements of '%s'",
               buffer->format);
  return -1;
}

//===-- DLPack ------------------------------------------------------------===//

static PyObject *callVersioned(PyObject *method, void *stream) {
  PyObject *none = PyTuple_New(0);
  PyObject *keywords =
      stream ? Py_BuildValue("{s(ii)sn}", "max_version", 1, 1, "stream",
                             (Py_ssize_t)(intptr_t)stream)
             : Py_BuildValue("{s(ii)}", "max_version", 1, 1);
  PyObject *capsule =
      none && keywords ? PyObject_Call(method, none, keywords) : NULL;
  Py_XDECREF(none);
  Py_XDECREF(keywords);
  return capsule;
}

/// Asks for a capsule of DLPack 1, else for an older one.
static PyObject *askForCapsule(PyObject *object, void *stream) {
  PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
  if (!method)
    return NULL;
  PyObject *capsule = callVersioned(method, stream);
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    capsule = PyObject_CallNoArgs(method);
  }
  Py_DECREF(method);
  return capsule;
}

/// The tensor in a capsule; NULL where it holds none (any more).
static const tenon_tensor *tensorIn(PyObject *capsule, int *isReadOnly) {
  if (PyCapsule_IsValid(capsule, DLPACK_VERSIONED_NAME)) {
    struct versionedTensor *managed =
        PyCapsule_GetPointer(capsule, DLPACK_VERSIONED_NAME);
    *isReadOnly = (managed->flags & dlpackReadOnly) != 0;
    return managed->major == 1 ? &managed->tensor : NULL;
  }
  if (!PyCapsule_IsValid(capsule, DLPACK_NAME))
    return NULL;
  struct managedTensor *managed = PyCapsule_GetPointer(capsule, DLPACK_NAME);
  return &managed->tensor;
}

static int openCapsule(PyObject *object, const struct use *use,
                       struct input *input, tenon_tensor *tensor) {
  int isReadOnly = 0;
  input->owner = askForCapsule(object, use->stream);
  if (!input->owner)
    return -1;
  const tenon_tensor *found = tensorIn(input->owner, &isReadOnly);
  if (!found) {
    PyErr_SetString(PyExc_TypeError, "__dlpack__ gave no tensor of DLPack 1");
    return -1;
  }
  if (use->writes && isReadOnly) {
    PyErr_SetString(PyExc_TypeError, "it is read-only");
    return -1;
  }
  *tensor = *found;
  return 0;
}

//===-- Any ---------------------------------------------------------------===//

/// A tensor that stands for a buffer without a format, by a function of
/// Python's; its argument is what was wrong.
static int openAdapted(PyObject *object, const struct use *use,
                       struct input *input, tenon_tensor *tensor) {
  if (!use->adapt || !PyErr_ExceptionMatches(PyExc_ValueError))
    return -1;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  input->owner = PyObject_CallFunction(use->adapt, "OOi", object,
                                       value ? value : Py_None, use->writes);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  if (!input->owner)
    return -1;
  *tensor = viewOf(input->owner);
  return 0;
}

static int openExchanged(PyObject *object, const struct exchangeTable *table,
                         struct input *input, tenon_tensor *tensor) {
  int wrong = table->viewOfObject ? table->viewOfObject(object, tensor)
                                  : table->fromObject(object, &input->managed);
  if (wrong && !PyErr_Occurred())
    PyErr_SetString(PyExc_TypeError, "its type's table gave no tensor");
  if (!wrong && input->managed)
    *tensor = input->managed->tensor;
  return wrong ? -1 : 0;
}

int openInput(PyObject *object, const struct use *use, struct input *input,
              tenon_tensor *tensor) {
  PyTypeObject *type = Py_TYPE(object);
  if ((PyObject *)type == use->tensorType) {
    *tensor = viewOf(object);
    return 0;
  }
  if (PyObject_CheckBuffer(object))
    return openBuffer(object, use, input, tensor)
               ? openAdapted(object, use, input, tensor)
               : 0;
  const struct exchangeTable *table = use->stream ? NULL : exchangeOf(type);
  if (table)
    return openExchanged(object, table, input, tensor);
  if (PyObject_HasAttrString(object, "__dlpack__"))
    return openCapsule(object, use, input, tensor);
  PyErr_Format(PyExc_TypeError,
               "%S is neither a buffer nor a tensor with __dlpack__", type);
  return -1;
}

void closeInput(struct input *input) {
  if (input->buffer.obj)
    PyBuffer_Release(&input->buffer);
  if (input->managed && input->managed->release)
    input->managed->release(input->managed);
  input->managed = NULL;
  Py_CLEAR(input->owner);
}
