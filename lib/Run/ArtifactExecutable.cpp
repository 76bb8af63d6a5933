//===- ArtifactExecutable.cpp - artifacts on the run time -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file wraps the C API of the run time as an Executable.
//===----------------------------------------------------------------------===//
#include "lib/Run/Executable.h"
#include "lib/Run/Options.h"

#include <algorithm>

using namespace tenon::run;

/// Turns a status into a Result and frees it.
static Status take(tenon_status *status) {
  if (!status)
    return Done{};
  Error error{tenon_status_message(status)};
  tenon_status_destroy(status);
  return error;
}

namespace {

class ArtifactExecutable final : public Executable {
public:
  ~ArtifactExecutable() override {
    tenon_state_destroy(state);
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
  void resetProfile() override { tenon_profile_reset(context); }

private:
  Status readSignature();
  Status readStates(const Options &options);
  Status makeOutputs(std::vector<Tensor> &out);
  Status runSteps(std::vector<Tensor> &out);

  tenon_model *model = nullptr;
  tenon_context *context = nullptr;
  /// Of --steps; what it holds is no input or output then.
  tenon_state *state = nullptr;
  int64_t steps = 0;
  std::vector<tenon_state_info> states;
  std::vector<TensorSpec> inputSpecs, outputSpecs;
  /// The numbers that inputs and outputs have in the signature.
  std::vector<size_t> inputNumbers, outputNumbers;
  /// Kept between runs, so that a run allocates nothing.
  std::vector<tenon_tensor> inputViews, outputViews, allInputs;
};

} // namespace

static TensorSpec makeSpec(const tenon_tensor_info &info) {
  return {info.name, info.dtype, {info.shape, info.shape + info.rank}};
}

/// A tensor of the C API over `data`, which is of this type and shape.
static tenon_tensor viewOf(const Tensor &tensor, const uint8_t *data) {
  // Inputs are only read; DLPack's struct has no const.
  tenon_tensor view = {};
  view.data = const_cast<uint8_t *>(data);
  view.device.device_type = TENON_DEVICE_CPU;
  view.ndim = int32_t(tensor.spec.shape.size());
  view.dtype = tensor.spec.type;
  view.shape = const_cast<int64_t *>(tensor.spec.shape.data());
  return view;
}

/// Those that a state holds are left out.
Status ArtifactExecutable::readSignature() {
  size_t inputs = tenon_model_input_count(model);
  size_t count = inputs + tenon_model_output_count(model);
  for (size_t i = 0; i < count; ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    Status status =
        take(i < inputs ? tenon_model_input(model, i, &info)
                        : tenon_model_output(model, i - inputs, &info));
    if (!status)
      return status;
    bool isInput = i < inputs;
    size_t number = isInput ? i : i - inputs;
    auto isHeld = [&](const tenon_state_info &held) {
      return number == (isInput ? held.input : held.output);
    };
    if (state && std::any_of(states.begin(), states.end(), isHeld))
      continue;
    (isInput ? inputNumbers : outputNumbers).push_back(number);
    TensorSpec spec = makeSpec(info);
    for (size_t k = 0; k < spec.shape.size(); ++k)
      spec.dimNames.push_back(tenon_model_dim_name(model, 0, i, k));
    (isInput ? inputSpecs : outputSpecs).push_back(std::move(spec));
  }
  return Done{};
}

Status ArtifactExecutable::readStates(const Options &options) {
  for (size_t i = 0; i < tenon_model_state_count(model, 0); ++i) {
    states.push_back(TENON_INIT(tenon_state_info));
    if (Status status = take(tenon_model_state(model, 0, i, &states.back()));
        !status)
      return status;
  }
  steps = options.steps;
  if (!steps)
    return Done{};
  if (states.empty())
    return Error{"--steps: the model has no states (tenon-compile --state)"};
  return take(tenon_state_create(model, nullptr, &state));
}

Status ArtifactExecutable::load(const Options &options) {
  tenon_load_options loading = TENON_INIT(tenon_load_options);
  loading.verify_weights = options.verify;
  loading.variant = options.variant.empty() ? nullptr : options.variant.c_str();
  Status status =
      take(tenon_model_load_file(options.model.c_str(), &loading, &model));
  if (!status)
    return status;
  tenon_context_options running = TENON_INIT(tenon_context_options);
  running.threads = int32_t(options.threads);
  running.profile = options.profile.has_value();
  status = take(tenon_context_create(model, &running, &context));
  if (status)
    status = readStates(options);
  return status ? readSignature() : std::move(status);
}

/// Of the shapes that follow from `inputViews` and the state.
Status ArtifactExecutable::makeOutputs(std::vector<Tensor> &out) {
  allInputs.resize(tenon_model_input_count(model));
  for (size_t i = 0; i < inputViews.size(); ++i)
    allInputs[inputNumbers[i]] = inputViews[i];
  for (size_t i = 0; state && i < states.size(); ++i)
    if (Status status =
            take(tenon_state_get(state, i, &allInputs[states[i].input]));
        !status)
      return status;
  for (size_t i = 0; i < outputSpecs.size(); ++i) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    Status status = take(tenon_context_output(
        context, allInputs.data(), allInputs.size(), outputNumbers[i], &info));
    if (!status)
      return status;
    if (i < out.size() && out[i].spec.shape == makeSpec(info).shape)
      continue;
    out.resize(std::min(i, out.size()));
    Result<Tensor> tensor = Tensor::make(makeSpec(info));
    if (!tensor)
      return tensor.error();
    out.push_back(std::move(*tensor));
  }
  return Done{};
}

Status ArtifactExecutable::run(const std::vector<Tensor> &in,
                               std::vector<Tensor> &out) {
  inputViews.clear();
  outputViews.clear();
  for (const Tensor &tensor : in)
    inputViews.push_back(viewOf(tensor, tensor.data()));
  if (state)
    return runSteps(out);
  if (out.empty())
    if (Status status = makeOutputs(out); !status)
      return status;
  for (const Tensor &tensor : out)
    outputViews.push_back(viewOf(tensor, tensor.data()));
  return take(tenon_run(context, inputViews.data(), inputViews.size(),
                        outputViews.data(), outputViews.size()));
}

Status ArtifactExecutable::runSteps(std::vector<Tensor> &out) {
  tenon_state_reset(state);
  Status status = Done{};
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
static std::string stateText(const tenon_model *model,
                             const tenon_state_info &state) {
  tenon_tensor_info input = TENON_INIT(tenon_tensor_info),
                    output = TENON_INIT(tenon_tensor_info);
  if (!take(tenon_model_input(model, state.input, &input)) ||
      !take(tenon_model_output(model, state.output, &output)))
    return "";
  std::string text = std::string(input.name) + " -> " + output.name;
  return text + (state.axis < 0
                     ? ", replaced"
                     : ", grows along dimension " + std::to_string(state.axis));
}

Facts ArtifactExecutable::facts() const {
  tenon_model_info info = TENON_INIT(tenon_model_info);
  if (!take(tenon_model_query(model, &info)))
    return {};
  Facts facts;
  facts.name = info.name;
  facts.targetCpu = info.target_cpu;
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
  for (const tenon_state_info &held : states)
    facts.states.push_back(stateText(model, held));
  for (size_t i = 0; i < tenon_model_variant_count(model); ++i) {
    tenon_variant_info variant = TENON_INIT(tenon_variant_info);
    if (take(tenon_model_variant(model, i, &variant)))
      facts.variants.push_back({variant.name, variant.is_supported,
                                variant.is_loaded, variant.code_bytes});
  }
  return facts;
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
                    entry.last_nanoseconds});
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
