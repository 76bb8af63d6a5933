//===- Provider.h - compiles parts of a session's graph -----------*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef TENON_TOOLS_ONNXRUNTIME_PROVIDER_H
#define TENON_TOOLS_ONNXRUNTIME_PROVIDER_H

#include "tools/onnxruntime/Kernel.h"
#include "tools/onnxruntime/OnnxBytes.h"
#include "tools/onnxruntime/Options.h"

namespace tenon::ort {

/// The provider of one session. Sets are compiled when the session asks what
/// can be: so what cannot stays with the session, whatever the reason.
class Provider : public OrtEp {
public:
  Provider(const Api &api, const OrtLogger *logger, Options options);

  /// Compiles next to nothing, so that options that are wrong are an error.
  OrtStatus *tryOptions();

private:
  OrtStatus *claim(const OrtGraph *from, OrtEpGraphSupportInfo *info);
  std::vector<bool> supportedNodes(const Graph &graph);
  void check(const Graph &graph, std::vector<bool> &isSupported);
  std::vector<NodeSet> compileSets(const Graph &graph);
  bool compileSet(const Graph &graph, const NodeSet &set,
                  std::vector<bool> &isSupported);
  void keep(const Graph &graph, const NodeSet &set,
            std::shared_ptr<Artifact> artifact);
  OrtStatus *loadContexts(const Graph &graph, std::vector<NodeSet> &sets);
  OrtStatus *addKernel(const OrtNode *node, OrtNodeComputeInfo *&info,
                       OrtNode **context);

  const Api &api;
  const OrtLogger *logger;
  const Options options;
  PoolSize pool;
  /// By the name of the first output.
  std::map<std::string, std::shared_ptr<Artifact>> artifacts;
};

} // namespace tenon::ort

#endif // TENON_TOOLS_ONNXRUNTIME_PROVIDER_H
