//===- Train.cpp - a run that trains --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Run/Train/Train.h"

#include "lib/Run/Inputs.h"
#include "lib/Run/Train/Curve.h"
#include "lib/Run/Train/DataSet.h"
#include "lib/Run/Train/Progress.h"
#include "lib/Run/Train/Schedule.h"
#include "lib/Run/Train/Session.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

using namespace tenon;
using namespace tenon::run;

namespace {
class Training {
public:
  explicit Training(const Options &options) : options(options) {}

  Status open();
  Status run();

private:
  Status openData();
  Status openEvaluation();
  Status openSeed();
  Status runStep(int64_t step);
  Status evaluate();
  Status afterStep(int64_t step);
  Status finish();

  const Options &options;
  Session session;
  Schedule schedule;
  DataSet data, evalData;
  size_t loss = 0, evalLoss = 0; ///< outputs
  size_t rateInput = 0;
  uint64_t seed = 0;
  int64_t first = 0, total = 0; ///< steps
  std::vector<CurvePoint> points;
};
} // namespace

//===----------------------------------------------------------------------===//
// Before the first step
//===----------------------------------------------------------------------===//

static bool isGiven(const Options &options, const std::string &name) {
  auto has = [&](const Assignment &input) { return input.name == name; };
  return std::any_of(options.inputs.begin(), options.inputs.end(), has);
}

/// Reads what all batches have in common. Every input must come from somewhere.
static Status fillConstants(const Options &options, const DataSet &data,
                            Program &program) {
  std::vector<TensorSpec> specs;
  Options given = options;
  given.inputs.clear();
  for (size_t i = 0; i < program.inputs.size(); ++i) {
    const TensorSpec &spec = program.inputs[i];
    if (data.has(i) || spec.name == "learning_rate")
      continue;
    if (!isGiven(options, spec.name))
      return Error{"nothing says what the input '" + spec.name +
                   "' is: give --data " + spec.name + "=FILE.npy, or --input " +
                   spec.name + "=FILE.npy of one batch for all"};
    specs.push_back(spec);
  }
  for (const Assignment &input : options.inputs)
    for (const TensorSpec &spec : specs)
      if (input.name == spec.name)
        given.inputs.push_back(input);
  Result<std::vector<Tensor>> tensors = gatherInputs(given, specs);
  if (!tensors)
    return tensors.error();
  for (Tensor &tensor : *tensors)
    for (size_t i = 0; i < program.inputs.size(); ++i)
      if (program.inputs[i].name == tensor.spec.name)
        program.in[i] = std::move(tensor);
  return Done{};
}

/// The scalar that is made small.
static Result<size_t> lossOf(const Program &program) {
  if (std::optional<size_t> found = program.findOutput("loss")) {
    if (program.out[*found].elements != 1)
      return Error{"the output 'loss' is no number"};
    return *found;
  }
  std::optional<size_t> only;
  for (size_t i = 0; i < program.out.size(); ++i) {
    if (program.out[i].elements != 1)
      continue;
    if (only)
      return Error{"the model has no output 'loss', and several numbers"};
    only = i;
  }
  if (!only)
    return Error{"the model has no output 'loss'"};
  return *only;
}

Status Training::openSeed() {
  seed = session.seed.value_or(0);
  if (options.seed.empty())
    return Done{};
  const char *end = options.seed.data() + options.seed.size();
  auto [at, wrong] = std::from_chars(options.seed.data(), end, seed);
  if (wrong != std::errc() || at != end)
    return Error{"--seed: '" + options.seed + "' is no number below 2^64"};
  return Done{};
}

Status Training::openEvaluation() {
  Program &program = session.evaluation;
  bool isAsked = options.evalEvery || !options.evalData.empty();
  if (!isAsked)
    return Done{};
  if (!program.isOpen())
    return Error{"the model has no entry 'eval'"};
  const auto &sources =
      options.evalData.empty() ? options.data : options.evalData;
  Result<DataSet> read = DataSet::read(sources, program.inputs, "--eval-data");
  if (!read)
    return read.error();
  evalData = std::move(*read);
  Result<size_t> output = lossOf(program);
  if (!output)
    return output.error();
  evalLoss = *output;
  return fillConstants(options, evalData, program);
}

Status Training::openData() {
  Program &program = session.step;
  Result<DataSet> read = DataSet::read(options.data, program.inputs, "--data");
  if (!read)
    return read.error();
  data = std::move(*read);
  auto isRate = [](const TensorSpec &spec) {
    return spec.name == "learning_rate" && spec.shape.empty() &&
           sameType(spec.type, {TENON_FLOAT, 32, 1});
  };
  auto found =
      std::find_if(program.inputs.begin(), program.inputs.end(), isRate);
  if (found == program.inputs.end())
    return Error{"the entry '" + options.entry +
                 "' takes no 'learning_rate': it does not train"};
  rateInput = size_t(found - program.inputs.begin());
  if (data.has(rateInput) || isGiven(options, "learning_rate"))
    return Error{"--lr says what the learning rate is"};
  Result<size_t> output = lossOf(program);
  if (!output)
    return output.error();
  loss = *output;
  return fillConstants(options, data, program);
}

