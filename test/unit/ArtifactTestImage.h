//===- ArtifactTestImage.h - an artifact's bytes, to be damaged -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TEST_UNIT_ARTIFACTTESTIMAGE_H
#define TENON_TEST_UNIT_ARTIFACTTESTIMAGE_H

#include "tenon/artifact_format.h"
#include "tenon/checksum.h"
#include "test/unit/ArtifactTestModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

namespace tenon::test {

/// The bytes of the artifact, aligned as a mapping is.
struct Image {
  explicit Image(artifact::ArtifactDesc desc = makeDesc()) {
    TemporaryFile file;
    EXPECT_OK(artifact::writeArtifact(desc, file.path));
    auto buffer = llvm::MemoryBuffer::getFile(file.path);
    words.resize(((*buffer)->getBufferSize() + 63) / 64);
    size = (*buffer)->getBufferSize();
    memcpy(data(), (*buffer)->getBufferStart(), size);
    count = header().section_count;
    for (uint32_t i = 0; i < count; ++i)
      kinds.push_back(table()[i].kind);
  }

  uint8_t *data() { return reinterpret_cast<uint8_t *>(words.data()); }

  tenon_file_header &header() {
    return *reinterpret_cast<tenon_file_header *>(data());
  }

  tenon_section *table() {
    return reinterpret_cast<tenon_section *>(&header() + 1);
  }

  /// The first of that kind, whatever was done to it.
  tenon_section &section(uint32_t kind) {
    return table()[llvm::find(kinds, kind) - kinds.begin()];
  }

  template <typename Record> Record &at(uint32_t kind, uint64_t offset) {
    return *reinterpret_cast<Record *>(data() + section(kind).offset + offset);
  }

  /// Makes all checksums right again.
  void sign() {
    for (uint32_t i = 0; i < count; ++i) {
      tenon_section &entry = table()[i];
      if (entry.offset <= size && entry.size <= size - entry.offset)
        entry.checksum =
            tenon_checksum_bytes(data() + entry.offset, entry.size);
    }
    signHeader();
  }

  void signHeader() {
    header().checksum = 0;
    header().checksum = tenon_checksum_bytes(
        data(), sizeof(tenon_file_header) + count * sizeof(tenon_section));
  }

  tenon_status *load(const char *variant = nullptr) {
    return loadFirst(size, variant);
  }

  tenon_status *loadFirst(size_t bytes, const char *variant = nullptr) {
    tenon_load_options options = TENON_INIT(tenon_load_options);
    options.variant = variant;
    tenon_model *model = nullptr;
    tenon_status *status =
        tenon_model_load_memory(data(), bytes, &options, &model);
    tenon_model_destroy(model);
    return status;
  }

  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  std::vector<Line> words;
  std::vector<uint32_t> kinds;
  size_t size;
  uint32_t count;
};

} // namespace tenon::test

#endif // TENON_TEST_UNIT_ARTIFACTTESTIMAGE_H
