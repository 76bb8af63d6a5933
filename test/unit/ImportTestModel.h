//===- ImportTestModel.h - serialised models, written by hand -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file writes protobuf's wire format with the field numbers of onnx.proto,
// so that tests control every byte.
//===----------------------------------------------------------------------===//
#ifndef TENON_TEST_UNIT_IMPORTTESTMODEL_H
#define TENON_TEST_UNIT_IMPORTTESTMODEL_H

#include <cstdint>
#include <string>
#include <vector>

namespace wire {

inline std::string varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7)
    out.push_back(char(value | 0x80));
  out.push_back(char(value));
  return out;
}

inline std::string integer(unsigned field, uint64_t value) {
  return varint(field << 3) + varint(value);
}

inline std::string bytes(unsigned field, const std::string &content) {
  return varint(field << 3 | 2) + varint(content.size()) + content;
}

/// TensorProto without data.
inline std::string tensor(const std::string &name,
                          const std::vector<int64_t> &dims, int type) {
  std::string out;
  for (int64_t dim : dims)
    out += integer(1, dim);
  return out + integer(2, type) + bytes(8, name);
}

/// ValueInfoProto of a tensor.
inline std::string value(const std::string &name,
                         const std::vector<int64_t> &dims, int type) {
  std::string shape;
  for (int64_t dim : dims)
    shape += bytes(1, integer(1, dim));
  return bytes(1, name) +
         bytes(2, bytes(1, integer(1, type) + bytes(2, shape)));
}

inline std::string node(const std::string &op, const std::string &name,
                        const std::vector<std::string> &inputs,
                        const std::string &output) {
  std::string out;
  for (const std::string &input : inputs)
    out += bytes(1, input);
  return out + bytes(2, output) + bytes(3, name) + bytes(4, op);
}

/// ModelProto around the fields of a GraphProto.
inline std::string model(const std::string &graph, int opset = 13) {
  return integer(1, 8) + bytes(7, bytes(2, "g") + graph) +
         bytes(8, integer(2, opset));
}

/// y = x + w for tensors of `count` f32, w as the TensorProto `weights`.
inline std::string addModel(int64_t count, const std::string &weights) {
  return model(bytes(1, node("Add", "plus", {"x", "w"}, "y")) +
               bytes(5, weights) + bytes(11, value("x", {count}, 1)) +
               bytes(12, value("y", {count}, 1)));
}

/// The same with w = 0, 1, 2... in raw_data.
inline std::string addModel(int64_t count) {
  std::string raw;
  for (int64_t i = 0; i < count; ++i) {
    float element = float(i);
    raw.append(reinterpret_cast<const char *>(&element), sizeof element);
  }
  return addModel(count, tensor("w", {count}, 1) + bytes(9, raw));
}

} // namespace wire

#endif // TENON_TEST_UNIT_IMPORTTESTMODEL_H
