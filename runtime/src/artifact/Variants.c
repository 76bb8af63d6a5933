//===- Variants.c - which of several programs is run ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file chooses the first variant that this processor or a GPU runs, or
// the one that the caller asks for.
//===----------------------------------------------------------------------===//
#include "src/Model.h"
#include "src/base/Cpu.h"
#include "src/cuda/Cuda.h"

#include <stdio.h>
#include <string.h>

//===----------------------------------------------------------------------===//
// Checking
//===----------------------------------------------------------------------===//

static bool isGoodRecord(const tenon_model *model, uint32_t index,
                         const struct tenon_variant_record *variant) {
  bool hasDevice = model->header->flags & TENON_FILE_DEVICE;
  if (variant->target_cpu >= model->sections[TENON_SECTION_NAMES].size)
    return false;
  if (variant->kind == TENON_VARIANT_CPU)
    return !tenonVariantSection(model, index, TENON_SECTION_DEVICE).size;
  return variant->kind == TENON_VARIANT_CUDA && hasDevice &&
         tenonIsArchitecture(variant->features);
}

static tenon_status *checkRecords(tenon_model *model) {
  if (model->variantCount == 1)
    return NULL;
  struct tenonBytes bytes = model->sections[TENON_SECTION_VARIANTS];
  const struct tenon_variant_record *variants = (const void *)bytes.data;
  if (bytes.size != model->variantCount * sizeof *variants)
    return TENON_BAD("the variants section has the wrong size");
  if (model->header->features)
    return TENON_BAD("the header has the features that variants have");
  uint32_t devices = 0;
  for (uint32_t i = 0; i < model->variantCount; ++i) {
    if (!isGoodRecord(model, i, &variants[i]))
      return TENON_BAD("variant %u is bad", i);
    devices += variants[i].kind != TENON_VARIANT_CPU;
  }
  if (variants[model->variantCount - 1].kind != TENON_VARIANT_CPU)
    return TENON_BAD("the last variant is not for a processor");
  if (!devices != !(model->header->flags & TENON_FILE_DEVICE))
    return TENON_BAD("no variant is for a device");
  model->variants = variants;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Refusing
//===----------------------------------------------------------------------===//

static uint64_t missingFeatures(const tenon_model *model, uint32_t variant) {
  uint64_t needed = model->variants ? model->variants[variant].features
                                    : model->header->features;
  return tenonCpuMissing(needed);
}

/// What keeps the model from any GPU: what the run time does itself is done
/// by the processor.
static const char *needsProcessor(const tenon_model *model) {
  for (uint32_t i = 0; i < model->entryCount; ++i)
    if (model->entries[i].function)
      return "the model has control flow, which runs on a processor only";
  return model->signature->state_count
             ? "the model has states, which a processor keeps"
             : NULL;
}

/// `ordinal`: below zero any GPU will do.
static struct tenonRefusal refuseGpus(const tenon_model *model,
                                      uint32_t variant, int32_t ordinal,
                                      int32_t *gpu, char *name, size_t size) {
  struct tenonRefusal refusal = {""};
  const char *reason = needsProcessor(model);
  tenon_status *status = NULL;
  if (!reason) {
    status = tenonFindGpu(model->variants[variant].features, ordinal, gpu, name,
                          size);
    reason = tenon_status_message(status);
  }
  snprintf(refusal.text, sizeof refusal.text, "%s", reason);
  tenon_status_destroy(status);
  return refusal;
}

static struct tenonRefusal refuseProcessor(const tenon_model *model,
                                           uint32_t variant) {
  struct tenonRefusal refusal = {""};
  uint64_t missing = missingFeatures(model, variant);
  if (missing)
    snprintf(refusal.text, sizeof refusal.text,
             "it needs the processor extension '%s', which this processor "
             "lacks",
             tenonCpuFeatureName(missing));
  return refusal;
}

struct tenonRefusal tenonRefuse(const tenon_model *model, uint32_t variant) {
  int32_t gpu;
  char name[sizeof model->deviceName];
  return tenonIsForCuda(model, variant)
             ? refuseGpus(model, variant, -1, &gpu, name, sizeof name)
             : refuseProcessor(model, variant);
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

/// A list of all variants, cut where it is too long; with `needs` also what
/// each lacks.
struct list {
  char text[400];
};

static struct list listVariants(const tenon_model *model, bool needs) {
  struct list list = {""};
  for (uint32_t i = 0; i < model->variantCount; ++i) {
    size_t length = strlen(list.text);
    bool isForCuda = tenonIsForCuda(model, i);
    uint64_t missing = needs && !isForCuda ? missingFeatures(model, i) : 0;
    snprintf(list.text + length, sizeof list.text - length, "%s'%s'%s%s",
             i ? ", " : "", tenonVariantName(model, i),
             missing              ? " needs "
             : needs && isForCuda ? ": "
                                  : "",
             missing              ? tenonCpuFeatureName(missing)
             : needs && isForCuda ? tenonRefuse(model, i).text
                                  : "");
  }
  return list;
}

/// Whether the variant is for the kind of device that the options ask for.
static bool isWanted(const tenon_model *model, uint32_t variant,
                     const tenon_load_options *options) {
  int32_t type = options->device.device_type;
  return !type || (type == TENON_DEVICE_CUDA) == tenonIsForCuda(model, variant);
}

/// Takes a variant if it can run.
static struct tenonRefusal tryVariant(tenon_model *model, uint32_t variant,
                                      const tenon_load_options *options) {
  bool isForCuda = tenonIsForCuda(model, variant);
  int32_t ordinal = options->device.device_type == TENON_DEVICE_CUDA
                        ? options->device.device_id
                        : -1;
  int32_t gpu = 0;
  struct tenonRefusal refusal =
      isForCuda ? refuseGpus(model, variant, ordinal, &gpu, model->deviceName,
                             sizeof model->deviceName)
                : refuseProcessor(model, variant);
  if (*refusal.text)
    return refusal;
  if (!isForCuda)
    *model->deviceName = 0;
  model->variant = variant;
  model->device.device_type = isForCuda ? TENON_DEVICE_CUDA : TENON_DEVICE_CPU;
  model->device.device_id = gpu;
  return refusal;
}

static tenon_status *takeNamed(tenon_model *model, uint32_t variant,
                               const tenon_load_options *options) {
  const char *name = tenonVariantName(model, variant);
  if (!isWanted(model, variant, options))
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the variant '%s' is for %s, not for the device that is "
                     "asked for",
                     name,
                     tenonIsForCuda(model, variant) ? "a GPU" : "a processor");
  struct tenonRefusal refusal = tryVariant(model, variant, options);
  if (!*refusal.text)
    return NULL;
  if (tenonIsForCuda(model, variant))
    return tenonFail(TENON_UNSUPPORTED, "", "the variant '%s' cannot run: %s",
                     name, refusal.text);
  return tenonFail(TENON_UNSUPPORTED, "",
                   "the variant '%s' needs the processor extension '%s', "
                   "which this processor lacks",
                   name, tenonCpuFeatureName(missingFeatures(model, variant)));
}

static tenon_status *findNamed(tenon_model *model,
                               const tenon_load_options *options) {
  for (uint32_t i = 0; i < model->variantCount; ++i)
    if (strcmp(tenonVariantName(model, i), options->variant) == 0)
      return takeNamed(model, i, options);
  return tenonFail(TENON_INVALID_ARGUMENT, "",
                   "the artifact has no variant '%s', but %s", options->variant,
                   listVariants(model, /*needs=*/false).text);
}

/// None of the variants for a GPU can run, or there is none.
static tenon_status *noGpu(const tenon_model *model,
                           const struct tenonRefusal *first) {
  if (*first->text)
    return tenonFail(TENON_UNSUPPORTED, "", "the model cannot run on a GPU: %s",
                     first->text);
  return tenonFail(TENON_UNSUPPORTED, "",
                   "the artifact has no variant for a GPU, but %s",
                   listVariants(model, /*needs=*/false).text);
}

static tenon_status *findSupported(tenon_model *model,
                                   const tenon_load_options *options) {
  struct tenonRefusal first = {""};
  for (uint32_t i = 0; i < model->variantCount; ++i) {
    if (!isWanted(model, i, options))
      continue;
    struct tenonRefusal refusal = tryVariant(model, i, options);
    if (!*refusal.text)
      return NULL;
    if (!*first.text)
      first = refusal;
  }
  if (options->device.device_type == TENON_DEVICE_CUDA)
    return noGpu(model, &first);
  if (model->variants)
    return tenonFail(TENON_UNSUPPORTED, "",
                     "this processor supports no variant of the artifact (%s); "
                     "compile it with another --mcpu",
                     listVariants(model, /*needs=*/true).text);
  return tenonFail(TENON_UNSUPPORTED, "",
                   "the artifact needs the processor extension '%s', which "
                   "this processor lacks; compile it with another --mcpu",
                   tenonCpuFeatureName(missingFeatures(model, 0)));
}

static tenon_status *checkWanted(const tenon_load_options *options) {
  int32_t type = options->device.device_type;
  if (type && type != TENON_DEVICE_CPU && type != TENON_DEVICE_CUDA)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "there are no devices of type %d", type);
  if (options->device.device_id < 0)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "there is no device %d",
                     options->device.device_id);
  return NULL;
}

tenon_status *tenonParseVariants(tenon_model *model,
                                 const tenon_load_options *options) {
  TENON_TRY(checkRecords(model));
  TENON_TRY(checkWanted(options));
  TENON_TRY(options->variant ? findNamed(model, options)
                             : findSupported(model, options));
  static const uint32_t own[] = {TENON_SECTION_LAUNCHES, TENON_SECTION_PLAN,
                                 TENON_SECTION_CODE, TENON_SECTION_DEVICE,
                                 TENON_SECTION_SCHEDULE};
  for (size_t i = 0; i < sizeof own / sizeof *own; ++i)
    model->sections[own[i]] =
        tenonVariantSection(model, model->variant, own[i]);
  return NULL;
}
