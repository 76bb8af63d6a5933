//===- Images.h - what a program does image by image ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares which values of a program hold the images of its batch,
// one after the other along the first dimension, and which operations compute
// each image from the same one of their operands, by the accesses that they
// state. Words and rows are images as well.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_BATCH_IMAGES_H
#define TENON_PASSES_BATCH_IMAGES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tenon::batch {

class Images {
public:
  /// The batch is the first extent of the first argument.
  explicit Images(mlir::func::FuncOp program);

  /// How many there are; 1 if the program has no batch.
  int64_t count() const { return images; }
  bool areIn(mlir::Value value) const { return holders.contains(value); }
  /// Whether an operation works image by image.
  bool splits(mlir::Operation *op) const { return split.contains(op); }
  /// The type of a value, for so many images.
  mlir::Type typeFor(mlir::Value value, int64_t count) const;

private:
  bool works(mlir::Operation *op) const;

  int64_t images = 1;
  llvm::DenseSet<mlir::Value> holders;
  llvm::DenseSet<mlir::Operation *> split;
};

} // namespace tenon::batch

#endif // TENON_PASSES_BATCH_IMAGES_H
