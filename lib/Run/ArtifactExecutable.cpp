//===- ArtifactExecutable.cpp - artifacts on the run time -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file wraps the C API of the run time as an Executable.
//===----------------------------------------------------------------------===//
#include "lib/Run/Executable.h"
#include "lib/Run/Options.h"
#include "lib/Run/Values.h"

#include <algorithm>
#include <cstdio>

using namespace tenon;
using namespace tenon::run;

namespace {

class ArtifactExecutable final : public Executable {
public:
  ~ArtifactExecutable() override {
    tenon_state_destroy(state);
    tenon_state_destroy(loaded);
    tenon_context_destroy(context);
    tenon_model_destroy(model);
  }

  Status load(const Options &options);
  const std::vector<TensorSpec> &inputs() const override { return inputSpecs; }
  const std::vector<TensorSpec> &outputs() const override {
    return outputSpecs;
  }
  Status run(const std::vector<Tensor> &in, std::vector<Tensor> &out) override;
  Facts facts() const override;
  std::vector<ProfileRow> profile() const override;
  std::vector<ProfilePart> partsOf(size_t launch) const;
  void resetProfile() override { tenon_profile_reset(context); }
  int64_t deviceNanoseconds() const override {
    return tenon_device_nanoseconds(context);
  }
  Result<std::string> disassembly() const override;

private:
  bool hasBytecode() const;
  Status readSignature();
  Status findEntry(const Options &options);
  Status readStates(const Options &options);
  Status makeState(const Options &options);
  Status findHeld();
  Status begin();
  Status makeOutputs(std::vector<Tensor> &out);
  Status runSteps(std::vector<Tensor> &out);
  Status runValues(const std::vector<Tensor> &in, std::vector<Tensor> &out);

  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  size_t entry = 0;
  tenon_entry_info entryInfo = TENON_INIT(tenon_entry_info);
  /// Of --steps, --entry and --load-state; what it holds is no input or output
  /// then.
  tenon_state *state = nullptr;
  /// What it begins as; NULL: as the model says.
  tenon_state *loaded = nullptr;
  int64_t steps = 1;
  /// Whether something is no tensor of numbers, or an output's shape depends on
  /// data.
  bool usesValues = false;
  std::vector<tenon_state_info> states;
  /// Of each of them, its number in `state`.
  std::vector<size_t> held;
  std::vector<TensorSpec> inputSpecs, outputSpecs;
  /// The numbers that inputs and outputs have in the signature.
  std::vector<size_t> inputNumbers, outputNumbers;
  /// Kept between runs, so that a run allocates nothing.
  std::vector<tenon_tensor> inputViews, outputViews, allInputs;
};

} // namespace

static bool isValue(const TensorSpec &spec) {
  return spec.kind != TENON_VALUE_TENSOR || spec.hasAnyRank ||
         spec.type.code == TENON_STRING;
}

/// Those that a state holds are left out.
Status ArtifactExecutable::readSignature() {
  size_t inputs = entryInfo.input_count;
  size_t count = inputs + entryInfo.output_count;
  for (size_t i = 0; i < count; ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    Status status = take(
        i < inputs ? tenon_model_entry_input(model, entry, i, &info)
                   : tenon_model_entry_output(model, entry, i - inputs, &info));
    if (!status)
      return status;
    bool isInput = i < inputs;
    size_t number = isInput ? i : i - inputs;
    auto isHeld = [&](const tenon_state_info &info) {
      return number == (isInput ? info.input : info.output);
    };
    if (state && std::any_of(states.begin(), states.end(), isHeld))
      continue;
    (isInput ? inputNumbers : outputNumbers).push_back(number);
    TensorSpec spec = specOf(info);
    for (size_t k = 0; k < spec.shape.size(); ++k)
      spec.dimNames.push_back(tenon_model_dim_name(model, entry, i, k));
    usesValues |= isValue(spec);
    (isInput ? inputSpecs : outputSpecs).push_back(std::move(spec));
  }
  return Done{};
}

