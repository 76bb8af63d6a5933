//===- NarrowWeights.cpp - constants in 16 bits ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the packs of f32 constants convert as well, where the kernels
// that read them widen what they load.
//===----------------------------------------------------------------------===//
#include "passes/Codegen/Passes.h"
#include "passes/Codegen/Planning.h"
#include "passes/Codegen/Programs/Kernels.h"
#include "passes/Codegen/SizePlans.h"

#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Support/NarrowFloat.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_NARROWWEIGHTSPASS
#include "passes/Codegen/Passes.h.inc"
} // namespace tenon::codegen

using namespace mlir;
using namespace tenon;

namespace {
/// What becomes of numbers in a narrower format.
struct Loss {
  double relative = 0;    ///< the largest error over its number
  double absolute = 0;    ///< the largest error
  double largest = 0;     ///< the largest number
  bool overflows = false; ///< a finite number becomes infinite
};
} // namespace

template <typename Format> static Loss lossOf(ArrayRef<float> numbers) {
  Loss loss;
  for (float x : numbers) {
    float y = Format::widen(Format::narrow(x));
    if (!std::isfinite(x))
      continue;
    loss.largest = std::max(loss.largest, std::fabs(double(x)));
    if (x == y)
      continue;
    loss.overflows |= std::isinf(y);
    loss.absolute = std::max(loss.absolute, std::fabs(double(y) - x));
    loss.relative = std::max(loss.relative,
                             std::fabs(double(y) - x) / std::fabs(double(x)));
  }
  return loss;
}

static DictionaryAttr withElement(DictionaryAttr pack, Type element) {
  NamedAttrList list(pack);
  list.set("element", TypeAttr::get(element));
  return list.getDictionary(pack.getContext());
}

/// Why a kernel cannot widen what it loads, else empty.
static StringRef whyWide(kernel::GroupOp group, unsigned index) {
  for (const codegen::Strategy *strategy : codegen::strategiesOf(group)) {
    StringRef why = strategy && strategy->whyWide
                        ? strategy->whyWide(group, index)
                        : StringRef(codegen::readsF32);
    if (!why.empty())
      return why;
  }
  return {};
}

namespace {
struct NarrowWeights : codegen::impl::NarrowWeightsPassBase<NarrowWeights> {
  using Base::Base;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Builder b(&getContext());
    element = type == "f16"    ? Type(b.getF16Type())
              : type == "bf16" ? Type(b.getBF16Type())
                               : Type();
    if (!element) {
      module.emitError("weights cannot be stored as '") << type << "'";
      return signalPassFailure();
    }
    for (auto function : module.getOps<func::FuncOp>())
      for (auto group : function.getOps<kernel::GroupOp>())
        if (failed(narrow(group)))
          return signalPassFailure();
    kernel::KernelDialect::NarrowedAttrHelper(&getContext())
        .setAttr(module, b.getArrayAttr(records));
  }

private:
  LogicalResult narrow(kernel::GroupOp group) {
    ArrayAttr packs = group.getPacksAttr();
    if (!packs)
      return success();
    SmallVector<Attribute> narrowed(packs.begin(), packs.end());
    for (unsigned i = 0; i < narrowed.size(); ++i) {
      DictionaryAttr pack = group.getPack(i);
      auto constant =
          group.getOperands_()[i].getDefiningOp<graph::ConstantOp>();
      if (!pack || !constant || !constant.getType().getElementType().isF32())
        continue;
      FailureOr<bool> fits = decide(constant, pack, group, i);
      if (failed(fits))
        return failure();
      if (*fits)
        narrowed[i] = withElement(pack, element);
    }
    group.setPacksAttr(ArrayAttr::get(&getContext(), narrowed));
    return success();
  }

  /// Whether a constant becomes narrow; noted once, whoever reads it so.
  FailureOr<bool> decide(graph::ConstantOp constant, DictionaryAttr pack,
                         kernel::GroupOp group, unsigned index) {
    auto [entry, isNew] = known.try_emplace({constant.getValue(), pack}, false);
    if (!isNew)
      return entry->second;
    StringRef why = whyWide(group, index);
    if (!why.empty()) {
      record(group, {}, 0, why);
      return false;
    }
    auto tensor = interp::Tensor::fromElements(constant.getValue());
    if (failed(tensor))
      return constant.emitError("has elements that cannot be read");
    ArrayRef<float> numbers(
        reinterpret_cast<const float *>(tensor->bytes().data()),
        tensor->size());
    Loss loss = element.isF16() ? lossOf<HalfFloat>(numbers)
                                : lossOf<BrainFloat>(numbers);
    entry->second = !loss.overflows;
    if (loss.overflows)
      record(group, {}, 0, "a weight is too large for 16 bits");
    else
      record(group, loss, tensor->size() * 2, "");
    return entry->second;
  }

  /// What became of a constant; `why` it stays as it is, else empty.
  void record(kernel::GroupOp group, const Loss &loss, int64_t bytesSaved,
              StringRef why) {
    Builder b(&getContext());
    double ofLargest = loss.largest ? loss.absolute / loss.largest : 0;
    NamedAttrList entry;
    entry.set("nodes", b.getStringAttr(codegen::nodeNames(group)));
    entry.set("element", TypeAttr::get(why.empty() ? element : b.getF32Type()));
    entry.set("bytes_saved", b.getI64IntegerAttr(bytesSaved));
    entry.set("error", b.getF64FloatAttr(loss.relative));
    entry.set("error_of_largest", b.getF64FloatAttr(ofLargest));
    if (!why.empty())
      entry.set("kept", b.getStringAttr(why));
    records.push_back(entry.getDictionary(&getContext()));
    ++(why.empty() ? numNarrowed : numKept);
  }

  Type element;
  SmallVector<Attribute> records;
  llvm::DenseMap<std::pair<Attribute, Attribute>, bool> known;
};
} // namespace
