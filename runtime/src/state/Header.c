//===- Header.c - the header of a file of tensors -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads the JSON that such headers are: objects of known depth, with
// texts and lists of whole numbers in them.
//===----------------------------------------------------------------------===//
#include "src/state/Header.h"

#include <string.h>

struct cursor {
  const char *at;
  const char *end;
};

static tenon_status *bad(const char *why) {
  return tenonFail(TENON_BAD_ARTIFACT, "",
                   "the header of the file is damaged: %s", why);
}

//===----------------------------------------------------------------------===//
// Words
//===----------------------------------------------------------------------===//

static void skipSpace(struct cursor *cursor) {
  while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at) &&
         *cursor->at)
    ++cursor->at;
}

/// Takes a character, if it is next.
static bool take(struct cursor *cursor, char wanted) {
  skipSpace(cursor);
  if (cursor->at == cursor->end || *cursor->at != wanted)
    return false;
  ++cursor->at;
  return true;
}

static int hexDigit(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/// The four digits behind `\u`; -1: there are none.
static int32_t takeUnit(struct cursor *cursor) {
  int32_t unit = 0;
  for (int i = 0; i < 4; ++i) {
    int digit = cursor->at < cursor->end ? hexDigit(*cursor->at) : -1;
    if (digit < 0)
      return -1;
    unit = 16 * unit + digit;
    ++cursor->at;
  }
  return unit;
}

/// A character as UTF-8; how many bytes.
static size_t encode(uint32_t code, char *bytes) {
  static const uint8_t marks[5] = {0, 0, 0xc0, 0xe0, 0xf0};
  size_t count = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  for (size_t i = count; i-- > 1; code >>= 6)
    bytes[i] = (char)(0x80 | (code & 0x3f));
  bytes[0] = (char)(marks[count] | code);
  return count;
}

/// What stands behind `\u`, of two halves where it is large.
static int32_t takeCode(struct cursor *cursor) {
  int32_t code = takeUnit(cursor);
  if (code < 0xd800 || code > 0xdbff)
    return code;
  if (cursor->end - cursor->at < 2 || memcmp(cursor->at, "\\u", 2) != 0)
    return -1;
  cursor->at += 2;
  int32_t low = takeUnit(cursor);
  if (low < 0xdc00 || low > 0xdfff)
    return -1;
  return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

/// A character of a text, of up to four bytes; 0: it is none.
static size_t takeCharacter(struct cursor *cursor, char *bytes) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  bytes[0] = *cursor->at++;
  if (bytes[0] != '\\')
    return (uint8_t)bytes[0] >= 0x20;
  if (cursor->at == cursor->end || !*cursor->at)
    return 0;
  char kind = *cursor->at++;
  const char *found = strchr(from, kind);
  if (found)
    bytes[0] = to[found - from];
  if (found || kind != 'u')
    return found != NULL;
  int32_t code = takeCode(cursor);
  return code > 0 ? encode((uint32_t)code, bytes) : 0;
}

/// A text, cut to `size` bytes with the zero at its end.
static tenon_status *takeText(struct cursor *cursor, char *text, size_t size) {
  size_t length = 0;
  if (!take(cursor, '"'))
    return bad("a text is missing");
  while (cursor->at < cursor->end && *cursor->at != '"') {
    char bytes[4];
    size_t count = takeCharacter(cursor, bytes);
    if (!count)
      return bad("a text has a character that is none");
    if (length + count < size)
      memcpy(text + length, bytes, count), length += count;
  }
  text[length] = 0;
  return take(cursor, '"') ? NULL : bad("a text has no end");
}

static tenon_status *takeNumber(struct cursor *cursor, uint64_t *number) {
  skipSpace(cursor);
  const char *begin = cursor->at;
  *number = 0;
  while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9') {
    if (*number > (uint64_t)INT64_MAX / 10 - 1)
      return bad("a number is too large");
    *number = *number * 10 + (uint64_t)(*cursor->at++ - '0');
  }
  return cursor->at > begin ? NULL : bad("a number is missing");
}

