//===- Warpgroups.cpp - wgmma ---------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file multiplies matrices in shared memory by descriptors. Each warp of
// a warpgroup computes its 16 rows when it comes to the instruction.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Decoder.h"
#include "lib/Emulate/Fragments.h"

#include <charconv>
#include <cstring>

using namespace tenon;
using namespace tenon::emulate;

namespace {

/// Where a matrix lies in shared memory.
struct Descriptor {
  explicit Descriptor(uint64_t bits)
      : start((bits & 0x3FFF) << 4), leading((bits >> 16 & 0x3FFF) << 4),
        stride((bits >> 32 & 0x3FFF) << 4), mode(bits >> 62) {}

  /// Bytes of a swizzled row; 16 where nothing is swizzled.
  uint32_t rowBytes() const {
    return mode == 0 ? 16 : mode == 1 ? 128 : mode == 2 ? 64 : 32;
  }
  /// Exchanges the places of 16 bytes in rows.
  uint32_t swizzled(uint32_t address) const {
    uint32_t bits = mode == 0 ? 0 : mode == 1 ? 7 : mode == 2 ? 3 : 1;
    return address ^ (address >> 7 & bits) << 4;
  }
  /// Of element (row, column) of `bytes` bytes; rows are what the sum does not
  /// run over. Columns are neighbours.
  uint32_t byColumns(uint32_t row, uint32_t column, uint32_t bytes) const {
    uint32_t along = column * bytes;
    if (mode == 0)
      return start + row / 8 * stride + along / 16 * leading + row % 8 * 16 +
             along % 16;
    return swizzled(start + row / 8 * stride + row % 8 * rowBytes() + along);
  }
  /// The same where rows are neighbours.
  uint32_t byRows(uint32_t row, uint32_t column, uint32_t bytes) const {
    uint32_t perRow = rowBytes() / bytes;
    uint32_t inside = column % 8 * rowBytes() + row % perRow * bytes;
    if (mode == 0)
      return start + row / perRow * stride + column / 8 * leading + inside;
    return swizzled(start + row / perRow * leading + column / 8 * stride +
                    inside);
  }

  uint32_t start, leading, stride, mode;
};

/// Op::flags.
enum Flag : uint8_t {
  aInRegisters = 1,
  aByRows = 2,
  bByRows = 4,
  negatesA = 8,
  negatesB = 16
};

} // namespace

/// Reads rows [first, first + count) of a matrix. False if some of it lies
/// outside of shared memory.
static bool readMatrix(const Cta &cta, uint64_t bits, bool byRows,
                       Element element, uint32_t first, uint32_t count,
                       uint32_t depth, float (*to)[mostDepth]) {
  Descriptor matrix(bits);
  uint32_t bytes = 4 / perWord(element);
  for (uint32_t r = 0; r < count; ++r)
    for (uint32_t k = 0; k < depth; ++k) {
      uint32_t address = byRows ? matrix.byRows(first + r, k, bytes)
                                : matrix.byColumns(first + r, k, bytes);
      uint64_t offset = uint64_t(address) - window::first;
      if (offset + bytes > cta.shared.size() || offset > cta.shared.size())
        return false;
      uint32_t word = 0;
      std::memcpy(&word, cta.shared.data() + offset, bytes);
      to[r][k] = elementOf(element, word, 0);
    }
  return true;
}

static void storeSums(Warp &warp, const Op &op, const double *product,
                      unsigned columns, bool keeps) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  for (unsigned r = 0; r < columns / 2; ++r) {
    float *d = warp.at<float>(parts[r]);
    unsigned row = 8 * (r / 2 % 2), column = 8 * (r / 4) + r % 2;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      double sum = product[(row + lane / 4) * columns + column + lane % 4 * 2];
      d[lane] = float(keeps ? sum + d[lane] : sum);
    }
  }
}

static void storeHalfSums(Warp &warp, const Op &op, const double *product,
                          unsigned columns, bool keeps) {
  const Ref *parts = warp.machine.program.lists.data() + op.list;
  for (unsigned r = 0; r < columns / 2; ++r) {
    uint16_t *d = warp.at<uint16_t>(parts[r / 2]);
    unsigned row = 8 * (r / 2 % 2), column = 8 * (r / 4) + r % 2;
    for (unsigned lane = 0; lane < lanes; ++lane) {
      double sum = product[(row + lane / 4) * columns + column + lane % 4 * 2];
      uint16_t &to = d[2 * lane + r % 2];
      to = HalfFloat::narrow(float(keeps ? sum + HalfFloat::widen(to) : sum));
    }
  }
}

