//===- Status.c - status objects ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements status objects and versioned structs.
//===----------------------------------------------------------------------===//
#include "src/base/Status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tenon_status {
  tenon_status_code code;
  int32_t number;
  char node[256];
  char message[768];
};

static const tenon_status outOfMemory = {
    TENON_OUT_OF_MEMORY, TENON_OUT_OF_MEMORY, "", "out of memory"};

/// Ends a text that was cut before the character that may lack its end.
static void dropLastCharacter(char *text) {
  size_t end = strlen(text);
  while (end && (text[end - 1] & 0xC0) == 0x80)
    --end;
  if (end && (text[end - 1] & 0xC0) == 0xC0)
    --end;
  text[end] = 0;
}

tenon_status *tenonFail(tenon_status_code code, const char *node,
                        const char *format, ...) {
  tenon_status *status = calloc(1, sizeof *status);
  if (!status)
    return (tenon_status *)&outOfMemory;
  status->code = code;
  status->number = (int32_t)code;
  if (snprintf(status->node, sizeof status->node, "%s", node) >=
      (int)sizeof status->node)
    dropLastCharacter(status->node);
  va_list arguments;
  va_start(arguments, format);
  if (vsnprintf(status->message, sizeof status->message, format, arguments) >=
      (int)sizeof status->message)
    dropLastCharacter(status->message);
  va_end(arguments);
  return status;
}

tenon_status *tenon_status_create(tenon_status_code code, const char *node,
                                  const char *message) {
  return tenonFail(code, node ? node : "", "%s", message ? message : "");
}

tenon_status *tenon_status_create_numbered(tenon_status_code code,
                                           int32_t number, const char *node,
                                           const char *message) {
  tenon_status *status = tenon_status_create(code, node, message);
  if (status != &outOfMemory)
    status->number = number;
  return status;
}

tenon_status *tenonNoMemory(uint64_t size) {
  return tenonFail(TENON_OUT_OF_MEMORY, "", "no memory for %llu bytes",
                   (unsigned long long)size);
}

tenon_status_code tenon_status_code_of(const tenon_status *status) {
  return status ? status->code : TENON_OK;
}

int32_t tenon_status_number(const tenon_status *status) {
  return status ? status->number : 0;
}

const char *tenon_status_message(const tenon_status *status) {
  return status ? status->message : "";
}

const char *tenon_status_node(const tenon_status *status) {
  return status ? status->node : "";
}

void tenon_status_destroy(tenon_status *status) {
  if (status != &outOfMemory)
    free(status);
}

static tenon_status *readStructSize(const void *from, size_t *size) {
  memcpy(size, from, sizeof *size);
  if (*size < sizeof *size)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "struct_size is not set (use TENON_INIT)");
  return NULL;
}

void tenonPrintShape(char *text, size_t size, int32_t rank,
                     const int64_t *shape) {
  size_t used = (size_t)snprintf(text, size, "[");
  for (int32_t i = 0; i < rank && used < size; ++i)
    used += (size_t)snprintf(text + used, size - used, "%s%lld", i ? "x" : "",
                             (long long)shape[i]);
  if (used < size)
    snprintf(text + used, size - used, "]");
}

tenon_status *tenonFillStruct(void *to, const void *from, size_t fromSize) {
  size_t size;
  if (!to)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null pointer to fill");
  TENON_TRY(readStructSize(to, &size));
  memcpy(to, from, size < fromSize ? size : fromSize);
  memcpy(to, &size, sizeof size);
  return NULL;
}

tenon_status *tenonReadStruct(void *to, size_t toSize, const void *from) {
  size_t size = 0;
  if (from)
    TENON_TRY(readStructSize(from, &size));
  memset(to, 0, toSize);
  if (from)
    memcpy(to, from, size < toSize ? size : toSize);
  return NULL;
}
