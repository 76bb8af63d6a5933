//===- Npy.cpp - numpy's file format --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file reads and writes .npy: magic, version, a Python dictionary of
// descr, fortran_order and shape, then the elements. Strings are as many code
// points of 32 bits as the longest has, with zeroes behind.
//===----------------------------------------------------------------------===//
#include "lib/Run/Tensor.h"
#include "lib/Run/Unicode.h"

#include <algorithm>
#include <cstring>
#include <fstream>

using namespace tenon;
using namespace tenon::run;

static constexpr char magic[] = "\x93NUMPY";

static Error npyError(const std::string &path, const std::string &what) {
  return Error{"'" + path + "' is not a .npy file that can be read: " + what};
}

/// The text after `'key':`, or "".
static std::string valueOf(const std::string &header, const std::string &key) {
  size_t at = header.find("'" + key + "'");
  if (at == std::string::npos)
    return "";
  at = header.find(':', at);
  if (at == std::string::npos)
    return "";
  at = header.find_first_not_of(' ', at + 1);
  return at == std::string::npos ? "" : header.substr(at);
}

/// `width`: the bytes of an element; of a string, its code points.
static Result<tenon_dtype> parseType(const std::string &text, size_t &width) {
  if (text.size() < 5 || (text[0] != '\'' && text[0] != '"'))
    return Error{"no element type"};
  char order = text[1], kind = text[2];
  width = std::strtoul(text.c_str() + 3, nullptr, 10);
  if (order != '<' && order != '|' && order != '=' && width != 1)
    return Error{"big-endian elements"};
  auto make = [&](uint8_t code) {
    return tenon_dtype{code, uint8_t(width * 8), 1};
  };
  bool isWhole = width == 1 || width == 2 || width == 4 || width == 8;
  if (kind == 'i' && isWhole)
    return make(TENON_INT);
  if (kind == 'u' && isWhole)
    return make(TENON_UINT);
  if (kind == 'f' && isWhole && width != 1)
    return make(TENON_FLOAT);
  if (kind == 'c' && (width == 8 || width == 16))
    return make(TENON_COMPLEX);
  if (kind == 'b' && width == 1)
    return make(TENON_BOOL);
  if (kind == 'U' && order != '>' && width <= 1 << 20)
    return tenon_dtype{TENON_STRING, 64, 1};
  if (kind == 'V' && width == 2)
    return make(TENON_BFLOAT);
  return Error{"element type " + text.substr(0, 6)};
}

static Result<std::vector<int64_t>> parseShape(const std::string &text) {
  std::vector<int64_t> shape;
  size_t end = text.find(')');
  if (text.empty() || text[0] != '(' || end == std::string::npos)
    return Error{"no shape"};
  const char *at = text.c_str() + 1, *last = text.c_str() + end;
  while (at < last) {
    char *next;
    long long dim = std::strtoll(at, &next, 10);
    if (next == at)
      break;
    if (dim < 0)
      return Error{"a negative dimension"};
    shape.push_back(dim);
    at = next;
    while (at < last && (*at == ',' || *at == ' ' || *at == 'L'))
      ++at;
  }
  if (at != last)
    return Error{"a malformed shape"};
  return shape;
}

/// Copies elements from column-major to row-major order.
static void transposeInto(Tensor &tensor, const char *source) {
  const auto &shape = tensor.spec.shape;
  size_t width = tensor.spec.type.bits / 8;
  std::vector<int64_t> index(shape.size(), 0);
  for (int64_t i = 0; i < tensor.elements; ++i) {
    int64_t from = 0;
    for (size_t d = shape.size(); d-- > 0;)
      from = from * shape[d] + index[d];
    std::memcpy(tensor.data() + i * width, source + from * width, width);
    for (size_t d = shape.size(); d-- > 0 && ++index[d] == shape[d];)
      index[d] = 0;
  }
}

/// Each of `width` code points.
static void parseStrings(Tensor &tensor, const char *source, size_t width) {
  for (std::string &text : tensor.strings) {
    std::u32string points(width, 0);
    if (width)
      std::memcpy(points.data(), source, 4 * width);
    points.resize(points.find_last_not_of(U'\0') + 1);
    text = toBytes(points);
    source += 4 * width;
  }
}

