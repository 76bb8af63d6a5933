//===- Options.cpp - the textual forms of import options ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file parses `name=1x3x224x224`, `batch=1` and `seq=8..512:8`.
//===----------------------------------------------------------------------===//
#include "lib/Import/Onnx/Import.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;
using namespace tenon::onnximport;

/// Dimensions above this make no sense and would overflow products.
static constexpr int64_t maxDim = int64_t(1) << 40;

static bool parseDim(StringRef text, int64_t &dim) {
  return !text.getAsInteger(10, dim) && dim >= 0 && dim <= maxDim;
}

/// Splits at the last '=', because ONNX names may contain one.
static bool splitName(StringRef text, StringRef &name, StringRef &value,
                      std::string &error) {
  std::tie(name, value) = text.rsplit('=');
  if (text.contains('=') && !name.empty())
    return true;
  error = ("expected NAME=VALUE, got '" + text + "'").str();
  return false;
}

bool ImportOptions::addShape(StringRef text, std::string &error) {
  StringRef name, value;
  if (!splitName(text, name, value, error))
    return false;
  llvm::SmallVector<StringRef> parts;
  if (!value.empty())
    value.split(parts, 'x');
  std::vector<int64_t> shape;
  for (StringRef part : parts) {
    int64_t dim = -1;
    if (part != "?" && !parseDim(part, dim)) {
      error =
          ("'" + part + "' is not a dimension in shape '" + text + "'").str();
      return false;
    }
    shape.push_back(dim);
  }
  shapes.emplace_back(name.str(), std::move(shape));
  return true;
}

/// `1..512:16`, `1..`
static bool parseRange(StringRef text, DimRange &range) {
  auto [low, rest] = text.split("..");
  bool hasUnit = rest.contains(':');
  auto [high, unit] = rest.split(':');
  return parseDim(low, range.min) &&
         (high.empty() || parseDim(high, range.max)) &&
         (!hasUnit ||
          (parseDim(unit, range.multipleOf) && range.multipleOf > 0));
}

bool ImportOptions::addDim(StringRef text, std::string &error) {
  StringRef name, value;
  int64_t dim;
  if (!splitName(text, name, value, error))
    return false;
  if (DimRange range{name.str()};
      value.contains("..") && parseRange(value, range)) {
    if (range.max / range.multipleOf * range.multipleOf < range.min) {
      error = ("no size is in '" + text + "'").str();
      return false;
    }
    ranges.push_back(std::move(range));
    return true;
  }
  if (!parseDim(value, dim)) {
    error = ("'" + value + "' is not a dimension in '" + text + "'").str();
    return false;
  }
  dims.emplace_back(name.str(), dim);
  return true;
}

bool ImportOptions::addConst(StringRef text, std::string &error) {
  StringRef name, value;
  // A path may contain a '=', too.
  if (size_t file = text.find("=@"); file != StringRef::npos && file > 0) {
    name = text.take_front(file);
    value = text.drop_front(file + 1);
  } else if (!splitName(text, name, value, error)) {
    return false;
  }
  constants.emplace_back(name.str(), value.str());
  return true;
}

bool tenon::onnximport::isOnnxFile(StringRef path) {
  return path.ends_with(".onnx") || path.ends_with(".onnxtxt");
}
