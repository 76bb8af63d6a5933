//===- RunValuesTest.cpp - strings, sequences, optionals ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads, compares and writes what is no tensor of numbers, and takes
// it through the values of the C API.
//===----------------------------------------------------------------------===//
// LINK: TenonRun TenonArtifact NO_PCH
#include "lib/Run/Inputs.h"
#include "lib/Run/Measure.h"
#include "lib/Run/OutputFiles.h"
#include "lib/Run/Unicode.h"
#include "lib/Run/Values.h"
#include "test/unit/RunTestTensors.h"

#include <filesystem>

using namespace tenon;
using namespace tenon::run;
using namespace tenon::test;

namespace {

constexpr tenon_dtype text = {TENON_STRING, 64, 1};

Tensor strings(std::vector<std::string> texts) {
  Result<Tensor> tensor = Tensor::make({"t", text, {int64_t(texts.size())}});
  EXPECT_TRUE(bool(tensor));
  tensor->strings = std::move(texts);
  return std::move(*tensor);
}

/// A sequence of tensors of i64, or of strings.
template <typename... Ts> Tensor sequence(Ts... items) {
  Tensor value;
  value.spec = {"s", i64, {}, {}, TENON_VALUE_SEQUENCE};
  (value.items.push_back(std::move(items)), ...);
  return value;
}

Tensor numbers(std::vector<int64_t> values) {
  return makeTensor<int64_t>("n", i64, {int64_t(values.size())}, values);
}

Tensor nothing() {
  Tensor value;
  value.spec = {"o", i64, {1}, {}, TENON_VALUE_OPTIONAL};
  return value;
}

/// A length-delimited field.
std::string field(int number, const std::string &bytes) {
  return std::string(1, char(number << 3 | 2)) + char(bytes.size()) + bytes;
}

/// A TensorProto of i64, with raw data.
std::string numbersProto(std::vector<int64_t> values) {
  std::string raw(reinterpret_cast<char *>(values.data()), values.size() * 8);
  return std::string("\x10\7\x08", 3) + char(values.size()) + field(9, raw);
}

class RunValues : public testing::Test {
protected:
  Result<Tensor> readProtoOf(const std::string &bytes, tenon_value_kind kind) {
    writeFile(file.path, bytes);
    return readProto(file.path, kind);
  }
  TemporaryFile file;
};

} // namespace

TEST_F(RunValues, SpecsShowKinds) {
  EXPECT_EQ(
      (TensorSpec{"s", i64, {-1, 2}, {"n", ""}, TENON_VALUE_SEQUENCE}).str(),
      "sequence of int64 [n, 2]");
  EXPECT_EQ(
      (TensorSpec{"s", i64, {}, {}, TENON_VALUE_OPTIONAL_SEQUENCE, true}).str(),
      "optional sequence of int64 [...]");
  EXPECT_EQ((TensorSpec{"s", text, {2}, {}, TENON_VALUE_OPTIONAL}).str(),
            "optional string [2]");
  EXPECT_EQ(sequence(numbers({1}), numbers({})).str(), "sequence of 2 int64");
  EXPECT_EQ(sequence().str(), "sequence of 0");
  EXPECT_EQ(nothing().str(), "nothing");
}

TEST_F(RunValues, ReadsProtos) {
  std::string words =
      std::string("\x10\10\x08\2", 4) + field(6, "a") + field(6, "");
  Result<Tensor> read = readProtoOf(words, TENON_VALUE_TENSOR);
  ASSERT_TRUE(bool(read)) << errorOf(std::move(read));
  EXPECT_EQ(read->strings, (std::vector<std::string>{"a", ""}));

  std::string list = field(1, "s") + std::string("\x10\1", 2) +
                     field(3, numbersProto({1, 2})) +
                     field(3, numbersProto({3}));
  read = readProtoOf(list, TENON_VALUE_SEQUENCE);
  ASSERT_TRUE(bool(read)) << errorOf(std::move(read));
  ASSERT_EQ(read->items.size(), 2u);
  EXPECT_EQ(read->items[0].at(1), 2);
  EXPECT_EQ(read->items[1].at(0), 3);

  read = readProtoOf(std::string("\x10\1", 2), TENON_VALUE_OPTIONAL);
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->str(), "nothing");
  read = readProtoOf(field(3, numbersProto({7})), TENON_VALUE_OPTIONAL);
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->at(0), 7);
  read = readProtoOf(field(5, list), TENON_VALUE_OPTIONAL_SEQUENCE);
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->str(), "sequence of 2 int64");
}

TEST_F(RunValues, RefusesDamage) {
  EXPECT_ERROR("is not a tensor that can be read: 1 strings instead of 2",
               readProtoOf(std::string("\x10\10\x08\2", 4) + field(6, "a"),
                           TENON_VALUE_TENSOR));
  EXPECT_ERROR("is not a sequence that can be read: malformed",
               readProtoOf("\x1a\x7f", TENON_VALUE_SEQUENCE));
  EXPECT_ERROR("a sequence of something else than tensors",
               readProtoOf(field(5, ""), TENON_VALUE_SEQUENCE));
  EXPECT_ERROR("an optional of something else than a tensor or a sequence",
               readProtoOf(field(6, ""), TENON_VALUE_OPTIONAL));
  EXPECT_ERROR("is no .pb file: only these hold sequences",
               readValue("x.npy", sequence().spec));
}

