//===- InPlace.cpp - which tensor lies where ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Layout/InPlace.h"

#include "dialects/Graph/GraphSteps.h"
#include "dialects/Graph/TypicalSizes.h"
#include "passes/Codegen/Groups/WindowGeometry.h"
#include "passes/Codegen/Layout/LivePeak.h"
#include "passes/Codegen/Layout/Pixels.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using memory::BufferType;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

/// Row-major over the tensor with its halo, lows, then highs.
static BufferType withHalo(RankedTensorType tensor, ArrayRef<int64_t> halo) {
  size_t rank = tensor.getRank();
  return bufferWithHalo(tensor, {SmallVector<int64_t>(halo.take_front(rank)),
                                 SmallVector<int64_t>(halo.drop_front(rank))});
}

//===-- Halos -------------------------------------------------------------===//

bool Layouts::canHaveHalo(Value value, ArrayRef<int64_t> halo) {
  auto group = value.getDefiningOp<kernel::GroupOp>();
  return group && !isa<graph::StepsOp>(group.getBlock().front()) &&
         usersAccept(value, TensorPlace::of(withHalo(typeOf(value), halo)));
}

void Layouts::addHalo(Value value, ArrayRef<int64_t> wanted) {
  Halo &halo = halos[value];
  halo.resize(wanted.size(), 0);
  for (size_t k = 0; k < wanted.size(); ++k)
    halo[k] = std::max(halo[k], wanted[k]);
}

std::optional<Layouts::Halo> Layouts::haloOf(Value value) const {
  auto known = halos.find(value);
  return known == halos.end() ? std::nullopt : std::optional(known->second);
}

void Layouts::restoreHalo(Value value, const std::optional<Halo> &halo) {
  if (halo)
    halos[value] = *halo;
  else
    halos.erase(value);
}

//===-- Movements ---------------------------------------------------------===//

/// The concatenation that a group consists of, or null.
static graph::ConcatOp concatOf(kernel::GroupOp group) {
  return cast_or_null<graph::ConcatOp>(concatIn(group));
}

/// A group that puts one tensor into another order and does nothing else.
static bool isReordering(kernel::GroupOp group) {
  Block &block = group.getBlock();
  if (group.getNumOperands() != 1 || group.getNumResults() != 1)
    return false;
  Value last = block.getArgument(0);
  for (Operation &op : block.without_terminator()) {
    if (!isView(&op) || isa<graph::SliceOp>(op) || op.getOperand(0) != last)
      return false;
    last = op.getResult(0);
  }
  return block.getTerminator()->getOperand(0) == last;
}

static unsigned numParts(kernel::GroupOp group) {
  if (graph::ConcatOp concat = concatOf(group))
    return concat->getNumOperands();
  return isReordering(group) ? 1 : 0;
}

/// What a movement's group moves from, outside of the group.
static Value partOf(kernel::GroupOp mover, unsigned index) {
  graph::ConcatOp concat = concatOf(mover);
  if (!concat)
    return mover.getOperands_()[0];
  auto argument = dyn_cast<BlockArgument>(concat->getOperand(index));
  return argument ? mover.getOperands_()[argument.getArgNumber()] : Value();
}

/// Where the tensor behind operand `index` of a movement must lie, whose result
/// lies at `result`, for the movement to do nothing.
static std::optional<TensorPlace>
placeOfSource(kernel::GroupOp mover, unsigned index,
              std::optional<TensorPlace> place) {
  if (graph::ConcatOp concat = concatOf(mover))
    place = placeOfPart(concat, index, *place);
  else
    for (Operation &op : llvm::reverse(mover.getBlock().without_terminator()))
      if (place)
        place = placeBefore(&op, *place);
  Value value = partOf(mover, index);
  while (place && isView(value.getDefiningOp())) {
    place = placeBefore(value.getDefiningOp(), *place);
    value = value.getDefiningOp()->getOperand(0);
  }
  return place;
}

//===-- Places ------------------------------------------------------------===//

BufferType Layouts::ownBuffer(Value value) const {
  if (auto room = rooms.find(value); room != rooms.end())
    return withRoom(typeOf(value), room->second.axis, room->second.size);
  auto found = halos.find(value);
  return found == halos.end() ? BufferType::getDense(typeOf(value))
                              : withHalo(typeOf(value), found->second);
}

