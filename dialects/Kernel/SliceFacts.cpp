//===- SliceFacts.cpp - what runs slice by slice --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Kernel/SliceFacts.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::kernel;

static DictionaryAttr toAttr(Builder &b, const SlicedRange &range) {
  auto number = [&](StringRef name, int64_t value) {
    return b.getNamedAttr(name, b.getI64IntegerAttr(value));
  };
  return b.getDictionaryAttr(
      {b.getNamedAttr("first", b.getStringAttr(range.first)),
       b.getNamedAttr("last", b.getStringAttr(range.last)),
       number("images", range.images), number("operations", range.operations),
       number("slices", range.slices)});
}

static std::optional<SlicedRange> rangeOf(Attribute attribute) {
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  SlicedRange range;
  auto first = entries.getAs<StringAttr>("first"),
       last = entries.getAs<StringAttr>("last");
  if (!first || !last)
    return std::nullopt;
  range.first = first.str();
  range.last = last.str();
  std::pair<StringRef, int64_t *> numbers[] = {
      {"images", &range.images},
      {"operations", &range.operations},
      {"slices", &range.slices}};
  for (auto [name, number] : numbers) {
    auto stated = entries.getAs<IntegerAttr>(name);
    if (!stated)
      return std::nullopt;
    *number = stated.getInt();
  }
  return range;
}

/// "sliced = array<i64: nanoseconds, bytes>"
static std::optional<Predicted> priceOf(DictionaryAttr entries,
                                        StringRef name) {
  auto numbers = entries.getAs<DenseI64ArrayAttr>(name);
  if (!numbers || numbers.size() != 2)
    return std::nullopt;
  return Predicted{numbers[0], numbers[1]};
}

/// None if something is missing.
static std::optional<SliceFacts> factsOf(Attribute attribute) {
  auto entries = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (!entries)
    return std::nullopt;
  auto images = entries.getAs<IntegerAttr>("images");
  auto ranges = entries.getAs<ArrayAttr>("ranges");
  if (!images || !ranges)
    return std::nullopt;
  SliceFacts facts{images.getInt(),
                   {},
                   priceOf(entries, "sliced"),
                   priceOf(entries, "whole")};
  for (Attribute each : ranges) {
    std::optional<SlicedRange> range = rangeOf(each);
    if (!range)
      return std::nullopt;
    facts.ranges.push_back(std::move(*range));
  }
  return facts;
}

void kernel::setSlices(func::FuncOp program, const SliceFacts &facts) {
  Builder b(program.getContext());
  SmallVector<Attribute> ranges;
  for (const SlicedRange &range : facts.ranges)
    ranges.push_back(toAttr(b, range));
  NamedAttrList entries;
  entries.set("images", b.getI64IntegerAttr(facts.images));
  entries.set("ranges", b.getArrayAttr(ranges));
  auto set = [&](StringRef name, const std::optional<Predicted> &price) {
    if (price)
      entries.set(name,
                  b.getDenseI64ArrayAttr({price->nanoseconds, price->bytes}));
  };
  set("sliced", facts.sliced);
  set("whole", facts.whole);
  program->setAttr(slicedAttr, entries.getDictionary(b.getContext()));
}

std::optional<SliceFacts> kernel::slicesOf(func::FuncOp program) {
  return factsOf(program->getAttr(slicedAttr));
}

LogicalResult kernel::verifySlices(Operation *op, Attribute slices) {
  if (isa<func::FuncOp>(op) && factsOf(slices))
    return success();
  return op->emitOpError("needs a program, images and ranges with their first "
                         "and last nodes and numbers for '")
         << slicedAttr << "'";
}
