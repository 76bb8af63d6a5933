//===- Core.c - the module tenon._core ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Core.h"
#include "Context.h"
#include "Model.h"
#include "Results.h"
#include "State.h"
#include "Tensor.h"

static int addType(PyObject *module, const char *name, PyObject *type) {
  int wrong = !type || PyModule_AddObjectRef(module, name, type);
  Py_XDECREF(type);
  return wrong;
}

static int execute(PyObject *module) {
  if (addErrors(module) || addType(module, "Model", makeModelType(module)) ||
      addType(module, "Context", makeContextType(module)) ||
      addType(module, "State", makeStateType(module)) ||
      addType(module, "Tensor", makeTensorType(module)))
    return -1;
  return PyModule_AddStringConstant(module, "__version__",
                                    TENON_VERSION_STRING);
}

PyMODINIT_FUNC PyInit__core(void) {
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, execute}, {0, NULL}};
  static PyMethodDef functions[] = {
      {"set_hooks", setHooks, METH_VARARGS, NULL},
      {"borrow", borrowTensor, METH_VARARGS,
       "A tensor that borrows the bytes of a buffer."},
      {NULL, NULL, 0, NULL}};
  static PyModuleDef module = {
      PyModuleDef_HEAD_INIT, .m_name = TENON_PYTHON_PACKAGE "._core",
      .m_doc = "The run time.", .m_methods = functions, .m_slots = slots};
  return PyModuleDef_Init(&module);
}
