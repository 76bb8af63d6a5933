//===- GraphRecurrent.cpp - loops over time -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file implements recurrent layers and their split into one product over
// all time steps and the sequential rest.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDetail.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tenon::graph;
using namespace tenon::graph::detail;

static int64_t gatesOf(Cell cell) {
  return cell == Cell::Rnn ? 1 : cell == Cell::Gru ? 3 : 4;
}

static int64_t directionsOf(Direction direction) {
  return direction == Direction::Bidirectional ? 2 : 1;
}

static RankedTensorType typeOf(Value value) {
  return value ? cast<RankedTensorType>(value.getType()) : RankedTensorType();
}

/// Whether an operand is absent or has these dimensions (-1: any).
static bool hasShape(Value value, ArrayRef<int64_t> shape) {
  auto type = typeOf(value);
  if (!type)
    return true;
  if (type.getRank() != static_cast<int64_t>(shape.size()))
    return false;
  for (auto [actual, wanted] : llvm::zip(type.getShape(), shape))
    if (!ShapedType::isDynamic(actual) && wanted >= 0 && actual != wanted)
      return false;
  return true;
}

/// What both operations check; `steps` and `batch` as dimensions.
template <typename Adaptor>
static LogicalResult inferLayer(Loc loc, Adaptor op, Type element,
                                Attribute steps, Attribute batch,
                                int64_t hidden, Types &results) {
  int64_t directions = directionsOf(op.getDirection());
  int64_t batches = ShapedType::isDynamic(sizeOf(batch)) ? -1 : sizeOf(batch);
  size_t perDirection = op.getCell() == Cell::Rnn   ? 1
                        : op.getCell() == Cell::Gru ? 2
                                                    : 3;
  if (op.getActivations().size() != perDirection * directions)
    return refuse(loc,
                  "needs " + Twine(perDirection * directions) + " activations");
  if (!hasShape(op.getInitialH(), {directions, batches, hidden}) ||
      !hasShape(op.getInitialC(), {directions, batches, hidden}))
    return refuse(loc, "initial states must be [directions, batch, hidden]");
  if (!hasShape(op.getPeephole(), {directions, 3 * hidden}))
    return refuse(loc, "peephole must be [directions, 3 * hidden]");
  if (!hasShape(op.getLengths(), {batches}))
    return refuse(loc, "lengths must be [batch]");
  MLIRContext *context = element.getContext();
  Attribute d = sizeDim(context, directions), h = sizeDim(context, hidden);
  auto last = typeFromDims({d, batch, h}, element);
  results.push_back(typeFromDims({steps, d, batch, h}, element));
  results.append({last, last});
  return success();
}

//===-- Accesses ----------------------------------------------------------===//

/// Steps, directions, sequences and units, then the units of the step before
/// that each unit's gates sum over.
static IterationDomain layerDomain(RankedTensorType all) {
  IterationDomain domain = windowDomain(all, all.getShape().back());
  domain.dims.front().kind = DimKind::Sequential;
  return domain;
}

namespace {
/// A gate's row of a unit; `ofAll`: of each unit that is summed over.
struct Gate {
  AffineExpr row;
  bool ofAll;
  AccessKind kind;
};

/// The accesses of a layer, or of its sequential part, in order.
template <typename Op> class LayerAccesses {
public:
  explicit LayerAccesses(Op op);

  AffineExpr t, d, b, h, k; ///< the domain
  AffineExpr any(unsigned dim) const { return maker.any(dim); }
  /// The unit before that a gate's matrix takes, in dimension `dim` of it.
  AffineExpr before(const Gate &gate, unsigned dim) const {
    return gate.ofAll ? any(dim) : k;
  }

  /// Reads operand `index` of the definition, if it is there.
  void read(unsigned index, ArrayRef<AffineExpr> exprs, AccessKind kind);
  void read(unsigned index, ArrayRef<AffineExpr> exprs) {
    read(index, exprs, always);
  }
  /// What each unit needs. Where a GRU's candidate sums over the reset state,
  /// it needs the reset gates of all units.
  SmallVector<Gate> gates();
  /// Reads lengths, initial states and peepholes, the first of which is
  /// operand `index`, and the state before; writes the results.
  SmallVector<Access> finish(unsigned index);

  /// Accesses at all steps, and at those with a state that is not zero.
  AccessKind always, withState;

private:
  void readStateBefore();

  Op op;
  AccessMaker maker;
  int64_t hidden;
  SmallVector<Access> accesses;
};
} // namespace

