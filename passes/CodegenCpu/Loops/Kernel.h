//===- Kernel.h - the loops of a nest ---------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares the driver of kernels of kind `loops`. Reductions split a
// nest into stages; each stage runs over the reduced loops once and either
// updates accumulators or, at the end, stores results:
//
//   for row:                         softmax over R, one row in cache
//     max = fold(R: max, x[r])       stage 1
//     sum = fold(R: +, e[r] = exp(x[r] - max))   stage 2, e is kept
//     for r: y[r] = e[r] * (1 / sum) last stage
//===----------------------------------------------------------------------===//
#ifndef TENON_PASSES_CODEGENCPU_LOOPS_KERNEL_H
#define TENON_PASSES_CODEGENCPU_LOOPS_KERNEL_H

#include "passes/Codegen/Bodies/LoopsBody.h"
#include "passes/Codegen/Bodies/Reduce.h"
#include "passes/Codegen/Builder/LongSum.h"
#include "passes/CodegenCpu/Loops/Moments.h"
#include "passes/CodegenCpu/Loops/Online.h"

namespace tenon::codegen {

/// A node that one stage computes, keeps for the whole row, and later stages
/// read back.
struct KeptNode {
  unsigned node;
  int64_t stage;
  Value buffer;
};

class LoopsKernel {
public:
  LoopsKernel(KernelBuilder &b, const LoopNest &nest,
              const LoopSchedule &schedule)
      : b(b), nest(nest), schedule(schedule), body(b, nest, schedule),
        moments(findMoments(nest, schedule)),
        online(findOnlineSoftmax(nest, schedule)) {}

  /// Builds the function's body; failure after a diagnostic.
  mlir::LogicalResult run();

private:
  using Scopes = llvm::SmallVector<LoopScope *>;

  void versions(LoopScope &entry);
  void keptVersions(LoopScope &entry);
  void tiles(LoopScope &entry);
  void streamTiles(LoopScope &entry);
  void rows(LoopScope &entry, Value first, Value last, const Size &length);
  LoopScope enterRow(LoopScope &entry, Value number);
  void row(LoopScope &entry, Value number, Value low, Value high);
  void withRows(LoopScope &entry, Value first,
                llvm::function_ref<void(llvm::ArrayRef<LoopScope *>)> visit);
  void jammedRows(LoopScope &entry, Value first, Value last);
  void overlappedRows(LoopScope &entry, Value first, Value last);
  bool overlaps() const;
  void tail(const Size &extent, Value from, Value end,
            llvm::function_ref<void(LiveLanes)> visit);
  void vectorLoop(Value low, Value high, const Size &extent,
                  llvm::function_ref<void(Value, int64_t, LiveLanes)> visit);
  void parallelRow(LoopScope &scope, Value low, Value high);
  void parallelPoint(LoopScope &scope, Value i, int64_t unroll, LiveLanes live);
  void storeFull(LoopScope &scope);

  // Stages.
  void runStages(llvm::ArrayRef<LoopScope *> scopes);
  Values startStages(llvm::ArrayRef<LoopScope *> scopes);
  void endStages(llvm::ArrayRef<LoopScope *> scopes, mlir::ValueRange started);
  void storeResults(llvm::ArrayRef<LoopScope *> scopes);
  Values accumulateStage(int64_t stage, llvm::ArrayRef<LoopScope *> scopes);
  void endStage(int64_t stage, llvm::ArrayRef<LoopScope *> scopes,
                mlir::ValueRange accumulators);
  Values iterate(size_t level, int64_t stage,
                 llvm::ArrayRef<LoopScope *> scopes, mlir::ValueRange carried);
  Size termsOf(size_t level, int64_t stage) const;
  Values
  reduceLoop(int64_t stage, const SumRange &range, mlir::ValueRange carried,
             llvm::function_ref<Values(Value, mlir::ValueRange)> body) const;
  Values iterateLanes(int64_t stage, llvm::ArrayRef<LoopScope *> rows,
                      mlir::ValueRange carried);
  Values visitLanes(int64_t stage, llvm::ArrayRef<LoopScope *> rows,
                    int64_t copies, Value i, LiveLanes live,
                    mlir::ValueRange carried);
  bool variesByRow(unsigned node) const;
  void shareColumn(LoopScope &point) const;
  void fetchAhead(int64_t stage, LoopScope &point);
  Values visit(int64_t stage, llvm::ArrayRef<LoopScope *> points,
               mlir::ValueRange carried);
  Values accumulateAt(int64_t stage, LoopScope &point,
                      mlir::ValueRange carried);
  Value accumulateProductAt(unsigned reduce, LoopScope &point,
                            Value accumulator);
  Value maskTail(const Reduction &reduce, Value value, const LoopScope &point);
  llvm::SmallVector<unsigned> reductionsOf(int64_t stage) const;
  int64_t lastReductions() const;
  unsigned reducedNode(unsigned reduce) const;
  Reduction reductionOf(unsigned node) const;

