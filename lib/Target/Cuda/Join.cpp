//===- Join.cpp - several texts of PTX as one -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Target/Cuda/Machine.h"

#include "llvm/ADT/StringSet.h"

using namespace tenon;
using llvm::StringRef;

/// A text starts with comments and three directives, of which this is the last.
static constexpr llvm::StringLiteral lastOfHeader = ".address_size";

/// Where what is behind the header begins.
static size_t headerEnd(StringRef text) {
  size_t at = text.find(lastOfHeader);
  size_t end = at == StringRef::npos ? at : text.find('\n', at);
  return end == StringRef::npos ? 0 : end + 1;
}

std::string cuda::joinPtx(llvm::ArrayRef<StringRef> texts) {
  if (texts.empty())
    return "";
  std::string joined = texts[0].take_front(headerEnd(texts[0])).str();
  llvm::StringSet<> declared;
  for (StringRef text : texts) {
    StringRef rest = text.drop_front(headerEnd(text));
    while (!rest.empty()) {
      auto [line, behind] = rest.split('\n');
      rest = behind;
      if (line.starts_with(".extern ") && !declared.insert(line).second)
        continue;
      joined += line;
      joined += '\n';
    }
  }
  return joined;
}
