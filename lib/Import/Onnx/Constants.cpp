//===- Constants.cpp - inputs whose values are given ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file applies --const: it reads a value by the type and shape of the
// input that it is for.
//===----------------------------------------------------------------------===//
#include "dialects/Onnx/Onnx.h"
#include "lib/Import/Onnx/Npy.h"
#include "lib/Import/Onnx/Session.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace tenon::onnximport;
using llvm::createStringError;
using proto::TensorProto;
using proto::ValueInfoProto;

/// More bytes than this are given by a file.
static constexpr uint64_t mostFilledBytes = uint64_t(1) << 30;

/// The type of an element and what numpy calls it; none for types that no text
/// or file can give.
static StringRef numpyType(Type element) {
  if (element.isBF16())
    return "u2";
  if (element.isInteger(1))
    return "b1";
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8)
    return "";
  bool isFloat = isa<FloatType>(element),
       isUnsigned = element.isUnsignedInteger();
  switch (element.getIntOrFloatBitWidth()) {
  case 8:
    return isFloat ? "" : isUnsigned ? "u1" : "i1";
  case 16:
    return isFloat ? "f2" : isUnsigned ? "u2" : "i2";
  case 32:
    return isFloat ? "f4" : isUnsigned ? "u4" : "i4";
  default:
    return isFloat ? "f8" : isUnsigned ? "u8" : "i8";
  }
}

static llvm::Error notA(StringRef text, const std::string &type) {
  return createStringError("'" + text.str() + "' is not a value of type " +
                           type);
}

/// The bits of one number.
static std::optional<APInt> parseNumber(StringRef text, Type element) {
  if (text.empty())
    return std::nullopt;
  if (auto type = dyn_cast<FloatType>(element)) {
    APFloat number(type.getFloatSemantics());
    auto status = number.convertFromString(text, APFloat::rmNearestTiesToEven);
    if (!status) {
      llvm::consumeError(status.takeError());
      return std::nullopt;
    }
    if (*status & (APFloat::opOverflow | APFloat::opInvalidOp))
      return std::nullopt;
    return number.bitcastToAPInt();
  }
  if (element.isInteger(1))
    return llvm::StringSwitch<std::optional<APInt>>(text)
        .CasesLower({"true", "1"}, APInt(8, 1))
        .CasesLower({"false", "0"}, APInt(8, 0))
        .Default(std::nullopt);
  unsigned width = element.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger();
  uint64_t natural;
  int64_t whole;
  if (isUnsigned ? text.getAsInteger(10, natural)
                 : text.getAsInteger(10, whole))
    return std::nullopt;
  if (isUnsigned ? !llvm::isUIntN(width, natural) : !llvm::isIntN(width, whole))
    return std::nullopt;
  return APInt(width, isUnsigned ? natural : uint64_t(whole), !isUnsigned);
}

/// Numbers with commas between them, in memory layout.
static llvm::Expected<std::string> parseNumbers(StringRef text, Type element,
                                                int64_t &count) {
  std::string bytes;
  SmallVector<StringRef> parts;
  if (!text.empty())
    text.split(parts, ',');
  count = int64_t(parts.size());
  for (StringRef part : parts) {
    std::optional<APInt> bits = parseNumber(part.trim(), element);
    if (!bits) {
      std::string type;
      llvm::raw_string_ostream(type)
          << tenon::onnx::dataTypeName(tenon::onnx::dataTypeOf(element));
      return notA(part, type);
    }
    uint64_t word = bits->getZExtValue();
    bytes.append(reinterpret_cast<const char *>(&word),
                 bits->getBitWidth() / 8);
  }
  return bytes;
}

namespace {
/// The shape of an input: -1 where it is not known.
struct InputShape {
  bool isKnown = false;
  SmallVector<int64_t> dims;
  int64_t known = 1; ///< the product of known dimensions
  unsigned unknown = 0;
};
} // namespace

static llvm::Expected<InputShape> shapeOf(Session &session,
                                          const ValueInfoProto &input) {
  InputShape shape;
  const auto &type = input.type().tensor_type();
  shape.isKnown = type.has_shape();
  for (const auto &dim : type.shape().dim()) {
    bool isSize = dim.has_dim_value() && dim.dim_value() >= 0;
    shape.dims.push_back(isSize ? dim.dim_value() : -1);
    shape.unknown += !isSize;
  }
  SmallVector<int64_t> sizes(shape.dims);
  llvm::replace(sizes, int64_t(-1), int64_t(1));
  auto bounded = tensorType(session, sizes, type.elem_type());
  if (!bounded)
    return bounded.takeError();
  for (int64_t size : sizes)
    shape.known *= size;
  return shape;
}

