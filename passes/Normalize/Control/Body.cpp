//===- Body.cpp - a subgraph as a function --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the function of a region. What is known of the caller's
// symbols holds in it, but what it asks of them does not hold for the caller,
// who may never call it: such symbols get a name of their own.
//===----------------------------------------------------------------------===//
#include "passes/Normalize/Control/Body.h"
#include "dialects/Control/Control.h"
#include "dialects/Graph/DerivedDims.h"
#include "dialects/Graph/Instances.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"
#include "passes/Normalize/Control/ControlFlow.h"
#include "passes/Normalize/Extents.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

/// Whether a body can make the value itself, and nothing is gained by passing
/// it.
static bool isCloned(Value value) {
  Operation *op = value.getDefiningOp();
  auto call = dyn_cast_or_null<control::CallOp>(op);
  return (call && call->getNumOperands() == 0) ||
         isa_and_nonnull<graph::ConstantOp, graph::SizesOp,
                         control::ConstantOp>(op);
}

FailureOr<Captures> normalize::capturesOf(Walk &walk, Operation *op) {
  llvm::SetVector<Value> used;
  for (Region &region : op->getRegions())
    getUsedValuesDefinedAbove(region, used);
  Captures captures;
  captures.all = used.takeVector();
  llvm::SetVector<Value> passed;
  for (Value value : captures.all) {
    if (isa<NoneType>(value.getType()))
      continue;
    Value made = walk.lookup(value);
    if (!made || walk.isDoubted(value))
      return failure();
    if (!isCloned(made))
      passed.insert(made);
  }
  captures.passed = passed.takeVector();
  return captures;
}

static void addSymbols(Attribute dim, DenseSet<Attribute> &symbols) {
  for (StringAttr symbol : graph::symbolsOf(dim)) {
    symbols.insert(symbol);
    if (auto derived = graph::derivationOf(symbol))
      for (Attribute operand : derived->operands)
        addSymbols(operand, symbols);
  }
}

/// Adds the symbols of `#graph.dims` anywhere in a type or attribute.
template <typename T>
static void addSymbolsIn(T typeOrAttribute, DenseSet<Attribute> &symbols) {
  AttrTypeWalker walker;
  walker.addWalk([&](graph::DimsAttr dims) {
    for (Attribute dim : dims.getDims())
      if (!isa<UnitAttr>(dim))
        addSymbols(dim, symbols);
  });
  walker.walk(typeOrAttribute);
}

/// Which symbols mean the same in the function as in its caller.
void Body::share(const BodySource &source) {
  for (Type type : function.getArgumentTypes())
    addSymbolsIn(type, shared);
  for (Value value : source.captures.all)
    if (Value made = outer.lookup(value))
      if (auto sizes = made.getDefiningOp<graph::SizesOp>())
        addSymbolsIn(Attribute(sizes.getDims()), shared);
  for (StringAttr local : source.locals)
    shared.erase(local);
}

/// Clones the nodes of the region behind what stands for its arguments; returns
/// what it yields.
FailureOr<SmallVector<Value>> Body::enter(const BodySource &source,
                                          Walk &inner) {
  OpBuilder &builder = inner.ctx.builder();
  Block *block = function.addEntryBlock();
  inner.ctx.begin(op);
  builder.setInsertionPointToEnd(block);
  IRMapping mapping;
  size_t numOwn = source.own.size();
  for (auto [value, argument] : llvm::zip(
           source.captures.passed, function.getArguments().drop_front(numOwn)))
    mapping.map(value, argument);
  for (Value value : source.captures.all) {
    Value made = outer.lookup(value);
    Operation *maker = (made ? made : value).getDefiningOp();
    if (!made || (isCloned(made) && !mapping.contains(made)))
      mapping.map(made ? made : value,
                  builder.clone(*maker)->getResult(
                      cast<OpResult>(made ? made : value).getResultNumber()));
    if (made)
      mapping.map(value, mapping.lookup(made));
  }
  Block &nodes = source.region.front();
  SmallVector<Value> arguments =
      source.arguments(inner.ctx, function.getArguments().take_front(numOwn));
  if (llvm::is_contained(arguments, Value())) {
    (void)refuse(outer, op, inner.ctx.reason());
    return failure();
  }
  mapping.map(nodes.getArguments(), arguments);
  SmallVector<Value> yields;
  if (source.returnsTrue)
    yields.push_back(inner.ctx.constant(DenseElementsAttr::get(
        RankedTensorType::get({}, builder.getI1Type()), true)));
  for (Operation &node : nodes.without_terminator())
    builder.clone(node, mapping);
  for (auto [index, value] :
       llvm::enumerate(nodes.getTerminator()->getOperands()))
    if (source.returns(index))
      yields.push_back(mapping.lookupOrDefault(value));
  return yields;
}

