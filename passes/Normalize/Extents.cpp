//===- Extents.cpp - sizes that depend on data ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes symbols of numbers, one for each that differs.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Extents.h"

#include "dialects/Graph/Bounds.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "dialects/Graph/Programs.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// The numbers that one call takes, beside its checks.
static constexpr size_t kMaxExtents = 16;

//===-- Symbols -----------------------------------------------------------===//

/// Whether a type in the module has that symbol.
static bool isTaken(ModuleOp module, StringAttr name) {
  auto has = [&](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && llvm::any_of(graph::dimsOf(tensor), [&](Attribute dim) {
             return llvm::is_contained(graph::symbolsOf(dim), name);
           });
  };
  WalkResult result = module->walk([&](Operation *op) {
    bool found = llvm::any_of(op->getResultTypes(), has);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        found |= llvm::any_of(block.getArgumentTypes(), has);
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

static ModuleOp moduleOf(NormalizeContext &ctx) {
  Operation *function = ctx.builder().getInsertionBlock()->getParentOp();
  return function->getParentOfType<ModuleOp>();
}

bool normalize::isOfInputs(NormalizeContext &ctx, Attribute dim) {
  llvm::DenseSet<StringAttr> inputs;
  if (auto module = moduleOf(ctx))
    for (func::FuncOp program : graph::programs(module)) {
      for (Type type : program.getArgumentTypes())
        if (auto tensor = dyn_cast<RankedTensorType>(type))
          for (Attribute own : dimsOf(tensor))
            inputs.insert_range(graph::symbolsOf(own));
      break;
    }
  return llvm::all_of(symbolsBelow(dim), [&](StringAttr symbol) {
    return inputs.contains(symbol) || graph::derivationOf(symbol);
  });
}

void normalize::limitSymbol(NormalizeContext &ctx, Attribute dim,
                            int64_t most) {
  graph::SymbolRange range;
  range.max = most;
  auto symbol = dyn_cast_or_null<StringAttr>(dim);
  if (symbol && most < INT64_MAX && !isOfInputs(ctx, dim))
    (void)ctx.symbols().constrain(symbol.getValue(), range);
}

Attribute normalize::freshSymbol(NormalizeContext &ctx, const Twine &suffix,
                                 int64_t most) {
  auto node = ctx.location()->findInstanceOf<NameLoc>();
  std::string stem = (node ? node.getName().str() : "node") + suffix.str();
  OpBuilder &builder = ctx.builder();
  ModuleOp module = moduleOf(ctx);
  StringAttr name = builder.getStringAttr(stem);
  for (unsigned count = 2; module && isTaken(module, name); ++count)
    name = builder.getStringAttr(stem + "." + Twine(count));
  limitSymbol(ctx, name, most);
  return name;
}

//===-- Extents -----------------------------------------------------------===//

namespace {
/// A number that is to be a dimension.
struct Request {
  Value number;
  std::vector<unsigned> key; ///< its identity, behind those of checks
  Attribute dim;             ///< once it has one
};

/// Makes the dimensions of one list of numbers.
class Extents {
public:
  explicit Extents(NormalizeContext &ctx) : ctx(ctx) {}

  std::optional<Dims> make(ArrayRef<Value> numbers, ArrayRef<Value> checks);

private:
  enum class Sign { Positive, Negative, Unknown };
  Sign signOf(Attribute dim);
  std::optional<Attribute> known(Value number);
  bool readChecks(ArrayRef<Value> checks);
  bool read(Value number);
  bool call(ArrayRef<Request *> asked);
  bool callAll();

  NormalizeContext &ctx;
  SmallVector<Value> open; ///< checks that are left to the run
  SmallVector<Request> requests;
};
} // namespace

/// Where one symbol decides, its range is narrowed, which the run checks.
Extents::Sign Extents::signOf(Attribute dim) {
  if (!dim)
    return Sign::Unknown;
  if (!graph::isSymbolic(dim))
    return sizeOf(dim) < 0 ? Sign::Negative : Sign::Positive;
  return succeeded(graph::demandNotNegative(dim, ctx.symbols()))
             ? Sign::Positive
             : Sign::Unknown;
}

/// Null if it is data; nothing after a refusal.
std::optional<Attribute> Extents::known(Value number) {
  auto contents = number ? ctx.contents(number) : std::nullopt;
  Attribute dim =
      contents && contents->size() == 1 ? contents->front() : Attribute();
  Sign sign = signOf(dim);
  if (number && sign != Sign::Negative)
    return sign == Sign::Positive ? dim : Attribute();
  if (number)
    (void)ctx.unsupported("a size is negative");
  return std::nullopt;
}

bool Extents::readChecks(ArrayRef<Value> checks) {
  for (Value check : checks) {
    auto dim = known(check);
    if (!dim)
      return false;
    if (!*dim)
      open.push_back(check);
  }
  return true;
}

/// What relies on a check must come of the call that makes it.
bool Extents::read(Value number) {
  auto dim = known(number);
  if (!dim)
    return false;
  Request request{number, ctx.numbers().identify(open), *dim};
  request.key.push_back(ctx.numbers().identify(number));
  if (!*dim || !open.empty())
    request.dim = ctx.numbers().symbols[request.key];
  requests.push_back(request);
  return true;
}

bool Extents::call(ArrayRef<Request *> asked) {
  SmallVector<Value> all;
  for (Request *request : asked)
    all.push_back(request->number);
  llvm::append_range(all, open);
  Value vector = all.size() == 1
                     ? all.front()
                     : ctx.create<graph::ConcatOp>(ValueRange(all), int64_t(0));
  Dims dims;
  for (size_t i = 0; i < all.size(); ++i)
    dims.push_back(freshSymbol(ctx, "_size_" + Twine(i)));
  for (auto [request, dim] : llvm::zip(asked, dims))
    ctx.numbers().symbols[request->key] = dim;
  dims.push_back(sizeDim(ctx.builder().getContext(), 0));
  Type type = typeFromDims(dims, ctx.builder().getI8Type());
  SmallVector<int64_t> sizes;
  if (!open.empty())
    sizes.push_back(int64_t(asked.size()));
  return bool(ctx.call("extents", vector, sizes, type));
}

bool Extents::callAll() {
  std::map<std::vector<unsigned>, Request *> missing;
  SmallVector<Request *> asked;
  for (Request &request : requests)
    if (!request.dim && missing.try_emplace(request.key, &request).second)
      asked.push_back(&request);
  ArrayRef<Request *> left = asked;
  while (!left.empty()) {
    size_t count = std::min(left.size(), kMaxExtents);
    if (!call(left.take_front(count)))
      return false;
    left = left.drop_front(count);
  }
  return true;
}

std::optional<Dims> Extents::make(ArrayRef<Value> numbers,
                                  ArrayRef<Value> checks) {
  if (!readChecks(checks))
    return std::nullopt;
  for (Value number : numbers)
    if (!read(number))
      return std::nullopt;
  if (!callAll())
    return std::nullopt;
  return llvm::map_to_vector<6>(requests, [&](const Request &request) {
    return request.dim ? request.dim : ctx.numbers().symbols[request.key];
  });
}

std::optional<Dims> normalize::extents(NormalizeContext &ctx,
                                       ArrayRef<Value> numbers,
                                       ArrayRef<Value> checks) {
  return Extents(ctx).make(numbers, checks);
}

std::optional<Dims> normalize::knownOrExtents(NormalizeContext &ctx,
                                              ArrayRef<Element> elements) {
  SmallVector<Value> data;
  for (const Element &element : elements)
    if (!element.isKnown())
      data.push_back(numberOf(ctx, element));
  auto symbols = extents(ctx, data);
  if (!symbols)
    return std::nullopt;
  auto *next = symbols->begin();
  return llvm::map_to_vector<6>(elements, [&](const Element &element) {
    return element.isKnown() ? element.dim : *next++;
  });
}

std::optional<Dims> normalize::sizesOf(NormalizeContext &ctx, Value tensor,
                                       StringRef name) {
  auto isSize = [&](Attribute dim) {
    return !graph::isSymbolic(dim)
               ? sizeOf(dim) >= 0
               : succeeded(graph::demandNotNegative(dim, ctx.symbols()));
  };
  if (auto known = ctx.contents(tensor); known && llvm::all_of(*known, isSize))
    return known;
  auto elements = elementsOf(ctx, tensor, name);
  if (!elements)
    return std::nullopt;
  SmallVector<Value> numbers;
  for (const Element &element : *elements)
    numbers.push_back(numberOf(ctx, element));
  return extents(ctx, numbers);
}
