//===- KernelBuilder.cpp - writes kernel bodies ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds functions, indices and control; memory and vectors are in
// KernelBuilderMemory.cpp.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Builder/KernelBuilder.h"

#include "dialects/Graph/SmallTypes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

/// The fields of a tenon_call.
enum CallField : int32_t { Buffers, Sizes, Scratch, Begin, End };

/// A field of a struct or an element of an array that nobody changes meanwhile.
static Value loadInvariant(OpBuilder &b, Location loc, Type type, Value from) {
  auto loaded = LLVM::LoadOp::create(b, loc, type, from);
  loaded.setInvariant(true);
  return loaded;
}

static Value loadField(OpBuilder &b, Location loc, Value call,
                       CallField field) {
  Type pointer = call.getType(), i64 = b.getI64Type();
  Type fields[] = {pointer, pointer, pointer, i64, i64};
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), fields);
  Value slot = LLVM::GEPOp::create(b, loc, pointer, type, call,
                                   ArrayRef<LLVM::GEPArg>{0, int32_t(field)});
  return loadInvariant(b, loc, fields[field], slot);
}

CalledFunction::CalledFunction(ModuleOp module, Location loc, StringRef name,
                               unsigned numBuffers) {
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = b.getFunctionType(pointer, TypeRange());
  auto function = func::FuncOp::create(b, loc, name, type);
  op = function;
  body = function.addEntryBlock();
  b.setInsertionPointToEnd(body);
  call = body->getArgument(0);
  Value table = loadField(b, loc, call, CallField::Buffers);
  scratch = loadField(b, loc, call, CallField::Scratch);
  tiles = {loadField(b, loc, call, CallField::Begin),
           loadField(b, loc, call, CallField::End)};
  for (unsigned i = 0; i < numBuffers; ++i) {
    Value slot = LLVM::GEPOp::create(b, loc, pointer, pointer, table,
                                     ArrayRef<LLVM::GEPArg>{int32_t(i)});
    buffers.push_back(loadInvariant(b, loc, pointer, slot));
  }
  prologue = &body->back();
}

Value CalledFunction::size(Attribute dim) {
  auto [entry, isNew] = sizes.insert({dim, Value()});
  if (!isNew)
    return entry->second;
  OpBuilder b(op.getContext());
  b.setInsertionPointAfter(prologue);
  Location loc = op.getLoc();
  if (!sizeTable)
    sizeTable = loadField(b, loc, call, CallField::Sizes);
  auto number = int32_t(sizes.size() - 1);
  Value slot = LLVM::GEPOp::create(b, loc, call.getType(), b.getI64Type(),
                                   sizeTable, ArrayRef<LLVM::GEPArg>{number});
  entry->second = loadInvariant(b, loc, b.getI64Type(), slot);
  prologue = entry->second.getDefiningOp();
  return entry->second;
}

void CalledFunction::finish() {
  OpBuilder b = OpBuilder::atBlockEnd(body);
  func::ReturnOp::create(b, op.getLoc());
}

KernelBuilder::KernelBuilder(KernelFunction &function, Location loc,
                             const tile::Target &target)
    : b(OpBuilder::atBlockEnd(function.body)), location(loc), cpu(target),
      function(function), buffers(function.buffers),
      begin(function.tiles.begin), end(function.tiles.end) {}

KernelBuilder::KernelBuilder(const KernelBuilder &outer, Location loc,
                             Values buffers, Interval tiles, Value scratch)
    : b(outer.b), location(loc), cpu(outer.cpu), function(outer.function),
      buffers(std::move(buffers)), begin(tiles.begin), end(tiles.end),
      ownScratch(scratch ? scratch : outer.ownScratch) {}

//===-- Types -------------------------------------------------------------===//

/// Small elements are bytes: LLVM would pack vectors of them.
Type KernelBuilder::registerType(Type element) {
  if (graph::isSmall(element))
    return b.getI8Type();
  if (auto integer = dyn_cast<IntegerType>(element))
    return IntegerType::get(b.getContext(), integer.getWidth());
  return element;
}

Type KernelBuilder::storageType(Type element) {
  return element.isInteger(1) ? b.getI8Type() : registerType(element);
}

