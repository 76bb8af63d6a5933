//===- Pipeline.cpp - the whole compiler on one page ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Pipeline.h"

#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace tenon;

namespace {
struct PhaseEntry {
  const char *name;
  /// A textual pipeline; `$target` and its like are replaced.
  const char *passes;
  /// The same for a device, where that differs.
  const char *devicePasses = nullptr;
};
} // namespace

static const PhaseEntry phases[numPhases] = {
    // Reads the file: lib/Import/Onnx.
    {"import", ""},
    // From here on shapes are known and every operation has an interface.
    {"normalize", "tenon-normalize-onnx,canonicalize,cse,"
                  "tenon-verify-normalize,tenon-form-steps,"
                  "tenon-split-control,"
                  "tenon-verify-split"},
    // Folding first, so that scales and layouts meet constants, not chains.
    // Scales fold before layouts: the channel axis is still where ONNX has it.
    // Composites last: nothing above looks into a softmax. Folding again takes
    // what layouts did to constants. Halves widen when no algebra has to look
    // through their roundings any more, and attentions are cut when nothing
    // moves slices.
    {"simplify",
     "tenon-fold-constants,tenon-merge-constants,$algebra,canonicalize,cse,"
     "$scales,tenon-fold-constants,tenon-decompose-composites,"
     "$algebra,tenon-assign-layouts,tenon-fold-constants,"
     "$algebra,tenon-widen-halves,$attention"
     "canonicalize,cse,tenon-verify-simplify"},
    // What runs as one kernel, of known size. Reductions split first, in as
    // many parts as the target likes; splats shrink when nothing folds any
    // more.
    {"fuse",
     "$means,tenon-shrink-splats,tenon-require-sizes,tenon-check-states,"
     "tenon-fuse-groups{mode=$fusion}$merge,tenon-verify-fuse",
     "tenon-join-products,tenon-fold-constants,$means,tenon-shrink-splats,"
     "tenon-require-sizes,tenon-check-states,"
     "tenon-fuse-groups{mode=$fusion}$merge,tenon-verify-fuse"},
    // In what order.
    {"schedule", "tenon-schedule-groups,tenon-verify-schedule"},
    // Plans first: they say which halos the buffers need and what can be read
    // as a view. Devices have memory for views.
    {"codegen",
     "tenon-plan-kernels{$target winograd=$winograd "
     "bf16x6=$bf16x6}$narrow,"
     "tenon-check-indices{at-run-time=$indices},"
     "tenon-share-packs,tenon-form-views,"
     "tenon-assign-buffers{$target},"
     "tenon-lower-kernels{$target},tenon-verify-codegen",
     "$values"
     "tenon-join-attention{$device},"
     "tenon-plan-gpu-kernels{$device$measuring},"
     "tenon-check-indices{at-run-time=$indices},"
     "tenon-share-packs,tenon-form-views{spare=1},"
     "tenon-assign-buffers{$target},"
     "tenon-lower-gpu-kernels{$device},tenon-verify-codegen"},
    // Where each buffer lies; proven by an independent check.
    {"memory",
     "$order"
     "tenon-plan-arena$guard,tenon-verify-memory,"
     "tenon-lower-control",
     "tenon-assign-streams{target=$gpu streams=$streams},"
     "tenon-plan-arena$guard,tenon-verify-memory,"
     "tenon-lower-control"},
    // Writes the file: passes/Emit.
    {"emit", ""},
};

StringRef tenon::phaseName(Phase phase) { return phases[unsigned(phase)].name; }

std::optional<Phase> tenon::parsePhase(StringRef name) {
  for (unsigned i = 0; i < numPhases; ++i)
    if (name == phases[i].name)
      return Phase(i);
  return std::nullopt;
}

static void replaceAll(std::string &text, StringRef word, StringRef by) {
  for (size_t at; (at = text.find(word)) != std::string::npos;)
    text.replace(at, word.size(), by);
}

static StringRef guardPass(Guard guard) {
  switch (guard) {
  case Guard::None:
    return "";
  case Guard::Above:
    return ",tenon-guard-arena{side=above}";
  case Guard::Below:
    return ",tenon-guard-arena{side=below}";
  }
  return "";
}

std::optional<Weights> tenon::parseWeights(StringRef name) {
  return llvm::StringSwitch<std::optional<Weights>>(name)
      .Case("f32", Weights::F32)
      .Case("f16", Weights::F16)
      .Case("bf16", Weights::BF16)
      .Default(std::nullopt);
}

