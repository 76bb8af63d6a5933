//===- Variants.c - which of several programs is run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file chooses the first variant that this processor supports, or the one
// that the caller asks for.
//===----------------------------------------------------------------------===//
#include "src/Model.h"
#include "src/base/Cpu.h"

#include <stdio.h>
#include <string.h>

static tenon_status *checkRecords(tenon_model *model) {
  if (model->variantCount == 1)
    return NULL;
  struct tenonBytes bytes = model->sections[TENON_SECTION_VARIANTS];
  const struct tenon_variant_record *variants = (const void *)bytes.data;
  if (bytes.size != model->variantCount * sizeof *variants)
    return TENON_BAD("the variants section has the wrong size");
  if (model->header->features)
    return TENON_BAD("the header has the features that variants have");
  uint64_t names = model->sections[TENON_SECTION_NAMES].size;
  for (uint32_t i = 0; i < model->variantCount; ++i)
    if (variants[i].target_cpu >= names || variants[i].kind)
      return TENON_BAD("variant %u is bad", i);
  model->variants = variants;
  return NULL;
}

uint64_t tenonMissingFeatures(const tenon_model *model, uint32_t variant) {
  uint64_t needed = model->variants ? model->variants[variant].features
                                    : model->header->features;
  return tenonCpuMissing(needed);
}

/// A list of all variants, cut where it is too long; with `needs` also one
/// feature that each lacks.
struct list {
  char text[400];
};

static struct list listVariants(const tenon_model *model, bool needs) {
  struct list list = {""};
  for (uint32_t i = 0; i < model->variantCount; ++i) {
    size_t length = strlen(list.text);
    uint64_t missing = needs ? tenonMissingFeatures(model, i) : 0;
    snprintf(list.text + length, sizeof list.text - length, "%s'%s'%s%s",
             i ? ", " : "", tenonVariantName(model, i),
             missing ? " needs " : "",
             missing ? tenonCpuFeatureName(missing) : "");
  }
  return list;
}

static tenon_status *findNamed(tenon_model *model, const char *name) {
  for (uint32_t i = 0; i < model->variantCount; ++i) {
    if (strcmp(tenonVariantName(model, i), name) != 0)
      continue;
    model->variant = i;
    uint64_t missing = tenonMissingFeatures(model, i);
    if (!missing)
      return NULL;
    return tenonFail(TENON_UNSUPPORTED, "",
                     "the variant '%s' needs the processor extension '%s', "
                     "which this processor lacks",
                     name, tenonCpuFeatureName(missing));
  }
  return tenonFail(TENON_INVALID_ARGUMENT, "",
                   "the artifact has no variant '%s', but %s", name,
                   listVariants(model, /*needs=*/false).text);
}

static tenon_status *findSupported(tenon_model *model) {
  for (uint32_t i = 0; i < model->variantCount; ++i)
    if (!tenonMissingFeatures(model, i)) {
      model->variant = i;
      return NULL;
    }
  if (model->variants)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "this processor supports no variant of the artifact (%s); "
                     "compile it with another --mcpu",
                     listVariants(model, /*needs=*/true).text);
  return tenonFail(TENON_UNSUPPORTED, "",
                   "the artifact needs the processor extension '%s', which "
                   "this processor lacks; compile it with another --mcpu",
                   tenonCpuFeatureName(tenonMissingFeatures(model, 0)));
}

tenon_status *tenonParseVariants(tenon_model *model, const char *wanted) {
  TENON_TRY(checkRecords(model));
  TENON_TRY(wanted ? findNamed(model, wanted) : findSupported(model));
  static const uint32_t own[] = {TENON_SECTION_LAUNCHES, TENON_SECTION_PLAN,
                                 TENON_SECTION_CODE};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    model->sections[own[i]] =
        tenonVariantSection(model, model->variant, own[i]);
  return NULL;
}
