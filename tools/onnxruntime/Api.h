//===- Api.h - ONNX Runtime's functions, and its statuses ---------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_ONNXRUNTIME_API_H
#define TENON_TOOLS_ONNXRUNTIME_API_H

#include "tools/onnxruntime/OrtTables.h"

#include "tenon-c/Runtime.h"

#include <string>

namespace tenon::ort {

/// The functions in use, taken from the tables.
struct Api {
#define FIELD(position, name, result, parameters) result(*name) parameters;
  TENON_ORT_SLOTS(FIELD)
  TENON_ORT_LATE_SLOTS(FIELD)
  TENON_ORT_PROVIDER_SLOTS(FIELD)
  TENON_ORT_EDITOR_SLOTS(FIELD)
#undef FIELD

  /// Reads the tables, or returns why it cannot. Late slots of an older version
  /// are NULL.
  OrtStatus *load(const ApiBase *base);

  OrtStatus *fail(const std::string &message, int code = failed) const {
    return CreateStatus(code, ("tenon: " + message).c_str());
  }

  /// Destroys `status`; NULL stays NULL.
  OrtStatus *fail(tenon_status *status) const;

  void log(const OrtLogger *logger, int level,
           const std::string &message) const;
};

/// Calls of functions of which the first that fails ends what follows.
class Calls {
public:
  explicit Calls(const Api &api) : api(api) {}
  Calls(const Calls &) = delete;
  ~Calls() { api.ReleaseStatus(status); }

  /// Whether `next` and all before it succeeded.
  bool ok(OrtStatus *next) {
    if (status)
      api.ReleaseStatus(next);
    else
      status = next;
    return !status;
  }
  bool ok() const { return !status; }

  /// What failed, or NULL; the caller owns it.
  OrtStatus *take() {
    OrtStatus *taken = status;
    status = nullptr;
    return taken;
  }

private:
  const Api &api;
  OrtStatus *status = nullptr;
};

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_API_H
