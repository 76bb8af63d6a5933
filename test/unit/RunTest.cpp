//===- RunTest.cpp - what tenon-run does ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests tensor files, made-up inputs, comparison, options, and the
// driver on a hand-made artifact.
//===----------------------------------------------------------------------===//
// LINK: TenonRun TenonArtifact tenon_runtime NO_PCH
#include "lib/Run/Driver.h"
#include "lib/Run/Measure.h"
#include "lib/Run/OutputFiles.h"
#include "lib/Run/Report.h"
#include "test/unit/ArtifactTestModel.h"
#include "test/unit/RunTestTensors.h"
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

using namespace tenon;
using namespace tenon::run;
using namespace tenon::test;

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

TEST(RunTensor, HalfRoundsToNearestEven) {
  EXPECT_EQ(toHalf(1.0f), 0x3c00);
  EXPECT_EQ(toHalf(-2.5f), 0xc100);
  EXPECT_EQ(toHalf(65504.0f), 0x7bff);
  EXPECT_EQ(toHalf(65520.0f), 0x7c00);
  EXPECT_EQ(toHalf(1.0f + 1.0f / 2048), 0x3c00);
  EXPECT_EQ(toHalf(1.0f + 3.0f / 2048), 0x3c02);
  EXPECT_EQ(toHalf(std::ldexp(1.0f, -24)), 0x0001);
  EXPECT_EQ(toHalf(0.0f), 0);
  EXPECT_EQ(toBFloat(1.0f), 0x3f80);
  EXPECT_EQ(toBFloat(1.0f + 1.0f / 256), 0x3f80);
}

TEST(RunTensor, HalfSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    uint16_t half = bits;
    Tensor tensor = makeTensor<uint16_t>("h", {TENON_FLOAT, 16, 1}, {}, {half});
    double value = tensor.at(0);
    if (!std::isnan(value))
      ASSERT_EQ(toHalf(float(value)), half);
  }
}

TEST(RunTensor, ReadsEveryElementType) {
  EXPECT_EQ(makeTensor<int8_t>("", {TENON_INT, 8, 1}, {2}, {1, -3}).at(1), -3);
  EXPECT_EQ(makeTensor<int16_t>("", {TENON_INT, 16, 1}, {1}, {-300}).at(0),
            -300);
  EXPECT_EQ(makeTensor<int32_t>("", {TENON_INT, 32, 1}, {1}, {-70000}).at(0),
            -70000);
  EXPECT_EQ(makeTensor<uint8_t>("", {TENON_UINT, 8, 1}, {1}, {200}).at(0), 200);
  EXPECT_EQ(makeTensor<uint16_t>("", {TENON_UINT, 16, 1}, {1}, {60000}).at(0),
            60000);
  EXPECT_EQ(
      makeTensor<uint32_t>("", {TENON_UINT, 32, 1}, {1}, {1u << 31}).at(0),
      2147483648.0);
  EXPECT_EQ(makeTensor<uint64_t>("", {TENON_UINT, 64, 1}, {1}, {5}).at(0), 5);
  EXPECT_EQ(makeTensor<double>("", {TENON_FLOAT, 64, 1}, {1}, {0.1}).at(0),
            0.1);
  EXPECT_EQ(
      makeTensor<uint16_t>("", {TENON_BFLOAT, 16, 1}, {1}, {0x4040}).at(0),
      3.0);
  EXPECT_EQ(makeTensor<uint8_t>("", {TENON_BOOL, 8, 1}, {1}, {1}).at(0), 1);
}

TEST(RunTensor, RefusesImpossibleShapes) {
  EXPECT_ERROR("the shape has unknown or too large dimensions",
               Tensor::make({"x", f32, {2, -1}}));
  EXPECT_ERROR("the shape has unknown or too large dimensions",
               Tensor::make({"x", f32, {int64_t(1) << 40, int64_t(1) << 40}}));
  EXPECT_ERROR("'x' is too large",
               Tensor::make({"x", f32, {int64_t(1) << 62}}));
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  EXPECT_ERROR("no memory for 'x'",
               Tensor::make({"x", f32, {int64_t(1) << 58}}));
#endif
}

