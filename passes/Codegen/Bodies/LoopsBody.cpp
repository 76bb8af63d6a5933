//===- LoopsBody.cpp - values of a loop nest at a point -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Bodies/LoopsBody.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Graph/SmallTypes.h"
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using kernel::LoopNode;

Type LoopsBody::elementOf(unsigned node) const {
  Value tensor = nest.program.nodes[node].value;
  return cast<ShapedType>(tensor.getType()).getElementType();
}

Type LoopsBody::registerTypeOf(unsigned node) const {
  return b.vectorType(elementOf(node), schedule.lanes);
}

//===-- Addresses ---------------------------------------------------------===//

const LoopAccess &LoopsBody::access(unsigned number) const {
  size_t loads = nest.loads.size();
  return number < loads ? nest.loads[number] : nest.stores[number - loads];
}

bool LoopsBody::mayRepeat(unsigned number, unsigned loop) const {
  return !access(number).repeatedAlong(loop).empty() &&
         !(neverRepeats && loop == schedule.vector);
}

/// i1: an extent along the loop is 1.
Value LoopsBody::isRepeated(unsigned number, unsigned loop) {
  Value any;
  for (const Size &extent : access(number).repeatedAlong(loop)) {
    Value is1 = b.equal(b.index(extent), b.index(1));
    any = any ? b.builder().createOrFold<arith::OrIOp>(b.loc(), any, is1) : is1;
  }
  return any;
}

/// Once, at the entry.
void LoopsBody::chooseStrides() {
  for (unsigned number = 0; number < nest.loads.size(); ++number)
    for (unsigned loop = 0; loop < nest.program.loops.size(); ++loop)
      if (mayRepeat(number, loop))
        strides[{number, loop}] =
            b.choose(isRepeated(number, loop), b.index(0),
                     b.index(access(number).strides[loop]));
}

Value LoopsBody::repeatsAlongVector() {
  Value any;
  for (unsigned number = 0; number < nest.loads.size(); ++number) {
    if (!mayRepeat(number, schedule.vector))
      continue;
    Value one = isRepeated(number, schedule.vector);
    any = any ? b.builder().createOrFold<arith::OrIOp>(b.loc(), any, one) : one;
  }
  return any;
}

Value LoopsBody::strideOf(unsigned number, unsigned loop) {
  return mayRepeat(number, loop) ? strides[{number, loop}]
                                 : b.index(access(number).strides[loop]);
}

/// That of neighbouring lanes.
std::optional<int64_t> LoopsBody::knownStride(unsigned number) const {
  const Size &stride = access(number).strides[schedule.vector];
  if (!stride.isFixed() || mayRepeat(number, schedule.vector))
    return std::nullopt;
  return stride.fixed();
}

static Value offsetBy(KernelBuilder &b, Value pointer, const Size &offset,
                      Type element) {
  return offset.isFixed() ? b.at(pointer, offset.fixed(), element)
                          : b.at(pointer, b.index(offset), element);
}

Value LoopsBody::address(unsigned number, LoopScope &scope) {
  const LoopAccess &a = access(number);
  const LoopScope *base = &scope;
  while (base && base->pointers.empty())
    base = base->outer;
  Value pointer = base ? base->pointers[number]
                       : offsetBy(b, b.buffer(a.buffer), a.offset, a.element);
  Value offset = b.index(0);
  for (size_t k = 0; k < a.strides.size(); ++k) {
    if (!scope.index[k] || a.strides[k].is(0) || (base && base->index[k]))
      continue;
    offset = b.add(offset, b.mul(scope.index[k], strideOf(number, k)));
  }
  if (b.constant(offset) != 0)
    pointer = b.at(pointer, offset, a.element);
  int64_t known = base ? base->shift : 0;
  int64_t shift = scope.shift - known;
  if (std::optional<int64_t> stride = knownStride(number))
    return b.at(pointer, shift * *stride, a.element);
  if (shift == 0)
    return pointer;
  Value distance = b.mul(strideOf(number, schedule.vector), shift);
  return b.at(pointer, distance, a.element);
}

//===-- Scopes ------------------------------------------------------------===//

