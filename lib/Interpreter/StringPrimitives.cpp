//===- StringPrimitives.cpp - what is done to strings ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file says what the primitives of string tensors do.
//===----------------------------------------------------------------------===//
#include "lib/Interpreter/Letters.h"
#include "lib/Interpreter/Primitive.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace tenon::interp;

/// A string tensor like `like`, of another shape.
static Datum stringsOf(const Strings &like, Shape shape,
                       std::vector<std::string> elements) {
  auto type = RankedTensorType::get(shape, like.getType().getElementType());
  return Strings(type, std::move(elements));
}

//===-- string_normalizer -------------------------------------------------===//

static std::string changeCase(const std::string &text, int64_t change) {
  if (change == 0)
    return text;
  return change == 1 ? toLower(text) : toUpper(text);
}

/// Leaves out words of the second operand, then changes the case of the others.
/// Where no word is left there is an empty one.
static LogicalResult normalize(PrimitiveCall &call) {
  const Strings *texts = call.strings(0), *stops = call.strings(1);
  if (!texts || !stops)
    return failure();
  SmallVector<int64_t> shape(texts->getType().getShape());
  if (shape.empty() || shape.size() > 2 || (shape.size() == 2 && shape[0] != 1))
    return call.fail("wants strings [c] or [1, c], not " +
                     call.operands[0].describe());
  bool isSensitive = call.integers[1] != 0;
  auto isSame = [&](const std::string &a, const std::string &b) {
    return isSensitive ? a == b : toLower(a) == toLower(b);
  };
  std::vector<std::string> kept;
  for (const std::string &text : texts->elements())
    if (llvm::none_of(stops->elements(), [&](const std::string &stop) {
          return isSame(text, stop);
        }))
      kept.push_back(changeCase(text, call.integers[0]));
  if (kept.empty())
    kept.push_back("");
  shape.back() = kept.size();
  return call.give(stringsOf(*texts, shape, std::move(kept)));
}

//===-- string_concat, string_equal ---------------------------------------===//

/// The shape of two operands that are broadcast like numpy's; false where they
/// do not fit.
static bool broadcastShapes(Shape a, Shape b, SmallVector<int64_t> &shape) {
  shape.assign(std::max(a.size(), b.size()), 1);
  for (Shape from : {a, b})
    for (auto [to, extent] :
         llvm::zip(llvm::reverse(shape), llvm::reverse(from))) {
      if (extent == 1 || extent == to)
        continue;
      if (to != 1)
        return false;
      to = extent;
    }
  return true;
}

/// Calls `f` on pairs of elements, in the order of the result.
template <typename F>
static LogicalResult forEachPair(PrimitiveCall &call,
                                 SmallVector<int64_t> &shape, F f) {
  const Strings *left = call.strings(0), *right = call.strings(1);
  if (!left || !right)
    return failure();
  Shape a = left->getType().getShape(), b = right->getType().getShape();
  if (!broadcastShapes(a, b, shape))
    return call.fail("cannot broadcast " + call.operands[0].describe() +
                     " and " + call.operands[1].describe());
  forEachRun(
      shape,
      {broadcastStrides(a, shape.size()), broadcastStrides(b, shape.size())},
      [&](const Run &run) {
        for (int64_t i = 0; i < run.size; ++i)
          f(left->elements()[run.offsets[0] + i * run.strides[0]],
            right->elements()[run.offsets[1] + i * run.strides[1]]);
      });
  return success();
}

static LogicalResult concat(PrimitiveCall &call) {
  std::vector<std::string> texts;
  SmallVector<int64_t> shape;
  if (failed(forEachPair(call, shape,
                         [&](const std::string &a, const std::string &b) {
                           texts.push_back(a + b);
                         })))
    return failure();
  return call.give(stringsOf(*call.strings(0), shape, std::move(texts)));
}

