//===- RunTestTensors.h - tensors and errors for tests of lib/Run -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_RUNTESTTENSORS_H
#define TENON_TEST_UNIT_RUNTESTTENSORS_H

#include "lib/Run/Tensor.h"
#include "lib/Support/Result.h"
#include "test/unit/ArtifactTestModel.h"
#include <cstring>
#include <fstream>

namespace tenon::test {

inline constexpr tenon_dtype f32 = {TENON_FLOAT, 32, 1};
inline constexpr tenon_dtype i64 = {TENON_INT, 64, 1};

template <typename T>
run::Tensor makeTensor(const std::string &name, tenon_dtype type,
                       std::vector<int64_t> shape, std::vector<T> values) {
  Result<run::Tensor> tensor = run::Tensor::make({name, type, shape});
  EXPECT_TRUE(bool(tensor));
  memcpy(tensor->data(), values.data(), tensor->byteSize());
  return std::move(*tensor);
}

template <typename T> std::string errorOf(Result<T> result) {
  return result ? "" : result.error().message;
}

#define EXPECT_ERROR(text, result)                                             \
  EXPECT_PRED_FORMAT2(testing::IsSubstring, text, tenon::test::errorOf(result))

inline void writeFile(const std::string &path, const std::string &bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace tenon::test

#endif // TENON_TEST_UNIT_RUNTESTTENSORS_H
