//===- ResultTile.cpp - from the sums of a block to memory ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Contraction/ResultTile.h"

#include "dialects/Graph/Graph.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::gpu;
using codegen::IndexedTensor;

ResultTile::ResultTile(codegen::KernelBuilder &kernel, ThreadBuilder &t,
                       const Product &product, codegen::Epilogue &epilogue,
                       const tile::GpuProductPlan &plan,
                       ArrayRef<int64_t> alignments)
    : kernel(kernel), t(t), product(product), epilogue(epilogue), plan(plan),
      alignments(alignments), rowCount(product.lhs.rowCount()),
      lanes(neighbours()) {}

//===-- Neighbours --------------------------------------------------------===//

/// Whether so many neighbours are one access wherever a thread finds them.
bool ResultTile::canJoin(unsigned tensor, int64_t count) const {
  const IndexedTensor &own = epilogue.tensors()[tensor];
  if (product.column.strides[tensor] != 1)
    return true;
  auto isMultiple = [&](const ResultDim &dim) {
    return dim.strides[tensor] % count == 0;
  };
  int64_t bytes = count * int64_t(graph::elementBytes(own.element));
  return own.offset.fixed() % count == 0 &&
         alignments[tensor] % std::min<int64_t>(bytes, 16) == 0 &&
         llvm::all_of(product.batch, isMultiple) &&
         llvm::all_of(product.rows, isMultiple);
}

int64_t ResultTile::neighbours() const {
  auto fits = [&](int64_t count) {
    return product.column.extent % count == 0 &&
           llvm::all_of(llvm::seq<unsigned>(0, epilogue.tensors().size()),
                        [&](unsigned i) { return canJoin(i, count); });
  };
  return fits(4) ? 4 : fits(2) ? 2 : 1;
}

//===-- Sums --------------------------------------------------------------===//

void ResultTile::put(Value shared, Value row, Value column, Value first,
                     Value second) {
  OpBuilder &b = t.builder();
  auto type = VectorType::get({2}, b.getF32Type());
  Value pair = LLVM::PoisonOp::create(b, t.loc(), type);
  pair = LLVM::InsertElementOp::create(b, t.loc(), pair, first, t.number(0));
  pair = LLVM::InsertElementOp::create(b, t.loc(), pair, second, t.number(1));
  Value offset = t.mul(t.add(t.mul(row, pitch()), column), 4);
  t.store(pair, t.at(shared, offset), 8);
}

/// In the order of ranks, so that any run gives the same result.
Value ResultTile::sumsAt(Value offset, Value shared, const TilePlace &place) {
  Value total;
  for (int64_t rank = 0; rank < plan.share; ++rank) {
    Value from = place.rank ? t.sharedOf(shared, t.number(rank)) : shared;
    Value own = t.load(t.at(from, offset), sumsType(), lanes * 4);
    total =
        total ? arith::AddFOp::create(t.builder(), t.loc(), total, own) : own;
  }
  return total;
}

//===-- Tensors -----------------------------------------------------------===//

TensorAccess ResultTile::accessOf(unsigned tensor) const {
  int64_t bytes =
      lanes * graph::elementBytes(epilogue.tensors()[tensor].element);
  return {lanes, product.column.strides[tensor], std::min<int64_t>(16, bytes)};
}

//===-- Pieces ------------------------------------------------------------===//

/// Where a row's first element is in each tensor.
static Values offsetsOfRow(ThreadBuilder &t, ArrayRef<ResultDim> dims,
                           ValueRange index, ValueRange bases) {
  Values offsets(bases);
  for (auto [at, dim] : llvm::zip_equal(index, dims))
    for (auto [offset, stride] : llvm::zip_equal(offsets, dim.strides))
      offset = t.add(offset, t.mul(at, stride));
  return offsets;
}

