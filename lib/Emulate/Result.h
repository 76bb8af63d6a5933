//===- Result.h - a value or an error message -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the error handling of the emulator, which links nothing: it is
// loaded in the place of a driver, by programs that have neither LLVM nor us.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_RESULT_H
#define TENON_LIB_EMULATE_RESULT_H

#include <string>
#include <utility>
#include <variant>

namespace tenon::emulate {

/// What went wrong, in a sentence or a few lines.
struct Error {
  std::string message;
};

/// A T or an Error. Test it before use:
///   Result<Module> module = Module::parse(text);
///   if (!module) return module.error();
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

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_RESULT_H
