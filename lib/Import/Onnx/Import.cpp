//===- Import.cpp - the steps of an import --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file is the importer on one page, and the border that no exception
// crosses.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Import.h"
#include "dialects/Graph/Graph.h"
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace tenon::onnximport;

InFlightDiagnostic Session::error() const {
  return emitError(location ? *location
                            : FileLineColLoc::get(&context, path, 0, 0));
}

InFlightDiagnostic Session::error(const proto::NodeProto &node) const {
  return error() << describe(node) << ": ";
}

std::string tenon::onnximport::nameOf(const proto::NodeProto &node) {
  // A node without a name is told by what it makes.
  if (node.name().empty() && node.output_size() != 0)
    return node.output(0);
  return node.name();
}

std::string tenon::onnximport::qualifiedOp(const proto::NodeProto &node) {
  return (node.domain().empty() ? "" : node.domain() + "::") + node.op_type();
}

std::string tenon::onnximport::describe(const proto::NodeProto &node) {
  return "node '" + nameOf(node) + "' (" + qualifiedOp(node) + ")";
}

/// onnx's messages run over several lines; ours do not.
static std::string oneLine(StringRef text) {
  SmallVector<StringRef> words;
  text.split(words, '\n', -1, /*KeepEmpty=*/false);
  return llvm::join(
      llvm::map_range(words, [](StringRef word) { return word.trim().str(); }),
      " ");
}

LogicalResult
tenon::onnximport::guarded(Session &session, StringRef what,
                           llvm::function_ref<LogicalResult()> step) {
  try {
    return step();
  } catch (const std::exception &exception) {
    return session.error() << what << ": " << oneLine(exception.what());
  }
}

static FailureOr<OwningOpRef<ModuleOp>>
import(Session &session, std::shared_ptr<Mapping> file, bool isText) {
  session.context.loadDialect<func::FuncDialect, tenon::onnx::OnnxDialect,
                              tenon::graph::GraphDialect>();
  FailureOr<OwningOpRef<ModuleOp>> module = failure();
  auto steps = [&]() -> LogicalResult {
    if (failed(readModel(session, std::move(file), isText)) ||
        failed(checkModel(session)) || failed(fixDimensions(session)) ||
        failed(convertModel(session)))
      return failure();
    module = buildModule(session);
    return success(succeeded(module));
  };
  // Steps guard their calls into onnx with messages of their own; this one is
  // for what else may throw: memory, mostly.
  if (failed(guarded(session, "cannot be imported", steps)))
    return failure();
  return module;
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::onnximport::importOnnx(StringRef path, MLIRContext &context,
                              const ImportOptions &options) {
  StringRef folder = llvm::sys::path::parent_path(path);
  Session session{context,    options,
                  path.str(), ExternalData(folder.empty() ? "." : folder.str()),
                  {},         {},
                  {}};
  auto file = Mapping::open(path);
  if (!file)
    return session.error() << llvm::toString(file.takeError());
  return import(session, std::move(*file), path.ends_with(".onnxtxt"));
}

FailureOr<OwningOpRef<ModuleOp>>
tenon::onnximport::importOnnxBytes(StringRef bytes, StringRef name,
                                   MLIRContext &context,
                                   const ImportOptions &options) {
  Session session{
      context,    options,
      name.str(), ExternalData(options.external, options.borrowBytes),
      {},         {},
      {}};
  return import(session, Mapping::over(bytes, options.borrowBytes),
                name.ends_with(".onnxtxt"));
}