/// A name for a function that is not taken.
static std::string functionName(ModuleOp module, std::string base) {
  std::string name = base;
  for (unsigned i = 1; module.lookupSymbol(name); ++i)
    name = base + "_" + std::to_string(i);
  return name;
}

/// Makes an empty function.
void Body::open(const BodySource &source) {
  ModuleOp module = outer.model.module;
  before = &module.getBody()->back();
  suffix = source.suffix.str();
  rangesBefore = outer.model.ranges.size();
  SmallVector<Type> types(source.own);
  llvm::append_range(types, TypeRange(ValueRange(source.captures.passed)));
  OpBuilder builder = OpBuilder::atBlockEnd(module.getBody());
  std::string name = nodeName(op) + "_" + source.suffix.str();
  function =
      func::FuncOp::create(builder, op->getLoc(), functionName(module, name),
                           builder.getFunctionType(types, {}));
  control::markBody(function);
  share(source);
}

LogicalResult Body::make(const BodySource &source) {
  open(source);
  Walk inner(function, outer.model);
  FailureOr<SmallVector<Value>> yields = enter(source, inner);
  if (failed(yields))
    return failure();
  func::ReturnOp::create(inner.ctx.builder(), op->getLoc(), *yields);
  if (failed(inner.runBody(outer.ctx.symbols())))
    return failure();
  localize(inner.ctx.symbols());
  return success();
}

void Body::makeFailing(const BodySource &source, Location where, StringRef text,
                       ArrayRef<Type> results) {
  open(source);
  auto builder = OpBuilder::atBlockEnd(function.addEntryBlock());
  auto scalar =
      RankedTensorType::get({}, control::StringType::get(where.getContext()));
  Value why = control::ConstantOp::create(
      builder, where, scalar, DenseStringElementsAttr::get(scalar, text));
  SmallVector<Value> values;
  for (Type type : results)
    values.push_back(control::CallOp::create(builder, where, type,
                                             builder.getStringAttr("fail"), why,
                                             ArrayRef<int64_t>())
                         .getResult(0));
  func::ReturnOp::create(builder, where, values);
  function.setType(builder.getFunctionType(function.getArgumentTypes(),
                                           TypeRange(ArrayRef(results))));
}

void Body::erase() {
  while (&outer.model.module.getBody()->back() != before)
    outer.model.module.getBody()->back().erase();
  outer.model.ranges.resize(rangesBefore);
  shared.clear();
  renamed.clear();
  original.clear();
}

//===-- Symbols -------------------------------------------------------------//

static Attribute rename(Attribute dim,
                        const DenseMap<Attribute, Attribute> &names) {
  return graph::substitute(dim, [&](StringAttr symbol) -> Attribute {
    if (auto derived = graph::derivationOf(symbol))
      return graph::derivedSymbol(
          derived->function,
          llvm::map_to_vector(derived->operands, [&](Attribute operand) {
            return rename(operand, names);
          }));
    auto found = names.find(symbol);
    return found == names.end() ? Attribute(symbol) : found->second;
  });
}

/// Symbols in order of their names.
static SmallVector<StringAttr> sorted(const DenseSet<Attribute> &symbols) {
  SmallVector<StringAttr> list;
  for (Attribute symbol : symbols)
    list.push_back(cast<StringAttr>(symbol));
  llvm::sort(list, [](StringAttr a, StringAttr b) {
    return a.getValue() < b.getValue();
  });
  return list;
}

/// Gives symbols of which the function asks more than its caller knows names of
/// their own, and notes what is known of those that it made.
void Body::localize(const graph::ConstraintStore &inner) {
  DenseSet<Attribute> used;
  addSymbolsIn(Type(function.getFunctionType()), used);
  function.walk([&](Operation *nested) {
    addSymbolsIn(Attribute(nested->getAttrDictionary()), used);
    for (Type type : nested->getResultTypes())
      addSymbolsIn(type, used);
  });
  for (StringAttr symbol : sorted(used)) {
    graph::SymbolRange range = inner.range(symbol.getValue());
    if (graph::derivationOf(symbol) ||
        range == outer.ctx.symbols().range(symbol.getValue()))
      continue;
    StringAttr name = symbol;
    if (shared.contains(symbol)) {
      name = cast<StringAttr>(
          freshSymbol(outer.ctx, "_" + Twine(suffix) + "_" + symbol.str()));
      renamed[symbol] = name;
      original[name] = symbol;
    }
    outer.model.ranges.emplace_back(name.str(), range);
  }
  if (!renamed.empty())
    graph::mapDims(function,
                   [&](Attribute dim) { return rename(dim, renamed); });
}

Attribute Body::exported(Attribute dim) const {
  if (!dim || !graph::isSymbolic(dim))
    return dim;
  Attribute outside = rename(dim, original);
  DenseSet<Attribute> symbols;
  addSymbols(outside, symbols);
  auto isKnown = [&](Attribute symbol) {
    return shared.contains(symbol) ||
           graph::derivationOf(cast<StringAttr>(symbol));
  };
  return llvm::all_of(symbols, isKnown) ? outside : Attribute();
}

