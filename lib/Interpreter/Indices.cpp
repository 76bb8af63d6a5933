//===- Indices.cpp - what indices pick from -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Interpreter/Indices.h"
#include "lib/Interpreter/Elements.h"

#include "dialects/Graph/Graph.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::interp;

std::optional<Picks> interp::picksOf(Operation *op) {
  auto of = [](Operation *op, int64_t axis) -> std::optional<Picks> {
    auto type = cast<RankedTensorType>(op->getOperand(0).getType());
    if (axis < 0 || axis >= type.getRank())
      return std::nullopt;
    if (type.isDynamicDim(axis))
      return Picks{1, std::nullopt};
    return Picks{1, type.getDimSize(axis)};
  };
  return llvm::TypeSwitch<Operation *, std::optional<Picks>>(op)
      .Case<graph::GatherOp, graph::GatherElementsOp>(
          [&](auto gather) { return of(gather, gather.getAxis()); })
      .Case([&](graph::ScatterOp scatter) { return of(scatter, 0); })
      .Default([](Operation *) { return std::nullopt; });
}

std::string interp::findOutside(const Tensor &indices, int64_t rows) {
  for (int64_t index : loadAll<int64_t>(indices))
    if (index < -rows || index >= rows)
      return "index " + std::to_string(index) +
             " is out of range: it selects from " + std::to_string(rows) +
             " rows";
  return {};
}

std::string interp::findOutside(ElementsAttr indices, int64_t rows) {
  FailureOr<Tensor> tensor = Tensor::viewElements(indices);
  return succeeded(tensor) ? findOutside(*tensor, rows)
                           : "the indices cannot be read";
}
