//===- Tensor.c - what a run makes ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tensor.h"
#include "DlPack.h"
#include "Types.h"

#include <stdlib.h>
#include <string.h>

enum { fewExtents = 8 };

struct tensor {
  PyObject base;
  tenon_tensor view;
  size_t size;
  Py_buffer *borrowed; ///< whose data these are; NULL: its own
  int64_t *extents;    ///< of the shape, then strides in bytes
  int64_t room[2 * fewExtents];
};

static void release(PyObject *self) {
  struct tensor *tensor = (struct tensor *)self;
  PyTypeObject *type = Py_TYPE(self);
  if (tensor->borrowed)
    PyBuffer_Release(tensor->borrowed);
  else
    free(tensor->view.data);
  PyMem_Free(tensor->borrowed);
  if (tensor->extents != tensor->room)
    PyMem_Free(tensor->extents);
  freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
  release(self);
  Py_DECREF(type);
}

static int bytesPerElement(tenon_dtype type) { return (type.bits + 7) / 8; }

/// Without data.
static struct tensor *newView(PyObject *type, tenon_dtype dtype, int32_t rank,
                              const int64_t *shape, size_t size) {
  allocfunc allocate =
      (allocfunc)PyType_GetSlot((PyTypeObject *)type, Py_tp_alloc);
  struct tensor *tensor = (struct tensor *)allocate((PyTypeObject *)type, 0);
  if (!tensor)
    return NULL;
  tensor->size = size;
  tensor->extents = rank <= fewExtents
                        ? tensor->room
                        : PyMem_Malloc(sizeof(int64_t) * (size_t)(2 * rank));
  if (!tensor->extents) {
    Py_DECREF(tensor);
    PyErr_NoMemory();
    return NULL;
  }
  tensor->view.device.device_type = TENON_DEVICE_CPU;
  tensor->view.dtype = dtype;
  tensor->view.ndim = rank;
  tensor->view.shape = tensor->extents;
  int64_t stride = bytesPerElement(dtype);
  for (int32_t i = rank - 1; i >= 0; --i) {
    tensor->extents[i] = shape[i];
    tensor->extents[rank + i] = stride;
    stride *= shape[i];
  }
  return tensor;
}

PyObject *newTensor(PyObject *type, const tenon_tensor_info *info) {
  struct tensor *tensor =
      newView(type, info->dtype, info->rank, info->shape, info->byte_size);
  if (!tensor)
    return NULL;
  size_t size = (info->byte_size + 63) / 64 * 64;
  tensor->view.data = aligned_alloc(64, size ? size : 64);
  if (tensor->view.data)
    return (PyObject *)tensor;
  Py_DECREF(tensor);
  return PyErr_NoMemory();
}

/// The bytes that a tensor without strides takes; -1 where there are too many.
static int64_t bytesOf(tenon_dtype dtype, int32_t rank, const int64_t *shape) {
  int64_t bytes = bytesPerElement(dtype);
  for (int32_t i = 0; i < rank; ++i)
    if (__builtin_mul_overflow(bytes, shape[i], &bytes))
      return -1;
  return bytes;
}

PyObject *copyTensor(PyObject *type, const tenon_tensor *from) {
  tenon_tensor_info info = {
      .dtype = from->dtype, .rank = from->ndim, .shape = from->shape};
  int64_t size = bytesOf(from->dtype, from->ndim, from->shape);
  info.byte_size = (size_t)(size < 0 ? 0 : size);
  PyObject *to = newTensor(type, &info);
  if (to && info.byte_size)
    copyDense(viewOf(to).data, from);
  return to;
}

/// Whether extents from `dim` on lie densely.
static int isDense(const tenon_tensor *tensor, int32_t dim) {
  int64_t stride = 1;
  for (int32_t i = tensor->ndim - 1; tensor->strides && i >= dim; --i) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride)
      return 0;
    stride *= tensor->shape[i];
  }
  return 1;
}

static char *copyFrom(char *to, const tenon_tensor *from, int32_t dim,
                      int64_t offset) {
  if (isDense(from, dim)) {
    int64_t size = bytesOf(from->dtype, from->ndim - dim, from->shape + dim);
    memcpy(to,
           (const char *)from->data + from->byte_offset +
               offset * bytesPerElement(from->dtype),
           (size_t)size);
    return to + size;
  }
  for (int64_t i = 0; i < from->shape[dim]; ++i)
    to = copyFrom(to, from, dim + 1, offset + i * from->strides[dim]);
  return to;
}

void copyDense(void *to, const tenon_tensor *from) { copyFrom(to, from, 0, 0); }