Values ResultTile::rowIndex(Value inTile, const TilePlace &place,
                            Value &exists) {
  if (place.rowIndex) {
    exists = place.rowExists(inTile);
    return place.rowIndex(inTile);
  }
  Value row = t.add(place.row, inTile);
  if (rowCount % plan.rows != 0) {
    exists = t.less(row, rowCount);
    row = t.min(row, rowCount - 1);
  }
  auto extents = llvm::map_to_vector(
      product.rows, [](const ResultDim &dim) { return dim.extent; });
  return t.delinearize(row, extents);
}

ResultTile::Piece ResultTile::pieceOf(Value number, Value shared,
                                      const TilePlace &place) {
  int64_t across = plan.columns / lanes;
  Value inRow = t.mul(t.rem(number, across), lanes);
  Value inTile = t.div(number, across);
  Piece piece;
  Value at = t.mul(t.add(t.mul(inTile, pitch()), inRow), 4);
  piece.sums = sumsAt(at, shared, place);
  Value column = t.add(place.column, inRow);
  // What does not exist is computed as something that does, and not stored.
  Values index = rowIndex(inTile, place, piece.exists);
  if (int64_t columns = product.column.extent; columns % plan.columns != 0) {
    piece.exists = t.both(piece.exists, t.less(column, columns));
    column = t.min(column, columns - lanes);
  }
  piece.offsets = offsetsOfRow(t, product.rows, index, bases);
  for (auto [offset, stride] :
       llvm::zip_equal(piece.offsets, product.column.strides)) {
    offset = t.add(offset, t.mul(column, stride));
    offset =
        arith::ExtSIOp::create(t.builder(), t.loc(), kernel.i64Type(), offset);
  }
  for (unsigned i = 0; i < epilogue.tensors().size(); ++i)
    piece.loaded.push_back(i < epilogue.numResults()
                               ? Value()
                               : accessOf(i).load(kernel, epilogue.tensors()[i],
                                                  piece.offsets[i]));
  return piece;
}

LogicalResult ResultTile::finishPiece(const Piece &piece) {
  FailureOr<codegen::Values> values = epilogue.compute(
      kernel, codegen::narrowFloat(kernel, piece.sums, epilogue.sumType()),
      lanes, [&](unsigned i) { return piece.loaded[i]; });
  if (failed(values))
    return failure();
  t.ifThen(piece.exists, [&] {
    for (auto [i, value] : llvm::enumerate(*values))
      accessOf(i).store(kernel, epilogue.tensors()[i], piece.offsets[i], value);
  });
  return success();
}

/// Loads of all of them come before the first one is stored.
LogicalResult ResultTile::finishPieces(Value first, int64_t count, Value shared,
                                       const TilePlace &place) {
  SmallVector<Piece> pieces;
  for (int64_t i = 0; i < count; ++i)
    pieces.push_back(pieceOf(t.add(first, i * plan.threads()), shared, place));
  for (const Piece &piece : pieces)
    if (failed(finishPiece(piece)))
      return failure();
  return success();
}

LogicalResult ResultTile::finish(Value shared, const TilePlace &place) {
  bases.clear();
  for (const IndexedTensor &tensor : epilogue.tensors())
    bases.push_back(t.number(tensor.offset.fixed()));
  bases = offsetsOfRow(t, product.batch, place.batch, bases);
  int64_t own = plan.rows * plan.columns / lanes / plan.share;
  int64_t turns = own / plan.threads();
  int64_t together = turns % 4 == 0 ? 4 : turns % 2 == 0 ? 2 : 1;
  Value start = place.thread;
  if (place.rank)
    start = t.add(start, t.mul(place.rank, own));
  if (turns == together)
    return finishPieces(start, together, shared, place);
  LogicalResult result = success();
  t.loop(t.number(0), t.number(turns / together), {},
         [&](Value turn, ValueRange) {
           Value first = t.add(start, t.mul(turn, together * plan.threads()));
           result = finishPieces(first, together, shared, place);
           return Values();
         });
  return result;
}