static LogicalResult equal(PrimitiveCall &call) {
  std::vector<uint64_t> truths;
  SmallVector<int64_t> shape;
  if (failed(forEachPair(call, shape,
                         [&](const std::string &a, const std::string &b) {
                           truths.push_back(a == b);
                         })))
    return failure();
  Tensor result = Tensor::allocate(
      RankedTensorType::get(shape, IntegerType::get(call.context(), 1)));
  if (result)
    storeAll(result, truths);
  return call.give(result);
}

//===-- string_split ------------------------------------------------------===//

/// Words between blanks. What is left after `most` splits is one word.
static std::vector<std::string> splitAtBlanks(StringRef text, int64_t most) {
  constexpr llvm::StringLiteral blanks = " \t\n\v\f\r";
  std::vector<std::string> words;
  for (text = text.trim(blanks); !text.empty(); text = text.ltrim(blanks)) {
    size_t end = int64_t(words.size()) == most ? text.size()
                                               : text.find_first_of(blanks);
    words.push_back(text.take_front(end).str());
    text = text.drop_front(words.back().size());
  }
  return words;
}

/// Words between delimiters, which are empty between two in a row.
static std::vector<std::string> splitAt(StringRef delimiter, StringRef text,
                                        int64_t most) {
  std::vector<std::string> words;
  size_t end;
  while (int64_t(words.size()) != most &&
         (end = text.find(delimiter)) != StringRef::npos) {
    words.push_back(text.take_front(end).str());
    text = text.drop_front(end + delimiter.size());
  }
  words.push_back(text.str());
  return words;
}

static LogicalResult split(PrimitiveCall &call) {
  const Strings *texts = call.strings(0), *delimiter = call.strings(1);
  if (!texts || !delimiter)
    return failure();
  if (delimiter->elements().size() != 1)
    return call.fail("wants one delimiter, not " + call.operands[1].describe());
  StringRef mark = delimiter->elements().front();
  std::vector<std::vector<std::string>> rows;
  std::vector<int64_t> counts;
  for (const std::string &text : texts->elements()) {
    rows.push_back(mark.empty() ? splitAtBlanks(text, call.integers[0])
                                : splitAt(mark, text, call.integers[0]));
    counts.push_back(rows.back().size());
  }
  int64_t width = counts.empty() ? 0 : *llvm::max_element(counts);
  std::vector<std::string> padded;
  for (std::vector<std::string> &row : rows) {
    row.resize(width);
    llvm::append_range(padded, row);
  }
  SmallVector<int64_t> shape(texts->getType().getShape());
  Tensor lengths = numbersOf(call.context(), shape, counts);
  shape.push_back(width);
  return success(
      succeeded(call.give(stringsOf(*texts, shape, std::move(padded)))) &&
      succeeded(call.give(lengths)));
}

static LogicalResult reshape(PrimitiveCall &call) {
  const Datum *array = call.array(0);
  const Tensor *vector = call.tensor(1);
  if (!array || !vector)
    return failure();
  std::vector<int64_t> shape = loadAll<int64_t>(*vector);
  int64_t count = 1;
  for (int64_t extent : shape)
    if (extent < 0 || __builtin_mul_overflow(count, extent, &count))
      return call.fail("has a shape that no tensor has");
  if (count != countOf(*array))
    return call.fail("changes the element count");
  return call.give(reshaped(*array, shape));
}

//===-- fail --------------------------------------------------------------===//

static LogicalResult fail(PrimitiveCall &call) {
  const Strings *reason = call.strings(0);
  if (!reason)
    return failure();
  return call.fail(reason->elements().empty() ? "" : reason->elements()[0]);
}

static const PrimitiveEntry kEntries[] = {
    {"string_normalizer", normalize}, {"string_concat", concat},
    {"string_split", split},          {"string_equal", equal},
    {"string_reshape", reshape},      {"fail", fail},
};

ArrayRef<PrimitiveEntry> tenon::interp::stringPrimitives() { return kEntries; }
