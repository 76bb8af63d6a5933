//===- SmallCastTest.cpp - compiled casts of small elements ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file narrows all f16 numbers, and f32 numbers with each upper half, to
// eight bits and fewer, and widens all that these hold; the interpreter, which
// converts by APFloat, says what is right.
//===----------------------------------------------------------------------===//
// LINK: TenonCompiler TenonInterpreter TenonArtifact tenon_runtime
#include "lib/Interpreter/SmallElements.h"
#include "mlir/AsmParser/AsmParser.h"
#include "test/unit/CompiledTestProgram.h"
#include "test/unit/TestProcessors.h"
#include "llvm/ADT/APFloat.h"

#include <bit>
#include <cmath>

using namespace tenon;
using namespace tenon::test;

namespace {
struct SmallCast : testing::Test {
  std::unique_ptr<mlir::MLIRContext> context = createContext(1);

  mlir::Type parse(llvm::StringRef type) {
    return mlir::parseType(type, context.get());
  }
};

constexpr const char *smallTypes[] = {
    "f8E4M3FN", "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU",
    "f4E2M1FN", "i4",         "ui4",    "i2",         "ui2"};
} // namespace

template <typename To, typename From>
static std::vector<To> run(const std::vector<From> &x, const std::string &cpu,
                           llvm::StringRef from, llvm::StringRef to,
                           llvm::StringRef attributes) {
  int64_t count = x.size();
  std::string in = tensorType({count}, from), out = tensorType({count}, to);
  CompileOptions options;
  options.cpu = cpu;
  options.jobs = 1;
  CompiledProgram compiled(
      "func.func @main(%x: " + in + " {onnx.name = \"x\"}) -> (" + out +
          " {onnx.name = \"y\"}) {\n%y = graph.cast %x " + attributes.str() +
          " : (" + in + ") -> " + out + "\nreturn %y : " + out + "\n}\n",
      options);
  return compiled.run<To>(x);
}

static uint8_t encode(mlir::Type type, float number,
                      interp::Narrowing narrowing) {
  if (auto integer = mlir::dyn_cast<mlir::IntegerType>(type))
    return interp::encodeInteger(integer, double(number));
  return interp::encodeFloat(mlir::cast<mlir::FloatType>(type), number,
                             narrowing);
}

TEST_F(SmallCast, NarrowsAsTheInterpreter) {
  std::vector<uint32_t> x;
  for (uint32_t upper = 0; upper < 0x10000; ++upper)
    for (uint32_t lower : {0x0000, 0x0001, 0x7fff, 0x8000, 0x8001, 0xffff})
      x.push_back(upper << 16 | lower);
  const std::pair<const char *, interp::Narrowing> modes[] = {
      {"", {}},
      {"{saturate = false, round_mode = #graph<round_mode up>}",
       {false, graph::RoundMode::Up}},
      {"{round_mode = #graph<round_mode down>}",
       {true, graph::RoundMode::Down}}};
  for (const char *name : smallTypes)
    for (const auto &[attributes, narrowing] : modes)
      for (const std::string &cpu : processors()) {
        SCOPED_TRACE(std::string(name) + attributes + " on " + cpu);
        auto y = run<uint8_t>(x, cpu, "f32", name, attributes);
        ASSERT_EQ(y.size(), x.size());
        for (size_t i = 0; i < x.size(); ++i)
          ASSERT_EQ(y[i],
                    encode(parse(name), std::bit_cast<float>(x[i]), narrowing))
              << llvm::utohexstr(x[i]);
      }
}

TEST_F(SmallCast, NarrowsHalvesAsTheInterpreter) {
  std::vector<uint16_t> x;
  for (uint32_t bits = 0; bits < 0x10000; ++bits)
    x.push_back(bits);
  for (const char *name : smallTypes)
    for (const std::string &cpu : processors()) {
      SCOPED_TRACE(std::string(name) + " on " + cpu);
      auto y = run<uint8_t>(x, cpu, "f16", name, "");
      ASSERT_EQ(y.size(), x.size());
      for (size_t i = 0; i < x.size(); ++i) {
        llvm::APFloat half(llvm::APFloat::IEEEhalf(), llvm::APInt(16, x[i]));
        ASSERT_EQ(y[i], encode(parse(name), half.convertToFloat(), {}))
            << llvm::utohexstr(x[i]);
      }
    }
}

TEST_F(SmallCast, WidensAsTheInterpreter) {
  // Bits above an element's own mean nothing.
  std::vector<uint8_t> x;
  for (unsigned byte = 0; byte < 256; ++byte)
    x.push_back(byte);
  for (const char *name : smallTypes)
    for (const std::string &cpu : processors()) {
      SCOPED_TRACE(std::string(name) + " on " + cpu);
      auto y = run<float>(x, cpu, name, "f32", "");
      ASSERT_EQ(y.size(), x.size());
      for (unsigned byte = 0; byte < 256; ++byte) {
        mlir::Type type = parse(name);
        auto integer = mlir::dyn_cast<mlir::IntegerType>(type);
        double want =
            integer
                ? double(interp::decodeInteger(integer, byte))
                : interp::decodeFloat(mlir::cast<mlir::FloatType>(type), byte);
        if (std::isnan(want))
          ASSERT_TRUE(std::isnan(y[byte])) << byte;
        else
          ASSERT_EQ(std::bit_cast<uint32_t>(y[byte]),
                    std::bit_cast<uint32_t>(float(want)))
              << byte;
      }
    }
}
