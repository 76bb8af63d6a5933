//===- Validate.cpp - checking a description before it is written ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file states the loader's rules on descriptions, so that a wrong
// compiler is found when it writes and not when its user loads.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MathExtras.h"

using namespace tenon::artifact;

llvm::Error tenon::artifact::makeError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 "artifact: " + message);
}

static bool isRegister(int64_t value) { return value < 0; }

std::optional<int64_t> tenon::artifact::sizeOf(const TensorDesc &tensor) {
  if (tensor.hasAnyRank || tensor.kind != ValueKind::Tensor ||
      llvm::is_contained(tensor.shape, unknownSize))
    return unknownSize;
  if (llvm::any_of(tensor.shape, isRegister))
    return tensor.byteSize;
  int64_t bytes = llvm::divideCeil(tensor.type.bits, 8);
  for (int64_t dim : tensor.shape)
    if (llvm::MulOverflow(bytes, dim, bytes))
      return std::nullopt;
  if (tensor.byteSize && *tensor.byteSize != bytes)
    return std::nullopt;
  return bytes;
}

static bool isKnownType(DType type) {
  static constexpr DType known[] = {
      dtype::i2,        dtype::i4,         dtype::ui2,    dtype::ui4,
      dtype::f8E4M3FN,  dtype::f8E4M3FNUZ, dtype::f8E5M2, dtype::f8E5M2FNUZ,
      dtype::f8E8M0FNU, dtype::f4E2M1FN,   dtype::i8,     dtype::i16,
      dtype::i32,       dtype::i64,        dtype::ui8,    dtype::ui16,
      dtype::ui32,      dtype::ui64,       dtype::f16,    dtype::f32,
      dtype::f64,       dtype::bf16,       dtype::i1,     DType{5, 64},
      DType{5, 128},    dtype::string};
  return llvm::is_contained(known, type);
}

llvm::Error tenon::artifact::checkName(llvm::StringRef name) {
  if (name.contains('\0'))
    return makeError("the name '" + name.split('\0').first +
                     "...' has a zero byte in it");
  return llvm::Error::success();
}

static llvm::Error checkDimNames(const TensorDesc &tensor,
                                 const llvm::Twine &what) {
  if (!tensor.dimNames.empty() && tensor.dimNames.size() != tensor.shape.size())
    return makeError(what + " has names for " +
                     llvm::Twine(tensor.dimNames.size()) + " of " +
                     llvm::Twine(tensor.shape.size()) + " dimensions");
  for (const std::string &name : tensor.dimNames)
    if (llvm::Error error = checkName(name))
      return error;
  return llvm::Error::success();
}

/// Whether a tensor is one that launches can take or give.
static bool isPlain(const TensorDesc &tensor) {
  return tensor.kind == ValueKind::Tensor && !tensor.hasAnyRank &&
         !(tensor.type == dtype::string) &&
         !llvm::is_contained(tensor.shape, unknownSize);
}

/// Whether a shape is as its tensor may have it.
static bool hasGoodShape(const TensorDesc &tensor, int64_t registers,
                         bool isOutput) {
  const bool isTensor = tensor.kind == ValueKind::Tensor;
  auto isGood = [&](int64_t dim) {
    if (dim == unknownSize)
      return isOutput || !isTensor;
    return isSizeValue(dim, isTensor ? registers : 0);
  };
  if (tensor.hasAnyRank)
    return tensor.shape.empty();
  std::optional<int64_t> size = sizeOf(tensor);
  return llvm::all_of(tensor.shape, isGood) && size &&
         (*size == unknownSize || isSizeValue(*size, registers));
}

/// `registers`: how many size values may name.
static llvm::Error checkTensors(llvm::ArrayRef<TensorDesc> tensors,
                                int64_t registers, llvm::StringRef what,
                                bool isBytecode) {
  llvm::StringSet<> seen;
  for (const TensorDesc &tensor : tensors) {
    if (llvm::Error error = checkName(tensor.name))
      return error;
    if (!seen.insert(tensor.name).second)
      return makeError("two " + what + "s are named '" + tensor.name + "'");
    if (!isKnownType(tensor.type))
      return makeError(what + " '" + tensor.name +
                       "' has an element type that artifacts cannot hold");
    if (tensor.shape.size() > TENON_MAX_RANK)
      return makeError(what + " '" + tensor.name + "' has more than " +
                       llvm::Twine(TENON_MAX_RANK) + " dimensions");
    if (!isBytecode && !isPlain(tensor))
      return makeError(what + " '" + tensor.name +
                       "' of an entry without bytecode is not a plain tensor");
    if (!hasGoodShape(tensor, registers, what == "output"))
      return makeError(what + " '" + tensor.name +
                       "' has a negative or too large shape");
    if (llvm::Error error =
            checkDimNames(tensor, what + " '" + tensor.name + "'"))
      return error;
  }
  return llvm::Error::success();
}