/// The shape that `count` numbers have; one alone fills a known shape.
static llvm::Error completeShape(InputShape &shape, int64_t count) {
  if (!shape.isKnown) {
    if (count != 1)
      shape.dims = {count};
    return llvm::Error::success();
  }
  if (shape.unknown == 1 && shape.known > 0 && count % shape.known == 0) {
    llvm::replace(shape.dims, int64_t(-1), count / shape.known);
    return llvm::Error::success();
  }
  if (shape.unknown)
    return createStringError(
        "its shape is not known: fix it with --dim or --shape");
  if (count == shape.known || count == 1)
    return llvm::Error::success();
  return createStringError("it takes " + llvm::Twine(shape.known) +
                           " numbers, not " + llvm::Twine(count));
}

static llvm::Error readText(Session &session, const ValueInfoProto &input,
                            StringRef text, TensorProto &tensor) {
  Type element = tenon::onnx::elementType(tensor.data_type(), &session.context);
  auto shape = shapeOf(session, input);
  if (!shape)
    return shape.takeError();
  int64_t count;
  auto bytes = parseNumbers(text, element, count);
  if (!bytes)
    return bytes.takeError();
  if (llvm::Error error = completeShape(*shape, count))
    return error;
  uint64_t elements = 1;
  for (int64_t dim : shape->dims) {
    tensor.add_dims(dim);
    elements *= uint64_t(dim);
  }
  if (count == 1 && elements != 1) {
    if (elements * bytes->size() > mostFilledBytes)
      return createStringError("one number does not fill more than 1 GiB");
    std::string one = std::move(*bytes);
    bytes->clear();
    for (uint64_t i = 0; i < elements; ++i)
      *bytes += one;
  }
  uint64_t size = bytes->size();
  setData(session, tensor, {Mapping::copyOf(std::move(*bytes)), 0, size});
  return llvm::Error::success();
}

static llvm::Error readProtobuf(StringRef bytes, TensorProto &tensor) {
  TensorProto read;
  google::protobuf::LogSilencer silence;
  if (!read.ParseFromString(bytes.str()))
    return createStringError("it is not a TensorProto");
  if (read.data_type() != tensor.data_type())
    return createStringError(
        "it holds " + tenon::onnx::dataTypeName(read.data_type()) +
        ", the input takes " + tenon::onnx::dataTypeName(tensor.data_type()));
  if (!read.external_data().empty())
    return createStringError("its data is in another file");
  read.set_name(tensor.name());
  tensor = std::move(read);
  return llvm::Error::success();
}

static llvm::Error readFile(Session &session, StringRef path,
                            TensorProto &tensor) {
  auto file = Mapping::open(path);
  if (!file)
    return file.takeError();
  StringRef bytes = (*file)->bytes();
  if (path.ends_with(".pb"))
    return readProtobuf(bytes, tensor);
  auto npy = readNpy(bytes);
  if (!npy)
    return npy.takeError();
  Type element = tenon::onnx::elementType(tensor.data_type(), &session.context);
  if (npy->type != numpyType(element))
    return createStringError("its elements are " + npy->type +
                             ", the input takes " +
                             tenon::onnx::dataTypeName(tensor.data_type()));
  auto type = tensorType(session, npy->shape, tensor.data_type());
  if (!type)
    return type.takeError();
  uint64_t size =
      type->getNumElements() * ((element.getIntOrFloatBitWidth() + 7) / 8);
  if (bytes.size() - npy->offset < size)
    return createStringError("it is cut off");
  for (int64_t dim : npy->shape)
    tensor.add_dims(dim);
  setData(session, tensor, {*file, npy->offset, size});
  return llvm::Error::success();
}

static const ValueInfoProto *findInput(const proto::GraphProto &graph,
                                       StringRef name) {
  for (const ValueInfoProto &input : graph.input())
    if (input.name() == name)
      return &input;
  return nullptr;
}

static LogicalResult refuseName(Session &session, StringRef name) {
  InFlightDiagnostic diagnostic = session.error();
  diagnostic << "no input '" << name << "' to fix the value of; inputs are";
  for (const ValueInfoProto &input : session.model.graph().input())
    diagnostic << " '" << input.name() << "'";
  return diagnostic;
}

FailureOr<TensorProto> tenon::onnximport::readConstant(Session &session,
                                                       StringRef name,
                                                       StringRef value) {
  const ValueInfoProto *input = findInput(session.model.graph(), name);
  if (!input)
    return refuseName(session, name);
  TensorProto tensor;
  tensor.set_name(name.str());
  tensor.set_data_type(input->type().tensor_type().elem_type());
  Type element = tenon::onnx::elementType(tensor.data_type(), &session.context);
  if (!element || numpyType(element).empty())
    return session.error() << "input '" << name
                           << "' has a type that --const cannot give";
  bool isFile = value.consume_front("@");
  llvm::Error error = isFile ? readFile(session, value, tensor)
                             : readText(session, *input, value, tensor);
  if (error)
    return session.error() << "the value of input '" << name
                           << (isFile ? "' from '" + value.str() : "")
                           << "': " << llvm::toString(std::move(error));
  return tensor;
}
