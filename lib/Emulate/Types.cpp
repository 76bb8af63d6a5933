//===- Types.cpp - the types of PTX ---------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file has the table of types.
//===----------------------------------------------------------------------===//
#include "lib/Emulate/Types.h"

using namespace tenon::emulate;

namespace {
struct Row {
  const char *name;
  uint8_t bytes;
  char kind; ///< b, u, s, f, p, x (pairs of integers)
};
} // namespace

static constexpr Row rows[] = {
    {"", 0, ' '},     {"pred", 4, 'p'},  {"b8", 1, 'b'},    {"b16", 2, 'b'},
    {"b32", 4, 'b'},  {"b64", 8, 'b'},   {"u8", 1, 'u'},    {"u16", 2, 'u'},
    {"u32", 4, 'u'},  {"u64", 8, 'u'},   {"s8", 1, 's'},    {"s16", 2, 's'},
    {"s32", 4, 's'},  {"s64", 8, 's'},   {"u16x2", 4, 'x'}, {"s16x2", 4, 'x'},
    {"f16", 2, 'f'},  {"f16x2", 4, 'f'}, {"bf16", 2, 'f'},  {"bf16x2", 4, 'f'},
    {"tf32", 4, 'f'}, {"f32", 4, 'f'},   {"f64", 8, 'f'},
};

static const Row &row(Type type) { return rows[unsigned(type)]; }

Type tenon::emulate::typeNamed(std::string_view name) {
  for (unsigned i = 1; i < sizeof(rows) / sizeof(rows[0]); ++i)
    if (name == rows[i].name)
      return Type(i);
  return Type::none;
}

const char *tenon::emulate::nameOf(Type type) { return row(type).name; }
unsigned tenon::emulate::bytesOf(Type type) { return row(type).bytes; }
bool tenon::emulate::isSigned(Type type) { return row(type).kind == 's'; }
bool tenon::emulate::isFloat(Type type) { return row(type).kind == 'f'; }

bool tenon::emulate::isInteger(Type type) {
  char kind = row(type).kind;
  return kind == 'b' || kind == 'u' || kind == 's';
}