uint64_t tenon::artifact::weightsSize(llvm::ArrayRef<WeightDesc> weights) {
  return weights.empty() ? 0 : weights.back().offset + weights.back().size;
}

static llvm::Error checkWeights(llvm::ArrayRef<WeightDesc> weights) {
  uint64_t end = 0;
  for (size_t i = 0; i < weights.size(); ++i) {
    const WeightDesc &weight = weights[i];
    std::string what = "weight " + std::to_string(i);
    if (weight.offset < end)
      return makeError(what + " overlaps the one before (call layoutWeights)");
    if (!weight.stream && weight.data.size() != weight.size)
      return makeError(what + " has neither a writer nor its bytes");
    end = weight.offset + weight.size;
  }
  return llvm::Error::success();
}

/// Whether bytes [offset, offset + size) are in [0, limit), as far as numbers
/// can tell.
static bool isWithin(int64_t offset, int64_t size, int64_t limit) {
  if (limit < 0)
    return true;
  return offset <= limit && size <= limit - std::max<int64_t>(offset, 0);
}

static llvm::Error checkArenas(const ArtifactDesc &desc,
                               const VariantDesc &variant) {
  const PlanDesc &plan = variant.plan;
  if (!plan.programArenas.empty() &&
      plan.programArenas.size() != desc.entries.size())
    return makeError("the arenas are not those of the entries");
  for (size_t i = 0; i < desc.entries.size(); ++i)
    if (!isSizeValue(plan.programArena(i), countRegisters(desc, i)))
      return makeError("the arena's size is bad");
  return llvm::Error::success();
}

static llvm::Error checkPlan(const ArtifactDesc &desc,
                             const VariantDesc &variant) {
  const PlanDesc &plan = variant.plan;
  if (llvm::Error error = checkArenas(desc, variant))
    return error;
  const int64_t registers = countPlanRegisters(desc);
  const int64_t most = mostArena(desc, variant);
  const int64_t arena = desc.entries.size() == 1 ? plan.programArena(0) : most;
  if (!llvm::isPowerOf2_64(plan.arenaAlignment) ||
      plan.arenaAlignment > (1u << 21))
    return makeError("the arena's alignment is bad");
  const int64_t bound = plan.boundBytes.value_or(0);
  if (bound < 0 || bound > INT64_MAX / 2 || (bound && bound < most))
    return makeError("the arena is larger than its bound");
  if (plan.lowerBoundBytes > uint64_t(most))
    return makeError("the arena is smaller than its lower bound");
  for (const PlanBuffer &buffer : plan.buffers)
    if (!isSizeValue(buffer.offset, registers) ||
        !isSizeValue(buffer.size, registers) ||
        !isWithin(buffer.offset, buffer.size, arena) ||
        buffer.first > buffer.last)
      return makeError("buffer " + llvm::Twine(buffer.id) +
                       " of the memory plan is bad");
  return llvm::Error::success();
}

static llvm::Error checkKernels(const VariantDesc &variant) {
  for (const KernelDesc &kernel : variant.kernels) {
    if (llvm::Error error = checkName(kernel.name))
      return error;
    if (!variant.device && kernel.entry >= variant.code.size())
      return makeError("kernel '" + kernel.name + "' is outside the code");
  }
  return llvm::Error::success();
}

/// The bytes of what `ref` points into, if there is such a thing: a size value.
static std::optional<int64_t> spaceSize(const ArtifactDesc &desc,
                                        uint32_t number, const PlanDesc &plan,
                                        const BufferRef &ref) {
  const EntryDesc &entry = desc.entries[number];
  const bool isTensor = ref.space == Space::Input || ref.space == Space::Output;
  if (!isTensor && ref.index)
    return std::nullopt;
  if (ref.space == Space::Arena)
    return plan.programArena(number);
  if (ref.space == Space::Weights)
    return weightsSize(desc.weights);
  const auto &list = ref.space == Space::Input ? entry.inputs : entry.outputs;
  if (ref.index >= list.size())
    return std::nullopt;
  return sizeOf(list[ref.index]);
}