TEST(RunTensor, RandomIsFixedForEver) {
  Tensor x = makeTensor<float>("x", f32, {3}, {0, 0, 0});
  fillRandom(x, 0);
  Tensor again = makeTensor<float>("x", f32, {3}, {0, 0, 0});
  fillRandom(again, 0);
  EXPECT_EQ(0, memcmp(x.data(), again.data(), 12));
  EXPECT_NEAR(x.at(0), -0.59758353, 1e-7);
  for (int i = 0; i < 3; ++i) {
    EXPECT_GE(x.at(i), -1);
    EXPECT_LT(x.at(i), 1);
  }
  Tensor ids =
      makeTensor<int64_t>("ids", i64, {100}, std::vector<int64_t>(100));
  fillRandom(ids, 1, 2);
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(ids.at(i) == 0 || ids.at(i) == 1);
  Tensor flags = makeTensor<uint8_t>("f", {TENON_BOOL, 8, 1}, {100},
                                     std::vector<uint8_t>(100));
  fillRandom(flags, 1);
  double sum = 0;
  for (int i = 0; i < 100; ++i)
    sum += flags.at(i);
  EXPECT_GT(sum, 20);
  EXPECT_LT(sum, 80);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

TEST(RunNpy, RoundTrips) {
  std::vector<std::vector<int64_t>> shapes = {{}, {6}, {2, 3}, {0, 4}};
  for (const auto &shape : shapes) {
    TemporaryFile file;
    std::vector<float> values = {1, 2.5, -3, 4, 5, 6};
    Tensor tensor = makeTensor<float>("t", f32, shape, values);
    ASSERT_EQ("", errorOf(writeNpy(tensor, file.path)));
    Result<Tensor> read = readNpy(file.path);
    ASSERT_EQ("", errorOf(readNpy(file.path)));
    EXPECT_EQ(read->spec.shape, shape);
    EXPECT_TRUE(sameType(read->spec.type, f32));
    EXPECT_EQ(0, memcmp(read->data(), tensor.data(), tensor.byteSize()));
    Result<std::string> bytes = readFile(file.path);
    EXPECT_EQ(bytes->find('\n') % 64, 63u) << "the header is not padded";
  }
}

static std::string npy(const std::string &header, const std::string &data) {
  return std::string("\x93NUMPY\1\0", 8) + char(header.size()) + '\0' + header +
         data;
}

TEST(RunNpy, ReadsColumnMajor) {
  TemporaryFile file;
  writeFile(file.path, npy("{'descr': '|i1', 'fortran_order': True, "
                           "'shape': (2, 3), }",
                           "\1\4\2\5\3\6"));
  Result<Tensor> read = readNpy(file.path);
  ASSERT_TRUE(bool(read));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(read->at(i), i + 1);
}

TEST(RunNpy, RefusesDamage) {
  TemporaryFile file;
  auto error = [&](const std::string &bytes) {
    writeFile(file.path, bytes);
    return readNpy(file.path);
  };
  std::string rest = "'fortran_order': False, 'shape': (2,), }";
  EXPECT_ERROR("wrong first bytes", error("garbage garbage"));
  EXPECT_ERROR("truncated", error(std::string("\x93NUMPY\1\0\xff\xff{}", 12)));
  EXPECT_ERROR("no element type", error(npy("{" + rest, "")));
  EXPECT_ERROR("big-endian elements",
               error(npy("{'descr': '>f4', " + rest, "")));
  EXPECT_ERROR("element type '<m8", error(npy("{'descr': '<m8', " + rest, "")));
  EXPECT_ERROR("no shape", error(npy("{'descr': '<f4'}", "1234")));
  EXPECT_ERROR("a negative dimension",
               error(npy("{'descr': '<f4', 'shape': (-1,)}", "")));
  EXPECT_ERROR("a malformed shape",
               error(npy("{'descr': '<f4', 'shape': (x)}", "")));
  EXPECT_ERROR("fewer elements than its shape says",
               error(npy("{'descr': '<f4', " + rest, "1234567")));
  EXPECT_ERROR("cannot read '/nonexistent.npy'", readNpy("/nonexistent.npy"));
  EXPECT_ERROR("is neither .npy nor .pb", readTensor("x.txt"));
  Tensor tensor = makeTensor<float>("t", f32, {}, {1});
  EXPECT_ERROR("cannot write '/nonexistent/x.npy'",
               writeNpy(tensor, "/nonexistent/x.npy"));
}

TEST(RunTensorProto, ReadsRawAndTypedData) {
  TemporaryFile file;
  // dims 2 (packed), data_type float, name "n", raw_data.
  writeFile(
      file.path,
      std::string("\x0a\1\2\x10\1\x42\1n\x4a\10\0\0\x80\x3f\0\0\0\x40", 18));
  Result<Tensor> raw = readTensorProto(file.path);
  ASSERT_TRUE(bool(raw)) << errorOf(readTensorProto(file.path));
  EXPECT_EQ(raw->spec.name, "n");
  EXPECT_EQ(raw->at(1), 2);
  // dims 1, 2 (not packed), data_type int64, int64_data 3, -1.
  writeFile(file.path,
            std::string("\x08\1\x08\2\x10\7\x3a\x0b\3\xff\xff\xff\xff\xff\xff"
                        "\xff\xff\xff\1",
                        19));
  Result<Tensor> typed = readTensorProto(file.path);
  ASSERT_TRUE(bool(typed)) << errorOf(readTensorProto(file.path));
  EXPECT_EQ(typed->spec.shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(typed->at(0), 3);
  EXPECT_EQ(typed->at(1), -1);
  // float_data, one element not packed.
  writeFile(file.path, std::string("\x10\1\x25\0\0\xc0\x3f", 7));
  Result<Tensor> scalar = readTensorProto(file.path);
  ASSERT_TRUE(bool(scalar)) << errorOf(readTensorProto(file.path));
  EXPECT_EQ(scalar->at(0), 1.5);
}

TEST(RunTensorProto, RefusesDamage) {
  TemporaryFile file;
  auto error = [&](const std::string &bytes) {
    writeFile(file.path, bytes);
    return readTensorProto(file.path);
  };
  EXPECT_ERROR("malformed", error("\xff\xff\xff"));
  EXPECT_ERROR("malformed", error("\x4a\x7f"));
  EXPECT_ERROR("element type 99", error("\x10\x63"));
  EXPECT_ERROR("element type 1", error(std::string("\x10\1\x32\0", 4)));
  EXPECT_ERROR("its data lie in another file", error("\x10\1\x70\1"));
  EXPECT_ERROR("0 elements instead of 2", error("\x08\2\x10\1"));
}

//===----------------------------------------------------------------------===//
// Comparing and timing
//===----------------------------------------------------------------------===//

TEST(RunCompare, UsesBothTolerances) {
  Tensor got = makeTensor<float>("y", f32, {3}, {1.0f, 100.0f, NAN});
  Tensor want = makeTensor<float>("y", f32, {3}, {1.001f, 101.0f, NAN});
  Result<Difference> loose = compare(got, want, 0.01, 0.01);
  ASSERT_TRUE(bool(loose));
  EXPECT_EQ(loose->mismatches, 0);
  EXPECT_NEAR(loose->maxAbs, 1, 1e-6);
  EXPECT_NEAR(loose->maxRel, 1 / 101.0, 1e-6);
  EXPECT_EQ(loose->scale, 101);
  Result<Difference> tight = compare(got, want, 1e-3, 1e-3);
  EXPECT_EQ(tight->mismatches, 1);
  EXPECT_EQ(tight->firstIndex, 1);
}

TEST(RunCompare, SeesInfinitiesAndNaN) {
  Tensor got = makeTensor<float>("y", f32, {3}, {INFINITY, 1, NAN});
  Tensor want = makeTensor<float>("y", f32, {3}, {INFINITY, INFINITY, 0});
  Result<Difference> difference = compare(got, want, 1, 1);
  EXPECT_EQ(difference->mismatches, 2);
  EXPECT_EQ(difference->maxAbs, INFINITY);
}

TEST(RunCompare, IntegersExactly) {
  Tensor got = makeTensor<int64_t>("y", i64, {2}, {1000, 7});
  Tensor want = makeTensor<int64_t>("y", i64, {2}, {1001, 7});
  EXPECT_EQ(compare(got, want, 1, 1)->mismatches, 1);
  Tensor other = makeTensor<int64_t>("y", i64, {2, 1}, {1, 7});
  EXPECT_ERROR("output 'y' is int64 [2]; the expected one is int64 [2x1]",
               compare(got, other, 0, 0));
}

TEST(RunCompare, ComplexByParts) {
  tenon_dtype type = {TENON_COMPLEX, 64, 1};
  Tensor got = makeTensor<float>("y", type, {1}, {1, 2});
  Tensor want = makeTensor<float>("y", type, {1}, {1, 3});
  EXPECT_EQ(compare(got, want, 0, 0)->mismatches, 1);
  EXPECT_EQ(compare(got, got, 0, 0)->mismatches, 0);
}

TEST(RunTiming, FindsMedianAndTail) {
  std::vector<double> times;
  for (int i = 200; i > 0; --i)
    times.push_back(i);
  Timing timing = analyse(times);
  EXPECT_EQ(timing.runs, 200);
  EXPECT_EQ(timing.minimum, 1);
  EXPECT_EQ(timing.median, 100.5);
  EXPECT_EQ(timing.p99, 199);
  EXPECT_NEAR(timing.mean, 100.5, 1e-9);
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

TEST(RunOptions, Parses) {
  Result<Options> options =
      parseOptions({"m.tenon", "--input", "x=a.npy", "--input=random:3",
                    "--rtol=0.5", "-threads", "2", "--json"});
  ASSERT_TRUE(bool(options));
  EXPECT_EQ(options->model, "m.tenon");
  ASSERT_EQ(options->inputs.size(), 2u);
  EXPECT_EQ(options->inputs[0].name, "x");
  EXPECT_EQ(options->inputs[1].value, "random:3");
  EXPECT_EQ(options->rtol, 0.5);
  EXPECT_EQ(options->threads, 2);
  EXPECT_TRUE(options->json);
  EXPECT_FALSE(options->profile);
}

TEST(RunOptions, ProfileMayNameAFile) {
  Result<Options> plain = parseOptions({"--profile", "m.tenon"});
  ASSERT_TRUE(bool(plain));
  EXPECT_EQ(plain->profile, "");
  EXPECT_EQ(plain->model, "m.tenon");
  Result<Options> traced = parseOptions({"m.tenon", "--profile=t.json"});
  ASSERT_TRUE(bool(traced));
  EXPECT_EQ(traced->profile, "t.json");
}

TEST(RunOptions, RefusesNonsense) {
  EXPECT_ERROR("no model is named", parseOptions({}));
  EXPECT_ERROR("more than one model: 'a' and 'b'", parseOptions({"a", "b"}));
  EXPECT_ERROR("unknown option --frob", parseOptions({"a", "--frob"}));
  EXPECT_ERROR("--device is cpu or cuda, not 'tpu'",
               parseOptions({"a", "--device", "tpu"}));
  EXPECT_ERROR("--device is for artifacts: --interpret runs on the processor",
               parseOptions({"a", "--device=cpu", "--interpret"}));
  EXPECT_ERROR("--json takes no value", parseOptions({"a", "--json=1"}));
  EXPECT_ERROR("--runs needs a value: N", parseOptions({"a", "--runs"}));
  EXPECT_ERROR("--profile= needs a value: FILE.json",
               parseOptions({"a", "--profile="}));
  EXPECT_ERROR("--profile is for artifacts",
               parseOptions({"a", "--interpret", "--profile"}));
  EXPECT_ERROR("--trace is for artifacts",
               parseOptions({"a", "--interpret", "--trace"}));
  for (const char *value : {"x", "-1", "", "99999999999"})
    EXPECT_ERROR("--runs needs a non-negative number",
                 parseOptions({"a", "--runs", value}));
}

TEST(RunOptions, HelpNamesEveryOption) {
  std::string help = helpText();
  for (const char *name :
       {"--input", "--expect", "--benchmark", "--profile[=FILE.json]",
        "--by-launch", "--roof", "--trace", "--disassemble", "--signature",
        "--output-dir", "--interpret"})
    EXPECT_NE(help.find(name), std::string::npos);
}

namespace {

struct Outcome {
  int code;
  std::string out, err;
};

class RunDriver : public testing::Test {
protected:
  void SetUp() override {
#if !defined(__x86_64__)
    GTEST_SKIP() << "the test's kernel is x86-64 code";
#endif
    EXPECT_EQ("", tenon::test::messageOf(tenon::artifact::writeArtifact(
                      tenon::test::makeDesc(), file.path)));
  }

  Outcome run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"tenon-run", file.path});
    std::vector<char *> argv;
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    int code = runMain(int(argv.size()), argv.data(), openArtifact);
    return {code, testing::internal::GetCapturedStdout(),
            testing::internal::GetCapturedStderr()};
  }

  TemporaryFile file;
};

} // namespace

