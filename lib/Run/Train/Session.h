//===- Session.h - a model that is trained ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file declares what a run of training holds of the run time: the program
// that trains, the one that evaluates, and the state that both have.
//===----------------------------------------------------------------------===//
#ifndef TENON_RUN_TRAIN_SESSION_H
#define TENON_RUN_TRAIN_SESSION_H

#include "lib/Run/Options.h"
#include "lib/Run/Tensor.h"

#include <memory>
#include <optional>

namespace tenon::run {

/// An entry with its state's tensors left out.
class Program {
public:
  Program() = default;
  Program(const Program &) = delete;
  ~Program() { tenon_context_destroy(context); }

  /// Fails where the model has no such entry, or it has no states.
  Status open(tenon_model *model, const std::string &entry, int64_t threads);
  Status run(tenon_state *state);

  bool isOpen() const { return context; }
  /// The number of the output of that name.
  std::optional<size_t> findOutput(const std::string &name) const;

  std::vector<TensorSpec> inputs;
  std::vector<Tensor> in, out; ///< of all tensors, kept from run to run

private:
  tenon_context *context = nullptr;

  Status describe(const tenon_model *model, size_t entry);
};

class Session {
  // Contexts and states go before their model.
  std::unique_ptr<tenon_model, decltype(&tenon_model_destroy)> model{
      nullptr, tenon_model_destroy};
  std::unique_ptr<tenon_state, decltype(&tenon_state_destroy)> kept{
      nullptr, tenon_state_destroy};

public:
  /// Loads the model and, where options say so, the state.
  Status open(const Options &options);
  Status save(const std::string &path, uint64_t seed);
  /// How many steps the state has seen; an error where a file says fewer than
  /// none.
  Result<int64_t> stepsDone() const;
  /// How many of them changed nothing, as their gradients were too large.
  int64_t stepsSkipped() const {
    return countOf(TENON_STATE_SKIPPED).value_or(0);
  }

  tenon_state *state() { return kept.get(); }

  Program step, evaluation;
  /// What the loaded state was shuffled by.
  std::optional<uint64_t> seed;

private:
  /// What the state of that role, a number of steps, says.
  std::optional<int64_t> countOf(tenon_state_role role) const;
};

} // namespace tenon::run

#endif // TENON_RUN_TRAIN_SESSION_H
