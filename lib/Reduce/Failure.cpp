//===- Failure.cpp - whether a model still fails --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Reduce/Failure.h"

#include "lib/Support/WrittenOutputs.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using namespace tenon;
using namespace tenon::reduce;
using llvm::Expected;
using llvm::StringRef;

Expected<ProcessEnd> Failure::run(llvm::ArrayRef<std::string> words) {
  return runProgram(words, options.limits, file("output.txt"));
}

Expected<ProcessEnd> Failure::compile(const std::string &model) {
  std::vector<std::string> words = {options.compiler, model, "-o",
                                    file("try.tenon"), "--quiet"};
  words.insert(words.end(), options.flags.begin(), options.flags.end());
  return run(words);
}

Expected<bool> Failure::commandFails(const std::string &model) {
  std::vector<std::string> words = options.command;
  for (std::string &word : words)
    for (size_t at = 0; (at = word.find("{}", at)) != std::string::npos;
         at += model.size())
      word.replace(at, 2, model);
  auto end = run(words);
  if (!end)
    return end.takeError();
  if (end->isTooLong || end->succeeded())
    return false;
  return options.matching.empty() ||
         llvm::Regex(options.matching, llvm::Regex::Newline).match(end->output);
}

Expected<bool> Failure::crashes(const std::string &model) {
  auto compiled = compile(model);
  if (!compiled)
    return compiled.takeError();
  if (!compiled->succeeded())
    return compiled->crashed();
  auto ran = run({programBeside("tenon-run"), file("try.tenon")});
  return ran ? Expected<bool>(ran->crashed()) : ran.takeError();
}

static std::string exactText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.17g", value);
  return text;
}

Expected<bool> Failure::differs(const std::string &model) {
  auto compiled = compile(model);
  if (!compiled)
    return compiled.takeError();
  if (!compiled->succeeded())
    return false;
  std::string reference = file("reference");
  llvm::sys::fs::remove_directories(reference);
  auto interpreted =
      run({programBeside("tenon-interpret"), model, "--output-dir", reference});
  if (!interpreted)
    return interpreted.takeError();
  if (!interpreted->succeeded())
    return false;
  std::vector<std::string> words = {
      programBeside("tenon-run"), file("try.tenon"),
      "--rtol=" + exactText(options.rtol), "--atol=" + exactText(options.atol)};
  for (const auto &[name, path] : writtenOutputs(reference))
    words.insert(words.end(), {"--expect", name + "=" + path});
  auto ran = run(words);
  if (!ran)
    return ran.takeError();
  // It says how much they differ; else it could not run.
  return ran->status == 1 &&
         !StringRef(ran->output).contains("tenon-run: error");
}

/// The code in a message, as "TN0206", or "".
static std::string codeIn(StringRef output) {
  llvm::SmallVector<StringRef> found;
  llvm::Regex code("\\[(TN[0-9]{4})\\]");
  return code.match(output, &found) ? found[1].str() : "";
}

Expected<bool> Failure::isRefused(const std::string &model) {
  auto compiled = compile(model);
  if (!compiled)
    return compiled.takeError();
  if (compiled->succeeded() || compiled->signal || compiled->isTooLong)
    return false;
  std::string found = codeIn(compiled->output);
  if (code.empty())
    code = found;
  return found == code;
}

Expected<bool> Failure::holds(const std::string &model) {
  switch (options.kind) {
  case FailureKind::Command:
    return commandFails(model);
  case FailureKind::Crash:
    return crashes(model);
  case FailureKind::Differs:
    return differs(model);
  case FailureKind::Refused:
    return isRefused(model);
  }
  return false;
}
