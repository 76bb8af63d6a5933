//===- Backends.cpp - the kinds of devices that there are -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "passes/Codegen/Backends.h"

#include "dialects/Graph/Shapes.h"
#include "passes/Codegen/Layout/Views.h"
#include "passes/Codegen/SizePlans.h"

using namespace mlir;
using namespace tenon;
using namespace tenon::codegen;

Backends &Backends::of(Dialect &kernel) {
  if (auto *known = kernel.getRegisteredInterface<Backends>())
    return *known;
  return kernel.addInterface<Backends>();
}

Backends &Backends::of(MLIRContext *context) {
  return of(*context->getOrLoadDialect<kernel::KernelDialect>());
}

void Backends::add(const Backend &backend) {
  llvm::erase_if(
      all, [&](const Backend &other) { return other.name == backend.name; });
  all.push_back(backend);
}

const Backend *Backends::find(StringRef name) const {
  const auto *found = llvm::find_if(
      all, [&](const Backend &backend) { return backend.name == name; });
  return found == all.end() ? nullptr : found;
}

const Strategy *codegen::findStrategy(ArrayRef<const Strategy *> strategies,
                                      StringRef name) {
  for (const Strategy *strategy : strategies)
    if (strategy->name == name)
      return strategy;
  return nullptr;
}

const Backend *Backends::withStrategy(StringRef name) const {
  const auto *found = llvm::find_if(all, [&](const Backend &backend) {
    return codegen::findStrategy(backend.strategies, name) != nullptr;
  });
  return found == all.end() ? nullptr : found;
}

const Strategy *Backends::findStrategy(StringRef name) const {
  const Backend *backend = withStrategy(name);
  return backend ? codegen::findStrategy(backend->strategies, name) : nullptr;
}

std::unique_ptr<Device> Backends::make(ModuleOp module,
                                       const DeviceOptions &options) const {
  for (const Backend &backend : all)
    if (backend.knows(options.name))
      return backend.make(module, options);
  module.emitError("no target '")
      << options.name << "' in the tables of processors and GPUs";
  return nullptr;
}

static void refuse(ModuleOp module, StringRef option, StringRef choices,
                   StringRef word) {
  module.emitError() << option << " must be " << choices << ", not '" << word
                     << "'";
}

std::unique_ptr<Device> codegen::makeDevice(ModuleOp module,
                                            const DeviceWords &words) {
  std::optional<tile::WinogradUse> use = tile::parseWinogradUse(words.winograd);
  std::optional<tile::Precision> precision =
      tile::parsePrecision(words.precision);
  if (!use)
    refuse(module, "winograd", "off, exact, safe or max", words.winograd);
  if (!precision)
    refuse(module, "precision", "f32, tf32, f16 or bf16", words.precision);
  if (!use || !precision)
    return nullptr;
  DeviceOptions options{
      words.target.str(), words.threads, {*use, words.bf16x6}, *precision};
  return Backends::of(module.getContext()).make(module, options);
}

bool Device::computes(kernel::GroupOp group) const {
  return llvm::any_of(strategies(), [&](const Strategy *strategy) {
    return !strategy->isLastResort && strategy->matches(group);
  });
}

//===-- Planned groups ----------------------------------------------------===//

const Strategy *codegen::strategyOf(kernel::GroupOp group) {
  kernel::PlanAttr plan = group.getPlanAttr();
  return plan
             ? Backends::of(group.getContext()).findStrategy(plan.getStrategy())
             : nullptr;
}

static bool canAddress(const Strategy &strategy, kernel::GroupOp group,
                       unsigned index, const PlacedBuffer &buffer) {
  int64_t aligned = strategy.alignment ? strategy.alignment(group, index) : 1;
  memory::BufferType type = buffer.type;
  Size within =
      kernel::offsetOf(type) * graph::elementBytes(type.getElementType());
  bool isAligned =
      aligned == 1 || (buffer.byteOffset % aligned == 0 &&
                       (within.isFixed() || within.isMultipleOf(aligned)));
  return isAligned && strategy.canAddress(group, index, buffer.type);
}

bool codegen::canAddressBuffer(kernel::GroupOp group, unsigned index,
                               const PlacedBuffer &buffer) {
  return llvm::all_of(strategiesOf(group), [&](const Strategy *strategy) {
    return strategy && canAddress(*strategy, group, index, buffer);
  });
}

int64_t codegen::alignmentOf(kernel::GroupOp group, unsigned index) {
  constexpr int64_t most = 16;
  int64_t offset = group.getByteOffset(index);
  return offset == 0 ? most : std::min(most, offset & -offset);
}
