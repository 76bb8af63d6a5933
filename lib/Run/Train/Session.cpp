//===- Session.cpp - a model that is trained ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Train/Session.h"

#include "lib/Run/Executable.h"
#include "lib/Run/Values.h"

#include <algorithm>
#include <cstring>

using namespace tenon;
using namespace tenon::run;

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

/// The number of an entry, and what it has; or nothing.
static std::optional<size_t> findEntry(const tenon_model *model,
                                       const std::string &name,
                                       tenon_entry_info &info) {
  for (size_t i = 0; i < tenon_model_entry_count(model); ++i)
    if (take(tenon_model_entry(model, i, &info)) && info.name == name)
      return i;
  return std::nullopt;
}

static std::vector<tenon_state_info> statesOf(const tenon_model *model,
                                              size_t entry) {
  std::vector<tenon_state_info> states;
  for (size_t i = 0; i < tenon_model_state_count(model, entry); ++i) {
    tenon_state_info info = TENON_INIT(tenon_state_info);
    if (take(tenon_model_state(model, entry, i, &info)))
      states.push_back(info);
  }
  return states;
}

Status Program::describe(const tenon_model *model, size_t entry) {
  tenon_entry_info counts = TENON_INIT(tenon_entry_info);
  if (Status status = take(tenon_model_entry(model, entry, &counts)); !status)
    return status;
  std::vector<tenon_state_info> states = statesOf(model, entry);
  for (size_t i = 0; i < counts.input_count + counts.output_count; ++i) {
    bool isInput = i < counts.input_count;
    size_t number = isInput ? i : i - counts.input_count;
    auto holds = [&](const tenon_state_info &state) {
      return number == (isInput ? state.input : state.output);
    };
    if (std::any_of(states.begin(), states.end(), holds))
      continue;
    tenon_tensor_info info = TENON_INIT(tenon_tensor_info);
    Status status =
        take(isInput ? tenon_model_entry_input(model, entry, number, &info)
                     : tenon_model_entry_output(model, entry, number, &info));
    if (!status)
      return status;
    TensorSpec spec = specOf(info);
    Result<Tensor> tensor = Tensor::make(spec);
    if (!tensor)
      return tensor.error();
    if (isInput)
      inputs.push_back(spec);
    (isInput ? in : out).push_back(std::move(*tensor));
  }
  return Done{};
}

Status Program::open(tenon_model *model, const std::string &entry,
                     int64_t threads) {
  tenon_entry_info info = TENON_INIT(tenon_entry_info);
  std::optional<size_t> number = findEntry(model, entry, info);
  if (!number)
    return Error{"the model has no entry '" + entry +
                 "': tenon-compile --train makes one that trains"};
  if (!tenon_model_state_count(model, *number))
    return Error{"the entry '" + entry + "' has no states: it trains nothing"};
  tenon_context_options options = TENON_INIT(tenon_context_options);
  options.threads = int32_t(threads);
  options.entry = info.name;
  Status status = take(tenon_context_create(model, &options, &context));
  return status ? describe(model, *number) : std::move(status);
}

Status Program::run(tenon_state *state) {
  std::vector<tenon_tensor> given, made;
  for (const Tensor &tensor : in)
    given.push_back(viewOf(tensor, tensor.data()));
  for (const Tensor &tensor : out)
    made.push_back(viewOf(tensor, tensor.data()));
  return take(tenon_run_state(context, state, given.data(), given.size(),
                              made.data(), made.size()));
}

std::optional<size_t> Program::findOutput(const std::string &name) const {
  for (size_t i = 0; i < out.size(); ++i)
    if (out[i].spec.name == name)
      return i;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The session
//===----------------------------------------------------------------------===//

Status Session::open(const Options &options) {
  tenon_model *loaded;
  tenon_state *made;
  tenon_state_options keeping = TENON_INIT(tenon_state_options);
  keeping.entry = options.entry.c_str();
  Status status =
      take(tenon_model_load_file(options.model.c_str(), nullptr, &loaded));
  if (!status)
    return status;
  model.reset(loaded);
  status = step.open(loaded, options.entry, options.threads);
  if (status)
    status = take(tenon_state_create(loaded, &keeping, &made));
  if (!status)
    return status;
  kept.reset(made);
  tenon_entry_info info = TENON_INIT(tenon_entry_info);
  if (findEntry(loaded, "eval", info))
    status = evaluation.open(loaded, "eval", options.threads);
  if (!status || options.loadState.empty())
    return status;
  tenon_state_file about = TENON_INIT(tenon_state_file);
  status = take(tenon_state_load(made, options.loadState.c_str(), &about));
  seed = about.seed;
  return status;
}

Status Session::save(const std::string &path, uint64_t from) {
  tenon_state_file about = TENON_INIT(tenon_state_file);
  about.seed = from;
  return take(tenon_state_save(kept.get(), path.c_str(), &about));
}

Result<int64_t> Session::stepsDone() const {
  int64_t steps = countOf(TENON_STATE_COUNTER).value_or(0);
  if (steps < 0)
    return Error{"the state has seen " + std::to_string(steps) +
                 " steps, less than none"};
  return steps;
}

std::optional<int64_t> Session::countOf(tenon_state_role role) const {
  for (size_t i = 0; i < tenon_state_count(kept.get()); ++i) {
    tenon_state_tensor info = TENON_INIT(tenon_state_tensor);
    tenon_tensor value;
    if (!take(tenon_state_describe(kept.get(), i, &info)) ||
        info.role != role || !take(tenon_state_get(kept.get(), i, &value)))
      continue;
    return *static_cast<const int64_t *>(value.data);
  }
  return std::nullopt;
}
