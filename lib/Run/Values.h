//===- Values.h - values of the C API ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_RUN_VALUES_H
#define TENON_RUN_VALUES_H

#include "lib/Run/Tensor.h"

namespace tenon::run {

/// Turns a status into a Result and frees it.
Status take(tenon_status *status);

/// What a signature says of a tensor.
TensorSpec specOf(const tenon_tensor_info &info);

/// A tensor of the C API over `data`, which is of this type and shape.
tenon_tensor viewOf(const Tensor &tensor, const uint8_t *data);

/// One owner of a value.
struct ReleaseValue {
  void operator()(tenon_value *value) const { tenon_value_release(value); }
};
using Value = std::unique_ptr<tenon_value, ReleaseValue>;

/// A copy as a value of the C API.
Result<Value> toValue(const Tensor &tensor);

/// A copy of a value, with the names of `spec`.
Result<Tensor> fromValue(const tenon_value *value, const TensorSpec &spec);

} // namespace tenon::run

#endif // TENON_RUN_VALUES_H