/// (buffer, dtype, shape, writable): a tensor that borrows a buffer's bytes.
PyObject *borrowTensor(PyObject *module, PyObject *args) {
  PyObject *object, *shape;
  const char *name;
  int writes;
  int64_t extents[64];
  if (!PyArg_ParseTuple(args, "OsO!p", &object, &name, &PyTuple_Type, &shape,
                        &writes))
    return NULL;
  tenon_dtype dtype = typeOfName(name);
  Py_ssize_t rank = PyTuple_Size(shape);
  if (!dtype.bits || rank > 64)
    return PyErr_Format(PyExc_TypeError, "no tensor has elements of %s", name);
  for (Py_ssize_t i = 0; i < rank; ++i)
    extents[i] = PyLong_AsLongLong(PyTuple_GetItem(shape, i));
  int64_t size = bytesOf(dtype, (int32_t)rank, extents);
  PyObject *type = PyObject_GetAttrString(module, "Tensor");
  struct tensor *tensor =
      type && !PyErr_Occurred()
          ? newView(type, dtype, (int32_t)rank, extents, (size_t)size)
          : NULL;
  Py_XDECREF(type);
  if (!tensor)
    return NULL;
  Py_buffer *buffer = PyMem_Calloc(1, sizeof *buffer);
  if (!buffer || PyObject_GetBuffer(object, buffer,
                                    writes ? PyBUF_WRITABLE : PyBUF_SIMPLE)) {
    PyMem_Free(buffer);
    Py_DECREF(tensor);
    return PyErr_Occurred() ? NULL : PyErr_NoMemory();
  }
  tensor->borrowed = buffer;
  tensor->view.data = buffer->buf;
  if (buffer->len == size)
    return (PyObject *)tensor;
  PyErr_Format(PyExc_ValueError, "%zd bytes, not %lld", buffer->len,
               (long long)size);
  Py_DECREF(tensor);
  return NULL;
}

PyObject *copyValue(PyObject *type, const tenon_value *value) {
  tenon_value_info info = TENON_INIT(tenon_value_info);
  tenon_status_destroy(tenon_value_query(value, &info));
  if (info.kind != TENON_VALUE_TENSOR || info.dtype.code == TENON_STRING) {
    PyErr_SetString(PyExc_NotImplementedError,
                    "outputs that are sequences, optionals or strings have no "
                    "Python type");
    return NULL;
  }
  tenon_tensor_info like = {.dtype = info.dtype,
                            .rank = info.rank,
                            .shape = info.shape,
                            .byte_size = info.byte_size};
  PyObject *tensor = newTensor(type, &like);
  if (tensor && info.byte_size)
    memcpy(viewOf(tensor).data, info.data, info.byte_size);
  return tensor;
}

tenon_tensor viewOf(PyObject *tensor) {
  return ((struct tensor *)tensor)->view;
}

//===-- Buffers -----------------------------------------------------------===//

static int getBuffer(PyObject *self, Py_buffer *buffer, int flags) {
  struct tensor *tensor = (struct tensor *)self;
  const char *format = formatOfType(tensor->view.dtype);
  // Who does not ask for a format takes bytes.
  if (!format && !(flags & PyBUF_FORMAT))
    return PyBuffer_FillInfo(buffer, self, tensor->view.data,
                             (Py_ssize_t)tensor->size, 0, flags);
  if (!format) {
    PyErr_Format(PyExc_BufferError,
                 "buffers have no elements of type %s; use __dlpack__",
                 nameOfType(tensor->view.dtype));
    return -1;
  }
  int32_t rank = tensor->view.ndim;
  if (rank > 1 && (flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS) {
    PyErr_SetString(PyExc_BufferError, "rows of tensors are contiguous");
    return -1;
  }
  if (PyBuffer_FillInfo(buffer, self, tensor->view.data,
                        (Py_ssize_t)tensor->size, 0, flags))
    return -1;
  buffer->itemsize = bytesPerElement(tensor->view.dtype);
  buffer->ndim = rank;
  buffer->format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)format : NULL;
  buffer->shape = flags & PyBUF_ND ? (Py_ssize_t *)tensor->extents : NULL;
  buffer->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES
                        ? (Py_ssize_t *)tensor->extents + rank
                        : NULL;
  return 0;
}

//===-- DLPack ------------------------------------------------------------===//

/// May be called without the interpreter's lock.
static void dropOwner(void *owner) {
  if (!Py_IsInitialized())
    return; // The process ends.
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF((PyObject *)owner);
  PyGILState_Release(state);
}

static void releaseManaged(struct managedTensor *managed) {
  dropOwner(managed->context);
  free(managed);
}

static void releaseVersioned(struct versionedTensor *managed) {
  dropOwner(managed->context);
  free(managed);
}

/// A capsule that nobody took.
static void releaseCapsule(PyObject *capsule) {
  struct managedTensor *managed;
  struct versionedTensor *versioned;
  if (PyCapsule_IsValid(capsule, DLPACK_NAME)) {
    managed = PyCapsule_GetPointer(capsule, DLPACK_NAME);
    managed->release(managed);
  } else if (PyCapsule_IsValid(capsule, DLPACK_VERSIONED_NAME)) {
    versioned = PyCapsule_GetPointer(capsule, DLPACK_VERSIONED_NAME);
    versioned->release(versioned);
  }
}

static PyObject *newCapsule(void *managed, const char *name) {
  PyObject *capsule = PyCapsule_New(managed, name, releaseCapsule);
  if (!capsule)
    free(managed);
  return capsule;
}

