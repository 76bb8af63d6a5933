//===- Provider.cpp - compiles parts of a session's graph -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Provider.h"

#include "tools/onnxruntime/ContextNode.h"

#include <algorithm>
#include <set>
#include <utility>

using namespace tenon::ort;

Provider::Provider(const Api &api, const OrtLogger *logger, Options given)
    : OrtEp{}, api(api), logger(logger), options(std::move(given)) {
  version = apiVersion;
  getName = [](const OrtEp *) { return providerName; };
  getCapability = [](OrtEp *self, const OrtGraph *graph,
                     OrtEpGraphSupportInfo *info) {
    return static_cast<Provider *>(self)->claim(graph, info);
  };
  compile = [](OrtEp *self, const OrtGraph **, const OrtNode **nodes,
               size_t count, OrtNodeComputeInfo **infos, OrtNode **contexts) {
    OrtStatus *status = nullptr;
    std::fill_n(infos, count, nullptr);
    for (size_t each = 0; !status && each < count; ++each)
      status = static_cast<Provider *>(self)->addKernel(
          nodes[each], infos[each], contexts + each);
    // The session takes them only where all is well.
    for (size_t each = 0; status && each < count; ++each)
      delete static_cast<Kernel *>(std::exchange(infos[each], nullptr));
    return status;
  };
  releaseNodeComputeInfos = [](OrtEp *, OrtNodeComputeInfo **infos,
                               size_t count) {
    for (size_t each = 0; each < count; ++each)
      delete static_cast<Kernel *>(infos[each]);
  };
}

OrtStatus *Provider::tryOptions() {
  static const char text[] = R"(<ir_version: 8, opset_import: ["" : 17]>
net (float[1] x) => (float[1] y) { y = Relu(x) })";
  tenon_source source = TENON_INIT(tenon_source);
  source.data = text;
  source.size = sizeof text - 1;
  source.name = "options.onnxtxt";
  tenon_compile_options given = options.compileOptions();
  tenon_sink sink = TENON_INIT(tenon_sink);
  tenon_status *status = tenon_compile(&source, &sink, &given, nullptr);
  tenon_sink_release(&sink);
  return api.fail(status);
}

/// Types that both have, with the same bytes in memory: all but strings,
/// complex numbers and elements of less than a byte.
static bool isPlain(const Value &value) {
  return value.type >= 1 && value.type <= 20 && value.type != 8 &&
         value.type != 14 && value.type != 15;
}

/// Whether a node may draw random numbers, which would end a compiled run. The
/// session drops those of which it knows that they do not.
static bool mayTrain(const Node &node) {
  return node.op == "Dropout" && node.inputs.size() > 2;
}

static bool isUnknown(const Attribute &attribute) {
  return attribute.type == attributeUnknown;
}

/// Whether a node's values are tensors of numbers, of which it is known how
/// many dimensions they have.
static bool isPlain(const Graph &graph, const Node &node) {
  if (node.hasSubgraphs || node.isTaken || isContextNode(node) ||
      mayTrain(node) ||
      std::any_of(node.attributes.begin(), node.attributes.end(), isUnknown))
    return false;
  for (int value : node.inputs)
    if (value >= 0 &&
        (!isPlain(graph.values[value]) ||
         (!graph.values[value].isConstant && !graph.values[value].hasRank)))
      return false;
  return std::all_of(node.outputs.begin(), node.outputs.end(), [&](int value) {
    return value < 0 || isPlain(graph.values[value]);
  });
}

static int nodeCalled(const Graph &graph, const std::string &name) {
  for (size_t node = 0; node < graph.nodes.size(); ++node)
    if (uniqueName(graph, int(node)) == name)
      return int(node);
  return -1;
}

/// Asks the compiler about all nodes at once.
void Provider::check(const Graph &graph, std::vector<bool> &isSupported) {
  NodeSet set;
  for (size_t node = 0; node < isSupported.size(); ++node)
    if (isSupported[node])
      set.push_back(int(node));
  if (set.empty())
    return;
  struct Refused {
    Provider &self;
    const Graph &graph;
    std::vector<bool> &isSupported;
  } refused{*this, graph, isSupported};
  auto note = [](void *user, const tenon_node_support *support) {
    auto *refused = static_cast<Refused *>(user);
    if (!support->reason)
      return;
    refused->self.api.log(refused->self.logger, levelInfo,
                          std::string(support->op) + " '" + support->name +
                              "' stays: " + support->reason);
    int node = nodeCalled(refused->graph, support->name);
    if (node >= 0)
      refused->isSupported[node] = false;
  };
  OnnxModel model = modelOf(graph, set);
  tenon_source source = model.source();
  tenon_compile_options given = options.compileOptions();
  tenon_status *status = tenon_check(&source, &given, note, &refused);
  if (!status)
    return;
  api.log(logger, levelWarning,
          std::string("nothing is compiled: ") + tenon_status_message(status));
  tenon_status_destroy(status);
  isSupported.assign(isSupported.size(), false);
}

