//===- Types.h - element types by their names ---------------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_PYTHON_TYPES_H
#define TENON_TOOLS_PYTHON_TYPES_H

#include "Core.h"

/// The name that numpy or ml_dtypes has, "float32" or "bfloat16"; "" of none.
const char *nameOfType(tenon_dtype type);

/// The type of such a name; bits are 0 where there is none.
tenon_dtype typeOfName(const char *name);

/// The format of a buffer; NULL: it has none.
const char *formatOfType(tenon_dtype type);

/// The type of a buffer's elements; bits are 0 where there is none.
tenon_dtype typeOfFormat(const char *format, Py_ssize_t itemSize);

#endif // TENON_TOOLS_PYTHON_TYPES_H