static PyObject *exportManaged(struct tensor *tensor) {
  struct managedTensor *managed = malloc(sizeof *managed);
  if (!managed)
    return PyErr_NoMemory();
  *managed = (struct managedTensor){tensor->view, tensor, releaseManaged};
  return newCapsule(managed, DLPACK_NAME);
}

static struct versionedTensor *versioned(struct tensor *tensor) {
  struct versionedTensor *managed = malloc(sizeof *managed);
  if (!managed) {
    PyErr_NoMemory();
    return NULL;
  }
  uint64_t flags = tensor->view.dtype.bits < 8 ? dlpackPadded : 0;
  *managed = (struct versionedTensor){
      1, 0, tensor, releaseVersioned, flags, tensor->view};
  return managed;
}

static PyObject *exportVersioned(struct tensor *tensor) {
  struct versionedTensor *managed = versioned(tensor);
  return managed ? newCapsule(managed, DLPACK_VERSIONED_NAME) : NULL;
}

PyObject *exchangeTensor(PyObject *tensor, const struct exchangeTable *table) {
  void *object = NULL;
  struct versionedTensor *managed = versioned((struct tensor *)tensor);
  if (!managed)
    return NULL;
  Py_INCREF(tensor);
  if (!table->toObject(managed, &object))
    return object;
  managed->release(managed);
  if (!PyErr_Occurred())
    PyErr_SetString(PyExc_RuntimeError, "a type's table took no tensor");
  return NULL;
}

/// The first of two numbers in a tuple; of None `otherwise`; -1 with an error
/// set.
static long firstOf(PyObject *pair, long otherwise) {
  if (!pair || pair == Py_None)
    return otherwise;
  PyObject *first = PySequence_GetItem(pair, 0);
  long number = first ? PyLong_AsLong(first) : -1;
  Py_XDECREF(first);
  if (number < 0 && !PyErr_Occurred())
    PyErr_SetString(PyExc_ValueError, "a version or device is negative");
  return number < 0 ? -1 : number;
}

static PyObject *exportTensor(PyObject *self, PyObject *args,
                              PyObject *keywords) {
  static char *names[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream, *version = NULL, *device = NULL, *copy = Py_None;
  if (!PyArg_ParseTupleAndKeywords(args, keywords, "|$OOOO", names, &stream,
                                   &version, &device, &copy))
    return NULL;
  long major = firstOf(version, 0);
  long target = major < 0 ? -1 : firstOf(device, TENON_DEVICE_CPU);
  if (target < 0)
    return NULL;
  if (copy == Py_True || target != TENON_DEVICE_CPU) {
    PyErr_SetString(PyExc_BufferError,
                    "tensors are not copied, and lie in host memory");
    return NULL;
  }
  PyObject *capsule = major ? exportVersioned((struct tensor *)self)
                            : exportManaged((struct tensor *)self);
  if (capsule)
    Py_INCREF(self);
  return capsule;
}

static PyObject *device(PyObject *self, PyObject *unused) {
  (void)self, (void)unused;
  return Py_BuildValue("(ii)", TENON_DEVICE_CPU, 0);
}

//===-- Attributes --------------------------------------------------------===//

static PyObject *shape(PyObject *self, void *unused) {
  (void)unused;
  return shapeOf(&((struct tensor *)self)->view);
}

PyObject *shapeOf(const tenon_tensor *view) {
  PyObject *tuple = PyTuple_New(view->ndim);
  for (int32_t i = 0; tuple && i < view->ndim; ++i)
    if (PyTuple_SetItem(tuple, i, PyLong_FromLongLong(view->shape[i])))
      Py_CLEAR(tuple);
  return tuple;
}

static PyObject *dtype(PyObject *self, void *unused) {
  (void)unused;
  return PyUnicode_FromString(nameOfType(((struct tensor *)self)->view.dtype));
}

PyObject *makeTensorType(PyObject *module) {
  static PyMethodDef methods[] = {
      {"__dlpack__", (PyCFunction)(void (*)(void))exportTensor,
       METH_VARARGS | METH_KEYWORDS, NULL},
      {"__dlpack_device__", device, METH_NOARGS, NULL},
      {NULL, NULL, 0, NULL}};
  static PyGetSetDef attributes[] = {
      {"shape", shape, NULL, "The extents.", NULL},
      {"dtype", dtype, NULL, "The elements' type, as numpy calls it.", NULL},
      {NULL, NULL, NULL, NULL, NULL}};
  static PyType_Slot slots[] = {
      {Py_tp_doc, "What a run made: a buffer, and a tensor to DLPack."},
      {Py_tp_dealloc, release},
      {Py_tp_methods, methods},
      {Py_tp_getset, attributes},
      {Py_bf_getbuffer, getBuffer},
      {0, NULL}};
  static PyType_Spec spec = {
      TENON_PYTHON_PACKAGE ".Tensor", sizeof(struct tensor), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return PyType_FromModuleAndSpec(module, &spec, NULL);
}
