//===- RunSmallTypesTest.cpp - elements narrower than a byte, and f8 ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file tests how tenon-run holds, reads, writes and makes up elements
// that are only stored.
//===----------------------------------------------------------------------===//
// LINK: TenonRun TenonArtifact tenon_runtime NO_PCH
#include "lib/Run/Driver.h"
#include "test/unit/RunTestTensors.h"
#include <cmath>

using namespace tenon;
using namespace tenon::run;
using namespace tenon::test;

TEST(RunTensor, ReadsSmallElements) {
  auto at = [](uint8_t code, uint8_t bits, uint8_t byte) {
    return makeTensor<uint8_t>("", {code, bits, 1}, {1}, {byte}).at(0);
  };
  EXPECT_EQ(at(TENON_FLOAT8_E4M3FN, 8, 0x7e), 448);
  EXPECT_EQ(at(TENON_FLOAT8_E4M3FN, 8, 0x81), -0x1p-9);
  EXPECT_TRUE(std::isnan(at(TENON_FLOAT8_E4M3FN, 8, 0xff)));
  EXPECT_EQ(at(TENON_FLOAT8_E4M3FNUZ, 8, 0xff), -240);
  EXPECT_TRUE(std::isnan(at(TENON_FLOAT8_E4M3FNUZ, 8, 0x80)));
  EXPECT_EQ(at(TENON_FLOAT8_E5M2, 8, 0x7b), 57344);
  EXPECT_EQ(at(TENON_FLOAT8_E5M2, 8, 0xfc), -INFINITY);
  EXPECT_TRUE(std::isnan(at(TENON_FLOAT8_E5M2, 8, 0x7d)));
  EXPECT_EQ(at(TENON_FLOAT8_E5M2FNUZ, 8, 1), 0x1p-18 * 2);
  EXPECT_EQ(at(TENON_FLOAT8_E8M0FNU, 8, 0), 0x1p-127);
  EXPECT_EQ(at(TENON_FLOAT8_E8M0FNU, 8, 254), 0x1p127);
  EXPECT_TRUE(std::isnan(at(TENON_FLOAT8_E8M0FNU, 8, 255)));
  // Bits above an element's own mean nothing.
  EXPECT_EQ(at(TENON_FLOAT4_E2M1FN, 4, 0xf9), -0.5);
  EXPECT_EQ(at(TENON_FLOAT4_E2M1FN, 4, 0x07), 6);
  EXPECT_EQ(at(TENON_INT, 4, 0x18), -8);
  EXPECT_EQ(at(TENON_UINT, 4, 0xfe), 14);
  EXPECT_EQ(at(TENON_INT, 2, 0x13), -1);
  EXPECT_EQ(at(TENON_UINT, 2, 0x13), 3);
}

TEST(RunTensor, RandomSmallFloatsAreNumbers) {
  for (auto [code, bits] : {std::pair{TENON_FLOAT8_E4M3FN, 8},
                            {TENON_FLOAT8_E4M3FNUZ, 8},
                            {TENON_FLOAT8_E5M2, 8},
                            {TENON_FLOAT8_E5M2FNUZ, 8},
                            {TENON_FLOAT8_E8M0FNU, 8},
                            {TENON_FLOAT4_E2M1FN, 4}}) {
    tenon_dtype type = {uint8_t(code), uint8_t(bits), 1};
    Tensor x = makeTensor<uint8_t>("x", type, {200}, std::vector<uint8_t>(200));
    fillRandom(x, 1);
    bool reachesOne = false;
    for (int i = 0; i < 200; ++i) {
      EXPECT_TRUE(std::fabs(x.at(i)) > 0 && std::fabs(x.at(i)) <= 1)
          << x.spec.str() << " " << x.at(i);
      reachesOne |= std::fabs(x.at(i)) > 0.4;
    }
    EXPECT_TRUE(reachesOne);
  }
}

TEST(RunNpy, HoldsSmallElementsAsBytes) {
  TemporaryFile file;
  tenon_dtype int4 = {TENON_INT, 4, 1};
  Tensor tensor = makeTensor<uint8_t>("t", int4, {3}, {0x08, 0x07, 0x0f});
  ASSERT_EQ("", errorOf(writeNpy(tensor, file.path)));
  Result<Tensor> bytes = readNpy(file.path);
  ASSERT_TRUE(bool(bytes));
  EXPECT_EQ(bytes->spec.str(), "int8 [3]");
  EXPECT_EQ(bytes->at(0), -8);
  std::string named = file.path + ".npy";
  ASSERT_EQ("", errorOf(writeNpy(tensor, named)));
  Result<Tensor> read = readTensor(named, int4);
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->spec.str(), "int4 [3]");
  EXPECT_EQ(0, memcmp(read->data(), tensor.data(), 3));
  tensor.spec.type = {TENON_FLOAT8_E5M2, 8, 1};
  ASSERT_EQ("", errorOf(writeNpy(tensor, named)));
  read = readTensor(named, tensor.spec.type);
  std::remove(named.c_str());
  ASSERT_TRUE(bool(read));
  EXPECT_EQ(read->spec.str(), "float8_e5m2 [3]");
  EXPECT_EQ(0, memcmp(read->data(), tensor.data(), 3));
}

TEST(RunTensorProto, UnpacksSmallElements) {
  TemporaryFile file;
  // dims 3, data_type int4, raw_data 0x78 0x0f.
  writeFile(file.path, std::string("\x08\3\x10\x16\x4a\2\x78\x0f", 8));
  Result<Tensor> raw = readTensorProto(file.path);
  ASSERT_TRUE(bool(raw)) << errorOf(readTensorProto(file.path));
  EXPECT_EQ(raw->spec.str(), "int4 [3]");
  EXPECT_EQ(raw->at(0), -8);
  EXPECT_EQ(raw->at(1), 7);
  EXPECT_EQ(raw->at(2), -1);
  // dims 5, data_type uint2, int32_data 0xe4, 2 (packed).
  writeFile(file.path, std::string("\x08\5\x10\x19\x2a\3\xe4\1\2", 9));
  Result<Tensor> typed = readTensorProto(file.path);
  ASSERT_TRUE(bool(typed)) << errorOf(readTensorProto(file.path));
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(typed->at(i), i);
  EXPECT_EQ(typed->at(4), 2);
  writeFile(file.path, std::string("\x08\5\x10\x19\x2a\1\1", 7));
  EXPECT_ERROR("1 packed bytes instead of 2", readTensorProto(file.path));
}
