//===- Encode.cpp - the sections of an artefact as bytes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns the small parts of a description into section bytes. The
// records are written as the host lays them out: a little-endian host, by the
// format's rule and the assertion below.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "tenon-c/Version.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SwapByteOrder.h"

using namespace tenon::artifact;

static_assert(llvm::sys::IsLittleEndianHost,
              "the writer needs byte swaps on this host");

namespace {

/// Collects strings; equal strings share their bytes.
class NameTable {
public:
  NameTable() { add(""); }

  tenon_name_ref add(llvm::StringRef name) {
    auto [entry, isNew] = offsets.try_emplace(name, bytes.size());
    if (isNew) {
      bytes.append(name.begin(), name.end());
      bytes.push_back('\0');
    }
    return entry->second;
  }

  std::string bytes;

private:
  llvm::StringMap<tenon_name_ref> offsets;
};

template <typename Record>
void append(std::string &bytes, const Record &record) {
  bytes.append(reinterpret_cast<const char *>(&record), sizeof record);
}

} // namespace

static std::string encodeInfo(const ArtifactDesc &desc, NameTable &names) {
  std::string bytes;
  tenon_info_record record = {};
  record.model_name = names.add(desc.modelName);
  record.target_cpu =
      names.add(desc.variants.size() == 1 ? desc.variants[0].targetCpu : "");
  record.producer = names.add("tenon " TENON_VERSION_STRING);
  append(bytes, record);
  return bytes;
}

static std::string encodeSignature(const ArtifactDesc &desc, NameTable &names) {
  std::string records, dims;
  uint32_t dimCount = 0;
  for (const auto *list : {&desc.inputs, &desc.outputs})
    for (const TensorDesc &tensor : *list) {
      tenon_tensor_record record = {};
      record.name = names.add(tensor.name);
      record.type_code = tensor.type.code;
      record.type_bits = tensor.type.bits;
      record.type_lanes = 1;
      record.rank = tensor.shape.size();
      record.first_dim = dimCount;
      record.byte_size = tensor.byteSize();
      append(records, record);
      for (int64_t dim : tensor.shape)
        append(dims, dim);
      dimCount += tensor.shape.size();
    }
  std::string bytes;
  tenon_signature_header header = {};
  header.input_count = desc.inputs.size();
  header.output_count = desc.outputs.size();
  header.dim_count = dimCount;
  append(bytes, header);
  return bytes + records + dims;
}

/// The kernels of a static artefact are numbered from `first` on; nothing: they
/// lie in CODE.
static std::string encodeKernels(const VariantDesc &variant,
                                 std::optional<uint64_t> first,
                                 NameTable &names) {
  std::string bytes;
  for (auto [i, kernel] : llvm::enumerate(variant.kernels)) {
    tenon_kernel_record record = {};
    record.entry = first ? *first + i : kernel.entry;
    record.name = names.add(kernel.name);
    record.flags = (kernel.oneCall ? TENON_KERNEL_ONE_CALL : 0) |
                   (kernel.checked ? TENON_KERNEL_CHECKED : 0);
    append(bytes, record);
  }
  return bytes;
}

static std::string encodeLaunches(const VariantDesc &variant,
                                  std::optional<uint64_t> firstKernel,
                                  NameTable &names) {
  std::string launches, refs, nodes;
  tenon_launches_header header = {};
  for (const LaunchDesc &launch : variant.launches) {
    tenon_launch_record record = {};
    record.kernel = launch.kernel;
    record.first_ref = header.ref_count;
    record.ref_count = launch.refs.size();
    record.read_count = launch.readCount;
    record.first_node = header.node_count;
    record.node_count = launch.nodes.size();
    record.tiles = launch.tiles;
    record.steps = launch.steps;
    record.flops = launch.flops;
    record.bytes = launch.bytes;
    append(launches, record);
    for (const BufferRef &ref : launch.refs)
      append(refs, tenon_ref_record{static_cast<uint32_t>(ref.space), ref.index,
                                    ref.offset, ref.size});
    for (const std::string &node : launch.nodes)
      append(nodes, names.add(node));
    header.ref_count += launch.refs.size();
    header.node_count += launch.nodes.size();
  }
  header.kernel_count = variant.kernels.size();
  header.launch_count = variant.launches.size();
  std::string bytes;
  append(bytes, header);
  bytes += encodeKernels(variant, firstKernel, names);
  return bytes + launches + refs + nodes;
}

