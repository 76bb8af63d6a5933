//===- DlPack.c - how DLPack hands tensors on -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DlPack.h"

/// What was found of the latest types; the interpreter's lock guards it.
static struct {
  PyTypeObject *type; ///< held: another one may come to lie there
  const struct exchangeTable *table;
} known[8];

enum { knownCount = sizeof known / sizeof *known };

/// The newest table of a list that we know the layout of.
static const struct exchangeTable *tableIn(PyObject *capsule) {
  struct exchangeTable *table =
      PyCapsule_IsValid(capsule, "dlpack_exchange_api")
          ? PyCapsule_GetPointer(capsule, "dlpack_exchange_api")
          : NULL;
  while (table && table->major != 1)
    table = table->previous;
  return table;
}

const struct exchangeTable *exchangeOf(PyTypeObject *type) {
  static int next;
  for (int i = 0; i < knownCount; ++i)
    if (known[i].type == type)
      return known[i].table;
  PyObject *capsule =
      PyObject_GetAttrString((PyObject *)type, "__dlpack_c_exchange_api__");
  if (!capsule)
    PyErr_Clear();
  PyObject *before = (PyObject *)known[next].type;
  known[next].type = (PyTypeObject *)Py_NewRef((PyObject *)type);
  known[next].table = capsule ? tableIn(capsule) : NULL;
  const struct exchangeTable *table = known[next].table;
  next = (next + 1) % knownCount;
  Py_XDECREF(capsule);
  Py_XDECREF(before);
  return table;
}
