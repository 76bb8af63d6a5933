//===- Primitives.cpp - what the run time computes itself -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "dialects/Control/Primitives.h"

#include "mlir/IR/Operation.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace tenon::control;

static constexpr unsigned ANY = ~0u;

static constexpr Primitive table[] = {
#define TENON_PRIMITIVE(number, name, least, most, results, integers, summary) \
  {#name, number, least, most, results, integers, summary},
#include "tenon/primitives.def"
};

ArrayRef<Primitive> tenon::control::primitives() { return table; }

const Primitive *tenon::control::findPrimitive(StringRef name) {
  const Primitive *found =
      llvm::find_if(table, [&](const Primitive &primitive) {
        return primitive.name == name;
      });
  return found == std::end(table) ? nullptr : found;
}

static bool hasIntegers(const Primitive &primitive, size_t count) {
  SmallVector<StringRef> names;
  primitive.integers.split(names, ' ', -1, /*KeepEmpty=*/false);
  if (!names.empty() && names.back() == "...")
    return count + 2 >= names.size();
  return count == names.size();
}

LogicalResult tenon::control::verifyPrimitive(Operation *op, StringRef name,
                                              size_t numOperands,
                                              size_t numIntegers,
                                              size_t numResults) {
  const Primitive *primitive = findPrimitive(name);
  if (!primitive)
    return op->emitOpError("there is no primitive '") << name << "'";
  if (numOperands < primitive->minOperands ||
      numOperands > primitive->maxOperands)
    return op->emitOpError("'")
           << name << "' does not take " << numOperands << " operands";
  if (!hasIntegers(*primitive, numIntegers))
    return op->emitOpError("'")
           << name << "' wants the integers '" << primitive->integers << "'";
  if (numResults != primitive->numResults)
    return op->emitOpError("'") << name << "' has " << primitive->numResults
                                << " results, not " << numResults;
  return success();
}
