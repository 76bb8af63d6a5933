//===- Nodes.c - kernels, copies and their order in a graph ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file adds to a graph: copies of inputs from the staging memory, the
// launches with the edges that streams and waits ask for, copies of outputs.
//===----------------------------------------------------------------------===//
#include "src/cuda/Graph.h"

#include <stdlib.h>

struct builder {
  tenon_context *context;
  struct tenonDeviceGraph *graph;
  /// What must be before the first launches.
  CUgraphNode *copies;
  uint32_t copyCount;
  /// Of each launch its last node, and whether that is a kernel.
  CUgraphNode *ends;
  bool *areKernels;
  /// Of each stream one more than its latest launch; 0: none.
  uint32_t *latest;
};

static struct tenonDevice *deviceOf(const struct builder *builder) {
  return builder->context->device->device;
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

/// `isEarly`: `to` may begin while `from` ends.
static tenon_status *addEdge(struct tenonDevice *device, CUgraph graph,
                             CUgraphNode from, CUgraphNode to, bool isEarly) {
  if (!isEarly || !device->driver->cuGraphAddDependencies_v2) {
    TENON_ON(device, cuGraphAddDependencies, graph, &from, &to, 1);
    return NULL;
  }
  const CUgraphEdgeData data = {.from_port =
                                    CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                                .type = CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC};
  TENON_ON(device, cuGraphAddDependencies_v2, graph, &from, &to, &data, 1);
  return NULL;
}

static bool isAmong(const uint32_t *numbers, uint32_t count, uint32_t number) {
  for (uint32_t i = 0; i < count; ++i)
    if (numbers[i] == number)
      return true;
  return false;
}

/// Makes launch `index`, which begins with `node`, run after those that it
/// comes after; the first ones after the copies.
static tenon_status *addEdges(struct builder *builder, uint32_t index,
                              CUgraphNode node, bool isKernel) {
  const tenon_context *context = builder->context;
  struct tenonDevice *device = deviceOf(builder);
  CUgraph graph = builder->graph->graph;
  const struct tenon_launch_record *launch = tenonLaunchRecord(context, index);
  // One that waits for the end of another stream's launch has nothing to do
  // early.
  bool isEarly =
      isKernel && !launch->wait_count &&
      tenonDeviceRecord(context, index)->flags & TENON_DEVICE_PROGRAMMATIC;
  uint32_t before = builder->latest[launch->stream];
  if (before)
    TENON_TRY(addEdge(device, graph, builder->ends[before - 1], node,
                      isEarly && builder->areKernels[before - 1]));
  const uint32_t *waits = context->model->waits + launch->first_wait;
  for (uint32_t i = 0; i < launch->wait_count; ++i) {
    uint32_t other = waits[i] - context->firstLaunch;
    if (other + 1 != before && !isAmong(waits, i, waits[i]))
      TENON_TRY(addEdge(device, graph, builder->ends[other], node, false));
  }
  for (uint32_t i = 0; !before && i < builder->copyCount; ++i)
    TENON_TRY(addEdge(device, graph, builder->copies[i], node, false));
  return NULL;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static tenon_status *setAttributes(const tenon_context *context, uint32_t index,
                                   CUgraphNode node) {
  const struct tenonDriver *driver = context->device->device->driver;
  CUlaunchAttribute attributes[TENON_MAX_ATTRIBUTES];
  unsigned count =
      tenonListAttributes(tenonDeviceRecord(context, index), attributes);
  for (unsigned i = 0; i < count; ++i) {
    CUresult result = driver->cuGraphKernelNodeSetAttribute(
        node, attributes[i].id, &attributes[i].value);
    if (result)
      return tenonLaunchError(context, index, result,
                              "cuGraphKernelNodeSetAttribute");
  }
  return NULL;
}

tenon_status *tenonAddStep(const tenon_context *context, CUgraph graph,
                           uint32_t index, uint32_t step, CUgraphNode before,
                           CUgraphNode *node) {
  struct tenonDevice *device = context->device->device;
  int64_t first = (int64_t)step * context->shape->graph->launches[index].tiles;
  tenonListArguments(context, index, &first);
  CUDA_KERNEL_NODE_PARAMS params = tenonKernelParams(context, index);
  CUresult result =
      device->driver->cuGraphAddKernelNode(node, graph, NULL, 0, &params);
  if (result)
    return tenonLaunchError(context, index, result, "cuGraphAddKernelNode");
  TENON_TRY(setAttributes(context, index, *node));
  bool isEarly =
      tenonDeviceRecord(context, index)->flags & TENON_DEVICE_PROGRAMMATIC;
  return before ? addEdge(device, graph, before, *node, isEarly) : NULL;
}

/// One kernel for each step; nothing that holds its place where there is none.
static tenon_status *addLaunch(struct builder *builder, uint32_t index) {
  CUgraph graph = builder->graph->graph;
  const struct tenonDeviceLaunch *launch = &builder->graph->launches[index];
  CUgraphNode *nodes = builder->graph->nodes + launch->firstNode;
  for (uint32_t i = 0; i < launch->nodeCount; ++i)
    TENON_TRY(tenonAddStep(builder->context, graph, index, i,
                           i ? nodes[i - 1] : NULL, &nodes[i]));
  bool isKernel = launch->nodeCount != 0;
  CUgraphNode empty = NULL;
  if (!isKernel)
    TENON_ON(deviceOf(builder), cuGraphAddEmptyNode, &empty, graph, NULL, 0);
  TENON_TRY(addEdges(builder, index, isKernel ? nodes[0] : empty, isKernel));
  builder->ends[index] = isKernel ? nodes[launch->nodeCount - 1] : empty;
  builder->areKernels[index] = isKernel;
  builder->latest[tenonLaunchRecord(builder->context, index)->stream] =
      index + 1;
  return NULL;
}

/// Copies `bytes` at `offset` of the staging memory to the GPU, or back.
static tenon_status *addCopy(struct builder *builder, int64_t offset,
                             int64_t bytes, bool isToHost, CUgraphNode *node) {
  const struct tenonDeviceContext *on = builder->context->device;
  int host = CU_MEMORYTYPE_HOST, gpu = CU_MEMORYTYPE_DEVICE;
  CUDA_MEMCPY3D copy = {.srcMemoryType = isToHost ? gpu : host,
                        .dstMemoryType = isToHost ? host : gpu,
                        .srcHost = isToHost ? NULL : on->staging + offset,
                        .dstHost = isToHost ? on->staging + offset : NULL,
                        .WidthInBytes = (size_t)bytes,
                        .Height = 1,
                        .Depth = 1};
  *(isToHost ? &copy.srcDevice : &copy.dstDevice) =
      on->tensors + (uint64_t)offset;
  TENON_ON(deviceOf(builder), cuGraphAddMemcpyNode, node, builder->graph->graph,
           NULL, 0, &copy, on->device->context);
  return NULL;
}

static tenon_status *addCopiesIn(struct builder *builder) {
  const tenon_context *context = builder->context;
  const struct tenonDeviceContext *on = context->device;
  for (uint32_t i = 0; i < context->entry->input_count; ++i)
    if (builder->graph->isHost[i] && context->shape->tensorBytes[i])
      TENON_TRY(addCopy(builder, on->offsets[i], context->shape->tensorBytes[i],
                        /*isToHost=*/false,
                        &builder->copies[builder->copyCount++]));
  if (!on->faultCount)
    return NULL;
  CUDA_MEMSET_NODE_PARAMS clear = {.dst =
                                       on->tensors + (uint64_t)on->faultOffset,
                                   .elementSize = 4,
                                   .width = 2 * (size_t)on->faultCount,
                                   .height = 1};
  TENON_ON(deviceOf(builder), cuGraphAddMemsetNode,
           &builder->copies[builder->copyCount++], builder->graph->graph, NULL,
           0, &clear, on->device->context);
  return NULL;
}

/// After the last launches of all streams.
static tenon_status *addCopyOut(struct builder *builder, int64_t offset,
                                int64_t bytes) {
  CUgraphNode node;
  TENON_TRY(addCopy(builder, offset, bytes, /*isToHost=*/true, &node));
  for (uint32_t i = 0; i < builder->context->launchCount; ++i)
    if (builder->latest[i])
      TENON_TRY(addEdge(deviceOf(builder), builder->graph->graph,
                        builder->ends[builder->latest[i] - 1], node, false));
  return NULL;
}

static tenon_status *addCopiesOut(struct builder *builder) {
  const tenon_context *context = builder->context;
  const struct tenonDeviceContext *on = context->device;
  for (uint32_t i = context->entry->input_count; i < tenonTensorCount(context);
       ++i)
    if (builder->graph->isHost[i] && context->shape->tensorBytes[i])
      TENON_TRY(
          addCopyOut(builder, on->offsets[i], context->shape->tensorBytes[i]));
  if (on->faultCount)
    TENON_TRY(addCopyOut(builder, on->faultOffset,
                         on->faultCount * (int64_t)sizeof(int64_t)));
  return NULL;
}

static tenon_status *addAll(struct builder *builder) {
  TENON_TRY(addCopiesIn(builder));
  for (uint32_t i = 0; i < builder->context->launchCount; ++i)
    TENON_TRY(addLaunch(builder, i));
  return addCopiesOut(builder);
}

tenon_status *tenonAddNodes(tenon_context *context,
                            struct tenonDeviceGraph *graph) {
  uint32_t launches = context->launchCount + 1;
  struct builder builder = {
      .context = context,
      .graph = graph,
      .copies = calloc(context->entry->input_count + 1, sizeof(CUgraphNode)),
      .ends = calloc(launches, sizeof(CUgraphNode)),
      .areKernels = calloc(launches, sizeof(bool)),
      .latest = calloc(launches, sizeof(uint32_t))};
  bool isThere =
      builder.copies && builder.ends && builder.areKernels && builder.latest;
  tenon_status *status =
      isThere ? addAll(&builder) : tenonNoMemory(launches * sizeof(void *));
  free(builder.copies);
  free(builder.ends);
  free(builder.areKernels);
  free(builder.latest);
  return status;
}
