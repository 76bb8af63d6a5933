//===- Reader.h - the text of a module --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads what stands outside of functions' bodies.
//===----------------------------------------------------------------------===//
#ifndef TENON_LIB_EMULATE_READER_H
#define TENON_LIB_EMULATE_READER_H

#include "lib/Emulate/Decoder.h"

namespace tenon::emulate {

/// Device functions are read first: their registers lie in front of those of
/// every kernel, so that a warp's file has room for both.
class Reader {
public:
  explicit Reader(Program &program);
  Status read();

private:
  void directive();
  void linkage();
  void variable(Space space, bool isExternal);
  void initialValue(const Declaration &declaration, std::vector<uint8_t> &to);
  void initialList(Type type, std::vector<uint8_t> &to, unsigned depth);
  void deviceFunction();
  void entry();
  void entryParameters(Kernel &kernel, Decoder &decoder);
  void entryDirectives(Kernel &kernel);
  Extent extent();
  void finishCalls();
  void finishShared();
  void checkRecursion();

  Program &program;
  ModuleContext module;
  Scanner scanner;
  std::vector<Scanner> entries; ///< where each one's name is
  uint32_t functionRegisters = Program::specialBytes;
  uint32_t functionLocals = 0;
};

} // namespace tenon::emulate

#endif // TENON_LIB_EMULATE_READER_H