std::vector<bool> Provider::supportedNodes(const Graph &graph) {
  std::vector<bool> isSupported(graph.nodes.size());
  for (size_t node = 0; node < isSupported.size(); ++node)
    isSupported[node] = isPlain(graph, graph.nodes[node]);
  check(graph, isSupported);
  return isSupported;
}

void Provider::keep(const Graph &graph, const NodeSet &set,
                    std::shared_ptr<Artifact> artifact) {
  for (int output : borderOf(graph, set).outputs)
    artifacts[graph.values[output].name] = artifact;
}

/// Returns false, and notes which node is not supported, or none of them, where
/// the set cannot be compiled.
bool Provider::compileSet(const Graph &graph, const NodeSet &set,
                          std::vector<bool> &isSupported) {
  OnnxModel model = modelOf(graph, set);
  tenon_source source = model.source();
  tenon_compile_options given = options.compileOptions();
  auto artifact = std::make_shared<Artifact>();
  tenon_status *status =
      tenon_compile(&source, &artifact->sink, &given, nullptr);
  if (!status)
    status = artifact->load();
  if (!status) {
    keep(graph, set, artifact);
    return true;
  }
  api.log(logger, levelWarning,
          std::to_string(set.size()) +
              " nodes are not compiled: " + tenon_status_message(status));
  int guilty = nodeCalled(graph, tenon_status_node(status));
  tenon_status_destroy(status);
  if (guilty >= 0)
    isSupported[guilty] = false;
  else
    for (int node : set)
      isSupported[node] = false;
  return false;
}

/// Compiles sets, smaller ones where that fails, until all are.
std::vector<NodeSet> Provider::compileSets(const Graph &graph) {
  std::vector<bool> isSupported = supportedNodes(graph);
  std::vector<NodeSet> sets;
  std::set<NodeSet> compiled;
  bool areCompiled = false;
  while (!areCompiled) {
    sets = convexSets(graph, isSupported);
    std::erase_if(sets, [&](const NodeSet &set) {
      return !isWorthwhile(graph, set) || borderOf(graph, set).outputs.empty();
    });
    areCompiled = std::all_of(sets.begin(), sets.end(), [&](const auto &set) {
      return compiled.count(set) || (compileSet(graph, set, isSupported) &&
                                     compiled.insert(set).second);
    });
  }
  return sets;
}

/// Nodes that hold artifacts are sets of one.
OrtStatus *Provider::loadContexts(const Graph &graph,
                                  std::vector<NodeSet> &sets) {
  for (size_t node = 0; node < graph.nodes.size(); ++node) {
    if (!isContextNode(graph.nodes[node]))
      continue;
    auto artifact = std::make_shared<Artifact>();
    if (OrtStatus *status = loadContextNode(api, graph.nodes[node], *artifact))
      return status;
    sets.push_back({int(node)});
    keep(graph, sets.back(), artifact);
  }
  return nullptr;
}

OrtStatus *Provider::claim(const OrtGraph *from, OrtEpGraphSupportInfo *info) {
  const OrtNode *parent = nullptr;
  if (OrtStatus *status = api.Graph_GetParentNode(from, &parent))
    return status;
  // Branches and bodies of loops stay with their nodes, which are the
  // session's.
  if (parent)
    return nullptr;
  Graph graph(api);
  if (OrtStatus *status = graph.read(from))
    return status;
  std::vector<NodeSet> sets = compileSets(graph);
  if (OrtStatus *status = loadContexts(graph, sets))
    return status;
  Calls calls(api);
  NodeFusionOptions fusion{apiVersion, true};
  for (const NodeSet &set : sets) {
    std::vector<const OrtNode *> nodes;
    for (int node : set)
      nodes.push_back(graph.nodes[node].node);
    calls.ok(api.EpGraphSupportInfo_AddNodesToFuse(info, nodes.data(),
                                                   nodes.size(), &fusion));
  }
  return calls.take();
}

OrtStatus *Provider::addKernel(const OrtNode *node, OrtNodeComputeInfo *&info,
                               OrtNode **context) {
  Calls calls(api);
  auto outputs =
      valuesOf(calls, node, api.Node_GetNumOutputs, api.Node_GetOutputs);
  const char *name = "";
  if (calls.ok() && !outputs.empty())
    calls.ok(api.GetValueInfoName(outputs[0], &name));
  if (!calls.ok())
    return calls.take();
  auto found = artifacts.find(name);
  if (found == artifacts.end())
    return api.fail("the session asks for nodes that were not claimed, of '" +
                    std::string(name) + "'");
  auto kernel =
      std::make_unique<Kernel>(api, found->second, options.threads, pool);
  if (OrtStatus *status = kernel->bind(node))
    return status;
  info = kernel.release();
  return options.writesContext
             ? createContextNode(api, node, *found->second, *context)
             : nullptr;
}