Value LoopsBody::find(unsigned node, const LoopScope &scope) const {
  for (const LoopScope *s = &scope; s; s = s->outer) {
    auto entry = s->values.find(node);
    if (entry != s->values.end())
      return entry->second;
  }
  return Value();
}

bool LoopsBody::isKnown(unsigned node, const LoopScope &scope) const {
  for (size_t k = 0; k < scope.index.size(); ++k)
    if (nest.varies(node, k) && !scope.index[k])
      return false;
  return true;
}

void LoopsBody::prepare(LoopScope &scope, int64_t stage) {
  if (scope.pointers.empty()) {
    Values pointers;
    for (size_t i = 0; i < nest.loads.size() + nest.stores.size(); ++i)
      pointers.push_back(access(i).strides.empty() ? Value()
                                                   : address(i, scope));
    scope.pointers = pointers;
  }
  for (size_t node = 0; node < nest.program.nodes.size(); ++node) {
    const LoopNode &n = nest.program.nodes[node];
    if (n.stage <= stage && n.kind != LoopNode::Reduce && !find(node, scope) &&
        isKnown(node, scope))
      get(node, scope);
  }
}

//===-- Values ------------------------------------------------------------===//

Value LoopsBody::get(unsigned node, LoopScope &scope) {
  if (Value known = find(node, scope))
    return known;
  Value value = compute(node, scope);
  scope.values[node] = value;
  return value;
}

Value LoopsBody::getVector(unsigned node, LoopScope &scope) {
  if (nest.program.nodes[node].kind == LoopNode::Constant)
    return constant(node, schedule.lanes);
  Value value = get(node, scope);
  return isVector(node) ? value : b.splat(value, registerTypeOf(node));
}

Value LoopsBody::constant(unsigned node, int64_t lanes) {
  auto op = cast<graph::ConstantOp>(nest.program.nodes[node].op);
  Type type = b.vectorType(elementOf(node), lanes);
  if (isa<FloatType>(elementOf(node))) {
    APFloat value = op.getValue().getSplatValue<APFloat>();
    if (graph::isSmall(elementOf(node)))
      return b.constantInt(type, value.bitcastToAPInt().getZExtValue());
    bool lossy;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
    return b.constantOf(type, value.convertToDouble());
  }
  APInt value = op.getValue().getSplatValue<APInt>();
  return b.constantInt(type, value.getZExtValue());
}

/// Of a lane that exists; the others are at the place of the last one.
Value LoopsBody::addressOfLane(unsigned number, Value pointer, int64_t lane,
                               const LiveLanes &live) {
  Value index = b.index(lane);
  if (!live.are(schedule.lanes))
    index = b.min(index, b.sub(live.get(b), b.index(1)));
  Value distance = b.mul(index, strideOf(number, schedule.vector));
  return b.at(pointer, distance, access(number).element);
}

/// Lanes that lie so far apart as the run tells, or of which so many exist.
Value LoopsBody::loadLanes(unsigned node, Value pointer,
                           const LiveLanes &live) {
  Type element = nest.loads[node].element, type = registerTypeOf(node);
  Value result = b.constantOf(type, 0);
  for (int64_t lane = 0; lane < schedule.lanes; ++lane) {
    Value piece = b.load(addressOfLane(node, pointer, lane, live),
                         getElementTypeOrSelf(type), element);
    result = vector::InsertOp::create(b.builder(), b.loc(), piece, result,
                                      ArrayRef<int64_t>{lane});
  }
  return result;
}

/// The last lane that exists comes after those that do not, over which it is
/// stored.
void LoopsBody::storeLanes(unsigned number, Value value, Value pointer,
                           const LiveLanes &live) {
  for (int64_t lane = schedule.lanes; lane-- > 0;)
    b.store(b.lane(value, lane), addressOfLane(number, pointer, lane, live),
            access(number).element);
}

/// The tail of a strided operand: only lanes that exist are touched.
Value LoopsBody::loadTail(Value pointer, Type type, int64_t stride,
                          int64_t live, Type element) {
  if (stride == 1)
    return b.loadPart(pointer, type, b.index(live), element);
  Value result = b.constantOf(type, 0);
  for (int64_t lane = 0; lane < live; ++lane) {
    Value piece = b.load(b.at(pointer, lane * stride, element),
                         getElementTypeOrSelf(type), element);
    result = vector::InsertOp::create(b.builder(), b.loc(), piece, result,
                                      ArrayRef<int64_t>{lane});
  }
  return result;
}