TEST_F(RunValues, StringsGoThroughNpy) {
  Tensor written =
      strings({"", "a", "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "x\xff\xc3"});
  ASSERT_TRUE(bool(writeNpy(written, file.path)));
  Result<Tensor> read = readNpy(file.path);
  ASSERT_TRUE(bool(read)) << errorOf(std::move(read));
  EXPECT_EQ(read->strings, written.strings);
  EXPECT_EQ(read->spec.str(), "string [4]");
  EXPECT_EQ(toCodePoints("a\xc3\xa9\xff"), U"a\u00e9\xdcff");
}

TEST_F(RunValues, Compares) {
  EXPECT_EQ(compare(strings({"a", "b"}), strings({"a", "b"}), 1, 1)->mismatches,
            0);
  Result<Difference> difference =
      compare(strings({"a", "b"}), strings({"a", "c"}), 1, 1);
  ASSERT_TRUE(bool(difference));
  EXPECT_EQ(difference->mismatches, 1);
  EXPECT_EQ(difference->firstStrings, "\"b\" instead of \"c\"");
  difference = compare(sequence(numbers({1}), numbers({2, 3})),
                       sequence(numbers({1}), numbers({2, 4})), 0, 0);
  ASSERT_TRUE(bool(difference));
  EXPECT_EQ(difference->mismatches, 1);
  EXPECT_EQ(difference->firstIndex, 2) << "counted through all tensors";
  EXPECT_EQ(difference->firstExpected, 4);
  EXPECT_EQ(compare(nothing(), nothing(), 0, 0)->mismatches, 0);
  EXPECT_ERROR(
      "output 's' is sequence of 1 int64: int64 [1]; the expected one "
      "is sequence of 1 int64: int64 [2]",
      compare(sequence(numbers({1})), sequence(numbers({1, 2})), 0, 0));
  EXPECT_ERROR("output 'o' is nothing; the expected one is int64 [1]",
               compare(nothing(), numbers({1}), 0, 0));
}

TEST_F(RunValues, Summarises) {
  EXPECT_EQ(summarise(strings({"a", "\n"})),
            "t: string [2]  first \"a\" \"\\u000a\"");
  EXPECT_EQ(summarise(sequence(numbers({2}))),
            "s: sequence of 1 int64\n  0: int64 [1]  min 2  max 2  mean 2  "
            "first 2");
}

TEST_F(RunValues, WritesSequencesAsFolders) {
  std::filesystem::remove(file.path);
  std::vector<Tensor> outputs;
  outputs.push_back(sequence(numbers({1}), numbers({2, 3})));
  outputs.push_back(nothing());
  ASSERT_TRUE(bool(writeOutputs(file.path, outputs)));
  Result<Tensor> second = readNpy(file.path + "/s/1.npy");
  ASSERT_TRUE(bool(second));
  EXPECT_EQ(second->at(1), 3);
  Result<std::string> manifest = readFile(file.path + "/outputs.json");
  ASSERT_TRUE(bool(manifest));
  EXPECT_NE(manifest->find("\"kind\": \"sequence\", \"elements\": [{\"name\": "
                           "\"s/0\", \"file\": \"s/0.npy\""),
            std::string::npos)
      << *manifest;
  EXPECT_NE(manifest->find("{\"name\": \"o\", \"kind\": \"optional\"}"),
            std::string::npos);
  std::filesystem::remove_all(file.path);
}

TEST_F(RunValues, InputsFitTheirSpecs) {
  auto gather = [&](TensorSpec spec, const std::string &source) {
    Options options;
    options.inputs = {{"s", source}};
    Result<std::vector<Tensor>> inputs = gatherInputs(options, {spec});
    return inputs ? (*inputs)[0].str() : inputs.error().message;
  };
  std::string path = file.path + ".pb";
  writeFile(path, field(3, numbersProto({1, 2})) + field(3, numbersProto({3})));
  TensorSpec list = sequence().spec;
  list.shape = {-1};
  EXPECT_EQ(gather(list, path), "sequence of 2 int64");
  list.shape = {2};
  EXPECT_EQ(gather(list, path),
            "input 's': '" + path +
                "' holds sequence of 2 "
                "int64; the model takes sequence of int64 [2]");
  EXPECT_EQ(gather(list, "random:1"),
            "input 's' is sequence of int64 [2]: give a .pb file");
  EXPECT_EQ(gather({"s", i64, {2}, {}, TENON_VALUE_OPTIONAL}, "random:1"),
            "int64 [2]");
  EXPECT_EQ(gather({"s", text, {2}}, "random:1"), "string [2]");
  std::filesystem::remove(path);
}

TEST_F(RunValues, GoThroughTheCApi) {
  for (Tensor *tensor :
       {new Tensor(strings({"", "ab"})),
        new Tensor(sequence(numbers({1}), numbers({}))), new Tensor(sequence()),
        new Tensor(nothing()), new Tensor(numbers({4, 5}))}) {
    std::unique_ptr<Tensor> owner(tensor);
    Result<Value> value = toValue(*tensor);
    ASSERT_TRUE(bool(value)) << errorOf(std::move(value));
    Result<Tensor> back = fromValue(value->get(), tensor->spec);
    ASSERT_TRUE(bool(back)) << errorOf(std::move(back));
    Result<Difference> difference = compare(*back, *tensor, 0, 0);
    ASSERT_TRUE(bool(difference)) << errorOf(std::move(difference));
    EXPECT_EQ(difference->mismatches, 0);
    EXPECT_EQ(difference->elements,
              tensor->elements + (tensor->items.empty() ? 0 : 1));
  }
}
