//===- Npy.cpp - arrays of numpy ------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Onnx/Npy.h"
#include "llvm/Support/Endian.h"

using namespace tenon::onnximport;
using llvm::createStringError;
using llvm::StringRef;

/// The text of the header, a Python dictionary, and where it ends.
static llvm::Expected<StringRef> headerOf(StringRef bytes, uint64_t &end) {
  using namespace llvm::support::endian;
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < 12)
    return createStringError("it is not a .npy file");
  bool isLong = bytes[6] >= 2;
  uint64_t begin = isLong ? 12 : 10;
  end = begin + (isLong ? read32le(bytes.data() + 8)
                        : uint64_t(read16le(bytes.data() + 8)));
  if (end > bytes.size())
    return createStringError("its header is cut off");
  return bytes.slice(begin, end);
}

/// What stands behind `'key':`, without blanks in front.
static StringRef valueOf(StringRef header, StringRef key) {
  size_t at = header.find(("'" + key + "'").str());
  return at == StringRef::npos
             ? StringRef()
             : header.drop_front(at).split(':').second.ltrim();
}

static bool readShape(StringRef text, llvm::SmallVector<int64_t> &shape) {
  if (!text.consume_front("(") || !text.contains(')'))
    return false;
  llvm::SmallVector<StringRef> parts;
  text.split(')').first.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    if (part.trim().empty())
      continue;
    int64_t dim;
    if (part.trim().getAsInteger(10, dim) || dim < 0)
      return false;
    shape.push_back(dim);
  }
  return true;
}

llvm::Expected<Npy> tenon::onnximport::readNpy(StringRef bytes) {
  Npy npy;
  auto header = headerOf(bytes, npy.offset);
  if (!header)
    return header.takeError();
  StringRef type = valueOf(*header, "descr");
  bool isQuoted = type.consume_front("'");
  type = type.split('\'').first;
  if (!isQuoted || type.size() < 3)
    return createStringError("it has no element type");
  if (type.front() == '>')
    return createStringError("its elements are big-endian");
  npy.type = type.drop_front().str();
  if (!valueOf(*header, "fortran_order").starts_with("False"))
    return createStringError("its elements are in column-major order");
  if (!readShape(valueOf(*header, "shape"), npy.shape))
    return createStringError("it has no shape");
  return npy;
}
