//===- Api.cpp - ONNX Runtime's functions, and its statuses ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Api.h"

#include <cstdlib>
#include <cstring>

using namespace tenon::ort;

template <typename Function>
static void take(const void *const *table, size_t position,
                 Function &function) {
  std::memcpy(&function, table + position, sizeof function);
}

/// The 24 of "1.24.3".
static int minorOf(const char *version) {
  const char *dot = std::strchr(version, '.');
  return dot ? std::atoi(dot + 1) : 0;
}

OrtStatus *Api::load(const ApiBase *base) {
  const void *const *table = base->getApi(apiVersion);
  if (!table) {
    // The first functions of the table never moved.
    take(base->getApi(1), 0, CreateStatus);
    return fail("ONNX Runtime " + std::string(base->getVersionString()) +
                " has no providers that compile; use 1.23 or newer");
  }
  TensorTypeAndShape_HasShape = nullptr;
#define TAKE(position, name, result, parameters) take(table, position, name);
  TENON_ORT_SLOTS(TAKE)
  if (minorOf(base->getVersionString()) > 23) {
    TENON_ORT_LATE_SLOTS(TAKE)
  }
  table = GetEpApi();
  TENON_ORT_PROVIDER_SLOTS(TAKE)
  table = GetModelEditorApi();
  TENON_ORT_EDITOR_SLOTS(TAKE)
#undef TAKE
  return nullptr;
}

OrtStatus *Api::fail(tenon_status *status) const {
  if (!status)
    return nullptr;
  std::string message = tenon_status_message(status);
  if (const char *node = tenon_status_node(status); *node)
    message = "'" + std::string(node) + "': " + message;
  bool isInvalid = tenon_status_code_of(status) == TENON_INVALID_ARGUMENT;
  tenon_status_destroy(status);
  return fail(message, isInvalid ? invalidArgument : failed);
}

void Api::log(const OrtLogger *logger, int level,
              const std::string &message) const {
  ReleaseStatus(Logger_LogMessage(logger, level, ("tenon: " + message).c_str(),
                                  "tenon", 0, "tenon"));
}
