//===- Types.c - element types by their names -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Types.h"

#include <string.h>

static const struct {
  const char *name;
  uint8_t code, bits;
  const char *format;
} types[] = {
    {"float32", TENON_FLOAT, 32, "f"},
    {"float64", TENON_FLOAT, 64, "d"},
    {"float16", TENON_FLOAT, 16, "e"},
    {"int64", TENON_INT, 64, "q"},
    {"int32", TENON_INT, 32, "i"},
    {"int16", TENON_INT, 16, "h"},
    {"int8", TENON_INT, 8, "b"},
    {"uint64", TENON_UINT, 64, "Q"},
    {"uint32", TENON_UINT, 32, "I"},
    {"uint16", TENON_UINT, 16, "H"},
    {"uint8", TENON_UINT, 8, "B"},
    {"bool", TENON_BOOL, 8, "?"},
    {"complex64", TENON_COMPLEX, 64, "Zf"},
    {"complex128", TENON_COMPLEX, 128, "Zd"},
    {"bfloat16", TENON_BFLOAT, 16, NULL},
    {"float8_e4m3fn", TENON_FLOAT8_E4M3FN, 8, NULL},
    {"float8_e4m3fnuz", TENON_FLOAT8_E4M3FNUZ, 8, NULL},
    {"float8_e5m2", TENON_FLOAT8_E5M2, 8, NULL},
    {"float8_e5m2fnuz", TENON_FLOAT8_E5M2FNUZ, 8, NULL},
    {"float8_e8m0fnu", TENON_FLOAT8_E8M0FNU, 8, NULL},
    {"float4_e2m1fn", TENON_FLOAT4_E2M1FN, 4, NULL},
    {"int4", TENON_INT, 4, NULL},
    {"uint4", TENON_UINT, 4, NULL},
    {"int2", TENON_INT, 2, NULL},
    {"uint2", TENON_UINT, 2, NULL},
    {"string", TENON_STRING, 64, NULL},
};

enum { typeCount = sizeof types / sizeof *types };

static int find(tenon_dtype type) {
  for (int i = 0; i < typeCount; ++i)
    if (types[i].code == type.code && types[i].bits == type.bits)
      return i;
  return -1;
}

const char *nameOfType(tenon_dtype type) {
  int index = find(type);
  return index < 0 ? "" : types[index].name;
}

tenon_dtype typeOfName(const char *name) {
  tenon_dtype type = {0, 0, 1};
  for (int i = 0; i < typeCount; ++i)
    if (!strcmp(types[i].name, name)) {
      type.code = types[i].code;
      type.bits = types[i].bits;
    }
  return type;
}

const char *formatOfType(tenon_dtype type) {
  int index = find(type);
  return index < 0 ? NULL : types[index].format;
}

/// Letters of C's integers, whose size the item says.
static uint8_t integerCode(char letter) {
  return strchr("bhilq", letter) ? TENON_INT : TENON_UINT;
}

tenon_dtype typeOfFormat(const char *format, Py_ssize_t itemSize) {
  tenon_dtype type = {0, 0, 1};
  if (!format)
    format = "B";
  if (*format && strchr("@=<", *format))
    ++format;
  if (*format && !format[1] && strchr("bhilqBHILQ", *format)) {
    type.code = integerCode(*format);
    type.bits = (uint8_t)(itemSize * 8);
    return type;
  }
  for (int i = 0; i < typeCount; ++i)
    if (types[i].format && !strcmp(types[i].format, format)) {
      type.code = types[i].code;
      type.bits = types[i].bits;
    }
  return type;
}