static std::string encodePlan(const PlanDesc &plan) {
  std::string bytes;
  tenon_plan_header header = {};
  header.arena_bytes = plan.arenaBytes;
  header.arena_alignment = plan.arenaAlignment;
  header.lower_bound_bytes = plan.lowerBoundBytes;
  header.buffer_count = plan.buffers.size();
  header.guard = static_cast<uint32_t>(plan.guard);
  append(bytes, header);
  for (const PlanBuffer &buffer : plan.buffers)
    append(bytes, tenon_buffer_record{buffer.offset, buffer.size, buffer.id,
                                      buffer.first, buffer.last, 0});
  return bytes;
}

static std::string encodeVariants(const ArtifactDesc &desc, NameTable &names) {
  uint32_t architecture = encodeArchitecture(desc.architecture);
  std::string bytes;
  for (const VariantDesc &variant : desc.variants) {
    tenon_variant_record record = {};
    record.features = encodeFeatures(architecture, variant.features);
    record.target_cpu = names.add(variant.targetCpu);
    append(bytes, record);
  }
  return bytes;
}

std::vector<EncodedSection>
tenon::artifact::encodeSections(const ArtifactDesc &desc, bool isStatic) {
  NameTable names;
  std::vector<EncodedSection> sections = {
      {TENON_SECTION_INFO, encodeInfo(desc, names)},
      {TENON_SECTION_SIGNATURE, encodeSignature(desc, names)}};
  if (desc.variants.size() > 1)
    sections.push_back({TENON_SECTION_VARIANTS, encodeVariants(desc, names)});
  uint64_t kernels = 0;
  for (const VariantDesc &variant : desc.variants) {
    auto first = isStatic ? std::optional(kernels) : std::nullopt;
    sections.push_back(
        {TENON_SECTION_LAUNCHES, encodeLaunches(variant, first, names)});
    sections.push_back({TENON_SECTION_PLAN, encodePlan(variant.plan)});
    kernels += variant.kernels.size();
  }
  sections.push_back({TENON_SECTION_NAMES, std::move(names.bytes)});
  return sections;
}

uint32_t tenon::artifact::encodeArchitecture(llvm::StringRef architecture) {
  if (architecture == "x86_64")
    return TENON_ARCH_X86_64;
  return architecture == "aarch64" ? TENON_ARCH_AARCH64 : 0;
}

using NamedBit = std::pair<uint32_t, llvm::StringLiteral>;

static llvm::ArrayRef<NamedBit> knownFeatures(uint32_t architecture) {
#define TENON_FEATURE(bit, name, ...) {bit, name},
  static constexpr NamedBit x86[] = {TENON_X86_FEATURES(TENON_FEATURE)};
  static constexpr NamedBit aarch64[] = {TENON_AARCH64_FEATURES(TENON_FEATURE)};
#undef TENON_FEATURE
  if (architecture == TENON_ARCH_AARCH64)
    return aarch64;
  return x86;
}

uint64_t tenon::artifact::encodeFeatures(uint32_t architecture,
                                         llvm::ArrayRef<std::string> features) {
  uint64_t bits = 0;
  for (llvm::StringRef feature : features) {
    feature.consume_front("+");
    for (const auto &[bit, name] : knownFeatures(architecture))
      if (feature == name)
        bits |= uint64_t(1) << bit;
  }
  return bits;
}