template <typename Op>
LayerAccesses<Op>::LayerAccesses(Op op)
    : op(op), maker(op.getContext(), 5),
      hidden(op.getAll().getType().getShape().back()) {
  t = maker.dim(0), d = maker.dim(1), b = maker.dim(2), h = maker.dim(3);
  k = maker.dim(4);
  bool starts =
      op.getInitialH() && (op.getCell() != Cell::Lstm || op.getInitialC());
  always = op.getLengths() ? AccessKind::Gather : AccessKind::Exact;
  withState = op.getLengths() || starts ? always : AccessKind::Over;
}

template <typename Op>
void LayerAccesses<Op>::read(unsigned index, ArrayRef<AffineExpr> exprs,
                             AccessKind kind) {
  auto [number, count] = op.getODSOperandIndexAndLength(index);
  if (count != 0)
    accesses.push_back(maker.read(number, exprs, kind));
}

template <typename Op> SmallVector<Gate> LayerAccesses<Op>::gates() {
  constexpr int64_t reset = 1, forget = 2;
  bool isGru = op.getCell() == Cell::Gru, isLstm = op.getCell() == Cell::Lstm;
  SmallVector<Gate> gates;
  for (int64_t gate = 0; gate < gatesOf(op.getCell()); ++gate) {
    bool isReset = isGru && gate == reset, isForget = isLstm && gate == forget;
    if (isForget && op.getInputForget())
      continue;
    bool ofAll = isReset && !op.getLinearBeforeReset();
    gates.push_back({(ofAll ? k : h) + gate * hidden, ofAll,
                     isReset || isForget ? withState : always});
  }
  return gates;
}

template <typename Op> void LayerAccesses<Op>::readStateBefore() {
  Outside outside = op.getInitialH() ? Outside::Value : Outside::Zero;
  bool both = op.getDirection() == Direction::Bidirectional;
  AccessKind kind = both && !op.getLengths() ? AccessKind::Over : always;
  if (op.getDirection() != Direction::Reverse)
    accesses.push_back(maker.readBack(0, {t - 1, d, b, k}, kind, outside));
  if (op.getDirection() != Direction::Forward)
    accesses.push_back(maker.readBack(0, {t + 1, d, b, k}, kind, outside));
}

template <typename Op>
SmallVector<Access> LayerAccesses<Op>::finish(unsigned index) {
  AccessKind first = op.getLengths() ? AccessKind::Gather : AccessKind::Over;
  read(index, {b}, AccessKind::Exact);
  read(index + 1, {d, b, k}, first);
  if (op.getCell() == Cell::Lstm) {
    read(index + 2, {d, b, h}, first);
    // Of the input, output and forget gate; the second sees the new state.
    for (int64_t gate = 0; gate < (op.getInputForget() ? 2 : 3); ++gate)
      read(index + 3, {d, h + gate * hidden}, gate == 1 ? always : withState);
  }
  readStateBefore();
  accesses.push_back(maker.writeIdentity(0, 4));
  accesses.push_back(maker.write(1, {d, b, h}));
  accesses.push_back(maker.write(2, {d, b, h}));
  return std::move(accesses);
}

//===-- recurrent ---------------------------------------------------------===//

