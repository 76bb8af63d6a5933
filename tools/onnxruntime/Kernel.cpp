//===- Kernel.cpp - runs what a set of nodes was compiled to --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/onnxruntime/Kernel.h"

#include "tools/onnxruntime/Graph.h"

#include <cstring>
#include <string>
#include <utility>

using namespace tenon::ort;

Artifact::~Artifact() {
  tenon_model_destroy(model);
  tenon_sink_release(&sink);
}

tenon_status *Artifact::load() {
  return tenon_model_load_memory(data(), size(), nullptr, &model);
}

/// A context, and the run that it is in, whose threads it uses.
struct Kernel::Slot {
  const Api &api;
  const OrtKernelContext *run = nullptr;
  tenon_context *context = nullptr;
  OrtStatus *failed = nullptr; ///< of a loop that did not run

  explicit Slot(const Api &api) : api(api) {}
  ~Slot() {
    tenon_context_destroy(context);
    api.ReleaseStatus(failed);
  }

  static void parallelFor(void *user, int64_t count,
                          void (*body)(void *, int64_t), void *argument);
};

void Kernel::Slot::parallelFor(void *user, int64_t count,
                               void (*body)(void *, int64_t), void *argument) {
  struct Loop {
    void (*body)(void *, int64_t);
    void *argument;
  } loop{body, argument};
  auto *slot = static_cast<Slot *>(user);
  auto step = [](void *loop, size_t index) {
    auto *each = static_cast<Loop *>(loop);
    each->body(each->argument, int64_t(index));
  };
  OrtStatus *status = slot->api.KernelContext_ParallelFor(
      slot->run, step, size_t(count), 0, &loop);
  if (status)
    std::swap(status, slot->failed);
  slot->api.ReleaseStatus(status);
}

/// What a run has: tensors over the session's memory.
struct Kernel::Run {
  Calls &calls;
  OrtKernelContext *context;
  tenon_context *ours;
  std::vector<tenon_tensor> inputs, outputs;
  std::vector<std::vector<int64_t>> shapes; ///< of the inputs
  bool isDone = false;

  bool ok(const Api &api, tenon_status *status) {
    return calls.ok(api.fail(status));
  }
};

Kernel::Kernel(const Api &api, std::shared_ptr<Artifact> artifact,
               int32_t threads, PoolSize &pool)
    : OrtNodeComputeInfo{}, api(api), artifact(std::move(artifact)),
      threads(threads), pool(pool) {
  version = apiVersion;
  createState = [](OrtNodeComputeInfo *self, OrtNodeComputeContext *,
                   void **state) -> OrtStatus * {
    *state = self;
    return nullptr;
  };
  OrtNodeComputeInfo::compute = Kernel::compute;
  releaseState = [](OrtNodeComputeInfo *, void *) {};
}

Kernel::~Kernel() = default;

/// Sets `places` to where `names` has the names of the model's tensors.
template <typename Info>
static std::string findPlaces(const std::vector<std::string> &names,
                              const tenon_model *model, size_t count, Info info,
                              std::vector<size_t> &places) {
  for (size_t each = 0; each < count; ++each) {
    tenon_tensor_info tensor = TENON_INIT(tenon_tensor_info);
    tenon_status_destroy(info(model, each, &tensor));
    size_t place = 0;
    while (place < names.size() && names[place] != tensor.name)
      ++place;
    if (place == names.size())
      return tensor.name;
    places.push_back(place);
  }
  return "";
}

OrtStatus *Kernel::bind(const OrtNode *node) {
  Calls calls(api);
  auto given =
      namesOf(api, calls,
              valuesOf(calls, node, api.Node_GetNumInputs, api.Node_GetInputs));
  auto wanted = namesOf(
      api, calls,
      valuesOf(calls, node, api.Node_GetNumOutputs, api.Node_GetOutputs));
  if (!calls.ok())
    return calls.take();
  const tenon_model *model = artifact->model;
  std::string missing =
      findPlaces(given, model, tenon_model_input_count(model),
                 tenon_model_input, inputs) +
      findPlaces(wanted, model, tenon_model_output_count(model),
                 tenon_model_output, outputs);
  if (!missing.empty())
    return api.fail("the session's node has no value '" + missing + "'");
  if (outputs.size() != wanted.size())
    return api.fail("the session's node has outputs that were not compiled");
  return nullptr;
}

std::unique_ptr<Kernel::Slot> Kernel::takeSlot(Calls &calls,
                                               const OrtKernelContext *run) {
  {
    std::lock_guard lock(mutex);
    if (!idle.empty()) {
      std::unique_ptr<Slot> slot = std::move(idle.back());
      idle.pop_back();
      return slot;
    }
  }
  auto slot = std::make_unique<Slot>(api);
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = threads;
  if (threads == 0) {
    options.executor.parallel_for = Slot::parallelFor;
    options.executor.user = slot.get();
    options.executor.concurrency = pool.get(api, run);
  }
  calls.ok(api.fail(
      tenon_context_create(artifact->model, &options, &slot->context)));
  return slot;
}

