//===- Child.h - a program that runs beside ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_LIB_CAPI_CHILD_H
#define TENON_LIB_CAPI_CHILD_H

#include "llvm/ADT/StringRef.h"

#include <string>
#include <sys/types.h>

namespace tenon::capi {

/// The program tenon-compile in the folders around the library, or nothing.
std::string findProgram();

/// A process with a socket, ended and awaited at the latest with this.
class Child {
public:
  Child() = default;
  Child(const Child &) = delete;
  ~Child() { stop(); }

  /// Starts `program` with the descriptors of Wire.h; it reads nothing else and
  /// what it writes is kept. Returns why that failed, or nothing.
  std::string start(const std::string &program, llvm::StringRef model);

  int socket() const { return talk; }

  /// Whether there is a message, or the end; waits for so long.
  bool hasSpoken(int milliseconds) const;

  /// Waits for its end: "was ended by signal 9 (Killed)".
  std::string wait();

  /// ": " and the first line that it wrote, or nothing.
  std::string lastWords() const;

  /// Ends it, if it still runs.
  void stop();

private:
  std::string spawn(const std::string &program, int socket, int model);

  pid_t process = 0;
  int talk = -1, output = -1;
};

} // namespace tenon::capi

#endif // TENON_LIB_CAPI_CHILD_H
