//===- Contents.c - info, names, signature and entries --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file checks what the small sections say. It must hold even for bytes
// whose checksums are right: a generator may be wrong too.
//===----------------------------------------------------------------------===//
#include "src/Model.h"

#include <string.h>

tenon_status *tenonCheckName(const tenon_model *model, tenon_name_ref name) {
  // NAMES ends in a zero byte, so any offset inside starts a string.
  if (name >= model->sections[TENON_SECTION_NAMES].size)
    return TENON_BAD("a name is outside the names section");
  return NULL;
}

static tenon_status *parseNames(const tenon_model *model) {
  struct tenonBytes names = model->sections[TENON_SECTION_NAMES];
  if (!names.size || names.data[names.size - 1])
    return TENON_BAD("the names section does not end in a zero byte");
  return NULL;
}

static tenon_status *parseInfo(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_INFO];
  if (bytes.size != sizeof *model->info)
    return TENON_BAD("the info section has the wrong size");
  model->info = (const struct tenon_info_record *)bytes.data;
  TENON_TRY(tenonCheckName(model, model->info->model_name));
  TENON_TRY(tenonCheckName(model, model->info->target_cpu));
  return tenonCheckName(model, model->info->producer);
}

bool tenonIsElementType(uint8_t code, uint8_t bits) {
  switch (code) {
  case TENON_INT:
  case TENON_UINT:
    return bits == 2 || bits == 4 || bits == 8 || bits == 16 || bits == 32 ||
           bits == 64;
  case TENON_FLOAT:
    return bits == 16 || bits == 32 || bits == 64;
  case TENON_BFLOAT:
    return bits == 16;
  case TENON_COMPLEX:
    return bits == 64 || bits == 128;
  case TENON_BOOL:
  case TENON_FLOAT8_E4M3FN:
  case TENON_FLOAT8_E4M3FNUZ:
  case TENON_FLOAT8_E5M2:
  case TENON_FLOAT8_E5M2FNUZ:
  case TENON_FLOAT8_E8M0FNU:
    return bits == 8;
  case TENON_FLOAT4_E2M1FN:
    return bits == 4;
  case TENON_STRING:
    return bits == 8 * sizeof(void *);
  default:
    return false;
  }
}

static tenon_status *checkTensor(const tenon_model *model,
                                 const struct tenon_tensor_record *tensor) {
  TENON_TRY(tenonCheckName(model, tensor->name));
  const char *name = tenonName(model, tensor->name);
  if (!tenonIsElementType(tensor->type_code, tensor->type_bits) ||
      tensor->kind > TENON_KIND_optional_sequence || tensor->reserved)
    return tenonFail(TENON_BAD_ARTIFACT, name,
                     "'%s' has an element type that does not exist", name);
  if (tensor->rank == TENON_RANK_ANY)
    return NULL;
  if (tensor->rank > TENON_MAX_RANK ||
      !tenonWithin(tensor->first_dim, tensor->rank,
                   model->signature->dim_count))
    return tenonFail(TENON_BAD_ARTIFACT, name, "'%s' has a bad rank", name);
  for (uint32_t i = 0; i < tensor->rank; ++i)
    TENON_TRY(tenonCheckName(model, model->dimNames[tensor->first_dim + i]));
  return NULL;
}

static tenon_status *parseSignature(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_SIGNATURE];
  const struct tenon_signature_header *header = (const void *)bytes.data;
  if (bytes.size < sizeof *header)
    return TENON_BAD("the signature section is too small");
  uint64_t count = header->tensor_count;
  if (bytes.size !=
      sizeof *header + count * sizeof(struct tenon_tensor_record) +
          header->state_count * (uint64_t)sizeof(struct tenon_state_record) +
          header->dim_count *
              (sizeof(tenon_size_value) + sizeof(tenon_name_ref)))
    return TENON_BAD("the signature section has the wrong size");
  model->signature = header;
  model->tensors = (const struct tenon_tensor_record *)(header + 1);
  model->states = (const struct tenon_state_record *)(model->tensors + count);
  model->dims = (const tenon_size_value *)(model->states + header->state_count);
  model->dimNames = (const tenon_name_ref *)(model->dims + header->dim_count);
  for (uint64_t i = 0; i < count; ++i)
    TENON_TRY(checkTensor(model, &model->tensors[i]));
  return NULL;
}

/// Internal entries are last, and one at least is not.
static tenon_status *countPublic(tenon_model *model) {
  uint32_t count = 0;
  while (count < model->entryCount && !model->entries[count].flags)
    ++count;
  for (uint32_t i = count; i < model->entryCount; ++i)
    if (model->entries[i].flags != TENON_ENTRY_INTERNAL)
      return TENON_BAD("entry %u has bad flags", i);
  if (!count || count > TENON_MAX_PUBLIC_ENTRIES)
    return TENON_BAD("%u entries are not internal; there can be 1 to %u", count,
                     TENON_MAX_PUBLIC_ENTRIES);
  model->publicEntryCount = count;
  return NULL;
}

static tenon_status *checkEntry(const tenon_model *model, uint32_t index) {
  const struct tenon_entry_record *entry = &model->entries[index];
  TENON_TRY(tenonCheckName(model, entry->name));
  const char *name = tenonName(model, entry->name);
  if (!tenonWithin(entry->first_tensor,
                   (uint64_t)entry->input_count + entry->output_count,
                   model->signature->tensor_count))
    return TENON_BAD("the entry '%s' has tensors outside of the signature",
                     name);
  for (uint32_t i = 0; i < index && index < model->publicEntryCount; ++i)
    if (strcmp(name, tenonName(model, model->entries[i].name)) == 0)
      return TENON_BAD("two entries are called '%s'", name);
  return NULL;
}

static tenon_status *parseEntries(tenon_model *model) {
  struct tenonBytes bytes = model->sections[TENON_SECTION_ENTRIES];
  model->entries = (const struct tenon_entry_record *)bytes.data;
  if (!bytes.size || bytes.size % sizeof *model->entries ||
      bytes.size / sizeof *model->entries > TENON_MAX_ENTRIES)
    return TENON_BAD("the entries section has the wrong size");
  model->entryCount = (uint32_t)(bytes.size / sizeof *model->entries);
  TENON_TRY(countPublic(model));
  for (uint32_t i = 0; i < model->entryCount; ++i)
    TENON_TRY(checkEntry(model, i));
  return NULL;
}

tenon_status *tenonParseContents(tenon_model *model,
                                 const tenon_load_options *options) {
  TENON_TRY(parseNames(model));
  TENON_TRY(parseInfo(model));
  TENON_TRY(parseSignature(model));
  TENON_TRY(parseEntries(model));
  TENON_TRY(tenonParseStates(model));
  TENON_TRY(tenonParseSizes(model));
  TENON_TRY(tenonParseVariants(model, options));
  TENON_TRY(tenonParseLaunches(model));
  TENON_TRY(tenonProveUpdates(model));
  TENON_TRY(tenonParseDevice(model));
  return tenonParseBytecode(model);
}
