//===- Build.cpp - the module of a converted model ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes @main around the operations of the nodes.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Constraints.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/NodeBuilder.h"
#include "lib/Import/Onnx/Nodes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;
using namespace tenon::onnximport;
using proto::NodeProto;
using proto::ValueInfoProto;

static NamedAttribute nameAttribute(OpBuilder &builder, StringRef name) {
  return builder.getNamedAttr("onnx.name", builder.getStringAttr(name));
}

/// An empty @main with the inputs as arguments; the insertion point is in it.
static FailureOr<func::FuncOp> makeFunction(Session &session,
                                            NodeBuilder &nodes) {
  const proto::GraphProto &graph = session.model.graph();
  OpBuilder &builder = nodes.builder;
  SmallVector<Type> inputs;
  for (const ValueInfoProto &input : graph.input()) {
    Type type = nodes.types.lookup(input.name());
    if (!type) {
      session.error() << "input '" << input.name()
                      << "': " << nodes.whyNoType(input.name());
      return failure();
    }
    inputs.push_back(type);
  }
  Location location = NameLoc::get(builder.getStringAttr(graph.name()));
  auto function = func::FuncOp::create(builder, location, "main",
                                       builder.getFunctionType(inputs, {}));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  for (auto [argument, input] :
       llvm::zip(body->getArguments(), graph.input())) {
    function.setArgAttrs(argument.getArgNumber(),
                         nameAttribute(builder, input.name()));
    nodes.values[input.name()] = argument;
  }
  return function;
}

/// Initialisers that something reads, in file order.
static LogicalResult makeInitializers(Session &session, NodeBuilder &nodes) {
  const proto::GraphProto &graph = session.model.graph();
  llvm::StringSet<> used;
  auto use = [&](const std::string &name) { used.insert(name); };
  for (const NodeProto &node : graph.node())
    forEachRead(node, use);
  for (const ValueInfoProto &output : graph.output())
    used.insert(output.name());
  for (const proto::TensorProto &tensor : graph.initializer()) {
    if (!used.contains(tensor.name()))
      continue;
    if (failed(
            nodes.makeInitializer(tensor, nodes.uniqueLocation(tensor.name()))))
      return failure();
    Operation *constant = nodes.values.lookup(tensor.name()).getDefiningOp();
    if (session.options.markInitializers)
      constant->setAttr(kInitializer, nodes.builder.getUnitAttr());
  }
  return success();
}

static LogicalResult makeReturn(Session &session, NodeBuilder &nodes,
                                func::FuncOp function) {
  OpBuilder &builder = nodes.builder;
  SmallVector<Value> results;
  SmallVector<Type> types;
  for (const ValueInfoProto &output : session.model.graph().output()) {
    Value value = nodes.values.lookup(output.name());
    if (!value)
      return session.error()
             << "output '" << output.name() << "' is not made by any node";
    results.push_back(value);
    types.push_back(value.getType());
  }
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setFunctionType(
      builder.getFunctionType(function.getFunctionType().getInputs(), types));
  for (auto [index, output] : llvm::enumerate(session.model.graph().output())) {
    function.setResultAttrs(index, nameAttribute(builder, output.name()));
    auto rank = session.statedRanks.find(output.name());
    if (rank != session.statedRanks.end() &&
        isa<UnrankedTensorType>(types[index]))
      function.setResultAttr(index, "onnx.rank",
                             builder.getI64IntegerAttr(rank->second));
  }
  return success();
}

/// What is known of the symbols, for whoever looks at them.
static LogicalResult writeRanges(Session &session, ModuleOp module) {
  tenon::graph::ConstraintStore store;
  for (const DimRange &range : session.options.ranges)
    if (failed(store.constrain(range.name,
                               {range.min, range.max, range.multipleOf})))
      return session.error() << "the ranges of dimension '" << range.name
                             << "' exclude each other";
  store.save(module);
  return success();
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::onnximport::buildModule(Session &session) {
  const proto::GraphProto &graph = session.model.graph();
  OpBuilder builder(&session.context);
  Location location = NameLoc::get(builder.getStringAttr(graph.name()));
  OwningOpRef<ModuleOp> module = ModuleOp::create(
      builder, FileLineColLoc::get(&session.context, session.path, 0, 0));
  (*module)->setAttr("onnx.opset",
                     builder.getI64IntegerAttr(onnx::newestOpset()));
  (*module)->setAttr("onnx.model_opset",
                     builder.getI64IntegerAttr(
                         opsetOf(opsetsOf(session.model.opset_import()), "")));
  if (failed(writeRanges(session, *module)))
    return failure();
  builder.setInsertionPointToEnd(module->getBody());
  NodeBuilder nodes(session, builder);
  nodes.collectTypes();
  FailureOr<func::FuncOp> function = makeFunction(session, nodes);
  if (failed(function) || failed(makeInitializers(session, nodes)))
    return failure();
  for (auto [index, node] : llvm::enumerate(graph.node()))
    if (failed(nodes.makeNode(node, index)))
      return failure();
  if (failed(makeReturn(session, nodes, *function)) || failed(verify(*module)))
    return failure();
  return module;
}