Type KernelBuilder::vectorType(Type element, int64_t lanes) {
  Type scalar = registerType(element);
  return lanes == 1 ? scalar : VectorType::get({lanes}, scalar);
}

//===-- Index arithmetic --------------------------------------------------===//

Value KernelBuilder::index(int64_t value) {
  return arith::ConstantOp::create(b, location, b.getI64IntegerAttr(value));
}

Value KernelBuilder::index(const Size &value) {
  return value.isFixed() ? index(value.fixed())
                         : function.size(value.symbolic());
}

std::optional<int64_t> KernelBuilder::constant(Value value) {
  APInt result;
  if (matchPattern(value, m_ConstantInt(&result)))
    return result.getSExtValue();
  return std::nullopt;
}

Value KernelBuilder::add(Value x, Value y) {
  return b.createOrFold<arith::AddIOp>(location, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value KernelBuilder::sub(Value x, Value y) {
  return b.createOrFold<arith::SubIOp>(location, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value KernelBuilder::mul(Value x, Value y) {
  return b.createOrFold<arith::MulIOp>(location, x, y,
                                       arith::IntegerOverflowFlags::nsw);
}

Value KernelBuilder::div(Value x, int64_t y) {
  return y == 1 ? x : div(x, index(y));
}

Value KernelBuilder::div(Value x, Value y) {
  return b.createOrFold<arith::DivUIOp>(location, x, y);
}

Value KernelBuilder::divUp(Value x, int64_t y) {
  return div(max(add(x, y - 1), index(0)), y);
}

Value KernelBuilder::rem(Value x, int64_t y) {
  if (y == 1)
    return index(0);
  return rem(x, index(y));
}

Value KernelBuilder::rem(Value x, Value y) {
  return b.createOrFold<arith::RemUIOp>(location, x, y);
}

Value KernelBuilder::min(Value x, Value y) {
  return b.createOrFold<arith::MinSIOp>(location, x, y);
}

Value KernelBuilder::max(Value x, Value y) {
  return b.createOrFold<arith::MaxSIOp>(location, x, y);
}

Value KernelBuilder::less(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::slt, x,
                                       y);
}

Value KernelBuilder::choose(Value condition, Value x, Value y) {
  return b.createOrFold<arith::SelectOp>(location, condition, x, y);
}

Value KernelBuilder::inside(Value x, const Size &extent) {
  return b.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::ult, x,
                                       index(extent));
}

Value KernelBuilder::equal(Value x, Value y) {
  return b.createOrFold<arith::CmpIOp>(location, arith::CmpIPredicate::eq, x,
                                       y);
}

Values KernelBuilder::delinearize(Value linear, ArrayRef<int64_t> extents) {
  Values result(extents.size());
  for (int64_t i = int64_t(extents.size()) - 1; i > 0; --i) {
    result[i] = rem(linear, extents[i]);
    linear = div(linear, extents[i]);
  }
  if (!extents.empty())
    result[0] = linear;
  return result;
}

Values KernelBuilder::delinearize(Value linear, ArrayRef<Size> extents) {
  Values result(extents.size());
  for (size_t i = extents.size(); i-- > 1;) {
    const Size &extent = extents[i];
    result[i] = extent.isFixed() ? rem(linear, extent.fixed())
                                 : rem(linear, index(extent));
    linear = extent.isFixed() ? div(linear, extent.fixed())
                              : div(linear, index(extent));
  }
  if (!extents.empty())
    result[0] = linear;
  return result;
}

Value KernelBuilder::startOf(const tile::EvenSplit &split, Value i) {
  if (split.uniform())
    return mul(i, split.height);
  return startOf(split.height, index(split.tall), i);
}

Value KernelBuilder::startOf(int64_t height, Value tall, Value i) {
  Value start = mul(i, height);
  return sub(start, max(sub(i, tall), index(0)));
}

Interval KernelBuilder::shareOf(const Size &items, const Size &tiles,
                                Interval of) {
  // Nothing to do, and no tile that would do it.
  if (tiles.is(0))
    return {index(0), index(0)};
  bool isEven =
      items.isFixed() && tiles.isFixed() && items.fixed() % tiles.fixed() == 0;
  auto first = [&](Value tile) {
    if (isEven)
      return mul(tile, items.fixed() / tiles.fixed());
    Value rounded = add(mul(tile, items), tiles - 1);
    return tiles.isFixed() ? div(rounded, tiles.fixed())
                           : div(rounded, index(tiles));
  };
  return {first(of.begin), first(of.end)};
}

//===-- Constants ---------------------------------------------------------===//

Value KernelBuilder::constantOf(Type type, double value) {
  Type element = getElementTypeOrSelf(type);
  if (!isa<FloatType>(element))
    return constantInt(type, int64_t(value));
  TypedAttr scalar = b.getFloatAttr(element, value);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        b, location,
        DenseElementsAttr::get(vector, ArrayRef<Attribute>(scalar)));
  return arith::ConstantOp::create(b, location, scalar);
}

Value KernelBuilder::constantInt(Type type, int64_t value) {
  Type element = getElementTypeOrSelf(type);
  APInt bits(element.getIntOrFloatBitWidth(), uint64_t(value),
             /*isSigned=*/true, /*implicitTrunc=*/true);
  TypedAttr scalar = IntegerAttr::get(element, bits);
  if (auto vector = dyn_cast<VectorType>(type))
    return arith::ConstantOp::create(
        b, location,
        DenseElementsAttr::get(vector, ArrayRef<Attribute>(scalar)));
  return arith::ConstantOp::create(b, location, scalar);
}

//===-- Control -----------------------------------------------------------===//

void KernelBuilder::forTiles(function_ref<void(Value)> body) {
  loop(begin, end, 1, body);
}

void KernelBuilder::loop(Value lower, Value upper, int64_t step,
                         function_ref<void(Value)> body) {
  loop(lower, upper, step, ValueRange(), [&](Value i, ValueRange) {
    body(i);
    return Values();
  });
}

Values KernelBuilder::loop(Value lower, Value upper, int64_t step,
                           ValueRange init,
                           function_ref<Values(Value, ValueRange)> body) {
  auto low = constant(lower), high = constant(upper);
  if (low && high && *low >= *high)
    return Values(init);
  if (low && high && *low + step >= *high)
    return body(lower, init);
  auto loop =
      scf::ForOp::create(b, location, lower, upper, index(step), init,
                         [](OpBuilder &, Location, Value, ValueRange) {});
  OpBuilder::InsertionGuard guard(b);
  Block *block = loop.getBody();
  if (!block->empty())
    block->back().erase();
  b.setInsertionPointToEnd(block);
  Values next = body(loop.getInductionVar(), loop.getRegionIterArgs());
  scf::YieldOp::create(b, location, next);
  return Values(loop.getResults());
}

void KernelBuilder::ifThen(Value condition, function_ref<void()> then,
                           function_ref<void()> otherwise) {
  if (auto known = constant(condition)) {
    if (*known)
      then();
    else if (otherwise)
      otherwise();
    return;
  }
  auto branch = scf::IfOp::create(b, location, condition, bool(otherwise));
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(branch.thenBlock());
  then();
  if (!otherwise)
    return;
  b.setInsertionPointToStart(branch.elseBlock());
  otherwise();
}

Values KernelBuilder::select(Value condition, function_ref<Values()> then,
                             function_ref<Values()> otherwise) {
  if (auto known = constant(condition))
    return *known ? then() : otherwise();
  auto build = [](function_ref<Values()> part) {
    return [part](OpBuilder &nested, Location loc) {
      scf::YieldOp::create(nested, loc, part());
    };
  };
  // The parts build through `b`, so its insertion point follows the regions.
  auto branch = scf::IfOp::create(
      b, location, condition,
      [&](OpBuilder &nested, Location loc) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(),
                            nested.getInsertionPoint());
        build(then)(b, loc);
      },
      [&](OpBuilder &nested, Location loc) {
        OpBuilder::InsertionGuard guard(b);
        b.setInsertionPoint(nested.getInsertionBlock(),
                            nested.getInsertionPoint());
        build(otherwise)(b, loc);
      });
  return Values(branch.getResults());
}
