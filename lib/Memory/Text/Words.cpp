//===- Words.cpp - lines, names and numbers of text forms -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Text/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

using namespace tenon::mem;
using llvm::StringRef;

static bool isPlain(char c) {
  return llvm::isAlnum(c) || StringRef("_./:-+$@[]()<>!&|~^=;").contains(c);
}

std::string tenon::mem::nameText(StringRef name) {
  // The words that end a list of names in the program form.
  static constexpr StringRef reserved[] = {"reads", "writes", "joins", "guard"};
  bool first = llvm::is_contained(reserved, name);
  // A lone percent sign is the empty name.
  std::string text = name.empty() ? "%" : "";
  for (char c : name) {
    if (isPlain(c) && !first)
      text += c;
    else
      text += '%' + llvm::toHex(StringRef(&c, 1));
    first = false;
  }
  return text;
}

std::string tenon::mem::readName(StringRef word) {
  if (word == "%")
    return "";
  std::string name;
  for (size_t i = 0; i < word.size(); ++i) {
    bool coded = word[i] == '%' && i + 2 < word.size() &&
                 llvm::isHexDigit(word[i + 1]) && llvm::isHexDigit(word[i + 2]);
    name +=
        coded ? char(llvm::hexFromNibbles(word[i + 1], word[i + 2])) : word[i];
    i += coded ? 2 : 0;
  }
  return name;
}

std::string tenon::mem::decimalText(int64_t units, unsigned decimals) {
  int64_t one = 1;
  for (unsigned digit = 0; digit < decimals; ++digit)
    one *= 10;
  std::string text = std::to_string(units / one);
  int64_t rest = units % one;
  if (rest == 0)
    return text;
  std::string digits = std::to_string(one + rest).substr(1);
  return text + "." + StringRef(digits).rtrim('0').str();
}

llvm::Error tenon::mem::atLine(size_t line, StringRef why) {
  return llvm::createStringError("line %zu: %s", line, why.str().c_str());
}

llvm::Error tenon::mem::atLine(size_t line, StringRef what, StringRef why) {
  return atLine(line, "'" + what.str() + "' " + why.str());
}

llvm::Expected<int64_t> tenon::mem::readInteger(StringRef word, size_t line,
                                                int64_t least, int64_t most) {
  int64_t value;
  if (word.getAsInteger(10, value))
    return atLine(line, word, "is not an integer");
  if (value < least || value > most)
    return atLine(line, word, "is out of range");
  return value;
}

llvm::Expected<Clock> tenon::mem::readClock(StringRef word, size_t line) {
  llvm::SmallVector<StringRef> counters;
  word.split(counters, ':');
  std::vector<int64_t> ticks;
  for (StringRef counter : counters) {
    // Sums and successors of counters stay in range.
    constexpr int64_t most = int64_t(1) << 40;
    llvm::Expected<int64_t> tick = readInteger(counter, line, -most, most);
    if (!tick)
      return tick.takeError();
    ticks.push_back(*tick);
  }
  return Clock(ticks);
}

std::string tenon::mem::clockText(const Clock &clock) {
  std::string text;
  for (size_t s = 0; s < clock.streams(); ++s)
    text += (s ? ":" : "") + std::to_string(clock[s]);
  return text;
}

void Lines::define(StringRef name, bool node, size_t line) {
  if (tensors.empty() && nodes.empty())
    first = line;
  // Of two definitions, the later one is at fault.
  (node ? nodes : tensors)[name] = line;
}

llvm::Error Lines::locate(llvm::Error error) const {
  if (!error)
    return error;
  std::string message = llvm::toString(std::move(error));
  auto [before, rest] = StringRef(message).split('\'');
  StringRef name = rest.split('\'').first;
  const llvm::StringMap<size_t> &known = before == "node " ? nodes : tensors;
  auto found = known.find(name);
  return atLine(found == known.end() ? first : found->second, message);
}

std::vector<int64_t> tenon::mem::arenasOf(const Problem &problem,
                                          llvm::ArrayRef<int64_t> offsets) {
  std::vector<int64_t> arenas(problem.scopes(), 0);
  auto cover = [&](unsigned buffer, int64_t guard) {
    int64_t &arena = arenas[problem.buffers[buffer].scope];
    arena =
        std::max(arena, offsets[buffer] + problem.buffers[buffer].size + guard);
  };
  for (unsigned i = 0; i < offsets.size(); ++i)
    cover(i, 0);
  for (const Contiguous &list : problem.lists)
    cover(list.buffers.back(), list.guardBytes);
  return arenas;
}