SmallVector<Layouts::Part> Layouts::partsAbove(Value value) const {
  SmallVector<Part> chain;
  for (auto found = parts.find(value); found != parts.end();
       found = parts.find(value)) {
    chain.push_back(found->second);
    value = chain.back().mover.getResult(0);
  }
  return chain;
}

Value Layouts::storageOf(Value value) const {
  SmallVector<Part> chain = partsAbove(value);
  if (chain.empty())
    return value;
  return chain.back().mover.getResult(0);
}

/// Only a tentative placement can have no place.
std::optional<TensorPlace> Layouts::placeOf(Value value) const {
  SmallVector<Operation *> views;
  for (; isView(value.getDefiningOp());
       value = value.getDefiningOp()->getOperand(0))
    views.push_back(value.getDefiningOp());
  std::optional<TensorPlace> place =
      TensorPlace::of(ownBuffer(storageOf(value)));
  SmallVector<Part> chain = partsAbove(value);
  for (const Part &part : llvm::reverse(chain))
    if (place)
      place = placeOfSource(part.mover, part.index, place);
  for (Operation *view : llvm::reverse(views))
    if (place)
      place = placeThrough(view, *place);
  return place;
}

std::optional<PlacedBuffer> Layouts::bufferOf(Value value) const {
  if (!isView(value.getDefiningOp()) && !parts.contains(value))
    return PlacedBuffer{ownBuffer(value), 0};
  std::optional<TensorPlace> place = placeOf(value);
  if (!place)
    return std::nullopt;
  // Of a state's input all bytes of the storage, which are never too few.
  if (isa<BlockArgument>(value))
    return PlacedBuffer{
        kernel::bufferOf(typeOf(value), place->strides, place->first,
                         kernel::bytesOf(ownBuffer(storageOf(value)))),
        0};
  ArrayRef<int64_t> halo;
  if (auto found = halos.find(value); found != halos.end())
    halo = found->second;
  return bufferAt(typeOf(value), *place, halo.take_front(halo.size() / 2),
                  halo.drop_front(halo.size() / 2));
}

ArrayRef<int64_t> Layouts::partsInPlace(kernel::GroupOp group) const {
  auto found = inPlace.find(group);
  return found == inPlace.end() ? ArrayRef<int64_t>()
                                : ArrayRef<int64_t>(found->second);
}

/// Whether the group that makes `value` can write it at `place`.
static bool producerAccepts(Value value, const TensorPlace &place) {
  auto producer = value.getDefiningOp<kernel::GroupOp>();
  if (!producer)
    return true; // an input of the program, which holds a state
  unsigned index =
      producer.getNumOperands() + cast<OpResult>(value).getResultNumber();
  return groupAccepts(producer, index, typeOf(value), place);
}

//===-- Decisions ---------------------------------------------------------===//

/// Whether producer and users of a placed value work with its place.
bool Layouts::isPossible(Value part) const {
  std::optional<TensorPlace> place = placeOf(part);
  auto sizes = graph::TypicalSizes::around(function);
  // Who knows all sizes wants to know where they begin, too.
  bool isKnown =
      place && (place->first.isFixed() || !typeOf(part).hasStaticShape());
  return isKnown && hasLongRows(typeOf(part), *place, sizes) &&
         usersAccept(part, *place) && producerAccepts(part, *place);
}

/// Rows that lie far apart in more than the cache holds are slow to read: the
/// hardware's prefetching brings in the neighbours. What reads a part again
/// must not lose more than the copy cost; in a chain of concatenations, each
/// storage then is half full at least, and few copies are left.
bool Layouts::isWorthwhile(Value part) const {
  if (part.hasOneUse())
    return true;
  auto sizes = graph::TypicalSizes::around(function);
  return bytesOf(storageOf(part), sizes) <= target->l2Bytes ||
         !isSparse(typeOf(part), *placeOf(part), sizes);
}

/// Whether all parts of a storage can lie in it as it is now.
bool Layouts::holdsParts(Value storage) const {
  return llvm::all_of(placed, [&](Value part) {
    return storageOf(part) != storage || isPossible(part);
  });
}

