//===- ContextNode.cpp - artifacts as nodes of a model --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/ContextNode.h"

#include "tools/onnxruntime/Options.h"

#include <climits>

using namespace tenon::ort;

namespace {
/// Attributes of a node to be.
class Attributes {
public:
  Attributes(const Api &api, Calls &calls) : api(api), calls(calls) {}
  ~Attributes() {
    for (OrtOpAttr *each : made)
      api.ReleaseOpAttr(each);
  }
  void add(const char *name, const void *data, size_t size, int type) {
    OrtOpAttr *attribute = nullptr;
    if (calls.ok() &&
        calls.ok(api.CreateOpAttr(name, data, int(size), type, &attribute)))
      made.push_back(attribute);
  }
  void add(const char *name, const std::string &text) {
    add(name, text.data(), text.size(), attributeString);
  }
  void add(const char *name, int64_t value) {
    add(name, &value, sizeof value, attributeInt);
  }

  std::vector<OrtOpAttr *> made;

private:
  const Api &api;
  Calls &calls;
};
} // namespace

static std::vector<const char *>
pointersTo(const std::vector<std::string> &names) {
  std::vector<const char *> pointers;
  for (const std::string &name : names)
    pointers.push_back(name.c_str());
  return pointers;
}

OrtStatus *tenon::ort::createContextNode(const Api &api, const OrtNode *fused,
                                         const Artifact &artifact,
                                         OrtNode *&made) {
  if (artifact.size() > INT_MAX)
    return api.fail("an artifact of more than 2 GiB cannot be part of a model");
  Calls calls(api);
  const char *name = "";
  calls.ok(api.Node_GetName(fused, &name));
  auto inputs = namesOf(
      api, calls,
      valuesOf(calls, fused, api.Node_GetNumInputs, api.Node_GetInputs));
  auto outputs = namesOf(
      api, calls,
      valuesOf(calls, fused, api.Node_GetNumOutputs, api.Node_GetOutputs));
  Attributes attributes(api, calls);
  attributes.add("main_context", 1);
  attributes.add("embed_mode", 1);
  attributes.add("ep_cache_context", artifact.data(), artifact.size(),
                 attributeString);
  attributes.add("partition_name", name);
  attributes.add("ep_sdk_version", TENON_VERSION_STRING);
  attributes.add("source", providerName);
  if (calls.ok())
    calls.ok(api.CreateNode(
        "EPContext", "com.microsoft", name, pointersTo(inputs).data(),
        inputs.size(), pointersTo(outputs).data(), outputs.size(),
        attributes.made.data(), attributes.made.size(), &made));
  return calls.take();
}

static std::string textOf(const Node &node, const std::string &name) {
  for (const Attribute &attribute : node.attributes)
    if (attribute.name == name && !attribute.strings.empty())
      return attribute.strings[0];
  return "";
}

bool tenon::ort::isContextNode(const Node &node) {
  return node.op == "EPContext" && textOf(node, "source") == providerName;
}

OrtStatus *tenon::ort::loadContextNode(const Api &api, const Node &node,
                                       Artifact &artifact) {
  artifact.bytes = textOf(node, "ep_cache_context");
  return api.fail(artifact.load());
}
