//===- Encode.cpp - the sections of an artifact as bytes ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file turns the small parts of a description into section bytes. The
// records are written as the host lays them out: a little-endian host, by the
// format's rule and the assertion below.
//===----------------------------------------------------------------------===//
#include "lib/Target/Artifact/Encode.h"

#include "tenon-c/Version.h"
#include "llvm/Support/SwapByteOrder.h"

using namespace tenon::artifact;

static_assert(llvm::sys::IsLittleEndianHost,
              "the writer needs byte swaps on this host");

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

static tenon_tensor_record encodeTensor(const TensorDesc &tensor,
                                        uint32_t firstDim, NameTable &names) {
  tenon_tensor_record record = {};
  record.name = names.add(tensor.name);
  record.type_code = tensor.type.code;
  record.type_bits = tensor.type.bits;
  record.kind = static_cast<uint8_t>(tensor.kind);
  record.rank = tensor.hasAnyRank ? TENON_RANK_ANY : tensor.shape.size();
  record.first_dim = firstDim;
  record.byte_size = sizeOf(tensor).value_or(0);
  return record;
}

/// The names of its dimensions, one for each.
static std::string encodeDimNames(const TensorDesc &tensor, NameTable &names) {
  std::string bytes;
  for (size_t i = 0; i < tensor.shape.size(); ++i)
    append(bytes, names.add(tensor.dimNames.empty() ? "" : tensor.dimNames[i]));
  return bytes;
}

/// `entry`: its number. Slots are numbered by name.
static std::string encodeStates(const ArtifactDesc &desc, uint32_t entry,
                                llvm::StringMap<uint32_t> &slots) {
  std::string bytes;
  for (const StateDesc &state : desc.entries[entry].states) {
    tenon_state_record record = {};
    record.entry = entry;
    record.input = state.input;
    record.output = state.output;
    record.axis = state.axis        ? *state.axis
                  : state.isUpdated ? TENON_STATE_UPDATED
                                    : TENON_STATE_REPLACED;
    record.capacity = state.capacity;
    record.slot = slots
                      .try_emplace(desc.entries[entry].inputs[state.input].name,
                                   slots.size())
                      .first->second;
    record.role = state.role;
    record.first =
        state.first ? desc.weights[*state.first].offset : TENON_STATE_ZEROS;
    append(bytes, record);
  }
  return bytes;
}

static std::string encodeSignature(const ArtifactDesc &desc, NameTable &names) {
  std::string records, states, dims, dimNames;
  tenon_signature_header header = {};
  llvm::StringMap<uint32_t> slots;
  for (auto [i, entry] : llvm::enumerate(desc.entries)) {
    states += encodeStates(desc, i, slots);
    header.state_count += entry.states.size();
    for (const auto *list : {&entry.inputs, &entry.outputs})
      for (const TensorDesc &tensor : *list) {
        append(records, encodeTensor(tensor, header.dim_count, names));
        for (int64_t dim : tensor.shape)
          append(dims, dim);
        dimNames += encodeDimNames(tensor, names);
        header.dim_count += tensor.shape.size();
        ++header.tensor_count;
      }
  }
  std::string bytes;
  append(bytes, header);
  return bytes + records + states + dims + dimNames;
}

static std::string encodeEntries(const ArtifactDesc &desc, NameTable &names) {
  std::string bytes;
  uint32_t first = 0;
  for (const EntryDesc &entry : desc.entries) {
    tenon_entry_record record = {};
    record.name = names.add(entry.name);
    record.first_tensor = first;
    record.input_count = entry.inputs.size();
    record.output_count = entry.outputs.size();
    record.flags = entry.isInternal ? TENON_ENTRY_INTERNAL : 0;
    record.function = entry.function ? *entry.function + 1 : 0;
    append(bytes, record);
    first += record.input_count + record.output_count;
  }
  return bytes;
}

static std::string encodeSizes(const ArtifactDesc &desc, NameTable &names) {
  std::string programs, instructions;
  tenon_sizes_header header = {};
  for (const std::vector<SizeInstruction> &program : desc.sizePrograms) {
    append(programs,
           tenon_size_program_record{header.instruction_count,
                                     static_cast<uint32_t>(program.size())});
    for (const SizeInstruction &instruction : program)
      append(instructions,
             tenon_size_instruction{static_cast<uint32_t>(instruction.op),
                                    names.add(instruction.text), instruction.a,
                                    instruction.b});
    header.instruction_count += program.size();
    ++header.program_count;
  }
  std::string bytes;
  append(bytes, header);
  return bytes + programs + instructions;
}

/// The kernels of a static artifact are numbered from `first` on; nothing: they
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

/// `header` counts what the launches before have of each list.
static tenon_launch_record encodeLaunch(const LaunchDesc &launch,
                                        const tenon_launches_header &header) {
  tenon_launch_record record = {};
  record.kernel = launch.kernel;
  record.first_ref = header.ref_count;
  record.ref_count = launch.refs.size();
  record.read_count = launch.readCount;
  record.first_node = header.node_count;
  record.node_count = launch.nodes.size();
  record.stream = launch.stream;
  record.first_wait = header.wait_count;
  record.wait_count = launch.waits.size();
  record.first_size = header.size_count;
  record.size_count = launch.sizes.size();
  record.tiles = launch.tiles;
  record.steps = launch.steps;
  record.flops = launch.flops;
  record.bytes = launch.bytes;
  record.scratch_bytes = launch.scratchBytes;
  return record;
}

