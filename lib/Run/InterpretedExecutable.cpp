//===- InterpretedExecutable.cpp - models on the interpreter --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file makes an Executable of a module and the reference interpreter.
//===----------------------------------------------------------------------===//
#include "lib/Run/InterpretedExecutable.h"

#include "dialects/Control/Control.h"
#include "lib/Compiler/CommandLine.h"
#include "lib/Compiler/Compiler.h"
#include "lib/Interpreter/Datum.h"
#include "lib/Run/Options.h"
#include "mlir/IR/Diagnostics.h"
#include "passes/Emit/Describe.h"

#include <cstring>

using namespace tenon;
using namespace tenon::run;
using namespace mlir;

/// The DLPack type of an element type; 0 bits when there is none.
static tenon_dtype dtypeOf(mlir::Type type) {
  if (auto complex = dyn_cast<ComplexType>(type))
    return {TENON_COMPLEX, uint8_t(2 * dtypeOf(complex.getElementType()).bits),
            1};
  if (isa<control::StringType>(type))
    return {TENON_STRING, 64, 1};
  std::optional<artifact::DType> known = emit::dtypeOf(type);
  return known ? tenon_dtype{known->code, known->bits, 1} : tenon_dtype{};
}

static tenon_value_kind kindOf(mlir::Type type) {
  if (isa<control::SequenceType>(type))
    return TENON_VALUE_SEQUENCE;
  auto optional = dyn_cast<control::OptionalType>(type);
  if (!optional)
    return TENON_VALUE_TENSOR;
  return isa<control::SequenceType>(optional.getElement())
             ? TENON_VALUE_OPTIONAL_SEQUENCE
             : TENON_VALUE_OPTIONAL;
}

/// What a sequence or an optional is of.
static mlir::Type tensorIn(mlir::Type type) {
  if (auto optional = dyn_cast<control::OptionalType>(type))
    type = optional.getElement();
  auto sequence = dyn_cast<control::SequenceType>(type);
  return sequence ? sequence.getElement() : type;
}

//===-- Values ------------------------------------------------------------===//

/// Borrows the numbers of a value, whose tensors have elements of `element`.
static interp::Datum toDatum(const run::Tensor &value, mlir::Type element) {
  if (value.spec.kind == TENON_VALUE_OPTIONAL)
    return interp::Datum::optional();
  if (value.spec.kind == TENON_VALUE_SEQUENCE) {
    std::vector<interp::Datum> items;
    for (const run::Tensor &item : value.items)
      items.push_back(toDatum(item, element));
    return interp::Datum::sequence(std::move(items));
  }
  auto type = RankedTensorType::get(value.spec.shape, element);
  if (value.isOfStrings())
    return interp::Strings(type, value.strings);
  return interp::Tensor::borrow(
      type, {reinterpret_cast<const char *>(value.data()), value.byteSize()});
}

static Result<run::Tensor> fromArray(const interp::Datum &array,
                                     TensorSpec spec) {
  spec.kind = TENON_VALUE_TENSOR;
  spec.hasAnyRank = false;
  spec.shape.assign(array.getShape().begin(), array.getShape().end());
  Result<run::Tensor> tensor = run::Tensor::make(spec);
  if (!tensor)
    return tensor;
  if (array.strings()) {
    tensor->strings = array.strings()->elements().vec();
    return tensor;
  }
  ArrayRef<char> bytes = array.tensor()->bytes();
  if (bytes.size() != tensor->byteSize())
    return Error{"the interpreter's '" + spec.name + "' has " +
                 std::to_string(bytes.size()) + " bytes"};
  std::memcpy(tensor->data(), bytes.data(), bytes.size());
  return tensor;
}

static Result<run::Tensor> fromDatum(const interp::Datum &datum,
                                     const TensorSpec &spec) {
  interp::Datum held = datum.element();
  if (held && held.arrayType())
    return fromArray(held, spec);
  run::Tensor value;
  value.spec = spec;
  value.spec.kind = held ? TENON_VALUE_SEQUENCE : TENON_VALUE_OPTIONAL;
  if (!held)
    return value;
  for (const interp::Datum &item : *held.sequence()) {
    Result<run::Tensor> tensor = fromArray(item, spec);
    if (!tensor)
      return tensor;
    value.items.push_back(std::move(*tensor));
  }
  return value;
}

//===-- The executable ----------------------------------------------------===//

namespace {

class InterpretedExecutable final : public Executable {
public:
  Status load(const Options &options);
  const std::vector<TensorSpec> &inputs() const override { return inputSpecs; }
  const std::vector<TensorSpec> &outputs() const override {
    return outputSpecs;
  }
  Status run(const std::vector<run::Tensor> &in,
             std::vector<run::Tensor> &out) override;
  Facts facts() const override;

private:
  Status readModule(const Options &options);
  Status readSignature();
  Status addSpec(mlir::Type type, Attribute name, const char *kind,
                 std::vector<TensorSpec> &specs);

