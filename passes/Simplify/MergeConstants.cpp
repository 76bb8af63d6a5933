//===- MergeConstants.cpp - equal constants become one --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-merge-constants. Comparisons end at the first
// difference, so that only equal constants are read as a whole.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Interpreter.h"
#include "passes/Simplify/Passes.h"

#include "llvm/ADT/MapVector.h"

#include <cstring>

namespace tenon {
#define GEN_PASS_DEF_MERGECONSTANTSPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;
using interp::Tensor;

/// Whether the matrix `a` is the transpose of `b`, compared in squares that
/// stay in the cache.
static bool isTranspose(const Tensor &a, const Tensor &b) {
  constexpr int64_t side = 32;
  int64_t rows = a.getShape()[0], columns = a.getShape()[1];
  int64_t size = a.bytes().size() / a.size();
  auto squareIsEqual = [&](int64_t row, int64_t column) {
    for (int64_t i = row; i < std::min(row + side, rows); ++i)
      for (int64_t j = column; j < std::min(column + side, columns); ++j)
        if (std::memcmp(&a.bytes()[(i * columns + j) * size],
                        &b.bytes()[(j * rows + i) * size], size) != 0)
          return false;
    return true;
  };
  for (int64_t row = 0; row < rows; row += side)
    for (int64_t column = 0; column < columns; column += side)
      if (!squareIsEqual(row, column))
        return false;
  return true;
}

namespace {
class MergeConstantsPass
    : public tenon::impl::MergeConstantsPassBase<MergeConstantsPass> {
public:
  using MergeConstantsPassBase::MergeConstantsPassBase;

  void runOnOperation() override {
    getOperation().walk([&](Block *block) { merge(*block); });
  }

private:
  struct Known {
    ConstantOp constant;
    Tensor elements;
  };

  /// The elements of a constant that is worth comparing; splats are small.
  Tensor elementsOf(ConstantOp constant) const {
    if (*tensorBytes(constant.getType()) < minBytes ||
        isa<SplatElementsAttr>(constant.getValue()))
      return Tensor();
    FailureOr<Tensor> tensor = Tensor::viewElements(constant.getValue());
    return succeeded(tensor) ? *tensor : Tensor();
  }

  void merge(Block &block) {
    llvm::MapVector<Type, SmallVector<Known>> kept;
    for (Operation &op : llvm::make_early_inc_range(block))
      if (auto constant = dyn_cast<ConstantOp>(op))
        if (Tensor elements = elementsOf(constant))
          mergeEqual(kept[constant.getType()], constant, elements);
    for (auto matmul : block.getOps<MatmulOp>())
      readTable(matmul, kept);
  }

  void mergeEqual(SmallVector<Known> &others, ConstantOp constant,
                  const Tensor &elements) {
    for (Known &other : others)
      if (other.elements.bytes() == elements.bytes()) {
        constant.replaceAllUsesWith(other.constant.getResult());
        constant.erase();
        ++numMerged;
        return;
      }
    others.push_back({constant, elements});
  }

  /// Weights that are a transposed copy of a table that rows are gathered from
  /// are read from the table.
  void readTable(MatmulOp op, llvm::MapVector<Type, SmallVector<Known>> &kept) {
    auto weights = op.getRhs().getDefiningOp<ConstantOp>();
    auto type = op.getRhs().getType();
    Tensor elements = weights ? elementsOf(weights) : Tensor();
    if (!elements || type.getRank() != 2 || op.getTransposeRhs())
      return;
    Type other = type.clone({type.getDimSize(1), type.getDimSize(0)});
    for (Known &table : kept[other]) {
      bool isGathered =
          llvm::any_of(table.constant->getUsers(), llvm::IsaPred<GatherOp>);
      if (!isGathered || !isTranspose(table.elements, elements))
        continue;
      op.getRhsMutable().assign(table.constant);
      op.setTransposeRhs(true);
      // It may have stood behind the product.
      table.constant->moveBefore(&op->getBlock()->front());
      ++numMerged;
      return;
    }
  }
};
} // namespace
