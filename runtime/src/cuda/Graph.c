//===- Graph.c - the launches of a shape on a GPU -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes the graph of a shape, and points it at other tensors.
//===----------------------------------------------------------------------===//
#include "src/cuda/Graph.h"

#include <string.h>

tenon_status *tenonLaunchError(const tenon_context *context, uint32_t launch,
                               CUresult result, const char *function) {
  const tenon_model *model = context->model;
  struct tenonDevice *device = context->device->device;
  if (tenonIsSticky(result))
    atomic_store(&device->lost, result);
  const struct tenon_launch_record *record = tenonLaunchRecord(context, launch);
  const char *node =
      record->node_count ? model->nodeNames[record->first_node] : "";
  return tenonFail(TENON_DEVICE_ERROR, node,
                   "node '%s' (kernel '%s'): %s failed: %s (%s)", node,
                   tenonName(model, model->kernelRecords[record->kernel].name),
                   function, tenonCudaText(device->driver, result),
                   tenonCudaName(device->driver, result));
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Hands out parts of a block; with no block it only counts.
struct parts {
  uint8_t *block;
  size_t end;
};

static void *take(struct parts *parts, size_t count, size_t size) {
  size_t begin = parts->end;
  parts->end += (count * size + TENON_LINE_BYTES - 1) / TENON_LINE_BYTES *
                TENON_LINE_BYTES;
  return parts->block ? parts->block + begin : NULL;
}

struct counts {
  uint32_t maps;
  uint32_t nodes;
};

static struct tenonDeviceGraph *lay(const tenon_context *context,
                                    struct counts counts, struct parts *parts) {
  uint32_t tensors = tenonTensorCount(context);
  struct tenonDeviceGraph *graph = take(parts, 1, sizeof *graph);
  struct tenonDeviceGraph made = {
      .launches = take(parts, context->launchCount, sizeof *made.launches),
      .maps = take(parts, counts.maps, sizeof *made.maps),
      .nodes = take(parts, counts.nodes, sizeof *made.nodes),
      .isHost = take(parts, tensors, sizeof *made.isHost),
      .addresses = take(parts, tensors, sizeof *made.addresses)};
  if (graph)
    *graph = made;
  return graph;
}

void tenonFreeGraph(const tenon_context *context, struct tenonShape *shape) {
  struct tenonDeviceGraph *graph = shape->graph;
  if (!graph)
    return;
  const struct tenonDriver *driver = context->device->device->driver;
  if (graph->exec)
    driver->cuGraphExecDestroy(graph->exec);
  if (graph->graph)
    driver->cuGraphDestroy(graph->graph);
  tenonRelease(&context->options.allocator, graph);
  shape->graph = NULL;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

/// More nodes than that no GPU runs in any time that one waits.
#define MAX_NODES ((uint32_t)1 << 20)
#define MAX_BLOCKS INT32_MAX

static bool fitsGpu(const tenon_context *context, uint32_t index) {
  const struct tenonLaunch *launch = &context->shape->launches[index];
  uint32_t cluster = tenonDeviceRecord(context, index)->cluster;
  return launch->tiles <= MAX_BLOCKS && launch->steps <= MAX_NODES &&
         (cluster <= 1 || launch->tiles % cluster == 0);
}

static tenon_status *countParts(const tenon_context *context,
                                struct counts *counts) {
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenonLaunch *launch = &context->shape->launches[i];
    if (!fitsGpu(context, i))
      return TENON_BAD("launch %u has %lld tiles and %lld steps, which no GPU "
                       "runs",
                       context->firstLaunch + i, (long long)launch->tiles,
                       (long long)launch->steps);
    counts->maps += tenonDeviceRecord(context, i)->map_count;
    counts->nodes += launch->tiles ? (uint32_t)launch->steps : 0;
    if (counts->nodes > MAX_NODES)
      return TENON_BAD("the launches have more steps than a GPU can run");
  }
  return NULL;
}

static tenon_status *placeLaunches(const tenon_context *context) {
  const tenon_model *model = context->model;
  struct tenonDeviceGraph *graph = context->shape->graph;
  struct counts next = {0, 0};
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    const struct tenonLaunch *launch = &context->shape->launches[i];
    uint32_t nodes = launch->tiles ? (uint32_t)launch->steps : 0;
    graph->launches[i] = (struct tenonDeviceLaunch){
        .function = context->device->device
                        ->functions[tenonLaunchRecord(context, i)->kernel],
        .tiles = (unsigned)launch->tiles,
        .firstMap = next.maps,
        .firstNode = next.nodes,
        .nodeCount = nodes};
    next.maps += tenonDeviceRecord(context, i)->map_count;
    next.nodes += nodes;
    if (!tenonMapsFit(model, context->firstLaunch + i, context->shape))
      return TENON_BAD("launch %u has a bad tensor map for inputs of these "
                       "shapes",
                       context->firstLaunch + i);
    tenonPlacePointers(context, i, /*isPatch=*/false);
    TENON_TRY(tenonEncodeMaps(context, i));
  }
  return NULL;
}

