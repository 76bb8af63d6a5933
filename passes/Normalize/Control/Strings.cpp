//===- Strings.cpp - tensors of strings -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file lowers operators of strings, and what others do with them. Their
// shapes are as known as those of numbers.
//===----------------------------------------------------------------------===//
#include "dialects/Control/Control.h"
#include "passes/Normalize/Control/Control.h"
#include "passes/Normalize/Control/Types.h"
#include "passes/Normalize/Extents.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::normalize;

static bool isString(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor && isa<control::StringType>(tensor.getElementType());
}

static Value stringConstant(NormalizeContext &ctx, ElementsAttr value) {
  return control::ConstantOp::create(ctx.builder(), ctx.location(),
                                     value.getType(), value);
}

static Value stringConstant(NormalizeContext &ctx, ArrayRef<StringRef> words,
                            ArrayRef<int64_t> shape) {
  auto type = RankedTensorType::get(
      shape, control::StringType::get(ctx.builder().getContext()));
  return stringConstant(ctx, DenseStringElementsAttr::get(type, words));
}

static Lowered lowerConstant(NormalizeContext &ctx, const Node &node) {
  return stringConstant(ctx, node.tensor("value"));
}

static Lowered lowerNormalizer(NormalizeContext &ctx, const Node &node) {
  int change =
      llvm::StringSwitch<int>(node.string("case_change_action", "NONE"))
          .Case("NONE", 0)
          .Case("LOWER", 1)
          .Case("UPPER", 2)
          .Default(-1);
  if (change < 0)
    return ctx.unsupported("unknown case_change_action");
  RankedTensorType type = node.type(0);
  if (type.getRank() < 1 || type.getRank() > 2)
    return ctx.unsupported("it takes strings [c] or [1, c]");
  SmallVector<StringRef> words = node.strings("stopwords");
  Value stops = stringConstant(ctx, words, {int64_t(words.size())});
  Dims dims = graph::dimsOf(type);
  dims.back() = {};
  return ctx.call(
      "string_normalizer", {node.operand(0), stops},
      {change, node.flag("is_case_sensitive", false)},
      withNames(ctx, 0, graph::typeFromDims(dims, type.getElementType())));
}

/// numpy's broadcast; what is not known to fit is checked in the run.
static std::optional<Dims> broadcast(NormalizeContext &ctx, Value a, Value b) {
  Dims dims = graph::dimsOf(a), other = graph::dimsOf(b);
  if (dims.size() < other.size())
    std::swap(dims, other);
  size_t lead = dims.size() - other.size();
  for (auto [index, dim] : llvm::enumerate(other)) {
    Attribute &wide = dims[lead + index];
    if (wide == dim || graph::sizeOf(dim) == 1)
      continue;
    if (graph::sizeOf(wide) == 1)
      wide = dim;
    else if (graph::isSymbolic(wide) && graph::isSymbolic(dim))
      wide = {};
    else if (graph::isSymbolic(wide))
      wide = dim;
    else if (!graph::isSymbolic(dim)) {
      (void)ctx.unsupported("its operands cannot be broadcast");
      return std::nullopt;
    }
  }
  return dims;
}

/// A primitive of two operands that are broadcast.
static Lowered lowerBinary(NormalizeContext &ctx, const Node &node,
                           StringRef primitive, Type element) {
  auto dims = broadcast(ctx, node.operand(0), node.operand(1));
  if (!dims)
    return failure();
  return ctx.call(primitive, {node.operand(0), node.operand(1)}, {},
                  withNames(ctx, 0, graph::typeFromDims(*dims, element)));
}

static Lowered lowerConcat(NormalizeContext &ctx, const Node &node) {
  return lowerBinary(ctx, node, "string_concat",
                     control::StringType::get(node.context()));
}

static Lowered lowerEqual(NormalizeContext &ctx, const Node &node) {
  return lowerBinary(ctx, node, "string_equal",
                     IntegerType::get(node.context(), 1));
}

static Lowered lowerSplit(NormalizeContext &ctx, const Node &node) {
  Value delimiter =
      stringConstant(ctx, {node.string("delimiter", "")}, ArrayRef<int64_t>());
  Dims dims = graph::dimsOf(node.operand(0));
  auto counts = graph::typeFromDims(dims, IntegerType::get(node.context(), 64));
  dims.push_back({});
  auto words =
      graph::typeFromDims(dims, control::StringType::get(node.context()));
  return ctx.callAll("string_split", {node.operand(0), delimiter},
                     {node.integer("maxsplit", -1)},
                     {withNames(ctx, 0, words), counts});
}

static Lowered lowerReshape(NormalizeContext &ctx, const Node &node) {
  auto given = ctx.constantInts(node.operand(1));
  RankedTensorType type = node.type(0);
  if (!given || !type.hasStaticShape())
    return ctx.unsupported(kUnknownShape);
  uint64_t known = 1, count = uint64_t(type.getNumElements());
  int64_t *inferred = nullptr;
  bool fits = true;
  for (auto [index, size] : llvm::enumerate(*given)) {
    if (size == 0 && !node.flag("allowzero", false) &&
        int64_t(index) < type.getRank())
      size = type.getDimSize(index);
    fits &= size >= 0 || (size == -1 && !inferred);
    if (size < 0)
      inferred = &size;
    else
      known = llvm::SaturatingMultiply(known, uint64_t(size));
  }
  fits &= inferred ? known > 0 && count % known == 0 : known == count;
  if (!fits)
    return ctx.unsupported("the shape does not fit");
  if (inferred)
    *inferred = int64_t(count / known);
  return ctx.call("string_reshape", {node.operand(0), ctx.vector(*given)}, {},
                  RankedTensorType::get(*given, type.getElementType()));
}

/// Lets an operator take strings, too.
static void addForStrings(LoweringTable &table, StringRef op,
                          Lowering lowering) {
  const Lowering *found = table.find(("onnx." + op).str());
  Lowering other = found ? *found : Lowering();
  table.addForAll(op, [=](NormalizeContext &ctx, const Node &node) -> Lowered {
    Value operand = node.operand(0);
    if (isString(operand ? operand.getType()
                         : node.operation()->getResult(0).getType()))
      return lowering(ctx, node);
    return other ? other(ctx, node) : Lowered(failure());
  });
}

void normalize::populateStringLowerings(LoweringTable &table) {
  table.addForAll("StringNormalizer", lowerNormalizer);
  table.addForAll("StringConcat", lowerConcat);
  table.addForAll("StringSplit", lowerSplit);
  addForStrings(table, "Constant", lowerConstant);
  addForStrings(table, "Equal", lowerEqual);
  addForStrings(table, "Reshape", lowerReshape);
  for (StringRef op : {"Shape", "Size"})
    if (const Lowering *lowering = table.find(("onnx." + op).str()))
      table.addForAll(op, Lowering(*lowering));
}
