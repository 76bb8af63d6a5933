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

/// Its part for states.
llvm::Error validateStates(const ArtifactDesc &desc);

/// That a name can be written as the format has it.
llvm::Error checkName(llvm::StringRef name);

/// How many registers an entry has; 0: it has no symbols.
int64_t countRegisters(const ArtifactDesc &desc, size_t entry);

/// How many capacities an entry has: the registers behind its extents.
int64_t countCapacities(const EntryDesc &entry);

/// How many registers a plan may use: those of the only entry.
int64_t countPlanRegisters(const ArtifactDesc &desc);

/// A number, or one of so many registers.
inline bool isSizeValue(int64_t value, int64_t registers) {
  return value >= -registers;
}

/// The bytes of a tensor, a size value: as stated where the shape has
/// registers, or computed; nothing where they overflow, are missing or differ.
std::optional<int64_t> sizeOf(const TensorDesc &tensor);

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
