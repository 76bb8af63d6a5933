//===- Check.cpp - which nodes can be compiled ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tenon-c/Compiler.h"

#include "lib/CAPI/Session.h"
#include "lib/Support/Codes.h"

using namespace tenon;
using namespace tenon::capi;

namespace {
using Nodes = std::vector<onnx::RefusedNode>;
} // namespace

/// Runs the phases that know each node of a model.
static mlir::LogicalResult normalize(Session &session) {
  auto module = readModels(session.source, *session.context, session.options);
  if (failed(module))
    return mlir::failure();
  session.options.compileTo = Phase::Normalize;
  Report report;
  return runPhases(**module, session.options, report);
}

/// The node of that name, else the one that it was made from: `name/Part`.
static onnx::RefusedNode *findNode(Nodes &nodes, llvm::StringRef name) {
  onnx::RefusedNode *found = nullptr;
  for (onnx::RefusedNode &node : nodes) {
    llvm::StringRef rest = name;
    if (!node.reason.empty() || !rest.consume_front(node.name))
      continue;
    if (rest.empty())
      return &node;
    if (rest.front() == '/' &&
        (!found || node.name.size() > found->name.size()))
      found = &node;
  }
  return found;
}

/// Puts the reasons to the nodes; what belongs to none of them comes last.
static void addReasons(Nodes &nodes, const Nodes &refused) {
  for (const onnx::RefusedNode &node : refused)
    if (onnx::RefusedNode *found = findNode(nodes, node.name))
      found->reason = node.reason;
    else
      nodes.push_back(node);
}

static void tell(const Nodes &nodes,
                 void (*node)(void *user, const tenon_node_support *node),
                 void *user) {
  for (const onnx::RefusedNode &each : nodes) {
    tenon_node_support support = TENON_INIT(tenon_node_support);
    support.name = each.name.c_str();
    support.op = each.op.c_str();
    if (!each.reason.empty()) {
      support.reason = each.reason.c_str();
      support.number = numberOf(each.reason);
    }
    node(user, &support);
  }
}

tenon_status *
tenon_check(const tenon_source *source, const tenon_compile_options *options,
            void (*node)(void *user, const tenon_node_support *node),
            void *user) {
  if (!source || !node)
    return invalid("the source or the function is NULL");
  Session session(options);
  if (tenon_status *status = session.prepare(*source))
    return status;
  Nodes nodes;
  session.options.import.onNode = [&](llvm::StringRef name,
                                      llvm::StringRef op) {
    nodes.push_back({name.str(), op.str(), ""});
  };
  bool isWhole = succeeded(normalize(session));
  if (session.isCancelled() || (!isWhole && session.refused.empty()))
    return session.fail(llvm::createStringError("'%s' cannot be read",
                                                session.source.path.c_str()));
  addReasons(nodes, session.refused);
  tell(nodes, node, user);
  return nullptr;
}
