//===- CompiledTestProgram.h - a program from text to a run -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_COMPILEDTESTPROGRAM_H
#define TENON_TEST_UNIT_COMPILEDTESTPROGRAM_H

#include "lib/Compiler/Compiler.h"
#include "test/unit/ArtifactTestModel.h"
#include "llvm/ADT/StringExtras.h"

namespace tenon::test {

/// "tensor<2x3xf32>"
inline std::string tensorType(llvm::ArrayRef<int64_t> shape,
                              llvm::StringRef element = "f32") {
  std::string text = "tensor<";
  for (int64_t extent : shape)
    text += std::to_string(extent) + "x";
  return text + element.str() + ">";
}

/// The value of a constant's attribute, exactly.
inline std::string denseText(llvm::ArrayRef<float> values,
                             llvm::ArrayRef<int64_t> shape) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(values.data()),
                        values.size() * sizeof(float));
  return "dense<\"0x" + llvm::toHex(bytes) + "\"> : " + tensorType(shape);
}

/// A value of a program.
struct NamedTensor {
  std::string name;
  std::vector<int64_t> shape;

  std::string type() const { return tensorType(shape); }
};

/// Computes `result`.
inline std::string operation(const NamedTensor &result, llvm::StringRef name,
                             llvm::ArrayRef<NamedTensor> operands,
                             llvm::StringRef attributes = "") {
  std::string values, types;
  for (const NamedTensor &operand : operands) {
    llvm::StringRef comma = values.empty() ? "" : ", ";
    values += comma.str() + "%" + operand.name;
    types += comma.str() + operand.type();
  }
  return "%" + result.name + " = \"" + name.str() + "\"(" + values + ") {" +
         attributes.str() + "} : (" + types + ") -> " + result.type() + "\n";
}

inline std::string constant(const NamedTensor &result,
                            llvm::ArrayRef<float> values) {
  return operation(result, "onnx.Constant", {},
                   "value = " + denseText(values, result.shape));
}

/// A program whose `body` computes `output` of `inputs`.
inline std::string program(llvm::ArrayRef<NamedTensor> inputs,
                           const NamedTensor &output, llvm::StringRef body) {
  std::string arguments;
  for (const NamedTensor &input : inputs)
    arguments += (arguments.empty() ? "%" : ", %") + input.name + ": " +
                 input.type() + " {onnx.name = \"" + input.name + "\"}";
  return "func.func @main(" + arguments + ") -> (" + output.type() +
         " {onnx.name = \"" + output.name + "\"}) {\n" + body.str() +
         "return %" + output.name + " : " + output.type() + "\n}\n";
}

/// A program with one output, compiled by the whole pipeline and loaded.
/// Failures fail the test.
class CompiledProgram {
public:
  /// `prepare` is called on the context before.
  CompiledProgram(
      llvm::StringRef text, const CompileOptions &options,
      llvm::function_ref<void(mlir::MLIRContext &)> prepare = nullptr) {
    TemporaryFile source, artifact;
    std::string path = source.path + ".mlir";
    writeText(path, text);
    auto context = createContext(1);
    if (prepare)
      prepare(*context);
    auto compiled = compileModel(*context, {path}, artifact.path, options);
    (void)llvm::sys::fs::remove(path);
    if (!compiled) {
      ADD_FAILURE() << llvm::toString(compiled.takeError());
      return;
    }
    kernels = compiled->kernels;
    EXPECT_OK(tenon_model_load_file(artifact.path.c_str(), nullptr, &model));
  }
  CompiledProgram(const CompiledProgram &) = delete;
  CompiledProgram &operator=(const CompiledProgram &) = delete;
  ~CompiledProgram() { tenon_model_destroy(model); }

  /// Empty on failure. The inputs are only read.
  template <typename Out, typename... In>
  std::vector<Out> run(const std::vector<In> &...inputs) const {
    tenon_context *context = nullptr;
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    if (!model)
      return {};
    size_t number = 0;
    std::vector<tenon_tensor> x = {over(number++, inputs)...};
    EXPECT_OK(tenon_model_output(model, 0, &info));
    std::vector<Out> output(info.byte_size / sizeof(Out));
    tenon_tensor y = tenon_tensor_over(&info, output.data());
    EXPECT_OK(tenon_context_create(model, nullptr, &context));
    EXPECT_OK(tenon_run(context, x.data(), x.size(), &y, 1));
    tenon_context_destroy(context);
    return output;
  }

  /// Of f32.
  int64_t lanes() const { return info().vector_bits / 32; }

  int64_t arenaBytes() const { return info().arena_bytes; }

  int64_t launches() const { return info().launch_count; }

  /// Whether a kernel has that `errorGrowth`.
  bool hasGrowth(double growth) const {
    return llvm::any_of(kernels, [&](const KernelReport &kernel) {
      return kernel.errorGrowth == growth;
    });
  }

  /// Whether a kernel's name starts so.
  bool hasKernel(llvm::StringRef prefix) const {
    return llvm::any_of(kernels, [&](const KernelReport &kernel) {
      return llvm::StringRef(kernel.name).starts_with(prefix);
    });
  }

private:
  tenon_model_info info() const {
    tenon_model_info info = TENON_INIT(tenon_model_info);
    EXPECT_OK(tenon_model_query(model, &info));
    return info;
  }

  template <typename In>
  tenon_tensor over(size_t number, const std::vector<In> &input) const {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    EXPECT_OK(tenon_model_input(model, number, &info));
    EXPECT_EQ(info.byte_size, input.size() * sizeof(In));
    return tenon_tensor_over(&info, const_cast<In *>(input.data()));
  }

  static void writeText(const std::string &path, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    ASSERT_FALSE(error) << error.message();
    stream << text;
  }

  tenon_model *model = nullptr;
  std::vector<KernelReport> kernels;
};

} // namespace tenon::test

#endif // TENON_TEST_UNIT_COMPILEDTESTPROGRAM_H
