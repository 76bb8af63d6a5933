//===- Epilogue.cpp - what follows an anchor, in registers ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/Epilogue.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Kernel/Buffers.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

Values codegen::elementsAt(KernelBuilder &b, ArrayRef<IndexedTensor> tensors,
                           ValueRange index) {
  Values elements;
  for (const IndexedTensor &tensor : tensors) {
    Value element = b.index(tensor.offset);
    for (auto [dim, at] : llvm::enumerate(index))
      element = b.add(element, b.mul(at, tensor.strides[dim]));
    elements.push_back(element);
  }
  return elements;
}

Value codegen::atSteps(KernelBuilder &b, Value pointer, int64_t count,
                       const Size &stride, Type element) {
  if (stride.isFixed())
    return b.at(pointer, count * stride.fixed(), element);
  return count == 0 ? pointer
                    : b.at(pointer, b.mul(b.index(count), stride), element);
}

static IndexedTensor indexTensor(Value value, unsigned buffer, BufferType type,
                                 ArrayRef<Size> result) {
  return {buffer, value, type.getElementType(), kernel::offsetOf(type),
          broadcastStrides(type, result)};
}

/// Splat constants inside of a group become register constants.
static bool isRegisterConstant(Operation &op) {
  auto constant = dyn_cast<graph::ConstantOp>(op);
  return constant && cast<ElementsAttr>(constant.getValue()).isSplat();
}

/// The cast to f32 that alone reads 16 bits, or null.
static graph::CastOp onlyWidening(Value value) {
  Type own = getElementTypeOrSelf(value);
  if (!value.hasOneUse() || !(own.isF16() || own.isBF16()))
    return {};
  auto cast = dyn_cast<graph::CastOp>(*value.user_begin());
  return cast && getElementTypeOrSelf(cast.getType()).isF32() ? cast
                                                              : graph::CastOp();
}

FailureOr<Epilogue> Epilogue::create(const StageRequest &request) {
  kernel::GroupOp group = request.group;
  Operation *anchorOp = group.getAnchor();
  Sizes shape = graph::sizesOf(anchorOp->getResult(0).getType());
  Operation *yield = group.getBlock().getTerminator();
  SmallVector<IndexedTensor> results;
  for (auto [i, type] : llvm::enumerate(request.results))
    results.push_back(indexTensor(yield->getOperand(i),
                                  request.operands.size() + i, type, shape));
  SmallVector<Operation *> following;
  for (Operation &op : group.getBlock().without_terminator())
    if (&op != anchorOp)
      following.push_back(&op);
  return create(anchorOp, following, results, request.operands);
}

FailureOr<Epilogue> Epilogue::create(Operation *anchorOp,
                                     ArrayRef<Operation *> following,
                                     ArrayRef<IndexedTensor> results,
                                     ArrayRef<BufferType> operands) {
  Epilogue epilogue;
  graph::CastOp widening = onlyWidening(anchorOp->getResult(0));
  epilogue.anchor = anchorOp->getResult(0);
  if (widening)
    epilogue.anchor = widening.getResult();
  Sizes shape = graph::sizesOf(epilogue.anchor.getType());
  llvm::append_range(epilogue.all, results);
  epilogue.results = results.size();
  llvm::SmallPtrSet<void *, 8> seen;
  for (Operation *op : following) {
    if (op == widening)
      continue;
    if (!isElementwise(op) && !isRegisterConstant(*op))
      return op->emitError("'") << op->getName() << "' cannot follow '"
                                << anchorOp->getName() << "' in one kernel";
    epilogue.operations.push_back(op);
    for (Value operand : op->getOperands()) {
      auto argument = dyn_cast<BlockArgument>(operand);
      if (!argument || !seen.insert(argument.getAsOpaquePointer()).second)
        continue;
      unsigned number = argument.getArgNumber();
      epilogue.all.push_back(
          indexTensor(argument, number, operands[number], shape));
    }
  }
  return epilogue;
}

void Epilogue::runAlong(ArrayRef<Size> strides) {
  for (auto [tensor, stride] : llvm::zip_equal(all, strides))
    if (!tensor.strides.empty())
      tensor.strides.back() = stride;
}

int64_t Epilogue::cost() const {
  int64_t total = 0;
  for (Operation *op : operations)
    total += isElementwise(op) ? elementwiseCost(op) : 0;
  return total;
}

Value codegen::loadLanes(KernelBuilder &b, Value pointer, Type vector,
                         int64_t stride, int64_t count, Type element,
                         Value live) {
  auto type = dyn_cast<VectorType>(vector);
  if (!type || stride == 0)
    return b.loadBroadcast(pointer, vector, element);
  if (live)
    return b.loadPart(pointer, vector, live, element);
  bool whole = count == type.getNumElements();
  if (stride == 1)
    return whole ? b.load(pointer, vector, element)
                 : b.loadPart(pointer, vector, b.index(count), element);
  if (whole)
    return b.loadStrided(pointer, vector, stride, element);
  Value result = b.constantOf(vector, 0);
  for (int64_t lane = 0; lane < count; ++lane) {
    Value piece = b.load(b.at(pointer, lane * stride, element),
                         type.getElementType(), element);
    result = vector::InsertOp::create(b.builder(), b.loc(), piece, result,
                                      ArrayRef<int64_t>{lane});
  }
  return result;
}