/// The access that was built last, but for conversions.
template <typename Access> void LoopsBody::align(unsigned number) {
  if (alignments.empty())
    return;
  Operation *op = &*std::prev(b.builder().getInsertionPoint());
  while (!isa<Access>(op))
    op = op->getPrevNode();
  cast<Access>(op).setAlignment(uint64_t(alignments[number]));
}

Value LoopsBody::load(unsigned node, LoopScope &scope) {
  const LoopAccess &a = nest.loads[node];
  Value pointer = address(node, scope);
  if (!isVector(node))
    return b.load(pointer, b.registerType(a.element), a.element);
  Type type = registerTypeOf(node);
  std::optional<int64_t> stride = knownStride(node);
  if (!stride)
    return loadLanes(node, pointer, scope.live);
  if (scope.live.are(schedule.lanes)) {
    Value loaded = b.loadStrided(pointer, type, *stride, a.element);
    if (*stride == 1)
      align<LLVM::LoadOp>(node);
    return loaded;
  }
  if (scope.live.areKnown())
    return loadTail(pointer, type, *stride, scope.live.known(), a.element);
  if (*stride == 1)
    return b.loadPart(pointer, type, scope.live.get(b), a.element);
  return loadLanes(node, pointer, scope.live);
}

Value LoopsBody::computeOp(unsigned node, LoopScope &scope) {
  const LoopNode &n = nest.program.nodes[node];
  Values operands;
  for (unsigned operand : n.operands)
    operands.push_back(isVector(node) ? getVector(operand, scope)
                                      : get(operand, scope));
  return apply(node, operands, isVector(node) ? schedule.lanes : 1);
}

Value LoopsBody::apply(unsigned node, ValueRange operands, int64_t lanes) {
  if (isSoftmaxPower(nest, node)) {
    Num power = expOfNegative(Num(b, widenFloat(b, operands[0])));
    return narrowFloat(b, power.get(), elementOf(node));
  }
  Operation *op = nest.program.nodes[node].op;
  FailureOr<Value> value = emitElementwise(b, op, operands, lanes);
  if (succeeded(value))
    return *value;
  hasFailed = true;
  return b.constantInt(b.vectorType(elementOf(node), lanes), 0);
}

Value LoopsBody::compute(unsigned node, LoopScope &scope) {
  switch (nest.program.nodes[node].kind) {
  case LoopNode::Load:
    return load(node, scope);
  case LoopNode::Constant:
    return constant(node, 1);
  default:
    return computeOp(node, scope);
  }
}

Value LoopsBody::storesAreAligned() {
  Value behind = b.index(0); // bytes behind the beginnings of lines
  for (const LoopAccess &store : nest.stores) {
    Value address = LLVM::PtrToIntOp::create(b.builder(), b.loc(), b.i64Type(),
                                             b.buffer(store.buffer));
    behind = b.add(behind, b.rem(address, tile::lineBytes));
  }
  return b.equal(behind, b.index(0));
}

void LoopsBody::store(unsigned result, LoopScope &scope) {
  const LoopAccess &a = nest.stores[result];
  unsigned node = nest.program.results[result].node;
  unsigned number = nest.loads.size() + result;
  Value pointer = address(number, scope);
  if (schedule.lanes == 1 || a.strides[schedule.vector].is(0))
    return b.store(get(node, scope), pointer, a.element);
  Value value = getVector(node, scope);
  bool areAll = scope.live.are(schedule.lanes);
  if (areAll && stream)
    return b.storeStreaming(value, pointer, a.element);
  std::optional<int64_t> stride = knownStride(number);
  if (areAll && stride) {
    b.storeStrided(value, pointer, *stride, a.element);
    return *stride == 1 ? align<LLVM::StoreOp>(number) : void();
  }
  if (stride == 1)
    return b.storePart(value, pointer, scope.live.get(b), a.element);
  if (!stride || !scope.live.areKnown())
    return storeLanes(number, value, pointer, scope.live);
  for (int64_t lane = 0; lane < scope.live.known(); ++lane)
    b.store(b.lane(value, lane), b.at(pointer, lane * *stride, a.element),
            a.element);
}
