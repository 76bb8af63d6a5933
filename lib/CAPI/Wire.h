//===- Wire.h - what compiler and child tell each other ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is how a call with `isolate` speaks with the process that compiles:
// messages over a socket, each a kind, a size and fields. Both ends are of one
// build, which the first message says.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_CAPI_WIRE_H
#define TENON_LIB_CAPI_WIRE_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace tenon::capi {

/// Descriptors that the child begins with.
enum : int { childSocket = 3, childModel = 4 };

enum class MessageKind : uint32_t {
  Hello,    ///< child: its version
  Request,  ///< caller: what is to be compiled, see Request
  Phase,    ///< child: its name
  Said,     ///< child: severity, number, node, text
  Wanted,   ///< child: the name of a file with weights
  Given,    ///< caller: whether there is one, its bytes
  Compiled, ///< child: a tenon_compile_report
  Failed    ///< child: code, number, node, message
};

/// A message that is made, or read field by field. What is behind the end reads
/// as zero or as nothing.
class Message {
public:
  explicit Message(MessageKind kind) : kind(kind) {}

  Message &put(uint64_t number);
  Message &put(llvm::StringRef text);
  uint64_t number();
  std::string text();

  /// Writes it; false where nobody listens any more.
  bool send(int socket) const;

  /// The next one; nothing where the other end is closed.
  static std::optional<Message> receive(int socket);

  MessageKind kind;

private:
  std::string bytes;
  size_t position = 0;
};

/// What Hello says.
std::string wireVersion();

} // namespace tenon::capi

#endif // TENON_LIB_CAPI_WIRE_H
