//===- DataSet.cpp - rows in batches --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Train/DataSet.h"

#include "lib/Run/Inputs.h"

#include <cstring>
#include <numeric>

using namespace tenon;
using namespace tenon::run;

/// Whether rows are as the model takes them.
static bool fits(const Tensor &tensor, const TensorSpec &spec) {
  const std::vector<int64_t> &shape = tensor.spec.shape;
  return tensor.isTensor() && !tensor.isOfStrings() &&
         sameType(tensor.spec.type, spec.type) && !spec.shape.empty() &&
         shape.size() == spec.shape.size() &&
         std::equal(shape.begin() + 1, shape.end(), spec.shape.begin() + 1);
}

Status DataSet::add(Tensor tensor, size_t input, const TensorSpec &spec) {
  if (!fits(tensor, spec))
    return Error{"'" + spec.name + "' is " + tensor.str() +
                 "; the model takes batches of it, " + spec.str()};
  int64_t rows = tensor.spec.shape[0], batch = spec.shape[0];
  if (rowCount >= 0 && rows != rowCount)
    return Error{"'" + spec.name + "' has " + std::to_string(rows) +
                 " rows, and another input " + std::to_string(rowCount)};
  if (batchRows && batch != batchRows)
    return Error{"'" + spec.name + "' has batches of " + std::to_string(batch) +
                 ", and another input of " + std::to_string(batchRows) +
                 ": give it by --input"};
  if (batch < 1 || rows < batch)
    return Error{"'" + spec.name + "' has " + std::to_string(rows) +
                 " rows, less than a batch, " + std::to_string(batch)};
  rowCount = rows;
  batchRows = batch;
  tensors[input] = std::move(tensor);
  tensors[input].spec.name = spec.name;
  return Done{};
}

Result<DataSet> DataSet::read(const std::vector<Assignment> &sources,
                              const std::vector<TensorSpec> &inputs,
                              const std::string &option) {
  DataSet set;
  set.tensors.resize(inputs.size());
  for (const Assignment &source : sources) {
    Result<int64_t> input = findTensor(source, inputs, "input");
    if (!input)
      return Error{option + ": " + input.error().message};
    Result<Tensor> tensor = readValue(source.value, inputs[*input]);
    if (!tensor)
      return Error{option + ": " + tensor.error().message};
    if (Status status =
            set.add(std::move(*tensor), size_t(*input), inputs[*input]);
        !status)
      return Error{option + ": " + status.error().message};
  }
  set.order.resize(size_t(std::max<int64_t>(set.rowCount, 0)));
  std::iota(set.order.begin(), set.order.end(), 0);
  return set;
}

/// splitmix64.
static uint64_t next(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void DataSet::shuffle(uint64_t seed, int64_t epoch) {
  uint64_t state = seed;
  state = next(state) ^ uint64_t(epoch);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = order.size(); i > 1; --i)
    std::swap(order[i - 1], order[next(state) % i]);
}

void DataSet::fill(int64_t batch, std::vector<Tensor> &inputs) const {
  const int64_t *rows = &order[size_t(batch * batchRows)];
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (!has(i))
      continue;
    size_t bytes = tensors[i].byteSize() / size_t(rowCount);
    for (int64_t row = 0; row < batchRows; ++row)
      std::memcpy(inputs[i].data() + size_t(row) * bytes,
                  tensors[i].data() + size_t(rows[row]) * bytes, bytes);
  }
}