  /// What was diagnosed since the last call, as one message.
  Error takeDiagnostics(const char *otherwise);

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  FunctionOpInterface main;
  std::vector<TensorSpec> inputSpecs, outputSpecs;
  std::string path, diagnostics;
};

} // namespace

static const char *severityText(DiagnosticSeverity severity) {
  return severity == DiagnosticSeverity::Note ? "note: " : "";
}

Error InterpretedExecutable::takeDiagnostics(const char *otherwise) {
  Error error{diagnostics.empty() ? otherwise : diagnostics};
  diagnostics.clear();
  return error;
}

Status InterpretedExecutable::load(const Options &options) {
  path = options.model;
  context = createContext(/*jobs=*/1);
  context->getDiagEngine().registerHandler([this](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Warning ||
        diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      return;
    llvm::raw_string_ostream os(diagnostics);
    os << (diagnostics.empty() ? "" : "\n") << placeOf(diagnostic.getLocation())
       << severityText(diagnostic.getSeverity()) << diagnostic;
  });
  Status status = readModule(options);
  return status ? readSignature() : std::move(status);
}

Status InterpretedExecutable::readModule(const Options &options) {
  onnximport::ImportOptions importing;
  std::string error;
  for (const std::string &shape : options.shapes)
    if (!importing.addShape(shape, error))
      return Error{"--shape " + shape + ": " + error};
  for (const std::string &dim : options.dims)
    if (!importing.addDim(dim, error))
      return Error{"--dim " + dim + ": " + error};
  for (const std::string &constant : options.constants)
    if (!importing.addConst(constant, error))
      return Error{"--const " + constant + ": " + error};
  auto read = readModel(path, *context, importing);
  if (failed(read))
    return takeDiagnostics("the model cannot be read");
  module = std::move(*read);
  CompileOptions compiling;
  compiling.compileTo = Phase::Normalize;
  compiling.jobs = 1;
  tenon::Report report;
  Phase phase = phaseOf(*module);
  if (phase == Phase::Import && failed(runPhases(*module, compiling, report)))
    return takeDiagnostics("the model cannot be normalised");
  if (phase > Phase::Fuse)
    return Error{"'" + path + "' is past the " + phaseName(Phase::Fuse).str() +
                 " phase: the interpreter runs graph operations, not kernels"};
  return Done{};
}

Status InterpretedExecutable::addSpec(mlir::Type type, Attribute name,
                                      const char *kind,
                                      std::vector<TensorSpec> &specs) {
  TensorSpec spec;
  if (auto text = dyn_cast_or_null<StringAttr>(name))
    spec.name = text.str();
  else
    spec.name = kind + std::to_string(specs.size());
  spec.kind = kindOf(type);
  auto tensor = dyn_cast<TensorType>(tensorIn(type));
  if (!tensor)
    return Error{"'" + spec.name +
                 "' is of a type that the command line "
                 "cannot hold"};
  spec.type = dtypeOf(tensor.getElementType());
  if (!spec.type.bits)
    return Error{"'" + spec.name +
                 "' has an element type that the command "
                 "line cannot hold"};
  spec.hasAnyRank = !tensor.hasRank();
  if (tensor.hasRank())
    spec.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  specs.push_back(std::move(spec));
  return Done{};
}

Status InterpretedExecutable::readSignature() {
  auto program = interp::findProgram(*module);
  if (failed(program))
    return takeDiagnostics("there is no program to run");
  main = *program;
  for (unsigned i = 0; i < main.getNumArguments(); ++i) {
    Status status =
        addSpec(main.getArgumentTypes()[i], main.getArgAttr(i, "onnx.name"),
                "input", inputSpecs);
    if (!status)
      return status;
  }
  for (unsigned i = 0; i < main.getNumResults(); ++i) {
    Status status =
        addSpec(main.getResultTypes()[i], main.getResultAttr(i, "onnx.name"),
                "output", outputSpecs);
    if (!status)
      return status;
  }
  return Done{};
}

Status InterpretedExecutable::run(const std::vector<run::Tensor> &in,
                                  std::vector<run::Tensor> &out) {
  interp::Data arguments;
  for (auto [type, tensor] : llvm::zip_equal(main.getArgumentTypes(), in))
    arguments.push_back(
        toDatum(tensor, cast<TensorType>(tensorIn(type)).getElementType()));
  auto results = interp::interpret(main, arguments);
  if (failed(results))
    return takeDiagnostics("the interpreter failed");
  out.clear();
  for (auto [spec, datum] : llvm::zip_equal(outputSpecs, *results)) {
    Result<run::Tensor> tensor = fromDatum(datum, spec);
    if (!tensor)
      return tensor.error();
    out.push_back(std::move(*tensor));
  }
  return Done{};
}

Facts InterpretedExecutable::facts() const {
  Facts facts;
  facts.name = path;
  facts.targetCpu = "interpreter";
  return facts;
}

Result<std::unique_ptr<Executable>>
tenon::run::openInterpreted(const Options &options) {
  auto executable = std::make_unique<InterpretedExecutable>();
  Status status = executable->load(options);
  if (!status)
    return status.error();
  return std::unique_ptr<Executable>(std::move(executable));
}