/// Puts the halo of a new part around the whole storage. Concatenations along
/// a dimension that needs a halo, and views in between, make that impossible.
bool Layouts::widenHalo(Value part) {
  auto found = halos.find(part);
  if (found == halos.end())
    return true;
  // The zeros around a part cannot be told from its neighbours there.
  if (!typeOf(part).hasStaticShape())
    return false;
  Halo wanted = found->second;
  Value value = part;
  for (Part step : partsAbove(part)) {
    graph::ConcatOp concat = concatOf(step.mover);
    if (!concat || partOf(step.mover, step.index) != value)
      return false;
    int64_t axis = concat.getAxis();
    if (wanted[axis] != 0 || wanted[wanted.size() / 2 + axis] != 0)
      return false;
    value = step.mover.getResult(0);
  }
  Halo whole = wanted;
  if (auto known = halos.find(value); known != halos.end())
    for (size_t k = 0; k < whole.size(); ++k)
      whole[k] = std::max(whole[k], known->second[k]);
  if (!canHaveHalo(value, whole))
    return false;
  halos[value] = whole;
  return holdsParts(value);
}

/// Puts one operand of a movement into its result if that works for everybody.
bool Layouts::tryPlace(kernel::GroupOp mover, unsigned index) {
  Value value = partOf(mover, index);
  if (!value || graph::isEmpty(value.getType()))
    return false;
  Value part = viewedTensor(value);
  if (!part.getDefiningOp<kernel::GroupOp>() || parts.contains(part) ||
      rooms.contains(part))
    return false;
  parts[part] = {mover, index};
  Value storage = storageOf(part);
  std::optional<Halo> before = haloOf(storage);
  if (widenHalo(part) && isPossible(part) && isWorthwhile(part) &&
      (!memoryBudget || peakBytes() <= *memoryBudget)) {
    placed.push_back(part);
    inPlace[mover].push_back(index);
    return true;
  }
  parts.erase(part);
  restoreHalo(storage, before);
  return false;
}

int64_t Layouts::bytesOf(Value value, const graph::TypicalSizes &sizes) const {
  return sizes.of(kernel::bytesOf(ownBuffer(value)));
}

int64_t Layouts::peakBytes() const {
  auto sizes = graph::TypicalSizes::around(function);
  return livePeak(function,
                  {[&](Value value) { return storageOf(value); },
                   [&](Value value) { return bytesOf(value, sizes); }});
}

void Layouts::placeAll() {
  SmallVector<kernel::GroupOp> groups(function.getOps<kernel::GroupOp>());
  for (kernel::GroupOp group : llvm::reverse(groups))
    for (unsigned i = 0; i < numParts(group); ++i)
      tryPlace(group, i);
}

unsigned Layouts::placeParts() {
  int64_t budget = memoryAllowance(peakBytes());
  Layouts before = *this;
  placeAll();
  if (peakBytes() > budget) {
    // Rarely needed, and each step costs a pass over the program.
    *this = before;
    memoryBudget = budget;
    placeAll();
  }
  return placed.size();
}

//===-- Pixels ------------------------------------------------------------===//

/// Parts of other tensors' storage stay as they are. Storage that holds parts
/// is padded where each of them can lie so.
bool Layouts::tryPad(Value map, const Halo &halo) {
  if (parts.contains(map) || rooms.contains(map) || !canHaveHalo(map, halo) ||
      !producerAccepts(map, TensorPlace::of(withHalo(typeOf(map), halo))))
    return false;
  std::optional<Halo> before = haloOf(map);
  halos[map] = halo;
  if (holdsParts(map))
    return true;
  restoreHalo(map, before);
  return false;
}

unsigned Layouts::padPixels() {
  unsigned padded = 0;
  for (auto group : function.getOps<kernel::GroupOp>())
    for (Value map : group.getResults()) {
      int64_t padding = pixelPadding(map, *target);
      if (padding == 0)
        continue;
      Halo halo = halos.lookup(map);
      halo.resize(2 * typeOf(map).getRank(), 0);
      halo.back() = padding;
      padded += tryPad(map, halo);
    }
  return padded;
}