static StringRef narrowPass(Weights weights) {
  switch (weights) {
  case Weights::F32:
    return "";
  case Weights::F16:
    return ",tenon-narrow-weights{type=f16}";
  case Weights::BF16:
    return ",tenon-narrow-weights{type=bf16}";
  }
  return "";
}

static StringRef valuesPass(tile::Precision precision) {
  switch (precision) {
  case tile::Precision::F32:
  case tile::Precision::TF32:
    return "";
  case tile::Precision::F16:
    return "tenon-narrow-values{type=f16},";
  case tile::Precision::BF16:
    return "tenon-narrow-values{type=bf16},";
  }
  return "";
}

/// Stages of larger kernels do not widen what they load: weights in 16 bits are
/// for kernels of their own. Stages are run by CPUs only.
static bool mergesGroups(const PipelineOptions &options) {
  return options.fusion == fuse::FusionMode::Full &&
         options.weights == Weights::F32 && options.device.empty();
}

static StringRef mergePass(const PipelineOptions &options) {
  return mergesGroups(options)
             ? ",tenon-merge-groups{$target winograd=$winograd bf16x6=$bf16x6}"
             : "";
}

/// Where groups are merged, rows of an attention are tiles of one kernel.
static StringRef attentionPass(const PipelineOptions &options) {
  return mergesGroups(options) || !options.device.empty()
             ? ""
             : "tenon-slice-attention,";
}

/// Kernels of one product each keep little alive in the order of the program.
static StringRef orderPass(const PipelineOptions &options) {
  return mergesGroups(options) ? "tenon-order-launches," : "";
}

/// Sums in another order.
static std::string meansPasses(const PipelineOptions &options) {
  if (options.strict)
    return "";
  bool blocks = !options.device.empty();
  return std::string("tenon-split-reductions{blocks=") +
         (blocks ? "true" : "false") + "},canonicalize,cse,";
}

/// What strict compilation leaves out or does with less.
static void replaceInexact(std::string &text, bool strict) {
  replaceAll(text, "$algebra",
             strict ? "tenon-simplify-algebra{strict=true}"
                    : "tenon-simplify-algebra");
  replaceAll(text, "$scales,", strict ? "" : "tenon-fold-scales,");
}

/// The row that passes of both plan for.
static std::string targetText(const PipelineOptions &options) {
  if (!options.device.empty())
    return "target=" + options.device;
  return "target=" + options.target +
         " threads=" + std::to_string(options.threads);
}

/// What was measured on the device, and is to be.
static std::string measuringText(const PipelineOptions &options) {
  std::string text;
  if (!options.times.empty())
    text += " times='" + options.times + "'";
  if (options.attempt >= 0)
    text += " attempt=" + std::to_string(options.attempt);
  return text;
}

/// The passes of a phase, for a device or not.
static std::string passesOf(Phase phase, const PipelineOptions &options) {
  const PhaseEntry &entry = phases[unsigned(phase)];
  bool isOther = !options.device.empty() && entry.devicePasses;
  std::string text = isOther ? entry.devicePasses : entry.passes;
  replaceAll(text, "$gpu", options.device);
  replaceAll(text, "$streams", std::to_string(options.streams));
  replaceAll(text, "$device",
             ("target=" + options.device +
              " precision=" + tile::toText(options.precision))
                 .str());
  return text;
}

LogicalResult tenon::addPhase(OpPassManager &passes, Phase phase,
                              const PipelineOptions &options) {
  std::string text = passesOf(phase, options);
  replaceAll(text, "$merge", mergePass(options));
  replaceAll(text, "$order", orderPass(options));
  replaceAll(text, "$attention", attentionPass(options));
  replaceAll(text, "$target", targetText(options));
  replaceAll(text, "$means,", meansPasses(options));
  replaceInexact(text, options.strict);
  replaceAll(text, "$fusion", fuse::toText(options.fusion));
  auto winograd = options.strict ? tile::WinogradUse::Off : options.winograd;
  replaceAll(text, "$winograd", tile::toText(winograd));
  bool bf16x6 = options.bf16x6 && !options.strict;
  replaceAll(text, "$bf16x6", bf16x6 ? "true" : "false");
  replaceAll(text, "$indices", options.checkIndices ? "true" : "false");
  replaceAll(text, "$values", valuesPass(options.precision));
  replaceAll(text, "$narrow", narrowPass(options.weights));
  replaceAll(text, "$guard", guardPass(options.guard));
  // Last: a path may have dollars.
  replaceAll(text, "$measuring", measuringText(options));
  return text.empty() ? success()
                      : parsePassPipeline(text, passes, llvm::errs());
}
