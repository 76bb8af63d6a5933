//===- Result.h - a value or an error message -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the error handling of tenon-run, which links neither LLVM nor
// anything else that a target machine may lack.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_RESULT_H
#define TENON_RUN_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace tenon::run {

/// What went wrong, in one sentence.
struct Error {
  std::string message;
};

/// A T or an Error. Test it before use:
///   Result<Tensor> tensor = readNpy(path);
///   if (!tensor) return tensor.error();
template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : storage(std::move(value)) {}
  Result(Error error) : storage(std::move(error)) {}
  explicit operator bool() const { return storage.index() == 0; }
  T &operator*() { return *std::get_if<0>(&storage); }
  T *operator->() { return std::get_if<0>(&storage); }
  Error error() const { return *std::get_if<1>(&storage); }

private:
  std::variant<T, Error> storage;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

} // namespace tenon::run

#endif // TENON_RUN_RESULT_H
