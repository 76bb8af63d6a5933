//===- Load.c - loading and freeing models --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes models from files, memory and linked data.
//===----------------------------------------------------------------------===//
#include "src/Model.h"
#include "src/cuda/Cuda.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static tenon_status *makeModel(tenon_model **result) {
  tenon_model *model = calloc(1, sizeof *model);
  if (!model)
    return tenonNoMemory(sizeof *model);
  model->descriptor = -1;
  pthread_mutex_init(&model->devicesLock, NULL);
  *result = model;
  return NULL;
}

static tenon_status *findLinkedKernels(tenon_model *model) {
  uint32_t count = model->counts->kernel_count;
  uint64_t first = count ? model->kernelRecords->entry : 0;
  if (!tenonWithin(first, count, model->linked->kernel_count) ||
      (count && !model->linked->kernels))
    return TENON_BAD("the linked model has %zu kernels instead of %llu",
                     model->linked->kernel_count,
                     (unsigned long long)first + count);
  if (count)
    model->kernels = model->linked->kernels + first;
  return NULL;
}

static tenon_status *mapKernels(tenon_model *model) {
  // What runs on a GPU is loaded there by the first context.
  if (tenonIsCuda(model))
    return NULL;
  if (model->linked)
    return findLinkedKernels(model);
  struct tenonBytes code = model->sections[TENON_SECTION_CODE];
  if (!code.size)
    return NULL;
  TENON_TRY(tenonMapCode(code.data, code.size, model->descriptor,
                         (uint64_t)(code.data - model->file.data),
                         &model->codeMapping));
  uint32_t count = model->counts->kernel_count;
  model->ownKernels = calloc(count ? count : 1, sizeof *model->ownKernels);
  if (!model->ownKernels)
    return tenonNoMemory(count * sizeof *model->ownKernels);
  for (uint32_t i = 0; i < count; ++i)
    model->ownKernels[i] =
        (tenon_kernel_fn)((uintptr_t)model->codeMapping.base +
                          model->kernelRecords[i].entry);
  model->kernels = model->ownKernels;
  return NULL;
}

/// Parses `model->file`. On failure the model is gone.
static tenon_status *finishLoad(tenon_model *model,
                                const tenon_load_options *options,
                                tenon_model **result) {
  tenon_load_options local;
  tenon_status *status = tenonReadStruct(&local, sizeof local, options);
  if (!status)
    status = tenonParseSections(model, local.verify_weights);
  if (!status)
    status = tenonParseContents(model, &local);
  if (!status)
    status = mapKernels(model);
  if (model->descriptor >= 0)
    close(model->descriptor);
  model->descriptor = -1;
  if (status)
    tenon_model_destroy(model);
  else
    *result = model;
  return status;
}

tenon_status *tenon_model_load_file(const char *path,
                                    const tenon_load_options *options,
                                    tenon_model **result) {
  if (!path || !result)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  tenon_model *model;
  TENON_TRY(makeModel(&model));
  tenon_status *status =
      tenonMapFile(path, &model->mapping, &model->descriptor);
  if (status) {
    tenon_model_destroy(model);
    return status;
  }
  model->file.data = model->mapping.base;
  model->file.size = model->mapping.size;
  return finishLoad(model, options, result);
}

static tenon_status *borrowBytes(tenon_model *model, const void *data,
                                 size_t size) {
  model->file.data = data;
  model->file.size = size;
  if ((uintptr_t)data % TENON_LINE_BYTES == 0)
    return NULL;
  if (posix_memalign(&model->copy, TENON_LINE_BYTES, size) != 0) {
    model->copy = NULL;
    return tenonNoMemory(size);
  }
  memcpy(model->copy, data, size);
  model->file.data = model->copy;
  return NULL;
}

static tenon_status *loadBytes(const void *data, size_t size,
                               const tenon_static_model *linked,
                               const tenon_load_options *options,
                               tenon_model **result) {
  if (!data || !size)
    return tenonFail(TENON_BAD_ARTIFACT, "", "the artifact is empty");
  tenon_model *model;
  TENON_TRY(makeModel(&model));
  model->linked = linked;
  tenon_status *status = borrowBytes(model, data, size);
  if (status) {
    tenon_model_destroy(model);
    return status;
  }
  return finishLoad(model, options, result);
}

tenon_status *tenon_model_load_memory(const void *data, size_t size,
                                      const tenon_load_options *options,
                                      tenon_model **result) {
  if (!result)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  return loadBytes(data, size, NULL, options, result);
}

tenon_status *tenon_model_load_static(const tenon_static_model *source,
                                      tenon_model **result) {
  if (!source || !result)
    return tenonFail(TENON_INVALID_ARGUMENT, "", "a null argument");
  if (source->struct_size < sizeof *source)
    return tenonFail(TENON_INVALID_ARGUMENT, "",
                     "the linked model was made by another version");
  return loadBytes(source->meta, source->meta_size, source, NULL, result);
}

void tenon_model_destroy(tenon_model *model) {
  if (!model)
    return;
  if (model->descriptor >= 0)
    close(model->descriptor);
  tenonDestroyDevices(model);
  pthread_mutex_destroy(&model->devicesLock);
  tenonUnmap(&model->codeMapping);
  tenonUnmap(&model->mapping);
  free(model->copy);
  free(model->ownKernels);
  free(model->nodeNames);
  free(model->publicDims);
  free(model->registers);
  free(model->capacities);
  tenonFreeBytecode(model->bytecode);
  free(model);
}