#define EXPECT_CONTAINS(text, string)                                          \
  EXPECT_PRED_FORMAT2(testing::IsSubstring, text, string)

TEST_F(RunDriver, PrintsTheSignature) {
  Outcome outcome = run({"--signature"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS("input   x: float32 [10x100]\n", outcome.out);
  EXPECT_CONTAINS("output  y: float32 [10x100]\n", outcome.out);
  EXPECT_CONTAINS("1 kernels, 2 launches", outcome.out);
}

TEST_F(RunDriver, SummarisesOutputs) {
  Outcome outcome = run({"--input", "random:1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS("y: float32 [10x100]  min", outcome.out);
}

TEST_F(RunDriver, WritesAndExpects) {
  TemporaryFile folder;
  std::string path = folder.path + ".dir";
  EXPECT_EQ(run({"--output-dir", path, "--input", "x=random:5"}).code, 0);
  std::string y = path + "/y.npy";
  Outcome same = run({"--input", "random:5", "--expect", "y=" + y});
  EXPECT_EQ(same.code, 0) << same.err;
  EXPECT_CONTAINS("y: agrees", same.out);
  Outcome other = run({"--input", "random:6", "--expect", y});
  EXPECT_EQ(other.code, 1);
  EXPECT_CONTAINS("y: DIFFERS", other.out);
  EXPECT_EQ(run({"--input", "random:6", "--expect", y, "--atol", "9"}).code, 0);
  Outcome input = run({"--input", y});
  EXPECT_EQ(input.code, 0);
  std::filesystem::remove_all(path);
}

TEST(RunOutputFiles, PlainNamesStay) {
  EXPECT_EQ(outputFileName("y"), "y.npy");
  EXPECT_EQ(outputFileName("save scale_0.tmp-1:0"), "save scale_0.tmp-1:0.npy");
  EXPECT_EQ(outputFileName("\xc3\xa9"), "\xc3\xa9.npy");
  EXPECT_EQ(outputFileName("."), "..npy");
  EXPECT_EQ(outputFileName(".."), "...npy");
}

TEST(RunOutputFiles, DifferentNamesHaveDifferentFiles) {
  EXPECT_EQ(outputFileName("head/out"), "head/out.npy");
  EXPECT_EQ(outputFileName("a\nb%"), "a%0Ab%25.npy");
  EXPECT_EQ(outputFileName("\xff"), "%FF.npy");
  EXPECT_EQ(outputFileName("/a/b"), "%2Fa%2Fb.npy");
  EXPECT_EQ(outputFileName("a/../../b"), "a%2F..%2F..%2Fb.npy");
  EXPECT_EQ(outputFileName("a.npy/b"), "a.npy%2Fb.npy");
  std::string kilo(1000, 'x');
  std::vector<std::string> names = {"",
                                    "%",
                                    "%25",
                                    "head/out",
                                    "head_out",
                                    "head%2Fout",
                                    "/",
                                    "//",
                                    "\xc3",
                                    "\xc3\xa9",
                                    "e\xcc\x81",
                                    "\x7f",
                                    kilo,
                                    kilo + "y",
                                    "y" + kilo,
                                    std::string(300, '/'),
                                    "outputs.json/y",
                                    "outputs.json%2Fy",
                                    kilo + "/" + kilo,
                                    "a/b/c",
                                    "a%/b",
                                    std::string(100, '/'),
                                    std::string(101, '/'),
                                    std::string(1, '\0'),
                                    outputFileName(kilo).substr(0, 220)};
  std::set<std::string> files;
  for (const std::string &name : names) {
    std::string file = outputFileName(name);
    EXPECT_LE(file.size(), 600u) << name;
    EXPECT_TRUE(files.insert(file).second) << name;
  }
}

TEST(RunOutputFiles, LongNamesAreCutBetweenCharacters) {
  std::string name;
  for (int i = 0; i < 200; ++i)
    name += "\xe2\x82\xac";
  EXPECT_EQ(outputFileName(name).find("%~"), 198u);
}

TEST(RunOutputFiles, ManifestListsThem) {
  TemporaryFile file;
  std::string folder = file.path + ".dir";
  std::filesystem::create_directories(folder);
  // As if file systems did not tell capitals.
  std::filesystem::create_symlink("y.npy", folder + "/Y.npy");
  std::vector<Tensor> outputs;
  for (const char *name : {"y", "Y", "a/b", "a_b", "y"})
    outputs.push_back(makeTensor<float>(name, f32, {1, 2}, {1, 2}));
  outputs.push_back(makeTensor<int64_t>("\"", i64, {}, {7}));
  ASSERT_EQ("", errorOf(writeOutputs(folder, outputs)));
  Result<std::string> manifest = readFile(folder + "/outputs.json");
  ASSERT_TRUE(bool(manifest));
  std::string spec = R"(, "dtype": "float32", "shape": [1, 2]})";
  EXPECT_EQ(*manifest,
            R"([{"name": "y", "file": "y.npy")" + spec +
                ",\n "
                R"({"name": "Y", "file": "Y%~2.npy")" +
                spec +
                ",\n "
                R"({"name": "a/b", "file": "a/b.npy")" +
                spec +
                ",\n "
                R"({"name": "a_b", "file": "a_b.npy")" +
                spec +
                ",\n "
                R"({"name": "y", "file": "y%~2.npy")" +
                spec +
                ",\n "
                R"({"name": "\"", "file": "\".npy", "dtype": "int64", )"
                R"("shape": []}])"
                "\n");
  for (const char *name : {"y", "Y%~2", "a/b", "a_b", "y%~2", "\""})
    EXPECT_EQ("", errorOf(readNpy(folder + "/" + name + ".npy")));
  std::filesystem::remove_all(folder);
}

TEST_F(RunDriver, BenchmarksAsJson) {
  Outcome outcome = run({"--benchmark", "--json", "--runs", "5"});
  EXPECT_EQ(outcome.code, 0);
  for (const char *key :
       {"\"median_ms\": ", "\"min_ms\": ", "\"p99_ms\": ", "\"runs\": 5",
        "\"arena_bytes\": 4000", "\"peak_rss_bytes\": ", "\"load_ms\": "})
    EXPECT_CONTAINS(key, outcome.out);
}

TEST_F(RunDriver, Profiles) {
  Outcome outcome = run({"--profile", "--runs", "3"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS("GFLOP/s", outcome.out);
  EXPECT_CONTAINS("add  [first second third]", outcome.out);
  Outcome launches = run({"--profile", "--runs", "3", "--by-launch"});
  EXPECT_CONTAINS("add  [second third]", launches.out);
  Outcome json = run({"--profile", "--runs", "3", "--json"});
  EXPECT_CONTAINS("\"nodes\": [\"second\", \"third\"]", json.out);
}

TEST_F(RunDriver, ExplainsErrors) {
  auto error = [&](std::vector<std::string> arguments) {
    Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, 1);
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  };
  EXPECT_CONTAINS("there is no input 'z'; the model has 'x'",
                  error({"--input", "z=random:1"}));
  EXPECT_CONTAINS("there is no output 'z'; the model has 'y'",
                  error({"--expect", "z=a.npy"}));
  for (const char *source :
       {"random:", "random:x", "random:1:0", "random:1:2x"})
    EXPECT_CONTAINS("is not random:SEED or random:SEED:LIMIT",
                    error({"--input", source}));
  TemporaryFile other;
  std::string path = other.path + ".npy";
  ASSERT_EQ("", errorOf(writeNpy(makeTensor<int64_t>("x", i64, {3}, {1, 2, 3}),
                                 path)));
  EXPECT_CONTAINS("holds int64 [3]; the model takes float32 [10x100]",
                  error({"--input", "x=" + path}));
  llvm::sys::fs::remove(path);
  EXPECT_CONTAINS("cannot create '/proc/nothing'",
                  error({"--output-dir", "/proc/nothing"}));
}

TEST_F(RunDriver, PrintsTheRoof) {
  Outcome outcome = run({"--roof", "--threads", "1"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_CONTAINS("{\"threads\": 1, \"peaks\": [", outcome.out);
  EXPECT_CONTAINS("--roof takes at most 1024 threads",
                  run({"--roof", "--threads", "1025"}).err);
}

TEST(RunOpen, WantsAnArtifact) {
  Options options;
  options.model = "net.onnx";
  EXPECT_ERROR("is not compiled: make an artifact of it with tenon-compile",
               openArtifact(options));
  options.model = "/nonexistent.tenon";
  EXPECT_ERROR("'/nonexistent.tenon': cannot open", openArtifact(options));
}

TEST(RunReport, JsonEscapesNames) {
  Report report;
  report.inputs.push_back({"a\"\\\n", f32, {1}});
  EXPECT_CONTAINS("\"a\\\"\\\\\\u000a\"", reportJson(report));
}
