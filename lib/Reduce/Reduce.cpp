//===- Reduce.cpp - the smallest model that still fails -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Reduce/Reduce.h"

#include "lib/Import/Onnx/Parts.h"
#include "lib/Reduce/Minimize.h"
#include "lib/Support/File.h"
#include "lib/Support/ScratchFolder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

using namespace tenon;
using namespace tenon::reduce;
using llvm::BitVector;
using onnximport::PartedModel;

/// Where the output notes of which question it is an answer.
static constexpr const char *noteKey = "tenon.reduced_from";

namespace {
class Reduction {
public:
  Reduction(const ReduceOptions &options, const ScratchFolder &folder,
            const std::function<void(const Progress &)> &tell)
      : options(options), candidate(folder.file("try.onnx")),
        failure(options.failure, folder.name().str()), tell(tell) {}
  llvm::Expected<Progress> run();

private:
  llvm::Expected<PartedModel> begin();
  llvm::Expected<bool> reduceNodes();
  llvm::Error reduceRest();
  llvm::Expected<bool> tryModel(const std::string &model);
  bool fails(const std::string &model);
  bool failsWith(const PartedModel &model, const BitVector &kept);
  std::string question() const;

  const ReduceOptions &options;
  std::string candidate;
  Failure failure;
  const std::function<void(const Progress &)> &tell;
  Progress progress;
  std::string stopped; ///< why nothing is tried any more
};
} // namespace

/// What tells this reduction from others.
std::string Reduction::question() const {
  const FailureOptions &asked = options.failure;
  std::string text = std::to_string(int(asked.kind)) + asked.matching + "\n" +
                     llvm::join(asked.command, "\n") + "\n" +
                     llvm::join(asked.flags, "\n");
  for (const auto &[name, size] : options.dims)
    text += "\n" + name + "=" + std::to_string(size);
  if (auto file = llvm::MemoryBuffer::getFile(options.model))
    text += (*file)->getBuffer();
  return llvm::utohexstr(llvm::xxh3_64bits(text));
}

llvm::Expected<bool> Reduction::tryModel(const std::string &model) {
  if (llvm::Error error = writeFile(candidate, model))
    return std::move(error);
  auto holds = failure.holds(candidate);
  if (holds && *holds)
    if (llvm::Error error = replaceFile(options.output, model))
      return std::move(error);
  return holds;
}

/// Tries a model; one that fails is the best so far.
bool Reduction::fails(const std::string &model) {
  if (!stopped.empty())
    return false;
  ++progress.tries;
  auto holds = tryModel(model);
  if (holds)
    return *holds;
  stopped = llvm::toString(holds.takeError());
  return false;
}

bool Reduction::failsWith(const PartedModel &model, const BitVector &kept) {
  auto taken = model.take(kept);
  bool failed = taken && fails(*taken);
  if (failed)
    progress.nodes = kept.count();
  tell(progress);
  return failed;
}

/// The model, or what an earlier reduction has left.
llvm::Expected<PartedModel> Reduction::begin() {
  auto model = PartedModel::read(options.model);
  if (!model)
    return model;
  for (const auto &[name, size] : options.dims)
    model->fixDim(name, size);
  progress.nodesBefore = progress.nodes = model->parts().size();
  auto earlier = PartedModel::read(options.output);
  progress.wentOn = earlier && earlier->note(noteKey) == question();
  if (progress.wentOn && fails(earlier->bytes())) {
    progress.nodes = earlier->parts().size();
    return earlier;
  }
  if (!earlier)
    llvm::consumeError(earlier.takeError());
  model->setNote(noteKey, question());
  if (!fails(model->bytes()))
    return llvm::createStringError(
        stopped.empty() ? "the model does not fail: there is nothing to reduce"
                        : stopped);
  return model;
}

/// Whether fewer nodes fail, too.
llvm::Expected<bool> Reduction::reduceNodes() {
  auto model = PartedModel::read(options.output);
  if (!model)
    return model.takeError();
  unsigned count = model->parts().size();
  BitVector kept = minimize(
      count, [&](const BitVector &kept) { return failsWith(*model, kept); });
  if (!stopped.empty())
    return llvm::createStringError(stopped);
  return kept.count() < count;
}

/// Attributes and sizes.
llvm::Error Reduction::reduceRest() {
  auto model = PartedModel::read(options.output);
  for (size_t step = 0; model && step < model->smallerCount();) {
    bool failed = fails(model->smaller(step));
    tell(progress);
    if (failed)
      model = PartedModel::read(options.output);
    else
      ++step;
  }
  if (!model)
    return model.takeError();
  return stopped.empty() ? llvm::Error::success()
                         : llvm::createStringError(stopped);
}

llvm::Expected<Progress> Reduction::run() {
  auto model = begin();
  if (!model)
    return model.takeError();
  for (bool goesOn = true; goesOn;) {
    auto changed = reduceNodes();
    if (!changed)
      return changed.takeError();
    goesOn = *changed;
  }
  if (llvm::Error error = reduceRest())
    return std::move(error);
  return progress;
}

llvm::Expected<Progress>
tenon::reduce::reduceModel(const ReduceOptions &options,
                           const std::function<void(const Progress &)> &tell) {
  ScratchFolder folder;
  if (llvm::Error error = folder.create())
    return std::move(error);
  return Reduction(options, folder, tell).run();
}