/// A list of at most `most` numbers.
static tenon_status *takeNumbers(struct cursor *cursor, uint64_t *numbers,
                                 uint32_t most, uint32_t *count) {
  *count = 0;
  if (!take(cursor, '['))
    return bad("a list is missing");
  if (take(cursor, ']'))
    return NULL;
  do {
    if (*count == most)
      return bad("a list is too long");
    TENON_TRY(takeNumber(cursor, &numbers[(*count)++]));
  } while (take(cursor, ','));
  return take(cursor, ']') ? NULL : bad("a list has no end");
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

/// Calls `member` behind each key of an object.
static tenon_status *
takeObject(struct cursor *cursor,
           tenon_status *(*member)(struct cursor *, const char *key, void *),
           void *user) {
  char key[TENON_TEXT_BYTES];
  if (!take(cursor, '{'))
    return bad("an object is missing");
  if (take(cursor, '}'))
    return NULL;
  do {
    TENON_TRY(takeText(cursor, key, sizeof key));
    if (!take(cursor, ':'))
      return bad("a value is missing");
    TENON_TRY(member(cursor, key, user));
  } while (take(cursor, ','));
  return take(cursor, '}') ? NULL : bad("an object has no end");
}

static tenon_status *takeField(struct cursor *cursor, const char *key,
                               void *user) {
  struct tenonFileTensor *tensor = user;
  uint64_t numbers[TENON_MAX_RANK];
  uint32_t count;
  if (strcmp(key, "dtype") == 0)
    return takeText(cursor, tensor->type, sizeof tensor->type);
  if (strcmp(key, "shape") == 0) {
    TENON_TRY(takeNumbers(cursor, numbers, TENON_MAX_RANK, &tensor->rank));
    for (uint32_t i = 0; i < tensor->rank; ++i)
      tensor->shape[i] = (int64_t)numbers[i];
    return NULL;
  }
  if (strcmp(key, "data_offsets") != 0)
    return bad("a tensor has a field that is not known");
  TENON_TRY(takeNumbers(cursor, numbers, 2, &count));
  if (count != 2)
    return bad("a tensor has no begin or no end");
  tensor->begin = numbers[0];
  tensor->end = numbers[1];
  return NULL;
}

static tenon_status *takeNote(struct cursor *cursor, const char *key,
                              void *user) {
  const struct tenonHeaderUser *reader = user;
  char text[TENON_TEXT_BYTES];
  TENON_TRY(takeText(cursor, text, sizeof text));
  return reader->note(reader->user, key, text);
}

static tenon_status *takeMember(struct cursor *cursor, const char *key,
                                void *user) {
  const struct tenonHeaderUser *reader = user;
  if (strcmp(key, "__metadata__") == 0)
    return takeObject(cursor, takeNote, user);
  struct tenonFileTensor tensor = {.rank = 0};
  memcpy(tensor.name, key, strlen(key) + 1);
  TENON_TRY(takeObject(cursor, takeField, &tensor));
  return reader->tensor(reader->user, &tensor);
}

tenon_status *tenonReadHeader(const char *text, size_t size,
                              const struct tenonHeaderUser *user) {
  struct cursor cursor = {text, text + size};
  TENON_TRY(takeObject(&cursor, takeMember, (void *)(uintptr_t)user));
  skipSpace(&cursor);
  return cursor.at == cursor.end ? NULL : bad("something follows it");
}

const char *tenonFileType(uint8_t code, uint8_t bits) {
  static const struct {
    uint8_t code, bits;
    const char *name;
  } names[] = {{TENON_FLOAT, 64, "F64"},
               {TENON_FLOAT, 32, "F32"},
               {TENON_FLOAT, 16, "F16"},
               {TENON_BFLOAT, 16, "BF16"},
               {TENON_INT, 64, "I64"},
               {TENON_INT, 32, "I32"},
               {TENON_INT, 16, "I16"},
               {TENON_INT, 8, "I8"},
               {TENON_UINT, 64, "U64"},
               {TENON_UINT, 32, "U32"},
               {TENON_UINT, 16, "U16"},
               {TENON_UINT, 8, "U8"},
               {TENON_BOOL, 8, "BOOL"},
               {TENON_FLOAT8_E5M2, 8, "F8_E5M2"},
               {TENON_FLOAT8_E4M3FN, 8, "F8_E4M3"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
    if (names[i].code == code && names[i].bits == bits)
      return names[i].name;
  return NULL;
}
