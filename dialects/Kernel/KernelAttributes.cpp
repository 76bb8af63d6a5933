//===- KernelAttributes.cpp - what is said about kernels ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file verifies the attributes of groups and the facts that stand on
// functions and modules.
//===----------------------------------------------------------------------===//
#include "dialects/Kernel/Facts.h"
#include "dialects/Kernel/Kernel.h"
#include "dialects/Kernel/ScheduleFacts.h"
#include "dialects/Kernel/SliceFacts.h"

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace tenon::kernel;

//===-- Groups ------------------------------------------------------------===//

ArrayRef<int64_t> GroupOp::getHalo(unsigned operand) {
  ArrayAttr halos = getHalosAttr();
  return halos ? cast<DenseI64ArrayAttr>(halos[operand]).asArrayRef()
               : ArrayRef<int64_t>();
}

DictionaryAttr GroupOp::getPack(unsigned operand) {
  ArrayAttr packs = getPacksAttr();
  return packs ? dyn_cast<DictionaryAttr>(packs[operand]) : DictionaryAttr();
}

int64_t GroupOp::getByteOffset(unsigned buffer) {
  auto offsets = getOffsets();
  return offsets ? (*offsets)[buffer] : 0;
}

bool GroupOp::isInPlace(unsigned index) {
  auto parts = getInPlace();
  return parts && llvm::is_contained(*parts, int64_t(index));
}

static bool hasNegative(ArrayRef<int64_t> values) {
  return llvm::any_of(values, [](int64_t value) { return value < 0; });
}

static LogicalResult verifyHalos(GroupOp group) {
  ArrayAttr halos = group.getHalosAttr();
  if (!halos)
    return success();
  if (halos.size() != group.getOperands_().size())
    return group.emitOpError("needs one halo per operand");
  for (auto [i, type] : llvm::enumerate(group.getOperands_().getTypes())) {
    ArrayRef<int64_t> halo = group.getHalo(i);
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!halo.empty() &&
        (!tensor || int64_t(halo.size()) != 2 * tensor.getRank()))
      return group.emitOpError("needs two widths per dimension in the halo of "
                               "operand ")
             << i;
    if (hasNegative(halo))
      return group.emitOpError("has a negative halo for operand ") << i;
  }
  return success();
}

LogicalResult tenon::kernel::verifyCosts(Operation *op, DictionaryAttr costs) {
  if (!costs)
    return success();
  for (NamedAttribute cost : costs) {
    auto time = dyn_cast<IntegerAttr>(cost.getValue());
    if (!time || !time.getType().isSignlessInteger(64) || time.getInt() < 0)
      return op->emitOpError("needs a number of nanoseconds for '")
             << cost.getName().getValue() << "'";
  }
  return success();
}

static LogicalResult verifyScratch(GroupOp group) {
  ArrayRef<int64_t> scratch = group.getScratch().value_or(ArrayRef<int64_t>());
  for (int64_t bytes : scratch)
    if (bytes < 1)
      return group.emitOpError("has a scratch buffer of ") << bytes << " bytes";
  if (group.getChecked() &&
      (scratch.empty() || scratch.back() != sizeof(int64_t)))
    return group.emitOpError("is checked and has no fault word");
  return success();
}

static LogicalResult verifyBuffers(GroupOp group) {
  size_t count = group.getNumOperands() + group.getNumResults();
  ArrayAttr buffers = group.getBuffersAttr();
  if (buffers && buffers.size() != count)
    return group.emitOpError("needs one buffer type per operand and result");
  auto offsets = group.getOffsets();
  if (!offsets)
    return success();
  if (!buffers || offsets->size() != count)
    return group.emitOpError("needs one offset per buffer");
  if (hasNegative(*offsets))
    return group.emitOpError("has a negative offset");
  return success();
}

static LogicalResult verifyInPlace(GroupOp group) {
  ArrayRef<int64_t> parts = group.getInPlace().value_or(ArrayRef<int64_t>());
  int64_t count = group.getBlock().front().getNumOperands();
  int64_t last = -1;
  for (int64_t part : parts) {
    if (part <= last)
      return group.emitOpError("needs ascending numbers in 'in_place'");
    last = part;
  }
  if (last >= count)
    return group.emitOpError("has no operand ")
           << last << " that could be in place";
  return success();
}

LogicalResult GroupOp::verifyAttributes() {
  ArrayAttr packs = getPacksAttr();
  if (packs && packs.size() != getOperands_().size())
    return emitOpError("needs one pack per operand");
  return success(
      succeeded(verifyCosts(*this, getCostsAttr())) &&
      succeeded(verifyFusion(*this, getFusionAttr())) &&
      succeeded(verifyHalos(*this)) && succeeded(verifyScratch(*this)) &&
      succeeded(verifyBuffers(*this)) && succeeded(verifyInPlace(*this)));
}

//===-- Functions and modules ---------------------------------------------===//

static LogicalResult verifyFact(Operation *op, NamedAttribute fact) {
  if (!isa<FunctionOpInterface>(op))
    return op->emitOpError("is no function that '")
           << fact.getName().getValue() << "' could be said of";
  if (fact.getName() != KernelDialect::ErrorGrowthAttrHelper::getNameStr())
    return isa<UnitAttr>(fact.getValue())
               ? success()
               : LogicalResult(op->emitOpError("needs a unit attribute for '")
                               << fact.getName().getValue() << "'");
  auto growth = dyn_cast<FloatAttr>(fact.getValue());
  if (!growth || !growth.getType().isF64() ||
      !std::isfinite(growth.getValueAsDouble()) ||
      growth.getValueAsDouble() <= 0)
    return op->emitOpError("needs a positive f64 as error growth");
  return success();
}

/// Whether an entry of `kernel.narrowed` has all that reports show.
static bool isRecord(Attribute entry) {
  auto record = dyn_cast<DictionaryAttr>(entry);
  return record && record.getAs<StringAttr>("nodes") &&
         record.getAs<TypeAttr>("element") &&
         record.getAs<IntegerAttr>("bytes_saved") &&
         record.getAs<FloatAttr>("error") &&
         record.getAs<FloatAttr>("error_of_largest") &&
         (!record.contains("kept") || record.getAs<StringAttr>("kept"));
}

LogicalResult KernelDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute fact) {
  StringRef name = fact.getName();
  if (llvm::is_contained({ErrorGrowthAttrHelper::getNameStr(),
                          OneCallAttrHelper::getNameStr(),
                          CheckedAttrHelper::getNameStr()},
                         name))
    return verifyFact(op, fact);
  if (name == UnfusedAttrHelper::getNameStr())
    return isa<FunctionOpInterface>(op) && isUnfusedList(fact.getValue())
               ? success()
               : LogicalResult(op->emitOpError("needs a function and from, to "
                                               "and reason of each value for '")
                               << name << "'");
  if (name == runCountsAttr)
    return verifyRunCounts(op, fact.getValue());
  if (name == scheduledAttr)
    return verifySchedule(op, fact.getValue());
  if (name == slicedAttr)
    return verifySlices(op, fact.getValue());
  if (name != NarrowedAttrHelper::getNameStr())
    return op->emitOpError("has an unknown attribute '") << name << "'";
  auto records = dyn_cast<ArrayAttr>(fact.getValue());
  if (!isa<ModuleOp>(op) || !records || !llvm::all_of(records, isRecord))
    return op->emitOpError("needs a module and one record per constant for '")
           << name << "'";
  return success();
}