static Result<Tensor> parseElements(const std::string &header,
                                    std::string_view elements) {
  size_t width;
  Result<tenon_dtype> type = parseType(valueOf(header, "descr"), width);
  if (!type)
    return type.error();
  Result<std::vector<int64_t>> shape = parseShape(valueOf(header, "shape"));
  if (!shape)
    return shape.error();
  Result<int64_t> count = countElements(*shape);
  bool isOfStrings = type->code == TENON_STRING;
  size_t size = isOfStrings ? 4 * std::max<size_t>(width, 1) : width;
  if (!count ||
      elements.size() / size < size_t(isOfStrings && !width ? 0 : *count))
    return Error{"fewer elements than its shape says"};
  Result<Tensor> tensor = Tensor::make({"", *type, *shape});
  if (!tensor)
    return tensor.error();
  bool isTransposed = valueOf(header, "fortran_order").starts_with("True");
  if (isOfStrings && isTransposed && shape->size() > 1)
    return Error{"strings in the order of Fortran"};
  if (isOfStrings)
    parseStrings(*tensor, elements.data(), width);
  else if (isTransposed)
    transposeInto(*tensor, elements.data());
  else
    std::memcpy(tensor->data(), elements.data(), tensor->byteSize());
  return tensor;
}

Result<Tensor> tenon::run::readNpy(const std::string &path) {
  Result<std::string> file = readFile(path);
  if (!file)
    return file.error();
  if (file->size() < 12 || std::memcmp(file->data(), magic, 6) != 0)
    return npyError(path, "wrong first bytes");
  size_t start = (*file)[6] == 1 ? 10 : 12, length = 0;
  for (size_t i = start; i-- > 8;)
    length = length << 8 | uint8_t((*file)[i]);
  if (length > file->size() - start)
    return npyError(path, "truncated");
  Result<Tensor> tensor =
      parseElements(file->substr(start, length),
                    std::string_view(*file).substr(start + length));
  if (!tensor)
    return npyError(path, tensor.error().message);
  return tensor;
}

/// Of strings, the longest.
static size_t longestOf(const Tensor &tensor) {
  size_t longest = 1;
  for (const std::string &text : tensor.strings)
    longest = std::max(longest, toCodePoints(text).size());
  return longest;
}

static std::string typeText(const Tensor &tensor) {
  tenon_dtype type = tensor.spec.type;
  if (type.code == TENON_STRING)
    return "<U" + std::to_string(longestOf(tensor));
  if (type.code == TENON_BOOL)
    return "|b1";
  if (isSmall(type))
    return type.code == TENON_INT ? "|i1" : "|u1";
  const char kinds[] = "iuf?ucb";
  std::string order = type.bits == 8 ? "|" : "<";
  return order + kinds[type.code] + std::to_string(type.bits / 8);
}

static void writeStrings(std::ofstream &file, const Tensor &tensor) {
  size_t width = longestOf(tensor);
  for (const std::string &text : tensor.strings) {
    std::u32string points = toCodePoints(text);
    points.resize(width);
    file.write(reinterpret_cast<const char *>(points.data()), 4 * width);
  }
}

/// Integers below a byte are numbers of a byte in the file.
static void writeElements(std::ofstream &file, const Tensor &tensor) {
  if (tensor.isOfStrings())
    return writeStrings(file, tensor);
  if (tensor.spec.type.bits >= 8 || isSmallFloat(tensor.spec.type)) {
    file.write(reinterpret_cast<const char *>(tensor.data()),
               tensor.byteSize());
    return;
  }
  for (int64_t i = 0; i < tensor.elements; ++i)
    file.put(char(int(tensor.at(i))));
}

Status tenon::run::writeNpy(const Tensor &tensor, const std::string &path) {
  std::string header = "{'descr': '" + typeText(tensor) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t dim : tensor.spec.shape)
    header += std::to_string(dim) + ", ";
  if (tensor.spec.shape.size() > 1)
    header.resize(header.size() - 2);
  else if (tensor.spec.shape.size() == 1)
    header.resize(header.size() - 1);
  header += "), }";
  size_t padded = (header.size() + 1 + 10 + 63) / 64 * 64 - 10;
  header.resize(padded - 1, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  const char length[] = {char(header.size() & 255), char(header.size() >> 8)};
  file.write(magic, 6).write("\1\0", 2).write(length, 2);
  file.write(header.data(), header.size());
  writeElements(file, tensor);
  file.close();
  if (!file)
    return Error{"cannot write '" + path + "'"};
  return Done{};
}