static llvm::Error checkRef(const ArtifactDesc &desc, const PlanDesc &plan,
                            const LaunchDesc &launch, size_t number,
                            const llvm::Twine &what) {
  const BufferRef &ref = launch.refs[number];
  std::optional<int64_t> size = spaceSize(desc, launch.entry, plan, ref);
  int64_t registers = countRegisters(desc, launch.entry);
  if (!size || !isSizeValue(ref.offset, registers) ||
      !isSizeValue(ref.size, registers) ||
      !isWithin(ref.offset, ref.size, *size))
    return makeError(what + ": operand " + llvm::Twine(number) + " (" +
                     llvm::Twine(ref.offset) + " + " + llvm::Twine(ref.size) +
                     " bytes) is outside its space (" +
                     llvm::Twine(size.value_or(0)) + " bytes)");
  if (number >= launch.readCount &&
      (ref.space == Space::Weights || ref.space == Space::Input))
    return makeError(what + ": operand " + llvm::Twine(number) +
                     " is written, but is an input or a weight");
  return llvm::Error::success();
}

/// Whether the last operand can be the fault word of a checked kernel.
static bool hasFaultWord(const LaunchDesc &launch) {
  if (launch.refs.size() == launch.readCount)
    return false;
  const BufferRef &word = launch.refs.back();
  const int64_t bytes = sizeof(int64_t);
  return word.space == Space::Arena &&
         (isRegister(word.size) || word.size >= bytes) &&
         (isRegister(word.offset) || word.offset % bytes == 0);
}

/// Scratch of all threads can be counted in bytes.
static constexpr uint64_t mostScratch = uint64_t(1) << 50;

/// That launches of one entry follow each other, and waits can be fulfilled in
/// their order.
static llvm::Error checkOrder(const ArtifactDesc &desc,
                              const VariantDesc &variant, size_t index,
                              const llvm::Twine &what) {
  const LaunchDesc &launch = variant.launches[index];
  if (launch.entry >= desc.entries.size() ||
      desc.entries[launch.entry].function ||
      (index && variant.launches[index - 1].entry > launch.entry))
    return makeError(what + " is not among those of its entry");
  if (launch.stream && !variant.device)
    return makeError(what + " is in a stream, which only devices have");
  for (uint32_t wait : launch.waits)
    if (wait >= index || variant.launches[wait].entry != launch.entry)
      return makeError(what + " waits for launch " + llvm::Twine(wait) +
                       ", which does not come before it");
  return llvm::Error::success();
}

/// The size values of a launch itself.
static llvm::Error checkCounts(const LaunchDesc &launch, int64_t registers,
                               const llvm::Twine &what) {
  if (!isSizeValue(launch.tiles, registers))
    return makeError(what + " has negative tiles");
  int64_t allTiles;
  if (launch.steps == 0 || !isSizeValue(launch.steps, registers) ||
      (launch.steps > 0 && launch.tiles > 0 &&
       llvm::MulOverflow(launch.tiles, launch.steps, allTiles)))
    return makeError(what + " has a bad number of steps");
  if (!isSizeValue(launch.flops, registers) ||
      !isSizeValue(launch.bytes, registers))
    return makeError(what + " has negative flops or bytes");
  for (int64_t size : launch.sizes)
    if (!isSizeValue(size, registers))
      return makeError(what + " has a size that does not exist");
  return llvm::Error::success();
}

static llvm::Error checkLaunch(const ArtifactDesc &desc,
                               const VariantDesc &variant, size_t index) {
  const LaunchDesc &launch = variant.launches[index];
  std::string what = "launch " + std::to_string(index);
  if (launch.kernel >= variant.kernels.size())
    return makeError(what + " calls a kernel that does not exist");
  what += " of '" + variant.kernels[launch.kernel].name + "'";
  if (launch.scratchBytes > mostScratch)
    return makeError(what + " wants too much scratch");
  if (llvm::Error error = checkOrder(desc, variant, index, what))
    return error;
  if (llvm::Error error =
          checkCounts(launch, countRegisters(desc, launch.entry), what))
    return error;
  if (launch.readCount > launch.refs.size())
    return makeError(what + " reads more operands than it has");
  for (const std::string &node : launch.nodes)
    if (llvm::Error error = checkName(node))
      return error;
  for (size_t i = 0; i < launch.refs.size(); ++i)
    if (llvm::Error error = checkRef(desc, variant.plan, launch, i, what))
      return error;
  if (variant.kernels[launch.kernel].checked && !hasFaultWord(launch))
    return makeError(what + " has no fault word in the arena");
  return llvm::Error::success();
}

