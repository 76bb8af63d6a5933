//===- ThreadBuilderLoads.cpp - loads that stay where they are ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file holds loads of global memory that no operation has: under a
// condition without a branch, or before earlier kernels have ended.
//===----------------------------------------------------------------------===//
#include "passes/CodegenGpu/Builder/ThreadBuilder.h"

using namespace mlir;
using namespace tenon;
using tenon::gpu::ThreadBuilder;
using tenon::gpu::Values;

namespace {
/// One instruction that loads `count` words.
class WordLoad {
public:
  WordLoad(Type word, int64_t count) : word(word), count(count) {
    for (int64_t i = 0; i < count; ++i)
      registers += (i ? ", $" : "$") + std::to_string(i);
    if (count > 1)
      registers = "{" + registers + "}";
  }

  Type resultType() const {
    return count == 1 ? word
                      : LLVM::LLVMStructType::getLiteral(
                            word.getContext(), SmallVector<Type>(count, word));
  }

  /// `pointer` is the number of its operand.
  std::string code(StringRef how, int64_t pointer) const {
    std::string code = "ld.global" + how.str();
    if (count > 1)
      code += ".v" + std::to_string(count);
    code += word.isInteger(16) ? ".b16 " : ".b32 ";
    return code + registers + ", [$" + std::to_string(pointer) + "];";
  }

  std::string results() const {
    std::string text;
    for (int64_t i = 0; i < count; ++i)
      text += word.isInteger(16) ? "=h," : "=r,";
    return text;
  }

  /// Inputs that are the results before.
  std::string ties() const {
    std::string text;
    for (int64_t i = 0; i < count; ++i)
      text += "," + std::to_string(i);
    return text;
  }

private:
  Type word;
  int64_t count;
  std::string registers;
};

/// How a number, or some beside each other, are made of words.
struct Pieces {
  Pieces(Type type, int64_t alignment) {
    auto vector = dyn_cast<VectorType>(type);
    int64_t bytes = getElementTypeOrSelf(type).getIntOrFloatBitWidth() / 8 *
                    (vector ? vector.getNumElements() : 1);
    int64_t access = std::min<int64_t>({bytes, alignment, 16});
    wordBytes = std::min<int64_t>(access, 4);
    count = bytes / wordBytes;
    each = access / wordBytes;
    word = IntegerType::get(type.getContext(), unsigned(wordBytes * 8));
    all = count == 1 ? word : VectorType::get({count}, word);
  }

  Type word, all;
  int64_t wordBytes, count;
  int64_t each; ///< words that an instruction loads
};
} // namespace

Values ThreadBuilder::load(Type type, StringRef code, ValueRange operands,
                           StringRef constraints) {
  auto loaded = LLVM::InlineAsmOp::create(
      b, location, type, operands, code, constraints,
      /*has_side_effects=*/true, /*is_align_stack=*/false,
      LLVM::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr());
  Value result = loaded.getResult(0);
  return isa<LLVM::LLVMStructType>(type) ? membersOf(result) : Values{result};
}

Values ThreadBuilder::wordsOf(Value value, Type all, int64_t count) {
  Value whole = bitcast(value, all);
  if (count == 1)
    return {whole};
  Values words;
  for (int64_t i = 0; i < count; ++i)
    words.push_back(
        LLVM::ExtractElementOp::create(b, location, whole, number(i)));
  return words;
}

Value ThreadBuilder::ofWords(ValueRange words, Type all, Type type) {
  if (words.size() == 1)
    return bitcast(words.front(), type);
  Value result = LLVM::PoisonOp::create(b, location, all);
  for (auto [i, word] : llvm::enumerate(words))
    result = LLVM::InsertElementOp::create(b, location, result, word,
                                           number(int64_t(i)));
  return bitcast(result, type);
}

/// Results are what comes in where a load is left out.
Value ThreadBuilder::loadIf(Value condition, Value pointer, int64_t alignment,
                            Value otherwise) {
  Type type = otherwise.getType();
  if (!condition)
    return load(pointer, type, alignment);
  Pieces pieces(type, alignment);
  Values words = wordsOf(otherwise, pieces.all, pieces.count);
  WordLoad one(pieces.word, pieces.each);
  std::string guard = "@$" + std::to_string(pieces.each) + " ";
  for (int64_t i = 0; i < pieces.count; i += pieces.each) {
    auto own = MutableArrayRef(words).slice(i, pieces.each);
    Values operands = {condition, at(pointer, i * pieces.wordBytes)};
    llvm::append_range(operands, own);
    llvm::copy(load(one.resultType(), guard + one.code("", pieces.each + 1),
                    operands, one.results() + "b,l" + one.ties()),
               own.begin());
  }
  return ofWords(words, pieces.all, type);
}

/// Behind `nc` ptxas would wait for earlier kernels first.
Value ThreadBuilder::loadConstant(Value pointer, Type type, int64_t alignment) {
  Pieces pieces(type, alignment);
  WordLoad one(pieces.word, pieces.each);
  Values words;
  for (int64_t i = 0; i < pieces.count; i += pieces.each)
    llvm::append_range(
        words, load(one.resultType(), one.code(".L1::evict_last", pieces.each),
                    at(pointer, i * pieces.wordBytes), one.results() + "l"));
  return ofWords(words, pieces.all, type);
}
