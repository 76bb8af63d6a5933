//===- Emit.h - builds the code of a contraction ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the emitter of all contractions whose columns are lanes.
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_CONTRACTION_EMIT_H
#define TENON_PASSES_CODEGENCPU_CONTRACTION_EMIT_H

#include "lib/Tile/Contraction.h"
#include "mlir/IR/TypeUtilities.h"
#include "passes/CodegenCpu/Contraction/EpilogueTile.h"
#include "passes/CodegenCpu/Contraction/MicroKernel.h"
#include "passes/CodegenCpu/Contraction/Place.h"
#include "passes/CodegenCpu/Contraction/Plan.h"

namespace tenon::codegen {

/// The part of the columns that one micro-kernel covers, folded steps counted.
struct PanelShape {
  int64_t vectors, lanes;
  int64_t last;      ///< the last vector's existing lanes
  int64_t first = 0; ///< column, of all members'
  Value live;        ///< how many columns exist, where only the run knows it
};

/// One pass over k.
struct KPass {
  Value first, count, isFirst, isLast;
};

/// Rows whose register tiles are `height` rows high, the others one less: the
/// first `tall` ones from row `first` on. Without `first` tiles are numbered
/// over all rows.
struct RowShare {
  Interval tiles;
  Value first, tall;
  int64_t height = 0;
  bool isUniform = false;
  Value runHeight; ///< in place of `height`, which is the most it may be, where
                   ///< only the run knows it
};

/// Register tiles that follow each other in one pass over k.
struct RowBlock : Interval {
  const RowShare &share;
};

/// Emits one kernel: Tiles.cpp has the launch tiles and the rows,
/// SymbolicTiles.cpp those whose number comes in with the call, Contraction.cpp
/// what is inside of them.
class ContractionEmitter {
public:
  ContractionEmitter(const StageRequest &request, ContractionOperands at,
                     ContractionNest nest, Epilogue epilogue)
      : at(at), nest(std::move(nest)),
        plan(fromAttribute<tile::ContractionPlan>(request.plan)),
        isSymbolic(this->nest.isSymbolic()),
        output(std::move(epilogue), plan.mr * plan.nv), b(request.b) {
    lhsType = mlir::getElementTypeOrSelf(at.anchor->getOperand(0));
    memory::BufferType rhs = request.operands[at.rhs];
    rhsType = rhs.getElementType();
    innerRow = this->nest.rowDim(1);
    outerRow = this->nest.rowDim(2);
    packs = needsPacking(this->nest);
    if (Size columns = this->nest.columns(); columns.isFixed())
      panels = tile::ceilDiv(columns.fixed(), plan.panel);
    if (isSymbolic)
      adaptPlan();
    else
      rows = tile::tileRows(this->nest.problem().rows, plan.mr);
  }

