//===- Matrices.cpp - ldmatrix, stmatrix, mma -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the tensor cores' instructions of a warp.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Address.h"
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Fragments.h"

#include <algorithm>
#include <charconv>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

/// Lane 8 * m + r has the address of row r of matrix m, 16 bytes. op.kind:
/// whether they are read by columns.
template <bool loads>
static Step matrixStep(Warp &warp, const Op &op, Mask mask) {
  if (mask != allLanes)
    return warp.fail(op, mask, "not all lanes of the warp are here");
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  for (unsigned m = 0; m < op.count; ++m) {
    uint8_t *rows[8];
    for (unsigned r = 0; r < 8; ++r) {
      unsigned lane = 8 * m + r;
      uint64_t address = addressOf(warp, op, lane);
      rows[r] = bytesAt(warp, op, op.space, address, 16, lane);
      if (!rows[r] || address % 16)
        return failAccess(warp, op, op.space, address, 16, lane);
    }
    uint32_t words[lanes];
    if constexpr (!loads)
      std::memcpy(words, warp.from<uint32_t>(parts[m]), sizeof(words));
    for (unsigned half = 0; half < 2 * lanes; ++half) {
      unsigned outer = half / 8, inner = half % 8;
      uint8_t *place =
          op.kind ? rows[inner] + 2 * outer : rows[outer] + 2 * inner;
      uint8_t *word = reinterpret_cast<uint8_t *>(words) + 2 * half;
      std::memcpy(loads ? word : place, loads ? place : word, 2);
    }
    if constexpr (loads)
      std::memcpy(warp.at<uint32_t>(parts[m]), words, sizeof(words));
  }
  return Step::next;
}

/// The address may be among what is loaded.
static Step loadMatricesStep(Warp &warp, const Op &op, Mask mask) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  if (std::find(parts, parts + op.count, op.a) == parts + op.count)
    return matrixStep<true>(warp, op, mask);
  Op copy = op;
  copy.a = Ref(op.target); // a register apart
  std::memcpy(warp.at<uint8_t>(copy.a), warp.from<uint8_t>(op.a),
              size_t(op.aBytes) * lanes);
  return matrixStep<true>(warp, copy, mask);
}

template <bool loads> static void matrix(Decoder &decoder, Op &op) {
  decoder.take("sync");
  decoder.take("aligned");
  bool isKnown = decoder.take("m8n8");
  std::string_view count = decoder.takeNumbered("x");
  op.kind = decoder.take("trans");
  op.space = takeAddressSpace(decoder);
  isKnown &= decoder.take("b16");
  decoder.needOperands(2, 2);
  const Operand &list = decoder.operand(loads ? 0 : 1);
  std::vector<Ref> refs;
  for (const Operand &part : list.parts)
    refs.push_back(loads ? decoder.destination(part, 4)
                         : decoder.source(part, 4));
  decoder.setList(op, refs);
  decoder.address(loads ? 1 : 0, op);
  op.target = decoder.scratch(8);
  op.meet = Meet::all;
  if (isKnown && count == std::to_string(refs.size()))
    op.run = loads ? loadMatricesStep : matrixStep<false>;
}

/// Lists: D, A, B, C. op.type: of C and D; op.kind: elements.
static Step mmaStep(Warp &warp, const Op &op, Mask mask) {
  if (mask != allLanes)
    return warp.fail(op, mask, "not all lanes of the warp are here");
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  Element element = Element(op.kind);
  unsigned sums = op.type == Type::f16 ? 2 : 4;
  unsigned aCount = op.flags, bCount = aCount / 2;
  const Ref *refsA = parts + sums, *refsB = refsA + aCount,
            *refsC = refsB + bCount;
  float a[16][mostDepth], b[8][mostDepth];
  readA(warp, refsA, aCount, element, a);
  readB(warp, refsB, bCount, element, b);
  double product[16 * 8];
  multiply(a, b, 16, 8, 4 * perWord(element) * bCount, product);
  uint32_t results[4][lanes];
  for (unsigned r = 0; r < 4; ++r)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      double sum = product[(lane / 4 + 8 * (r / 2)) * 8 + lane % 4 * 2 + r % 2];
      if (op.type == Type::f32)
        results[r][lane] = std::bit_cast<uint32_t>(
            float(sum + warp.from<float>(refsC[r])[lane]));
      else if (op.type == Type::s32)
        results[r][lane] =
            uint32_t(int64_t(sum)) + warp.from<uint32_t>(refsC[r])[lane];
      else
        results[r][lane] =
            Half::of(float(sum + HalfFloat::widen(warp.from<uint16_t>(
                                     refsC[r / 2])[2 * lane + r % 2])))
                .bits;
    }
  for (unsigned r = 0; r < 4 && sums == 4; ++r)
    std::memcpy(warp.at<uint32_t>(parts[r]), results[r], sizeof(results[r]));
  for (unsigned r = 0; r < 4 && sums == 2; ++r)
    for (unsigned lane = 0; lane < lanes; ++lane)
      warp.at<uint16_t>(parts[r / 2])[2 * lane + r % 2] = results[r][lane];
  return Step::next;
}