LogicalResult RecurrentOp::inferReturnTypes(
    MLIRContext *, Loc loc, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto input = typeOf(op.getInput()), recurrence = typeOf(op.getRecurrence());
  auto weights = typeOf(op.getWeights());
  if (input.getRank() != 3 || recurrence.getRank() != 3 ||
      weights.getRank() != 3 || weights.isDynamicDim(0) ||
      weights.isDynamicDim(1) || !recurrence.hasStaticShape())
    return refuse(loc, "input, weights and recurrence need rank 3, the latter "
                       "two static but for the length of inputs");
  int64_t directions = directionsOf(op.getDirection());
  int64_t hidden = recurrence.getDimSize(2);
  int64_t wide = gatesOf(op.getCell()) * hidden;
  int64_t features = input.getDimSize(2);
  if (!hasShape(
          op.getWeights(),
          {directions, wide, ShapedType::isDynamic(features) ? -1 : features}))
    return refuse(loc, "weights must be [directions, gates * hidden, input]");
  if (!hasShape(op.getRecurrence(), {directions, wide, hidden}))
    return refuse(loc,
                  "recurrence must be [directions, gates * hidden, hidden]");
  if (!hasShape(op.getBias(), {directions, 2 * wide}))
    return refuse(loc, "bias must be [directions, 2 * gates * hidden]");
  Dims dims = dimsOf(input);
  return inferLayer(loc, op, input.getElementType(), dims[0], dims[1], hidden,
                    results);
}

IterationDomain RecurrentOp::getIterationDomain() {
  return layerDomain(getAll().getType());
}

SmallVector<Access> RecurrentOp::getAccesses() {
  LayerAccesses layer(*this);
  int64_t wide = getRecurrence().getType().getDimSize(1);
  layer.read(0, {layer.t, layer.b, layer.any(2)});
  for (const Gate &gate : layer.gates())
    layer.read(1, {layer.d, gate.row, layer.any(2)}, gate.kind);
  for (const Gate &gate : layer.gates())
    layer.read(2, {layer.d, gate.row, layer.before(gate, 2)}, layer.withState);
  for (const Gate &gate : layer.gates()) {
    layer.read(3, {layer.d, gate.row}, gate.kind);
    layer.read(3, {layer.d, gate.row + wide}, gate.kind);
  }
  return layer.finish(4);
}

std::optional<Reduction> RecurrentOp::getReduction() {
  return reduction(ReductionKind::Sum, getInput());
}

Cost RecurrentOp::getCost() {
  Count cells = parallelDomain(getAll().getType()).size();
  int64_t features = getWeights().getType().getDimSize(2);
  Count depth = ShapedType::isDynamic(features) ? Count() : Count(features);
  depth = sum(depth, getRecurrence().getType().getDimSize(2));
  return streamCost(getOperation(),
                    product(product(cells, depth), 2 * gatesOf(getCell())));
}

/// Half of the ONNX bias: [directions, 2 * wide] -> [directions, wide].
static Value biasHalf(OpBuilder &builder, Location loc, Value bias,
                      int64_t half) {
  auto type = typeOf(bias);
  int64_t wide = type.getDimSize(1) / 2;
  return SliceOp::create(builder, loc, bias, ArrayRef<int64_t>{0, half * wide},
                         ArrayRef<int64_t>{type.getDimSize(0), wide},
                         ArrayRef<int64_t>{1, 1});
}

/// `W x + b` of all time steps and directions: [T, D, B, gates * hidden].
static Value projectInput(OpBuilder &builder, Location loc, Value input,
                          Value weights, Value bias) {
  auto type = typeOf(weights);
  int64_t directions = type.getDimSize(0), wide = type.getDimSize(1);
  Dims rows{builder.getI64IntegerAttr(directions * wide), dimsOf(type)[2]};
  Value flat = ReshapeOp::create(
      builder, loc, typeFromDims(rows, type.getElementType()), weights);
  Value gates = MatmulOp::create(builder, loc, input, flat, UnitAttr(),
                                 builder.getUnitAttr());
  if (bias) {
    auto row = withShape(type, {directions * wide});
    Value flatBias = ReshapeOp::create(builder, loc, row, bias);
    gates = AddOp::create(builder, loc, gates, flatBias);
  }
  Dims dims = dimsOf(gates);
  dims.back() = builder.getI64IntegerAttr(directions);
  dims.push_back(builder.getI64IntegerAttr(wide));
  gates = ReshapeOp::create(builder, loc,
                            typeFromDims(dims, type.getElementType()), gates);
  return TransposeOp::create(builder, loc, gates,
                             ArrayRef<int64_t>{0, 2, 1, 3});
}