/// op.value: columns; op.c: whether D is added; op.kind: elements.
static Step wgmmaStep(Warp &warp, const Op &op, Mask mask) {
  if (mask != allLanes)
    return warp.fail(op, mask, "not all lanes of the warp are here");
  Element element = Element(op.kind);
  unsigned columns = op.value, depth = 8 * perWord(element);
  float a[16][mostDepth], b[256][mostDepth];
  bool isInside = true;
  if (op.flags & aInRegisters)
    readA(warp, warp.machine.program.lists.data() + op.list + op.count - 4, 4,
          element, a);
  else
    isInside =
        readMatrix(warp.cta, warp.from<uint64_t>(op.a)[0], op.flags & aByRows,
                   element, 16 * (warp.index % 4), 16, depth, a);
  if (!isInside ||
      !readMatrix(warp.cta, warp.from<uint64_t>(op.b)[0], op.flags & bByRows,
                  element, 0, columns, depth, b))
    return warp.fail(op, mask,
                     "the matrix of a descriptor lies outside of "
                     "shared memory");
  if (bool(op.flags & negatesA) != bool(op.flags & negatesB))
    for (float (&row)[mostDepth] : a)
      for (unsigned k = 0; k < depth; ++k)
        row[k] = -row[k];
  double product[16 * 256];
  multiply(a, b, 16, columns, depth, product);
  bool keeps = *warp.from<Mask>(op.c) & 1;
  if (op.type == Type::f32)
    storeSums(warp, op, product, columns, keeps);
  else
    storeHalfSums(warp, op, product, columns, keeps);
  return Step::next;
}

static Step noStep(Warp &, const Op &, Mask) { return Step::next; }

/// Numbers behind the predicate: signs of A and B, then who is transposed.
static void takeNumbers(Decoder &decoder, Op &op) {
  bool fromShared = !(op.flags & aInRegisters);
  bool isWide = Element(op.kind) == Element::tf32;
  size_t count = isWide ? 2 : fromShared ? 4 : 3;
  decoder.needOperands(4 + count, 4 + count);
  for (size_t i = 4; i < decoder.operands(); ++i) {
    int64_t value = decoder.immediate(i);
    bool isSign = i < 6;
    if (isSign ? value != 1 && value != -1 : value != 0 && value != 1)
      decoder.fail("operand " + std::to_string(i + 1) + " is out of range");
  }
  if (decoder.failed())
    return;
  op.flags |= decoder.immediate(4) < 0 ? negatesA : 0;
  op.flags |= decoder.immediate(5) < 0 ? negatesB : 0;
  if (isWide)
    return;
  if (fromShared)
    op.flags |= decoder.immediate(6) ? aByRows : 0;
  op.flags |= decoder.immediate(decoder.operands() - 1) ? bByRows : 0;
}

static void mmaAsync(Decoder &decoder, Op &op) {
  std::string_view shape = decoder.takeNumbered("m64n");
  unsigned columns = 0, depth = 0;
  auto end =
      std::from_chars(shape.data(), shape.data() + shape.size(), columns);
  if (end.ptr != shape.data() + shape.size())
    std::from_chars(end.ptr + 1, shape.data() + shape.size(), depth);
  op.role = Role::wgmma;
  op.type = decoder.takeType();
  Type typeA = decoder.takeType(), typeB = decoder.takeType();
  op.kind = uint8_t(typeA == Type::f16    ? Element::f16
                    : typeA == Type::bf16 ? Element::bf16
                                          : Element::tf32);
  const Operand &sums = decoder.operand(0), &a = decoder.operand(1);
  std::vector<Ref> refs;
  for (const Operand &part : sums.parts)
    refs.push_back(decoder.destination(part, 4));
  size_t wanted = op.type == Type::f32 ? columns / 2 : columns / 4;
  bool isKnown = refs.size() == wanted && columns >= 8 && columns <= 256 &&
                 columns % 8 == 0 && typeA == typeB;
  if (a.kind == Operand::list) {
    op.flags |= aInRegisters;
    isKnown &= a.parts.size() == 4;
    for (const Operand &part : a.parts)
      refs.push_back(decoder.source(part, 4));
  } else
    op.a = decoder.source(1, 8);
  decoder.setList(op, refs);
  op.b = decoder.source(2, 8);
  op.c = decoder.predicate(decoder.operand(3));
  op.value = columns;
  takeNumbers(decoder, op);
  op.meet = Meet::all;
  isKnown &= typeA == Type::f16 || typeA == Type::bf16 || typeA == Type::tf32;
  isKnown &=
      op.type == Type::f32 || (op.type == Type::f16 && typeA == Type::f16);
  if (isKnown && depth == 8 * perWord(Element(op.kind)))
    op.run = wgmmaStep;
}

static void wgmma(Decoder &decoder, Op &op) {
  decoder.take("sync");
  decoder.take("aligned");
  op.meet = Meet::all;
  if (decoder.take("mma_async"))
    return mmaAsync(decoder, op);
  bool commits = decoder.take("commit_group");
  if (commits || decoder.take("fence")) {
    decoder.needOperands(0, 0);
    op.role = commits ? Role::wgmmaCommit : Role::none;
    op.run = noStep;
  } else if (decoder.take("wait_group")) {
    decoder.needOperands(1, 1);
    op.value = decoder.immediate(0);
    op.role = Role::wgmmaWait;
    op.run = noStep;
  }
}

void tenon::emulate::addWarpgroups(DecodeTable &table) {
  table["wgmma"] = wgmma;
}
