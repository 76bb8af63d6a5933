//===- Result.h - a value or an error message -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the error handling of what links no LLVM, since it runs where
// there is none: tenon-run on its target machine, and the emulator of GPUs,
// which programs load in the place of a driver.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_SUPPORT_RESULT_H
#define TENON_LIB_SUPPORT_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace tenon {

/// What went wrong, in a sentence or a few lines.
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
  const Error &error() const { return *std::get_if<1>(&storage); }

private:
  std::variant<T, Error> storage;
};

/// Success without a value.
struct Done {};
using Status = Result<Done>;

} // namespace tenon

#endif // TENON_LIB_SUPPORT_RESULT_H
