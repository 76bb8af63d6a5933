//===- Sections.c - header, section table, checksums ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks the outer layer of an artifact. Every byte of it is either
// in a checksummed section, in the checksummed header and table, or padding
// that must be zero.
//===----------------------------------------------------------------------===//
#include "src/Model.h"
#include "src/base/Cpu.h"
#include "tenon/checksum.h"

#include <string.h>

#define LAZY_WEIGHTS_BYTES ((uint64_t)64 << 20)

static const char *const sectionNames[] = {
    "?",     "info",     "signature", "launches", "plan",
    "names", "code",     "weights",   "variants", "entries",
    "sizes", "bytecode", "device",    "schedule"};

/// The variant of a section that belongs to all.
#define EVERY_VARIANT TENON_MAX_VARIANTS

/// What a section is, by its place in the table.
struct role {
  uint32_t kind;
  uint32_t variant;
};

/// The sections of a variant that stand before NAMES; returns how many.
static uint32_t listOwn(uint32_t flags, uint32_t own[4]) {
  uint32_t count = 0;
  own[count++] = TENON_SECTION_LAUNCHES;
  own[count++] = TENON_SECTION_PLAN;
  if (flags & TENON_FILE_SCHEDULE)
    own[count++] = TENON_SECTION_SCHEDULE;
  if (flags & TENON_FILE_DEVICE)
    own[count++] = TENON_SECTION_DEVICE;
  return count;
}

static struct role roleOf(const tenon_model *model, uint32_t place) {
  uint32_t count = model->variantCount;
  if (place < 2)
    return (struct role){TENON_SECTION_INFO + place, EVERY_VARIANT};
  place -= 2;
  if (place-- == 0)
    return (struct role){TENON_SECTION_ENTRIES, EVERY_VARIANT};
  if (place-- == 0)
    return (struct role){TENON_SECTION_SIZES, EVERY_VARIANT};
  if (place-- == 0)
    return (struct role){TENON_SECTION_BYTECODE, EVERY_VARIANT};
  if (count > 1 && place-- == 0)
    return (struct role){TENON_SECTION_VARIANTS, EVERY_VARIANT};
  uint32_t own[4];
  uint32_t each = listOwn(model->header->flags, own);
  if (place < each * count)
    return (struct role){own[place % each], place / each};
  place -= each * count;
  if (place-- == 0)
    return (struct role){TENON_SECTION_NAMES, EVERY_VARIANT};
  if (!model->linked && place < count)
    return (struct role){TENON_SECTION_CODE, place};
  return (struct role){TENON_SECTION_WEIGHTS, EVERY_VARIANT};
}

static tenon_status *checkFirstBytes(const tenon_model *model) {
  const struct tenon_file_header *header = model->header;
  size_t known = model->file.size < 8 ? model->file.size : 8;
  if (memcmp(model->file.data, TENON_MAGIC, known) != 0)
    return TENON_BAD("this is not a Tenon artifact (wrong first bytes)");
  if (model->file.size < sizeof *header)
    return TENON_BAD("truncated: %zu bytes are less than a header",
                     model->file.size);
  if (header->version != TENON_FORMAT_VERSION)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "the artifact has format version %u; this library reads "
                     "version %u%s",
                     header->version, TENON_FORMAT_VERSION,
                     header->version < TENON_FORMAT_VERSION
                         ? ": compile the model again"
                         : "");
  if (header->file_bytes != model->file.size)
    return TENON_BAD("truncated or overlong: %zu bytes instead of %llu",
                     model->file.size, (unsigned long long)header->file_bytes);
  return NULL;
}

static uint64_t headerChecksum(const tenon_model *model) {
  struct tenon_file_header header = *model->header;
  header.checksum = 0;
  struct tenon_checksum state;
  tenon_checksum_begin(&state);
  tenon_checksum_update(&state, &header, sizeof header);
  tenon_checksum_update(&state, model->table,
                        header.section_count * sizeof *model->table);
  return tenon_checksum_end(&state);
}

/// False when there is no number of variants that gives as many sections.
static bool countVariants(tenon_model *model) {
  const struct tenon_file_header *header = model->header;
  uint32_t count = 1;
  if (header->flags & TENON_FILE_VARIANTS)
    count = (header->section_count - 8) / tenon_own_sections(header->flags);
  model->variantCount = count;
  bool isKnown = header->flags & TENON_FILE_VARIANTS
                     ? count >= 2 && count <= TENON_MAX_VARIANTS
                     : true;
  return isKnown &&
         header->section_count == tenon_section_count(count, header->flags);
}

static tenon_status *tooNew(void) {
  return tenonFail(TENON_UNSUPPORTED, "",
                   "the artifact needs a newer version of this library");
}

