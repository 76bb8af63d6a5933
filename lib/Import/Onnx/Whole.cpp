//===- Whole.cpp - models with all that belongs to them -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lib/Import/Onnx/ExternalData.h"
#include "lib/Import/Onnx/Parse.h"

#include <map>

using namespace tenon::onnximport;
namespace proto = ::onnx;
using llvm::createStringError;

llvm::Expected<proto::ModelProto>
tenon::onnximport::readWhole(llvm::StringRef path) {
  auto file = Mapping::open(path);
  if (!file)
    return file.takeError();
  std::string bytes = (*file)->bytes().str();
  if (path.ends_with(".onnxtxt")) {
    auto binary = parseText(bytes);
    if (!binary)
      return binary.takeError();
    bytes = std::move(*binary);
  }
  proto::ModelProto model;
  if (!parseQuietly(model, bytes))
    return createStringError("'" + path + "' is not an ONNX model");
  return model;
}

/// Puts the bytes of an external file into the tensor.
llvm::Error tenon::onnximport::takeInside(proto::TensorProto &tensor,
                                          ExternalData &external) {
  if (tensor.data_location() != proto::TensorProto::EXTERNAL)
    return llvm::Error::success();
  std::map<std::string, std::string> keys;
  for (const auto &entry : tensor.external_data())
    keys[entry.key()] = entry.value();
  auto slice = external.slice(keys["location"], keys["offset"], keys["length"]);
  if (!slice)
    return createStringError("tensor '" + tensor.name() +
                             "': " + llvm::toString(slice.takeError()));
  tensor.clear_external_data();
  tensor.clear_data_location();
  tensor.set_raw_data(slice->bytes().str());
  return llvm::Error::success();
}
