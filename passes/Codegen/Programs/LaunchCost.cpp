//===- LaunchCost.cpp - what a launch does, for reports -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file counts. Operations say for known sizes how many flops they have:
// those of a product of extents that a few primes agree on are that for any
// sizes, since counts are polynomials.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Programs/LaunchCost.h"

#include "dialects/Graph/Graph.h"
#include "dialects/Graph/Shapes.h"
#include "passes/Codegen/Groups/SizedGroup.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;
using graph::Size;
using graph::TensorOpInterface;

//===-- Flops -------------------------------------------------------------===//

static SmallVector<TensorOpInterface> operationsOf(kernel::GroupOp group) {
  SmallVector<TensorOpInterface> ops;
  group->walk([&](TensorOpInterface op) { ops.push_back(op); });
  return ops;
}

static int64_t flopsOf(kernel::GroupOp group) {
  int64_t flops = 0;
  for (TensorOpInterface op : operationsOf(group))
    flops += op.getCost().flops.value_or(0);
  return flops;
}

namespace {
/// Primes in place of symbols, from the first one above a number on.
class Primes {
public:
  explicit Primes(int64_t above) : last(above) {}

  Attribute operator()(Attribute dim) {
    Attribute size =
        graph::substitute(dim, [&](StringAttr symbol) { return of(symbol); });
    return graph::sizeDim(dim.getContext(),
                          std::max<int64_t>(1, graph::sizeOf(size)));
  }

private:
  static bool isPrime(int64_t number) {
    for (int64_t divisor = 2; divisor * divisor <= number; ++divisor)
      if (number % divisor == 0)
        return false;
    return true;
  }

  Attribute of(StringAttr symbol) {
    Attribute &prime = known[symbol];
    if (prime)
      return prime;
    do
      ++last;
    while (!isPrime(last));
    return prime = graph::sizeDim(symbol.getContext(), last);
  }

  llvm::DenseMap<Attribute, Attribute> known;
  int64_t last;
};
} // namespace

/// What the flops of an operation may be a multiple of: the points of its
/// domain, the elements of its operands and results. No symbols: all are
/// numbers.
static SmallVector<Size> productsOf(TensorOpInterface op) {
  SmallVector<Size> products(1, Size(1));
  for (const graph::IterationDim &dim : op.getIterationDomain().dims)
    products.front() *= Size(dim.extent);
  for (Type type :
       llvm::concat<const Type>(SmallVector<Type>(op->getResultTypes()),
                                SmallVector<Type>(op->getOperandTypes())))
    products.push_back(graph::productOf(graph::sizesOf(type)));
  return products;
}

/// How often a number goes into the flops of an operation of known sizes.
static std::optional<int64_t> quotient(TensorOpInterface op,
                                       const Size &product) {
  std::optional<int64_t> flops = op.getCost().flops;
  if (!flops || !product.isFixed() || product.fixed() < 1 ||
      *flops % product.fixed() != 0)
    return std::nullopt;
  return *flops / product.fixed();
}

static std::optional<Size> flopsOf(TensorOpInterface op,
                                   ArrayRef<TensorOpInterface> instances) {
  for (auto [i, product] : llvm::enumerate(productsOf(op))) {
    auto factor = quotient(instances[0], productsOf(instances[0])[i]);
    if (factor && llvm::all_of(instances, [&](TensorOpInterface instance) {
          return quotient(instance, productsOf(instance)[i]) == factor;
        }))
      return product * *factor;
  }
  return std::nullopt;
}

/// None where some operation does not say.
static std::optional<Size> anyFlopsOf(kernel::GroupOp group) {
  if (!hasSymbols(group))
    return Size(flopsOf(group));
  Primes first(100), second(200);
  GroupInstance one(group, [&](Attribute dim) { return first(dim); });
  GroupInstance other(group, [&](Attribute dim) { return second(dim); });
  Size sum = 0;
  for (auto [op, a, b] :
       llvm::zip_equal(operationsOf(group), operationsOf(one.get()),
                       operationsOf(other.get()))) {
    std::optional<Size> flops = flopsOf(op, {a, b});
    if (!flops)
      return std::nullopt;
    sum += *flops;
  }
  return sum;
}

int64_t codegen::typicalFlops(kernel::GroupOp group) {
  return std::max<int64_t>(0, flopsOf(SizedGroup(group).get()));
}

//===-- Bytes -------------------------------------------------------------===//

static Size bytesOf(Type type, Type element) {
  return graph::productOf(graph::sizesOf(type)) * graph::elementBytes(element);
}

static Type elementOf(Type type) {
  return cast<RankedTensorType>(type).getElementType();
}

/// Each element once, in the size that it is stored in. What a movement finds
/// in its result is neither read nor written.
static Size bytesOf(kernel::GroupOp group, ArrayRef<PlacedBuffer> places) {
  Size bytes = 0;
  for (auto [type, place] : llvm::zip(group.getOperandTypes(), places)) {
    memory::BufferType buffer = place.type;
    bytes += bytesOf(type, buffer.getElementType());
  }
  for (Type type : group.getResultTypes())
    bytes += bytesOf(type, elementOf(type));
  Operation &movement = group.getBlock().front();
  for (unsigned i = 0; i < movement.getNumOperands(); ++i)
    if (Type type = movement.getOperand(i).getType(); group.isInPlace(i))
      bytes += bytesOf(type, elementOf(type)) * -2;
  return bytes;
}

int64_t codegen::typicalBytes(const Size &bytes, Operation *around) {
  int64_t typical = graph::TypicalSizes::around(around).of(bytes);
  return std::max<int64_t>(0, typical);
}

kernel::RunCounts codegen::runCounts(kernel::GroupOp group,
                                     ArrayRef<PlacedBuffer> places) {
  return {anyFlopsOf(group), bytesOf(group, places)};
}
