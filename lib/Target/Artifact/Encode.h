//===- Encode.h - the sections of an artifact as bytes ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is private to the writer: checking a description, and turning its
// small parts into bytes.
//===----------------------------------------------------------------------===//
#ifndef TENON_TARGET_ARTIFACT_ENCODE_H
#define TENON_TARGET_ARTIFACT_ENCODE_H

#include "lib/Target/Artifact/Artifact.h"
#include "tenon/artifact_format.h"
#include "llvm/ADT/StringMap.h"

namespace tenon::artifact {

/// An error with a printf-free message.
llvm::Error makeError(const llvm::Twine &message);

/// Refuses a description that the run time would refuse, with better words.
/// `isStatic`: kernel entries and code do not count.
llvm::Error validate(const ArtifactDesc &desc, bool isStatic);

/// Its part for a guarded plan; success for any other.
llvm::Error validateGuards(const VariantDesc &variant);

/// Its part for size programs.
llvm::Error validateSizes(const ArtifactDesc &desc);

/// Its part for variants of devices: launches, maps and modules of one.
llvm::Error validateDevice(const VariantDesc &variant);

/// What holds for a description that has some.
llvm::Error validateDevices(const ArtifactDesc &desc, bool isStatic);

/// Whether some variant is for a device.
bool hasDevices(const ArtifactDesc &desc);

/// Its part for waves and pieces.
llvm::Error validateSchedule(const VariantDesc &variant);

/// Whether some variant has waves or pieces.
bool hasSchedule(const ArtifactDesc &desc);

/// Its part for states, and for launches that overwrite some.
llvm::Error validateStates(const ArtifactDesc &desc);
llvm::Error validateUpdates(const ArtifactDesc &desc,
                            const VariantDesc &variant);

/// Its part for bytecode: that it can be written. What the run time's verifier
/// asks of types and registers is left to it.
llvm::Error validateBytecode(const ArtifactDesc &desc);

/// That a name can be written as the format has it.
llvm::Error checkName(llvm::StringRef name);

/// How many registers an entry has; 0: it has no symbols.
int64_t countRegisters(const ArtifactDesc &desc, size_t entry);

/// How many capacities an entry has: the registers behind its extents.
int64_t countCapacities(const EntryDesc &entry);

/// How many registers the plan's buffers may use: those of the only entry.
int64_t countPlanRegisters(const ArtifactDesc &desc);

/// The largest arena of a program that is a number.
uint64_t mostArena(const ArtifactDesc &desc, const VariantDesc &variant);

/// A number, or one of so many registers.
inline bool isSizeValue(int64_t value, int64_t registers) {
  return value >= -registers;
}

/// The bytes of a tensor, a size value: as stated where the shape has
/// registers, or computed; nothing where they overflow, are missing or differ.
std::optional<int64_t> sizeOf(const TensorDesc &tensor);

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

std::string encodeBytecode(const ArtifactDesc &desc, NameTable &names);

/// Section DEVICE of a variant; empty for a processor.
std::string encodeDevice(const VariantDesc &variant);

/// Section SCHEDULE of a variant; empty without waves and pieces.
std::string encodeSchedule(const VariantDesc &variant);

/// As the format has it.
uint32_t encodeArchitecture(Architecture architecture);

/// The bytes of a section.
struct EncodedSection {
  uint32_t kind;
  std::string bytes;
};

/// All sections but CODE and WEIGHTS, in the file's order.
std::vector<EncodedSection> encodeSections(const ArtifactDesc &desc,
                                           bool isStatic);

/// The feature bits and architecture number of the header.
uint32_t encodeArchitecture(llvm::StringRef architecture);
uint64_t encodeFeatures(uint32_t architecture,
                        llvm::ArrayRef<std::string> features);

/// The end of the weights section, as layoutWeights returned it.
uint64_t weightsSize(llvm::ArrayRef<WeightDesc> weights);

} // namespace tenon::artifact

#endif // TENON_TARGET_ARTIFACT_ENCODE_H
