//===- Product.h - products and convolutions for blocks ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares how a group around a product is read: as on the CPU, but
// for windows that may reach beyond their input, which copies test.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENGPU_CONTRACTION_PRODUCT_H
#define TENON_PASSES_CODEGENGPU_CONTRACTION_PRODUCT_H

#include "lib/Tile/GpuContraction.h"
#include "passes/Codegen/Bodies/Epilogue.h"
#include "passes/Codegen/Groups/ContractionGroup.h"
#include "passes/Codegen/Groups/ContractionNest.h"
#include "passes/CodegenGpu/Strategy.h"

namespace tenon::gpu {

/// One dimension of an operand's rows or steps of k.
struct OperandDim {
  int64_t extent, stride;
};

/// Element `row * stride + step * dilation - pad` of a dimension of the input
/// is there where it is in [0, input): `row` counts the dimension of rows of
/// that number, `step` the dimension of k.
struct WindowBounds {
  size_t rowDim, kDim;
  int64_t input, stride, dilation, pad;
};

/// How an operand of a product lies: rows of A or columns of B, by steps of k.
struct OperandLayout {
  unsigned buffer;
  memory::BufferType type;
  llvm::SmallVector<OperandDim> rows, k;
  llvm::SmallVector<WindowBounds> windows;
  llvm::SmallVector<int64_t> batchStrides;
  int64_t offset = 0;  ///< of the first element
  int64_t aligned = 1; ///< what the address of the buffer is a multiple of, in
                       ///< elements

  int64_t rowCount() const;
  int64_t kCount() const;
  int64_t elementBytes() const;
  /// Whether steps of k lie together in memory, not rows.
  bool isAlongK() const;
  /// Elements that one copy moves.
  int64_t copyElements() const;

private:
  bool canCopy(int64_t elements, bool alongK) const;
};

/// A dimension of the results that blocks or threads run over.
struct ResultDim {
  int64_t extent;
  llvm::SmallVector<int64_t> strides; ///< of each tensor of the epilogue
};

/// A product on its buffers.
struct Product {
  codegen::ContractionOperands at;
  OperandLayout lhs, rhs;
  llvm::SmallVector<ResultDim> batch, rows;
  ResultDim column;

  int64_t batches() const;
  tile::GpuProduct problem(tile::Precision precision) const;
};

/// Whether the group is a product of static sizes that matrix units compute,
/// and all that it yields is as large as the product.
bool isUnitProduct(kernel::GroupOp group);

/// What is multiplied: the elements of the operands decide, then the program's
/// precision.
tile::Precision unitOf(mlir::Type element, tile::Precision precision);

/// How constant right operands are packed: columns one after the other.
inline constexpr codegen::Packing unitPacking{.panel = 1};

/// Which windows of a convolution stand in the operand's layout: those that
/// reach beyond the input, or all where there is more than one tap.
enum class Windows { Outside, All };

/// Reads the group on these buffers; `results` are the strides of the tensors
/// of its epilogue. Fails with a diagnostic.
mlir::FailureOr<Product>
readProduct(kernel::GroupOp group, llvm::ArrayRef<memory::BufferType> operands,
            bool isPacked, codegen::ResultStrides results,
            Windows which = Windows::Outside);

/// The product if all buffers are dense.
mlir::FailureOr<Product> idealProduct(kernel::GroupOp group,
                                      Windows which = Windows::Outside);

} // namespace tenon::gpu

#endif // TENON_PASSES_CODEGENGPU_CONTRACTION_PRODUCT_H
