//===- Inputs.c - the caller's arrays as tensors --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Inputs.h"
#include "DlPack.h"
#include "Types.h"

/// KeyboardInterrupt, MemoryError and others are about no input.
static int isOfInput(void) {
  return PyErr_ExceptionMatches(PyExc_TypeError) ||
         PyErr_ExceptionMatches(PyExc_BufferError) ||
         PyErr_ExceptionMatches(PyExc_ValueError) ||
         PyErr_ExceptionMatches(PyExc_RuntimeError);
}

void nameInput(const char *name) {
  if (!isOfInput())
    return;
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_Format(PyExc_TypeError, "input '%s': %S", name, value ? value : type);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

//===-- Buffers -----------------------------------------------------------===//

static int openBuffer(PyObject *object, struct input *input,
                      tenon_tensor *tensor) {
  if (PyObject_GetBuffer(object, &input->buffer,
                         PyBUF_C_CONTIGUOUS | PyBUF_FORMAT))
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

static PyObject *callVersioned(PyObject *method) {
  PyObject *none = PyTuple_New(0);
  PyObject *keywords = Py_BuildValue("{s(ii)}", "max_version", 1, 1);
  PyObject *capsule =
      none && keywords ? PyObject_Call(method, none, keywords) : NULL;
  Py_XDECREF(none);
  Py_XDECREF(keywords);
  return capsule;
}

/// Asks for a capsule of DLPack 1, else for an older one.
static PyObject *askForCapsule(PyObject *object) {
  PyObject *method = PyObject_GetAttrString(object, "__dlpack__");
  if (!method)
    return NULL;
  PyObject *capsule = callVersioned(method);
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
    PyErr_Clear();
    capsule = PyObject_CallNoArgs(method);
  }
  Py_DECREF(method);
  return capsule;
}

/// The tensor in a capsule; NULL where it holds none (any more).
static const tenon_tensor *tensorIn(PyObject *capsule) {
  if (PyCapsule_IsValid(capsule, DLPACK_VERSIONED_NAME)) {
    struct versionedTensor *managed =
        PyCapsule_GetPointer(capsule, DLPACK_VERSIONED_NAME);
    return managed->major == 1 ? &managed->tensor : NULL;
  }
  if (!PyCapsule_IsValid(capsule, DLPACK_NAME))
    return NULL;
  struct managedTensor *managed = PyCapsule_GetPointer(capsule, DLPACK_NAME);
  return &managed->tensor;
}

static int openCapsule(PyObject *object, struct input *input,
                       tenon_tensor *tensor) {
  input->capsule = askForCapsule(object);
  if (!input->capsule)
    return -1;
  const tenon_tensor *found = tensorIn(input->capsule);
  if (!found) {
    PyErr_SetString(PyExc_TypeError, "__dlpack__ gave no tensor of DLPack 1");
    return -1;
  }
  *tensor = *found;
  if (tensor->device.device_type == TENON_DEVICE_CPU)
    return 0;
  PyErr_SetString(PyExc_TypeError, "it does not lie in host memory");
  return -1;
}

int openInput(PyObject *object, struct input *input, tenon_tensor *tensor) {
  if (PyObject_CheckBuffer(object))
    return openBuffer(object, input, tensor);
  if (PyObject_HasAttrString(object, "__dlpack__"))
    return openCapsule(object, input, tensor);
  PyErr_Format(PyExc_TypeError,
               "%S is neither a buffer nor a tensor with __dlpack__",
               Py_TYPE(object));
  return -1;
}

void closeInput(struct input *input) {
  if (input->buffer.obj)
    PyBuffer_Release(&input->buffer);
  Py_CLEAR(input->capsule);
}