Status ArtifactExecutable::readStates(const Options &options) {
  for (size_t i = 0; i < tenon_model_state_count(model, entry); ++i) {
    states.push_back(TENON_INIT(tenon_state_info));
    if (Status status =
            take(tenon_model_state(model, entry, i, &states.back()));
        !status)
      return status;
  }
  bool needsState = options.steps || !options.loadState.empty();
  if (needsState && states.empty())
    return Error{std::string(options.steps ? "--steps" : "--load-state") +
                 ": the model has no states (tenon-compile --state)"};
  steps = std::max<int64_t>(options.steps, 1);
  bool isNamed = !options.entry.empty() && !options.signature;
  return !states.empty() && (needsState || isNamed) ? makeState(options)
                                                    : Status(Done{});
}

/// Of the first entry, which has all that others read.
Status ArtifactExecutable::makeState(const Options &options) {
  tenon_state_options making = TENON_INIT(tenon_state_options);
  if (!tenon_model_state_count(model, 0))
    making.entry = entryInfo.name;
  Status status = take(tenon_state_create(model, &making, &state));
  if (status)
    status = findHeld();
  if (!status || options.loadState.empty())
    return status;
  status = take(tenon_state_load(state, options.loadState.c_str(), nullptr));
  return status ? take(tenon_state_clone(state, &loaded)) : std::move(status);
}

/// Finds the entry's states in the state, by name.
Status ArtifactExecutable::findHeld() {
  for (const tenon_state_info &wanted : states) {
    tenon_tensor_info input = TENON_INIT(tenon_tensor_info);
    if (Status status =
            take(tenon_model_entry_input(model, entry, wanted.input, &input));
        !status)
      return status;
    tenon_state_tensor tensor = TENON_INIT(tenon_state_tensor);
    size_t number = 0;
    while (take(tenon_state_describe(state, number, &tensor)) &&
           std::string(tensor.name) != input.name)
      ++number;
    held.push_back(number);
  }
  return Done{};
}

Status ArtifactExecutable::findEntry(const Options &options) {
  std::string names;
  for (entry = 0; entry < tenon_model_entry_count(model); ++entry) {
    if (Status status = take(tenon_model_entry(model, entry, &entryInfo));
        !status)
      return status;
    if (options.entry.empty() || options.entry == entryInfo.name)
      return Done{};
    names += (entry ? ", '" : "'") + std::string(entryInfo.name) + "'";
  }
  return Error{"--entry: the model has no '" + options.entry + "'; it has " +
               names};
}

/// A line of --trace.
static void printInstruction(void *, const char *text, int64_t nanoseconds) {
  printf("%12.3f us  %s\n", double(nanoseconds) / 1000, text);
}

Status ArtifactExecutable::load(const Options &options) {
  tenon_load_options loading = TENON_INIT(tenon_load_options);
  loading.verify_weights = options.verify;
  loading.variant = options.variant.empty() ? nullptr : options.variant.c_str();
  if (!options.device.empty())
    loading.device.device_type =
        options.device == "cuda" ? TENON_DEVICE_CUDA : TENON_DEVICE_CPU;
  Status status =
      take(tenon_model_load_file(options.model.c_str(), &loading, &model));
  if (!status)
    return status;
  if (status = findEntry(options); !status)
    return status;
  tenon_context_options running = TENON_INIT(tenon_context_options);
  running.entry = entryInfo.name;
  running.threads = int32_t(options.threads);
  running.profile = options.profile.has_value();
  running.device_clock = options.benchmark;
  if (options.trace)
    running.trace = printInstruction;
  status = take(tenon_context_create(model, &running, &context));
  if (status && options.trace && !hasBytecode())
    return Error{"--trace: the model has no bytecode"};
  if (status)
    status = readStates(options);
  return status ? readSignature() : std::move(status);
}