void codegen::storeLanes(KernelBuilder &b, Value value, Value pointer,
                         int64_t stride, int64_t count, Type element,
                         Value live) {
  auto type = dyn_cast<VectorType>(value.getType());
  if (!type)
    return b.store(value, pointer, element);
  if (live)
    return b.storePart(value, pointer, live, element);
  bool whole = count == type.getNumElements();
  if (stride == 1)
    return whole ? b.store(value, pointer, element)
                 : b.storePart(value, pointer, b.index(count), element);
  if (whole)
    return b.storeStrided(value, pointer, stride, element);
  for (int64_t lane = 0; lane < count; ++lane)
    b.store(b.lane(value, lane), b.at(pointer, lane * stride, element),
            element);
}

namespace {
/// Lanes whose elements lie behind each other.
struct Piece {
  int64_t lane, count, displacement;
};
} // namespace

static SmallVector<Piece, 2> piecesOf(const Segment &segment, unsigned tensor,
                                      int64_t stride) {
  int64_t first =
      segment.parts.empty() ? segment.count : segment.parts.front().lane;
  SmallVector<Piece, 2> pieces = {{0, first, 0}};
  for (const SegmentPart &part : segment.parts) {
    Piece &last = pieces.back();
    int64_t displacement = part.displacements[tensor];
    int64_t behind = last.displacement + (part.lane - last.lane) * stride;
    if (displacement == behind)
      last.count += part.count;
    else
      pieces.push_back({part.lane, part.count, displacement});
  }
  return pieces;
}

/// `vector` with the first lanes of `other` from `lane` on.
static Value moveLanes(KernelBuilder &b, Value vector, Value other,
                       int64_t lane) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  return b.permute(vector, other, lanes,
                   [&](int64_t i) { return i < lane ? i : lanes + i - lane; });
}

/// The lanes of `vector` from `lane` on, first.
static Value takeLanes(KernelBuilder &b, Value vector, int64_t lane) {
  int64_t lanes = cast<VectorType>(vector.getType()).getNumElements();
  return b.permute(vector, vector, lanes,
                   [&](int64_t i) { return std::min(i + lane, lanes - 1); });
}

Value Epilogue::loadOperand(KernelBuilder &b, unsigned index,
                            const Segment &segment) {
  const IndexedTensor &tensor = all[index];
  ArrayRef<Size> strides = tensor.strides;
  bool sameRows =
      strides.empty() ||
      llvm::all_of(strides.drop_back(), [](const Size &s) { return s.is(0); });
  int64_t stride = strides.empty() ? 0 : strides.back().fixed();
  bool sameVectors = stride == 0 && segment.parts.empty();
  Value &known = loads[{index, sameRows ? -1 : segment.row,
                        sameVectors ? -1 : segment.vector}];
  if (known)
    return known;
  Type vector = b.vectorType(tensor.element, segment.lanes);
  Value pointer = segment.pointer(index);
  for (const Piece &piece : piecesOf(segment, index, stride)) {
    Value loaded =
        loadLanes(b, b.at(pointer, piece.displacement, tensor.element), vector,
                  stride, piece.count, tensor.element, segment.live);
    known = known ? moveLanes(b, known, loaded, piece.lane) : loaded;
  }
  return known;
}

void Epilogue::storeResult(KernelBuilder &b, unsigned index, Value value,
                           const Segment &segment) {
  const IndexedTensor &tensor = all[index];
  int64_t stride = tensor.strides.empty() ? 0 : tensor.strides.back().fixed();
  Value pointer = segment.pointer(index);
  for (const Piece &piece : piecesOf(segment, index, stride)) {
    Value lanes = piece.lane ? takeLanes(b, value, piece.lane) : value;
    storeLanes(b, lanes, b.at(pointer, piece.displacement, tensor.element),
               stride, piece.count, tensor.element, segment.live);
  }
}

static Value registerConstant(KernelBuilder &b, graph::ConstantOp constant,
                              int64_t lanes) {
  auto elements = cast<ElementsAttr>(constant.getValue());
  Type type = b.vectorType(elements.getElementType(), lanes);
  Attribute value = elements.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(value))
    return b.constantOf(type, number.getValueAsDouble());
  return b.constantInt(
      type, int64_t(cast<IntegerAttr>(value).getValue().getZExtValue()));
}

FailureOr<Values> Epilogue::compute(KernelBuilder &b, Value sums, int64_t lanes,
                                    function_ref<Value(unsigned)> load) {
  llvm::DenseMap<Value, Value> known;
  known[anchor] = sums;
  auto resolve = [&](Value value) {
    auto found = known.find(value);
    if (found != known.end())
      return found->second;
    for (unsigned i = results; i < all.size(); ++i)
      if (all[i].value == value)
        return known[value] = load(i);
    return Value();
  };
  for (Operation *op : operations) {
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      known[constant.getResult()] = registerConstant(b, constant, lanes);
      continue;
    }
    SmallVector<Value> operands;
    for (Value operand : op->getOperands())
      operands.push_back(resolve(operand));
    FailureOr<Value> result = emitElementwise(b, op, operands, lanes);
    if (failed(result))
      return failure();
    known[op->getResult(0)] = *result;
  }
  Values values;
  for (unsigned i = 0; i < results; ++i)
    values.push_back(known.lookup(all[i].value));
  return values;
}

LogicalResult Epilogue::apply(KernelBuilder &b, Value sums,
                              const Segment &segment) {
  FailureOr<Values> values = compute(b, sums, segment.lanes, [&](unsigned i) {
    return loadOperand(b, i, segment);
  });
  if (failed(values))
    return failure();
  for (auto [i, value] : llvm::enumerate(*values))
    storeResult(b, i, value, segment);
  return success();
}