  mlir::FailureOr<StageInfo> emit();

private:
  Place tileOrigin(Value batch);
  void emitTile(Value tile);
  void emitShares();
  void emitSharesOf(Interval tiles);
  RowShare rowShare(Interval shares);
  void emitBlocks(const RowShare &share, Interval panelsOf);
  void adaptPlan();
  llvm::ArrayRef<NestDim> outerRows() const {
    return llvm::ArrayRef(nest.rows).drop_back(nest.rows.empty() ? 0 : 1);
  }
  bool cutsCalls() const;
  int64_t callTiles() const;
  int64_t mostRowsOfAll() const;
  StageInfo emitFixed();
  StageInfo emitSymbolic();
  void emitCall(int64_t tiles);
  void emitGridTile(Value tile, llvm::ArrayRef<Size> extents);
  void emitRows(const Place &origin, Interval rowsOf, Interval panelsOf);
  RowShare shareOfRows(Interval rowsOf);
  llvm::SmallVector<RowOffset> rowOffsets(int64_t height, int64_t width);
  void emitAnyPanel(const Place &origin, const RowBlock &of, Value panel);
  void emitPanelAt(const Place &origin, const RowBlock &of, Value panel);
  void emitWideOrNarrow(Value panel, int64_t columns,
                        llvm::function_ref<void()> wide,
                        llvm::function_ref<void(PanelShape)> emitRest);
  void emitLivePanel(Value live, llvm::function_ref<void(PanelShape)> emitRest);
  KPass onlyPass();
  void emitJoinedPanels(const Place &origin, const RowBlock &of, Value panel);
  void emitPanel(const Place &place, const RowBlock &of, PanelShape shape);
  void emitPass(const Place &place, const RowBlock &of, PanelShape shape,
                KPass pass);
  void emitRowTile(const Place &place, const RowBlock &of, Value number,
                   PanelShape shape, KPass pass);
  void emitShareTile(const Place &place, const RowBlock &of, Value number,
                     PanelShape shape, KPass pass);
  void emitMicro(const Place &place, int64_t height, int64_t width, Value slot,
                 Value number, PanelShape shape, KPass pass);
  llvm::SmallVector<ColumnVector> columnsOf(PanelShape shape);
  Values initial(const MicroKernel &kernel, Value slot, KPass pass);
  EpilogueTile resultTile(const Place &place, int64_t height, int64_t width,
                          PanelShape shape) const;
  llvm::SmallVector<EpilogueTile> planesOf(EpilogueTile tile);
  void store(llvm::ArrayRef<EpilogueTile> planes, int64_t width,
             PanelShape shape, ValueRange sums);
  int64_t toNextTile(int64_t height, int64_t width, const Size &outer,
                     const Size &inner) const;
  int64_t rowsAhead(int64_t height, int64_t width) const;
  EpilogueTile tileAhead(EpilogueTile tile, int64_t tiles);
  bool sharesResults(int64_t width) const;
  Values unfolded(ValueRange sums, int64_t vectors);

  /// Of B, of all neighbours that lie side by side.
  int64_t allPanels() const { return batches() * panels; }
  int64_t batches() const;
  /// Launch tiles that share out the panels of the same rows.
  int64_t panelBlocks() const {
    return tile::ceilDiv(allPanels(), plan.panels);
  }
  /// Register tiles that ask for the next block of B: of a thread, if it uses
  /// the same one as others. Where memory is far all are, since one that asks
  /// for more waits for it: 0.9 of the time on one thread, 1.0 on two, each of
  /// which asks for half.
  int64_t tilesThatAsk() const {
    int64_t tiles =
        isSymbolic ? askingTiles : std::min(rows.tiles(), plan.rowTiles);
    bool isShared = plan.shares && !b.target().isMemoryBound();
    return isShared ? tile::ceilDiv(tiles, b.target().threads) : tiles;
  }
  int64_t blockLength() const {
    return plan.kBlock ? plan.kBlock : nest.k.front().extent.fixed();
  }
  int64_t kWithinOuter() const {
    int64_t size = 1;
    for (const NestDim &dim : llvm::ArrayRef(nest.k).drop_front())
      size *= dim.extent.fixed();
    return size;
  }
  PanelShape shapeOf(int64_t columns, int64_t lanes) const {
    int64_t vectors = tile::ceilDiv(columns, lanes);
    return {vectors, lanes, columns - (vectors - 1) * lanes};
  }
  llvm::SmallVector<ReductionDim> reduction() const;

  ContractionOperands at;
  ContractionNest nest;
  tile::ContractionPlan plan;
  bool isSymbolic;
  TileStore output;
  KernelBuilder &b;
  Type lhsType, rhsType;
  tile::RowTiling rows; ///< unless the nest is symbolic
  NestDim innerRow, outerRow;
  int64_t askingTiles = 1;
  int64_t panels = 0; ///< 0: only the run knows it
  bool packs = false;
  Value packed; ///< stack storage of the packed panel
  Value sums;   ///< stack storage of accumulators between k passes
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_CONTRACTION_EMIT_H
