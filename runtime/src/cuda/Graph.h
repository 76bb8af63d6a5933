//===- Graph.h - the launches of a shape on a GPU -----------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is how a shape's launches run: as one CUDA graph, which is made
// once and launched by each run, or one by one.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUNTIME_CUDA_GRAPH_H
#define TENON_RUNTIME_CUDA_GRAPH_H

#include "src/cuda/Device.h"

/// A launch with what the driver wants to know.
struct tenonDeviceLaunch {
  CUfunction function;
  unsigned tiles; ///< blocks along x
  uint32_t firstMap;
  /// Its nodes, one for each step; none where there is nothing to do.
  uint32_t firstNode;
  uint32_t nodeCount;
};

/// Of a shape; its memory depends on the shape, so another has its own.
struct tenonDeviceGraph {
  CUgraph graph; ///< NULL where launches run one by one
  CUgraphExec exec;
  /// Of the arena that it was made for.
  uint64_t version;
  struct tenonDeviceLaunch *launches;
  CUtensorMap *maps;
  CUgraphNode *nodes;
  /// Of each input and output: whether the graph copies it.
  bool *isHost;
  /// Of each input and output: where the kernels of the graph find it.
  CUdeviceptr *addresses;
};

static inline const struct tenon_device_launch_record *
tenonDeviceRecord(const tenon_context *context, uint32_t index) {
  return &context->model->deviceLaunches[context->firstLaunch + index];
}

/// Whether its kernel gets the first tile of a step.
static inline bool tenonHasSteps(const struct tenon_launch_record *launch) {
  return launch->steps != 1;
}

/// Makes the graph of `context->shape`, for tensors at the addresses of the
/// context. `isHost`: which the graph copies from and to the staging memory.
tenon_status *tenonBuildGraph(tenon_context *context, const bool *isHost);

/// Makes it work on tensors that are at the context's addresses now.
tenon_status *tenonPatchGraph(tenon_context *context);

void tenonFreeGraph(const tenon_context *context, struct tenonShape *shape);

/// Lists the arguments of a launch for the driver; `first` is the tile of the
/// step.
void tenonListArguments(const tenon_context *context, uint32_t index,
                        const int64_t *first);

/// Writes the shape's addresses: all, or where `isPatch` those of tensors.
void tenonPlacePointers(const tenon_context *context, uint32_t index,
                        bool isPatch);

/// Encodes the maps of a launch.
tenon_status *tenonEncodeMaps(const tenon_context *context, uint32_t index);

/// What the nodes of a launch are.
CUDA_KERNEL_NODE_PARAMS tenonKernelParams(const tenon_context *context,
                                          uint32_t index);

/// The attributes of a launch beyond those; their number.
unsigned tenonListAttributes(const struct tenon_device_launch_record *launch,
                             CUlaunchAttribute *attributes);
#define TENON_MAX_ATTRIBUTES 3

/// Adds kernels and copies to `graph->graph`.
tenon_status *tenonAddNodes(tenon_context *context,
                            struct tenonDeviceGraph *graph);

/// Adds the kernel of one step of a launch to a graph, after another node of
/// that launch if there is one.
tenon_status *tenonAddStep(const tenon_context *context, CUgraph graph,
                           uint32_t index, uint32_t step, CUgraphNode before,
                           CUgraphNode *node);

/// Copies tensors of the host to the GPU, and clears the fault words.
tenon_status *tenonCopyIn(const tenon_context *context);

/// Runs the launches one by one in the context's stream.
tenon_status *tenonRunStepwise(tenon_context *context);

/// Times the launches. What they leave on the GPU is of no use.
tenon_status *tenonTimeLaunches(tenon_context *context);

#endif // TENON_RUNTIME_CUDA_GRAPH_H