static tenon_status *instantiate(tenon_context *context) {
  struct tenonDeviceContext *on = context->device;
  struct tenonDeviceGraph *graph = context->shape->graph;
  TENON_ON(on->device, cuGraphCreate, &graph->graph, 0);
  TENON_TRY(tenonAddNodes(context, graph));
  TENON_ON(on->device, cuGraphInstantiateWithFlags, &graph->exec, graph->graph,
           0);
  TENON_ON(on->device, cuGraphUpload, graph->exec, on->stream);
  return NULL;
}

tenon_status *tenonBuildGraph(tenon_context *context, const bool *isHost) {
  struct tenonShape *shape = context->shape;
  struct tenonDeviceContext *on = context->device;
  uint32_t tensors = tenonTensorCount(context);
  struct counts counts = {0, 0};
  tenonFreeGraph(context, shape);
  TENON_TRY(countParts(context, &counts));
  struct parts parts = {NULL, 0};
  lay(context, counts, &parts);
  void *block;
  TENON_TRY(tenonContextAllocate(context, parts.end, &block));
  parts = (struct parts){block, 0};
  shape->graph = lay(context, counts, &parts);
  memcpy(shape->graph->isHost, isHost, tensors * sizeof *isHost);
  memcpy(shape->graph->addresses, on->addresses,
         tensors * sizeof *on->addresses);
  TENON_TRY(placeLaunches(context));
  if (!on->isStepwise)
    TENON_TRY(instantiate(context));
  // Only what was finished is ever found again.
  shape->graph->version = context->arenaVersion;
  return NULL;
}

//===----------------------------------------------------------------------===//
// Patching
//===----------------------------------------------------------------------===//

static bool isMoved(const tenon_context *context,
                    const struct tenon_ref_record *ref) {
  uint32_t tensor = ref->index;
  if (ref->space == TENON_SPACE_OUTPUT)
    tensor += context->entry->input_count;
  else if (ref->space != TENON_SPACE_INPUT)
    return false;
  return context->shape->graph->addresses[tensor] !=
         context->device->addresses[tensor];
}

static bool takesMoved(const tenon_context *context, uint32_t index) {
  const struct tenon_launch_record *launch = tenonLaunchRecord(context, index);
  for (uint32_t k = 0; k < launch->ref_count; ++k)
    if (isMoved(context, &context->model->refs[launch->first_ref + k]))
      return true;
  return false;
}

static tenon_status *patchNodes(const tenon_context *context, uint32_t index) {
  const struct tenonDeviceGraph *graph = context->shape->graph;
  const struct tenonDeviceLaunch *launch = &graph->launches[index];
  for (uint32_t i = 0; graph->exec && i < launch->nodeCount; ++i) {
    int64_t first = (int64_t)i * launch->tiles;
    tenonListArguments(context, index, &first);
    CUDA_KERNEL_NODE_PARAMS params = tenonKernelParams(context, index);
    CUresult result =
        context->device->device->driver->cuGraphExecKernelNodeSetParams(
            graph->exec, graph->nodes[launch->firstNode + i], &params);
    if (result)
      return tenonLaunchError(context, index, result,
                              "cuGraphExecKernelNodeSetParams");
  }
  return NULL;
}

tenon_status *tenonPatchGraph(tenon_context *context) {
  struct tenonDeviceGraph *graph = context->shape->graph;
  size_t bytes = tenonTensorCount(context) * sizeof *graph->addresses;
  if (memcmp(graph->addresses, context->device->addresses, bytes) == 0)
    return NULL;
  // A graph that is half patched is made again.
  graph->version = 0;
  for (uint32_t i = 0; i < context->launchCount; ++i) {
    if (!takesMoved(context, i))
      continue;
    tenonPlacePointers(context, i, /*isPatch=*/true);
    TENON_TRY(tenonEncodeMaps(context, i));
    TENON_TRY(patchNodes(context, i));
  }
  memcpy(graph->addresses, context->device->addresses, bytes);
  graph->version = context->arenaVersion;
  return NULL;
}