/// Of the shapes that follow from `inputViews` and the state.
Status ArtifactExecutable::makeOutputs(std::vector<Tensor> &out) {
  allInputs.resize(entryInfo.input_count);
  for (size_t i = 0; i < inputViews.size(); ++i)
    allInputs[inputNumbers[i]] = inputViews[i];
  for (size_t i = 0; state && i < states.size(); ++i)
    if (Status status =
            take(tenon_state_get(state, held[i], &allInputs[states[i].input]));
        !status)
      return status;
  for (size_t i = 0; i < outputSpecs.size(); ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    tenon_status *failed = tenon_context_output(
        context, allInputs.data(), allInputs.size(), outputNumbers[i], &info);
    usesValues |= tenon_status_code_of(failed) == TENON_DATA_DEPENDENT;
    if (Status status = take(failed); !status)
      return status;
    if (i < out.size() && out[i].spec.shape == specOf(info).shape)
      continue;
    out.resize(std::min(i, out.size()));
    Result<Tensor> tensor = Tensor::make(specOf(info));
    if (!tensor)
      return tensor.error();
    out.push_back(std::move(*tensor));
  }
  return Done{};
}

/// Copies what goes in and what comes out.
Status ArtifactExecutable::runValues(const std::vector<Tensor> &in,
                                     std::vector<Tensor> &out) {
  std::vector<Value> owners;
  std::vector<tenon_value *> inputs, outputs(outputSpecs.size());
  for (const Tensor &tensor : in) {
    Result<Value> value = toValue(tensor);
    if (!value)
      return value.error();
    inputs.push_back(value->get());
    owners.push_back(std::move(*value));
  }
  if (Status status =
          take(tenon_run_values(context, inputs.data(), inputs.size(),
                                outputs.data(), outputs.size()));
      !status)
    return status;
  for (tenon_value *output : outputs)
    owners.emplace_back(output);
  out.clear();
  for (size_t i = 0; i < outputs.size(); ++i) {
    Result<Tensor> tensor = fromValue(outputs[i], outputSpecs[i]);
    if (!tensor)
      return tensor.error();
    out.push_back(std::move(*tensor));
  }
  return Done{};
}

Status ArtifactExecutable::run(const std::vector<Tensor> &in,
                               std::vector<Tensor> &out) {
  if (usesValues)
    return runValues(in, out);
  inputViews.clear();
  outputViews.clear();
  for (const Tensor &tensor : in)
    inputViews.push_back(viewOf(tensor, tensor.data()));
  if (state)
    return runSteps(out);
  if (out.empty())
    if (Status status = makeOutputs(out); !status)
      return usesValues ? runValues(in, out) : std::move(status);
  for (const Tensor &tensor : out)
    outputViews.push_back(viewOf(tensor, tensor.data()));
  return take(tenon_run(context, inputViews.data(), inputViews.size(),
                        outputViews.data(), outputViews.size()));
}

/// Makes the state what it is before the first step.
Status ArtifactExecutable::begin() {
  if (!loaded) {
    tenon_state_reset(state);
    return Done{};
  }
  tenon_state_destroy(std::exchange(state, nullptr));
  return take(tenon_state_clone(loaded, &state));
}

Status ArtifactExecutable::runSteps(std::vector<Tensor> &out) {
  Status status = begin();
  for (int64_t step = 0; status && step < steps; ++step) {
    status = makeOutputs(out);
    outputViews.clear();
    for (const Tensor &tensor : out)
      outputViews.push_back(viewOf(tensor, tensor.data()));
    if (status)
      status = take(tenon_run_state(context, state, inputViews.data(),
                                    inputViews.size(), outputViews.data(),
                                    outputViews.size()));
  }
  return status;
}

/// "past -> present, grows along dimension 2".
static std::string stateText(const tenon_model *model, size_t entry,
                             const tenon_state_info &state) {
  tenon_tensor_info input = TENON_INIT(tenon_tensor_info),
                    output = TENON_INIT(tenon_tensor_info);
  if (!take(tenon_model_entry_input(model, entry, state.input, &input)))
    return "";
  if (state.output == TENON_NO_OUTPUT)
    return std::string(input.name) + ", read only";
  if (!take(tenon_model_entry_output(model, entry, state.output, &output)))
    return "";
  std::string text = std::string(input.name) + " -> " + output.name;
  if (state.axis >= 0)
    return text + ", grows along dimension " + std::to_string(state.axis);
  return text + (state.is_updated ? ", updated in place" : ", replaced");
}

bool ArtifactExecutable::hasBytecode() const { return entryInfo.has_bytecode; }

