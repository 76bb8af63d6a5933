//===- ArtifactTest.cpp - the writer of artifacts -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests that artifacts are reproducible, atomic, streamed, and that
// wrong descriptions are refused.
//===----------------------------------------------------------------------===//
// LINK: TenonArtifact tenon_runtime NO_PCH
#include "tenon/artifact_format.h"
#include "tenon/checksum.h"
#include "test/unit/ArtifactTestModel.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tenon::artifact;
using namespace tenon::test;

static std::string readFile(const std::string &path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

static std::string refusal(const ArtifactDesc &desc) {
  TemporaryFile file;
  return messageOf(writeArtifact(desc, file.path));
}

TEST(Artifact, EqualDescriptionsGiveEqualBytes) {
  TemporaryFile first, second;
  ASSERT_OK(writeArtifact(makeDesc(), first.path));
  ASSERT_OK(writeArtifact(makeDesc(), second.path));
  std::string bytes = readFile(first.path);
  EXPECT_GT(bytes.size(), 8000u);
  EXPECT_EQ(bytes, readFile(second.path));
}

TEST(Artifact, ReportsItsSizes) {
  TemporaryFile file;
  llvm::Expected<ArtifactSizes> sizes = writeArtifact(makeDesc(), file.path);
  ASSERT_TRUE(bool(sizes));
  EXPECT_EQ(sizes->fileBytes, readFile(file.path).size());
  EXPECT_EQ(sizes->codeBytes, sizeof addCode);
  EXPECT_EQ(sizes->weightsBytes, bytes);
}

TEST(Artifact, LayoutsWeightsInOrder) {
  std::vector<WeightDesc> weights(3);
  weights[0].size = 1;
  weights[1].size = 100;
  weights[2].size = 4;
  weights[2].alignment = 4;
  EXPECT_EQ(layoutWeights(weights), 168u);
  EXPECT_EQ(weights[1].offset, 64u);
  EXPECT_EQ(weights[2].offset, 164u);
  EXPECT_EQ(layoutWeights({}), 0u);
}

TEST(Artifact, StreamsEachWeightOnceInOrder) {
  ArtifactDesc desc = makeDesc();
  std::string order;
  for (char name : {'a', 'b', 'c'}) {
    WeightDesc weight;
    weight.size = 3;
    weight.stream = [&order, name](WeightSink sink) {
      order += name;
      std::vector<uint8_t> bytes(2, name);
      sink(bytes);
      bytes.pop_back();
      sink(bytes);
      return llvm::Error::success();
    };
    desc.weights.push_back(weight);
  }
  uint64_t total = layoutWeights(desc.weights);
  TemporaryFile file;
  ASSERT_OK(writeArtifact(desc, file.path));
  EXPECT_EQ(order, "abc");
  std::string bytes = readFile(file.path);
  std::string tail =
      bytes.substr(bytes.size() - total + desc.weights[1].offset);
  EXPECT_EQ(tail.substr(0, 5), std::string("aaa\0\0", 5));
  EXPECT_EQ(tail.substr(64, 4), std::string("bbb\0", 4));
  EXPECT_EQ(tail.substr(128), "ccc");
}

TEST(Artifact, AFailedWriteLeavesTheOldFile) {
  TemporaryFile file;
  ASSERT_OK(writeArtifact(makeDesc(), file.path));
  std::string before = readFile(file.path);
  ArtifactDesc desc = makeDesc();
  desc.weights[0].stream = [](WeightSink) {
    return llvm::createStringError("the constant is gone");
  };
  EXPECT_FAILS("the constant is gone", writeArtifact(desc, file.path));
  desc.weights[0].stream = [](WeightSink sink) {
    sink({1, 2, 3});
    return llvm::Error::success();
  };
  EXPECT_FAILS("a constant of 4000 bytes has sent 3",
               writeArtifact(desc, file.path));
  EXPECT_EQ(readFile(file.path), before);
  EXPECT_FAILS("cannot create '/nonexistent/m.tenon'",
               writeArtifact(makeDesc(), "/nonexistent/m.tenon"));
}

TEST(Artifact, AFullDeviceIsAnError) {
  if (!llvm::sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "there is no /dev/full";
  EXPECT_NE("", messageOf(writeArtifact(makeDesc(), "/dev/full/m.tenon")));
}

TEST(ArtifactErrors, Tensors) {
  ArtifactDesc desc = makeDesc();
  desc.architecture = "vax";
  EXPECT_FAILS("unknown architecture 'vax'", refusal(desc));
  desc = makeDesc();
  desc.entries[0].inputs.push_back(desc.entries[0].inputs[0]);
  EXPECT_FAILS("two inputs are named 'x'", refusal(desc));
  desc.entries[0].inputs[1] = {"z", {9, 3}, {}};
  EXPECT_FAILS("input 'z' has an element type that artifacts cannot hold",
               refusal(desc));
  desc.entries[0].inputs[1] = {"z", dtype::f32, std::vector<int64_t>(33, 1)};
  EXPECT_FAILS("input 'z' has more than 32 dimensions", refusal(desc));
  for (int64_t dim : {int64_t(-1), int64_t(1) << 62}) {
    desc.entries[0].inputs[1] = {"z", dtype::f32, {2, dim}};
    EXPECT_FAILS("has a negative or too large shape", refusal(desc));
  }
  desc.entries[0].inputs[1] = {std::string("a\0b", 3), dtype::f32, {}};
  EXPECT_FAILS("has a zero byte in it", refusal(desc));
}

TEST(ArtifactErrors, WeightsAndPlan) {
  ArtifactDesc desc = makeDesc();
  desc.weights.push_back(desc.weights[0]);
  EXPECT_FAILS("weight 1 overlaps the one before (call layoutWeights)",
               refusal(desc));
  desc = makeDesc();
  desc.weights[0].stream = nullptr;
  EXPECT_FAILS("weight 0 has neither a writer nor its bytes", refusal(desc));
  desc = makeDesc();
  desc.variants[0].plan.arenaAlignment = 48;
  EXPECT_FAILS("the arena's alignment is bad", refusal(desc));
  desc = makeDesc();
  desc.variants[0].plan.lowerBoundBytes += 1;
  EXPECT_FAILS("the arena is smaller than its lower bound", refusal(desc));
  desc = makeDesc();
  desc.variants[0].plan.buffers[0].offset = 1;
  EXPECT_FAILS("buffer 0 of the memory plan is bad", refusal(desc));
}

TEST(ArtifactErrors, Guards) {
  EXPECT_EQ("", refusal(makeGuardedDesc()));
  EXPECT_EQ("", refusal(makeGuardedDesc(Guard::Below)));
  ArtifactDesc desc = makeGuardedDesc();
  desc.variants[0].plan.arenaAlignment = 64;
  EXPECT_FAILS("the arena's alignment is not that of guards", refusal(desc));
  desc = makeGuardedDesc();
  desc.variants[0].plan.buffers.push_back(desc.variants[0].plan.buffers[0]);
  EXPECT_FAILS("buffer 0 of a guarded plan has no guard below it",
               refusal(desc));
  desc = makeGuardedDesc();
  desc.variants[0].plan.arenaBytes -= 1;
  EXPECT_FAILS("the last buffer of a guarded plan has no guard above it",
               refusal(desc));
  desc = makeGuardedDesc();
  desc.variants[0].launches[1].refs[0].offset += 4;
  EXPECT_FAILS("launch 1 refers to bytes of no guarded buffer", refusal(desc));
  desc.variants[0].launches[1].refs[0].offset = 0;
  EXPECT_FAILS("launch 1 refers to bytes of no guarded buffer", refusal(desc));
}

TEST(ArtifactErrors, Launches) {
  ArtifactDesc desc = makeDesc();
  desc.variants[0].kernels[0].entry = sizeof addCode;
  EXPECT_FAILS("kernel 'add' is outside the code", refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[1].kernel = 1;
  EXPECT_FAILS("launch 1 calls a kernel that does not exist", refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[1].tiles = -1;
  EXPECT_FAILS("launch 1 of 'add' has negative tiles", refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[1].stream = 1;
  EXPECT_FAILS("launch 1 of 'add' is in a stream, which only devices have",
               refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[1].flops = -1;
  EXPECT_FAILS("launch 1 of 'add' has negative flops or bytes", refusal(desc));
  desc = makeDesc();
  for (int64_t steps : {int64_t(0), INT64_MAX / 2}) {
    desc.variants[0].launches[1].steps = steps;
    EXPECT_FAILS("launch 1 of 'add' has a bad number of steps", refusal(desc));
  }
  desc = makeDesc();
  desc.variants[0].launches[0].readCount = 4;
  EXPECT_FAILS("launch 0 of 'add' reads more operands than it has",
               refusal(desc));
  desc = makeDesc();
  desc.variants[0].kernels[0].checked = true;
  EXPECT_FAILS("launch 1 of 'add' has no fault word in the arena",
               refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[0].refs[2].offset = 4;
  EXPECT_FAILS("operand 2 (4 + 4000 bytes) is outside its space",
               refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[0].refs[0].index = 1;
  EXPECT_FAILS("is outside its space (0 bytes)", refusal(desc));
  desc = makeDesc();
  desc.variants[0].launches[0].readCount = 1;
  EXPECT_FAILS("operand 1 is written, but is an input or a weight",
               refusal(desc));
}

TEST(ArtifactErrors, StaticSymbol) {
  std::string weights;
  llvm::raw_string_ostream os(weights);
  EXPECT_FAILS("'my-model' is not a C identifier",
               writeStaticParts(makeDesc(), "my-model", os));
}

TEST(Artifact, StaticHeaderDeclaresTheModel) {
  ArtifactDesc desc = makeDesc();
  desc.entries[0].inputs[0].name = "x*/int";
  std::string weights;
  llvm::raw_string_ostream os(weights);
  llvm::Expected<StaticParts> parts = writeStaticParts(desc, "net", os);
  ASSERT_TRUE(bool(parts));
  EXPECT_NE(parts->header.find("extern const tenon_static_model net;"),
            std::string::npos);
  EXPECT_NE(parts->header.find("input:  float32 [10x100] x_/int"),
            std::string::npos);
  EXPECT_EQ(parts->weightsBytes, weights.size());
}

TEST(Checksum, PiecesAreLikeTheWhole) {
  std::string data;
  for (int i = 0; i < 1000; ++i)
    data.push_back(char(i * 37));
  for (size_t size : {0, 1, 63, 64, 65, 128, 1000})
    for (size_t piece : {1, 7, 64, 100}) {
      tenon_checksum state;
      tenon_checksum_begin(&state);
      for (size_t at = 0; at < size; at += piece)
        tenon_checksum_update(&state, data.data() + at,
                              std::min(piece, size - at));
      EXPECT_EQ(tenon_checksum_end(&state),
                tenon_checksum_bytes(data.data(), size));
    }
}

TEST(Checksum, SeesEveryBitAndTheLength) {
  std::string data(130, '\0');
  uint64_t sum = tenon_checksum_bytes(data.data(), data.size());
  for (size_t bit = 0; bit < 8 * data.size(); ++bit) {
    std::string other = data;
    other[bit / 8] ^= 1 << bit % 8;
    EXPECT_NE(sum, tenon_checksum_bytes(other.data(), other.size()));
  }
  EXPECT_NE(sum, tenon_checksum_bytes(data.data(), data.size() - 1));
}

TEST(Checksum, IsTheDocumentedFunction) {
  // Fixed for ever: artifacts depend on it.
  EXPECT_EQ(tenon_checksum_bytes("", 0), 1175316848358560259u);
  EXPECT_EQ(tenon_checksum_bytes("tenon", 5), 862074501410711344u);
}
