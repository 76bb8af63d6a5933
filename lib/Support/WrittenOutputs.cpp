//===- WrittenOutputs.cpp - what tenon-run wrote --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Support/WrittenOutputs.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tenon;

std::vector<std::pair<std::string, std::string>>
tenon::writtenOutputs(const std::string &folder) {
  std::vector<std::pair<std::string, std::string>> outputs;
  auto text = llvm::MemoryBuffer::getFile(folder + "/outputs.json");
  auto json = llvm::json::parse(text ? (*text)->getBuffer() : "[]");
  if (!json) {
    llvm::consumeError(json.takeError());
    return outputs;
  }
  for (const llvm::json::Value &entry : *json->getAsArray()) {
    auto name = entry.getAsObject()->getString("name");
    auto file = entry.getAsObject()->getString("file");
    // Sequences and what is absent have none.
    if (name && file)
      outputs.emplace_back(name->str(), folder + "/" + file->str());
  }
  return outputs;
}
