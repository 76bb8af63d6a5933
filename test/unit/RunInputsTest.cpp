//===- RunInputsTest.cpp - the sizes of inputs on the command line --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file gives sizes to inputs that a model leaves open, and runs such a
// model.
//===----------------------------------------------------------------------===//
// LINK: TenonRun TenonArtifact NO_PCH
#include "lib/Run/Executable.h"
#include "lib/Run/Inputs.h"
#include "lib/Run/Report.h"
#include "test/unit/ArtifactTestSymbols.h"

using namespace tenon;
using namespace tenon::run;
using namespace tenon::test;

namespace {

using Shape = std::vector<int64_t>;

constexpr tenon_dtype f32 = {TENON_FLOAT, 32, 1};

/// x [batch, 3, ?] and z [batch, length].
std::vector<TensorSpec> openSpecs() {
  return {{"x", f32, {-1, 3, -1}, {"batch", "", ""}},
          {"z", f32, {-1, -1}, {"batch", "length"}}};
}

Result<std::vector<Tensor>> gather(std::vector<std::string> arguments,
                                   std::vector<TensorSpec> specs) {
  arguments.push_back("m.tenon");
  Result<Options> options = parseOptions(arguments);
  if (!options)
    return options.error();
  return gatherInputs(*options, std::move(specs));
}

/// The shapes of the two inputs, or the error.
std::string shapes(std::vector<std::string> arguments,
                   std::vector<TensorSpec> specs = openSpecs()) {
  Result<std::vector<Tensor>> inputs = gather(arguments, specs);
  if (!inputs)
    return inputs.error().message;
  return (*inputs)[0].spec.str() + " " + (*inputs)[1].spec.str();
}

std::string messageOf(Status status) {
  return status ? "" : status.error().message;
}

} // namespace

TEST(RunInputs, SpecsShowSymbols) {
  EXPECT_EQ(openSpecs()[0].str(), "float32 [batch, 3, ?]");
  EXPECT_EQ(openSpecs()[1].str(), "float32 [batch, length]");
  EXPECT_TRUE(openSpecs()[0].isOpen());
  EXPECT_EQ((TensorSpec{"x", f32, {2, 3}, {"batch", ""}}.str()),
            "float32 [2x3]");
}

TEST(RunInputs, SizesComeFromOptions) {
  EXPECT_EQ(shapes({"--shape", "x=2x3x4", "--shape", "z=2x0"}),
            "float32 [2x3x4] float32 [2x0]");
  // What inputs share need not be said twice.
  EXPECT_EQ(shapes({"--shape", "x=2x3x4", "--dim", "length=7"}),
            "float32 [2x3x4] float32 [2x7]");
  // A shape is more than a dimension.
  EXPECT_EQ(
      shapes({"--shape", "x=2x3x4", "--dim", "batch=5", "--dim", "length=7"}),
      "float32 [2x3x4] float32 [5x7]");
}

TEST(RunInputs, SizesComeFromFiles) {
  TemporaryFile file;
  std::string path = file.path + ".npy";
  Result<Tensor> tensor = Tensor::make({"t", f32, {6, 7}});
  ASSERT_EQ("", messageOf(writeNpy(*tensor, path)));
  EXPECT_EQ(shapes({"--input", "z=" + path, "--shape", "x=6x3x1"}),
            "float32 [6x3x1] float32 [6x7]");
  EXPECT_EQ(shapes({"--input", "z=" + path, "--shape", "z=6x8"}),
            "input 'z': '" + path +
                "' holds float32 [6x7]; the model takes float32 [6x8]");
  EXPECT_EQ(shapes({"--input", "x=" + path}),
            "input 'x': '" + path +
                "' holds float32 [6x7]; the model takes float32 [batch, 3, ?]");
  llvm::sys::fs::remove(path);
}

TEST(RunInputs, AMissingSizeIsAnError) {
  EXPECT_EQ(shapes({}),
            "input 'x': dimension 0 (batch) of float32 [batch, 3, ?] has no "
            "size: give --shape x=Nx3xN or --dim batch=N, or a file");
  EXPECT_EQ(shapes({"--dim", "batch=2"}),
            "input 'x': dimension 2 of float32 [2, 3, ?] has no size: give "
            "--shape x=2x3xN, or a file");
}