/// The same everywhere in a type, whatever it is.
static Type mapType(Type type, llvm::function_ref<Attribute(Attribute)> map) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([&](RankedTensorType tensor) {
    graph::Dims dims = graph::dimsOf(tensor);
    for (Attribute &dim : dims)
      dim = map(dim);
    return std::make_pair(
        Type(graph::typeFromDims(dims, tensor.getElementType())),
        WalkResult::skip());
  });
  return replacer.replace(type);
}

Type Body::exported(Type type) const {
  return mapType(type, [&](Attribute dim) { return exported(dim); });
}

Type Body::imported(Type type) const {
  return mapType(
      type, [&](Attribute dim) { return dim ? rename(dim, renamed) : dim; });
}

//===-- Passing -------------------------------------------------------------//

/// Adds symbols that stand alone as an extent.
static void addCarried(Type type, DenseSet<Attribute> &symbols) {
  if (auto tensor = dyn_cast<RankedTensorType>(type))
    for (Attribute dim : graph::dimsOf(tensor))
      if (isa_and_nonnull<StringAttr>(dim))
        symbols.insert(dim);
}

namespace {
/// Which arguments the bodies of an operation need.
class Passing {
public:
  Passing(Walk &walk, Operation *op, ArrayRef<Body *> bodies, unsigned numOwn,
          SmallVector<Value> passed)
      : walk(walk), op(op), bodies(bodies), numOwn(numOwn),
        passed(std::move(passed)) {}
  FailureOr<SmallVector<Value>> run();

private:
  void dropUnused();
  LogicalResult carry(Body &body);
  Value findCarrier(Attribute symbol);
  void add(Value value);

  Walk &walk;
  Operation *op;
  ArrayRef<Body *> bodies;
  unsigned numOwn;
  SmallVector<Value> passed;
};
} // namespace

void Passing::dropUnused() {
  for (size_t index = passed.size(); index-- > 0;) {
    unsigned argument = numOwn + index;
    if (llvm::any_of(bodies, [&](Body *body) {
          return !body->function.getArgument(argument).use_empty();
        }))
      continue;
    for (Body *body : bodies)
      (void)body->function.eraseArgument(argument);
    passed.erase(passed.begin() + index);
  }
}

void Passing::add(Value value) {
  for (Body *body : bodies)
    (void)body->function.insertArgument(body->function.getNumArguments(),
                                        body->imported(value.getType()),
                                        DictionaryAttr(), op->getLoc());
  passed.push_back(value);
}

/// A value around `op` that has `symbol` as an extent: an argument of the
/// function, or what the host makes.
Value Passing::findCarrier(Attribute symbol) {
  auto carries = [&](Value value) {
    DenseSet<Attribute> carried;
    addCarried(value.getType(), carried);
    return carried.contains(symbol);
  };
  for (Value argument : walk.function.getArguments())
    if (carries(argument))
      return argument;
  for (Operation &other : *op->getBlock()) {
    if (&other == op)
      break;
    if (isa<control::ControlDialect>(other.getDialect()))
      for (Value result : other.getResults())
        if (carries(result))
          return result;
  }
  return {};
}

LogicalResult Passing::carry(Body &body) {
  DenseSet<Attribute> needed, carried;
  body.function.walk([&](Operation *nested) {
    if (isa<func::FuncOp>(nested))
      return;
    addSymbolsIn(Attribute(nested->getAttrDictionary()), needed);
    for (Type type : nested->getResultTypes()) {
      addSymbolsIn(type, needed);
      if (isa<control::ControlDialect>(nested->getDialect()))
        addCarried(type, carried);
    }
  });
  for (Type type : body.function.getArgumentTypes()) {
    addSymbolsIn(type, needed);
    addCarried(type, carried);
  }
  for (StringAttr symbol : sorted(needed)) {
    if (carried.contains(symbol) || graph::derivationOf(symbol))
      continue;
    Value carrier = findCarrier(body.exported(Attribute(symbol)));
    if (!carrier) {
      (void)refuse(walk, op,
                   "a size in its body, " + symbol.str() +
                       ", is no extent of what is around it");
      return failure();
    }
    add(carrier);
    addCarried(body.function.getArgumentTypes().back(), carried);
  }
  return success();
}

FailureOr<SmallVector<Value>> Passing::run() {
  dropUnused();
  for (Body *body : bodies)
    if (failed(carry(*body)))
      return failure();
  return passed;
}

FailureOr<SmallVector<Value>>
normalize::passCaptures(Walk &walk, Operation *op, ArrayRef<Body *> bodies,
                        unsigned numOwn, const Captures &captures) {
  return Passing(walk, op, bodies, numOwn, captures.passed).run();
}