void Kernel::readInputs(Run &run) {
  run.shapes.resize(inputs.size());
  for (size_t each = 0; each < inputs.size(); ++each) {
    const OrtValue *value = nullptr;
    OrtTensorTypeAndShapeInfo *info = nullptr;
    const void *data = nullptr;
    size_t rank = 0;
    if (!run.calls.ok(
            api.KernelContext_GetInput(run.context, inputs[each], &value)) ||
        !run.calls.ok(api.GetTensorTypeAndShape(value, &info)))
      return;
    std::vector<int64_t> &shape = run.shapes[each];
    run.calls.ok(api.GetDimensionsCount(info, &rank));
    shape.resize(rank);
    run.calls.ok(api.GetDimensions(info, shape.data(), rank));
    api.ReleaseTensorTypeAndShapeInfo(info);
    run.calls.ok(api.GetTensorData(value, &data));
    tenon_tensor_info ours = TENON_INIT(tenon_tensor_info);
    run.ok(api, tenon_model_input(artifact->model, each, &ours));
    tenon_tensor tensor = tenon_tensor_over(&ours, const_cast<void *>(data));
    tensor.ndim = int32_t(rank);
    tensor.shape = shape.data();
    run.inputs.push_back(tensor);
  }
}

/// The memory of an output, from the session.
void *Kernel::makeOutput(Run &run, size_t output, const int64_t *shape,
                         int32_t rank) {
  OrtValue *value = nullptr;
  void *data = nullptr;
  if (run.calls.ok(api.KernelContext_GetOutput(run.context, outputs[output],
                                               shape, size_t(rank), &value)))
    run.calls.ok(api.GetTensorMutableData(value, &data));
  return data;
}

/// Makes the outputs, unless only a run can tell how large they are.
void Kernel::shapeOutputs(Run &run) {
  for (size_t each = 0; each < outputs.size(); ++each) {
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    tenon_status *status = tenon_context_output(run.ours, run.inputs.data(),
                                                run.inputs.size(), each, &info);
    if (tenon_status_code_of(status) == TENON_DATA_DEPENDENT) {
      tenon_status_destroy(status);
      return runValues(run);
    }
    if (!run.ok(api, status))
      return;
    void *data = makeOutput(run, each, info.shape, info.rank);
    run.outputs.push_back(tenon_tensor_over(&info, data));
  }
}

/// Copies what a run made to the session's memory.
bool Kernel::takeValues(Run &run, tenon_value *const *made) {
  for (size_t each = 0; each < outputs.size(); ++each) {
    tenon_value_info info = TENON_INIT(tenon_value_info);
    if (!run.ok(api, tenon_value_query(made[each], &info)))
      return false;
    void *data = makeOutput(run, each, info.shape, info.rank);
    if (data && info.byte_size)
      std::memcpy(data, info.data, info.byte_size);
  }
  return run.calls.ok();
}

/// Runs with copies, for outputs whose sizes data decide.
void Kernel::runValues(Run &run) {
  std::vector<tenon_value *> given, made(outputs.size());
  for (const tenon_tensor &input : run.inputs) {
    tenon_value *value = nullptr;
    run.ok(api, tenon_value_tensor(&input, &value));
    given.push_back(value);
  }
  if (run.calls.ok() &&
      run.ok(api, tenon_run_values(run.ours, given.data(), given.size(),
                                   made.data(), made.size())))
    takeValues(run, made.data());
  for (tenon_value *value : given)
    tenon_value_release(value);
  for (tenon_value *value : made)
    tenon_value_release(value);
  run.isDone = true;
}

OrtStatus *Kernel::run(OrtKernelContext *context) {
  Calls calls(api);
  std::unique_ptr<Slot> slot = takeSlot(calls, context);
  if (!calls.ok())
    return calls.take();
  slot->run = context;
  Run run{calls, context, slot->context, {}, {}, {}};
  readInputs(run);
  if (calls.ok())
    shapeOutputs(run);
  if (calls.ok() && !run.isDone)
    run.ok(api, tenon_run(run.ours, run.inputs.data(), run.inputs.size(),
                          run.outputs.data(), run.outputs.size()));
  calls.ok(std::exchange(slot->failed, nullptr));
  std::lock_guard lock(mutex);
  idle.push_back(std::move(slot));
  return calls.take();
}

OrtStatus *Kernel::compute(OrtNodeComputeInfo *self, void *,
                           OrtKernelContext *context) {
  return static_cast<Kernel *>(self)->run(context);
}
