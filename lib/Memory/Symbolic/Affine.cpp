//===- Affine.cpp - sizes with symbols ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Memory/Symbolic/Affine.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <optional>

using namespace tenon::mem;

std::vector<int64_t> tenon::mem::highest(const Box &box) {
  std::vector<int64_t> point;
  for (const Symbol &symbol : box)
    point.push_back(symbol.high);
  return point;
}

void Affine::add(size_t symbol, int64_t factor) {
  if (factors.size() <= symbol)
    factors.resize(symbol + 1, 0);
  factors[symbol] += factor;
}

Affine Affine::operator+(const Affine &other) const {
  Affine sum = *this;
  sum.constant += other.constant;
  for (size_t i = 0; i < other.factors.size(); ++i)
    sum.add(i, other.factors[i]);
  return sum;
}

Affine Affine::operator-(const Affine &other) const {
  Affine difference = *this;
  difference.constant -= other.constant;
  for (size_t i = 0; i < other.factors.size(); ++i)
    difference.add(i, -other.factors[i]);
  return difference;
}

bool Affine::operator==(const Affine &other) const {
  Affine difference = *this - other;
  return difference.constant == 0 && difference.isConstant();
}

bool Affine::isConstant() const {
  return llvm::all_of(factors, [](int64_t factor) { return factor == 0; });
}

bool Affine::isMultipleOf(int64_t alignment) const {
  return constant % alignment == 0 &&
         llvm::all_of(factors, [&](int64_t f) { return f % alignment == 0; });
}

int64_t Affine::at(llvm::ArrayRef<int64_t> point) const {
  int64_t value = constant;
  for (size_t i = 0; i < factors.size(); ++i)
    if (factors[i])
      value += factors[i] * point[i];
  return value;
}

int64_t Affine::least(const Box &box) const {
  int64_t value = constant;
  for (size_t i = 0; i < factors.size(); ++i)
    value += factors[i] * (factors[i] > 0 ? box[i].low : box[i].high);
  return value;
}

int64_t Affine::most(const Box &box) const {
  int64_t value = constant;
  for (size_t i = 0; i < factors.size(); ++i)
    value += factors[i] * (factors[i] > 0 ? box[i].high : box[i].low);
  return value;
}

std::string Affine::text(const Box &box) const {
  std::string result;
  auto addTerm = [&](int64_t value, const std::string &name) {
    if (!result.empty() && value >= 0)
      result += '+';
    result += std::to_string(value);
    if (!name.empty())
      result += '*' + name;
  };
  for (size_t i = 0; i < factors.size(); ++i)
    if (factors[i])
      addTerm(factors[i], box[i].name);
  if (constant || result.empty())
    addTerm(constant, "");
  return result;
}

Affine tenon::mem::join(const Affine &a, const Affine &b, const Box &box) {
  if ((a - b).least(box) >= 0)
    return a;
  if ((b - a).least(box) >= 0)
    return b;
  // Measured from the lowest corner all symbols are positive, so the larger of
  // two factors is never too small.
  Affine result;
  int64_t atLowA = a.constant, atLowB = b.constant;
  for (size_t i = 0; i < box.size(); ++i) {
    atLowA += a.factor(i) * box[i].low;
    atLowB += b.factor(i) * box[i].low;
  }
  result.constant = std::max(atLowA, atLowB);
  for (size_t i = 0; i < box.size(); ++i) {
    int64_t factor = std::max(a.factor(i), b.factor(i));
    result.add(i, factor);
    result.constant -= factor * box[i].low;
  }
  return result;
}

static llvm::Error wrong(llvm::StringRef text, const char *why) {
  return llvm::createStringError("'%s' %s", text.str().c_str(), why);
}

/// Adds one product, `4*n*64`.
static llvm::Error addProduct(llvm::StringRef text, bool negative,
                              const Box &box, Affine &sum) {
  int64_t value = negative ? -1 : 1, largest = 1;
  std::optional<size_t> symbol;
  llvm::SmallVector<llvm::StringRef> words;
  text.split(words, '*');
  for (llvm::StringRef word : words) {
    int64_t number = 1;
    auto found = llvm::find_if(
        box, [&](const Symbol &known) { return known.name == word; });
    if (found != box.end()) {
      if (symbol)
        return wrong(text, "has more than one symbol: it is not affine");
      symbol = found - box.begin();
      largest = std::max<int64_t>(found->high, 1);
    } else if (word.empty() || !llvm::isDigit(word.front())) {
      return wrong(word, "is neither a number nor a symbol");
    } else if (word.getAsInteger(10, number)) {
      return wrong(word, "is not a number, or too large");
    }
    if (llvm::MulOverflow(value, number, value))
      return wrong(text, "is too large");
  }
  // Far enough below overflow that sums of many forms stay exact.
  const int64_t most = int64_t(1) << (symbol ? 40 : 60);
  int64_t extreme;
  if (llvm::MulOverflow(value, largest, extreme) || extreme > most ||
      extreme < -most)
    return wrong(text, "is too large");
  if (symbol) {
    sum.add(*symbol, value);
    return llvm::Error::success();
  }
  sum.constant += value;
  if (sum.constant > most || sum.constant < -most)
    return wrong(text, "is too large");
  return llvm::Error::success();
}

llvm::Expected<Affine> tenon::mem::readAffine(llvm::StringRef text,
                                              const Box &box) {
  Affine sum;
  llvm::StringRef rest = text;
  if (text.size() > 1000)
    return wrong(text.take_front(20), "is too long");
  bool negative = rest.consume_front("-");
  while (true) {
    size_t end = rest.find_first_of("+-");
    if (llvm::Error error = addProduct(rest.substr(0, end), negative, box, sum))
      return error;
    if (end == llvm::StringRef::npos)
      return sum;
    negative = rest[end] == '-';
    rest = rest.substr(end + 1);
  }
}
