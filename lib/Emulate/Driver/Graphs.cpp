//===- Graphs.cpp - graphs of the emulated driver -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file defines the driver's functions on graphs. Nodes run one after the
// other, those that are ready in the order in which they were added, or
// (TENON_EMULATE_REVERSE) the last one first: an edge that is missing shows.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Driver/Machine.h"

#include <algorithm>

using namespace tenon::emulate;
using namespace tenon::emulate::driver;

CUresult cuGraphCreate(CUgraph *graph, unsigned flags) {
  TENON_ENTER();
  TENON_EXPECT(!flags, CUDA_ERROR_INVALID_VALUE);
  *graph = machine().make<CUgraph_st>();
  return CUDA_SUCCESS;
}

CUresult cuGraphDestroy(CUgraph graph) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(graph), CUDA_ERROR_INVALID_HANDLE);
  machine().drop(graph);
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static bool isNodeOf(CUgraph graph, CUgraphNode node) {
  return std::any_of(graph->nodes.begin(), graph->nodes.end(),
                     [&](const auto &own) { return own.get() == node; });
}

static CUresult addEdge(CUgraph graph, CUgraphNode from, CUgraphNode to,
                        bool isEarly) {
  TENON_EXPECT(isNodeOf(graph, from) && isNodeOf(graph, to) && from != to,
               CUDA_ERROR_INVALID_VALUE);
  bool isKnown =
      std::any_of(to->edges.begin(), to->edges.end(),
                  [&](const Edge &edge) { return edge.from == from->number; });
  TENON_EXPECT(!isKnown, CUDA_ERROR_INVALID_VALUE);
  TENON_EXPECT(!isEarly || (from->kind == NodeKind::Kernel &&
                            to->kind == NodeKind::Kernel),
               CUDA_ERROR_INVALID_VALUE);
  to->edges.push_back({from->number, isEarly});
  return CUDA_SUCCESS;
}

static CUresult addNode(CUgraphNode *result, CUgraph graph, CUgraphNode_st made,
                        const CUgraphNode *dependencies, size_t count) {
  TENON_EXPECT(machine().isHandle(graph), CUDA_ERROR_INVALID_HANDLE);
  made.graph = graph;
  made.number = graph->nodes.size();
  graph->nodes.push_back(std::make_unique<CUgraphNode_st>(std::move(made)));
  *result = graph->nodes.back().get();
  for (size_t i = 0; i < count; ++i)
    if (CUresult failed = addEdge(graph, dependencies[i], *result, false))
      return failed;
  return CUDA_SUCCESS;
}

static CUresult makeNode(const CUDA_KERNEL_NODE_PARAMS &params,
                         CUgraphNode_st &node) {
  TENON_EXPECT(!params.extra, CUDA_ERROR_INVALID_VALUE);
  Launch launch = node.call.launch;
  launch.grid = {params.gridDimX, params.gridDimY, params.gridDimZ};
  launch.block = {params.blockDimX, params.blockDimY, params.blockDimZ};
  launch.dynamicShared = params.sharedMemBytes;
  node.kind = NodeKind::Kernel;
  return makeCall(params.func, launch, params.kernelParams, node.call);
}

CUresult cuGraphAddEmptyNode(CUgraphNode *node, CUgraph graph,
                             const CUgraphNode *dependencies, size_t count) {
  TENON_ENTER();
  return addNode(node, graph, {}, dependencies, count);
}

CUresult cuGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_KERNEL_NODE_PARAMS *params) {
  TENON_ENTER();
  CUgraphNode_st made;
  CUresult result = makeNode(*params, made);
  TENON_EXPECT(!result, result);
  return addNode(node, graph, std::move(made), dependencies, count);
}

CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, int attribute,
                                       const CUlaunchAttributeValue *value) {
  TENON_ENTER();
  TENON_EXPECT(node && node->kind == NodeKind::Kernel,
               CUDA_ERROR_INVALID_VALUE);
  Launch &launch = node->call.launch;
  if (attribute == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
    launch.cooperative = value->cooperative;
  else if (attribute == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
    launch.cluster = {value->clusterDim.x, value->clusterDim.y,
                      value->clusterDim.z};
  else
    return CUDA_ERROR_INVALID_VALUE;
  return CUDA_SUCCESS;
}

CUresult cuGraphAddMemcpyNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMCPY3D *params, CUcontext context) {
  TENON_ENTER();
  TENON_EXPECT(context && params->WidthInBytes && params->Height == 1 &&
                   params->Depth == 1,
               CUDA_ERROR_INVALID_VALUE);
  CUgraphNode_st made;
  made.kind = NodeKind::Copy;
  made.copy = *params;
  return addNode(node, graph, std::move(made), dependencies, count);
}

CUresult cuGraphAddMemsetNode(CUgraphNode *node, CUgraph graph,
                              const CUgraphNode *dependencies, size_t count,
                              const CUDA_MEMSET_NODE_PARAMS *params,
                              CUcontext context) {
  TENON_ENTER();
  TENON_EXPECT(context && params->width && params->height == 1,
               CUDA_ERROR_INVALID_VALUE);
  CUgraphNode_st made;
  made.kind = NodeKind::Fill;
  made.fill = *params;
  return addNode(node, graph, std::move(made), dependencies, count);
}

CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode *from,
                                const CUgraphNode *to, size_t count) {
  return cuGraphAddDependencies_v2(graph, from, to, nullptr, count);
}