TEST(RunInputs, WrongSizesAreErrors) {
  EXPECT_EQ(shapes({"--shape", "y=2"}),
            "--shape y=2: there is no input 'y'; the model has 'x', 'z'");
  for (const char *shape : {"2x", "x2", "2xa", "-1", "99999999999999999999"})
    EXPECT_EQ(shapes({"--shape", std::string("x=") + shape}),
              std::string("--shape x=") + shape + ": '" + shape +
                  "' is no shape like 1x3x224x224");
  EXPECT_EQ(shapes({"--shape", "x=2x4x4"}),
            "--shape x=2x4x4: the model takes float32 [batch, 3, ?]");
  EXPECT_EQ(shapes({"--shape", "x=2x3"}),
            "--shape x=2x3: the model takes float32 [batch, 3, ?]");
  EXPECT_EQ(shapes({"--dim", "batch=x"}), "--dim batch=x: 'x' is no size");
  EXPECT_EQ(shapes({"--dim", "batch=2x2"}),
            "--dim batch=2x2: '2x2' is no size");
  for (const char *dim : {"width=2", "2", "=2"})
    EXPECT_EQ(shapes({"--dim", dim}).substr(0, 8 + strlen(dim)),
              std::string("--dim ") + dim + ": ");
}

TEST(RunInputs, ASignatureNamesSymbols) {
  Report report;
  report.inputs = openSpecs();
  report.facts.fileBytes = 1;
  report.facts.isSymbolic = true;
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "input   x: float32 [batch, 3, ?]\n"
                      "input   z: float32 [batch, length]\n",
                      signatureText(report));
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      "arena   depends on the shapes of inputs\n",
                      signatureText(report));
  EXPECT_PRED_FORMAT2(testing::IsSubstring,
                      R"("shape": [-1, -1], "dims": ["batch", "length"])",
                      reportJson(report));
}

TEST(RunInputs, OutputsHaveTheShapesThatFollow) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "the test's kernels are x86-64 code";
#endif
  TemporaryFile file;
  ASSERT_OK(tenon::artifact::writeArtifact(makeSymbolic(), file.path));
  Options options;
  options.model = file.path;
  options.threads = 1;
  Result<std::unique_ptr<Executable>> executable = openArtifact(options);
  ASSERT_TRUE(bool(executable));
  EXPECT_EQ((*executable)->inputs()[0].str(), "float32 [batch, 100]");
  EXPECT_TRUE((*executable)->facts().isSymbolic);
  EXPECT_EQ((*executable)->facts().arenaBytes, 0u);
  for (int64_t batch : {4, 2}) {
    options.dims = {"batch=" + std::to_string(batch)};
    auto inputs = gatherInputs(options, (*executable)->inputs());
    ASSERT_TRUE(bool(inputs));
    std::vector<Tensor> outputs;
    for (int run = 0; run < 2; ++run)
      ASSERT_EQ("", messageOf((*executable)->run(*inputs, outputs)));
    ASSERT_EQ(outputs.size(), 2u);
    EXPECT_EQ(outputs[0].spec.shape, (Shape{batch, 100}));
    EXPECT_EQ(outputs[0].at(5), 2 * (*inputs)[0].at(5) + (*inputs)[1].at(5));
    EXPECT_EQ(outputs[1].at(0), batch);
  }
  EXPECT_EQ((*executable)->facts().arenaBytes, 1600u);
  auto inputs = gather({"--shape", "x=2x100", "--shape", "z=3x100"},
                       (*executable)->inputs());
  ASSERT_TRUE(bool(inputs));
  std::vector<Tensor> outputs;
  EXPECT_EQ(messageOf((*executable)->run(*inputs, outputs)),
            "'z': dimension 0 (batch) is 3, but must be equal to 2 (dimension "
            "0 of 'x') (node 'plus')");
}