static tenon_status *checkHeader(tenon_model *model) {
  const struct tenon_file_header *header = model->header;
  // First of all: flags may change what everything else means.
  if (header->flags &
      ~(TENON_FILE_STATIC | TENON_FILE_GUARDED | TENON_FILE_VARIANTS |
        TENON_FILE_DEVICE | TENON_FILE_SCHEDULE))
    return tooNew();
  if (!countVariants(model) ||
      model->file.size <
          sizeof *header + header->section_count * sizeof *model->table)
    return TENON_BAD("the header is damaged (section count)");
  model->table = (const struct tenon_section *)(header + 1);
  if (headerChecksum(model) != header->checksum)
    return TENON_BAD("the header is damaged (checksum)");
  if (header->reserved[0] || header->reserved[1])
    return tooNew();
  // Neither the code of a GPU is linked nor can its memory be guarded, and
  // there is always a variant for the processor.
  uint32_t others = header->flags & ~(TENON_FILE_DEVICE | TENON_FILE_SCHEDULE);
  if (header->flags & TENON_FILE_DEVICE && others != TENON_FILE_VARIANTS)
    return TENON_BAD("the header is damaged (flags)");
  // Each guarded launch runs alone.
  if (header->flags & TENON_FILE_GUARDED && header->flags & TENON_FILE_SCHEDULE)
    return TENON_BAD("the header is damaged (flags)");
  bool isStatic = header->flags & TENON_FILE_STATIC;
  if (isStatic != (model->linked != NULL))
    return TENON_BAD("%s", isStatic ? "this is the metadata of a linked model, "
                                      "not an artifact"
                                    : "the linked model's metadata is not "
                                      "that of a linked model");
  if (header->architecture != tenonCpuArchitecture())
    return tenonFail(TENON_UNSUPPORTED, "",
                     "the artifact was compiled for %s, but this processor is "
                     "%s; compile it with another --mcpu",
                     tenonArchitectureName(header->architecture),
                     tenonArchitectureName(tenonCpuArchitecture()));
  return NULL;
}

static bool isZero(const uint8_t *bytes, uint64_t size) {
  for (uint64_t i = 0; i < size; ++i)
    if (bytes[i])
      return false;
  return true;
}

static struct tenonBytes bytesOf(const tenon_model *model,
                                 const struct tenon_section *section) {
  if (section->flags & TENON_SECTION_EXTERNAL)
    return model->sections[TENON_SECTION_WEIGHTS];
  return (struct tenonBytes){model->file.data + section->offset, section->size};
}

/// Checks where a section lies; `*end` is the end of the one before.
static tenon_status *placeSection(const tenon_model *model,
                                  const struct tenon_section *section,
                                  uint64_t *end) {
  const char *name = sectionNames[section->kind];
  uint64_t alignment = tenon_section_alignment(section->kind);
  if (section->flags || section->alignment != alignment ||
      section->offset % alignment || section->offset < *end ||
      section->offset - *end >= alignment ||
      !tenonWithin(section->offset, section->size, model->file.size))
    return TENON_BAD("the %s section is misplaced", name);
  if (!isZero(model->file.data + *end, section->offset - *end))
    return TENON_BAD("the bytes before the %s section are not zero", name);
  *end = section->offset + section->size;
  return NULL;
}

static tenon_status *placeLinkedWeights(tenon_model *model,
                                        const struct tenon_section *section) {
  if (section->flags != TENON_SECTION_EXTERNAL || section->offset ||
      section->alignment != TENON_PAGE_BYTES)
    return TENON_BAD("the weights section is misplaced");
  if (section->size != model->linked->weights_size)
    return TENON_BAD("the linked weights have %zu bytes instead of %llu",
                     model->linked->weights_size,
                     (unsigned long long)section->size);
  if (section->size && !model->linked->weights)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "the linked weights are null");
  model->sections[TENON_SECTION_WEIGHTS].data = model->linked->weights;
  model->sections[TENON_SECTION_WEIGHTS].size = section->size;
  return NULL;
}

static tenon_status *placeSections(tenon_model *model) {
  const struct tenon_file_header *header = model->header;
  uint64_t end = sizeof *header + header->section_count * sizeof *model->table;
  for (uint32_t i = 0; i < header->section_count; ++i) {
    const struct tenon_section *section = &model->table[i];
    struct role role = roleOf(model, i);
    if (section->kind != role.kind)
      return TENON_BAD("section %u is of kind %u instead of %s", i,
                       section->kind, sectionNames[role.kind]);
    if (model->linked && role.kind == TENON_SECTION_WEIGHTS)
      TENON_TRY(placeLinkedWeights(model, section));
    else
      TENON_TRY(placeSection(model, section, &end));
    if (role.variant == EVERY_VARIANT)
      model->sections[role.kind] = bytesOf(model, section);
  }
  if (end != model->file.size)
    return TENON_BAD("there are bytes after the last section");
  return NULL;
}

static tenon_status *checkSums(const tenon_model *model, bool verifyWeights) {
  for (uint32_t i = 0; i < model->header->section_count; ++i) {
    const struct tenon_section *section = &model->table[i];
    if (section->kind == TENON_SECTION_WEIGHTS && !verifyWeights &&
        section->size > LAZY_WEIGHTS_BYTES)
      continue;
    struct tenonBytes bytes = bytesOf(model, section);
    if (tenon_checksum_bytes(bytes.data, bytes.size) != section->checksum)
      return TENON_BAD("the %s section is damaged (checksum)",
                       sectionNames[section->kind]);
  }
  return NULL;
}

struct tenonBytes tenonVariantSection(const tenon_model *model,
                                      uint32_t variant, uint32_t kind) {
  for (uint32_t i = 0; i < model->header->section_count; ++i) {
    struct role role = roleOf(model, i);
    if (role.kind == kind && role.variant == variant)
      return bytesOf(model, &model->table[i]);
  }
  return (struct tenonBytes){NULL, 0};
}

tenon_status *tenonParseSections(tenon_model *model, bool verifyWeights) {
  model->header = (const struct tenon_file_header *)model->file.data;
  TENON_TRY(checkFirstBytes(model));
  TENON_TRY(checkHeader(model));
  TENON_TRY(placeSections(model));
  return checkSums(model, verifyWeights);
}
