//===- NarrowWeights.cpp - constants in 16 bits ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the packs of f32 constants convert as well, where the kernels
// that read them widen what they load.
//===----------------------------------------------------------------------===//
#include "passes/CodegenCpu/LowerKernels.h"
#include "passes/CodegenCpu/Passes.h"
#include "passes/CodegenCpu/Planning.h"

#include "dialects/Graph/Graph.h"
#include "lib/Interpreter/Interpreter.h"
#include "lib/Support/NarrowFloat.h"

namespace tenon::codegen {
#define GEN_PASS_DEF_NARROWWEIGHTSPASS
#include "passes/CodegenCpu/Passes.h.inc"
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
    module->setAttr(codegen::narrowedAttr, b.getArrayAttr(records));
  }

private:
  LogicalResult narrow(kernel::GroupOp group) {
    auto takesNarrow = codegen::findEmitter(group.getKind())->takesNarrow;
    auto packs = group->getAttrOfType<ArrayAttr>(codegen::packsAttr);
    if (!takesNarrow || !packs)
      return success();
    SmallVector<Attribute> narrowed(packs.begin(), packs.end());
    for (unsigned i = 0; i < narrowed.size(); ++i) {
      DictionaryAttr pack = codegen::wantedPack(group, i);
      auto constant =
          group.getOperands_()[i].getDefiningOp<graph::ConstantOp>();
      if (!pack || !constant || !takesNarrow(group, i) ||
          !constant.getType().getElementType().isF32())
        continue;
      FailureOr<bool> fits = record(constant, pack, group);
      if (failed(fits))
        return failure();
      if (*fits)
        narrowed[i] = withElement(pack, element);
    }
    group->setAttr(codegen::packsAttr, ArrayAttr::get(&getContext(), narrowed));
    return success();
  }

  /// Whether a constant keeps its range; noted once, whoever reads it so.
  FailureOr<bool> record(graph::ConstantOp constant, DictionaryAttr pack,
                         kernel::GroupOp group) {
    auto [entry, isNew] = known.try_emplace({constant.getValue(), pack}, true);
    if (!isNew)
      return entry->second;
    auto tensor = interp::Tensor::fromElements(constant.getValue());
    if (failed(tensor))
      return constant.emitError("has elements that cannot be read");
    ArrayRef<float> numbers(
        reinterpret_cast<const float *>(tensor->bytes().data()),
        tensor->size());
    Loss loss = element.isF16() ? lossOf<HalfFloat>(numbers)
                                : lossOf<BrainFloat>(numbers);
    entry->second = !loss.overflows;
    int64_t bytes = loss.overflows ? 0 : tensor->size() * 2;
    Builder b(&getContext());
    auto real = [&](StringRef name, double value) {
      return b.getNamedAttr(name,
                            b.getF64FloatAttr(loss.overflows ? 0 : value));
    };
    Type stored = loss.overflows ? b.getF32Type() : element;
    records.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("nodes", b.getStringAttr(codegen::nodeNames(group))),
         b.getNamedAttr("element", TypeAttr::get(stored)),
         b.getNamedAttr("bytes_saved", b.getI64IntegerAttr(bytes)),
         real("error", loss.relative),
         real("error_of_largest",
              loss.largest ? loss.absolute / loss.largest : 0)}));
    ++(loss.overflows ? numKept : numNarrowed);
    return entry->second;
  }

  Type element;
  SmallVector<Attribute> records;
  llvm::DenseMap<std::pair<Attribute, Attribute>, bool> known;
};
} // namespace
