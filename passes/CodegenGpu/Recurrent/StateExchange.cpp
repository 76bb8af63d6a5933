//===- StateExchange.cpp - how blocks tell each other states --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/CodegenGpu/Recurrent/StateExchange.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon::gpu;

static constexpr int64_t wordBytes = 8;
static constexpr llvm::StringLiteral scope = "device";

static Value loadWord(OpBuilder &b, Location loc, Value place) {
  return LLVM::LoadOp::create(
      b, loc, b.getI64Type(), place, wordBytes, /*isVolatile=*/false,
      /*isNonTemporal=*/false, /*isInvariant=*/false,
      /*isInvariantGroup=*/false, LLVM::AtomicOrdering::monotonic, scope);
}

static void storeWord(OpBuilder &b, Location loc, Value word, Value place) {
  LLVM::StoreOp::create(b, loc, word, place, wordBytes, /*isVolatile=*/false,
                        /*isNonTemporal=*/false, /*isInvariantGroup=*/false,
                        LLVM::AtomicOrdering::monotonic, scope);
}

static Value upperHalf(OpBuilder &b, Location loc) {
  return arith::ConstantOp::create(b, loc, b.getI64IntegerAttr(32));
}

Value StateExchange::slotOf(Value exchange) {
  Value first = t.mul(t.bitAnd(exchange, 1), count);
  return t.element(words, first, wordBytes);
}

void StateExchange::publish(Value number, Value exchange, Value index) {
  OpBuilder &b = t.builder();
  Location loc = t.loc();
  Type i64 = b.getI64Type();
  Value bits = t.bitcast(number, b.getI32Type());
  Value lower = arith::ExtUIOp::create(b, loc, i64, bits);
  Value which = arith::ExtUIOp::create(b, loc, i64, exchange);
  Value upper = arith::ShLIOp::create(b, loc, which, upperHalf(b, loc));
  Value word = arith::OrIOp::create(b, loc, lower, upper);
  storeWord(b, loc, word, t.element(slotOf(exchange), index, wordBytes));
}

/// The numbers at these places once all of them are of the exchange. All loads
/// are on their way at once.
Values StateExchange::poll(Value exchange, ArrayRef<Value> places) {
  OpBuilder &b = t.builder();
  Location loc = t.loc();
  Type i32 = b.getI32Type(), f32 = b.getF32Type();
  SmallVector<Type> types(places.size(), f32);
  auto loop = scf::WhileOp::create(b, loc, types, ValueRange());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&loop.getBefore());
  Values loaded, numbers;
  for (Value place : places)
    loaded.push_back(loadWord(b, loc, place));
  Value isEarly;
  for (Value word : loaded) {
    Value upper = arith::ShRUIOp::create(b, loc, word, upperHalf(b, loc));
    Value which = arith::TruncIOp::create(b, loc, i32, upper);
    Value differs = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne,
                                          which, exchange);
    isEarly = isEarly
                  ? arith::OrIOp::create(b, loc, isEarly, differs).getResult()
                  : differs;
    Value bits = arith::TruncIOp::create(b, loc, i32, word);
    numbers.push_back(t.bitcast(bits, f32));
  }
  scf::ConditionOp::create(b, loc, isEarly, numbers);
  SmallVector<Location> locations(types.size(), loc);
  b.createBlock(&loop.getAfter(), {}, types, locations);
  scf::YieldOp::create(b, loc);
  return Values(loop.getResults());
}

void StateExchange::receive(
    Value exchange, Value thread, int64_t threads,
    llvm::function_ref<void(Value index, Value number)> take) {
  Value slot = slotOf(exchange);
  Values indices, places;
  for (int64_t first = 0; first < count; first += threads) {
    Value index = t.add(thread, first);
    if (first + threads > count)
      index = t.min(index, count - 1);
    indices.push_back(index);
    places.push_back(t.element(slot, index, wordBytes));
  }
  Values numbers = poll(exchange, places);
  for (auto [index, number] : llvm::zip(indices, numbers))
    take(index, number);
}
