//===- Compiler.cpp - compile models from C -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tenon-c/Compiler.h"

#include "lib/CAPI/Structs.h"
#include "lib/Compiler/Compiler.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Location.h"

using namespace mlir;
using namespace tenon;

namespace {
/// Gathers the errors of one compilation.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            add(diagnostic);
          return success();
        }) {}

  std::string text, node;

private:
  void add(Diagnostic &diagnostic) {
    if (!text.empty())
      text += "\n";
    text += diagnostic.str();
    diagnostic.getLocation()->walk([this](Location part) {
      auto name = dyn_cast<NameLoc>(part);
      if (name && node.empty())
        node = name.getName().str();
      return WalkResult::advance();
    });
  }

  ScopedDiagnosticHandler handler;
};
} // namespace

static std::string
addAll(const char *const *texts, size_t count,
       onnximport::ImportOptions &options,
       bool (onnximport::ImportOptions::*add)(StringRef, std::string &)) {
  std::string error;
  for (size_t i = 0; i < count; ++i)
    if (!texts[i] || !(options.*add)(texts[i], error))
      return error.empty() ? "an option string is NULL" : error;
  return "";
}

static std::string addStates(const tenon_compile_options &given,
                             std::vector<StatePair> &states) {
  std::string error;
  for (size_t i = 0; i < given.state_count; ++i)
    if (!given.states[i] || !addState(given.states[i], states, error))
      return error.empty() ? "an option string is NULL" : error;
  return "";
}

static std::string readOptions(const tenon_compile_options &given,
                               CompileOptions &options) {
  options.cpu = given.cpu ? given.cpu : "";
  options.triple = given.triple ? given.triple : "";
  options.device = given.device ? given.device : "";
  auto precision =
      tile::parsePrecision(given.precision ? given.precision : "f32");
  if (!precision)
    return "precision is not \"f32\", \"tf32\", \"f16\" or \"bf16\"";
  options.precision = *precision;
  options.jobs = given.jobs;
  options.guard = given.guard_memory ? Guard::Above : Guard::None;
  options.kernelCache = given.kernel_cache ? given.kernel_cache : "";
  if (given.kernel_cache_bytes)
    options.kernelCacheBytes = given.kernel_cache_bytes;
  auto fusion = fuse::parseFusionMode(given.fusion ? given.fusion : "full");
  if (!fusion)
    return "fusion is not \"off\", \"atoms\", \"greedy\" or \"full\"";
  options.fusion = *fusion;
  auto winograd =
      tile::parseWinogradUse(given.winograd ? given.winograd : "safe");
  if (!winograd)
    return "winograd is not \"off\", \"exact\", \"safe\" or \"max\"";
  options.winograd = *winograd;
  options.bf16x6 = !given.no_bf16x6;
  options.checkIndices = !given.unchecked_indices;
  auto weights = parseWeights(given.weights ? given.weights : "f32");
  if (!weights)
    return "weights is not \"f32\", \"f16\" or \"bf16\"";
  options.weights = *weights;
  options.strict = given.strict;
  std::string against = againstStrict(options, given.winograd != nullptr);
  if (!against.empty())
    return "strict and " + against.substr(2) + " contradict each other";
  switch (given.emit) {
  case TENON_EMIT_ARTIFACT:
    options.emit = EmitKind::Artifact;
    break;
  case TENON_EMIT_OBJECT:
    options.emit = EmitKind::Object;
    break;
  case TENON_EMIT_ASSEMBLY:
    options.emit = EmitKind::Assembly;
    break;
  default:
    return "emit is not one of tenon_emit_kind";
  }
  std::string error = addStates(given, options.states);
  if (error.empty())
    error = addAll(given.shapes, given.shape_count, options.import,
                   &onnximport::ImportOptions::addShape);
  if (error.empty())
    error = addAll(given.dims, given.dim_count, options.import,
                   &onnximport::ImportOptions::addDim);
  return error.empty()
             ? addAll(given.constants, given.constant_count, options.import,
                      &onnximport::ImportOptions::addConst)
             : error;
}

static tenon_compile_report summarize(const Report &report) {
  tenon_compile_report result = TENON_INIT(tenon_compile_report);
  result.arena_bytes = report.arenaBytes;
  result.arena_lower_bound_bytes = report.arenaLowerBoundBytes;
  result.weights_bytes = report.weightsBytes;
  result.artifact_bytes = report.artifactBytes;
  result.kernel_count = report.kernels.size();
  result.compile_seconds = report.compileSeconds();
  result.cached_kernel_count = report.cachedKernels;
  result.scratch_bytes = report.scratchBytes;
  return result;
}

static tenon_status *invalid(const std::string &message) {
  return tenon_status_create(TENON_INVALID_ARGUMENT, "", message.c_str());
}

/// The compilation's errors, after what it says of them itself.
static tenon_status *refused(llvm::Error error, const ErrorCollector &errors) {
  std::string text = llvm::toString(std::move(error));
  if (!errors.text.empty())
    text += ": " + errors.text;
  return tenon_status_create(TENON_UNSUPPORTED, errors.node.c_str(),
                             text.c_str());
}

tenon_status *tenon_compile_file(const char *model_path,
                                 const char *output_path,
                                 const tenon_compile_options *options,
                                 tenon_compile_report *report) {
  if (!model_path || !output_path)
    return invalid("a path is NULL");
  if ((options && !capi::hasSize(*options)) ||
      (report && !capi::hasSize(*report)))
    return invalid("struct_size is not set (use TENON_INIT)");
  CompileOptions compile;
  std::string wrong = readOptions(capi::readStruct(options), compile);
  if (!wrong.empty())
    return invalid(wrong);
  std::unique_ptr<MLIRContext> context = createContext(compile.jobs);
  ErrorCollector errors(context.get());
  auto result = compileFile(*context, model_path, output_path, compile);
  if (!result)
    return refused(result.takeError(), errors);
  if (report)
    capi::fillStruct(*report, summarize(*result));
  return nullptr;
}