  // Ends of stages. A pack holds a number of each row, or of one row.
  void finish(int64_t stage, llvm::ArrayRef<LoopScope *> rows,
              mlir::ValueRange accumulators);
  Values pack(unsigned node, mlir::ValueRange rows);
  void spread(unsigned node, llvm::ArrayRef<LoopScope *> rows,
              mlir::ValueRange packs);
  Values finishReductions(unsigned node, mlir::ValueRange packs);
  Value operandOfAll(unsigned node, llvm::ArrayRef<LoopScope *> rows);
  void computeTogether(int64_t stage, llvm::ArrayRef<LoopScope *> rows);

  // Moments.
  bool isMoment(unsigned node) const { return moments && moments->has(node); }
  Value firstOf(int64_t stage, LoopScope &row);
  Values addSamples(size_t level, int64_t stage,
                    llvm::ArrayRef<LoopScope *> rows, mlir::ValueRange sums);
  int64_t sampleCount() const;
  Values samplesOf(int64_t stage, llvm::ArrayRef<LoopScope *> rows,
                   int64_t &count);
  void guessMeans(int64_t stage, llvm::ArrayRef<LoopScope *> rows);
  Value accumulateMomentAt(unsigned node, LoopScope &point, Value accumulator);
  void finishMoments(llvm::ArrayRef<LoopScope *> rows, mlir::ValueRange sums,
                     mlir::ValueRange squares);

  // A softmax in one pass.
  bool isOnline(unsigned node) const { return online && online->has(node); }
  void runOnline(int64_t stage, LoopScope &row);
  Values onlineRows(size_t level, int64_t stage, LoopScope &row,
                    mlir::ValueRange state);
  Values onlineBlock(int64_t stage, LoopScope &row, Value low, int64_t length,
                     mlir::ValueRange state);
  Values blockLoop(int64_t stage, LoopScope &row, Value low, int64_t length,
                   mlir::ValueRange initial,
                   llvm::function_ref<Value(LoopScope &, Value)> body);
  void finishOnline(LoopScope &row, mlir::ValueRange state);

  // Kept nodes.
  void chooseKept();
  Size keptLength() const;
  Size keptSlots() const;
  int64_t keptRoom(unsigned node) const;
  Value keptFits();
  int64_t stageCost(int64_t stage) const;
  int64_t costOf(unsigned node, int64_t stage, std::vector<bool> &seen) const;
  Value keptAddress(const KeptNode &kept, LoopScope &scope);
  void loadKept(int64_t stage, LoopScope &scope);
  void storeKept(int64_t stage, LoopScope &scope);

  void interleavedPoint(LoopScope &scope);

  // Transposition.
  void transposedRow(LoopScope &scope, Value low, Value high);
  void square(LoopScope &scope, Value i, LiveLanes liveI, Value j,
              LiveLanes liveJ);
  Values loadSquare(unsigned node, LoopScope &scope, Value i, LiveLanes liveI,
                    Value j, LiveLanes liveJ);
  bool isTransposed(unsigned node) const;
  int64_t squaresOfLine() const;

  bool vectorReduced() const { return nest.reduced(schedule.vector); }
  int64_t copies(int64_t stage) const;

  KernelBuilder &b;
  const LoopNest &nest;
  const LoopSchedule &schedule;
  LoopsBody body;
  std::optional<Moments> moments;
  std::optional<OnlineSoftmax> online;
  llvm::SmallVector<unsigned> rowLoops, reducedLoops;
  llvm::SmallVector<KeptNode> kept;
  llvm::DenseMap<unsigned, Value> squares;
  llvm::DenseMap<unsigned, Value> together; ///< per node, of all rows at hand
  Values guesses;                           ///< of means, as packs
  bool hasFull = false;
};

} // namespace tenon::codegen

#endif // TENON_PASSES_CODEGENCPU_LOOPS_KERNEL_H