CUresult cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                   const CUgraphNode *to,
                                   const CUgraphEdgeData *data, size_t count) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(graph), CUDA_ERROR_INVALID_HANDLE);
  for (size_t i = 0; i < count; ++i) {
    bool isEarly =
        data && data[i].type == CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC;
    TENON_EXPECT(!isEarly || data[i].from_port ==
                                 CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
                 CUDA_ERROR_INVALID_VALUE);
    CUresult result = addEdge(graph, from[i], to[i], isEarly);
    TENON_EXPECT(!result, result);
  }
  return CUDA_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Instances
//===----------------------------------------------------------------------===//

/// An order in which all nodes come behind what they depend on; shorter than
/// the nodes where there is a cycle.
static std::vector<size_t> orderOf(const std::vector<CUgraphNode_st> &nodes) {
  std::vector<size_t> open(nodes.size()), ready, order;
  std::vector<std::vector<size_t>> next(nodes.size());
  for (const CUgraphNode_st &node : nodes) {
    open[node.number] = node.edges.size();
    for (const Edge &edge : node.edges)
      next[edge.from].push_back(node.number);
    if (node.edges.empty())
      ready.push_back(node.number);
  }
  bool isReversed = machine().settings.isReversed;
  while (!ready.empty()) {
    auto chosen = isReversed ? std::max_element(ready.begin(), ready.end())
                             : std::min_element(ready.begin(), ready.end());
    size_t number = *chosen;
    ready.erase(chosen);
    order.push_back(number);
    for (size_t after : next[number])
      if (!--open[after])
        ready.push_back(after);
  }
  return order;
}

/// A kernel that may begin while those before it end must wait for them.
static CUresult checkEarly(const CUgraphNode_st &node) {
  bool isEarly = std::any_of(node.edges.begin(), node.edges.end(),
                             [](const Edge &edge) { return edge.isEarly; });
  if (!isEarly || node.call.function->kernel->waitsForGrid)
    return CUDA_SUCCESS;
  return machine().fault(CUDA_ERROR_LAUNCH_FAILED,
                         "kernel '" + node.call.function->kernel->name +
                             "' has a programmatic edge and does not wait");
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec *exec, CUgraph graph,
                                     unsigned long long flags) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(graph), CUDA_ERROR_INVALID_HANDLE);
  TENON_EXPECT(!flags, CUDA_ERROR_INVALID_VALUE);
  CUgraphExec_st made;
  made.graph = graph;
  for (const auto &node : graph->nodes) {
    made.nodes.push_back(*node);
    CUresult result = checkEarly(*node);
    TENON_EXPECT(!result, result);
  }
  made.order = orderOf(made.nodes);
  TENON_EXPECT(made.order.size() == made.nodes.size(),
               CUDA_ERROR_INVALID_VALUE);
  *exec = machine().make<CUgraphExec_st>(std::move(made));
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec exec) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(exec), CUDA_ERROR_INVALID_HANDLE);
  machine().drop(exec);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                        const CUDA_KERNEL_NODE_PARAMS *params) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(exec) && machine().isHandle(exec->graph),
               CUDA_ERROR_INVALID_HANDLE);
  TENON_EXPECT(isNodeOf(exec->graph, node) && node->kind == NodeKind::Kernel &&
                   params->func == node->call.function,
               CUDA_ERROR_INVALID_VALUE);
  return makeNode(*params, exec->nodes[node->number]);
}

CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(exec) &&
                   (!stream || machine().isHandle(stream)),
               CUDA_ERROR_INVALID_HANDLE);
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  TENON_ENTER();
  TENON_EXPECT(machine().isHandle(exec) &&
                   (!stream || machine().isHandle(stream)),
               CUDA_ERROR_INVALID_HANDLE);
  // With the arguments of now, whatever is set before it runs.
  for (size_t number : exec->order)
    machine().queue.push_back(
        [node = exec->nodes[number]] { return machine().run(node); });
  return CUDA_SUCCESS;
}
