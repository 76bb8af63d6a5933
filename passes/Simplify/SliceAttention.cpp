//===- SliceAttention.cpp - long attentions in slices ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements tenon-slice-attention.
//===----------------------------------------------------------------------===//
#include "passes/Simplify/Passes.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

#include <map>

namespace tenon {
#define GEN_PASS_DEF_SLICEATTENTIONPASS
#include "passes/Simplify/Passes.h.inc"
} // namespace tenon

using namespace mlir;
using namespace tenon;
using namespace tenon::graph;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

//===-- Finding -----------------------------------------------------------===//

namespace {
/// `context = f(q k, ...) v`, where f works on rows.
struct Attention {
  MatmulOp context;
  SmallVector<Operation *> members; ///< `q k` and f, in program order
};
} // namespace

static RankedTensorType scoresOf(MatmulOp context) {
  return typeOf(context.getLhs());
}

/// Whether `op` reduces each row of its operand to one number.
static bool reducesRows(Operation *op) {
  auto isLast = [&](auto reduce) {
    ArrayRef<int64_t> axes = reduce.getAxes();
    return reduce.getKeepDims() && axes.size() == 1 &&
           axes[0] == typeOf(reduce.getInput()).getRank() - 1;
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case<ReduceSumOp, ReduceMaxOp, ReduceMeanOp>(isLast)
      .Default(false);
}

/// Whether rows of the result, which are those of the scores, depend on nothing
/// but the same rows of the operands, and on columns of a product's.
static bool worksOnRows(Operation *op, RankedTensorType scores) {
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return !matmul.getTransposeLhs() && matmul.getType() == scores;
  if (!op->hasTrait<Elementwise>() && !reducesRows(op))
    return false;
  auto result = typeOf(op->getResult(0));
  return result.getRank() == scores.getRank() &&
         result.getShape().drop_back() == scores.getShape().drop_back();
}

/// Something with a row reduction between two products: others, like the two
/// layers of a perceptron, have weights that each slice would read again.
static std::optional<Attention> attentionOf(MatmulOp context) {
  Attention attention{context, {}};
  RankedTensorType scores = scoresOf(context);
  if (context.getTransposeLhs() || !context.getType().hasStaticShape() ||
      context.getType().getShape().drop_back() != scores.getShape().drop_back())
    return std::nullopt;
  SmallPtrSet<Operation *, 16> members;
  auto isInside = [&](OpOperand &use) {
    Operation *user = use.getOwner();
    return user == context ? use.getOperandNumber() == 0
                           : members.contains(user) && !isa<MatmulOp>(user);
  };
  bool hasProduct = false, hasReduction = false;
  for (Operation *op = context->getPrevNode(); op; op = op->getPrevNode()) {
    if (op->use_empty() || !llvm::all_of(op->getUses(), isInside) ||
        !worksOnRows(op, scores))
      continue;
    members.insert(op);
    attention.members.push_back(op);
    hasProduct |= isa<MatmulOp>(op);
    hasReduction |= reducesRows(op);
  }
  std::reverse(attention.members.begin(), attention.members.end());
  if (!hasProduct || !hasReduction)
    return std::nullopt;
  return attention;
}

//===-- Slicing -----------------------------------------------------------===//

/// Extents of a slice of the scores, without columns: what stays in a
/// second-level cache, but not so few rows that copying the second operand of a
/// product into panels counts, and not so many slices that compiling does.
/// Empty where the scores may stay in the third-level cache: there threads that
/// share a slice lose what its nearness gains.
static SmallVector<int64_t> sliceExtents(RankedTensorType scores) {
  constexpr int64_t small = 16 << 20, cache = 512 << 10, mostSlices = 256;
  constexpr int64_t leastRows = 128, mostRows = 256;
  auto rows = int64_t(scores.getRank()) - 2;
  if (!scores.hasStaticShape() || *tensorBytes(scores) <= small ||
      scores.getDimSize(rows) < leastRows)
    return {};
  int64_t budget = std::max(cache, *tensorBytes(scores) / mostSlices);
  int64_t inner =
      scores.getShape().back() * elementBytes(scores.getElementType());
  SmallVector<int64_t> extents(scores.getShape().drop_back());
  for (int64_t i = rows; i >= 0; --i) {
    int64_t most = i == rows ? std::clamp(budget / inner, leastRows, mostRows)
                             : std::max<int64_t>(1, budget / inner);
    int64_t parts = llvm::divideCeil(extents[i], most);
    extents[i] = llvm::divideCeil(extents[i], parts);
    inner *= extents[i];
  }
  return extents;
}

namespace {
/// Where a slice starts and how large it is: leading dimensions of the scores.
struct Box {
  SmallVector<int64_t> starts, sizes;
};

class Slicer {
public:
  Slicer(const Attention &attention, ArrayRef<int64_t> extents)
      : attention(attention), extents(extents), b(attention.context),
        loc(b.getInsertionPoint()->getLoc()),
        shape(scoresOf(attention.context).getShape()) {}

  Value run() { return dimension({}); }

private:
  Value dimension(Box box);
  Value slice(const Box &box);
  Value cut(Value value, const Box &box, size_t dims);
  Value cloneInto(IRMapping &values, Operation *op, const Box &box);

  const Attention &attention;
  ArrayRef<int64_t> extents;
  OpBuilder b;
  Location loc;
  ArrayRef<int64_t> shape;
  /// All slices of a value, by starts and sizes.
  std::map<std::pair<void *, std::vector<int64_t>>, Value> known;
};
} // namespace

/// The results of a box whose last dimensions are still whole.
Value Slicer::dimension(Box box) {
  size_t i = box.starts.size();
  if (i == extents.size())
    return slice(box);
  SmallVector<Value> parts;
  for (int64_t start = 0; start < shape[i]; start += extents[i]) {
    Box part = box;
    part.starts.push_back(start);
    part.sizes.push_back(std::min(extents[i], shape[i] - start));
    parts.push_back(dimension(part));
  }
  if (parts.size() == 1)
    return parts.front();
  return ConcatOp::create(b, loc, parts, i);
}

/// What a box needs of an operand that broadcasts to the scores, whose last
/// dimension is not cut; of a product's second one the batches only.
Value Slicer::cut(Value value, const Box &box, size_t dims) {
  RankedTensorType type = typeOf(value);
  SmallVector<int64_t> starts(type.getRank(), 0), sizes(type.getShape());
  int64_t missing = int64_t(shape.size()) - type.getRank();
  for (auto i = size_t(std::max<int64_t>(0, missing)); i < dims; ++i) {
    if (sizes[i - missing] == 1)
      continue;
    starts[i - missing] = box.starts[i];
    sizes[i - missing] = box.sizes[i];
  }
  if (ArrayRef(sizes) == type.getShape())
    return value;
  std::vector<int64_t> place(starts.begin(), starts.end());
  place.insert(place.end(), sizes.begin(), sizes.end());
  Value &result = known[{value.getAsOpaquePointer(), place}];
  if (!result)
    result = SliceOp::create(b, loc, value, starts, sizes,
                             SmallVector<int64_t>(type.getRank(), 1));
  return result;
}

Value Slicer::cloneInto(IRMapping &values, Operation *op, const Box &box) {
  IRMapping operands = values;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isSecond = isa<MatmulOp>(op) && operand.getOperandNumber() == 1;
    if (!values.contains(operand.get()))
      operands.map(operand.get(),
                   cut(operand.get(), box, extents.size() - isSecond));
  }
  Value copy = b.clone(*op, operands)->getResult(0);
  auto type = typeOf(op->getResult(0));
  SmallVector<int64_t> sizes(box.sizes);
  sizes.push_back(type.getShape().back());
  copy.setType(type.clone(sizes));
  values.map(op->getResult(0), copy);
  return copy;
}

Value Slicer::slice(const Box &box) {
  IRMapping values;
  for (Operation *op : attention.members)
    cloneInto(values, op, box);
  return cloneInto(values, attention.context, box);
}

//===-- The pass ----------------------------------------------------------===//

namespace {
class SliceAttentionPass
    : public tenon::impl::SliceAttentionPassBase<SliceAttentionPass> {
public:
  void runOnOperation() override {
    SmallVector<MatmulOp> products;
    getOperation().walk([&](MatmulOp op) { products.push_back(op); });
    for (MatmulOp context : products)
      sliceAt(context);
  }

private:
  void sliceAt(MatmulOp context) {
    SmallVector<int64_t> extents = sliceExtents(scoresOf(context));
    if (extents.empty())
      return;
    std::optional<Attention> attention = attentionOf(context);
    if (!attention)
      return;
    Value result = Slicer(*attention, extents).run();
    context.getResult().replaceAllUsesWith(result);
    context.erase();
    for (Operation *op : llvm::reverse(attention->members))
      op->erase();
    ++numSliced;
  }
};
} // namespace
