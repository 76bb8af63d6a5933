//===- Side.cpp - one of two that are compared ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Compare/Side.h"

#include "lib/Support/File.h"
#include "lib/Support/WrittenOutputs.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cstring>

using namespace tenon;
using namespace tenon::compare;
using llvm::Expected;
using llvm::StringRef;

std::string Runner::newFile(StringRef suffix) {
  return folder + "/" + std::to_string(files++) + suffix.str();
}

/// An error unless it ends with success.
llvm::Error Runner::start(std::vector<std::string> words) {
  auto end = runProgram(words, limits, folder + "/output.txt");
  if (!end)
    return end.takeError();
  if (end->succeeded())
    return llvm::Error::success();
  std::string said = StringRef(end->output).rtrim().str();
  if (end->isTooLong)
    said += "no end after " + std::to_string(limits.seconds) + " seconds";
  else if (end->signal)
    said += std::string(said.empty() ? "" : "\n") + "ended by signal " +
            std::to_string(end->signal) + " (" + strsignal(end->signal) + ")";
  return llvm::createStringError(said);
}

Expected<std::string> Runner::write(const Side &side,
                                    const Question &question) {
  const auto &parts = side.model->parts();
  llvm::BitVector kept(parts.size(), question.nodes.empty());
  for (size_t i = 0; i < parts.size(); ++i)
    if (question.nodes.contains(parts[i].name))
      kept.set(i);
  auto bytes = side.model->take(kept, question.taking);
  if (!bytes)
    return llvm::createStringError(
        "the model has no node whose values can be compared");
  std::string file = newFile(".onnx");
  if (llvm::Error error = writeFile(file, *bytes))
    return std::move(error);
  return file;
}

llvm::Error Runner::compile(const Side &side, const Question &question,
                            const std::string &model,
                            const std::string &artifact) {
  std::vector<std::string> words = {side.compiler, model, "-o", artifact,
                                    "--quiet"};
  words.insert(words.end(), side.flags.begin(), side.flags.end());
  words.insert(words.end(), question.flags.begin(), question.flags.end());
  return start(words);
}

Expected<Values> Runner::collect(std::vector<std::string> words,
                                 const std::vector<std::string> &inputs) {
  std::string outputs = newFile(".values");
  words.insert(words.end(), {"--output-dir", outputs});
  for (const std::string &input : inputs)
    words.insert(words.end(), {"--input", input});
  if (llvm::Error error = start(words))
    return std::move(error);
  Values values;
  for (auto &[name, path] : writtenOutputs(outputs))
    values[name] = path;
  return values;
}

Expected<Values> Runner::run(const std::string &artifact,
                             const std::vector<std::string> &inputs) {
  return collect({programBeside("tenon-run"), artifact}, inputs);
}

Expected<Values> Runner::evaluate(const Side &side, const Question &question) {
  auto model = write(side, question);
  if (!model)
    return model.takeError();
  if (side.compiler.empty())
    return collect({programBeside("tenon-interpret"), *model}, question.inputs);
  std::string artifact = newFile(".tenon");
  if (llvm::Error error = compile(side, question, *model, artifact))
    return std::move(error);
  return run(artifact, question.inputs);
}

/// The names in "a;b".
static void addNames(StringRef text, llvm::StringSet<> &seen,
                     std::vector<std::string> &names) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef name : parts)
    if (seen.insert(name).second)
      names.push_back(name.str());
}

static std::vector<std::string> nodesOf(const llvm::json::Object &group) {
  llvm::StringSet<> seen;
  std::vector<std::string> names;
  if (const llvm::json::Array *operators = group.getArray("operators"))
    for (const llvm::json::Value &each : *operators)
      addNames(each.getAsObject()->getString("nodes").value_or(""), seen,
               names);
  return names;
}

Expected<std::vector<std::vector<std::string>>>
Runner::groups(const Side &side, const Question &question) {
  auto model = write(side, question);
  if (!model)
    return model.takeError();
  std::string report = newFile(".json");
  Question asked = question;
  asked.flags.push_back("--report=" + report);
  if (llvm::Error error = compile(side, asked, *model, newFile(".tenon")))
    return std::move(error);
  auto text = llvm::MemoryBuffer::getFile(report);
  auto json = llvm::json::parse(text ? (*text)->getBuffer() : "{}");
  if (!json)
    return json.takeError();
  std::vector<std::vector<std::string>> groups;
  if (const auto *array = json->getAsObject()->getArray("groups"))
    for (const llvm::json::Value &group : *array)
      groups.push_back(nodesOf(*group.getAsObject()));
  return groups;
}