Status Training::open() {
  if (!options.rate.empty()) {
    Result<Schedule> parsed = parseSchedule(options.rate);
    if (!parsed)
      return parsed.error();
    schedule = *parsed;
  }
  Status status = session.open(options);
  if (!status)
    return Error{"'" + options.model + "': " + status.error().message};
  if (status = openSeed(); status)
    status = openData();
  if (status)
    status = openEvaluation();
  if (!status)
    return status;
  int64_t epochs = std::max<int64_t>(options.epochs, 1);
  total = options.steps ? options.steps : epochs * data.batches();
  Result<int64_t> done = session.stepsDone();
  if (!done)
    return done.error();
  first = *done;
  if (first >= total)
    return Error{"the state has seen " + std::to_string(first) +
                 " steps, and --epochs or --steps ask for " +
                 std::to_string(total) + " in all"};
  return Done{};
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// `step`: from 0 on, over all runs that the state has seen.
Status Training::runStep(int64_t step) {
  Program &program = session.step;
  int64_t batch = step % data.batches();
  if (options.shuffle && (batch == 0 || step == first))
    data.shuffle(seed, step / data.batches());
  data.fill(batch, program.in);
  CurvePoint point;
  point.step = step + 1;
  point.rate = schedule.at(step, total);
  *reinterpret_cast<float *>(program.in[rateInput].data()) = float(point.rate);
  if (Status status = program.run(session.state()); !status)
    return Error{"step " + std::to_string(step + 1) + ": " +
                 status.error().message};
  point.loss = program.out[loss].at(0);
  points.push_back(point);
  if (!std::isfinite(point.loss))
    return Error{"the loss is no number in step " + std::to_string(step + 1) +
                 "; nothing was saved behind it"};
  return Done{};
}

/// The mean of the loss over all batches.
Status Training::evaluate() {
  Program &program = session.evaluation;
  double sum = 0;
  for (int64_t batch = 0; batch < evalData.batches(); ++batch) {
    evalData.fill(batch, program.in);
    if (Status status = program.run(session.state()); !status)
      return Error{"evaluation: " + status.error().message};
    sum += program.out[evalLoss].at(0);
  }
  points.back().evaluated = sum / double(evalData.batches());
  printf("step %lld: loss %.6g, eval loss %.6g\n",
         (long long)points.back().step, points.back().loss,
         *points.back().evaluated);
  fflush(stdout);
  return Done{};
}

/// What is due behind step number `step`, from 1 on.
Status Training::afterStep(int64_t step) {
  bool isLast = step == total;
  bool evaluates = session.evaluation.isOpen() && evalData.rows() > 0;
  Status status = Done{};
  if (evaluates &&
      (isLast || (options.evalEvery && step % options.evalEvery == 0)))
    status = evaluate();
  if (status && options.saveEvery && !isLast && step % options.saveEvery == 0)
    status = session.save(options.saveState, seed);
  return status;
}

Status Training::finish() {
  if (!options.lossCurve.empty())
    if (Status status = writeCurve(options.lossCurve, points); !status)
      return status;
  if (!options.saveState.empty())
    if (Status status = session.save(options.saveState, seed); !status)
      return status;
  printf("loss: %.6g to %.6g in steps %lld to %lld, of %lld rows each\n",
         points.front().loss, points.back().loss,
         (long long)points.front().step, (long long)points.back().step,
         (long long)data.batchSize());
  if (int64_t skipped = session.stepsSkipped())
    printf(
        "skipped: %lld updates in %lld steps, whose gradients were no finite "
        "numbers\n",
        (long long)skipped, (long long)total);
  return Done{};
}

Status Training::run() {
  Progress progress(total, data.batchSize());
  for (int64_t step = first; step < total; ++step) {
    Status status = runStep(step);
    if (status) {
      progress.show(step + 1, points.back().loss, points.back().rate,
                    session.stepsSkipped());
      status = afterStep(step + 1);
    }
    if (!status) {
      // What led there can be seen.
      if (!options.lossCurve.empty() && !points.empty())
        (void)bool(writeCurve(options.lossCurve, points));
      return status;
    }
  }
  return finish();
}

Status tenon::run::train(Options options) {
  if (options.entry.empty())
    options.entry = "step";
  Training training(options);
  Status status = training.open();
  return status ? training.run() : std::move(status);
}