FailureOr<SmallVector<Value>> RecurrentOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  Value inputBias, stepBias;
  if (getBias()) {
    inputBias = biasHalf(builder, loc, getBias(), 0);
    stepBias = biasHalf(builder, loc, getBias(), 1);
    if (getCell() != Cell::Gru || !getLinearBeforeReset()) {
      inputBias = AddOp::create(builder, loc, inputBias, stepBias);
      stepBias = {};
    }
  }
  Value gates = projectInput(builder, loc, getInput(), getWeights(), inputBias);
  Value matrix = TransposeOp::create(builder, loc, getRecurrence(),
                                     ArrayRef<int64_t>{0, 2, 1});
  auto step = RecurrenceOp::create(
      builder, loc, getAll().getType(), getLastH().getType(),
      getLastC().getType(), gates, matrix, stepBias, getLengths(),
      getInitialH(), getInitialC(), getPeephole(), getCellAttr(),
      getDirectionAttr(), getActivationsAttr(), getAlphaAttr(), getBetaAttr(),
      getClipAttr(), getInputForgetAttr(), getLinearBeforeResetAttr());
  return SmallVector<Value>(step.getResults());
}

//===-- recurrence --------------------------------------------------------===//

LogicalResult RecurrenceOp::inferReturnTypes(
    MLIRContext *, Loc loc, ValueRange operands, DictionaryAttr attributes,
    OpaqueProperties properties, RegionRange regions, Types &results) {
  Adaptor op(operands, attributes, properties, regions);
  auto gates = typeOf(op.getGates()), recurrence = typeOf(op.getRecurrence());
  if (gates.getRank() != 4 || recurrence.getRank() != 3 ||
      !recurrence.hasStaticShape())
    return refuse(loc, "gates need rank 4, recurrence rank 3 and static");
  int64_t directions = directionsOf(op.getDirection());
  int64_t hidden = recurrence.getDimSize(1);
  int64_t wide = gatesOf(op.getCell()) * hidden;
  if (!hasShape(op.getGates(), {-1, directions, -1, wide}))
    return refuse(loc,
                  "gates must be [steps, directions, batch, gates * hidden]");
  if (!hasShape(op.getRecurrence(), {directions, hidden, wide}))
    return refuse(loc,
                  "recurrence must be [directions, hidden, gates * hidden]");
  if (!hasShape(op.getBias(), {directions, wide}))
    return refuse(loc, "bias must be [directions, gates * hidden]");
  Dims dims = dimsOf(gates);
  return inferLayer(loc, op, gates.getElementType(), dims[0], dims[2], hidden,
                    results);
}

IterationDomain RecurrenceOp::getIterationDomain() {
  return layerDomain(getAll().getType());
}

SmallVector<Access> RecurrenceOp::getAccesses() {
  LayerAccesses layer(*this);
  for (const Gate &gate : layer.gates())
    layer.read(0, {layer.t, layer.d, layer.b, gate.row}, gate.kind);
  for (const Gate &gate : layer.gates())
    layer.read(1, {layer.d, layer.before(gate, 1), gate.row}, layer.withState);
  for (const Gate &gate : layer.gates())
    layer.read(2, {layer.d, gate.row}, gate.kind);
  return layer.finish(3);
}

std::optional<Reduction> RecurrenceOp::getReduction() {
  return reduction(ReductionKind::Sum, getGates());
}

Cost RecurrenceOp::getCost() {
  Count cells = parallelDomain(getAll().getType()).size();
  int64_t hidden = getRecurrence().getType().getDimSize(1);
  return streamCost(getOperation(),
                    product(cells, 2 * gatesOf(getCell()) * hidden));
}