/// Products of f64, 8 x 8 x 4.
static Step doubleStep(Warp &warp, const Op &op, Mask mask) {
  if (mask != allLanes)
    return warp.fail(op, mask, "not all lanes of the warp are here");
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  const double *a = warp.from<double>(parts[2]),
               *b = warp.from<double>(parts[3]);
  double results[2][lanes];
  for (unsigned r = 0; r < 2; ++r)
    for (unsigned lane = 0; lane < lanes; ++lane) {
      double sum = warp.from<double>(parts[4 + r])[lane];
      for (unsigned k = 0; k < 4; ++k)
        sum = std::fma(a[lane / 4 * 4 + k], b[(lane % 4 * 2 + r) * 4 + k], sum);
      results[r][lane] = sum;
    }
  for (unsigned r = 0; r < 2; ++r)
    std::memcpy(warp.at<double>(parts[r]), results[r], sizeof(results[r]));
  return Step::next;
}

/// Four lists of registers of `bytes`.
static std::array<size_t, 4> takeLists(Decoder &decoder, Op &op,
                                       unsigned bytes) {
  std::array<size_t, 4> sizes = {};
  std::vector<Ref> refs;
  decoder.needOperands(4, 4);
  for (size_t i = 0; i < 4; ++i) {
    const std::vector<Operand> &parts = decoder.operand(i).parts;
    sizes[i] = parts.size();
    for (const Operand &part : parts)
      refs.push_back(i == 0 ? decoder.destination(part, bytes)
                            : decoder.source(part, bytes));
  }
  decoder.setList(op, refs);
  return sizes;
}

static void mma(Decoder &decoder, Op &op) {
  static constexpr struct {
    const char *name;
    Element element;
  } elements[] = {{"f16", Element::f16},
                  {"bf16", Element::bf16},
                  {"tf32", Element::tf32},
                  {"s8", Element::s8},
                  {"u8", Element::u8}};
  decoder.take("sync");
  decoder.take("aligned");
  bool isDouble = decoder.take("m8n8k4");
  std::string_view depth = decoder.takeNumbered("m16n8k");
  bool isKnown = decoder.take("row");
  isKnown &= decoder.take("col");
  decoder.take("satfinite");
  op.type = decoder.takeType();
  Type typeA = decoder.takeType(), typeB = decoder.takeType(),
       typeC = decoder.takeType();
  op.meet = Meet::all;
  isKnown &= typeA == typeB && typeC == op.type;
  if (isDouble && op.type == Type::f64) {
    auto sizes = takeLists(decoder, op, 8);
    if (isKnown && sizes == std::array<size_t, 4>{2, 1, 1, 2})
      op.run = doubleStep;
    return;
  }
  std::array<size_t, 4> sizes = takeLists(decoder, op, 4);
  unsigned k = 0;
  std::from_chars(depth.data(), depth.data() + depth.size(), k);
  size_t sums = op.type == Type::f16 ? 2 : 4;
  for (const auto &row : elements) {
    if (row.name != std::string_view(nameOf(typeA)))
      continue;
    op.kind = uint8_t(row.element);
    unsigned words = k / (4 * perWord(row.element));
    op.flags = 2 * words;
    bool isInt = row.element >= Element::s8;
    bool fits = op.type == (isInt ? Type::s32 : Type::f32) ||
                (op.type == Type::f16 && row.element == Element::f16);
    if (isKnown && fits && (words == 1 || words == 2) &&
        sizes == std::array<size_t, 4>{sums, 2 * words, words, sums})
      op.run = mmaStep;
  }
}

void tenon::emulate::addMatrices(DecodeTable &table) {
  table["ldmatrix"] = matrix<true>;
  table["stmatrix"] = matrix<false>;
  table["mma"] = mma;
}
