//===- Problem.cpp - allocation problems as IR ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Memory/Problem.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::memory;

static mem::Buffer bufferOf(StorageOp op) {
  mem::Buffer buffer;
  buffer.id = op.getSymName().str();
  buffer.lower = mem::Clock(op.getLower());
  buffer.upper = mem::Clock(op.getUpper());
  buffer.size = int64_t(op.getSize());
  buffer.alignment = int64_t(op.getAlignment());
  buffer.scope = unsigned(op.getScope());
  buffer.stream = unsigned(op.getStream());
  if (std::optional<uint64_t> fixed = op.getFixed())
    buffer.fixed = int64_t(*fixed);
  return buffer;
}

namespace {
/// Builds a problem from the operations of a body.
class Reader {
public:
  explicit Reader(ProblemOp op) : body(op) {
    for (auto storage : op.getOps<StorageOp>()) {
      indices[storage.getSymNameAttr()] = unsigned(problem.buffers.size());
      problem.buffers.push_back(bufferOf(storage));
    }
  }

  FailureOr<mem::Problem> read() {
    for (auto list : body.getOps<ContiguousOp>())
      if (failed(readList(list)))
        return failure();
    for (auto op : body.getOps<InPlaceOp>())
      if (failed(readOverlay(op, op.getWholeAttr(), op.getPartAttr(), 0,
                             mem::Overlay::InPlace)))
        return failure();
    for (auto op : body.getOps<PieceOp>())
      if (failed(readOverlay(op, op.getWholeAttr(), op.getPartAttr(),
                             int64_t(op.getDelta()), mem::Overlay::View)))
        return failure();
    return std::move(problem);
  }

private:
  FailureOr<unsigned> indexOf(Operation *op, FlatSymbolRefAttr name) const {
    auto found = indices.find(name.getAttr());
    if (found == indices.end())
      return op->emitOpError() << name << " is not a storage of this problem";
    return found->second;
  }

  LogicalResult readList(ContiguousOp op) {
    mem::Contiguous list;
    list.guardBytes = int64_t(op.getGuard());
    for (auto name : op.getMembers().getAsRange<FlatSymbolRefAttr>()) {
      FailureOr<unsigned> index = indexOf(op, name);
      if (failed(index))
        return failure();
      list.buffers.push_back(*index);
    }
    problem.lists.push_back(std::move(list));
    return success();
  }

  LogicalResult readOverlay(Operation *op, FlatSymbolRefAttr whole,
                            FlatSymbolRefAttr part, int64_t delta,
                            mem::Overlay::Kind kind) {
    FailureOr<unsigned> wholeIndex = indexOf(op, whole);
    FailureOr<unsigned> partIndex = indexOf(op, part);
    if (failed(wholeIndex) || failed(partIndex))
      return failure();
    problem.overlays.push_back({*wholeIndex, *partIndex, delta, kind});
    return success();
  }

  ProblemOp body;
  mem::Problem problem;
  llvm::DenseMap<StringAttr, unsigned> indices;
};
} // namespace

FailureOr<mem::Problem> memory::problemOf(ProblemOp op) {
  return Reader(op).read();
}

FailureOr<mem::Solution> memory::solutionOf(ProblemOp op) {
  mem::Solution solution;
  for (auto storage : op.getOps<StorageOp>()) {
    if (!storage.getOffset())
      return storage.emitOpError("has no offset, but the problem is solved");
    solution.offsets.push_back(int64_t(*storage.getOffset()));
  }
  solution.arenas = op.getArenaBytes()->vec();
  return solution;
}

LogicalResult ProblemOp::verifyRegions() {
  for (Operation &op : getBody().front())
    if (!isa<StorageOp, ContiguousOp, InPlaceOp, PieceOp>(op))
      return op.emitOpError("does not belong into a 'memory.problem'");
  FailureOr<mem::Problem> problem = problemOf(*this);
  if (failed(problem))
    return failure();
  if (llvm::Error error = problem->check())
    return emitOpError() << llvm::toString(std::move(error));
  if (!getArenaBytes())
    return success();
  FailureOr<mem::Solution> solution = solutionOf(*this);
  if (failed(solution))
    return failure();
  if (llvm::Error error = mem::validate(*problem, *solution))
    return emitOpError("has a wrong plan: ")
           << llvm::toString(std::move(error));
  return success();
}