/// The size value of an entry's arena; bytecode has none of its own.
static int64_t arenaOf(const ArtifactDesc &desc, const VariantDesc &variant,
                       size_t entry) {
  return desc.entries[entry].function ? 0 : variant.plan.programArena(entry);
}

/// The launches of each entry.
static std::string encodePrograms(const ArtifactDesc &desc,
                                  const VariantDesc &variant) {
  std::vector<tenon_program_record> programs(desc.entries.size());
  for (const LaunchDesc &launch : variant.launches)
    ++programs[launch.entry].launch_count;
  std::string bytes;
  uint32_t first = 0;
  for (auto [i, program] : llvm::enumerate(programs)) {
    program.first_launch = first;
    program.arena_bytes = arenaOf(desc, variant, i);
    first += program.launch_count;
    append(bytes, program);
  }
  return bytes;
}

static std::string encodeLaunches(const ArtifactDesc &desc,
                                  const VariantDesc &variant,
                                  std::optional<uint64_t> firstKernel,
                                  NameTable &names) {
  std::string launches, refs, sizes, nodes, waits;
  tenon_launches_header header = {};
  for (const LaunchDesc &launch : variant.launches) {
    append(launches, encodeLaunch(launch, header));
    for (const BufferRef &ref : launch.refs)
      append(refs, tenon_ref_record{static_cast<uint32_t>(ref.space), ref.index,
                                    ref.offset, ref.size});
    for (int64_t size : launch.sizes)
      append(sizes, size);
    for (const std::string &node : launch.nodes)
      append(nodes, names.add(node));
    for (uint32_t wait : launch.waits)
      append(waits, wait);
    header.ref_count += launch.refs.size();
    header.node_count += launch.nodes.size();
    header.wait_count += launch.waits.size();
    header.size_count += launch.sizes.size();
  }
  header.kernel_count = variant.kernels.size();
  header.launch_count = variant.launches.size();
  header.program_count = desc.entries.size();
  std::string bytes;
  append(bytes, header);
  bytes += encodeKernels(variant, firstKernel, names);
  return bytes + launches + refs + sizes + encodePrograms(desc, variant) +
         nodes + waits;
}

static std::string encodePlan(const ArtifactDesc &desc,
                              const VariantDesc &variant) {
  const PlanDesc &plan = variant.plan;
  std::string bytes;
  tenon_plan_header header = {};
  header.arena_bytes = mostArena(desc, variant);
  header.arena_bound_bytes = plan.boundBytes.value_or(0);
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

uint64_t tenon::artifact::mostArena(const ArtifactDesc &desc,
                                    const VariantDesc &variant) {
  int64_t most = 0;
  for (size_t i = 0; i < desc.entries.size(); ++i)
    most = std::max(most, arenaOf(desc, variant, i));
  return most;
}

static std::string encodeVariants(const ArtifactDesc &desc, NameTable &names) {
  uint32_t architecture = encodeArchitecture(desc.architecture);
  std::string bytes;
  for (const VariantDesc &variant : desc.variants) {
    tenon_variant_record record = {};
    record.features = variant.device
                          ? encodeArchitecture(variant.device->architecture)
                          : encodeFeatures(architecture, variant.features);
    record.target_cpu = names.add(variant.targetCpu);
    record.kind = variant.device ? TENON_VARIANT_CUDA : TENON_VARIANT_CPU;
    append(bytes, record);
  }
  return bytes;
}

std::vector<EncodedSection>
tenon::artifact::encodeSections(const ArtifactDesc &desc, bool isStatic) {
  NameTable names;
  std::vector<EncodedSection> sections = {
      {TENON_SECTION_INFO, encodeInfo(desc, names)},
      {TENON_SECTION_SIGNATURE, encodeSignature(desc, names)},
      {TENON_SECTION_ENTRIES, encodeEntries(desc, names)},
      {TENON_SECTION_SIZES, encodeSizes(desc, names)},
      {TENON_SECTION_BYTECODE, encodeBytecode(desc, names)}};
  if (desc.variants.size() > 1)
    sections.push_back({TENON_SECTION_VARIANTS, encodeVariants(desc, names)});
  uint64_t kernels = 0;
  for (const VariantDesc &variant : desc.variants) {
    auto first = isStatic ? std::optional(kernels) : std::nullopt;
    sections.push_back(
        {TENON_SECTION_LAUNCHES, encodeLaunches(desc, variant, first, names)});
    sections.push_back({TENON_SECTION_PLAN, encodePlan(desc, variant)});
    if (hasSchedule(desc))
      sections.push_back({TENON_SECTION_SCHEDULE, encodeSchedule(variant)});
    if (hasDevices(desc))
      sections.push_back({TENON_SECTION_DEVICE, encodeDevice(variant)});
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
