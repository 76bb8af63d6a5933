//===- TopKHeap.cpp - elements in order, and a heap of them ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Builder/ElementwiseOps.h"
#include "passes/Codegen/Builder/VectorMath.h"
#include "passes/CodegenCpu/Move/TopK.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

//===-- Keys --------------------------------------------------------------===//

bool TopKKeys::isWide() const { return graph::elementBytes(type) == 8; }

int64_t TopKKeys::lanes() const {
  int64_t bytes = graph::elementBytes(type);
  return b.target().lanes(isa<FloatType>(type) ? std::max<int64_t>(4, bytes)
                                               : bytes);
}

template <typename Op> static Value apply(KernelBuilder &b, Value x, Value y) {
  return Op::create(b.builder(), b.loc(), x, y);
}

static Value compare(KernelBuilder &b, arith::CmpIPredicate predicate, Value x,
                     Value y) {
  return arith::CmpIOp::create(b.builder(), b.loc(), predicate, x, y);
}

/// The bits of a number without its sign; those of negative ones are turned
/// over. Both zeros have one key, and all NaN that of the largest number.
Value TopKKeys::floatKey(Value x) {
  Num number(b, widenFloat(b, x));
  Value bits = (number + 0.0).bits();
  unsigned width = bits.getType().getIntOrFloatBitWidth();
  Value most = b.constantInt(bits.getType(),
                             APInt::getSignedMaxValue(width).getSExtValue());
  Value sign =
      apply<arith::ShRSIOp>(b, bits, b.constantInt(bits.getType(), width - 1));
  Value turned =
      apply<arith::XOrIOp>(b, bits, apply<arith::AndIOp>(b, sign, most));
  return b.choose(isNan(number), most, turned);
}

Value TopKKeys::key(Value x) {
  Type to = isWide() ? b.i64Type() : b.builder().getI32Type();
  unsigned width = isWide() ? 64 : 32;
  if (isa<FloatType>(type)) {
    x = floatKey(x);
  } else if (x.getType().getIntOrFloatBitWidth() < width) {
    x = type.isUnsignedInteger()
            ? Value(arith::ExtUIOp::create(b.builder(), b.loc(), to, x))
            : Value(arith::ExtSIOp::create(b.builder(), b.loc(), to, x));
  } else if (type.isUnsignedInteger()) {
    x = apply<arith::XOrIOp>(
        b, x,
        b.constantInt(to, APInt::getSignedMinValue(width).getSExtValue()));
  }
  return largest ? x : apply<arith::XOrIOp>(b, x, b.constantInt(to, -1));
}

Values TopKKeys::entry(Value x, Value index) {
  Value own = key(x);
  if (isWide())
    return {own, index};
  Value high = arith::ExtSIOp::create(b.builder(), b.loc(), b.i64Type(), own);
  high = apply<arith::ShLIOp>(b, high, b.index(32));
  // Of equal keys the lower index is the better one.
  return {apply<arith::OrIOp>(b, high, b.sub(b.index(INT32_MAX), index))};
}

Value TopKKeys::indexOf(ValueRange entry) {
  if (isWide())
    return entry[1];
  Value low = apply<arith::AndIOp>(b, entry[0], b.index(INT32_MAX));
  return b.sub(b.index(INT32_MAX), low);
}

Value TopKKeys::before(ValueRange x, ValueRange y) {
  Value isGreater = compare(b, arith::CmpIPredicate::sgt, x[0], y[0]);
  if (!isWide())
    return isGreater;
  return orOf(b, isGreater, andOf(b, b.equal(x[0], y[0]), b.less(x[1], y[1])));
}

Value TopKKeys::mayBeat(Value elements, Value bar) {
  elements = widenFloat(b, elements);
  if (!largest)
    std::swap(elements, bar);
  if (isa<FloatType>(type))
    return notOf(b, lessEqual(Num(b, elements), Num(b, bar)));
  return compare(b,
                 type.isUnsignedInteger() ? arith::CmpIPredicate::ugt
                                          : arith::CmpIPredicate::sgt,
                 elements, bar);
}

//===-- Heap --------------------------------------------------------------===//

Values TopKHeap::load(Value slot) {
  auto word = [&](Value array) {
    return b.load(b.at(array, slot, b.i64Type()), b.i64Type());
  };
  return keys.isWide() ? Values{word(wideKeys), word(words)}
                       : Values{word(words)};
}

void TopKHeap::store(Value slot, ValueRange entry) {
  if (keys.isWide())
    b.store(entry[0], b.at(wideKeys, slot, b.i64Type()));
  b.store(entry.back(), b.at(words, slot, b.i64Type()));
}

/// The slot of the worst child, from `first` on, and its entry. What is beyond
/// the last slot stands for that.
Values TopKHeap::worstChild(Value first, Value last) {
  SmallVector<Values> children;
  for (int64_t i = 0; i < arity; ++i) {
    Values child{b.min(b.add(first, i), last)};
    child.append(load(child[0]));
    children.push_back(child);
  }
  // In pairs, which wait for each other less.
  for (size_t step = 1; step < children.size(); step *= 2)
    for (size_t i = 0; i + step < children.size(); i += 2 * step) {
      ValueRange x(children[i]), y(children[i + step]);
      Value isSecond = keys.before(x.drop_front(), y.drop_front());
      Values worse;
      for (auto [own, other] : llvm::zip(x, y))
        worse.push_back(b.choose(isSecond, other, own));
      children[i] = worse;
    }
  return children[0];
}

void TopKHeap::sink(Value slot, Value size, ValueRange entry) {
  OpBuilder &ob = b.builder();
  Value last = b.sub(size, b.index(1));
  // Goes on with the worst child of the slot while that is worse than `entry`.
  auto before = [&](OpBuilder &, Location, ValueRange args) {
    Value first = b.add(b.mul(args[0], arity), 1);
    Values child = worstChild(first, last), forwarded{args[0]};
    forwarded.append(child);
    Value goesOn = andOf(b, b.less(first, size),
                         keys.before(entry, ValueRange(child).drop_front()));
    scf::ConditionOp::create(ob, b.loc(), goesOn, forwarded);
  };
  auto after = [&](OpBuilder &, Location, ValueRange args) {
    store(args[0], args.drop_front(2));
    scf::YieldOp::create(ob, b.loc(), args[1]);
  };
  SmallVector<Type> types(2 + entry.size(), b.i64Type());
  auto loop =
      scf::WhileOp::create(ob, b.loc(), types, ValueRange(slot), before, after);
  store(loop.getResult(0), entry);
}

void TopKHeap::build(int64_t size) {
  int64_t parents = (size + arity - 2) / arity;
  b.loop(b.index(0), b.index(parents), 1, [&](Value i) {
    Value slot = b.sub(b.index(parents - 1), i);
    sink(slot, b.index(size), load(slot));
  });
}

/// The worst goes to the end, again and again.
void TopKHeap::sort(int64_t size) {
  b.loop(b.index(1), b.index(size), 1, [&](Value i) {
    Value end = b.sub(b.index(size), i);
    Values last = load(end);
    store(end, load(b.index(0)));
    sink(b.index(0), end, last);
  });
}