static llvm::Error checkVariant(const ArtifactDesc &desc,
                                const VariantDesc &variant, bool isStatic) {
  if (llvm::Error error = checkName(variant.targetCpu))
    return error;
  if (variant.plan.guard != desc.variants[0].plan.guard)
    return makeError("some variants are guarded, others are not");
  if (llvm::Error error = checkPlan(desc, variant))
    return error;
  if (!isStatic)
    if (llvm::Error error = checkKernels(variant))
      return error;
  for (size_t i = 0; i < variant.launches.size(); ++i)
    if (llvm::Error error = checkLaunch(desc, variant, i))
      return error;
  if (variant.plan.guard != Guard::None)
    for (size_t i = 0; i < desc.entries.size(); ++i)
      if (countRegisters(desc, i))
        return makeError("a guarded artifact has symbols");
  if (variant.plan.guard != Guard::None && !desc.functions.empty())
    return makeError("a guarded artifact has bytecode");
  if (llvm::Error error = validateSchedule(variant))
    return error;
  if (llvm::Error error = validateUpdates(desc, variant))
    return error;
  if (variant.device)
    return validateDevice(variant);
  return validateGuards(variant);
}

static llvm::Error checkVariants(const ArtifactDesc &desc, bool isStatic) {
  size_t count = desc.variants.size();
  if (count < 1 || count > TENON_MAX_VARIANTS)
    return makeError(llvm::Twine(count) + " variants instead of 1 to " +
                     llvm::Twine(TENON_MAX_VARIANTS));
  if (llvm::Error error = validateDevices(desc, isStatic))
    return error;
  llvm::StringSet<> seen;
  for (const VariantDesc &variant : desc.variants) {
    if (!seen.insert(variant.targetCpu).second)
      return makeError("two variants are for '" + variant.targetCpu + "'");
    if (llvm::Error error = checkVariant(desc, variant, isStatic))
      return error;
  }
  return llvm::Error::success();
}

static llvm::Error checkEntries(const ArtifactDesc &desc) {
  size_t count = desc.entries.size();
  if (count < 1 || count > TENON_MAX_ENTRIES)
    return makeError(llvm::Twine(count) + " entries instead of 1 to " +
                     llvm::Twine(TENON_MAX_ENTRIES));
  auto isPublic = [](const EntryDesc &entry) { return !entry.isInternal; };
  if (size_t shown = llvm::count_if(desc.entries, isPublic);
      shown < 1 || shown > TENON_MAX_PUBLIC_ENTRIES)
    return makeError(llvm::Twine(shown) + " public entries instead of 1 to " +
                     llvm::Twine(TENON_MAX_PUBLIC_ENTRIES));
  llvm::StringSet<> seen;
  for (auto [i, entry] : llvm::enumerate(desc.entries)) {
    if (i && desc.entries[i - 1].isInternal && !entry.isInternal)
      return makeError("entry '" + entry.name +
                       "' stands behind internal ones");
    int64_t registers = countRegisters(desc, i);
    if (llvm::Error error = checkName(entry.name))
      return error;
    if (!entry.isInternal && !seen.insert(entry.name).second)
      return makeError("two entries are called '" + entry.name + "'");
    const bool isBytecode = entry.function.has_value();
    if (llvm::Error error =
            checkTensors(entry.inputs, registers, "input", isBytecode))
      return error;
    if (llvm::Error error =
            checkTensors(entry.outputs, registers, "output", isBytecode))
      return error;
  }
  return llvm::Error::success();
}

llvm::Error tenon::artifact::validate(const ArtifactDesc &desc, bool isStatic) {
  if (!encodeArchitecture(desc.architecture))
    return makeError("unknown architecture '" + desc.architecture + "'");
  if (llvm::Error error = checkName(desc.modelName))
    return error;
  if (llvm::Error error = checkEntries(desc))
    return error;
  if (llvm::Error error = validateStates(desc))
    return error;
  if (llvm::Error error = validateSizes(desc))
    return error;
  if (llvm::Error error = validateBytecode(desc))
    return error;
  if (llvm::Error error = checkWeights(desc.weights))
    return error;
  return checkVariants(desc, isStatic);
}
