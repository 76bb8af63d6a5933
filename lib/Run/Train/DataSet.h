//===- DataSet.h - rows in batches ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares a data set: tensors whose first dimension counts rows,
// which batches take in an order that a seed and the epoch decide.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_TRAIN_DATASET_H
#define TENON_RUN_TRAIN_DATASET_H

#include "lib/Run/Options.h"
#include "lib/Run/Tensor.h"

namespace tenon::run {

class DataSet {
public:
  /// Reads `sources` for inputs of these names; `option` is where they come
  /// from, for errors. Rows that fill no batch are left out.
  static Result<DataSet> read(const std::vector<Assignment> &sources,
                              const std::vector<TensorSpec> &inputs,
                              const std::string &option);

  int64_t rows() const { return rowCount; }
  int64_t batches() const { return rowCount / batchRows; }
  int64_t batchSize() const { return batchRows; }
  bool has(size_t input) const { return !tensors[input].spec.name.empty(); }

  /// Puts the rows in the order of an epoch; without, they are as in the files.
  void shuffle(uint64_t seed, int64_t epoch);

  /// Copies the rows of a batch to the inputs that they are for.
  void fill(int64_t batch, std::vector<Tensor> &inputs) const;

private:
  /// One for each input; those that are not in the set have no name.
  std::vector<Tensor> tensors;
  std::vector<int64_t> order;
  int64_t rowCount = -1, batchRows = 0;

  Status add(Tensor tensor, size_t input, const TensorSpec &spec);
};

} // namespace tenon::run

#endif // TENON_RUN_TRAIN_DATASET_H
