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

/// A program compiled by the whole pipeline and loaded; one input and one
/// output. Failures fail the test.
class CompiledProgram {
public:
  CompiledProgram(llvm::StringRef text, const CompileOptions &options) {
    TemporaryFile source, artifact;
    std::string path = source.path + ".mlir";
    writeText(path, text);
    auto context = createContext(1);
    auto compiled = compileFile(*context, path, artifact.path, options);
    (void)llvm::sys::fs::remove(path);
    if (!compiled) {
      ADD_FAILURE() << llvm::toString(compiled.takeError());
      return;
    }
    for (const KernelReport &kernel : compiled->kernels)
      growths.push_back(kernel.errorGrowth);
    EXPECT_OK(tenon_model_load_file(artifact.path.c_str(), nullptr, &model));
  }
  CompiledProgram(const CompiledProgram &) = delete;
  CompiledProgram &operator=(const CompiledProgram &) = delete;
  ~CompiledProgram() { tenon_model_destroy(model); }

  /// Empty on failure. The input is only read.
  template <typename Out, typename In>
  std::vector<Out> run(const std::vector<In> &input) const {
    tenon_context *context = nullptr;
    tenon_tensor_info in = TENON_INIT(tenon_tensor_info), out = in;
    if (!model)
      return {};
    EXPECT_OK(tenon_model_input(model, 0, &in));
    EXPECT_OK(tenon_model_output(model, 0, &out));
    EXPECT_EQ(in.byte_size, input.size() * sizeof(In));
    std::vector<Out> output(out.byte_size / sizeof(Out));
    tenon_tensor x = tenon_tensor_over(&in, const_cast<In *>(input.data()));
    tenon_tensor y = tenon_tensor_over(&out, output.data());
    EXPECT_OK(tenon_context_create(model, nullptr, &context));
    EXPECT_OK(tenon_run(context, &x, 1, &y, 1));
    tenon_context_destroy(context);
    return output;
  }

  /// Of f32.
  int64_t lanes() const {
    tenon_model_info info = TENON_INIT(tenon_model_info);
    EXPECT_OK(tenon_model_query(model, &info));
    return info.vector_bits / 32;
  }

  /// Whether a kernel has that `errorGrowth`.
  bool hasGrowth(double growth) const {
    return llvm::is_contained(growths, growth);
  }

private:
  static void writeText(const std::string &path, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    ASSERT_FALSE(error) << error.message();
    stream << text;
  }

  tenon_model *model = nullptr;
  std::vector<double> growths;
};

} // namespace tenon::test

#endif // TENON_TEST_UNIT_COMPILEDTESTPROGRAM_H
