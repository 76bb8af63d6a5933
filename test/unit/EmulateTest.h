//===- EmulateTest.h - small kernels on the emulator ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is what tests of the emulator share: a kernel from its body, its
// buffers, a launch.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_EMULATETEST_H
#define TENON_TEST_UNIT_EMULATETEST_H

#include "lib/Emulate/Emulator.h"
#include <gtest/gtest.h>

#include <cstring>

namespace tenon::emulate {

inline const char *const header = ".version 8.3\n.target sm_90a\n"
                                  ".address_size 64\n";
/// Registers that bodies use, and dynamic shared memory.
inline const char *const registers =
    ".reg .pred %p<20>;\n.reg .b16 %h<20>;\n.reg .b32 %r<300>;\n"
    ".reg .b64 %d<50>;\n";

/// A launch of kernel "k"; its parameters are pointers and maps.
struct Trial {
  Memory memory;
  Launch launch;
  std::vector<uint8_t> parameters;
  Work work;

  explicit Trial(uint32_t threads = 32) { launch.block = {threads, 1, 1}; }

  template <typename T> uint64_t buffer(const std::vector<T> &values) {
    uint64_t address = *memory.allocate(values.size() * sizeof(T));
    EXPECT_TRUE(
        memory.write(address, values.data(), values.size() * sizeof(T)));
    return address;
  }
  template <typename T>
  std::vector<T> contents(uint64_t address, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(memory.read(address, values.data(), count * sizeof(T)));
    return values;
  }
  template <typename T> void pass(const T &value, size_t alignment = 8) {
    while (parameters.size() % alignment)
      parameters.push_back(0);
    const auto *bytes = reinterpret_cast<const uint8_t *>(&value);
    parameters.insert(parameters.end(), bytes, bytes + sizeof(T));
  }
  /// Runs a whole module; the error's text, or nothing.
  std::string module(const std::string &text) {
    Result<Module> module = Module::parse(text);
    if (!module)
      return module.error().message;
    if (Status done = module->load(memory); !done)
      return done.error().message;
    const Kernel *kernel = module->find("k");
    if (!kernel)
      return "no kernel";
    Status done = run(*kernel, launch, parameters, memory, &work);
    return done ? "" : done.error().message;
  }
  /// A kernel whose parameters are pointers p0, p1...
  std::string body(const std::string &text, const std::string &outside = "") {
    std::string all = header + outside + ".visible .entry k(";
    for (size_t i = 0; i < parameters.size() / 8; ++i)
      all += (i ? ", .param .u64 p" : ".param .u64 p") + std::to_string(i);
    return module(all + ")\n{\n" + registers + text + "\nret;\n}\n");
  }
};

/// Loads the lane's element of each input (4 bytes) into %r1, %r2...; what
/// `text` leaves in %r0 is stored to the last buffer.
inline std::string elementwise(unsigned inputs, const std::string &text) {
  std::string all = "mov.u32 %r20, %tid.x;\nmul.wide.u32 %d20, %r20, 4;\n";
  for (unsigned i = 0; i <= inputs; ++i) {
    std::string n = std::to_string(i + 1);
    all += "ld.param.u64 %d" + n + ", [p" + std::to_string(i) +
           "];\nadd.s64 %d" + n + ", %d" + n + ", %d20;\n";
    if (i < inputs)
      all += "ld.global.b32 %r" + n + ", [%d" + n + "];\n";
  }
  return all + text + "\nst.global.b32 [%d" + std::to_string(inputs + 1) +
         "], %r0;\n";
}

/// What `text` makes of inputs of 32 values each.
template <typename T, typename U = T>
std::vector<U> compute(const std::string &text,
                       const std::vector<std::vector<T>> &inputs) {
  Trial run;
  for (const std::vector<T> &input : inputs)
    run.pass(run.buffer(input));
  uint64_t out = run.buffer(std::vector<U>(32));
  run.pass(out);
  EXPECT_EQ(run.body(elementwise(inputs.size(), text)), "") << text;
  return run.contents<U>(out, 32);
}

} // namespace tenon::emulate

#endif // TENON_TEST_UNIT_EMULATETEST_H