Result<std::string> ArtifactExecutable::disassembly() const {
  std::string text;
  Status status = take(tenon_model_disassemble(
      model,
      [](void *user, const char *line) {
        *static_cast<std::string *>(user) += std::string(line) + "\n";
      },
      &text));
  if (!status)
    return status.error();
  if (text.empty())
    return Error{"--disassemble: the model has no bytecode"};
  return text;
}

Facts ArtifactExecutable::facts() const {
  tenon_model_info info = TENON_INIT(tenon_model_info);
  if (!take(tenon_model_query(model, &info)))
    return {};
  Facts facts;
  facts.name = info.name;
  facts.targetCpu = info.target_cpu;
  facts.device = info.device_name;
  facts.deviceFlops = info.device_flops;
  facts.deviceRate = info.device_rate;
  facts.producer = info.producer;
  facts.threads = tenon_context_threads(context);
  facts.arenaBytes = tenon_model_arena_bytes(model, facts.threads);
  for (const TensorSpec &spec : inputSpecs)
    facts.isSymbolic |= spec.isOpen();
  if (facts.isSymbolic)
    facts.arenaBytes = tenon_context_arena_bytes(context);
  facts.scratchBytes = info.scratch_bytes;
  facts.arenaLowerBoundBytes = info.arena_lower_bound_bytes;
  facts.weightsBytes = info.weights_bytes;
  facts.codeBytes = info.code_bytes;
  facts.fileBytes = info.file_bytes;
  facts.kernels = info.kernel_count;
  facts.launches = info.launch_count;
  facts.vectorBits = info.vector_bits;
  facts.isGuarded = info.is_guarded;
  for (const tenon_state_info &info : states)
    facts.states.push_back(stateText(model, entry, info));
  size_t entries = tenon_model_entry_count(model);
  for (size_t i = 0; entries > 1 && i < entries; ++i) {
    tenon_entry_info named = TENON_INIT(tenon_entry_info);
    if (take(tenon_model_entry(model, i, &named)))
      facts.entries.push_back(named.name);
  }
  for (size_t i = 0; i < tenon_model_variant_count(model); ++i) {
    tenon_variant_info variant = TENON_INIT(tenon_variant_info);
    if (take(tenon_model_variant(model, i, &variant)))
      facts.variants.push_back({variant.name, variant.is_supported,
                                variant.is_loaded, variant.code_bytes});
  }
  return facts;
}

std::vector<ProfilePart> ArtifactExecutable::partsOf(size_t launch) const {
  std::vector<ProfilePart> parts;
  tenon_profile_part part = TENON_INIT(tenon_profile_part);
  while (take(tenon_profile_get_part(context, launch, parts.size(), &part)))
    parts.push_back({part.thread, part.tiles, part.begin, part.nanoseconds});
  return parts;
}

std::vector<ProfileRow> ArtifactExecutable::profile() const {
  std::vector<ProfileRow> rows;
  for (size_t i = 0; i < tenon_profile_count(context); ++i) {
    tenon_profile_entry entry = TENON_INIT(tenon_profile_entry);
    if (!take(tenon_profile_get(context, i, &entry)))
      break;
    rows.push_back({entry.kernel,
                    {entry.nodes, entry.nodes + entry.node_count},
                    entry.tiles,
                    entry.flops,
                    entry.bytes,
                    entry.calls,
                    entry.nanoseconds,
                    entry.last_begin,
                    entry.last_nanoseconds,
                    entry.wave,
                    entry.wave ? partsOf(i) : std::vector<ProfilePart>()});
  }
  return rows;
}

Result<std::unique_ptr<Executable>>
tenon::run::openArtifact(const Options &options) {
  for (const char *suffix : {".onnx", ".mlir"})
    if (options.model.ends_with(suffix))
      return Error{"'" + options.model +
                   "' is not compiled: make an artifact of it with "
                   "tenon-compile, or run it with --interpret"};
  auto executable = std::make_unique<ArtifactExecutable>();
  Status status = executable->load(options);
  if (!status)
    return Error{"'" + options.model + "': " + status.error().message};
  return std::unique_ptr<Executable>(std::move(executable));
}
